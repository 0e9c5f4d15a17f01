/**
 * Faults on demand: what a fault rule is. A fault file (`--faults FILE.json`) holds an array of them:
 *
 *     [
 *       { "match": { "route": "storage-put", "contains": ".jpg" },
 *         "when": { "after": 10, "count": 3 },
 *         "effect": { "type": "reset", "at": "after-body" } },
 *       { "match": { "route": "any" },
 *         "when": { "probability": 0.02 },
 *         "effect": { "type": "status", "status": 503, "retryAfterS": 2 } }
 *     ]
 */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { routeNames } from '../routes.ts';

const delayMs = z.number().nonnegative().max(86_400_000);
const bytes = z.int().nonnegative();

/** What happens to a request on which a rule fires. */
export const FaultEffect = z.discriminatedUnion('type', [
  /** Answers this status; `after-body`: only after the request was carried out in full (a gateway's 504, say). */
  z.strictObject({
    type: z.literal('status'),
    status: z.int().min(200).max(599),
    retryAfterS: z.int().nonnegative().optional(),
    /** How Retry-After is written (RFC 9110 section 10.2.3); seconds where absent. */
    retryAfterAs: z.enum(['seconds', 'date']).optional(),
    body: z.string().optional(),
    at: z.enum(['before-body', 'after-body']).optional(),
  }),
  /** Waits, then carries on. */
  z.strictObject({ type: z.literal('delay'), delayMs }),
  /**
   * Falls silent for a while, then carries on. `request` (where absent): stops reading after `afterBytes` of the
   * body of a storage-put, other routes wait before anything is done; `answer`: stops after `afterBytes` of the
   * answer's body. `afterBytes` is 0 where absent.
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
  /** Carries the request out and ends the connection after half of the answer's body. */
  z.strictObject({ type: z.literal('truncate') }),
  /** Carries the request out and answers half of the body as if it were all. */
  z.strictObject({ type: z.literal('malformed-json') }),
  /** Carries an operation out and answers its first records as no interface promises them (odd-records.ts). */
  z.strictObject({ type: z.literal('odd-records') }),
  /**
   * Receives a storage-put in full, stores it `delayMs` later and answers then, whether or not the client is still
   * there: a storage behind a queue.
   */
  z.strictObject({ type: z.literal('store-late'), delayMs }),
  /** Treats the signed Url of a storage-put as expired. */
  z.strictObject({ type: z.literal('expired-url') }),
  /** Ends the validity of the presented access token for good; the operation answers 401. */
  z.strictObject({ type: z.literal('expired-token') }),
]);
export type FaultEffect = z.infer<typeof FaultEffect>;

/** A fault rule. Of several rules that fire on a request, the first one added takes effect. */
export const FaultRule = z.strictObject({
  match: z.strictObject({
    route: z.enum([...routeNames, 'any']),
    /** A part of the request's path (without query), or of the FileName or Key that the request is about. */
    contains: z.string().min(1).optional(),
  }),
  /** Which of the matching requests: all where absent; conditions given together must all hold. */
  when: z
    .strictObject({
      /** Only this many times. */
      count: z.int().positive().optional(),
      /** Only with this probability, drawn from the sandbox's seed. */
      probability: z.number().min(0).max(1).optional(),
      /** Only after this many matching requests were let through. */
      after: z.int().nonnegative().optional(),
    })
    .optional(),
  effect: FaultEffect,
});
export type FaultRule = z.infer<typeof FaultRule>;

/** Content of a fault file. */
export const FaultRules = z.array(FaultRule).readonly();

/** Reads a fault file. Throws an error with a one-line message when it cannot be read or is not valid. */
export const readFaultFile = async (path: string): Promise<readonly FaultRule[]> => {
  const parsed = FaultRules.safeParse(JSON.parse(await readFile(path, 'utf8')));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`fault file: ${issue?.path.join('.')}: ${issue?.message}`);
};
