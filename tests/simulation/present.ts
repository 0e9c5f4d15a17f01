/** What the replaced modules of the history that runs use. */
import type { DatabaseSync } from 'node:sqlite';
import type { Dispatcher } from 'undici';
import type { Random } from '../../src/sandbox/sample/sample-data.ts';
import type { Disk } from './disk.ts';

type Present = {
  readonly random: Random;
  readonly disk: Disk;
  /** The databases on the disk, by path. */
  readonly databases: Map<string, DatabaseSync>;
  /** What every connection of the app leads to. */
  readonly dispatch: Dispatcher['dispatch'];
  /** What `statfs` says about the drive of the shared folder. */
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
