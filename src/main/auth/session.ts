/** Who is signed in at a connection, and the access token to send. */

import { timingSafeEqual } from 'node:crypto';
import { decodeJwt } from 'jose/jwt/decode';
import * as oauth from 'oauth4webapi';
import type { Dispatcher } from 'undici';
import { z } from 'zod';
import type { Connection, SessionStatus } from '../../contract/connection.ts';
import { DeskError, fromErrorData, toErrorData } from '../../contract/errors.ts';
import { onAbort, orCancelled } from '../async/cancel.ts';
import { steadyWallNow } from '../async/clock.ts';
import { createSerial } from '../async/lock.ts';
import { withRetry } from '../async/retry.ts';
import { exchangeInto, startOfText } from '../net/exchange.ts';
import { mayHaveBeenProcessed } from '../net/translate.ts';
import type { RedirectReceiver } from './redirect.ts';
import {
  type AuthorizationServer,
  authorizationServer,
  createNeedsMemory,
  createTokenEndpoint,
  type NeedsMemory,
  oauthError,
  type TokenEndpoint,
  type TokenSet,
} from './token-endpoint.ts';
import type { Vault } from './vault.ts';

export type SessionOptions = {
  readonly connection: Connection;
  /** The token vault of this connection. */
  readonly vault: Vault;
  readonly redirect: RedirectReceiver;
  /** Opens the address in the user's browser, or shows it. */
  readonly openExternal: (url: string) => Promise<void>;
  readonly dispatcher: Dispatcher;
  /** Called with every new status. */
  readonly onChange?: (status: SessionStatus) => void;
  /** Called when renewed tokens could not be stored. The session continues, but ends with the app. */
  readonly onNotice?: (notice: DeskError) => void;
  /** Remembers the service's known requirements at sign-in. Default: not stored. */
  readonly needs?: NeedsMemory;
  readonly signInTimeoutMs?: number;
  /** The limit for one exchange with the token endpoint. */
  readonly tokenTimeoutMs?: number | undefined;
  readonly now?: () => number;
};

export type Session = ReturnType<typeof createSession>;

type TokenRequest = {
  /** A token that the service has just rejected: a different one is returned. */
  readonly stale?: string;
  /** The token of an earlier attempt: the returned one belongs to the same user, if the tokens reveal that. */
  readonly former?: string | undefined;
  readonly signal?: AbortSignal | undefined;
};

const tenMinutesMs = 10 * 60_000;
const closeGraceMs = 5_000;

