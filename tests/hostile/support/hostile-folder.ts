/** Folders that an attacker, or an odd machine, has prepared: what is in them beside honest files, and swaps of files. */
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

/** A pipe without a writer: opening it as a file waits. */
export const makePipe = (path: string): void => void execFileSync('mkfifo', [path]);

/** A socket that listens until the test has ended. `path`: no longer than 100 bytes, as systems have it. */
export const makeSocket = async (path: string): Promise<void> => {
  const server = createServer().listen(path);
  onTestFinished(() => void server.close());
  await once(server, 'listening');
};

/** A file of this size that takes no room on the disk. */
export const makeSparse = (path: string, sizeBytes: number): void => {
  const fd = openSync(path, 'w');
  ftruncateSync(fd, sizeBytes);
  closeSync(fd);
};

/** A file whose name is these bytes, which need be no text (Linux). */
export const writeNamed = (folder: string, name: Uint8Array, content: string): void =>
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), name]), content);

/** Names that are legal on Linux, and cause trouble wherever they are shown or passed on. */
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

/** Replaces `path` by a link to `target`, and returns a function that puts it back. */
export const swapForLink = (path: string, target: string): (() => void) => {
  const kept = `${path}.kept`;
  renameSync(path, kept);
  symlinkSync(target, path);
  return () => {
    rmSync(path);
    renameSync(kept, path);
  };
};

/** Makes a file outside every upload that resembles the one at `path` as closely as possible; returns its path. */
export const makeSecret = (folder: string, path: string, name = 'secret'): string => {
  const { size, atime, mtime } = statSync(path);
  const secret = join(folder, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(secret, 'SECRET '.repeat(Math.ceil(size / 7)).slice(0, size));
  utimesSync(secret, atime, mtime);
  return secret;
};
