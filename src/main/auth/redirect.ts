/** Receives the browser's redirect after a sign-in. */
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { addressRefusal } from '../../contract/connection.ts';
import { DeskError } from '../../contract/errors.ts';
import { portOf } from '../net/urls.ts';

/** A receiver that is ready for the redirect of one sign-in. */
type OpenRedirect = { readonly redirectUri: string; readonly close: () => Promise<void> };

/** How the authorization server's redirect reaches the app: a custom scheme, or a listener on 127.0.0.1. */
export type RedirectReceiver = {
  /**
   * Begins to receive. `accept`: called with each URL that can be the callback; returns whether it is the expected one.
   */
  readonly open: (accept: (callbackUrl: string) => boolean) => Promise<OpenRedirect>;
};

// A redirect that needs no custom scheme: to a listener on 127.0.0.1 (RFC 8252 section 7.3).

type LoopbackRedirectOptions = {
  /**
   * `http://127.0.0.1:PORT/path` as registered with the service. If it is absent, or has no port, any free port is
   * used.
   */
  readonly redirectUri?: string | undefined;
  /** The texts of the page that the browser shows at the end. */
  readonly words: RedirectWords;
};

/**
 * Creates a receiver that listens from `open` to `close` and passes only GET requests for the redirect path to
 * `accept`. `open` rejects with DeskError `auth/failed` (details `error: redirect_unavailable`, `port`) if the port
 * cannot be used.
 * @throws DeskError `input/invalid` if `redirectUri` is not an http address on 127.0.0.1, or has more than a port and a path
 */
export const createLoopbackRedirect = ({ redirectUri, words }: LoopbackRedirectOptions): RedirectReceiver => {
  const { pathname, port: wantedPort } = parseRedirect(redirectUri ?? 'http://127.0.0.1/oauth/callback');
  return {
    open: async (accept) => {
      // Imported on demand, because most commands never open a receiver.
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
          // The server would wait for connections that a browser opened but never used.
          server.closeAllConnections();
          await closed;
        },
      };
    },
  };
};

/**
 * Returns the requested URL if it can be a callback, else undefined. The check of the Host header rejects web pages
 * that reach the listener by a host name of their own (DNS rebinding).
 */
const addressOf = ({ method, headers, url = '' }: IncomingMessage, origin: URL): URL | undefined =>
  method === 'GET' && headers.host === origin.host && URL.canParse(url, origin) ? new URL(url, origin) : undefined;

/** Parses `redirectUri`. `port`: 0 if the address has none. */
const parseRedirect = (redirectUri: string): { readonly pathname: string; readonly port: number } => {
  const url = URL.canParse(redirectUri) ? new URL(redirectUri) : undefined;
  const isLoopback = url?.protocol === 'http:' && url.hostname === '127.0.0.1';
  if (isLoopback && addressRefusal('redirectUri', redirectUri) === undefined) {
    // `URL` drops port 80 of an http address, but keeps that of an https address.
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

// The page that the browser shows at the end of a sign-in over the loopback listener.

/**
 * The outcome of a request. `accepted`: the expected callback, without an error; `refused`: the expected callback,
 * which reports an error; `unknown`: any other request.
 */
type RedirectOutcome = 'accepted' | 'refused' | 'unknown';

/** The texts of the page, without markup, in the language `locale` (a BCP 47 tag). */
export type RedirectWords = (outcome: RedirectOutcome) => {
  readonly locale: string;
  readonly title: string;
  readonly text: string;
};

/** Creates the response for `outcome`, with status 404 unless the request is the expected callback. */
const redirectPage = (outcome: RedirectOutcome, words: RedirectWords) => {
  const { locale, title, text } = words(outcome);
  return {
    status: outcome === 'unknown' ? 404 : 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      // The page needs to load nothing, and its URL contains the code, which must not be sent anywhere.
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
