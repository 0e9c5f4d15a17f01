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
import { routeNames } from '../http/route-names.ts';

const delayMs = z.number().nonnegative().max(86_400_000);
const bytes = z.int().nonnegative();

/** What happens to a request on which a rule fires. */
export const FaultEffect = z.discriminatedUnion('type', [
  /** Answers this status; with `after-body` after carrying out the request (such as a gateway's 504). */
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
   * Stalls for a while, then continues. `request` (the default): stops reading after `afterBytes` of the
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
  /** Carries the request out and sends half of the body as a complete answer. */
  z.strictObject({ type: z.literal('malformed-json') }),
  /** Carries an operation out and answers with odd first records (odd-records.ts). */
  z.strictObject({ type: z.literal('odd-records') }),
  /**
   * Receives a storage-put in full, then stores it and answers `delayMs` later, even if the client has gone, like a
   * storage behind a queue.
   */
  z.strictObject({ type: z.literal('store-late'), delayMs }),
  /**
   * Swallows a storage-put, as something between the client and the storage may: nothing is stored, and the response says 200,
   * with these headers.
   */
  z.strictObject({ type: z.literal('swallow'), headers: z.record(z.string(), z.string()).optional() }),
  /** Stores half of a storage-put, and answers as if that were all. */
  z.strictObject({ type: z.literal('store-half') }),
  /** Treats the signed Url of a storage-put as expired. */
  z.strictObject({ type: z.literal('expired-url') }),
  /** Revokes the presented access token; the operation answers 401. */
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
  /** Which of the matching requests; all if absent. All given conditions must hold. */
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
