import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { once } from 'es-toolkit/function';
import type { Context, MiddlewareHandler } from 'hono';
import { type Body, bearerToken, type RouteName, type SandboxEnv } from '../http/http.ts';
import type { StatsRecorder } from '../http/stats.ts';
import type { FaultEffect, FaultPlan } from './fault-plan.ts';

type FaultReach = {
  readonly now: () => number;
  readonly revokeAccess: (accessToken: string) => void;
  /** Aborted when the sandbox closes. Effects then stop waiting. */
  readonly closing: AbortSignal;
  /** Resolves when the requests that wait because of a fault are released. */
  readonly released: Promise<void>;
};

type Effect<Type> = Extract<FaultEffect, { type: Type }>;
type Handler = MiddlewareHandler<SandboxEnv>;

const asMiddleware = (effect: FaultEffect, route: RouteName, reach: FaultReach): Handler => {
  switch (effect.type) {
    case 'status':
      return status(effect, reach);
    case 'delay':
      return pausing(effect.delayMs, reach);
    case 'stall':
      if (effect.in === 'answer') return stalledResponse(effect, reach);
      return route === 'storage-put' ? stalledBody(effect, reach) : pausing(effect.forMs, reach);
    case 'reset':
      if (effect.at === 'after-body') return resetAfter;
      return effect.at === 'during-body' && route === 'storage-put' ? resetDuring : resetBefore;
    case 'truncate':
      return truncate;
    case 'malformed-json':
      return malformedJson;
    case 'odd-records':
      return oddRecords;
    case 'store-late':
      return storedLate(effect, reach);
    case 'swallow':
      return swallowed(effect);
    case 'store-half':
      return (c, next) => {
        c.set('storesHalf', true);
        return next();
      };
    case 'expired-url':
      return (c, next) => {
        c.set('signatureExpired', true);
        return next();
      };
    case 'expired-token':
      return (c, next) => {
        const token = bearerToken(c.req.header('authorization'));
        if (token !== undefined) reach.revokeAccess(token);
        return next();
      };
  }
};

const status = ({ status, retryAfterS, retryAfterAs, body, at }: Effect<'status'>, { now }: FaultReach): Handler => {
  const answer = (): Response => {
    const response = new Response([204, 205, 304].includes(status) ? null : (body ?? ''), { status });
    if (retryAfterS === undefined) return response;
    const date = new Date(now() + retryAfterS * 1000).toUTCString();
    response.headers.set('Retry-After', retryAfterAs === 'date' ? date : String(retryAfterS));
    return response;
  };
  return async (c, next) => {
    if (at !== 'after-body') return answer();
    await next();
    return replace(c, answer());
  };
};

const pausing =
  (delayMs: number, reach: FaultReach): Handler =>
  async (c, next) => {
    await pause(c, delayMs, reach);
    await next();
  };

const stalledBody =
  ({ afterBytes = 0, forMs }: Effect<'stall'>, reach: FaultReach): Handler =>
  (c, next) => {
    c.set('throughFault', (body) => pausedAt(body, afterBytes, () => pause(c, forMs, reach)));
    return next();
  };

const storedLate =
  ({ delayMs }: Effect<'store-late'>, reach: FaultReach): Handler =>
  (c, next) => {
    c.set('throughFault', (body) => delayedEnd(body, () => wait(delayMs, reach.closing, reach)));
    return next();
  };

const stalledResponse =
  ({ afterBytes = 0, forMs }: Effect<'stall'>, reach: FaultReach): Handler =>
  async (c, next) => {
    await next();
    const body = await beginResponse(c);
    c.env.outgoing.write(body.subarray(0, afterBytes));
    await pause(c, forMs, reach);
    c.env.outgoing.end(body.subarray(afterBytes));
    return replace(c, RESPONSE_ALREADY_SENT);
  };

const swallowed =
  ({ headers }: Effect<'swallow'>): Handler =>
  async (c) => {
    for await (const _ of c.env.incoming);
    return c.body(null, 200, headers);
  };