/** A session of `connection`, signed out until `restore` or `signIn`. @throws DeskError `connection/insecure` */
export const createSession = (options: SessionOptions) => {
  const { connection, vault, redirect, openExternal, dispatcher, onChange, onNotice } = options;
  const { needs = createNeedsMemory() } = options;
  const { signInTimeoutMs = tenMinutesMs, now = steadyWallNow, tokenTimeoutMs: timeoutMs } = options;
  const server = authorizationServer(connection);
  const endpoint = createTokenEndpoint({ server, dispatcher, needs, now, timeoutMs });
  let status: SessionStatus = { state: 'signed-out' };
  let isClosed = false;

  const become = (next: SessionStatus): SessionStatus => {
    status = next;
    onChange?.(next);
    return next;
  };
  const tokens = createStoredTokens({
    vault,
    endpoint,
    // A sign-in in progress is not affected; it has a status of its own.
    onForget: (reason) => {
      if (!signIns.isRunning()) become(signedOut(reason));
    },
    onNotice,
  });

  /**
   * The error for calls without tokens. Calls made just after the session ended get the same error as those in progress
   * at its end.
   */
  const absent = (): DeskError =>
    status.state === 'signed-out' && status.reason?.code === 'auth/expired' ? fromErrorData(status.reason) : required();

  /** Rejects if the authorization server cannot be reached. Any response will do. */
  const reach = async (signal: AbortSignal): Promise<void> => {
    const request = { method: 'GET', url: new URL(connection.authUrl), headers: {}, signal } as const;
    await exchangeInto(dispatcher, request, () => startOfText(0));
  };

  const signIns = createSignIns(signInTimeoutMs, async (signal, onUrl, show = openExternal) => {
    try {
      await vault.prepare();
      const steps = { reach, server, endpoint, redirect, openExternal: show, needs, now, timeoutMs: signInTimeoutMs };
      const onWaiting = ({ expiresAt, url }: { readonly expiresAt: number; readonly url: string }) => {
        onUrl(url);
        become({ state: 'waiting', expiresAtMs: expiresAt });
      };
      const fresh = await runSignIn(steps, onWaiting, signal);
      await tokens.replace(fresh);
      return become(signedIn(fresh));
    } catch (error) {
      const cancelled = error instanceof DeskError && error.code === 'auth/cancelled';
      const present = tokens.present();
      become(present === undefined ? signedOut(cancelled ? undefined : error) : signedIn(present));
      throw error;
    }
  });

  return {
    status: (): SessionStatus => status,
    /**
     * The user whose tokens are sent now, even while another sign-in is in progress. `subject`: absent if the tokens do
     * not contain it.
     */
    user: (): { readonly signedIn: boolean; readonly subject?: string | undefined } => {
      const present = tokens.present();
      return { signedIn: present !== undefined, subject: present && subjectOf(present.accessToken) };
    },
    /** The present access token, which may have expired; undefined: nobody is signed in. */
    present: (): string | undefined => tokens.present()?.accessToken,
    /**
     * Restores the stored session. Works without a network, because it does not call the service. Never rejects: a failure
     * (`vault/unreadable`, `keychain/unavailable`) becomes the reason for being signed out.
     */
    restore: async (): Promise<SessionStatus> => {
      try {
        const stored = await tokens.load();
        return become(stored === undefined ? signedOut() : signedIn(stored));
      } catch (error) {
        return become(signedOut(error));
      }
    },
    /**
     * Signs in with the browser. A newer sign-in replaces one that waits, because the user has probably lost its page; the
     * older one rejects with `auth/cancelled`. If the sign-in fails, an earlier session stays. `show`: opens or shows the
     * address instead of `openExternal`.
     * @throws DeskError `keychain/unavailable` (before the browser opens), `auth/timeout` (after 10 minutes),
     *   `auth/cancelled` (also when `signal` is aborted), `auth/browser`, `auth/denied`, `auth/failed`, `service/…`
     */
    signIn: signIns.start,
    /** Ends the sign-in in progress; resolves when it has ended. */
    cancelSignIn: signIns.cancel,
    /** The URL of the sign-in in progress. Only for the user. @throws DeskError `auth/cancelled` if there is none */
    signInAddress: signIns.url,
    /**
     * Opens the browser again for the sign-in in progress. @throws DeskError `auth/cancelled` if there is none,
     * `auth/browser`
     */
    openAgain: async (): Promise<void> => browse(openExternal, signIns.url()),
    /**
     * Removes the tokens from memory and from the vault. The interface has no operation to revoke them at the service.
     * @throws DeskError `data/unwritable` if the stored ones could not be removed
     */
    signOut: async (): Promise<void> => {
      await signIns.cancel();
      await tokens.forget();
    },
    /**
     * An access token to send.
     * @throws DeskError `auth/required` (nobody is signed in, or another user), `auth/expired` (the service ended the
     *   session), `auth/refresh-refused`, `auth/token-…`, `service/…` (the refresh failed; the session stays), `app/cancelled`.
     */
    accessToken: async ({ stale, former = stale, signal }: TokenRequest = {}): Promise<string> => {
      // For a call that was waiting when the session was closed: another session of the connection may have signed out since.
      if (isClosed) throw new DeskError('app/cancelled', 'the connection was closed');
      const current = tokens.present();
      if (current === undefined) throw absent();
      // Tokens are decoded only once they have been renewed: every call comes here.
      const isRenewed = former !== undefined && former !== current.accessToken;
      if (isRenewed && subjectOf(former) !== subjectOf(current.accessToken)) throw required();
      if (stale !== current.accessToken && now() < current.refreshAt) return current.accessToken;
      try {
        return (await orCancelled(tokens.refresh(current), signal)).accessToken;
      } catch (error) {
        // The refresh was early, so the present token can still be used.
        const stands = error instanceof DeskError && tokens.present() === current && signal?.aborted !== true;
        if (stands && stale === undefined && now() < current.expiresAt) return current.accessToken;
        throw error;
      }
    },
    /**
     * Ends a sign-in in progress and lets a refresh in progress store its tokens (5 s at most), because the old ones are void. From
     * then on there is no access token.
     */
    close: async (): Promise<void> => {
      isClosed = true;
      await signIns.cancel();
      await orCancelled(tokens.refreshed(), AbortSignal.timeout(closeGraceMs)).catch(() => {});
      tokens.stopRefresh();
    },
  };
};

