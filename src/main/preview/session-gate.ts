/** Lets one browser in: whoever opens the printed address first. Everybody else on the machine or the web gets 403. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';

/** A gate and the secret that opens it once. */
export type SessionGate = { readonly secret: string; readonly middleware: MiddlewareHandler };

/**
 * The gate of a server at `origin` (`http://127.0.0.1:PORT`). `/?secret=…` is exchanged once for a session cookie.
 * Host is checked against DNS rebinding, Origin against other sites, which could otherwise send requests along.
 */
export const createSessionGate = (origin: string): SessionGate => {
  const { host, port } = new URL(origin);
  const secret = randomBytes(32).toString('base64url');
  const session = randomBytes(32).toString('base64url');
  // Cookies ignore ports: two previews at once must not take each other's.
  const cookie = `inspection-desk-${port}`;
  let isUsed = false;

  const isSameSite = (c: Context): boolean => {
    const sentFrom = c.req.header('origin');
    const isRead = c.req.method === 'GET';
    return c.req.header('host') === host && (sentFrom === origin || (isRead && sentFrom === undefined));
  };

  const middleware: MiddlewareHandler = async (c, next) => {
    if (!isSameSite(c)) return c.text('This request comes from another site.', 403);
    if (isEqual(getCookie(c, cookie), session)) return next();
    if (c.req.path !== '/' || isUsed || !isEqual(c.req.query('secret'), secret)) {
      return c.text(
        'Open the address that Inspection Desk has printed. It works once: start it again for a new one.',
        403,
      );
    }
    isUsed = true;
    setCookie(c, cookie, session, { httpOnly: true, sameSite: 'Strict', path: '/' });
    return c.redirect('/');
  };
  return { secret, middleware };
};

const isEqual = (given: string | undefined, secret: string): boolean => {
  const [a, b] = [Buffer.from(given ?? ''), Buffer.from(secret)];
  return a.length === b.length && timingSafeEqual(a, b);
};