const resetBefore: Handler = async (c) => {
  c.env.incoming.socket.resetAndDestroy();
  return RESPONSE_ALREADY_SENT;
};

const resetDuring: Handler = (c, next) => {
  const halfBytes = Math.floor(Number(c.req.header('content-length') ?? 0) / 2);
  const cut = (body: Body): Body => cutAt(body, halfBytes, () => c.env.incoming.socket.resetAndDestroy());
  c.set('throughFault', cut);
  return next();
};

const resetAfter: Handler = async (c, next) => {
  await next();
  c.env.incoming.socket.resetAndDestroy();
  return replace(c, RESPONSE_ALREADY_SENT);
};

const truncate: Handler = async (c, next) => {
  await next();
  const body = await beginResponse(c);
  c.env.outgoing.write(body.subarray(0, Math.floor(body.length / 2)));
  c.env.outgoing.socket?.end();
  return replace(c, RESPONSE_ALREADY_SENT);
};

const malformedJson: Handler = async (c, next) => {
  await next();
  const text = await c.res.text();
  const headers = new Headers(c.res.headers);
  headers.delete('content-length');
  const half = text.slice(0, Math.max(1, Math.floor(text.length / 2)));
  return replace(c, new Response(half, { status: c.res.status, headers }));
};

const oddRecords: Handler = async (c, next) => {
  await next();
  if (c.res.ok) replace(c, Response.json(withOddRecords(await c.res.json()), { status: c.res.status }));
};

/**
 * Sends the head of the handler's response and returns its unsent body. The head declares at least one byte, so that
 * even an empty response can stay unfinished.
 */
const beginResponse = async (c: Context<SandboxEnv>): Promise<Buffer> => {
  const answered = Buffer.from(await c.res.arrayBuffer());
  const body = answered.length > 0 ? answered : Buffer.from('\n');
  c.env.outgoing.writeHead(c.res.status, { ...Object.fromEntries(c.res.headers), 'content-length': body.length });
  c.env.outgoing.flushHeaders();
  return body;
};

/**
 * Replaces the response. If `c.res` were set directly, Hono would merge the headers of the old response into the new
 * one.
 */
const replace = (c: Context<SandboxEnv>, response: Response): void => {
  c.res = undefined;
  c.res = response;
};

/** Waits for `delayMs`, or until the request is released; rejects as soon as the connection or the sandbox closes. */
const pause = async (c: Context<SandboxEnv>, delayMs: number, reach: FaultReach): Promise<void> => {
  const gone = new AbortController();
  c.env.outgoing.once('close', () => gone.abort());
  await wait(delayMs, AbortSignal.any([gone.signal, reach.closing]), reach);
};

const wait = async (delayMs: number, signal: AbortSignal, { released }: FaultReach): Promise<void> => {
  const over = new AbortController();
  try {
    await Promise.race([setTimeout(delayMs, undefined, { signal: AbortSignal.any([signal, over.signal]) }), released]);
  } finally {
    over.abort();
  }
};

/** Passes `body` on. Pauses once, as soon as at least `afterBytes` have passed, and reads nothing during the pause. */
async function* pausedAt(body: Body, afterBytes: number, pause: () => Promise<void>): Body {
  const pauseOnce = once(pause);
  let passedBytes = 0;
  if (afterBytes === 0) await pauseOnce();
  for await (const chunk of body) {
    yield chunk;
    passedBytes += chunk.length;
    if (passedBytes >= afterBytes) await pauseOnce();
  }
}

/**
 * Passes at most `afterBytes` of `body` on, then calls `cut` and throws. If `body` is not longer than that, calls `cut`
 * and throws at its end.
 */
async function* cutAt(body: Body, afterBytes: number, cut: () => void): Body {
  // The connection is cut before the loop is left, because leaving the loop destroys the stream, which closes the
  // socket without a reset.
  const stop = (): Error => {
    cut();
    return new Error('the connection was cut by a fault');
  };
  let passedBytes = 0;
  for await (const chunk of body) {
    passedBytes += chunk.length;
    if (passedBytes > afterBytes) throw stop();
    yield chunk;
  }
  throw stop();
}

