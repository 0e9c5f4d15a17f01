/**
 * Prepares folders as an attacker, or an odd machine, would: with unusual entries next to honest files, and with
 * swapped files.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Creates a pipe without a writer: opening it as a file would wait. */
export const makePipe = (path: string): void => void execFileSync('mkfifo', [path]);

/** Creates a socket that listens until the test has ended. `path`: at most about 100 bytes, as systems require. */
export const makeSocket = async (path: string): Promise<void> => {
  const server = createServer().listen(path);
  onTestFinished(() => void server.close());
  await once(server, 'listening');
};

/** Creates a file of this size without content on the disk. */
export const makeSparse = (path: string, sizeBytes: number): void => {
  const fd = openSync(path, 'w');
  ftruncateSync(fd, sizeBytes);
  closeSync(fd);
};

/** Writes a file whose name consists of these bytes, which need not be text (Linux). */
export const writeNamed = (folder: string, name: Uint8Array, content: string): void =>
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), name]), content);

/** Names that Linux permits, but that cause trouble wherever they are shown or passed on. */
export const hostileNames: readonly string[] = [
  'two\nlines.txt',
  'bell\u0007and escape\u001b[31m.txt',
  'photo\u202egpj.exe',
  'zero\u200bwidth\ufeff.txt',
  '=cmd|calc.txt',
  '-rf',
  'a"quote\'s `and` $(more).txt',
  'back\\slash..\\..\\up.txt',
  'C:stream.txt',
  '%2e%2e%2fescaped.txt',
  '\u{1f3e0} house.jpg',
  `${'n'.repeat(251)}.txt`,
  `${'\u00e5'.repeat(125)}.jpeg`,
];

/** Replaces `path` with a link to `target`. Returns a function that undoes this. */
export const swapForLink = (path: string, target: string): (() => void) => {
  const kept = `${path}.kept`;
  renameSync(path, kept);
  symlinkSync(target, path);
  return () => {
    rmSync(path);
    renameSync(kept, path);
  };
};

/** Writes a file outside of all uploads that resembles the one at `path` as closely as possible. Returns its path. */
export const makeSecret = (folder: string, path: string, name = 'secret'): string => {
  const { size, atime, mtime } = statSync(path);
  const secret = join(folder, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(secret, 'SECRET '.repeat(Math.ceil(size / 7)).slice(0, size));
  utimesSync(secret, atime, mtime);
  return secret;
};