const signedIn = ({ accessToken }: TokenSet): SessionStatus => {
  const subject = subjectOf(accessToken);
  return { state: 'signed-in', ...(subject === undefined ? {} : { subject }) };
};

const signedOut = (reason?: unknown): SessionStatus => ({
  state: 'signed-out',
  ...(reason === undefined ? {} : { reason: toErrorData(reason) }),
});

type ShowAddress = SessionOptions['openExternal'];

/** Runs one sign-in at a time: a newer one replaces one in progress. `signIn` reports its URL when it waits for the user. */
const createSignIns = (
  timeoutMs: number,
  signIn: (signal: AbortSignal, onUrl: (url: string) => void, show?: ShowAddress) => Promise<SessionStatus>,
) => {
  let attempt: { readonly stop: () => void; readonly ended: Promise<unknown> } | undefined;
  let waitingAt: string | undefined;
  const onUrl = (url: string): void => {
    waitingAt = url;
  };
  const cancel = async (): Promise<void> => {
    attempt?.stop();
    await attempt?.ended;
  };
  return {
    isRunning: (): boolean => attempt !== undefined,
    url: (): string => {
      if (waitingAt === undefined) throw new DeskError('auth/cancelled', 'no sign-in is in progress');
      return waitingAt;
    },
    cancel,
    start: async (signal?: AbortSignal, show?: ShowAddress): Promise<SessionStatus> => {
      // A loop, because several callers may wait for the same attempt, and only one of them may be next.
      while (attempt !== undefined) await cancel();
      const ending = new AbortController();
      const stop = () => ending.abort(new DeskError('auth/cancelled', 'the sign-in was cancelled'));
      const expire = () => ending.abort(new DeskError('auth/timeout', 'the sign-in took too long'));
      const timer = setTimeout(expire, timeoutMs);
      const stopListening = signal && onAbort(signal, stop);
      const result = signIn(ending.signal, onUrl, show).finally(() => {
        clearTimeout(timer);
        stopListening?.();
        attempt = undefined;
        waitingAt = undefined;
      });
      attempt = { stop, ended: result.catch(() => {}) };
      return result;
    },
  };
};

type StoredTokensOptions = {
  readonly vault: Vault;
  readonly endpoint: TokenEndpoint;
  /** Called when the tokens have been removed from memory, but not yet from the vault. */
  readonly onForget: (reason: DeskError | undefined) => void;
  readonly onNotice: ((notice: DeskError) => void) | undefined;
};

/** The tokens of a session, in memory and in the vault, renewed by one request however many callers wait. */
const createStoredTokens = ({ vault, endpoint, onForget, onNotice }: StoredTokensOptions) => {
  /** Writes to the vault one after another, so that a removal never overtakes an earlier save. */
  const inTurn = createSerial();
  let tokens: TokenSet | undefined;
  /** The refresh in progress, shared by all callers. */
  let refreshing: { readonly of: TokenSet; readonly result: Promise<TokenSet>; readonly stop: () => void } | undefined;

  const stopRefresh = (): void => refreshing?.stop();

  const forget = async (reason?: DeskError): Promise<void> => {
    tokens = undefined;
    stopRefresh();
    onForget(reason);
    await inTurn(vault.erase);
  };

  /** Reports an error that must not fail the current call. */
  const notice = (error: unknown): void => {
    if (!(error instanceof DeskError)) throw error;
    onNotice?.(error);
  };

  const renew = async (old: TokenSet, signal: AbortSignal): Promise<TokenSet> => {
    // The user signed out or in again in the meantime; the result must not restore the old session.
    const overtaken = () => tokens !== old;
    const next = await endpoint.refresh(old, signal).catch(async (error: unknown) => {
      if (signal.aborted && overtaken()) throw required();
      const refused = error instanceof DeskError && error.code === 'auth/expired';
      if (refused && !overtaken()) await forget(error).catch(notice);
      throw error;
    });
    await inTurn(async () => {
      if (!overtaken()) await vault.save(next).catch(notice);
      if (overtaken()) throw required();
      tokens = next;
    });
    return next;
  };

  return {
    present: (): TokenSet | undefined => tokens,
    load: async (): Promise<TokenSet | undefined> => {
      tokens = await vault.load();
      return tokens;
    },
    replace: (fresh: TokenSet): Promise<void> =>
      inTurn(async () => {
        await vault.save(fresh);
        tokens = fresh;
        stopRefresh();
      }),
    forget,
    refresh: (old: TokenSet): Promise<TokenSet> => {
      if (refreshing?.of !== old) {
        stopRefresh();
        const stopping = new AbortController();
        const result = renew(old, stopping.signal).finally(() => {
          if (refreshing?.result === result) refreshing = undefined;
        });
        refreshing = { of: old, result, stop: () => stopping.abort() };
      }
      return refreshing.result;
    },
    /** Resolves when the refresh in progress, if any, has ended. */
    refreshed: (): Promise<unknown> => Promise.allSettled([refreshing?.result]),
    stopRefresh,
  };
};

