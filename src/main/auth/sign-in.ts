/** One sign-in: the browser, the redirect, the code exchange. */
import { timingSafeEqual } from 'node:crypto';
import * as oauth from 'oauth4webapi';
import { DeskError } from '../../contract/errors.ts';
import { orCancelled } from '../async/cancel.ts';
import { withRetry } from '../async/retry.ts';
import { mayHaveBeenProcessed } from '../net/translate.ts';
import type { RedirectReceiver } from './redirect.ts';
import type { AuthorizationServer } from './token-endpoint.ts';
import { type NeedsMemory, oauthError, type TokenEndpoint, type TokenSet } from './token-endpoint.ts';

type SignInSteps = {
  /** Rejects with `service/…` if the authorization server cannot be reached. */
  readonly reach: (signal: AbortSignal) => Promise<void>;
  readonly server: AuthorizationServer;
  readonly endpoint: TokenEndpoint;
  readonly redirect: RedirectReceiver;
  readonly openExternal: (url: string) => Promise<void>;
  readonly needs: NeedsMemory;
  readonly now: () => number;
  /** The time that the user has. */
  readonly timeoutMs: number;
};

/** Called when the wait for the user begins, with its end (ms since 1970) and the URL for the browser. */
type OnWaiting = (pending: Pick<PendingAuthorization, 'expiresAt' | 'url'>) => void;

/**
 * Runs the authorization code flow. The redirect receiver is closed when it settles.
 * If a service was asked for `offline_access` and issued no refresh token, it is asked once more, with `prompt=consent`:
 * without that, it ignores the scope (OpenID Connect Core section 11). Other services reject `prompt=consent` for users who
 * are not allowed to consent, so it is not sent at first.
 * @throws DeskError `auth/browser`, `auth/denied`, `auth/failed`, `auth/no-refresh-token`, `auth/token-…`, `service/…`; the
 *   reason of `signal` if aborted
 */
export const runSignIn = async (steps: SignInSteps, onWaiting: OnWaiting, signal: AbortSignal): Promise<TokenSet> => {
  const { reach, server, needs, now, timeoutMs } = steps;
  const expiresAt = now() + timeoutMs;
  // Fails early. Otherwise the browser would show its own error page, and the sign-in would wait for ten minutes.
  await reach(signal);
  const { consentPrompt } = needs.get();
  try {
    return await authorize(steps, { consentPrompt, expiresAt }, onWaiting, signal);
  } catch (error) {
    const noRefreshToken = error instanceof DeskError && error.code === 'auth/no-refresh-token';
    const asked = server.scope?.split(' ').includes('offline_access');
    if (!noRefreshToken || !asked || consentPrompt) throw error;
  }
  const tokens = await authorize(steps, { consentPrompt: true, expiresAt }, onWaiting, signal);
  needs.learn('consentPrompt');
  return tokens;
};

const authorize = async (
  { server, endpoint, redirect, openExternal, now }: SignInSteps,
  { consentPrompt, expiresAt }: { readonly consentPrompt: boolean; readonly expiresAt: number },
  onWaiting: OnWaiting,
  signal: AbortSignal,
): Promise<TokenSet> => {
  let pending: PendingAuthorization | undefined;
  const door = await redirect.open((callbackUrl) => pending?.accept(callbackUrl) ?? false);
  try {
    const lifetimeMs = expiresAt - now();
    pending = await beginAuthorization({ server, redirectUri: door.redirectUri, lifetimeMs, consentPrompt, now });
    const { redirectUri, codeVerifier } = pending;
    onWaiting(pending);
    await orCancelled(browse(openExternal, pending.url), signal);
    const callback = readCallback(server, await orCancelled(pending.callback, signal));
    // A code can be exchanged only once, so a retry is allowed only if the server cannot have received the first
    // exchange.
    return await withRetry(() => endpoint.redeem(callback, redirectUri, codeVerifier, signal), {
      attempts: 3,
      signal,
      when: (error) => !mayHaveBeenProcessed(error),
    });
  } finally {
    await door.close();
  }
};

