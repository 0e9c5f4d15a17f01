/** What the replaced modules of the history that runs use. */
import type { Random } from '../../src/sandbox/sample/sample-data.ts';
import type { Disk } from './disk.ts';

type Present = { readonly random: Random; readonly disk: Disk };

let now: Present | undefined;

export const present = (): Present => {
  if (now === undefined) throw new Error('no history runs');
  return now;
};

export const isPresent = (): boolean => now !== undefined;

export const setPresent = (history: Present | undefined): void => {
  now = history;
};
