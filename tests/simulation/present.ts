/** The parts of the running history that the replaced modules use. */
import type { DatabaseSync } from 'node:sqlite';
import type { Dispatcher } from 'undici';
import type { Random } from '../../src/sandbox/sample/sample-data.ts';
import type { Disk } from './disk.ts';

type Present = {
  readonly random: Random;
  readonly disk: Disk;
  /** The databases on the disk, by path. */
  readonly databases: Map<string, DatabaseSync>;
  /** Handles the requests of all connections of the app. */
  readonly dispatch: Dispatcher['dispatch'];
  /** The type of the file system of the shared folder, as `statfs` returns it. */
  readonly shareType: number;
};

let now: Present | undefined;

export const present = (): Present => {
  if (now === undefined) throw new Error('no history runs');
  return now;
};

export const isPresent = (): boolean => now !== undefined;

export const setPresent = (history: Present | undefined): void => {
  now = history;
};
