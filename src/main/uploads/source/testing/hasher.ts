/** For tests: hashers and openers of files. Each hasher has its own worker, which starts with the first large file. */

import { createHasher, type Hasher } from '../hasher.ts';
import { type OpenFile, openLocalFile } from '../local-file.ts';

/** Creates a hasher whose worker runs from the source files. */
export const createTestHasher = (onBug: (error: unknown) => void = () => {}): Hasher =>
  createHasher(new URL('../read-worker.ts', import.meta.url), onBug);

/** Creates a function that opens files without the worker for small files. */
export const createTestOpen = (): OpenFile => {
  const hasher = createTestHasher();
  return (path, expected) => openLocalFile(path, expected, hasher);
};

type CountingHasher = Hasher & {
  /** How often a part was taken. */
  readonly taken: () => number;
  /**
   * `inUse`: the number of parts that are taken and not given back now. `mostInUse`: the highest such number so far.
   */
  readonly inUse: () => number;
  readonly mostInUse: () => number;
};

/** Creates a hasher that counts its parts. */
export const createCountingHasher = (): CountingHasher => {
  const hasher = createTestHasher();
  let taken = 0;
  let inUse = 0;
  let mostInUse = 0;
  return {
    ...hasher,
    takePart: () => {
      taken += 1;
      inUse += 1;
      mostInUse = Math.max(mostInUse, inUse);
      return hasher.takePart();
    },
    giveBack: (part) => {
      inUse -= 1;
      hasher.giveBack(part);
    },
    taken: () => taken,
    inUse: () => inUse,
    mostInUse: () => mostInUse,
  };
};
