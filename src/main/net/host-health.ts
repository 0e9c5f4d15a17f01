/** Which hosts can be reached: pure steps from observations to the state of each host, and the monitor that takes them. */
import type { Reach, Reachability, Side } from '../../contract/connection.ts';
import { type DeskError, type ErrorData, isOutageCode, toErrorData } from '../../contract/errors.ts';
import { steadyNow } from '../async/clock.ts';
import type { Network } from './network.ts';

/** An observation of a host. `host` as in `URL.host`; times in ms since 1970. Can be cloned to another thread. */
export type HostSeen = { readonly host: string } & (
  | { readonly type: 'answered' }
  | { readonly type: 'unreachable'; readonly atMs: number; readonly reason: ErrorData }
  /** It asked for a pause. */
  | { readonly type: 'held'; readonly atMs: number; readonly untilMs: number; readonly reason: ErrorData }
  /** Its pause has ended, or a person wants to try now. */
  | { readonly type: 'released' }
  /** Nothing waits for it any more, so its recovery would go unnoticed. */
  | { readonly type: 'forgotten' }
);
export type Observation = HostSeen & { readonly side: Side };

/** A host can be held and unreachable at once. An answer to an earlier request does not end a pause. */
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

/** The state of both sides. */
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

type ReachMonitor = {
  readonly observe: (seen: Observation) => void;
  /**
   * A call to the service ended in `error`, an outage. The host that it names (the sign-in's, maybe) is unreachable if a
   * probe fails as well and no other call is answered meanwhile: one endpoint that always fails is no outage.
   */
  readonly serviceLost: (error: DeskError) => void;
  readonly view: () => Reachability;
  /** Ends all pauses, because a person wants to try now. */
  readonly release: () => void;
  /** Forgets all storages, because the engine that observed them has ended. */
  readonly forgetStorage: () => void;
  readonly close: () => void;
};

type ReachMonitorOptions = {
  /** {base_url} of the interface. */
  readonly baseUrl: string;
  /** Probes the service. */
  readonly network: Pick<Network, 'waitFor' | 'failure'>;
  /** Called after each change. */
  readonly onChange: (reachability: Reachability) => void;
  /** Ms since 1970, for what is shown. */
  readonly now: () => number;
  /** A clock that never jumps, for the pauses. */
  readonly steady?: () => number;
};

/** A timer stops while the machine sleeps, a pause does not. */
const LOOK_MS = 15_000;

/** A monitor that has observed nothing. */
export const createReachMonitor = (options: ReachMonitorOptions): ReachMonitor => {
  const { baseUrl, network, onChange, now, steady = steadyNow } = options;
  const { origin: serviceOrigin } = new URL(baseUrl);
  let hosts = noHosts;
  /** When the pauses of held hosts end, by the steady clock. */
  const ends = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  const closing = new AbortController();
  /** How often each host of the service answered. */
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
    // The timer fired early: slightly, or to see whether the machine slept meanwhile.
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
          // Another call was answered.
        },
      );
    }
  };

  return {
    observe: take,
    serviceLost: (error) => {
      const reason = toErrorData(error);
      const { host, origin } = new URL(originIn(reason) ?? serviceOrigin);
      if (closing.signal.aborted) return;
      const lost = { type: 'unreachable', side: 'service', host, atMs: now(), reason } as const;
      if (watches.has(host)) return take(lost);
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
    view: () => reachabilityOf(hosts),
    release: () => release(() => true),
    forgetStorage: () => {
      for (const { side, host } of hosts) if (side === 'storage') take({ type: 'forgotten', side, host });
    },
    close: () => {
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
