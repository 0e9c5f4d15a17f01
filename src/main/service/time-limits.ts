/** The time limits of a call to the service. A slow trickle of bytes does not extend them. */

export type TimeLimits = {
  /** One request and its whole answer. */
  readonly exchangeMs: number;
  /** The call with its tries, the waits between them, and the wait for a token. */
  readonly callMs: number;
};

/** For an answer with a few fields. */
export const SMALL_ANSWER: TimeLimits = { exchangeMs: 30_000, callMs: 90_000 };

/** For a list: 24 MiB at 1.7 Mbit/s. */
export const LIST_ANSWER: TimeLimits = { exchangeMs: 120_000, callMs: 180_000 };
