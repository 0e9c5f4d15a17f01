/** Holds back calls to a host that asked for a pause, so that one 429 speaks for all who would run into the next. */
import { DeskError } from '../../contract/errors.ts';
import { throwIfCancelled } from './cancel.ts';
import { sleep as realSleep, type Sleep } from './sleep.ts';

export type Gate = {
  /**
   * Resolves when `host` may be called; at once where it may be now, whatever `signal` says.
   * @throws DeskError `service/busy` at once, with `retryAfterMs`, where that would take longer than `maxWaitMs`;
   *   `app/cancelled` when `signal` is aborted while it waits.
   */
  readonly pass: (host: string, signal?: AbortSignal, maxWaitMs?: number) => Promise<void>;
  /**
   * `host` (with its port, as `URL.host` has it) asked for a pause of `ms`: its gate is closed from now, if it did so
   * `inARow` times; never shortens a hold.
   */
  readonly hold: (host: string, ms: number) => void;
  /** `host` answered without asking for a pause. */
  readonly answered: (host: string) => void;
};

export type GateOptions = {
  readonly now?: () => number;
  readonly sleep?: Sleep;
  /** Default: 1, every asking counts. */
  readonly inARow?: number;
};

/** A gate where every host is open. */
export const createGate = ({ now = Date.now, sleep = realSleep, inARow = 1 }: GateOptions = {}): Gate => {
  const heldUntil = new Map<string, number>();
  const askings = new Map<string, number>();
  return {
    pass: async (host, signal, maxWaitMs = Number.POSITIVE_INFINITY) => {
      // In a loop: the hold may have been prolonged meanwhile.
      for (;;) {
        const waitMs = (heldUntil.get(host) ?? 0) - now();
        if (waitMs <= 0) return;
        throwIfCancelled(signal);
        if (waitMs > maxWaitMs) {
          throw new DeskError('service/busy', 'the service asked for a pause', {
            retry: 'later',
            retryAfterMs: waitMs,
          });
        }
        await sleep(waitMs, signal);
      }
    },
    hold: (host, ms) => {
      const times = (askings.get(host) ?? 0) + 1;
      askings.set(host, times);
      if (times < inARow) return;
      heldUntil.set(host, Math.max(heldUntil.get(host) ?? 0, now() + ms));
    },
    answered: (host) => {
      askings.delete(host);
    },
  };
};
