/** Keeps the reachability model up to date: takes observations, ends pauses in time, and probes the service. */

import type { Reachability } from '../../contract/connection.ts';
import { type DeskError, type ErrorData, isOutageCode, toErrorData } from '../../contract/errors.ts';
import { steadyNow } from '../async/clock.ts';
import type { Network } from './network.ts';
import { noHosts, type Observation, observe, reachabilityOf } from './reachability.ts';

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
