/** Receives the redirect of the browser at the end of a sign-in. */
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { addressRefusal } from '../../contract/connection.ts';
import { DeskError } from '../../contract/errors.ts';
import { portOf } from '../net/urls.ts';

type OpenRedirect = { readonly redirectUri: string; readonly close: () => Promise<void> };

/** Receives the redirect of the authorization server: through a custom scheme, or a listener on 127.0.0.1. */
export type RedirectReceiver = {
  /**
   * Begins to receive. `accept` is called with each URL that can be the callback, and returns whether it is the
   * expected one.
   */
  readonly open: (accept: (callbackUrl: string) => boolean) => Promise<OpenRedirect>;
};

// The receiver for hosts without a custom scheme: a listener on 127.0.0.1 (RFC 8252 section 7.3).

type LoopbackRedirectOptions = {
  /**
   * `http://127.0.0.1:PORT/path` as registered with the service. Without an address or a port, any free port is used.
   */
  readonly redirectUri?: string | undefined;
  readonly words: RedirectWords;
};

/**
 * Creates a receiver that listens from `open` to `close`. Only GET requests for the path of the redirect reach
 * `accept`. `open` rejects with DeskError `auth/failed` (details `error: redirect_unavailable`, `port`) if the port
 * cannot be used.
 * @throws DeskError `input/invalid` if `redirectUri` is not an http address on 127.0.0.1, or has more than a port and a
 * path
 */
export const createLoopbackRedirect = ({ redirectUri, words }: LoopbackRedirectOptions): RedirectReceiver => {
  const { pathname, port: wantedPort } = parseRedirect(redirectUri ?? 'http://127.0.0.1/oauth/callback');
  return {
    open: async (accept) => {
      const { createServer } = await import('node:http');
      const server = createServer();
      const port = await listen(server.listen(wantedPort, '127.0.0.1'), wantedPort);
      const origin = new URL(`http://127.0.0.1:${port}`);
      let responded: Promise<unknown> = Promise.resolve();

      server.on('request', (request: IncomingMessage, response: ServerResponse) => {
        const callback = addressOf(request, origin);
        const accepted = callback?.pathname === pathname && accept(callback.href);
        const refused = accepted && callback.searchParams.has('error');
        const page = redirectPage(refused ? 'refused' : accepted ? 'accepted' : 'unknown', words);
        if (accepted) responded = once(response, 'close');
        response.writeHead(page.status, page.headers).end(page.body);
      });

      return {
        redirectUri: redirectUri !== undefined && wantedPort !== 0 ? redirectUri : new URL(pathname, origin).href,
        close: async () => {
          await responded;
          const closed = once(server, 'close');
          server.close();
          // Otherwise the server would wait for connections that a browser has opened and never used.
          server.closeAllConnections();
          await closed;
        },
      };
    },
  };
};

/**
 * Returns the requested URL; undefined if it cannot be a callback. The Host header is checked to reject web pages that
 * reach the listener by a host name of their own (DNS rebinding).
 */
const addressOf = ({ method, headers, url = '' }: IncomingMessage, origin: URL): URL | undefined =>
  method === 'GET' && headers.host === origin.host && URL.canParse(url, origin) ? new URL(url, origin) : undefined;

/** Returns the path and the port of `redirectUri`. The port is 0 if the address has none. Errors: `input/invalid`. */
const parseRedirect = (redirectUri: string): { readonly pathname: string; readonly port: number } => {
  const url = URL.canParse(redirectUri) ? new URL(redirectUri) : undefined;
  const isLoopback = url?.protocol === 'http:' && url.hostname === '127.0.0.1';
  if (isLoopback && addressRefusal('redirectUri', redirectUri) === undefined) {
    // `URL` drops port 80 of an http address, so the port is read from the same address with https.
    const port = url.port || new URL(redirectUri.replace(/http/i, 'https')).port;
    return { pathname: url.pathname, port: Number(port) };
  }
  throw new DeskError('input/invalid', 'the redirect address must be http://127.0.0.1:PORT/path', {
    details: { field: 'redirectUri' },
  });
};

const listen = async (server: Server, port: number): Promise<number> => {
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new DeskError('auth/failed', 'the port for the redirect cannot be used', {
      details: { error: 'redirect_unavailable', port },
      cause: error,
    });
  }
  return portOf(server);
};

/**
 * How a request ended. `accepted`: it was the expected callback, without an error; `refused`: it was the expected
 * callback, with an error; `unknown`: it was another request.
 */
type RedirectOutcome = 'accepted' | 'refused' | 'unknown';

/**
 * Returns the texts of the page that the browser shows at the end of a sign-in, without markup. `locale`: the language
 * of the texts, a BCP 47 tag.
 */
export type RedirectWords = (outcome: RedirectOutcome) => {
  readonly locale: string;
  readonly title: string;
  readonly text: string;
};

const redirectPage = (outcome: RedirectOutcome, words: RedirectWords) => {
  const { locale, title, text } = words(outcome);
  return {
    status: outcome === 'unknown' ? 404 : 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      // The page loads nothing. Its URL contains the code, which must not be sent anywhere.
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      connection: 'close',
    },
    body: `<!doctype html>
<html lang="${locale}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title} - Inspection Desk</title>
<h1>Inspection Desk</h1>
<p>${text}</p>
</html>
`,
  };
};
