/** Changes at the service that also work offline: a change that cannot be sent stays pending, in order, until it can. */

import type { Owner } from '../../contract/connection.ts';
import { DeskError } from '../../contract/errors.ts';
import {
  isPending,
  type OutboxEntry,
  type RemovableFile,
  type Removal,
  type RemovedFile,
} from '../../contract/offline.ts';
import type { AssignmentFiles, PlanAfterValue } from '../../contract/resources.ts';
import type { Sleep } from '../async/clock.ts';
import { createSerial } from '../async/lock.ts';
import { type RetryPolicy, retryWaitMs } from '../async/retry.ts';
import { createThrottle, reporting } from '../async/throttle.ts';
import { isOutage } from '../net/translate.ts';
import type { Change, FileRemoval, OutboxStore, PlanAfterChange } from './outbox-store.ts';

/** A file is gone; `left`: what the assignment holds now, if the service said so. */
type Removed = { readonly left: AssignmentFiles | undefined };

/**
 * Makes a change at the service. Resolves with undefined if the service is unreachable and the change is pending. Replaces
 * an earlier change of the same value. Errors: the service's, `auth/…`; `data/…` if it cannot be stored.
 */
export type Outbox = {
  readonly planAfter: (change: Omit<PlanAfterChange, 'kind'>) => Promise<PlanAfterValue | undefined>;
  readonly removeFile: (change: Omit<FileRemoval, 'kind'>) => Promise<Removed | undefined>;
  /**
   * Removes several files, a few at once, as soon as the service can be reached; answers the entry that reports the progress
   * at once. Errors: `input/invalid` without files, `data/…`.
   */
  readonly removeFiles: (AssignmentId: string, files: readonly RemovableFile[]) => OutboxEntry;
  /** The files of such an entry. */
  readonly removal: (
    id: number,
    window: { readonly offset: number; readonly limit: number },
  ) => { readonly files: readonly RemovedFile[]; readonly total: number };
  readonly list: () => readonly OutboxEntry[];
  /** Sends pending changes; resolves when all were tried or the service was unreachable. */
  readonly send: () => Promise<void>;
  /** Sends pending changes in the background, because the service was just reached. */
  readonly reached: () => void;
  readonly revoke: (id: number) => void;
  readonly retry: (id: number) => void;
  /** Aborts the request in progress; its change stays pending. */
  readonly close: () => Promise<void>;
};

/** Makes the changes at the service. */
type ApplyChange = {
  readonly planAfter: (change: PlanAfterChange, signal: AbortSignal) => Promise<PlanAfterValue>;
  readonly removeFile: (change: FileRemoval, signal: AbortSignal) => Promise<Removed>;
};

type OutboxOptions = {
  readonly store: OutboxStore;
  readonly owner: () => Owner;
  readonly apply: ApplyChange;
  readonly onChange: (entries: readonly OutboxEntry[]) => void;
  /** Called with errors of background work. */
  readonly onBug: (error: unknown) => void;
  readonly sleep: Sleep;
  readonly now: () => number;
};

/** The waits before the service is tried again. */
const SENDING: RetryPolicy = {
  attempts: Number.POSITIVE_INFINITY,
  firstMs: 5_000,
  growth: 2,
  longestMs: 5 * 60_000,
  jitter: false,
};

/** How many files of a removal are removed at once. */
const REMOVED_AT_ONCE = 4;
/** How often the progress of a removal is reported. */
const TOLD_MS = 250;

type SingleEntry = Exclude<OutboxEntry, Removal>;

