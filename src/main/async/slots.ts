/** Limits how many tasks run at once, first come first served. The limit may change at any time. */

export type Slots = {
  /** Waits for a free slot; the answered function frees it. Undefined once `signal` is aborted. */
  readonly acquire: (signal: AbortSignal) => Promise<(() => void) | undefined>;
  /** A free slot, if there is one now. */
  readonly tryAcquire: () => (() => void) | undefined;
  readonly limit: () => number;
  /** Slots in use stay in use: if there are too many, those that are freed next are not given out again. */
  readonly setLimit: (limit: number) => void;
  readonly taken: () => number;
};

/** `count` free slots. */
export const createSlots = (count: number): Slots => {
  let limit = count;
  let taken = 0;
  const waiting = new Set<() => void>();

  const serve = (): void => {
    for (const take of waiting) {
      if (taken >= limit) return;
      taken += 1;
      take();
    }
  };

  const release = (): void => {
    taken -= 1;
    serve();
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
      if (taken < limit && waiting.size === 0) taken += 1;
      else if (!(await turn(signal))) return undefined;
      return release;
    },
    tryAcquire: () => {
      if (taken >= limit || waiting.size > 0) return undefined;
      taken += 1;
      return release;
    },
    limit: () => limit,
    setLimit: (next) => {
      limit = next;
      serve();
    },
    taken: () => taken,
  };
};
