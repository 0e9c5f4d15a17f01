/** Keeps the model of what can be reached: takes what is observed, ends pauses when they are over, probes the service. */
import { type DeskError, toErrorData } from '../../contract/errors.ts';
import type { Reachability } from '../../contract/reachability.ts';
import type { Network } from './network.ts';
import { noHosts, type Observation, observe, reachabilityOf } from './reachability.ts';

export type ReachMonitor = {
  readonly observe: (seen: Observation) => void;
  /** A call to the service ended in `error`, an outage; `unreachableOrigin` of it may be another host (the sign-in's). */
  readonly serviceLost: (error: DeskError) => void;
  readonly view: () => Reachability;
  /** Every pause is over: somebody tries now. */
  readonly release: () => void;
  /** Of the storages nothing is known any more: who observed them has ended. */
  readonly forgetStorage: () => void;
  readonly close: () => void;
};

export type ReachMonitorOptions = {
  /** {base_url} of the interface. */
  readonly baseUrl: string;
  /** What a service that cannot be reached is waited for with. */
  readonly network: Pick<Network, 'waitFor'>;
  /** Called after each change. */
  readonly onChange: (reachability: Reachability) => void;
  readonly now: () => number;
};

/** A monitor that has observed nothing. */
export const createReachMonitor = ({ baseUrl, network, onChange, now }: ReachMonitorOptions): ReachMonitor => {
  const { origin: serviceOrigin } = new URL(baseUrl);
  let hosts = noHosts;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  /** Of hosts that the service needs and that cannot be reached. */
  const watches = new Map<string, AbortController>();

  const take = (seen: Observation): void => {
    if (isClosed) return;
    const before = hosts;
    hosts = observe(hosts, seen);
    if (hosts === before) return;
    releaseInTime();
    watchService();
    onChange(reachabilityOf(hosts));
  };

  const releaseInTime = (): void => {
    clearTimeout(timer);
    const next = Math.min(...hosts.flatMap(({ held }) => held?.untilMs ?? []));
    if (Number.isFinite(next)) timer = setTimeout(releaseDue, Math.max(0, next - now())).unref();
  };
  const release = (isDue: (untilMs: number) => boolean): void => {
    for (const { side, host, held } of hosts) if (held && isDue(held.untilMs)) take({ type: 'released', side, host });
  };
  const releaseDue = (): void => {
    const nowMs = now();
    release((untilMs) => untilMs <= nowMs);
    // A timer may be early by a little.
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
          // It answered to somebody else.
        },
      );
    }
  };

  return {
    observe: take,
    serviceLost: (error) => {
      const reason = toErrorData(error);
      const { host } = new URL(originIn(reason) ?? serviceOrigin);
      take({ type: 'unreachable', side: 'service', host, atMs: now(), reason });
    },
    view: () => reachabilityOf(hosts),
    release: () => release(() => true),
    forgetStorage: () => {
      for (const { side, host } of hosts) if (side === 'storage') take({ type: 'forgotten', side, host });
    },
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      for (const watch of watches.values()) watch.abort();
    },
  };
};

const originIn = ({ details: { origin } }: Pick<DeskError, 'details'>): string | undefined =>
  typeof origin === 'string' ? origin : undefined;
