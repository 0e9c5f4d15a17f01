/** The files of a watched folder that are not sent yet: those still being written, and those that are complete. */
import { type FileFacts, isOtherVersion } from '../source/file-identity.ts';
import type { ScannedFile } from '../source/scan.ts';

/** A file that is complete. `completeAtMs`: when it was found to be complete, on the clock of `nowMs`. */
export type CompleteFile = ScannedFile & { readonly completeAtMs: number };

type PendingOptions = {
  readonly settleMs: number;
  readonly nowMs: () => number;
  /**
   * Resolves to the present facts of a file, or to `folder` or undefined if the path no longer leads to a regular file.
   */
  readonly look: (path: string) => Promise<FileFacts | 'folder' | undefined>;
  /** Resolves to false while another program has locked the file. */
  readonly canOpen: (path: string) => Promise<boolean>;
};

const PROBES = 16;

/** The folder of a file: a path below the watched folder, empty for the watched folder itself. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/**
 * The assignment folder of a file: the first folder of its path; empty if the file is directly in the watched folder.
 */
export const assignmentFolderOf = (path: string): string => path.slice(0, Math.max(0, path.indexOf('/')));

export const createPendingFiles = ({ settleMs, nowMs, look, canOpen }: PendingOptions) => {
  const unsettled = new Map<string, Seen>();
  const complete = new Map<string, CompleteFile>();
  /** How many files of each assignment folder are unsettled. */
  const unsettledIn = new Map<string, number>();

  const count = (path: string, by: 1 | -1): void => {
    const folder = assignmentFolderOf(path);
    const left = (unsettledIn.get(folder) ?? 0) + by;
    if (left === 0) unsettledIn.delete(folder);
    else unsettledIn.set(folder, left);
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

  const see = (file: ScannedFile): void => {
    const { path } = file;
    const known = complete.get(path);
    if (known && !isOtherVersion(known, file)) return;
    complete.delete(path);
    // An empty file is probably about to be written; it is seen again once it has content.
    if (file.sizeBytes === 0) leave(path);
    else setUnsettled(path, observe(unsettled.get(path), file, nowMs()));
  };

  const probe = async (path: string, before: Seen): Promise<void> => {
    const facts = await look(path);
    // If the file was seen or forgotten in the meantime, `facts` may be outdated.
    if (unsettled.get(path) !== before) return;
    if (facts === undefined || facts === 'folder') return forget(path);
    see({ path, ...facts });
    if (unsettled.get(path) !== before) return;
    const isFree = await canOpen(path);
    if (unsettled.get(path) !== before) return;
    // While another program has locked the file, `settleMs` starts again at each probe.
    if (!isFree) return setUnsettled(path, { facts, sinceMs: nowMs(), isLocked: true });
    leave(path);
    complete.set(path, { path, ...facts, completeAtMs: nowMs() });
  };

  return {
    see,
    /** Removes a file because it was sent, is not to be sent, or is gone. */
    forget,
    /** Probes the files that may be complete by now. Rejects if `signal` is aborted. */
    settle: async (signal: AbortSignal): Promise<void> => {
      const due = [...unsettled].filter(([, seen]) => stillAtMs(seen, settleMs) <= nowMs());
      for (let from = 0; from < due.length; from += PROBES) {
        signal.throwIfAborted();
        await Promise.all(due.slice(from, from + PROBES).map(([path, seen]) => probe(path, seen)));
      }
    },
    /** When `settle` next has work to do, on the clock of `nowMs`; undefined: no file is unsettled. */
    nextAtMs: (): number | undefined => {
      let next: number | undefined;
      for (const seen of unsettled.values())
        next = Math.min(next ?? Number.POSITIVE_INFINITY, stillAtMs(seen, settleMs));
      return next;
    },
    complete: (): readonly CompleteFile[] => [...complete.values()],
    /** The files that can be read, in the versions that were last seen: all but those that a program has locked. */
    readable: (): readonly ScannedFile[] => [
      ...complete.values(),
      ...[...unsettled].flatMap(([path, { facts, isLocked }]) => (isLocked ? [] : [{ ...facts, path }])),
    ],
    /** The number of files that changed recently or are locked by another program. Empty files are not counted. */
    unsettled: (): number => unsettled.size,
    isUnsettled: (assignmentFolder: string): boolean => unsettledIn.has(assignmentFolder),
  };
};

// When a file in a watched folder is complete: nothing about it has changed for a while. These functions are pure.

/**
 * The facts of a file when it was last seen. `sinceMs`: since when the facts are the same, on a monotonic clock.
 * `isLocked`: whether another program had locked the file when it was last probed.
 */
type Seen = { readonly facts: FileFacts; readonly sinceMs: number; readonly isLocked?: true };

/**
 * Whether `now` are facts of the recorded version of a file. The ctime may differ: backups, permissions and renames
 * change nothing else.
 */
export const isSameFile = (recorded: FileFacts, now: FileFacts): boolean => {
  const { id, changedMs = 0, bornMs } = recorded.identity ?? {};
  const isSame = recorded.sizeBytes === now.sizeBytes && recorded.modifiedMs === now.modifiedMs;
  if (!isSame || id !== now.identity?.id) return false;
  // A new file may have the inode number of a deleted one, but was created after the deleted file was last changed.
  return bornMs === undefined ? (now.identity?.bornMs ?? 0) <= changedMs : bornMs === now.identity?.bornMs;
};

/** Returns `before` if the file is still the same version, otherwise `facts` as seen at `nowMs`. */
const observe = (before: Seen | undefined, facts: FileFacts, nowMs: number): Seen =>
  before && !isOtherVersion(before.facts, facts) ? before : { facts, sinceMs: nowMs };

/** When the file will have been unchanged for `settleMs`, unless it changes before. */
const stillAtMs = ({ sinceMs }: Seen, settleMs: number): number => sinceMs + settleMs;
