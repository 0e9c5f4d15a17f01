/** How long a transfer waits for something to move. */
export type SendTimeouts = {
  /** Neither the file gave a byte nor the connection took one: for as long as bytes are to be sent. */
  readonly idleMs: number;
  /** The last byte was handed over: a storage may still have much in front of it, and copy the file about. */
  readonly answerMs: number;
  /** A file given up after its last byte was handed over: its answer says whether it arrived, and is waited for. */
  readonly graceMs: number;
};

/** Long enough for a slow line that many transfers share: a send buffer empties before the next part is taken. */
export const SEND_TIMEOUTS: SendTimeouts = { idleMs: 120_000, answerMs: 300_000, graceMs: 3_000 };