async function* delayedEnd(body: Body, wait: () => Promise<void>): Body {
  const whole = await buffer(body);
  await wait();
  yield whole;
}

// Records without the API's shape, or with unusual values, to test that the app copes with such records.

type Fields = Readonly<Record<string, unknown>>;

/**
 * Whether the field stays unchanged in odd records: Key and every id except FacilityId, which does not identify the
 * record.
 */
const isName = (field: string): boolean => field === 'Key' || (field.endsWith('Id') && field !== 'FacilityId');

const mapFields = (record: Fields, change: (value: unknown, field: string) => unknown): Fields =>
  Object.fromEntries(
    Object.entries(record).map(([field, value]) => [field, isName(field) ? value : change(value, field)]),
  );

const withTexts =
  (text: string) =>
  (record: Fields): unknown =>
    mapFields(record, (value) => (typeof value === 'string' ? text : value));

/**
 * Returns the name of the last field that is not an id. Without this field, the record does not have the API's shape.
 */
const lastField = (record: Fields): string | undefined => Object.keys(record).findLast((field) => !isName(field));

/** Unusual texts that the app can still read, for odd records. */
export const oddTexts = {
  long: 'x'.repeat(10_000),
  html: '<img src=x onerror="window.injected=1"><script>window.injected=1</script><b>bold</b>',
  rightToLeft: 'רחוב הנביאים 12, ירושלים',
  emoji: '👩‍👩‍👧‍👦🏠 1️⃣ 🇫🇮',
  control: 'one\u202Eowt\u202C\u0000\n\tthree',
} as const;

/**
 * The changes to the first records of a response: the first change to the first record, and so on. The app cannot read
 * the record that becomes a number.
 */
const oddities: readonly ((record: Fields) => unknown)[] = [
  withTexts(oddTexts.long),
  withTexts(oddTexts.html),
  (record) => mapFields(record, (value, field) => (field === lastField(record) ? undefined : value)),
  withTexts(oddTexts.rightToLeft),
  withTexts(oddTexts.emoji),
  (record) => mapFields(record, () => null),
  () => 17,
  (record) => mapFields(record, (value) => (typeof value === 'string' ? '' : typeof value === 'number' ? 1e20 : value)),
  withTexts(oddTexts.control),
];

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

const oddList = (records: readonly unknown[]): readonly unknown[] =>
  records.map((record, index) => (isFields(record) ? (oddities[index]?.(record) ?? record) : record));

/**
 * Changes the first records of an operation's response in odd ways. A response that is a single record gets null as its
 * last field.
 */
const withOddRecords = (answer: unknown): unknown => {
  if (Array.isArray(answer)) return oddList(answer);
  if (!isFields(answer)) return answer;
  for (const [field, value] of Object.entries(answer))
    if (Array.isArray(value)) return { ...answer, [field]: oddList(value) };
  return mapFields(answer, (value, field) => (field === lastField(answer) ? null : value));
};

/** Reads what a rule's `contains` is looked for in, besides the path of the request: its FileName, its Key, or both. */
type Subject = (c: Context<SandboxEnv>) => Promise<string>;

/** Creates the first middleware of a route, which counts the request and applies faults. */
export type Watch = (route: RouteName, subject?: Subject) => MiddlewareHandler<SandboxEnv>;

export const createWatch =
  (stats: StatsRecorder, faults: FaultPlan, reach: Omit<FaultReach, 'released'>): Watch =>
  (route, subject = async () => '') =>
  async (c, next) => {
    stats.begin(route, c.env.outgoing);
    // `released` is taken before the rules are checked, so that a release during the check also applies to this
    // request.
    const released = faults.released();
    const effect = await faults.next({ route, path: c.req.path }, () => subject(c));
    if (effect === undefined) return next();
    return asMiddleware(effect, route, { ...reach, released })(c, next);
  };
