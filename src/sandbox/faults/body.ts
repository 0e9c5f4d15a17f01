import type { Body } from '../http/environment.ts';

/** The body, with one pause after `afterBytes`; nothing is read during the pause. */
export async function* pausedAt(body: Body, afterBytes: number, pause: () => Promise<void>): Body {
  let passedBytes = 0;
  let isDue = true;
  const pauseWhenDue = async (): Promise<void> => {
    if (!isDue || passedBytes < afterBytes) return;
    isDue = false;
    await pause();
  };
  await pauseWhenDue();
  for await (const chunk of body) {
    yield chunk;
    passedBytes += chunk.length;
    await pauseWhenDue();
  }
}

/** The body, ended by `cut` and an error once it exceeds `afterBytes`. */
export async function* cutAt(body: Body, afterBytes: number, cut: () => void): Body {
  // Cut before leaving the loop, which would destroy the stream and close the socket without a reset.
  const stop = (): Error => {
    cut();
    return new Error('the connection was cut by a fault');
  };
  let passedBytes = 0;
  for await (const chunk of body) {
    passedBytes += chunk.length;
    if (passedBytes > afterBytes) throw stop();
    yield chunk;
  }
  throw stop();
}

/** The body, passed on after all of it was received and `wait` has resolved. */
export async function* delayedEnd(body: Body, wait: () => Promise<void>): Body {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  await wait();
  yield* chunks;
}
