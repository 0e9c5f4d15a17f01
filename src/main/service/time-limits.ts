/** How long a call to the service may take, however lively it looks: a byte now and then prolongs nothing. */

export type TimeLimits = {
  /** One request and its whole answer. */
  readonly exchangeMs: number;
  /** The call with its tries, the waits between them, and the wait for a token. */
  readonly callMs: number;
};

/** Of an answer of a few fields. */
export const SMALL_ANSWER: TimeLimits = { exchangeMs: 30_000, callMs: 90_000 };

/** Of a list: 24 MiB on a line of 1.7 Mbit/s. */
export const LIST_ANSWER: TimeLimits = { exchangeMs: 120_000, callMs: 180_000 };
