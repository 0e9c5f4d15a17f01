/** Writes the folder of a round: files of many sizes, each with a different name and content. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Random } from '../../src/sandbox/sample/sample-data.ts';
import { sha256 } from '../integration/support/folders.ts';

const FOLDERS = ['', 'Plan 1', 'Plan 1/Kök', 'Plan 2', 'fotograferat/2026/maj'];

/** Draws a size. Most files are small, some are empty, and a few do not fit into one read. */
const sizeOf = ({ chance, integer }: Random): number => {
  if (chance(0.02)) return 0;
  return chance(0.02) ? integer(300_000, 900_000) : integer(1, 20_000);
};

/**
 * Writes earlier versions of some of the files `names` below `root`. The round replaces all of these versions. Returns
 * the names of the written files.
 */
export const writeEarlierFolder = (root: string, names: Iterable<string>, random: Random): readonly string[] => {
  mkdirSync(root);
  const earlier = [...names].filter(() => random.chance(0.2));
  for (const name of earlier) writeFileSync(join(root, name), `earlier ${name} ${random.uint32()}`);
  return earlier;
};

/** Writes `count` files below `root`. Returns the SHA-256 of each by its FileName. */
export const writeChaosFolder = (root: string, count: number, random: Random): ReadonlyMap<string, string> =>
  new Map(
    Array.from({ length: count }, (_, index) => {
      const name = `besiktning ${index}.jpg`;
      const content = Buffer.alloc(sizeOf(random), `${name} ${random.uint32()}\n`);
      const path = join(root, random.pick(FOLDERS), name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
      return [name, sha256(content)];
    }),
  );
