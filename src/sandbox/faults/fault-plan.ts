/** The fault rules of a sandbox: their format, and which rule applies to a request. */

import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { isOperation, type RouteName, routeNames } from '../http/http.ts';
import type { Random } from '../sample/sample-data.ts';

export type FaultStatus = {
  readonly rule: FaultRule;
  /** How many requests matched the rule, not counting requests that an earlier rule was applied to. */
  matched: number;
  fired: number;
};

export type FiredFault = {
  readonly route: RouteName;
  /**
   * The number of this request: how many requests to the route there were since the last `clear`, including this one.
   */
  readonly number: number;
  /** The request's path, without its query. */
  readonly path: string;
  readonly effect: FaultEffect;
};

export type FaultPlan = ReturnType<typeof createFaultPlan>;

/** Creates a plan without rules. `random` decides whether a rule with a probability fires. */
export const createFaultPlan = (random: Random) => {
  let release = Promise.withResolvers<void>();
  const entries: FaultStatus[] = [];
  const fired: FiredFault[] = [];
  const requests = new Map<RouteName, number>();
  /**
   * Whether a rule fires on a request with this `text`. Counts the request if the rule has no `contains` or if `text`
   * contains it.
   */
  const fires = (entry: FaultStatus, text: string): boolean => {
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
    clear,
    /** Clears the plan. The requests that wait because of a fault continue. */
    release: (): void => {
      clear();
      release.resolve();
      release = Promise.withResolvers();
    },
    released: (): Promise<void> => release.promise,
    /**
     * Counts a request and decides which effect it gets; undefined if no rule fires. A rule's `contains` is looked for
     * in the path and in the result of `subject`, which is called only if a rule needs it.
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

/** Whether the rule can apply to `route`: `match` names this route or any, and the route can have the effect. */
const concerns = ({ match, effect }: FaultRule, route: RouteName): boolean => {
  if (match.route !== 'any' && match.route !== route) return false;
  if (OF_PUT.has(effect.type)) return route === 'storage-put';
  return effect.type === 'expired-token' || effect.type === 'odd-records' ? isOperation(route) : true;
};

// The format of the rules. A fault file (`--faults FILE.json`) contains an array of rules:
// [
//   { "match": { "route": "storage-put", "contains": ".jpg" },
//     "when": { "after": 10, "count": 3 },
//     "effect": { "type": "reset", "at": "after-body" } }
// ]

const delayMs = z.number().nonnegative().max(86_400_000);
const bytes = z.int().nonnegative();

export const FaultEffect = z.discriminatedUnion('type', [
  /** Responds with this status. With `after-body`, the request is carried out first, as with a gateway's 504. */
  z.strictObject({
    type: z.literal('status'),
    status: z.int().min(200).max(599),
    retryAfterS: z.int().nonnegative().optional(),
    /** The format of Retry-After (RFC 9110 section 10.2.3); seconds if absent. */
    retryAfterAs: z.enum(['seconds', 'date']).optional(),
    body: z.string().optional(),
    at: z.enum(['before-body', 'after-body']).optional(),
  }),
  z.strictObject({ type: z.literal('delay'), delayMs }),
  /**
   * Stalls for `forMs`, then continues. With `request` (the default), the sandbox stops reading a storage-put after
   * `afterBytes` of its body, and carries out other requests only after the stall. With `answer`, it stops sending
   * after `afterBytes` of the response's body. An absent `afterBytes` is 0.
   */
  z.strictObject({
    type: z.literal('stall'),
    in: z.enum(['request', 'answer']).optional(),
    afterBytes: bytes.optional(),
    forMs: delayMs,
  }),
  /**
   * Resets the connection (RST). `before-body`: before the request is read or carried out; `during-body`: after half of
   * the body of a storage-put was read (on other routes, like `before-body`); `after-body`: after the request was
   * carried out, which the client cannot know.
   */
  z.strictObject({ type: z.literal('reset'), at: z.enum(['before-body', 'during-body', 'after-body']) }),
  /** Carries the request out, and ends the connection after half of the response's body. */
  z.strictObject({ type: z.literal('truncate') }),
  /** Carries the request out, and sends half of the response's body as a complete response. */
  z.strictObject({ type: z.literal('malformed-json') }),
  /** Carries an operation out, and changes the first records of its response in odd ways (`withOddRecords`). */
  z.strictObject({ type: z.literal('odd-records') }),
  /**
   * Receives a storage-put in full; stores it and responds `delayMs` later. It is stored even if the client disconnects
   * in the meantime, as in a storage that queues what it receives.
   */
  z.strictObject({ type: z.literal('store-late'), delayMs }),
  /** Responds to a storage-put with 200 and these headers, but stores nothing, like a faulty middlebox. */
  z.strictObject({ type: z.literal('swallow'), headers: z.record(z.string(), z.string()).optional() }),
  /** Stores the first half of a storage-put, and responds as if it had stored everything. */
  z.strictObject({ type: z.literal('store-half') }),
  /** Treats the signed Url of a storage-put as expired. */
  z.strictObject({ type: z.literal('expired-url') }),
  /** Expires the access token of the request, so that the operation responds with 401. */
  z.strictObject({ type: z.literal('expired-token') }),
]);
export type FaultEffect = z.infer<typeof FaultEffect>;

/** A fault rule. If several rules match a request, only the first one that fires takes effect. */
export const FaultRule = z.strictObject({
  match: z.strictObject({
    route: z.enum([...routeNames, 'any']),
    /** Part of the request's path (without query), or of its FileName or Key. */
    contains: z.string().min(1).optional(),
  }),
  /**
   * The conditions under which a matching request gets the fault; all of them must hold. If absent, every matching
   * request gets it.
   */
  when: z
    .strictObject({
      /** The maximum number of requests that get the fault. */
      count: z.int().positive().optional(),
      /** The probability that a matching request gets the fault, drawn from the sandbox's seed. */
      probability: z.number().min(0).max(1).optional(),
      /** How many matching requests pass before the first can get the fault. */
      after: z.int().nonnegative().optional(),
    })
    .optional(),
  effect: FaultEffect,
});
export type FaultRule = z.infer<typeof FaultRule>;

export const FaultRules = z.array(FaultRule).readonly();

/** Reads a fault file. Rejects if the file cannot be read or is not valid. */
export const readFaultFile = async (path: string): Promise<readonly FaultRule[]> => {
  const parsed = FaultRules.safeParse(JSON.parse(await readFile(path, 'utf8')));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`fault file: ${issue?.path.join('.')}: ${issue?.message}`);
};
