/** Long writes in parts: between two of them everything else in this process gets its turn. */
import { setImmediate } from 'node:timers/promises';

/** A write that may be interrupted at each `yield`; what was written until then is kept. */
export type Steps = Generator<void, void>;

export type Slicer = {
  /**
   * Takes the steps to their end, each slice in a transaction of its own: at once where they are few, and after the
   * steps of earlier calls. Ends without a word where `abandon` is called meanwhile. Errors: those of the steps.
   */
  readonly run: (steps: Steps) => Promise<void>;
  /** What was begun, and what waits, is not finished: it would write what has just been removed. */
  readonly abandon: () => void;
};

/** Takes the steps of a read, one a turn, each as `one` does it; answers what they end with. */
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

/** How long this process is kept busy. A commit comes on top. */
const SLICE_MS = 10;

/** `together` runs a part as one transaction. */
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
