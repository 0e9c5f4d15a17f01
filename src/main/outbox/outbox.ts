/**
 * Changes at the service that can also be made offline. A change that cannot be sent stays pending. Pending changes are
 * sent once the service can be reached.
 */

import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { isOwnedBy, isSameUser, type Owner } from '../../contract/connection.ts';
import { DeskError, ErrorData, toErrorData } from '../../contract/errors.ts';
import { isPending, type OutboxEntry, type RemovableFile, type Removal, RemovedFile } from '../../contract/offline.ts';
import type { AssignmentFiles, PlanAfterValue } from '../../contract/resources.ts';
import { orCancelled, throwIfCancelled } from '../async/cancel.ts';
import { type Sleep, steadyNow } from '../async/clock.ts';
import { createSerial, createSingleFlight } from '../async/lock.ts';
import { type RetryPolicy, retryWaitMs } from '../async/retry.ts';
import { createThrottle, reporting } from '../async/throttle.ts';
import {
  absent,
  createWrite,
  type Migrations,
  openDatabase,
  openPrecious,
  storedCount,
  storedJson,
  storedTime,
  transaction,
  translated,
  translating,
} from '../data/sqlite.ts';
import { isOutage } from '../net/translate.ts';

type ApplyChange = {
  readonly planAfter: (change: PlanAfterChange, signal: AbortSignal) => Promise<PlanAfterValue>;
  /** Resolves to the remaining files, with `wantsList` and if the service lists them. */
  readonly removeFile: (
    file: { readonly AssignmentId: string; readonly Key: string; readonly wantsList: boolean },
    signal: AbortSignal,
  ) => Promise<AssignmentFiles | undefined>;
};

/**
 * What became of a file of a removal. `error`: why the file was rejected or, for a removed file, that the service no
 * longer had it. `response`: the files that remain, if the removal has no other file and the service listed them.
 */
export type SettledFile = {
  readonly Key: string;
  readonly isRemoved: boolean;
  readonly error?: DeskError | undefined;
  readonly response?: AssignmentFiles | undefined;
};

type OutboxOptions = {
  readonly store: OutboxStore;
  readonly owner: () => Owner;
  /**
   * Whether a user is signed in. If not, new changes are refused, because they would be sent as changes of the next
   * user.
   */
  readonly isSignedIn: () => boolean;
  /** Whether the service is known to be unreachable. New changes of values are then pending without an attempt. */
  readonly isUnreachable: () => boolean;
  readonly apply: ApplyChange;
  readonly onChange: (entries: readonly OutboxEntry[]) => void;
  /** Called when `beingRemoved` of the store may have changed. The removal of a file may be reported with a delay. */
  readonly onRemovals: () => void;
  readonly onBug: (error: unknown) => void;
  readonly sleep: Sleep;
  readonly now: () => number;
};

const SENDING: RetryPolicy = {
  attempts: Number.POSITIVE_INFINITY,
  firstMs: 5_000,
  growth: 2,
  longestMs: 5 * 60_000,
  jitter: false,
};

/** How long a request without a response can still take effect at the service after the request has ended. */
const LATE_MS = 2_000;

const REMOVED_AT_ONCE = 4;
/**
 * After the service has failed this number of times in a row, the remaining changes wait as well. Files that are
 * removed together count once, if the service failed at all of them.
 */
const MOST_FAILED = 3;
const REPORT_MS = 250;
/** How long a removal can take before it is shown as pending. Most removals end earlier. */
const SHOW_MS = 1_000;

type PlanAfterEntry = Exclude<OutboxEntry, Removal>;
type IsKind<T extends OutboxEntry> = (entry: OutboxEntry) => entry is T;
/** What is sent together: the value of an entry (`Keys` is then one empty text), or some files of a removal. */
type Batch<T extends OutboxEntry> = { readonly entry: T; readonly Keys: readonly string[] };
/** For each of the `Keys` of a batch, the error that keeps it pending; undefined if it was sent or rejected. */
type Obstacles = readonly (DeskError | undefined)[];

/**
 * Creates the outbox of one connection. Changes from before the start of the app wait for `reached`, `send` or a new
 * removal.
 */