/** The outbox of one connection. Changes of an earlier run are sent at the next `reached` or `send`. */
export const createOutbox = (options: OutboxOptions): Outbox => {
  const { store, owner, apply, onChange, onBug, sleep, now } = options;
  /** Changes are sent one after another, so that the later of two changes of the same value wins. */
  const inTurn = createSerial();
  const closing = new AbortController();
  let sending: number | undefined;
  let sendingAll: Promise<void> | undefined;
  let pause: AbortController | undefined;
  let removing: Promise<void> | undefined;
  let failures = 0;

  const list = () => store.list(owner());
  const told = () => onChange(list());
  const soon = createThrottle(told, TOLD_MS, onBug);
  const next = () => list().find((entry): entry is SingleEntry => entry.kind !== 'remove-files' && isPending(entry));
  const nextRemoval = () => list().find((entry): entry is Removal => entry.kind === 'remove-files' && isPending(entry));

  const trySendingLater = (): void => {
    pause?.abort();
    const waiting = new AbortController();
    pause = waiting;
    failures += 1;
    sleep(retryWaitMs(SENDING, failures), AbortSignal.any([waiting.signal, closing.signal])).then(reached, () => {});
  };

  /** Returns whether the entry is settled: made at the service, or rejected. */
  const settle = async (entry: SingleEntry): Promise<boolean> => {
    sending = entry.id;
    try {
      if (entry.kind === 'plan-after') await apply.planAfter(entry, closing.signal);
      else await apply.removeFile(entry, closing.signal);
      store.remove(entry.id);
    } catch (error) {
      if (!(error instanceof DeskError)) throw error;
      const isGone = entry.kind === 'remove-file' && error.code === 'service/not-found';
      if (isGone) store.remove(entry.id);
      else if (isRefusal(error)) store.refused(entry.id, error);
      else {
        if (error.retry === 'later') trySendingLater();
        return false;
      }
    } finally {
      sending = undefined;
    }
    failures = 0;
    told();
    return true;
  };

  const sendAll = (): Promise<void> =>
    inTurn(async () => {
      pause?.abort();
      for (let entry = next(); entry && !closing.signal.aborted; entry = next()) {
        if (!(await settle(entry))) return;
      }
    });

  /** Removes one file of a removal; returns whether that is settled. */
  const removeOne = async ({ id, AssignmentId }: Removal, Key: string, signal: AbortSignal): Promise<boolean> => {
    try {
      await apply.removeFile({ kind: 'remove-file', AssignmentId, Key }, signal);
      store.removals.removed(id, Key, now());
    } catch (error) {
      if (!(error instanceof DeskError)) throw error;
      if (error.code === 'service/not-found') store.removals.removed(id, Key, now());
      else if (isRefusal(error)) store.removals.refused(id, Key, error, now());
      else {
        if (error.retry === 'later') trySendingLater();
        return false;
      }
    }
    failures = 0;
    soon.request();
    return true;
  };

  /** A few at once, until all are settled or one cannot be: the service is away, or nobody is signed in. */
  const removeAll = async (): Promise<void> => {
    pause?.abort();
    for (let entry = nextRemoval(); entry && !closing.signal.aborted; entry = nextRemoval()) {
      const removal = entry;
      const keys = store.removals.waiting(removal.id, REMOVED_AT_ONCE);
      const settled = await Promise.all(keys.map((Key) => removeOne(removal, Key, closing.signal)));
      if (settled.includes(false)) break;
    }
    told();
  };

  const once = (running: Promise<void> | undefined, begin: () => Promise<void>, set: (to?: Promise<void>) => void) => {
    const work = running ?? begin().finally(() => set(undefined));
    set(work);
    return work;
  };
  const sendSingle = () => once(sendingAll, sendAll, (to) => (sendingAll = to));
  const sendRemovals = () => once(removing, removeAll, (to) => (removing = to));
  const send = async (): Promise<void> => void (await Promise.all([sendSingle(), sendRemovals()]));

  const reached = reporting(() => {
    if (closing.signal.aborted) return;
    if (next()) sendSingle().catch(onBug);
    if (nextRemoval()) sendRemovals().catch(onBug);
  }, onBug);

  const change = <T>(wanted: Change, make: () => Promise<T>): Promise<T | undefined> =>
    inTurn(async () => {
      try {
        const answer = await make();
        if (list().some((entry) => isSameValue(entry, wanted))) {
          store.supersede(owner(), wanted);
          told();
        }
        return answer;
      } catch (error) {
        if (!isOutage(error)) throw error;
        store.put(owner(), wanted, now());
        told();
        trySendingLater();
        return undefined;
      }
    });

  return {
    planAfter: (input) => {
      const wanted = { kind: 'plan-after', ...input } as const;
      return change(wanted, () => apply.planAfter(wanted, closing.signal));
    },
    removeFile: (input) => {
      const wanted = { kind: 'remove-file', ...input } as const;
      return change(wanted, () => apply.removeFile(wanted, closing.signal));
    },
    removeFiles: (AssignmentId, files) => {
      if (files.length === 0) throw new DeskError('input/invalid', 'there is nothing to remove');
      const id = store.putRemoval(owner(), AssignmentId, files, now());
      told();
      const entry = list().find((one) => one.id === id);
      if (!entry) throw new Error('a stored removal is not listed');
      reached();
      return entry;
    },
    removal: (id, window) => {
      const found = list().find((entry) => entry.id === id);
      if (found?.kind !== 'remove-files') return { files: [], total: 0 };
      return { files: store.removals.files(id, window), total: found.files };
    },
    list,
    send,
    reached,
    revoke: (id) => {
      const entry = list().find((one) => one.id === id);
      if (id === sending || !entry) return;
      // What was removed before is not undone, so its receipt stays.
      if (entry.kind === 'remove-files' && entry.waiting > 0 && entry.waiting < entry.files)
        store.removals.keepRest(id);
      else store.remove(id);
      told();
    },
    retry: (id) => {
      if (!list().some((entry) => entry.id === id)) return;
      store.retry(id);
      store.removals.retry(id);
      told();
      reached();
    },
    close: async () => {
      closing.abort();
      await sendingAll?.catch(onBug);
      await removing?.catch(onBug);
      soon.end();
    },
  };
};

const isSameValue = (one: OutboxEntry, other: Change): boolean =>
  one.AssignmentId === other.AssignmentId &&
  (one.kind === 'remove-file' ? other.kind === 'remove-file' && one.Key === other.Key : other.kind === 'plan-after');

/** The service has read and rejected the change. After any other error it may succeed later. */
const isRefusal = ({ code, retry }: DeskError): boolean =>
  retry === 'never' && (code.startsWith('service/') || code === 'input/invalid');
