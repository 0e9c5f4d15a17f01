/** The active fault rules, checked in order for each request. */

import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { isOperation, type RouteName, routeNames } from '../http/http.ts';
import type { Random } from '../sample/sample-data.ts';

/** A rule and its counts. */
export type FaultStatus = {
  readonly rule: FaultRule;
  /** The number of matching requests, without those on which an earlier rule fired. */
  readonly matched: number;
  /** The number of requests to which the rule was applied. */
  readonly fired: number;
};

/** A request to which a rule was applied. */
export type FiredFault = {
  readonly route: RouteName;
  /** The number of requests to this route since the last `clear`, including this one. */
  readonly number: number;
  /** The request's path, without its query. */
  readonly path: string;
  readonly effect: FaultEffect;
};

export type FaultPlan = ReturnType<typeof createFaultPlan>;

/** An empty plan of faults. `random` decides for rules with a probability. */
export const createFaultPlan = (random: Random) => {
  let release = Promise.withResolvers<void>();
  const entries: { readonly rule: FaultRule; matched: number; fired: number }[] = [];
  const fired: FiredFault[] = [];
  const requests = new Map<RouteName, number>();
  /** Whether a rule fires on a request with this text. Counts the request if it matches. */
  const fires = (entry: (typeof entries)[number], text: string): boolean => {
    const { match, when = {} } = entry.rule;
    if (match.contains !== undefined && !text.includes(match.contains)) return false;
    entry.matched += 1;
    return (
      entry.matched > (when.after ?? 0) &&
      entry.fired < (when.count ?? Number.POSITIVE_INFINITY) &&
      (when.probability === undefined || random.chance(when.probability))
    );
  };
  const clear = (): void => {
    entries.length = 0;
    fired.length = 0;
    requests.clear();
  };
  return {
    add: (rules: readonly FaultRule[]): void =>
      void entries.push(...rules.map((rule) => ({ rule, matched: 0, fired: 0 }))),
    list: (): readonly FaultStatus[] => entries.map((entry) => ({ ...entry })),
    /** The requests to which rules were applied, oldest first, since the last `clear`. */
    fired: (): readonly FiredFault[] => [...fired],
    /** Removes the rules, and the record of requests to which they were applied. */
    clear,
    /** Clears the plan and releases the requests that a fault holds. */
    release: (): void => {
      clear();
      release.resolve();
      release = Promise.withResolvers();
    },
    /** Resolves at the next `release`. */
    released: (): Promise<void> => release.promise,
    /**
     * The effect for a request, if any. `contains` looks in its path and its subject; `subject` is called only if a
     * rule needs it.
     */
    next: async (
      { route, path }: Pick<FiredFault, 'route' | 'path'>,
      subject: () => Promise<string>,
    ): Promise<FaultEffect | undefined> => {
      const number = (requests.get(route) ?? 0) + 1;
      requests.set(route, number);
      const candidates = entries.filter(({ rule }) => concerns(rule, route));
      const text = candidates.some(({ rule }) => rule.match.contains !== undefined)
        ? `${path}\n${await subject()}`
        : '';
      const entry = candidates.find((candidate) => fires(candidate, text));
      if (entry === undefined) return undefined;
      const { effect } = entry.rule;
      entry.fired += 1;
      fired.push({ route, number, path, effect });
      return effect;
    },
  };
};

const OF_PUT: ReadonlySet<FaultEffect['type']> = new Set(['expired-url', 'store-late', 'swallow', 'store-half']);

/** Whether the rule can apply to `route`: it is for this route or for any, and its effect makes sense there. */
const concerns = ({ match, effect }: FaultRule, route: RouteName): boolean => {
  if (match.route !== 'any' && match.route !== route) return false;
  if (OF_PUT.has(effect.type)) return route === 'storage-put';
  return effect.type === 'expired-token' || effect.type === 'odd-records' ? isOperation(route) : true;
};

// The rules. A fault file (`--faults FILE.json`) holds an array of them:
// [
//   { "match": { "route": "storage-put", "contains": ".jpg" },
//     "when": { "after": 10, "count": 3 },
//     "effect": { "type": "reset", "at": "after-body" } }
// ]

