/** Databases whose content can be done without: a damaged one is moved aside, and a new one takes its place. */
import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { DeskError } from '../../contract/errors.ts';

/** Whether the file at `path`, which could not be opened because of `error`, is to be moved aside. */
export const isBeyondUse = (path: string, error: unknown): boolean =>
  (error instanceof DeskError && (error.code === 'data/corrupt' || error.code === 'data/newer')) ||
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/**
 * Moves the file aside, and answers the notice that reports it. Its write-ahead log and index are removed: they would
 * corrupt the new file.
 */
export const moveAside = (path: string, atMs: number): DeskError => {
  const file = `${path}.damaged-${atMs}`;
  renameSync(path, file);
  for (const part of ['-wal', '-shm']) if (existsSync(path + part)) rmSync(path + part);
  return new DeskError('data/moved-aside', 'the database was damaged', { details: { file } });
};
