/** The files of a watched folder that are not sent yet: those still being written, and those that are complete. */

/** A file by its path below the watched folder, with `/`. */
export type FoundFile = { readonly path: string; readonly facts: Facts };

/** `completeAtMs`: since when it can be sent, on the clock of `nowMs`. */
export type CompleteFile = FoundFile & { readonly completeAtMs: number };

type PendingOptions = {
  /** How long a file has to stay unchanged. */
  readonly settleMs: number;
  readonly nowMs: () => number;
  /** The present facts of a file; undefined if it is not a regular file any more. */
  readonly factsOf: (path: string) => Promise<Facts | undefined>;
  /** Whether the file can be read, because no other program has locked it. */
  readonly canOpen: (path: string) => Promise<boolean>;
};

/** Files that are probed concurrently. */
const PROBES = 16;

/** The folder of a file: a path below the watched folder, empty for the watched folder itself. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/**
 * The job of a file: the first folder of its path below the watched folder, whose files belong together. Empty for a
 * file directly in the watched folder.
 */
export const jobOf = (path: string): string => path.slice(0, Math.max(0, path.indexOf('/')));

/** Creates a tracker without files. */
export const createPendingFiles = ({ settleMs, nowMs, factsOf, canOpen }: PendingOptions) => {
  const unsettled = new Map<string, Seen>();
  const complete = new Map<string, CompleteFile>();
  /** How many files of each job are unsettled. */
  const jobs = new Map<string, number>();

  const count = (path: string, by: 1 | -1): void => {
    const job = jobOf(path);
    const left = (jobs.get(job) ?? 0) + by;
    if (left === 0) jobs.delete(job);
    else jobs.set(job, left);
  };
  const setUnsettled = (path: string, seen: Seen): void => {
    if (!unsettled.has(path)) count(path, 1);
    unsettled.set(path, seen);
  };
  const leave = (path: string): void => {
    if (unsettled.delete(path)) count(path, -1);
  };
  const forget = (path: string): void => {
    leave(path);
    complete.delete(path);
  };

  const see = ({ path, facts }: FoundFile): void => {
    const known = complete.get(path);
    if (known && isSameVersion(known.facts, facts)) return;
    complete.delete(path);
    // An empty file is probably about to be written; it is seen again once it has content.
    if (facts.sizeBytes === 0) leave(path);
    else setUnsettled(path, observe(unsettled.get(path), facts, nowMs()));
  };

  const probe = async (path: string, before: Seen): Promise<void> => {
    const facts = await factsOf(path);
    // It was seen or forgotten in the meantime.
    if (unsettled.get(path) !== before) return;
    if (!facts) return forget(path);
    see({ path, facts });
    if (unsettled.get(path) !== before) return;
    const isFree = await canOpen(path);
    if (unsettled.get(path) !== before) return;
    // While another program uses the file, its time to settle starts again.
    if (!isFree) return setUnsettled(path, { facts, sinceMs: nowMs() });
    leave(path);
    complete.set(path, { path, facts, completeAtMs: nowMs() });
  };

  return {
    /** Records the present facts of a file. */
    see,
    /** The file was sent, or is gone. */
    forget,
    /** Looks again at files that may be complete by now. */
    settle: async (signal: AbortSignal): Promise<void> => {
      const due = [...unsettled].filter(([, seen]) => stillAtMs(seen, settleMs) <= nowMs());
      for (let from = 0; from < due.length; from += PROBES) {
        signal.throwIfAborted();
        await Promise.all(due.slice(from, from + PROBES).map(([path, seen]) => probe(path, seen)));
      }
    },
    /** When `settle` has work to do; undefined: not before another file is seen. */
    nextAtMs: (): number | undefined => {
      let next: number | undefined;
      for (const seen of unsettled.values())
        next = Math.min(next ?? Number.POSITIVE_INFINITY, stillAtMs(seen, settleMs));
      return next;
    },
    complete: (): readonly CompleteFile[] => [...complete.values()],
    /** How many files are being written, or in use by another program. */
    unsettled: (): number => unsettled.size,
    /** Whether a file of this job (see `jobOf`) is being written or in use. */
    isUnsettled: (job: string): boolean => jobs.has(job),
  };
};

// When a file in a watched folder is complete: nothing about it has changed for a while. Pure.

/**
 * The facts of a file that are compared. Times in ms since 1970; `id`: device and number of the file; `changedMs`: its
 * ctime, `bornMs`: when it was created (0: the file system does not say; absent: not known).
 */
export type Facts = {
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  readonly changedMs: number;
  readonly id: string;
  readonly bornMs?: number | undefined;
};

/** A file as last seen, and since when it has been unchanged, on a monotonic clock. */
export type Seen = { readonly facts: Facts; readonly sinceMs: number };

/**
 * Whether the content is certainly the same. Size and modification time alone are not enough: another file may have
 * both, and a program may have set the time back, so the ctime is compared as well. The file's number proves nothing: a
 * new file may get that of a deleted one, and drives sometimes renumber files.
 */
export const isSameVersion = (one: Facts, other: Facts): boolean =>
  one.sizeBytes === other.sizeBytes && one.modifiedMs === other.modifiedMs && one.changedMs === other.changedMs;

/**
 * Whether it is the same file, as far as that can be known without its content. Backup programs, changed permissions,
 * new links and renames change only its ctime.
 */
export const isSameFile = (recorded: Facts, facts: Facts): boolean =>
  recorded.sizeBytes === facts.sizeBytes &&
  recorded.modifiedMs === facts.modifiedMs &&
  recorded.id === facts.id &&
  // A file with the number of a deleted file was created after the last change of that file.
  (recorded.bornMs === undefined ? (facts.bornMs ?? 0) <= recorded.changedMs : recorded.bornMs === facts.bornMs);

/** The file as it is seen at `nowMs`. */
export const observe = (before: Seen | undefined, facts: Facts, nowMs: number): Seen =>
  before && isSameVersion(before.facts, facts) ? before : { facts, sinceMs: nowMs };

/** When the file will have been still for `settleMs`, unless it changes. */
export const stillAtMs = ({ sinceMs }: Seen, settleMs: number): number => sinceMs + settleMs;
