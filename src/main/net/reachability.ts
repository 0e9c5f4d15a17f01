/** The reachability model: pure steps from observations to the state of each host. */

import type { Reach, Reachability, Side } from '../../contract/connection.ts';
import type { ErrorData } from '../../contract/errors.ts';

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
