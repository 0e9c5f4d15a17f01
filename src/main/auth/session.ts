/** The session of a connection: sign-in, sign-out, and the access token for calls. */

import { timingSafeEqual } from 'node:crypto';
import { attempt } from 'es-toolkit/util/attempt';
import { decodeJwt } from 'jose/jwt/decode';
import * as oauth from 'oauth4webapi';
import type { Dispatcher } from 'undici';
import { z } from 'zod';
import type { Connection, SessionStatus } from '../../contract/connection.ts';
import { DeskError, fromErrorData, onDeskError, toErrorData } from '../../contract/errors.ts';
import { onAbort, orCancelled } from '../async/cancel.ts';
import { steadyWallNow } from '../async/clock.ts';
import { createSerial } from '../async/lock.ts';
import { withRetry } from '../async/retry.ts';
import { probeHost } from '../net/host-health.ts';
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

type SessionOptions = {
  readonly connection: Connection;
  readonly vault: Vault;
  readonly redirect: RedirectReceiver;
  /** Opens the address in the user's browser, or shows the address to the user. */
  readonly openExternal: (url: string) => Promise<void>;
  readonly dispatcher: Dispatcher;
  readonly onChange?: (status: SessionStatus) => void;
  /** Called when the service has ended the session, also during a sign-in, before the status changes. */
  readonly onExpired?: () => void;
  /**
   * Called with an error of the vault that makes no call fail. Either renewed tokens could not be stored, so that the
   * session ends with the app, or expired tokens could not be removed.
   */
  readonly onNotice?: (notice: DeskError) => void;
  readonly needs?: NeedsMemory;
  readonly signInTimeoutMs?: number;
  readonly tokenTimeoutMs?: number | undefined;
  readonly now?: () => number;
};

export type Session = ReturnType<typeof createSession>;

type TokenRequest = {
  /** A token that the service has just rejected. The call returns a different token. */
  readonly stale?: string;
  /**
   * The token of an earlier attempt. The call rejects with `auth/required` if the present token is that of another
   * user.
   */
  readonly former?: string | undefined;
  readonly signal?: AbortSignal | undefined;
};

const tenMinutesMs = 10 * 60_000;
const closeGraceMs = 5_000;

/**
 * Creates a session, which is signed out until `restore` or `signIn`.
 * @throws DeskError `connection/insecure`, `input/invalid`
 */
