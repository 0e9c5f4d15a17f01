/** When a file in a watched folder is complete: nothing about it has changed for a while. Pure. */

/**
 * What is compared. Times in ms since 1970; `id`: device and number of the file; `changedMs`: its ctime, `bornMs`: when it was
 * created (0: the file system does not say; absent: not recorded by an older version).
 */
export type Facts = {
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  readonly changedMs: number;
  readonly id: string;
  readonly bornMs?: number | undefined;
};

/** A file as it was last seen, and since when it has been like that, on a clock that only moves forward. */
export type Seen = { readonly facts: Facts; readonly sinceMs: number };

/**
 * Whether the content is surely the same. Size and time alone are not enough: another file may have them, and even the number
 * of one that was deleted, or a program may have put the time back. Drives sometimes renumber files, so that the number does
 * not count.
 */
export const isSameVersion = (one: Facts, other: Facts): boolean =>
  one.sizeBytes === other.sizeBytes && one.modifiedMs === other.modifiedMs && one.changedMs === other.changedMs;

/**
 * Whether it is the same file, as far as that can be known without its content. Backup programs, other rights, links and new
 * names change its ctime only.
 */
export const isSameFile = (recorded: Facts, facts: Facts): boolean =>
  recorded.sizeBytes === facts.sizeBytes &&
  recorded.modifiedMs === facts.modifiedMs &&
  recorded.id === facts.id &&
  // One that got the number of a deleted file was created later than that.
  (recorded.bornMs === undefined ? (facts.bornMs ?? 0) <= recorded.changedMs : recorded.bornMs === facts.bornMs);

/** The file as it is seen at `nowMs`. */
export const observe = (before: Seen | undefined, facts: Facts, nowMs: number): Seen =>
  before && isSameVersion(before.facts, facts) ? before : { facts, sinceMs: nowMs };

/** When the file will have been still for `settleMs`, unless it changes. */
export const stillAtMs = ({ sinceMs }: Seen, settleMs: number): number => sinceMs + settleMs;
