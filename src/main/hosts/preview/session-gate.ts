/** Admits one browser, the first to open the printed address. All other requests are answered with 403. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';

/** A gate and the secret that opens it once. */
export type SessionGate = {
  readonly secret: string;
  /** For the page itself, which is no secret. Exchanges the secret for the key. */
  readonly door: MiddlewareHandler;
  /** For all that the page does: nothing without the key. */
  readonly guard: MiddlewareHandler;
};

/** The header with the key. Another origin cannot send it: this server answers no preflight. */
export const keyHeader = 'X-Inspection-Desk-Key';

const refusal = 'Open the address that Inspection Desk printed. It works only once: restart the preview for a new one.';

/**
 * The gate of a server at `origin` (`http://127.0.0.1:PORT`). `/?secret=…` is exchanged once for a key, in the part of an
 * address that is sent to nobody; the page keeps it for its own origin. There is no cookie, since browsers send those to
 * every port of a machine. Host is checked against DNS rebinding, Origin and Sec-Fetch-Site against other sites.
 */
export const createSessionGate = (origin: string): SessionGate => {
  const { host } = new URL(origin);
  const secret = randomBytes(32).toString('base64url');
  const key = randomBytes(32).toString('base64url');
  let isUsed = false;

  const isOwnSite = (c: Context): boolean => {
    const sentFrom = c.req.header('origin');
    const isRead = c.req.method === 'GET';
    const site = c.req.header('sec-fetch-site') ?? 'none';
    return (
      c.req.header('host') === host &&
      (sentFrom === origin || (isRead && sentFrom === undefined)) &&
      ['same-origin', 'none'].includes(site)
    );
  };
  const fromElsewhere = (c: Context): Response => c.text('This request comes from another site.', 403);

  return {
    secret,
    door: async (c, next) => {
      if (!isOwnSite(c)) return fromElsewhere(c);
      const given = c.req.query('secret');
      if (given === undefined) return next();
      if (c.req.path !== '/' || isUsed || !isEqual(given, secret)) return c.text(refusal, 403);
      isUsed = true;
      return c.redirect(`/#${key}`);
    },
    guard: async (c, next) => (isEqual(c.req.header(keyHeader), key) ? next() : c.text(refusal, 403)),
  };
};

const isEqual = (given: string | undefined, secret: string): boolean => {
  const [a, b] = [Buffer.from(given ?? ''), Buffer.from(secret)];
  return a.length === b.length && timingSafeEqual(a, b);
};