/** @throws DeskError `auth/browser` */
export const browse = async (openExternal: (url: string) => Promise<void>, url: string): Promise<void> => {
  try {
    await openExternal(url);
  } catch (error) {
    throw new DeskError('auth/browser', 'the browser could not be opened', { cause: error });
  }
};

// An authorization request (RFC 6749 section 4.1, RFC 7636) from the URL that the browser opens to the callback.

type PendingAuthorization = {
  /** The URL for the browser to open. */
  readonly url: string;
  readonly redirectUri: string;
  readonly codeVerifier: string;
  /** No callback is accepted after this time; ms since 1970. */
  readonly expiresAt: number;
  /**
   * Accepts the callback if it is the expected one, and returns whether it was. Anything else (another address, a wrong or
   * missing state, used before, expired) is ignored without a trace, so that the sender learns nothing.
   */
  readonly accept: (callbackUrl: string) => boolean;
  /** The accepted callback; pending until there is one, never rejected. */
  readonly callback: Promise<URL>;
};

/**
 * Begins an authorization with PKCE S256 and state, which exist in memory only. It can be used once, within
 * `lifetimeMs`.
 */
export const beginAuthorization = async (options: {
  readonly server: AuthorizationServer;
  readonly redirectUri: string;
  readonly lifetimeMs: number;
  /** Requests `prompt=consent`, even if the user has consented before. */
  readonly consentPrompt?: boolean;
  readonly now: () => number;
}): Promise<PendingAuthorization> => {
  const { server, redirectUri, lifetimeMs, consentPrompt = false, now } = options;
  const codeVerifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const expiresAt = now() + lifetimeMs;
  const url = new URL(server.authorizeUrl);
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: server.client.client_id,
    redirect_uri: redirectUri,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    ...(server.scope !== undefined && { scope: server.scope }),
    ...(consentPrompt && { prompt: 'consent' }),
  }).toString();

  let take: ((callback: URL) => void) | undefined;
  const callback = new Promise<URL>((resolve) => {
    take = resolve;
  });

  const accept = (callbackUrl: string): boolean => {
    if (take === undefined || now() >= expiresAt || !URL.canParse(callbackUrl)) return false;
    const arrived = new URL(callbackUrl);
    if (!sameTarget(arrived, new URL(redirectUri)) || !sameText(arrived.searchParams.getAll('state'), state))
      return false;
    take(arrived);
    take = undefined;
    return true;
  };

  return { url: url.href, redirectUri, codeVerifier, expiresAt, accept, callback };
};

/**
 * The parameters of an accepted callback, ready for the code exchange.
 * @throws DeskError `auth/denied` (the user refused), `auth/failed` with details `error`
 */
export const readCallback = ({ metadata, client }: AuthorizationServer, callback: URL): URLSearchParams => {
  // The API defines no other parameters; `iss` (RFC 9207) could not be compared, as no issuer is known.
  const known = [...callback.searchParams].filter(([name]) => ['code', 'state', 'error'].includes(name));
  try {
    const parameters = oauth.validateAuthResponse(metadata, client, new URLSearchParams(known), oauth.skipStateCheck);
    if (parameters.get('code')) return parameters;
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError) {
      const denied = error.error === 'access_denied';
      throw new DeskError(denied ? 'auth/denied' : 'auth/failed', 'the sign-in was refused', {
        details: oauthError(error.error),
      });
    }
  }
  throw new DeskError('auth/failed', 'the callback holds no code', { details: { error: 'invalid_callback' } });
};

const sameTarget = (a: URL, b: URL): boolean =>
  a.protocol === b.protocol && a.host === b.host && a.pathname === b.pathname;

const sameText = (given: readonly string[], expected: string): boolean => {
  const [a, b] = [Buffer.from(given[0] ?? ''), Buffer.from(expected)];
  return given.length === 1 && a.length === b.length && timingSafeEqual(a, b);
};