export const createOutbox = (options: OutboxOptions) => {
  const { store, owner, isSignedIn, onChange, now } = options;
  const list = (): readonly OutboxEntry[] => store.list(owner());
  const report = (): void => onChange(list());
  /** Reports the changes, and the files that wait to be removed, which may be very many. */
  const reportRemovals = (): void => {
    options.onRemovals();
    report();
  };
  const sender = createSender(options, list, report, reportRemovals);
  const showSoon = createThrottle(report, SHOW_MS, options.onBug);

  const author = (): Owner => {
    if (isSignedIn()) return owner();
    throw new DeskError('auth/required', 'nobody is signed in');
  };
  /** While earlier changes were sent, another user may have signed in. */
  const throwIfReplaced = (by: Owner): void => {
    if (!isOwnedBy(by, owner())) throw new DeskError('auth/required', 'somebody else has signed in');
  };
  /** Sets the value at the service, and removes an earlier change of the value. To be called by `inTurn`. */
  const set = async (by: Owner, wanted: PlanAfterChange, signal?: AbortSignal): Promise<PlanAfterValue> => {
    await sender.lapsed(wanted);
    throwIfCancelled(signal);
    throwIfReplaced(by);
    const value = await sender.planAfter(wanted, signal);
    if (store.supersede(by, wanted.AssignmentId)) report();
    return value;
  };

  const putRemoval = (AssignmentId: string, files: readonly RemovableFile[], replaces: boolean): number => {
    if (files.length === 0) throw new DeskError('input/invalid', 'there is nothing to remove');
    const id = store.putRemoval(author(), AssignmentId, files, now(), replaces);
    options.onRemovals();
    showSoon.request();
    return id;
  };

  return {
    /**
     * Sets the value at the service, and removes an earlier change of the value. Resolves to undefined if the service
     * is unreachable; the change is then pending. Sends no request if the service is known to be unreachable. Errors:
     * those of the service, `auth/…`; `data/…` if the change cannot be stored.
     */
    planAfter: async (wanted: PlanAfterChange): Promise<PlanAfterValue | undefined> => {
      const by = author();
      return sender.inTurn(async () => {
        if (options.isUnreachable()) throwIfReplaced(by);
        else
          try {
            return await set(by, wanted);
          } catch (error) {
            if (!isOutage(error)) throw error;
          }
        store.put(by, wanted, now());
        report();
        sender.sendLater();
        return undefined;
      });
    },
    /**
     * Sets the value at the service, and removes an earlier change of the value. The change never stays pending.
     * Errors: those of the service, even if it is unreachable; `auth/…`; the `cancellation` of `signal`.
     */
    planAfterNow: async (wanted: PlanAfterChange, signal: AbortSignal): Promise<PlanAfterValue> => {
      const by = author();
      return orCancelled(
        sender.inTurn(() => set(by, wanted, signal)),
        signal,
      );
    },
    /**
     * Begins to remove files; returns immediately. An entry of the outbox reports the progress. Errors: `input/invalid`
     * without files, `auth/required`, `data/…`.
     */
    removeFiles: (AssignmentId: string, files: readonly RemovableFile[]): void => {
      putRemoval(AssignmentId, files, true);
      sender.reached();
    },
    /**
     * Removes files without waiting for other removals. Calls `onSettled` for each file, and again for a rejected file
     * if the user tries it again meanwhile. Resolves once all are settled. Leaves neither a pending change nor a
     * receipt. If it rejects, the files that are not settled stay on the assignment, but a request in flight may still
     * remove its file. Errors: those that keep the removal pending; `input/invalid` without files, `auth/required`,
     * `data/…`; the `cancellation` of `signal`; `app/cancelled` if the user discards the removal.
     */
    removeNow: async (
      AssignmentId: string,
      files: readonly RemovableFile[],
      onSettled: (file: SettledFile) => void,
      signal: AbortSignal,
    ): Promise<void> => {
      await sender.remove(putRemoval(AssignmentId, files, false), onSettled, signal);
    },
    /** The keys of the files on an assignment that the user has asked to remove, and that are still to be removed. */
    leaving: (AssignmentId: string): ReadonlySet<string> =>
      new Set(
        list().flatMap((entry) =>
          entry.kind === 'remove-files' && entry.AssignmentId === AssignmentId ? store.removals.waiting(entry.id) : [],
        ),
      ),
    /** Returns a window of the files of a removal, and their total. An entry that is not a removal has no files. */
    removal: (
      id: number,
      window: { readonly offset: number; readonly limit: number },
    ): { readonly files: readonly RemovedFile[]; readonly total: number } => {
      const found = list().find((entry) => entry.id === id);
      if (found?.kind !== 'remove-files') return { files: [], total: 0 };
      return { files: store.removals.files(id, window), total: found.files };
    },
    list,
    /** Sends pending changes. Resolves when each is sent or rejected, or when changes have to wait. */
    send: sender.send,
    /** Sends pending changes in the background. To be called when the service can be reached again. */
    reached: sender.reached,
    revoke: (id: number): void => {
      const entry = list().find((one) => one.id === id);
      const isSending = sender.isSending(id);
      if (!entry || (isSending && entry.kind !== 'remove-files')) return;
      // Files that were removed or are being removed cannot be restored. So the entry stays as their receipt, and only
      // the removal of the waiting files is cancelled.
      if (entry.kind === 'remove-files' && entry.waiting > 0 && (isSending || entry.waiting < entry.files))
        store.removals.keepRest(id);
      else store.remove(id);
      reportRemovals();
    },
    retry: (id: number): void => {
      if (!list().some((entry) => entry.id === id)) return;
      store.retry(id);
      store.removals.retry(id);
      reportRemovals();
      sender.reached();
    },
    /** Aborts the requests in flight; their changes stay pending. */
    close: async (): Promise<void> => {
      await sender.close();
      showSoon.end();
    },
  };
};

