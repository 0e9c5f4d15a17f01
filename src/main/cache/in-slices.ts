/** Long reads and writes in slices, so that other work of this process can run in between. */
import { setImmediate } from 'node:timers/promises';

/** A write that can be interrupted at each `yield`. What was written before stays. */
export type Steps = Generator<void, void>;

type Slicer = {
  /**
   * Runs the steps of a write after those of earlier calls, each slice in its own transaction. Resolves early if
   * `abandon` is called. Errors: those of the steps.
   */
  readonly run: (steps: Steps) => Promise<void>;
  /** Drops all current and waiting writes, which would write again what has just been removed. */
  readonly abandon: () => void;
};

/** Runs the steps of a read, one in each turn of the event loop, through `one`; resolves with their result. */
export const inTurns = async <T>(
  steps: Generator<void, T>,
  one: (step: () => IteratorResult<void, T>) => IteratorResult<void, T>,
): Promise<T> => {
  for (;;) {
    const step = one(() => steps.next());
    if (step.done) return step.value;
    await setImmediate();
  }
};

/** The length of a slice, without its commit. */
const SLICE_MS = 10;

/** `together` runs a slice in one transaction. */
export const createSlicer = (together: (work: () => void) => void, now = () => performance.now()): Slicer => {
  const waiting: (() => void)[] = [];
  let isBusy = false;
  let era = 0;

  const take = (steps: Steps): boolean => {
    let isDone = false;
    together(() => {
      const beganMs = now();
      do isDone = steps.next().done === true;
      while (!isDone && now() - beganMs < SLICE_MS);
    });
    return isDone;
  };

  return {
    run: async (steps) => {
      const begun = era;
      if (isBusy) await new Promise<void>((resolve) => waiting.push(resolve));
      isBusy = true;
      try {
        while (begun === era && !take(steps)) await setImmediate();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else isBusy = false;
      }
    },
    abandon: () => {
      era += 1;
    },
  };
};
