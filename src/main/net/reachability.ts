/** The model of what can be reached: pure steps from what was observed to what is known of each host. */
import type { ErrorData } from '../../contract/errors.ts';
import type { Reach, Reachability, Side } from '../../contract/reachability.ts';

/** What happened with a host. `host` as `URL.host` has it; times in ms since 1970. All of it is cloneable. */
export type HostSeen = { readonly host: string } & (
  | { readonly type: 'answered' }
  | { readonly type: 'unreachable'; readonly atMs: number; readonly reason: ErrorData }
  /** It asked for a pause. */
  | { readonly type: 'held'; readonly atMs: number; readonly untilMs: number; readonly reason: ErrorData }
  /** Its pause is over, or somebody does not wait for its end. */
  | { readonly type: 'released' }
  /** Nobody waits for it any more, so nobody would learn that it is back. */
  | { readonly type: 'forgotten' }
);
export type Observation = HostSeen & { readonly side: Side };

/** A host may have asked for a pause and then gone; a pause does not end with an answer to what was sent before. */
type Known = {
  readonly side: Side;
  readonly host: string;
  readonly unreachable?: { readonly sinceMs: number; readonly reason: ErrorData } | undefined;
  readonly held?: { readonly sinceMs: number; readonly untilMs: number; readonly reason: ErrorData } | undefined;
};

/** What is known, one entry a host. */
export type Hosts = readonly Known[];

export const noHosts: Hosts = [];

/** What is known after `seen`; the same object where it tells nothing new. */
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
      return unreachable ? before : { side, host, unreachable: { sinceMs: seen.atMs, reason: seen.reason }, held };
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

/** The state of both sides. */
export const reachabilityOf = (hosts: Hosts): Reachability => ({
  service: reachOf(hosts.filter(({ side }) => side === 'service')),
  storage: reachOf(hosts.filter(({ side }) => side === 'storage')),
});

/** Of one side: unreachable since the first of its hosts is, else held until the last of them is not. */
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