const delayMs = z.number().nonnegative().max(86_400_000);
const bytes = z.int().nonnegative();

/** The effect of a rule on a request. */
export const FaultEffect = z.discriminatedUnion('type', [
  /** Responds with this status; with `after-body` after carrying out the request (such as a gateway's 504). */
  z.strictObject({
    type: z.literal('status'),
    status: z.int().min(200).max(599),
    retryAfterS: z.int().nonnegative().optional(),
    /** The format of Retry-After (RFC 9110 section 10.2.3); seconds if absent. */
    retryAfterAs: z.enum(['seconds', 'date']).optional(),
    body: z.string().optional(),
    at: z.enum(['before-body', 'after-body']).optional(),
  }),
  /** Waits, then continues. */
  z.strictObject({ type: z.literal('delay'), delayMs }),
  /**
   * Stalls for `forMs`, then continues. `request` (the default): a storage-put stops reading after `afterBytes` of its
   * body, other routes wait before they do anything; `answer`: sending stops after `afterBytes` of the response's body.
   * An absent `afterBytes` is 0.
   */
  z.strictObject({
    type: z.literal('stall'),
    in: z.enum(['request', 'answer']).optional(),
    afterBytes: bytes.optional(),
    forMs: delayMs,
  }),
  /**
   * Destroys the connection, with RST. `before-body`: nothing was read or done; `during-body`: half of the body of
   * a storage-put was read (other routes: as before-body); `after-body`: the request was carried out in full, and
   * the client cannot know.
   */
  z.strictObject({ type: z.literal('reset'), at: z.enum(['before-body', 'during-body', 'after-body']) }),
  /** Carries the request out and ends the connection after half of the response's body. */
  z.strictObject({ type: z.literal('truncate') }),
  /** Carries the request out and sends half of the body as a complete response. */
  z.strictObject({ type: z.literal('malformed-json') }),
  /** Carries an operation out and responds with odd first records. */
  z.strictObject({ type: z.literal('odd-records') }),
  /**
   * Receives a storage-put in full, then stores it and responds `delayMs` later, even if the client has gone, like a
   * storage behind a queue.
   */
  z.strictObject({ type: z.literal('store-late'), delayMs }),
  /** Swallows a storage-put, as a middlebox may: nothing is stored, and the response is 200 with these headers. */
  z.strictObject({ type: z.literal('swallow'), headers: z.record(z.string(), z.string()).optional() }),
  /** Stores half of a storage-put, and responds as if that were all. */
  z.strictObject({ type: z.literal('store-half') }),
  /** Treats the signed Url of a storage-put as expired. */
  z.strictObject({ type: z.literal('expired-url') }),
  /** Revokes the presented access token; the operation responds with 401. */
  z.strictObject({ type: z.literal('expired-token') }),
]);
export type FaultEffect = z.infer<typeof FaultEffect>;

/** A fault rule. Of several rules that fire on a request, the first one added takes effect. */
export const FaultRule = z.strictObject({
  match: z.strictObject({
    route: z.enum([...routeNames, 'any']),
    /** Part of the request's path (without query), or of its FileName or Key. */
    contains: z.string().min(1).optional(),
  }),
  /** The conditions under which a matching request gets the fault; all of them must hold. Absent: always. */
  when: z
    .strictObject({
      /** Only this many times. */
      count: z.int().positive().optional(),
      /** Only with this probability, drawn from the sandbox's seed. */
      probability: z.number().min(0).max(1).optional(),
      /** Only after this many matching requests have passed without the fault. */
      after: z.int().nonnegative().optional(),
    })
    .optional(),
  effect: FaultEffect,
});
export type FaultRule = z.infer<typeof FaultRule>;

/** Content of a fault file. */
export const FaultRules = z.array(FaultRule).readonly();

/** Reads a fault file. Rejects if the file cannot be read or is not valid. */
export const readFaultFile = async (path: string): Promise<readonly FaultRule[]> => {
  const parsed = FaultRules.safeParse(JSON.parse(await readFile(path, 'utf8')));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`fault file: ${issue?.path.join('.')}: ${issue?.message}`);
};
