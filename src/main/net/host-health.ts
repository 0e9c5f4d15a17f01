/**
 * Which hosts can be reached: their state from observations, the probes of unreachable ones, and the monitor in main.
 */
import { type Dispatcher, request } from 'undici';
import type { Reach, Reachability, Side } from '../../contract/connection.ts';
import { type DeskError, type ErrorData, isOutageCode, toErrorData } from '../../contract/errors.ts';
import { orCancelled } from '../async/cancel.ts';
import { createNudge, type Sleep, steadyNow } from '../async/clock.ts';
import { type RetryPolicy, retryWaitMs } from '../async/retry.ts';
import { translateNetworkError } from './translate.ts';

/** An observation of a host. `host` as in `URL.host`; times in ms since 1970. Can be cloned to a worker. */
export type HostSeen = { readonly host: string } & (
  | { readonly type: 'answered' }
  | { readonly type: 'unreachable'; readonly atMs: number; readonly reason: ErrorData }
  /** It requested a pause. */
  | { readonly type: 'held'; readonly atMs: number; readonly untilMs: number; readonly reason: ErrorData }
  /** Its pause has ended, or a user wants to try now. */
  | { readonly type: 'released' }
  /** No call waits for it, so its recovery would go unnoticed. */
  | { readonly type: 'forgotten' }
);
export type Observation = HostSeen & { readonly side: Side };

/** A host can be both held and unreachable. A response to an earlier request does not end a pause. */
type Known = {
  readonly side: Side;
  readonly host: string;
  readonly unreachable?: { readonly sinceMs: number; readonly reason: ErrorData } | undefined;
  readonly held?: { readonly sinceMs: number; readonly untilMs: number; readonly reason: ErrorData } | undefined;
};

/** One entry for each known host. */
type Hosts = readonly Known[];

export const noHosts: Hosts = [];

/** The hosts after `seen`; the same object if nothing changed. */
export const observe = (hosts: Hosts, seen: Observation): Hosts => {
  const { side, host } = seen;
  const before = hosts.find((one) => one.side === side && one.host === host);
  const after = afterOne(before, seen);
  if (after === before) return hosts;
  const others = hosts.filter((one) => one !== before);
  return after ? [...others, after] : others;
};

const afterOne = (before: Known | undefined, seen: Observation): Known | undefined => {
  const { side, host } = seen;
  const { unreachable, held } = before ?? {};
  switch (seen.type) {
    case 'answered':
      return before && !unreachable ? before : { side, host, held };
    case 'unreachable':
      // A second failure, such as that of the proxy, may explain more than the first one.
      if (unreachable && isSameCause(unreachable.reason, seen.reason)) return before;
      return { side, host, unreachable: { sinceMs: unreachable?.sinceMs ?? seen.atMs, reason: seen.reason }, held };
    case 'held': {
      const { atMs, untilMs, reason } = seen;
      if (held && held.untilMs >= untilMs) return before;
      return { side, host, unreachable, held: { sinceMs: held?.sinceMs ?? atMs, untilMs, reason } };
    }
    case 'released':
      return held ? { side, host, unreachable } : before;
    case 'forgotten':
      return undefined;
  }
};

const isSameCause = (one: ErrorData, other: ErrorData): boolean =>
  one.code === other.code && one.details.proxy === other.details.proxy && one.details.cause === other.details.cause;

/** The state of the service's hosts, and that of the storages' hosts. */
export const reachabilityOf = (hosts: Hosts): Reachability => ({
  service: reachOf(hosts.filter(({ side }) => side === 'service')),
  storage: reachOf(hosts.filter(({ side }) => side === 'storage')),
});

/** The state of one side: unreachable since its first host is, else held until its last pause ends. */
const reachOf = (hosts: Hosts): Reach => {
  const gone = least(hosts, ({ unreachable }) => unreachable?.sinceMs);
  if (gone?.unreachable) {
    const { sinceMs, reason } = gone.unreachable;
    return { state: 'unreachable', host: gone.host, sinceMs: sinceMs, reason };
  }
  const paused = least(hosts, ({ held }) => held && -held.untilMs);
  if (paused?.held) {
    const { sinceMs, untilMs, reason } = paused.held;
    return { state: 'held', host: paused.host, sinceMs: sinceMs, untilMs: untilMs, reason };
  }
  return { state: hosts.length > 0 ? 'online' : 'unknown' };
};