const required = (): DeskError => new DeskError('auth/required', 'nobody is signed in');

const Claims = z.object({ sub: z.string().min(1) });

/**
 * The `sub` of `accessToken` if that is a JWT (RFC 7519), else undefined.
 * Not verified: the app has no key of the service, got the token from its token endpoint itself, and uses the
 * subject only to keep the queues of two users apart. The service decides what the token permits.
 */
export const subjectOf = (accessToken: string): string | undefined => {
  try {
    return Claims.safeParse(decodeJwt(accessToken)).data?.sub;
  } catch {
    return undefined;
  }
};

// One sign-in: the browser, the redirect, the code exchange.

type SignInSteps = {
  /** Rejects with `service/…` if the authorization server cannot be reached. */
  readonly reach: (signal: AbortSignal) => Promise<void>;
  readonly server: AuthorizationServer;
  readonly endpoint: TokenEndpoint;
  readonly redirect: RedirectReceiver;
  readonly openExternal: (url: string) => Promise<void>;
  readonly needs: NeedsMemory;
  readonly now: () => number;
  /** The time limit for the user to sign in. */
  readonly timeoutMs: number;
};

/** Called when the wait for the user begins. `expiresAt`: when it ends (ms since 1970); `url`: for the browser. */
type OnWaiting = (pending: Pick<PendingAuthorization, 'expiresAt' | 'url'>) => void;

/**
 * Runs the authorization code flow. The redirect receiver is closed when the flow ends.
 * If a service was asked for `offline_access` and issued no refresh token, it is asked once more, with `prompt=consent`:
 * without `prompt=consent`, such a service ignores the scope (OpenID Connect Core section 11). Other services reject `prompt=consent` for users who
 * are not allowed to consent, so it is not sent at first.
 * @throws DeskError `auth/browser`, `auth/denied`, `auth/failed`, `auth/no-refresh-token`, `auth/token-…`, `service/…`; the
 *   reason of `signal` if aborted
 */
const runSignIn = async (steps: SignInSteps, onWaiting: OnWaiting, signal: AbortSignal): Promise<TokenSet> => {
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
const browse = async (openExternal: (url: string) => Promise<void>, url: string): Promise<void> => {
  try {
    await openExternal(url);
  } catch (error) {
    throw new DeskError('auth/browser', 'the browser could not be opened', { cause: error });
  }
};

// An authorization request (RFC 6749 section 4.1, RFC 7636) from the URL that the browser opens to the callback.

type PendingAuthorization = Awaited<ReturnType<typeof beginAuthorization>>;

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
}) => {
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

  const { promise, resolve } = Promise.withResolvers<URL>();
  let isTaken = false;

  const accept = (callbackUrl: string): boolean => {
    if (isTaken || now() >= expiresAt || !URL.canParse(callbackUrl)) return false;
    const arrived = new URL(callbackUrl);
    if (!sameTarget(arrived, new URL(redirectUri)) || !sameText(arrived.searchParams.getAll('state'), state))
      return false;
    resolve(arrived);
    isTaken = true;
    return true;
  };

  return {
    /** The URL for the browser to open. */
    url: url.href,
    redirectUri,
    codeVerifier,
    /** No callback is accepted after this time; ms since 1970. */
    expiresAt,
    /**
     * Accepts the callback if it is the expected one, and returns whether it was. Anything else (another address, a wrong or
     * missing state, used before, expired) is ignored without a trace, so that the sender learns nothing.
     */
    accept,
    /** The accepted callback; pending until there is one, never rejected. */
    callback: promise,
  };
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