/**
 * Creates the sender of pending changes. Changes of values are sent one after another, so that the later of two wins.
 * The files of a removal are removed concurrently.
 */
const createSender = (
  options: OutboxOptions,
  list: () => readonly OutboxEntry[],
  report: () => void,
  reportRemovals: () => void,
) => {
  const { store, onBug, sleep, now } = options;
  const inTurn = createSerial();
  const closing = new AbortController();
  const { signal } = closing;
  const reportSoon = createThrottle(report, REPORT_MS, onBug);
  const sending = new Set<number>();
  const backoff = createBackoff(sleep, signal, () => reached());
  /** The removals whose callers wait, by id. The value receives each settled file. */
  const awaited = new Map<number, (file: SettledFile) => void>();
  const { next, sendAll } = createQueue(options, list, backoff.start, signal);

  /**
   * Makes a change at the service, and reports the outcome to `to`. Resolves to the error that keeps the change
   * pending, or to undefined if the change was made or rejected.
   */
  const attempt = async <T>(
    make: () => Promise<T>,
    to: { readonly done: (result: T) => void; readonly refused: (error: DeskError) => void },
  ): Promise<DeskError | undefined> => {
    try {
      to.done(await make());
    } catch (error) {
      if (!(error instanceof DeskError)) throw error;
      if (!isRefusal(error)) return error;
      to.refused(error);
    }
    backoff.reset();
    return undefined;
  };

  const { lapsed, planAfter, removeFile } = createRequests(options, signal);
  const sendOne = async (entry: PlanAfterEntry): Promise<DeskError | undefined> => {
    sending.add(entry.id);
    const obstacle = await attempt(() => planAfter(entry), {
      done: () => store.remove(entry.id),
      refused: (error) => store.refused(entry.id, error),
    }).finally(() => sending.delete(entry.id));
    if (!obstacle) report();
    return obstacle;
  };

  const removeOne = async ({ id, AssignmentId, files }: Removal, Key: string): Promise<DeskError | undefined> => {
    const refused = (error: DeskError): void => {
      store.removals.refused(id, Key, error, now());
      awaited.get(id)?.({ Key, isRemoved: false, error });
    };
    const obstacle = await attempt(() => removeFile({ AssignmentId, Key, wantsList: files === 1 && awaited.has(id) }), {
      done: (result) => {
        store.supersedeRemoval(id, Key);
        if (files === 1) store.remove(id);
        else store.removals.removed(id, Key, now());
        awaited.get(id)?.({ Key, isRemoved: true, ...result });
      },
      refused,
    });
    const { damage } = store;
    // A change must not stay pending in a damaged outbox, because it would be lost when the app ends.
    if (obstacle && damage && !awaited.has(id)) refused(damage);
    else if (obstacle) return obstacle;
    reportSoon.request();
    return undefined;
  };

  const values = createSingleFlight(() =>
    inTurn(() =>
      sendAll(isValue, async ({ entry }) => {
        await lapsed(entry);
        // During the wait, the user may have revoked the change, or another user may have signed in.
        return list().some(({ id }) => id === entry.id) ? [await sendOne(entry)] : [];
      }),
    ),
  );

  const removeAll = async (is: IsKind<Removal>): Promise<readonly DeskError[]> => {
    if (!next(is)) return [];
    const all = await sendAll(is, async ({ entry, Keys }) => {
      const { id } = entry;
      sending.add(id);
      const obstacles = await Promise.all(Keys.map((Key) => removeOne(entry, Key))).finally(() => sending.delete(id));
      const { removed, refused, waiting } = store.removals.counts(id);
      // The removal is empty if the user revoked it before any of its files was removed or rejected.
      if (removed + refused + waiting === 0) store.remove(id);
      return obstacles;
    });
    reportRemovals();
    return all;
  };
  const isUnawaited = (entry: OutboxEntry): entry is Removal => isRemoval(entry) && !awaited.has(entry.id);
  const removals = createSingleFlight(() => removeAll(isUnawaited));
  /** Runs the removals whose callers wait, one after another. Meanwhile, the other removals go on. */
  const awaitedInTurn = createSerial();

  const reached = reporting(() => {
    if (signal.aborted) return;
    backoff.cancel();
    if (next(isValue)) values.run().catch(onBug);
    if (next(isUnawaited)) removals.run().catch(onBug);
  }, onBug);

  return {
    inTurn,
    lapsed,
    planAfter,
    sendLater: backoff.start,
    reached,
    send: async (): Promise<void> => {
      backoff.cancel();
      await Promise.all([values.run(), removals.run()]);
    },
    /** Sends the stored removal `id`. Calls `onSettled` and rejects as `removeNow` of the outbox does. */
    remove: async (id: number, onSettled: (file: SettledFile) => void, cancel: AbortSignal): Promise<void> => {
      const { files } = store.removals.counts(id);
      const settled = new Set<string>();
      awaited.set(id, (file) => {
        settled.add(file.Key);
        onSettled(file);
      });
      const isOwn = (entry: OutboxEntry): entry is Removal => isRemoval(entry) && entry.id === id;
      try {
        const obstacles = await orCancelled(
          awaitedInTurn(() => removeAll(isOwn)),
          cancel,
        );
        if (settled.size === files) return reached();
        throwIfCancelled(signal);
        const isWaiting = store.removals.waiting(id, 1).length > 0;
        if (!isWaiting) throw new DeskError('app/cancelled', 'the removal was discarded');
        throw obstacles.at(-1) ?? new DeskError('auth/required', 'somebody else has signed in');
      } finally {
        awaited.delete(id);
        store.remove(id);
        reportRemovals();
      }
    },
    isSending: (id: number): boolean => sending.has(id),
    close: async (): Promise<void> => {
      closing.abort();
      await values.running()?.catch(onBug);
      await removals.running()?.catch(onBug);
      await awaitedInTurn(async () => {});
      reportSoon.end();
    },
  };
};

