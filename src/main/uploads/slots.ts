/** A fixed number of transfers at once, shared fairly by all batches. */

export type Slots = {
  /** Waits for a free slot, first come first served; the answered function frees it. */
  readonly acquire: () => Promise<() => void>;
};

export const createSlots = (count: number): Slots => {
  let free = count;
  const waiting: (() => void)[] = [];

  const release = (): void => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };

  return {
    acquire: async () => {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      return release;
    },
  };
};