export const createSession = (options: SessionOptions) => {
  const { connection, vault, redirect, openExternal, dispatcher, onChange, onExpired, onNotice } = options;
  const { needs = createNeedsMemory() } = options;
  const { signInTimeoutMs = tenMinutesMs, now = steadyWallNow, tokenTimeoutMs: timeoutMs } = options;
  const server = authorizationServer(connection);
  const endpoint = createTokenEndpoint({ server, dispatcher, needs, now, timeoutMs });
  let status: SessionStatus = { state: 'signed-out' };
  /** The status to which a cancelled sign-in returns. */
  let beforeSignIn: SessionStatus = status;
  let isClosed = false;
  let restoring: Promise<SessionStatus> | undefined;

  const become = (next: SessionStatus): void => {
    status = next;
    if (next.state !== 'waiting') beforeSignIn = next;
    onChange?.(next);
  };
  const tokens = createStoredTokens({
    vault,
    endpoint,
    onForget: (reason) => {
      if (reason !== undefined) onExpired?.();
      // A sign-in in progress sets the status when the sign-in ends.
      if (signIns.isRunning()) beforeSignIn = signedOut(reason);
      else become(signedOut(reason));
    },
    onNotice,
  });

  /**
   * Creates the error of a call without tokens: `auth/expired` after the service has ended the session, until the
   * status changes; otherwise `auth/required`.
   */
  const absent = (): DeskError =>
    status.state === 'signed-out' && status.reason?.code === 'auth/expired' ? fromErrorData(status.reason) : required();

  /** Whether a stored session may exist that could not be restored, for example because the keychain was locked. */
  const mayBeStored = (): boolean =>
    status.state === 'signed-out' &&
    (status.reason?.code === 'keychain/unavailable' || status.reason?.code === 'vault/unreadable');

  const signIns = createSignIns(signInTimeoutMs, async (signal, onUrl, show = openExternal) => {
    try {
      const restored = await orCancelled(Promise.resolve(restoring), signal);
      if (restored?.state === 'signed-in') return;
      if (mayBeStored()) {
        const stored = await tokens.load(signal).catch(unlessUnreadable);
        if (stored !== undefined) return become(signedIn(stored));
      }
      // The keychain may wait for a minute until the user responds to its prompt.
      await orCancelled(vault.prepare(), signal);
      const expiresAtMs = now() + signInTimeoutMs;
      const onWaiting = (url: string): void => {
        onUrl(url);
        become({ state: 'waiting', expiresAtMs });
      };
      const isOver = (): boolean => now() >= expiresAtMs;
      // Fails before the browser opens if the server cannot be reached. Otherwise the browser would show its own error
      // page, and the sign-in would wait for ten minutes.
      await probeHost(dispatcher, new URL(connection.authUrl).origin, signal);
      const steps = { server, endpoint, redirect, openExternal: show, needs, onWaiting, isOver };
      const fresh = await runSignIn(steps, signal);
      // The keychain may have been locked again. Its prompt does not prevent cancelling, whereas `replace` completes.
      await orCancelled(vault.prepare(), signal);
      await tokens.replace(fresh);
      become(signedIn(fresh));
    } catch (error) {
      const cancelled = error instanceof DeskError && error.code === 'auth/cancelled';
      const present = tokens.present();
      if (present !== undefined) become(signedIn(present));
      else become(cancelled ? beforeSignIn : signedOut(error));
      throw error;
    }
  });

  const restore = async (): Promise<SessionStatus> => {
    let next: SessionStatus;
    try {
      const stored = await tokens.load();
      next = stored === undefined ? signedOut() : signedIn(stored);
    } catch (error) {
      next = signedOut(error);
    }
    restoring = undefined;
    if (!isClosed) become(next);
    return status;
  };

  return {
    status: (): SessionStatus => status,
    /**
     * The user whose token is sent with calls, even while another sign-in is in progress. `subject`: undefined if the
     * token does not contain a subject.
     */
    user: (): { readonly signedIn: boolean; readonly subject?: string | undefined } => {
      const present = tokens.present();
      return { signedIn: present !== undefined, subject: present && subjectOf(present.accessToken) };
    },
    /** The present access token, which may have expired; undefined if nobody is signed in. */
    present: (): string | undefined => tokens.present()?.accessToken,
    /**
     * Restores the stored session, without calling the service. Never rejects: a failure (such as `vault/unreadable` or
     * `keychain/unavailable`) becomes the reason for being signed out. A sign-in waits until the restore has ended.
     */
    restore: (): Promise<SessionStatus> => {
      restoring = restore();
      return restoring;
    },
    /**
     * Signs in with the browser, or restores the stored session if it could not be restored before. Replaces a sign-in
     * in progress, which rejects with `auth/cancelled`: the user has probably lost the page of that sign-in. If the
     * sign-in fails, an earlier session stays. `show` opens or shows the address instead of `openExternal`.
     * @throws DeskError `keychain/unavailable` (usually before the browser opens), `auth/…` (`auth/timeout` after 10
     * minutes, `auth/cancelled` also when `signal` is aborted), `service/…`, `network/…`, `data/unwritable` (storing
     * failed)
     */
    signIn: signIns.start,
    /**
     * Signs in unless a user is signed in. Waits for a sign-in in progress instead of replacing it, and signs in if
     * that fails. Parameters and errors: those of `signIn`; the `cancellation` of `signal` during the wait.
     */
    ensureSignedIn: async (signal?: AbortSignal, show?: ShowAddress): Promise<void> => {
      while (signIns.isRunning()) await signIns.ended(signal);
      if (status.state !== 'signed-in') await signIns.start(signal, show);
    },
    /** Cancels the sign-in in progress, and resolves when it has ended. Does nothing without a sign-in. */
    cancelSignIn: signIns.cancel,
    /**
     * Returns the URL of the sign-in that waits for the user. The URL may be shown or copied for the user, but must not
     * be logged or sent to the renderer.
     * @throws DeskError `auth/cancelled` if no sign-in waits
     */
    signInAddress: signIns.url,
    /**
     * Opens the browser again for the sign-in that waits for the user.
     * @throws DeskError `auth/cancelled` if no sign-in waits, `auth/browser`
     */
    openAgain: async (): Promise<void> => browse(openExternal, signIns.url()),
    /**
     * Cancels a sign-in in progress, and removes the tokens from memory and the vault. Does not revoke the tokens,
     * because the API has no operation for that.
     * @throws DeskError `data/unwritable` if the stored tokens could not be removed
     */
    signOut: async (): Promise<void> => {
      await signIns.cancel();
      await tokens.forget();
    },
    /**
     * Resolves to an access token for a call. A token that is about to expire is renewed first.
     * @throws DeskError `auth/required` (nobody is signed in, or another user), `auth/expired` (the service ended the
     * session), `app/cancelled`; `auth/refresh-refused`, `auth/token-…`, `service/…`, `network/…` (the refresh failed,
     * and the session stays)
     */
    accessToken: async ({ stale, former = stale, signal }: TokenRequest = {}): Promise<string> => {
      // A call can outlive its session. After `close`, the user may have signed out in another session of the
      // connection.
      if (isClosed) throw new DeskError('app/cancelled', 'the connection was closed');
      const current = tokens.present();
      if (current === undefined) throw absent();
      // Tokens are decoded only after a renewal, because this function runs for every call.
      const isRenewed = former !== undefined && former !== current.accessToken;
      if (isRenewed && subjectOf(former) !== subjectOf(current.accessToken)) throw required();
      if (stale !== current.accessToken && now() < current.refreshAt) return current.accessToken;
      try {
        return (await orCancelled(tokens.refresh(current), signal)).accessToken;
      } catch (error) {
        // Tokens are renewed before they expire, so the present token can often still be used after a failed refresh.
        const stands = error instanceof DeskError && tokens.present() === current && signal?.aborted !== true;
        if (stands && stale === undefined && now() < current.expiresAt) return current.accessToken;
        throw error;
      }
    },
    /**
     * Cancels a sign-in in progress. Waits up to 5 s until a refresh in progress has stored its tokens, because the
     * refresh may have invalidated the old tokens. Every later `accessToken` rejects with `app/cancelled`.
     */
    close: async (): Promise<void> => {
      isClosed = true;
      await signIns.cancel();
      await orCancelled(tokens.refreshed(), AbortSignal.timeout(closeGraceMs)).catch(() => {});
      tokens.stopRefresh();
    },
  };
};