/**
 * Creates the queue of pending changes, which decides what is sent next and when the rest has to wait. `onRetry`:
 * called when a change has to be sent again later.
 */
const createQueue = (
  { store }: OutboxOptions,
  list: () => readonly OutboxEntry[],
  onRetry: () => void,
  signal: AbortSignal,
) => {
  /**
   * The values and files, named by `partOf`, that the service failed at when they were last sent. They are sent after
   * all others.
   */
  const failing = new Set<string>();
  /** Returns what to send next, without the values and files in `tried`; undefined if nothing is left. */
  const next = <T extends OutboxEntry>(
    is: IsKind<T>,
    tried: ReadonlySet<string> = new Set(),
    order: Order = 'ASC',
  ): Batch<T> | undefined => {
    const pending = list().filter(is).filter(isPending);
    const first = (isLeftOut: (part: string) => boolean): Batch<T> | undefined => {
      for (const entry of pending) {
        const { id } = entry;
        const most = REMOVED_AT_ONCE + tried.size + failing.size;
        const all = isRemoval(entry) ? store.removals.waiting(id, most, order) : [''];
        const Keys = all.filter((Key) => !isLeftOut(partOf(id, Key))).slice(0, REMOVED_AT_ONCE);
        if (Keys.length > 0) return { entry, Keys };
      }
      return undefined;
    };
    return first((part) => tried.has(part) || failing.has(part)) ?? first((part) => tried.has(part));
  };

  /**
   * Sends each pending value or file once, until none is left, or until the rest has to wait because of an obstacle.
   * Resolves to the errors that keep changes pending.
   */
  const sendAll = async <T extends OutboxEntry>(
    is: IsKind<T>,
    send: (batch: Batch<T>) => Promise<Obstacles>,
  ): Promise<readonly DeskError[]> => {
    const tried = new Set<string>();
    const all: DeskError[] = [];
    let failed = 0;
    // After each failure, files are taken from the other end of the removal's list. Otherwise the first files, for
    // example those of one folder, could hold back all others.
    const nextOf = () => next(is, tried, failed % 2 === 0 ? 'ASC' : 'DESC');
    for (let batch = nextOf(); batch && !signal.aborted && failed < MOST_FAILED; batch = nextOf()) {
      const { entry, Keys } = batch;
      const obstacles = await send(batch);
      const found = obstacles.filter((error) => error !== undefined);
      all.push(...found);
      for (const [index, Key] of Keys.entries()) {
        const part = partOf(entry.id, Key);
        failing.delete(part);
        if (!isOfOne(obstacles[index])) continue;
        tried.add(part);
        failing.add(part);
      }
      // Other changes are tried after an obstacle that may concern only this value or file. Otherwise all changes wait.
      if (!found.every(isOfOne)) break;
      failed = found.length < Keys.length ? 0 : failed + 1;
    }
    if (all.some(({ retry }) => retry === 'later')) onRetry();
    return all;
  };

  return { next, sendAll };
};

