/** Waits until an unreachable host can be reached again, for example after a night with the lid closed. */

import { type Dispatcher, request } from 'undici';
import type { DeskError } from '../../contract/errors.ts';
import { orCancelled } from '../async/cancel.ts';
import { createNudge, type Sleep, steadyNow } from '../async/clock.ts';
import { type RetryPolicy, retryWaitMs } from '../async/retry.ts';
import { translateNetworkError } from './translate.ts';

export type Network = {
  /**
   * Waits until the host at `origin` gives any answer. Resolves with false once the waits are used up. All who wait for
   * the same host share its probes. Rejects with the cancellation of `signal`.
   */
  readonly waitFor: (origin: string, signal: AbortSignal) => Promise<boolean>;
  /** Why the host at `origin` does not respond now; undefined: it does. Simultaneous calls share one probe. */
  readonly failure: (origin: string, signal: AbortSignal) => Promise<DeskError | undefined>;
  readonly isWaitedFor: (origin: string) => boolean;
  /** Probes all awaited hosts now, because the machine woke up or the system reports a network. */
  readonly probeNow: () => void;
};

type NetworkOptions = {
  /** Rejects if `origin` cannot be connected to. */
  readonly probe: (origin: string, signal: AbortSignal) => Promise<void>;
  readonly sleep: Sleep;
  /** Absent: waits without limit. */
  readonly patienceMs?: number | undefined;
  /** The waits before the probes of a host; the patience limits their number. Default: `PROBES`. */
  readonly probes?: RetryPolicy | undefined;
  readonly now?: () => number;
};

/** From one second up to half a minute. */
export const PROBES: RetryPolicy = {
  attempts: Number.POSITIVE_INFINITY,
  firstMs: 1_000,
  growth: 2,
  longestMs: 30_000,
  jitter: false,
};

/** Waits for hosts by probing them. */
export const createNetwork = (options: NetworkOptions): Network => {
  const { probe, sleep, patienceMs = Number.POSITIVE_INFINITY, probes: policy = PROBES, now = steadyNow } = options;
  const waits = new Map<string, { readonly answered: Promise<boolean>; readonly stop: AbortController; who: number }>();
  const probes = new Map<string, Promise<DeskError | undefined>>();
  const pauses = createNudge(sleep);

  const watch = async (origin: string, signal: AbortSignal): Promise<boolean> => {
    const sinceMs = now();
    for (let attempt = 1; now() - sinceMs < patienceMs; attempt += 1) {
      await pauses.sleep(retryWaitMs(policy, attempt), signal);
      if (await probe(origin, signal).then(answered, unanswered)) return true;
    }
    return false;
  };

  /** Not bound to the signal of one caller, because several may share it. */
  const beginProbe = (origin: string): Promise<DeskError | undefined> => {
    const failed = (error: unknown): DeskError => translateNetworkError(error, new URL(origin));
    const probing = probe(origin, new AbortController().signal)
      .then(() => undefined, failed)
      .finally(() => probes.delete(origin));
    probes.set(origin, probing);
    return probing;
  };

  const begin = (origin: string) => {
    const stop = new AbortController();
    const wait = { answered: watch(origin, stop.signal), stop, who: 0 };
    waits.set(origin, wait);
    wait.answered.catch(() => {}).finally(() => waits.get(origin) === wait && waits.delete(origin));
    return wait;
  };

  return {
    waitFor: async (origin, signal) => {
      const wait = waits.get(origin) ?? begin(origin);
      wait.who += 1;
      try {
        return await orCancelled(wait.answered, signal);
      } finally {
        wait.who -= 1;
        if (wait.who === 0) {
          waits.delete(origin);
          wait.stop.abort();
        }
      }
    },
    failure: (origin, signal) => {
      const probing = probes.get(origin) ?? beginProbe(origin);
      return orCancelled(probing, signal);
    },
    isWaitedFor: (origin) => waits.has(origin),
    probeNow: pauses.now,
  };
};

const answered = (): boolean => true;
const unanswered = (): boolean => false;

/** The origin that `error` reports as unreachable or lost. Undefined for a wrong certificate, for which waiting is useless. */
export const lostOrigin = ({ details }: DeskError): string | undefined =>
  typeof details.origin === 'string' ? details.origin : undefined;

/** Long enough for any reachable host. */
const PROBE_MS = 10_000;

/** Sends a HEAD request to `origin`, without a path, a token or a signature. Rejects without an answer. */
export const probeHost = async (dispatcher: Dispatcher, origin: string, signal: AbortSignal): Promise<void> => {
  const within = AbortSignal.any([signal, AbortSignal.timeout(PROBE_MS)]);
  const { body } = await request(origin, { dispatcher, method: 'HEAD', signal: within });
  await body.dump();
};
