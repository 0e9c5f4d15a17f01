/** What a fault does to a request: one middleware for each effect of rules.ts. */
import { setTimeout } from 'node:timers/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context, MiddlewareHandler } from 'hono';
import { bearerToken } from '../http/bearer.ts';
import type { Body, SandboxEnv } from '../http/environment.ts';
import type { RouteName } from '../http/route-names.ts';
import { cutAt, delayedEnd, pausedAt } from './body.ts';
import { withOddRecords } from './odd-records.ts';
import type { FaultEffect } from './rules.ts';

/** What an effect needs from the sandbox for one request. */
export type FaultReach = {
  readonly now: () => number;
  readonly revokeAccess: (accessToken: string) => void;
  /** Aborted when the sandbox closes; ends all waits. */
  readonly closing: AbortSignal;
  /** Resolves when the request is released. */
  readonly released: Promise<void>;
};

type Effect<Type> = Extract<FaultEffect, { type: Type }>;
type Handler = MiddlewareHandler<SandboxEnv>;

/** An effect as middleware around the handler of a request. */
export const asMiddleware = (effect: FaultEffect, route: RouteName, reach: FaultReach): Handler => {
  switch (effect.type) {
    case 'status':
      return status(effect, reach);
    case 'delay':
      return pausing(effect.delayMs, reach);
    case 'stall':
      if (effect.in === 'answer') return stalledAnswer(effect, reach);
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

const stalledAnswer =
  ({ afterBytes = 0, forMs }: Effect<'stall'>, reach: FaultReach): Handler =>
  async (c, next) => {
    await next();
    const body = await beginAnswer(c);
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
  const body = await beginAnswer(c);
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
 * Sends the head of the handler's answer and returns its unsent body. Announces at least one byte, so that even an
 * empty answer can stay unfinished.
 */
const beginAnswer = async (c: Context<SandboxEnv>): Promise<Buffer> => {
  const answered = Buffer.from(await c.res.arrayBuffer());
  const body = answered.length > 0 ? answered : Buffer.from('\n');
  c.env.outgoing.writeHead(c.res.status, { ...Object.fromEntries(c.res.headers), 'content-length': body.length });
  c.env.outgoing.flushHeaders();
  return body;
};

/** Replaces the answer by a response. Hono would merge the headers of the previous one into it. */
const replace = (c: Context<SandboxEnv>, response: Response): void => {
  c.res = undefined;
  c.res = response;
};

/** Waits; rejects as soon as the connection or the sandbox closes. */
const pause = async (c: Context<SandboxEnv>, delayMs: number, reach: FaultReach): Promise<void> => {
  const gone = new AbortController();
  c.env.outgoing.once('close', () => gone.abort());
  await wait(delayMs, AbortSignal.any([gone.signal, reach.closing]), reach);
};

/** Waits until it is released; rejects as soon as `signal` is aborted. */
const wait = async (delayMs: number, signal: AbortSignal, { released }: FaultReach): Promise<void> => {
  const over = new AbortController();
  try {
    await Promise.race([setTimeout(delayMs, undefined, { signal: AbortSignal.any([signal, over.signal]) }), released]);
  } finally {
    over.abort();
  }
};