/** Whether the service may have failed, or responded with something unreadable, because of one value or file. */
const isOfOne = (obstacle: DeskError | undefined): boolean =>
  obstacle?.code === 'service/failed' || obstacle?.code === 'service/malformed';

/** Creates the waits between attempts, which grow until `reset`. `attempt` is called at the end of each wait. */
const createBackoff = (sleep: Sleep, signal: AbortSignal, attempt: () => void) => {
  let wait: AbortController | undefined;
  let failures = 0;
  return {
    /**
     * Starts a wait, unless one is in progress. Values and files are sent at the same time, so their failures share a
     * wait.
     */
    start: (): void => {
      if (wait && !wait.signal.aborted) return;
      wait = new AbortController();
      failures += 1;
      sleep(retryWaitMs(SENDING, failures), AbortSignal.any([wait.signal, signal])).then(attempt, () => {});
    },
    cancel: (): void => wait?.abort(),
    reset: (): void => {
      failures = 0;
    },
  };
};

/**
 * Creates the functions that send changes. A request that got no response may still take effect, so `lapsed` has to be
 * awaited before a request for another value of the same assignment.
 */
const createRequests = ({ store, owner, apply, sleep }: OutboxOptions, signal: AbortSignal) => {
  const unansweredKey = ({ AssignmentId }: Pick<PlanAfterChange, 'AssignmentId'>): string =>
    `${owner().connectionId} ${AssignmentId}`;
  /** Resolves once no earlier request for another value can take effect after this change. */
  const lapsed = async (change: PlanAfterChange): Promise<void> => {
    const key = unansweredKey(change);
    const before = store.unanswered.get(key);
    if (before === undefined || before.PlanAfter === change.PlanAfter) return;
    const leftMs = before.atMs + LATE_MS - steadyNow();
    // If the wait is aborted, the request that follows is aborted as well.
    if (leftMs > 0) await sleep(leftMs, signal).catch(() => {});
    if (!signal.aborted) store.unanswered.delete(key);
  };
  const planAfter = (change: PlanAfterChange, cancel?: AbortSignal): Promise<PlanAfterValue> => {
    const key = unansweredKey(change);
    return apply.planAfter(change, cancel ? AbortSignal.any([cancel, signal]) : signal).catch((error: unknown) => {
      if (isUnanswered(error)) store.unanswered.set(key, { PlanAfter: change.PlanAfter, atMs: steadyNow() });
      throw error;
    });
  };
  /** A file that the service no longer has counts as removed; `error` then says so. */
  const removeFile = async (
    file: Parameters<ApplyChange['removeFile']>[0],
  ): Promise<Pick<SettledFile, 'error' | 'response'>> => {
    try {
      return { response: await apply.removeFile(file, signal) };
    } catch (error) {
      if (error instanceof DeskError && error.code === 'service/not-found') return { error };
      throw error;
    }
  };
  return { lapsed, planAfter, removeFile };
};

const isValue = (entry: OutboxEntry): entry is PlanAfterEntry => entry.kind === 'plan-after';
const isRemoval = (entry: OutboxEntry): entry is Removal => entry.kind === 'remove-files';
/** Returns a name for a value, whose `Key` is empty, or for a file of a removal. */
const partOf = (id: number, Key: string): string => `${id} ${Key}`;

const isUnanswered = (error: unknown): boolean =>
  error instanceof DeskError &&
  (isOutage(error) || error.code === 'app/cancelled') &&
  error.details.phase !== 'connect';

/**
 * Whether the change itself is at fault, as far as the error shows. After any other error, the change may succeed
 * later.
 */
