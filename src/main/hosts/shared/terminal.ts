/**
 * Writes to standard output and standard error. Names of files, texts of a service and claims of a token are untrusted:
 * none of their characters may control the terminal, change a line's direction or begin a new line.
 */
import { inspect } from 'node:util';
import { safeValue } from '../../core/log/log.ts';

export type Stream = {
  readonly write: (text: string) => unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly once?: (event: 'drain' | 'close', listener: () => void) => unknown;
  readonly off?: (event: 'drain' | 'close', listener: () => void) => unknown;
};

/**
 * Returns `text` as one line. Line breaks and tabs become spaces. Other control and format characters and single halves
 * of surrogate pairs become `�`.
 */
export const plain = (text: string): string =>
  text.replaceAll(/[\t-\r\u0085\u2028\u2029]+/g, ' ').replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '\uFFFD');

export const writeLine = (stream: Stream, line: string): void => void stream.write(`${plain(line)}\n`);

export const writeText = (stream: Stream, text: string): void =>
  void stream.write(text.split('\n').map(plain).join('\n'));

/** Overwrites the last line of a terminal. An empty text clears the line. */
export const overwriteLine = (stream: Stream, line: string): void =>
  void stream.write(`\r\u001b[K${plain(line).slice(0, (stream.columns ?? 80) - 1)}`);

/** Converts `value` to JSON. Characters that control a terminal are escaped, which does not change the parsed data. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  );

/** Writes `pieces` as they arrive, no faster than the reader accepts them. Ends early if the reader has gone. */
export const writePieces = async (stream: Stream, pieces: Iterable<string> | AsyncIterable<string>): Promise<void> => {
  for await (const piece of pieces) if (stream.write(piece) === false && !(await hasRoom(stream))) return;
};

/** Resolves to whether a stream accepts more after a write returned false. Node emits `close` after a failed write. */
const hasRoom = (stream: Stream): Promise<boolean> =>
  new Promise((resolve) => {
    if (!stream.once || !stream.off) return resolve(true);
    const settle = (open: boolean): void => {
      stream.off?.('drain', drained);
      stream.off?.('close', closed);
      resolve(open);
    };
    const drained = (): void => settle(true);
    const closed = (): void => settle(false);
    stream.once('drain', drained);
    stream.once('close', closed);
  });

/**
 * Calls `onBroken` when standard output or standard error cannot be written, because the reader or the terminal has
 * gone or the disk is full. Without a listener, Node would report the error as an uncaught exception on the same broken
 * stream.
 */
export const watchOutput = (onBroken: () => void = () => {}): void => {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', onBroken);
};

export const reportBug = (error: unknown): void => {
  writeText(process.stderr, `unexpected error: ${inspect(safeValue(error))}\n`);
};
