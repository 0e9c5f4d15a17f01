/** Long work in short turns, so that the thread does other work in between. */
import { setImmediate } from 'node:timers/promises';

/** The content of a file, piece by piece. */
export type Pieces = Iterable<string> | AsyncIterable<string | Uint8Array>;

const TURN_MS = 10;

/** Yields `pieces`, and returns to the event loop after each 10 ms. */
export async function* inTurns(pieces: Pieces): AsyncGenerator<string | Uint8Array> {
  let turnEndsAt = performance.now() + TURN_MS;
  for await (const piece of pieces) {
    if (piece.length > 0) yield piece;
    if (performance.now() < turnEndsAt) continue;
    await setImmediate();
    turnEndsAt = performance.now() + TURN_MS;
  }
}
