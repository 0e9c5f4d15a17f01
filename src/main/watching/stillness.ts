/** When a file in a watched folder is complete: nothing about it has changed for a while. Pure. */

/** What is compared. Times in ms since 1970; `id`: device and number of the file; `changedMs`: its ctime. */
export type Facts = {
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  readonly changedMs: number;
  readonly id: string;
};

/** A file as it was last seen, and since when it has been like that, on a clock that only moves forward. */
export type Seen = { readonly facts: Facts; readonly sinceMs: number };

const isUnchanged = (one: Facts, other: Facts): boolean =>
  one.sizeBytes === other.sizeBytes && one.modifiedMs === other.modifiedMs && one.changedMs === other.changedMs;

/** The file as it is seen at `nowMs`. */
export const observe = (before: Seen | undefined, facts: Facts, nowMs: number): Seen =>
  before && isUnchanged(before.facts, facts) ? before : { facts, sinceMs: nowMs };

/** When the file will have been still for `settleMs`, unless it changes. */
export const stillAtMs = ({ sinceMs }: Seen, settleMs: number): number => sinceMs + settleMs;

/** Whether `facts` are those of the file that was recorded: then it is not sent again. Drives sometimes renumber files. */
export const isSameVersion = (recorded: Facts, facts: Facts): boolean =>
  recorded.sizeBytes === facts.sizeBytes &&
  recorded.modifiedMs === facts.modifiedMs &&
  (recorded.id === facts.id || recorded.changedMs === facts.changedMs);
