/** A file's place among those that are sent: given to another while the file waits, taken again after. */
import { cancellation } from '../net/cancel.ts';
import type { Slots } from './slots.ts';

export type Place = {
  /**
   * Gives the place away; the answered function waits for another. Undefined where too many rest already, and the
   * place is kept.
   */
  readonly rest: () => (() => Promise<void>) | undefined;
  /** The same, but never undefined: for one that waits for another file, which may wait for this very place. */
  readonly stepAside: () => () => Promise<void>;
  /** The file needs no place any more, wherever it is; once more does nothing. */
  readonly leave: () => void;
};

/** `taken` frees the place that the file has in `slots`; `resting`: as many as may rest. */
export const createPlace = (
  slots: Pick<Slots, 'acquire'>,
  taken: () => void,
  resting: Pick<Slots, 'tryAcquire'>,
  signal: AbortSignal,
): Place => {
  let leave = taken;
  /** `wake` ends what it is counted as meanwhile. */
  const giveAway = (wake: () => void) => {
    leave();
    leave = wake;
    return async (): Promise<void> => {
      const again = await slots.acquire(signal);
      if (!again) throw cancellation(signal);
      wake();
      leave = again;
    };
  };
  return {
    rest: () => {
      const wake = resting.tryAcquire();
      return wake && giveAway(wake);
    },
    stepAside: () => giveAway(() => {}),
    leave: () => {
      leave();
      leave = () => {};
    },
  };
};
