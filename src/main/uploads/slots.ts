/** A fixed number of transfers at once, shared fairly by all batches. */

export type Slots = {
  /** Waits for a free slot, first come first served; the answered function frees it. Undefined once aborted. */
  readonly acquire: (signal: AbortSignal) => Promise<(() => void) | undefined>;
};

export const createSlots = (count: number): Slots => {
  let free = count;
  const waiting = new Set<() => void>();

  const release = (): void => {
    const [next] = waiting;
    if (next) next();
    else free += 1;
  };

  const turn = (signal: AbortSignal): Promise<boolean> =>
    new Promise((resolve) => {
      const settle = (mine: boolean): void => {
        waiting.delete(take);
        signal.removeEventListener('abort', leave);
        resolve(mine);
      };
      const take = (): void => settle(true);
      const leave = (): void => settle(false);
      waiting.add(take);
      signal.addEventListener('abort', leave);
    });

  return {
    acquire: async (signal) => {
      if (signal.aborted) return undefined;
      if (free > 0) free -= 1;
      else if (!(await turn(signal))) return undefined;
      return release;
    },
  };
};