const isRefusal = (error: DeskError): boolean =>
  error.retry === 'never' && !isOutage(error) && (error.code.startsWith('service/') || error.code === 'input/invalid');

// outbox.sqlite, the only record of pending and rejected changes and of the receipts of removals. A file that is
// damaged, or was written by a newer app, stays unchanged. The outbox is then in memory until the app ends, and has
// `damage`.

/** A change without `PlanAfter` clears the value. */
type PlanAfterChange = { readonly AssignmentId: string; readonly PlanAfter?: number | undefined };

type AssignmentFile = { readonly assignmentId: string; readonly key: string };

/** A request without a response, to set or clear a value. `atMs`: when the request ended, according to `steadyNow`. */
type Unanswered = Pick<PlanAfterChange, 'PlanAfter'> & { readonly atMs: number };

/** The store of the outbox. Its functions throw `data/corrupt` or `data/unwritable` if the file cannot be used. */
export type OutboxStore = ReturnType<typeof createStore>;

/** Opens the outbox at `path`. Errors: `data/unwritable`. */
export const openOutboxStore = (path: string): OutboxStore => openPrecious(path, createStore);

const createStore = (path: string, damage?: DeskError) => {
  const db = openDatabase({ path, migrations: outboxMigrations, durability: 'full' });
  const entries =
    'SELECT id, subject, assignment AS AssignmentId, kind, PlanAfter, error, at_ms AS createdAtMs FROM entry';
  const list = db.prepare(`${entries} WHERE connection = ? ORDER BY id`);
  const insert = db.prepare(
    `INSERT OR REPLACE INTO entry (connection, subject, assignment, kind, PlanAfter, file_key, at_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const write = createWrite(db);
  const supersede = write<[connectionId: string, AssignmentId: string]>(
    `DELETE FROM entry WHERE connection = ? AND assignment = ? AND kind = 'plan-after'`,
  );
  const toRemove = db.prepare(
    `SELECT assignment AS assignmentId, removal_file.file_key AS key FROM entry JOIN removal_file ON entry = entry.id
     WHERE connection = ? AND state = 'waiting'`,
  );
  const setError = write<[error: string | null, id: number]>('UPDATE entry SET error = ? WHERE id = ?');
  // Integers are read as bigints. Otherwise an integer beyond JavaScript's range in one row would make the whole query
  // throw.
  list.setReadBigInts(true);
  const all = db.prepare(entries);
  all.setReadBigInts(true);
  const isUnreadable = translated(path, () => all.all()).some((row) => !Row.safeParse(row).success);
  const leftOut = isUnreadable
    ? new DeskError('data/left-out', 'a change in the outbox cannot be read', {
        details: { part: 'pendingChanges', file: path },
      })
    : undefined;
  const removals = createRemovals(db);

  const changes = {
    /**
     * Returns the changes that the user may have made, oldest first. If the change or the user has no subject, the
     * change may be the user's. Changes that cannot be read are left out.
     */
    list: (owner: Owner): readonly OutboxEntry[] =>
      list
        .all(owner.connectionId)
        .filter((row) => isSameUser({ subject: textOf(row.subject) }, owner))
        .flatMap((row) => {
          const entry = Row.safeParse(row).data;
          if (entry?.kind !== 'remove-files') return entry ?? [];
          return { ...entry, ...removals.counts(entry.id) };
        }),
    /**
     * Appends a change of a value, and removes an earlier change of the same value, even one of another user. Throws
     * `damage` if there is one.
     */
    put: ({ connectionId, subject }: Owner, { AssignmentId, PlanAfter }: PlanAfterChange, atMs: number): void => {
      if (damage) throw damage;
      insert.run(connectionId, subject ?? null, AssignmentId, 'plan-after', PlanAfter ?? null, '', atMs);
    },
    /**
     * Appends a removal of files, and returns the id of its entry. `replaces`: whether a removal of a single file
     * replaces an earlier removal of only that file, even one of another user.
     */
    putRemoval: (
      { connectionId, subject }: Owner,
      assignmentId: string,
      files: readonly RemovableFile[],
      atMs: number,
      replaces: boolean,
    ): number =>
      transaction(db, () => {
        const [only, ...others] = files;
        const key = replaces && only && others.length === 0 ? only.Key : randomUUID();
        const values = [connectionId, subject ?? null, assignmentId, 'remove-files', null, key, atMs];
        const id = Number(insert.run(...values).lastInsertRowid);
        removals.add(id, files);
        return id;
      }),
    /** Removes a stored change of the plan-after value, even one of another user. Returns whether there was one. */
    supersede: ({ connectionId }: Owner, AssignmentId: string): boolean => supersede(connectionId, AssignmentId) > 0,
    /**
     * Removes the stored removal of only this file, even one of another user, because the removal `id` has removed the
     * file.
     */
    supersedeRemoval: write<[id: number, Key: string]>(
      `DELETE FROM entry WHERE kind = 'remove-files' AND file_key = ?2
       AND (connection, assignment) = (SELECT connection, assignment FROM entry WHERE id = ?1)`,
    ),
    remove: write<[id: number]>('DELETE FROM entry WHERE id = ?'),
    refused: (id: number, error: DeskError): void => void setError(JSON.stringify(toErrorData(error)), id),
    retry: (id: number): void => void setError(null, id),
    /** The files that users of the connection have asked to remove, and that are still to be removed. */
    beingRemoved: (connectionId: string): readonly AssignmentFile[] =>
      toRemove
        .all(connectionId)
        .map(({ assignmentId, key }) => ({ assignmentId: String(assignmentId), key: String(key) })),
  };
  return {
    ...translating(path, changes),
    removals: translating(path, removals),
    /**
     * The last request for a plan-after date that got no response, by connection and assignment. Kept only until the
     * app ends.
     */
    unanswered: new Map<string, Unanswered>(),
    /**
     * The error that makes the file unusable; undefined if the file is usable. With `damage`, the store is in memory,
     * and no change must stay pending in it.
     */
    damage,
    /**
     * `data/left-out` if some changes could not be read at the start. These changes stay in the file, and are not sent.
     */
    leftOut,
    close: (): void => db.close(),
  };
};

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const entry = {
  id: storedCount,
  AssignmentId: z.string(),
  createdAtMs: storedTime,
  error: absent(storedJson(ErrorData)),
};
const Row = z.discriminatedUnion('kind', [
  z.object({ ...entry, kind: z.literal('plan-after'), PlanAfter: absent(z.number()) }),
  z.object({ ...entry, kind: z.literal('remove-files') }),
]);

// The schema of outbox.sqlite. Add migrations to the end, and never edit a released one.

const outboxMigrations: Migrations = [
  `
  -- Pending and rejected changes, and the receipts of removals, in the order in which they were made.
  CREATE TABLE entry (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    connection TEXT NOT NULL,
    subject    TEXT,           -- who made it, where the access token told
    assignment TEXT NOT NULL,
    kind       TEXT NOT NULL CHECK (kind IN ('plan-after', 'remove-files')),
    PlanAfter  REAL,           -- null: to be cleared
    file_key   TEXT NOT NULL,  -- of a removal of one file; a random text for several, empty for a value
    error      TEXT,           -- why the service refused it, as JSON
    at_ms      INTEGER NOT NULL,
    UNIQUE (connection, assignment, kind, file_key)
  ) STRICT;

  -- The files of a removal, and what became of each.
  CREATE TABLE removal_file (
    entry      INTEGER NOT NULL REFERENCES entry (id) ON DELETE CASCADE,
    file_key   TEXT NOT NULL,
    FileName   TEXT NOT NULL,
    folder     TEXT,
    size_bytes INTEGER,
    added_ms   INTEGER,
    state      TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'removed', 'refused', 'kept')),
    error      TEXT,
    settled_ms INTEGER,
    PRIMARY KEY (entry, file_key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX removal_file_by_state ON removal_file (entry, state, file_key);
  `,
];

// The files of removals, with their states. After a restart, the removal continues with the files that still wait. The
// receipt lists all files.

/** The order of the files of a removal, by their Keys. */
type Order = 'ASC' | 'DESC';

/** The counts of a removal. If the removal has one file, `name` and `error` are those of the file. */
type Counts = Pick<Removal, 'name' | 'error' | 'files' | 'bytes' | 'removed' | 'refused' | 'waiting'>;

const FileRow = z.object({
  Key: z.string(),
  FileName: z.string(),
  folder: absent(z.string()),
  sizeBytes: absent(storedCount),
  addedAtMs: absent(storedTime),
  state: RemovedFile.shape.state,
  error: absent(storedJson(ErrorData)),
  settledAtMs: absent(storedTime),
});

const createRemovals = (db: DatabaseSync) => {
  const insert = db.prepare(
    'INSERT OR IGNORE INTO removal_file (entry, file_key, FileName, folder, size_bytes, added_ms) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const counts = db.prepare(
    'SELECT state, count(*) AS files, sum(size_bytes) AS bytes FROM removal_file WHERE entry = ? GROUP BY state',
  );
  counts.setReadBigInts(true);
  const waitingIn = (order: Order) =>
    db.prepare(
      `SELECT file_key FROM removal_file WHERE entry = ? AND state = 'waiting' ORDER BY file_key ${order} LIMIT ?`,
    );
  const waiting = { ASC: waitingIn('ASC'), DESC: waitingIn('DESC') };
  const settle = db.prepare(
    `UPDATE removal_file SET state = ?, error = ?, settled_ms = ? WHERE entry = ? AND file_key = ?`,
  );
  const change = db.prepare('UPDATE removal_file SET state = ?, error = NULL WHERE entry = ? AND state = ?');
  const stateOf = db.prepare('SELECT state FROM removal_file WHERE entry = ? AND file_key = ?');
  const files = db.prepare(
    `SELECT file_key AS Key, FileName, folder, size_bytes AS sizeBytes, added_ms AS addedAtMs, state, error,
       settled_ms AS settledAtMs
     FROM removal_file WHERE entry = ? ORDER BY state <> 'refused', folder, FileName, file_key LIMIT ? OFFSET ?`,
  );
  files.setReadBigInts(true);
  /**
   * The counts of removals, by the ids of their entries. They are cached, because counting reads all files of a
   * removal. A change of a file updates or drops them.
   */
  const counted = new Map<number, Counts>();

  const page = (
    id: number,
    { offset, limit }: { readonly offset: number; readonly limit: number },
  ): readonly RemovedFile[] => files.all(id, limit, offset).flatMap((row) => FileRow.safeParse(row).data ?? []);

  const countAll = (id: number): Counts => {
    const rows = counts.all(id);
    const sum = (name: 'files' | 'bytes', state?: RemovedFile['state']): number =>
      rows.reduce((total, row) => total + (state === undefined || row.state === state ? Number(row[name]) : 0), 0);
    const only = sum('files') === 1 ? page(id, { offset: 0, limit: 1 })[0] : undefined;
    return {
      ...(only && { name: only.FileName }),
      ...(only?.error && { error: only.error }),
      files: sum('files'),
      bytes: sum('bytes'),
      removed: sum('files', 'removed'),
      refused: sum('files', 'refused'),
      waiting: sum('files', 'waiting'),
    };
  };
  const settleFile = (
    id: number,
    Key: string,
    state: 'removed' | 'refused',
    error: string | null,
    atMs: number,
  ): void => {
    const before = stateOf.get(id, Key)?.state;
    settle.run(state, error, atMs, id, Key);
    const known = counted.get(id);
    if (!known || before === undefined) return;
    if (known.files === 1) {
      counted.delete(id);
      return;
    }
    const without = before === 'waiting' || before === 'refused' ? { ...known, [before]: known[before] - 1 } : known;
    counted.set(id, { ...without, [state]: without[state] + 1 });
  };
  const changeAll = (id: number, to: RemovedFile['state'], from: RemovedFile['state']): void => {
    change.run(to, id, from);
    counted.delete(id);
  };

  return {
    add: (id: number, added: readonly RemovableFile[]): void => {
      for (const { Key, FileName, folder, sizeBytes, addedAtMs } of added)
        insert.run(id, Key, FileName, folder ?? null, sizeBytes ?? null, addedAtMs ?? null);
    },
    counts: (id: number): Counts => {
      const known = counted.get(id) ?? countAll(id);
      counted.set(id, known);
      return known;
    },
    /**
     * Returns the keys of the files that are still to be removed: at most `limit` of them, or all if `limit` is not
     * given.
     */
    waiting: (id: number, limit = -1, order: Order = 'ASC'): readonly string[] =>
      waiting[order].all(id, limit).map(({ file_key }) => String(file_key)),
    removed: (id: number, Key: string, atMs: number): void => settleFile(id, Key, 'removed', null, atMs),
    refused: (id: number, Key: string, error: DeskError, atMs: number): void =>
      settleFile(id, Key, 'refused', JSON.stringify(toErrorData(error)), atMs),
    retry: (id: number): void => changeAll(id, 'waiting', 'refused'),
    /** Cancels the removal of the files that still wait: they stay on the assignment. */
    keepRest: (id: number): void => changeAll(id, 'kept', 'waiting'),
    /** Returns a page of the files, with rejected files first. Files whose row cannot be read are left out. */
    files: page,
  };
};
