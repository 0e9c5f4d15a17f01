/** For tests: hashers with their own thread, which starts with the first file that needs it. */

import { createHasher, type Hasher } from '../hasher.ts';
import { type OpenFile, openLocalFile } from '../local-file.ts';

/** A hasher with the thread of the sources. */
export const createTestHasher = (onBug: (error: unknown) => void = () => {}): Hasher =>
  createHasher(new URL('../read-worker.ts', import.meta.url), onBug);

/** Opens files without the thread that reads small ones. */
export const createTestOpen = (): OpenFile => {
  const hasher = createTestHasher();
  return (path, expected) => openLocalFile(path, expected, hasher);
};

type CountingHasher = Hasher & {
  /** How often a part was taken. */
  readonly taken: () => number;
  /** Parts that are taken and not given back: at present, and at most. */
  readonly inUse: () => number;
  readonly mostInUse: () => number;
};

/** A hasher that counts its parts. */
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
