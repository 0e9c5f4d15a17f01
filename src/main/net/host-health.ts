/**
 * Tracks which hosts can be reached. Calls and uploads report their responses and errors, and unreachable hosts are
 * probed. Main tracks the service and the storages. The upload engine tracks the hosts that uploads wait for.
 */
import { maxBy } from 'es-toolkit/array/maxBy';
import { minBy } from 'es-toolkit/array/minBy';
import type { Dispatcher } from 'undici';
import type { Reach, Reachability, Side } from '../../contract/connection.ts';
import { type DeskError, type ErrorData, isOutageCode, toErrorData } from '../../contract/errors.ts';
import { orCancelled } from '../async/cancel.ts';
import { createNudge, sleep as realSleep, type Sleep, steadyNow, wallNow } from '../async/clock.ts';
import { type RetryPolicy, retryWaitMs } from '../async/retry.ts';
import { exchangeInto, startOfText } from './exchange.ts';
import { translateNetworkError } from './translate.ts';
import { MOST_ORIGINS } from './urls.ts';

/**
 * An observation of a host, as data that can be sent to a worker. `host`: in the format of `URL.host`; `atMs`,
 * `untilMs`: ms since 1970; `takesBlocks`: whether the storage accepts a large file in blocks, absent if unknown.
 */
export type Observation = { readonly side: Side; readonly host: string } & (
  | { readonly type: 'responded'; readonly takesBlocks?: boolean }
  | { readonly type: 'unreachable'; readonly origin: string; readonly atMs: number; readonly reason: ErrorData }
  | { readonly type: 'held'; readonly atMs: number; readonly untilMs: number; readonly reason: ErrorData }
  /** The pause of the host has ended, or a user wants to try now. */
  | { readonly type: 'released' }
  /** No call waits for the host any more, so nobody would notice when the host responds again. */
  | { readonly type: 'forgotten' }
);

type HostHealthOptions = {
  readonly probe: (origin: string, signal: AbortSignal) => Promise<void>;
  readonly onChange?: (state: Reachability, seen: Observation) => void;
  readonly sleep?: Sleep;
  /** How long `waitFor` waits. Absent: without limit. */
  readonly patienceMs?: number | undefined;
  /**
   * The waits before the probes of a host. Default: `PROBES`. Its `attempts` is ignored: the number of probes is
   * limited by `patienceMs`.
   */
  readonly probes?: RetryPolicy | undefined;
  readonly now?: () => number;
  readonly steady?: () => number;
};

/**
 * The waits before the probes of a host. They are random, so that the clients of a host do not all return at the same
 * time: at first up to one second, later up to four minutes.
 */
export const PROBES: RetryPolicy = {
  attempts: Number.POSITIVE_INFINITY,
  firstMs: 1_000,
  growth: 2,
  longestMs: 240_000,
  jitter: true,
};

/**
 * The maximum length of a timer for the end of a pause. A timer stops while the machine sleeps, but the pause
 * continues.
 */
const LOOK_MS = 15_000;

export type HostHealth = ReturnType<typeof createHostHealth>;

