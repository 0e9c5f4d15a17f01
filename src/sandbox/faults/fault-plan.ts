/** The active fault rules, checked in order for each request. */

import { isOperation, type RouteName } from '../http/route-names.ts';
import type { Random } from '../sample/prng.ts';
import type { FaultEffect, FaultRule } from './rules.ts';

/** A rule and its counts. */
export type FaultStatus = {
  readonly rule: FaultRule;
  /** Requests that matched. */
  readonly matched: number;
  /** Requests to which it was applied. */
  readonly fired: number;
};

/** A request to which a rule was applied. */
export type FiredFault = {
  readonly route: RouteName;
  /** How many requests of its route there had been, with this one, since the last `clear`. */
  readonly number: number;
  /** The request's path, without its query. */
  readonly path: string;
  readonly effect: FaultEffect;
};

export type FaultPlan = {
  readonly add: (rules: readonly FaultRule[]) => void;
  readonly list: () => readonly FaultStatus[];
  /** The requests to which rules were applied, oldest first, since the last `clear`. */
  readonly fired: () => readonly FiredFault[];
  /** Removes the rules, and forgets what they were applied to. */
  readonly clear: () => void;
  /** Clears the plan and releases the requests that a fault holds. */
  readonly release: () => void;
  /** Resolves at the next `release`. */
  readonly released: () => Promise<void>;
  /**
   * The effect for a request, if any. `contains` looks in its path and its subject; `subject` is called only if a rule
   * needs it.
   */
  readonly next: (
    request: Pick<FiredFault, 'route' | 'path'>,
    subject: () => Promise<string>,
  ) => Promise<FaultEffect | undefined>;
};

/** An empty plan of faults. `random` decides for rules with a probability. */
export const createFaultPlan = (random: Random): FaultPlan => {
  let release = Promise.withResolvers<void>();
  const entries: { readonly rule: FaultRule; matched: number; fired: number }[] = [];
  const fired: FiredFault[] = [];
  const requests = new Map<RouteName, number>();
  const clear = (): void => {
    entries.length = 0;
    fired.length = 0;
    requests.clear();
  };
  return {
    add: (rules) => void entries.push(...rules.map((rule) => ({ rule, matched: 0, fired: 0 }))),
    list: () => entries.map((entry) => ({ ...entry })),
    fired: () => [...fired],
    clear,
    release: () => {
      clear();
      release.resolve();
      release = Promise.withResolvers();
    },
    released: () => release.promise,
    next: async ({ route, path }, subject) => {
      const number = (requests.get(route) ?? 0) + 1;
      requests.set(route, number);
      const candidates = entries.filter(({ rule }) => concerns(rule, route));
      const text = candidates.some(({ rule }) => rule.match.contains !== undefined)
        ? `${path}\n${await subject()}`
        : '';
      for (const entry of candidates) {
        const { match, when = {}, effect } = entry.rule;
        if (match.contains !== undefined && !text.includes(match.contains)) continue;
        entry.matched += 1;
        if (entry.matched <= (when.after ?? 0)) continue;
        if (entry.fired >= (when.count ?? Number.POSITIVE_INFINITY)) continue;
        if (when.probability !== undefined && !random.chance(when.probability)) continue;
        entry.fired += 1;
        fired.push({ route, number, path, effect });
        return effect;
      }
      return undefined;
    },
  };
};

const OF_PUT: ReadonlySet<FaultEffect['type']> = new Set(['expired-url', 'store-late', 'swallow', 'store-half']);

/** A rule for any route applies only to those for which its effect makes sense. */
const concerns = ({ match, effect }: FaultRule, route: RouteName): boolean => {
  if (match.route !== 'any' && match.route !== route) return false;
  if (OF_PUT.has(effect.type)) return route === 'storage-put';
  return effect.type === 'expired-token' || effect.type === 'odd-records' ? isOperation(route) : true;
};
