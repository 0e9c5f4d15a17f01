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

export type FaultPlan = {
  readonly add: (rules: readonly FaultRule[]) => void;
  readonly list: () => readonly FaultStatus[];
  readonly clear: () => void;
  /** Clears the plan and releases the requests that a fault holds. */
  readonly release: () => void;
  /** Resolves at the next `release`. */
  readonly released: () => Promise<void>;
  /** The effect for a request, if any. `subject`, called only if a rule needs it, returns the text for `contains`. */
  readonly next: (route: RouteName, subject: () => Promise<string>) => Promise<FaultEffect | undefined>;
};

/** An empty plan of faults. `random` decides for rules with a probability. */
export const createFaultPlan = (random: Random): FaultPlan => {
  let release = Promise.withResolvers<void>();
  const entries: { readonly rule: FaultRule; matched: number; fired: number }[] = [];
  const clear = (): void => void entries.splice(0);
  return {
    add: (rules) => void entries.push(...rules.map((rule) => ({ rule, matched: 0, fired: 0 }))),
    list: () => entries.map((entry) => ({ ...entry })),
    clear,
    release: () => {
      clear();
      release.resolve();
      release = Promise.withResolvers();
    },
    released: () => release.promise,
    next: async (route, subject) => {
      const candidates = entries.filter(({ rule }) => concerns(rule, route));
      const text = candidates.some(({ rule }) => rule.match.contains !== undefined) ? await subject() : '';
      for (const entry of candidates) {
        const { match, when = {}, effect } = entry.rule;
        if (match.contains !== undefined && !text.includes(match.contains)) continue;
        entry.matched += 1;
        if (entry.matched <= (when.after ?? 0)) continue;
        if (entry.fired >= (when.count ?? Number.POSITIVE_INFINITY)) continue;
        if (when.probability !== undefined && !random.chance(when.probability)) continue;
        entry.fired += 1;
        return effect;
      }
      return undefined;
    },
  };
};

/** A rule for any route applies only to those for which its effect makes sense. */
const concerns = ({ match, effect }: FaultRule, route: RouteName): boolean => {
  if (match.route !== 'any' && match.route !== route) return false;
  if (effect.type === 'expired-url' || effect.type === 'store-late') return route === 'storage-put';
  return effect.type === 'expired-token' || effect.type === 'odd-records' ? isOperation(route) : true;
};