export const createHostHealth = (options: HostHealthOptions) => {
  const { onChange = () => {}, now = wallNow, steady = steadyNow } = options;
  const probes = createProbes(options);
  const closing = new AbortController();
  const hosts = { service: new Map<string, Known>(), storage: new Map<string, Known>() };
  /** The hosts that are unreachable or held: few, even if the service signs each file for another host. */
  const troubled = new Map<string, Known>();
  const ends = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  const responses = new Map<string, number>();
  /** The probes of unreachable hosts of the service. They continue until a probe succeeds or a call gets a response. */
  const watches = new Map<string, AbortController>();

  const reachOn = (side: Side): Reach =>
    reachOf(
      [...troubled.values()].filter((one) => one.side === side),
      hosts[side].size > 0,
    );
  const state = (): Reachability => ({ service: reachOn('service'), storage: reachOn('storage') });
  const responsesOf = (host: string): number => responses.get(host) ?? 0;

  /**
   * Forgets the hosts of `side` that responded first, if there are too many. An outage is not forgotten before it ends.
   */
  const forgetOldest = (side: Side): void => {
    for (const host of hosts[side].keys()) {
      if (hosts[side].size <= MOST_ORIGINS) return;
      if (!troubled.has(keyOf({ side, host }))) hosts[side].delete(host);
    }
  };
  const report = (seen: Observation): void => {
    if (closing.signal.aborted) return;
    if (seen.side === 'service' && seen.type === 'responded') responses.set(seen.host, responsesOf(seen.host) + 1);
    const key = keyOf(seen);
    const known = hosts[seen.side];
    const before = known.get(seen.host);
    const after = afterOne(before, seen);
    if (seen.type === 'held') ends.set(key, Math.max(ends.get(key) ?? 0, steady() + seen.untilMs - seen.atMs));
    if (after === before) return;
    if (after) known.set(seen.host, after);
    else known.delete(seen.host);
    if (after?.unreachable || after?.held) troubled.set(key, after);
    else troubled.delete(key);
    forgetOldest(seen.side);
    if (seen.type === 'released' || seen.type === 'forgotten') ends.delete(key);
    releaseInTime();
    watchService();
    onChange(state(), seen);
  };

  const releaseInTime = (): void => {
    clearTimeout(timer);
    const leftMs = Math.min(...ends.values()) - steady();
    if (Number.isFinite(leftMs)) timer = setTimeout(releaseDue, Math.max(0, Math.min(leftMs, LOOK_MS))).unref();
  };
  const release = (isDue: (endMs: number) => boolean): void => {
    for (const [key, { side, host }] of [...troubled]) {
      const endMs = ends.get(key);
      if (endMs !== undefined && isDue(endMs)) report({ type: 'released', side, host });
    }
  };
  const releaseDue = (): void => {
    const nowMs = steady();
    release((endMs) => endMs <= nowMs);
    // Some pauses may not have ended: a timer can fire a little early, and fires after `LOOK_MS` at the latest.
    releaseInTime();
  };

  const watchService = (): void => {
    const gone = [...troubled.values()].filter(({ side, unreachable }) => side === 'service' && unreachable);
    for (const [host, watch] of watches) {
      if (gone.some((one) => one.host === host)) continue;
      watches.delete(host);
      watch.abort();
    }
    for (const { host, unreachable } of gone) {
      if (!unreachable || watches.has(host)) continue;
      const watch = new AbortController();
      watches.set(host, watch);
      probes.waitFor(unreachable.origin, watch.signal).then(
        () => report({ type: 'responded', side: 'service', host }),
        () => {
          // The probes were stopped, because another call got a response.
        },
      );
    }
  };

  const lost = (origin: string, error: DeskError): void => {
    if (closing.signal.aborted) return;
    const { host } = new URL(origin);
    const seen = { side: 'service', type: 'unreachable', host, origin, atMs: now() } as const;
    if (watches.has(host)) {
      report({ ...seen, reason: toErrorData(error) });
      return;
    }
    const responsesBefore = responsesOf(host);
    probes.failure(origin, closing.signal).then(
      (failure) => {
        // The probe's error can explain more than the call's error. If a proxy is gone, for example, the call reports
        // only a lost connection.
        if (failure && responsesOf(host) === responsesBefore) report({ ...seen, reason: causeOf(error, failure) });
      },
      () => {
        // `close` was called during the probe.
      },
    );
  };

  return {
    /**
     * Waits until the storage at `origin`, which is unreachable for `reason`, responds to a probe. Resolves to true
     * when it responds, or to false after `patienceMs`. Callers that wait for the same host share its probes and the
     * time `patienceMs`. Rejects with the cancellation of `signal`.
     */
    waitFor: async (origin: string, reason: DeskError, signal: AbortSignal): Promise<boolean> => {
      const of = { side: 'storage', host: new URL(origin).host } as const;
      report({ ...of, type: 'unreachable', origin, atMs: now(), reason: toErrorData(reason) });
      let isBack = false;
      try {
        isBack = await probes.waitFor(origin, signal);
        return isBack;
      } finally {
        if (isBack) report({ ...of, type: 'responded' });
        else if (!probes.isWaitedFor(origin)) report({ ...of, type: 'forgotten' });
      }
    },
    /**
     * Probes the host at `origin`. Resolves to the error, or to undefined if the host responds. Concurrent calls share
     * a probe.
     */
    failure: probes.failure,
    report,
    /**
     * To be called when a call to the service ended in `error`, an outage. The host at `origin`, which may be that of
     * the sign-in, counts as unreachable only if a probe fails as well and no other call gets a response in the
     * meantime. If only a single endpoint always fails, the host stays reachable.
     */
    lost,
    /** To be called when the upload engine, which observes the storages, has ended. */
    forgetStorages: (): void => {
      for (const { side, host } of [...hosts.storage.values()]) report({ side, host, type: 'forgotten' });
    },
    state,
    /** Probes all hosts that are waited for. To be called when the machine wakes up or the system reports a network. */
    probeNow: probes.now,
    /** Probes all hosts that are waited for, and ends all pauses. To be called when a user wants to try now. */
    tryNow: (): void => {
      probes.now();
      release(() => true);
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

type Outage = { readonly origin: string; readonly sinceMs: number; readonly reason: ErrorData };
type Pause = { readonly sinceMs: number; readonly untilMs: number; readonly reason: ErrorData };

/** A host can be held and unreachable at the same time. A response to an earlier request does not end a pause. */
type Known = {
  readonly side: Side;
  readonly host: string;
  readonly unreachable?: Outage | undefined;
  readonly held?: Pause | undefined;
};

/** Returns the host after `seen`: the same object if nothing changed, undefined if the host is forgotten. */
const afterOne = (before: Known | undefined, seen: Observation): Known | undefined => {
  const { side, host } = seen;
  const { unreachable, held } = before ?? {};
  switch (seen.type) {
    case 'responded':
      return before && !unreachable ? before : { side, host, held };
    case 'unreachable': {
      const { origin, atMs, reason } = seen;
      // A second failure, such as that of the proxy, can explain more than the first.
      if (unreachable && isSameCause(unreachable.reason, reason)) return before;
      return { side, host, unreachable: { origin, sinceMs: unreachable?.sinceMs ?? atMs, reason }, held };
    }
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

/**
 * Returns the reachability of a side with these `troubled` hosts. The side is unreachable if one of its hosts is; the
 * result names the host that has been unreachable for the longest time. Otherwise the side is held if one of its hosts
 * is; the result names the host whose pause ends last. Otherwise the side is online, or unknown if it has no hosts.
 */
const reachOf = (troubled: readonly Known[], hasHosts: boolean): Reach => {
  const gone = minBy(troubled, ({ unreachable }) => unreachable?.sinceMs ?? Number.POSITIVE_INFINITY);
  if (gone?.unreachable) {
    const { sinceMs, reason } = gone.unreachable;
    return { state: 'unreachable', host: gone.host, sinceMs, reason };
  }
  const paused = maxBy(troubled, ({ held }) => held?.untilMs ?? Number.NEGATIVE_INFINITY);
  if (paused?.held) return { state: 'held', host: paused.host, ...paused.held };
  return { state: hasHosts ? 'online' : 'unknown' };
};

const createProbes = (options: HostHealthOptions) => {
  const { probe, sleep = realSleep, patienceMs = Number.POSITIVE_INFINITY } = options;
  const { probes: policy = PROBES, steady = steadyNow } = options;
  const waits = new Map<
    string,
    { readonly responded: Promise<boolean>; readonly stop: AbortController; who: number }
  >();
  const probes = new Map<string, Promise<DeskError | undefined>>();
  const pauses = createNudge(sleep);

  const watch = async (origin: string, signal: AbortSignal): Promise<boolean> => {
    const sinceMs = steady();
    let nudged = pauses.next();
    for (let attempt = 1; steady() - sinceMs < patienceMs; attempt += 1) {
      const leftMs = sinceMs + patienceMs - steady();
      await pauses.sleep(Math.min(retryWaitMs(policy, attempt), leftMs), signal, nudged);
      // If `now` is called during the probe, the next wait ends immediately: the probe may have used the network that
      // is gone.
      nudged = pauses.next();
      const failed = await probe(origin, signal).catch(() => true);
      if (!failed) return true;
    }
    return false;
  };

  /**
   * Begins a probe without a signal, because several callers can share it. Resolves to the error of the probe if it
   * fails.
   */
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
    const wait = { responded: watch(origin, stop.signal), stop, who: 0 };
    waits.set(origin, wait);
    wait.responded.catch(() => {}).finally(() => waits.get(origin) === wait && waits.delete(origin));
    return wait;
  };

  return {
    waitFor: async (origin: string, signal: AbortSignal): Promise<boolean> => {
      const wait = waits.get(origin) ?? begin(origin);
      wait.who += 1;
      try {
        return await orCancelled(wait.responded, signal);
      } finally {
        wait.who -= 1;
        if (wait.who === 0) {
          if (waits.get(origin) === wait) waits.delete(origin);
          wait.stop.abort();
        }
      }
    },
    failure: (origin: string, signal: AbortSignal): Promise<DeskError | undefined> =>
      orCancelled(probes.get(origin) ?? beginProbe(origin), signal),
    isWaitedFor: (origin: string): boolean => waits.has(origin),
    now: pauses.now,
  };
};

/**
 * Returns the origin that `error` reports as unreachable or lost; undefined if `error` has none. The error of a
 * rejected certificate has none, because waiting does not help.
 */
export const lostOrigin = ({ details }: DeskError): string | undefined =>
  typeof details.origin === 'string' ? details.origin : undefined;

/** The timeout of a probe, long enough for a slow host. */
const PROBE_MS = 10_000;

/**
 * Sends a HEAD request to `origin`, without a path, a token or a signature. Rejects if the host does not respond, or if
 * a network responds in its place.
 */
export const probeHost = async (dispatcher: Dispatcher, origin: string, signal: AbortSignal): Promise<void> => {
  const request = { method: 'HEAD', url: new URL(origin), headers: {}, signal, timeoutMs: PROBE_MS } as const;
  await exchangeInto(dispatcher, request, () => startOfText(0));
};
