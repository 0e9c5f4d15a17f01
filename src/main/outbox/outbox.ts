/** Changes of values at the service that also work without it: what cannot be sent waits, in order, until it can. */

import { DeskError } from '../../contract/errors.ts';
import type { OutboxEntry } from '../../contract/outbox.ts';
import type { Owner } from '../../contract/owner.ts';
import type { AssignmentFiles, PlanAfterValue } from '../../contract/resources.ts';
import { type RetryPolicy, retryWaitMs } from '../async/retry.ts';
import { createSerial } from '../async/serial.ts';
import type { Sleep } from '../async/sleep.ts';
import { isOutage } from '../net/translate.ts';
import type { Change, FileRemoval, OutboxStore, PlanAfterChange } from './outbox-store.ts';

/** A file is gone; `left`: what the assignment holds now, where the service said so. */
export type Removed = { readonly left: AssignmentFiles | undefined };

/**
 * A change is made at the service, or undefined is answered where that cannot be reached and the change waits. It takes
 * the place of an earlier one of the same value. Errors: the service's, `auth/…`; `data/…` where it cannot be kept.
 */
export type Outbox = {
  readonly planAfter: (change: Omit<PlanAfterChange, 'kind'>) => Promise<PlanAfterValue | undefined>;
  readonly removeFile: (change: Omit<FileRemoval, 'kind'>) => Promise<Removed | undefined>;
  readonly list: () => readonly OutboxEntry[];
  /** Sends what waits; resolves when all was tried or the service was not reached. */
  readonly send: () => Promise<void>;
  /** Sends what waits, if anything does, in the background: the service was reached just now. */
  readonly reached: () => void;
  readonly revoke: (id: number) => void;
  readonly retry: (id: number) => void;
  /** Breaks off what is being sent; it goes on waiting. */
  readonly close: () => Promise<void>;
};

/** Makes the changes at the service. */
export type ApplyChange = {
  readonly planAfter: (change: PlanAfterChange, signal: AbortSignal) => Promise<PlanAfterValue>;
  readonly removeFile: (change: FileRemoval, signal: AbortSignal) => Promise<Removed>;
};

export type OutboxOptions = {
  readonly store: OutboxStore;
  readonly owner: () => Owner;
  readonly apply: ApplyChange;
  readonly onChange: (entries: readonly OutboxEntry[]) => void;
  /** Gets what goes wrong in the background. */
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

/** The outbox of one connection. What waits from before is sent at the next `reached` or `send`. */
export const createOutbox = (options: OutboxOptions): Outbox => {
  const { store, owner, apply, onChange, onBug, sleep, now } = options;
  /** One change after the other, so that of two of the same value the later one wins. */
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

  /** Whether the entry is settled: taken over, or refused for good. */
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

/** The service has read it and will not have it; anything else may be different later. */
const isRefusal = ({ code, retry }: DeskError): boolean =>
  retry === 'never' && (code.startsWith('service/') || code === 'input/invalid');
