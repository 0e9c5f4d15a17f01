/** Changes at the service that also work offline: a change that cannot be sent stays pending, in order, until it can. */

import { DeskError } from '../../contract/errors.ts';
import type { OutboxEntry } from '../../contract/outbox.ts';
import type { Owner } from '../../contract/owner.ts';
import type { AssignmentFiles, PlanAfterValue } from '../../contract/resources.ts';
import { type RetryPolicy, retryWaitMs } from '../async/retry.ts';
import { createSerial } from '../async/serial.ts';
import type { Sleep } from '../async/sleep.ts';
import { isOutage } from '../net/translate.ts';
import type { Change, FileRemoval, OutboxStore, PlanAfterChange } from './outbox-store.ts';

/** A file is gone; `left`: what the assignment holds now, if the service said so. */
export type Removed = { readonly left: AssignmentFiles | undefined };

/**
 * Makes a change at the service. Resolves with undefined if the service is unreachable and the change is pending. Replaces
 * an earlier change of the same value. Errors: the service's, `auth/…`; `data/…` if it cannot be stored.
 */
export type Outbox = {
  readonly planAfter: (change: Omit<PlanAfterChange, 'kind'>) => Promise<PlanAfterValue | undefined>;
  readonly removeFile: (change: Omit<FileRemoval, 'kind'>) => Promise<Removed | undefined>;
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

/** The outbox of one connection. Changes of an earlier run are sent at the next `reached` or `send`. */
export const createOutbox = (options: OutboxOptions): Outbox => {
  const { store, owner, apply, onChange, onBug, sleep, now } = options;
  /** Changes are sent one after another, so that the later of two changes of the same value wins. */
  const inTurn = createSerial();
  const closing = new AbortController();
  let sending: number | undefined;
  let sendingAll: Promise<void> | undefined;
  let pause: AbortController | undefined;
  let failures = 0;

  const list = () => store.list(owner());
  const told = () => onChange(list());
  const next = () => list().find(({ error }) => error === undefined);

  const trySendingLater = (): void => {
    pause?.abort();
    const waiting = new AbortController();
    pause = waiting;
    failures += 1;
    sleep(retryWaitMs(SENDING, failures), AbortSignal.any([waiting.signal, closing.signal])).then(reached, () => {});
  };

  /** Returns whether the entry is settled: made at the service, or rejected. */
  const settle = async (entry: OutboxEntry): Promise<boolean> => {
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

  const send = (): Promise<void> => {
    sendingAll ??= sendAll().finally(() => {
      sendingAll = undefined;
    });
    return sendingAll;
  };

  const reached = (): void => {
    if (!closing.signal.aborted && next()) send().catch(onBug);
  };

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
    list,
    send,
    reached,
    revoke: (id) => {
      if (id === sending || !list().some((entry) => entry.id === id)) return;
      store.remove(id);
      told();
    },
    retry: (id) => {
      if (!list().some((entry) => entry.id === id)) return;
      store.retry(id);
      told();
      reached();
    },
    close: async () => {
      closing.abort();
      await sendingAll?.catch(onBug);
    },
  };
};

const isSameValue = (one: Change, other: Change): boolean =>
  one.AssignmentId === other.AssignmentId &&
  (one.kind === 'remove-file' ? other.kind === 'remove-file' && one.Key === other.Key : other.kind === 'plan-after');

/** The service has read and rejected the change. After any other error it may succeed later. */
const isRefusal = ({ code, retry }: DeskError): boolean =>
  retry === 'never' && (code.startsWith('service/') || code === 'input/invalid');