const least = (hosts: Hosts, by: (one: Known) => number | undefined): Known | undefined =>
  hosts.reduce<Known | undefined>((best, one) => {
    const value = by(one);
    if (value === undefined) return best;
    const bestValue = best && by(best);
    return bestValue === undefined || value < bestValue ? one : best;
  }, undefined);

// Probes of hosts that cannot be reached.

export type Network = ReturnType<typeof createNetwork>;

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

export const createNetwork = (options: NetworkOptions) => {
  const { probe, sleep, patienceMs = Number.POSITIVE_INFINITY, probes: policy = PROBES, now = steadyNow } = options;
  const waits = new Map<string, { readonly answered: Promise<boolean>; readonly stop: AbortController; who: number }>();
  const probes = new Map<string, Promise<DeskError | undefined>>();
  const pauses = createNudge(sleep);

  const watch = async (origin: string, signal: AbortSignal): Promise<boolean> => {
    const sinceMs = now();
    for (let attempt = 1; now() - sinceMs < patienceMs; attempt += 1) {
      await pauses.sleep(retryWaitMs(policy, attempt), signal);
      const failed = await probe(origin, signal).catch(() => true);
      if (!failed) return true;
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
    /**
     * Waits until the host at `origin` responds to a probe. Resolves to false once the patience is over. All callers that wait
     * for the same host share its probes. Rejects with the cancellation of `signal`.
     */
    waitFor: async (origin: string, signal: AbortSignal): Promise<boolean> => {
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
    /** Why the host at `origin` does not respond now; undefined if it does. Simultaneous calls share one probe. */
    failure: (origin: string, signal: AbortSignal): Promise<DeskError | undefined> =>
      orCancelled(probes.get(origin) ?? beginProbe(origin), signal),
    isWaitedFor: (origin: string): boolean => waits.has(origin),
    /** Probes all awaited hosts now, because the machine woke up or the system reports a network. */
    probeNow: pauses.now,
  };
};

/** The origin that `error` reports as unreachable or lost. Undefined for a wrong certificate, for which waiting is useless. */
export const lostOrigin = ({ details }: DeskError): string | undefined =>
  typeof details.origin === 'string' ? details.origin : undefined;

/** Long enough for any reachable host. */
const PROBE_MS = 10_000;

/** Sends a HEAD request to `origin`, without a path, a token or a signature. Rejects without a response. */
export const probeHost = async (dispatcher: Dispatcher, origin: string, signal: AbortSignal): Promise<void> => {
  const within = AbortSignal.any([signal, AbortSignal.timeout(PROBE_MS)]);
  const { body } = await request(origin, { dispatcher, method: 'HEAD', signal: within });
  await body.dump();
};

// The state of the service and of the storages, as main keeps it.

type ReachMonitorOptions = {
  /** {base_url} of the interface. */
  readonly baseUrl: string;
  /** Probes the service. */
  readonly network: Pick<Network, 'waitFor' | 'failure'>;
  /** Called after each change. */
  readonly onChange: (reachability: Reachability) => void;
  /** Ms since 1970, for display. */
  readonly now: () => number;
  /** A clock that never jumps, for the pauses. */
  readonly steady?: () => number;
};

/** A timer stops while the machine sleeps, a pause does not. */
const LOOK_MS = 15_000;

export const createReachMonitor = (options: ReachMonitorOptions) => {
  const { baseUrl, network, onChange, now, steady = steadyNow } = options;
  const { origin: serviceOrigin } = new URL(baseUrl);
  let hosts = noHosts;
  /** When the pauses of held hosts end, by the steady clock. */
  const ends = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  const closing = new AbortController();
  /** The number of responses of each host of the service. */
  const answers = new Map<string, number>();
  /** The probes of unreachable hosts that the service needs. */
  const watches = new Map<string, AbortController>();

  const answersOf = (host: string): number => answers.get(host) ?? 0;

  const take = (seen: Observation): void => {
    if (closing.signal.aborted) return;
    if (seen.side === 'service' && seen.type === 'answered') answers.set(seen.host, answersOf(seen.host) + 1);
    const before = hosts;
    hosts = observe(hosts, seen);
    const key = keyOf(seen);
    if (seen.type === 'held') ends.set(key, Math.max(ends.get(key) ?? 0, steady() + seen.untilMs - seen.atMs));
    if (hosts === before) return;
    if (seen.type === 'released' || seen.type === 'forgotten') ends.delete(key);
    releaseInTime();
    watchService();
    onChange(reachabilityOf(hosts));
  };

  const releaseInTime = (): void => {
    clearTimeout(timer);
    const leftMs = Math.min(...ends.values()) - steady();
    if (Number.isFinite(leftMs)) timer = setTimeout(releaseDue, Math.max(0, Math.min(leftMs, LOOK_MS))).unref();
  };
  const release = (isDue: (endMs: number) => boolean): void => {
    for (const { side, host } of hosts) {
      const endMs = ends.get(keyOf({ side, host }));
      if (endMs !== undefined && isDue(endMs)) take({ type: 'released', side, host });
    }
  };
  const releaseDue = (): void => {
    const nowMs = steady();
    release((endMs) => endMs <= nowMs);
    // The timer fired early: by a little, or because it also checks whether the machine has slept.
    releaseInTime();
  };

  const watchService = (): void => {
    const gone = new Map(
      hosts.flatMap(({ side, host, unreachable }) => (side === 'service' && unreachable ? [[host, unreachable]] : [])),
    );
    for (const [host, watch] of watches) {
      if (gone.has(host)) continue;
      watches.delete(host);
      watch.abort();
    }
    for (const [host, { reason }] of gone) {
      if (watches.has(host)) continue;
      const watch = new AbortController();
      watches.set(host, watch);
      const origin = originIn(reason) ?? serviceOrigin;
      network.waitFor(origin, watch.signal).then(
        () => take({ type: 'answered', side: 'service', host }),
        () => {
          // Another call got a response.
        },
      );
    }
  };

  return {
    observe: take,
    /**
     * Reports that a call to the service ended in `error`, an outage. The host named in it (possibly that of the
     * sign-in) counts as unreachable if a probe fails as well and no other call is answered in the meantime: one
     * endpoint that always fails is no outage.
     */
    serviceLost: (error: DeskError): void => {
      const reason = toErrorData(error);
      const { host, origin } = new URL(originIn(reason) ?? serviceOrigin);
      if (closing.signal.aborted) return;
      const lost = { type: 'unreachable', side: 'service', host, atMs: now(), reason } as const;
      if (watches.has(host)) {
        take(lost);
        return;
      }
      const answersBefore = answersOf(host);
      network.failure(origin, closing.signal).then(
        (failure) => {
          // What fails now explains more than how the call ended: where a proxy is gone, its connections were just lost.
          if (failure && answersOf(host) === answersBefore) take({ ...lost, reason: causeOf(error, failure) });
        },
        () => {
          // Closed.
        },
      );
    },
    state: (): Reachability => reachabilityOf(hosts),
    /** Ends all pauses, because a user wants to try now. */
    release: (): void => release(() => true),
    /** Removes all storages, because the engine that observed them has exited. */
    forgetStorage: (): void => {
      for (const { side, host } of hosts) if (side === 'storage') take({ type: 'forgotten', side, host });
    },
    close: (): void => {
      closing.abort();
      clearTimeout(timer);
      for (const watch of watches.values()) watch.abort();
    },
  };
};

const causeOf = (lost: DeskError, failure: DeskError): ErrorData =>
  toErrorData(lost.details.phase === 'exchange' && isOutageCode(failure.code) ? failure : lost);

const keyOf = ({ side, host }: Pick<Observation, 'side' | 'host'>): string => `${side} ${host}`;

const originIn = ({ details: { origin } }: Pick<DeskError, 'details'>): string | undefined =>
  typeof origin === 'string' ? origin : undefined;
