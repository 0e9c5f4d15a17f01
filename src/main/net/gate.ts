/** Holds back all calls to a host that requested a pause, so that one 429 is enough for all of them. */
import { DeskError } from '../../contract/errors.ts';
import { throwIfCancelled } from '../async/cancel.ts';
import { createNudge, sleep as realSleep, type Sleep, steadyNow, wallNow } from '../async/clock.ts';

export type Gate = ReturnType<typeof createGate>;

type GateOptions = {
  /** A clock that never jumps. */
  readonly now?: () => number;
  readonly sleep?: Sleep;
  /** How many responses in a row must request a pause before the gate closes. Default: one. */
  readonly inARow?: () => number;
};

/**
 * Why `host` is not called for `leftMs`. Details `host`, `until` (ms since 1970), and `held`: nothing was sent.
 */
const heldBack = (host: string, leftMs: number): DeskError =>
  new DeskError('service/busy', 'the host asked for a pause', {
    retry: 'later',
    retryAfterMs: leftMs,
    details: { host, until: wallNow() + leftMs, held: true },
  });

/** A gate that is open for every host. */
export const createGate = ({ now = steadyNow, sleep = realSleep, inARow = () => 1 }: GateOptions = {}) => {
  const heldUntil = new Map<string, number>();
  const pausesInARow = new Map<string, number>();
  const waits = createNudge(sleep);
  return {
    /**
     * Resolves when `host` may be called; immediately if it may be now, even if `signal` is aborted. `onHeld` is called
     * with the reason before a wait begins: `service/busy`, with the details of `heldBack`.
     * @throws DeskError that reason immediately if the wait would be longer than `maxWaitMs`; `app/cancelled` when
     *   `signal` is aborted while it waits.
     */
    pass: async (
      host: string,
      signal?: AbortSignal,
      maxWaitMs = Number.POSITIVE_INFINITY,
      onHeld: (reason: DeskError) => void = () => {},
    ): Promise<void> => {
      // A loop, because the hold may have been extended meanwhile.
      for (;;) {
        const leftMs = (heldUntil.get(host) ?? 0) - now();
        if (leftMs <= 0) return;
        throwIfCancelled(signal);
        const reason = heldBack(host, leftMs);
        if (leftMs > maxWaitMs) throw reason;
        onHeld(reason);
        await waits.sleep(leftMs, signal);
      }
    },
    /**
     * `host` (with its port, as `URL.host` has it) asked for a pause of `ms`. Its gate closes if it did so `inARow`
     * times in a row. Never shortens a hold. Returns the reason if the gate is closed now.
     */
    hold: (host: string, ms: number): DeskError | undefined => {
      const times = (pausesInARow.get(host) ?? 0) + 1;
      pausesInARow.set(host, times);
      if (times < inARow()) return undefined;
      const untilMs = Math.max(heldUntil.get(host) ?? 0, now() + ms);
      heldUntil.set(host, untilMs);
      return heldBack(host, untilMs - now());
    },
    /** `host` responded without asking for a pause. */
    answered: (host: string): void => void pausesInARow.delete(host),
    /** Opens all gates, because a user wants to try now. */
    open: (): void => {
      heldUntil.clear();
      waits.now();
    },
  };
};