/** Returns undefined if `error` says that the stored tokens cannot be read, and throws any other error. */
const unlessUnreadable = (error: unknown): undefined => {
  if (error instanceof DeskError && error.code === 'vault/unreadable') return;
  throw error;
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

/**
 * Runs sign-ins one at a time: a new sign-in first cancels one in progress. `signIn` calls `onUrl` when it begins to
 * wait for the user.
 */
const createSignIns = (
  timeoutMs: number,
  signIn: (signal: AbortSignal, onUrl: (url: string) => void, show?: ShowAddress) => Promise<void>,
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
    /** Resolves once the present sign-in has ended. */
    ended: (signal?: AbortSignal) => orCancelled(Promise.resolve(attempt?.ended), signal),
    start: async (signal?: AbortSignal, show?: ShowAddress): Promise<void> => {
      // A loop, because several callers can wait for the same attempt to end, and only one of them begins the next
      // attempt.
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
  /** Called after the tokens were removed from memory, and before they are removed from the vault. */
  readonly onForget: (reason: DeskError | undefined) => void;
  readonly onNotice: ((notice: DeskError) => void) | undefined;
};

/**
 * Creates the store of a session's tokens, in memory and in the vault. All callers that need new tokens share one
 * refresh.
 */
const createStoredTokens = ({ vault, endpoint, onForget, onNotice }: StoredTokensOptions) => {
  /** Runs writes to the vault one after another, so that a removal never overtakes an earlier save. */
  const inTurn = createSerial();
  let tokens: TokenSet | undefined;
  /**
   * Increases when the user signs in, and when the tokens are forgotten. The result of a load in progress is then not
   * used.
   */
  let changes = 0;
  let refreshing: { readonly of: TokenSet; readonly result: Promise<TokenSet>; readonly stop: () => void } | undefined;

  const stopRefresh = (): void => refreshing?.stop();

  const forget = async (reason?: DeskError): Promise<void> => {
    changes += 1;
    tokens = undefined;
    stopRefresh();
    onForget(reason);
    await inTurn(vault.erase);
  };

  /** Reports an error that must not make the current call fail. */
  const notice = onDeskError((error) => onNotice?.(error));

  const renew = async (old: TokenSet, signal: AbortSignal): Promise<TokenSet> => {
    // Whether the user has signed out or in again since the refresh began. The result of the refresh must then not
    // restore the old session.
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
    load: async (signal?: AbortSignal): Promise<TokenSet | undefined> => {
      const before = changes;
      const stored = await orCancelled(vault.load(), signal);
      if (changes === before) tokens = stored;
      return tokens;
    },
    replace: (fresh: TokenSet): Promise<void> =>
      inTurn(async () => {
        await vault.save(fresh);
        tokens = fresh;
        changes += 1;
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
    refreshed: (): Promise<unknown> => Promise.allSettled([refreshing?.result]),
    stopRefresh,
  };
};

const required = (): DeskError => new DeskError('auth/required', 'nobody is signed in');

const Claims = z.object({ sub: z.string().min(1) });

/**
 * Returns the `sub` of `accessToken`; undefined if the token is not a JWT (RFC 7519) or has no `sub`. The token is not
 * verified: the app has no key of the service. The subject is only used to tell users apart, and the service decides
 * what the token permits.
 */
const subjectOf = (accessToken: string): string | undefined =>
  Claims.safeParse(attempt(() => decodeJwt(accessToken))[1]).data?.sub;

type SignInSteps = {
  readonly server: AuthorizationServer;
  readonly endpoint: TokenEndpoint;
  readonly redirect: RedirectReceiver;
  readonly openExternal: (url: string) => Promise<void>;
  readonly needs: NeedsMemory;
  /** Called when the sign-in begins to wait for the user, with the address that the browser opens. */
  readonly onWaiting: (url: string) => void;
  /** Whether the sign-in has expired, so that no callback is accepted any more. */
  readonly isOver: () => boolean;
};

/**
 * Runs the authorization code flow, with the redirect receiver open. If the scope contains `offline_access` and the
 * service issues no refresh token, runs the flow again with `prompt=consent`: some services ignore that scope otherwise
 * (OpenID Connect Core section 11). Other services reject `prompt=consent` for users who are not allowed to consent, so
 * the first flow sends `prompt=consent` only if the service is known to require it.
 * @throws DeskError `auth/browser`, `auth/denied`, `auth/failed`, `auth/no-refresh-token`, `auth/token-…`, `service/…`,
 * `network/…`; the `cancellation` of `signal` when `signal` is aborted
 */
const runSignIn = async (
  { server, endpoint, redirect, openExternal, needs, onWaiting, isOver }: SignInSteps,
  signal: AbortSignal,
): Promise<TokenSet> => {
  const authorize = async (consentPrompt: boolean): Promise<TokenSet> => {
    let pending: PendingAuthorization | undefined;
    const door = await redirect.open((callbackUrl) => pending?.accept(callbackUrl) ?? false);
    try {
      const { redirectUri } = door;
      pending = await beginAuthorization(server, redirectUri, consentPrompt, isOver);
      const { url, codeVerifier } = pending;
      onWaiting(url);
      await orCancelled(browse(openExternal, url), signal);
      const callback = readCallback(server, await orCancelled(pending.callback, signal));
      // A code can be exchanged only once, so the exchange is retried only if the server cannot have processed it.
      return await withRetry(() => endpoint.redeem(callback, redirectUri, codeVerifier, signal), {
        attempts: 3,
        signal,
        when: (error) => !mayHaveBeenProcessed(error),
      });
    } finally {
      await door.close();
    }
  };
  const { consentPrompt } = needs.get();
  try {
    return await authorize(consentPrompt);
  } catch (error) {
    const noRefreshToken = error instanceof DeskError && error.code === 'auth/no-refresh-token';
    const asked = server.scope?.split(' ').includes('offline_access');
    if (!noRefreshToken || !asked || consentPrompt) throw error;
  }
  const tokens = await authorize(true);
  needs.learn('consentPrompt');
  return tokens;
};

const browse = async (openExternal: (url: string) => Promise<void>, url: string): Promise<void> => {
  try {
    await openExternal(url);
  } catch (error) {
    throw new DeskError('auth/browser', 'the browser could not be opened', { cause: error });
  }
};

// An authorization request (RFC 6749 section 4.1, RFC 7636): the URL that the browser opens, and the callback.

type PendingAuthorization = Awaited<ReturnType<typeof beginAuthorization>>;

/**
 * Begins an authorization with PKCE S256. One callback is accepted, until `isOver` returns true. The code verifier and
 * the state are never stored.
 */
const beginAuthorization = async (
  server: AuthorizationServer,
  redirectUri: string,
  consentPrompt: boolean,
  isOver: () => boolean,
) => {
  const codeVerifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const url = new URL(server.metadata.authorization_endpoint);
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
    if (isTaken || isOver() || !URL.canParse(callbackUrl)) return false;
    const arrived = new URL(callbackUrl);
    if (!sameTarget(arrived, new URL(redirectUri)) || !sameText(arrived.searchParams.getAll('state'), state))
      return false;
    resolve(arrived);
    isTaken = true;
    return true;
  };

  return {
    url: url.href,
    codeVerifier,
    /**
     * Accepts `callbackUrl` and returns true if it is the expected callback. Returns false for another address, a wrong
     * or missing state, a second callback, and after the sign-in has expired. The sender does not learn the reason.
     */
    accept,
    /** Resolves to the accepted callback. Never rejects. */
    callback: promise,
  };
};

/**
 * Returns the parameters of an accepted callback for the code exchange.
 * @throws DeskError `auth/denied` (the user or the server denied access), `auth/failed`; both with details `error`, if
 * the code of the error is known
 */
const readCallback = ({ metadata, client }: AuthorizationServer, callback: URL): URLSearchParams => {
  // Other parameters are dropped: the API defines none, and `iss` (RFC 9207) cannot be compared, because no issuer is
  // known.
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
