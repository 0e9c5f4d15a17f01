/** Keeps the cache within its limit. */
import { setImmediate } from 'node:timers/promises';
import { DeskError } from '../../contract/errors.ts';
import type { Steps } from './in-slices.ts';
import type { LeastUsed } from './least-used.ts';

export type Room = {
  /**
   * Removes what was used least recently until the cache is within its limit, in between other writes; resolves then, or
   * when it fails. The next call tries again.
   */
  readonly makeRoom: () => Promise<void>;
  /** Whether more can be stored without removing what "Make everything available offline" has stored. */
  readonly hasRoom: () => boolean;
};

export type RoomOptions = {
  /** The most that the cache may take, which may change. */
  readonly limitBytes: () => number;
  /** Called when room was made: what was available offline may not be any more. */
  readonly onRoom: () => void;
  /** Called with why no room could be made. */
  readonly onFailure: (error: unknown) => void;
};

/** The share of the limit that is left in use, so that not every write has to remove something. */
const OTHERS_LEFT = 0.95;

/** The share of the limit at which making everything available stops: answers that are still on their way have to fit, too. */
const WHILE_FILLING = 0.97;

/** The length of a slice, without its commit. */
const SLICE_MS = 4;

/** `slice` runs the first of the steps after the writes of earlier calls, and resolves with whether these were all. */
export const createRoom = (
  leastUsed: LeastUsed,
  slice: (steps: Steps, lengthMs: number) => Promise<boolean>,
  { limitBytes, onRoom, onFailure }: RoomOptions,
): Room => {
  let making: Promise<void> | undefined;
  /** Something was written, or the limit changed, since the last round began. */
  let isDue = false;

  const round = async (): Promise<void> => {
    isDue = false;
    const isAbove = leastUsed.usedBytes() > limitBytes();
    const trim = () => leastUsed.trim(limitBytes() * (isAbove ? OTHERS_LEFT : 1), limitBytes());
    while (!(await slice(trim(), SLICE_MS))) await setImmediate();
    if (isAbove) onRoom();
  };
  const make = async (): Promise<void> => {
    try {
      do await round();
      while (isDue);
    } catch (error) {
      // Unless it was closed meanwhile.
      if (!(error instanceof DeskError && error.code === 'app/cancelled')) onFailure(error);
    } finally {
      making = undefined;
    }
  };

  return {
    makeRoom: () => {
      isDue = true;
      making ??= make();
      return making;
    },
    hasRoom: () => leastUsed.usedBytes() < limitBytes() * WHILE_FILLING || leastUsed.hasOthers(),
  };
};
