/** Who is signed in at a connection, and the access token to send. */

import { decodeJwt } from 'jose/jwt/decode';
import type { Dispatcher } from 'undici';
import { z } from 'zod';
import type { Connection, SessionStatus } from '../../contract/connection.ts';
import { DeskError, fromErrorData, toErrorData } from '../../contract/errors.ts';
import { orCancelled } from '../async/cancel.ts';
import { steadyWallNow } from '../async/clock.ts';
import { createSerial } from '../async/lock.ts';
import { exchangeInto, startOfText } from '../net/exchange.ts';
import type { RedirectReceiver } from './redirect.ts';
import { browse, runSignIn } from './sign-in.ts';
import {
  authorizationServer,
  createNeedsMemory,
  createTokenEndpoint,
  type NeedsMemory,
  type TokenSet,
} from './token-endpoint.ts';
import type { Vault } from './vault.ts';

export type SessionOptions = {
  readonly connection: Connection;
  /** Of this connection. */
  readonly vault: Vault;
  readonly redirect: RedirectReceiver;
  /** Opens the address in the person's browser, or shows it to them. */
  readonly openExternal: (url: string) => Promise<void>;
  readonly dispatcher: Dispatcher;
  /** Called with every new status. */
  readonly onChange?: (status: SessionStatus) => void;
  /** Called when renewed tokens could not be stored. The session continues, but ends with the app. */
  readonly onNotice?: (notice: DeskError) => void;
  /** What the service has been found to need. Default: not stored. */
  readonly needs?: NeedsMemory;
  readonly signInTimeoutMs?: number;
  /** The limit for one exchange with the token endpoint. */
  readonly tokenTimeoutMs?: number | undefined;
  readonly now?: () => number;
};

export type Session = {
  /**
   * An access token to send. `stale`: a token that the service has just refused; another one is returned. `former`: the
   * token of an earlier try; the returned one belongs to the same user, as far as tokens tell.
   * @throws DeskError `auth/required` (nobody is signed in, or another user), `auth/expired` (the service ended the
   *   session), `auth/refresh-refused`, `auth/token-…`, `service/…` (the refresh failed; the session stays), `app/cancelled`.
   */
  readonly accessToken: (options?: {
    readonly stale?: string;
    readonly former?: string | undefined;
    readonly signal?: AbortSignal | undefined;
  }) => Promise<string>;
  readonly status: () => SessionStatus;
  /** The user whose tokens are sent now, even while another sign-in waits. `subject`: as far as tokens tell. */
  readonly user: () => { readonly signedIn: boolean; readonly subject?: string | undefined };
  /**
   * Restores the stored session. Works without a network, because it does not call the service. Never rejects: a failure
   * (`vault/unreadable`, `keychain/unavailable`) becomes the reason for being signed out.
   */
  readonly restore: () => Promise<SessionStatus>;
  /**
   * Signs in with the browser. A newer sign-in replaces one that waits, because the person has probably lost its page; the
   * older one rejects with `auth/cancelled`. If the sign-in fails, an earlier session stays.
   * @throws DeskError `keychain/unavailable` (before the browser opens), `auth/timeout` (after 10 minutes),
   *   `auth/cancelled` (also when `signal` is aborted), `auth/browser`, `auth/denied`, `auth/failed`, `service/…`
   */
  readonly signIn: (signal?: AbortSignal) => Promise<SessionStatus>;
  /** Ends a sign-in that waits; resolves when it has ended. */
  readonly cancelSignIn: () => Promise<void>;
  /** Opens the browser again for the sign-in that waits. @throws DeskError `auth/cancelled` if none does, `auth/browser` */
  readonly openAgain: () => Promise<void>;
  /** The URL of the sign-in that waits. Only for the person. @throws DeskError `auth/cancelled` */
  readonly signInAddress: () => string;
  /**
   * Removes the tokens from memory and from the vault. The interface has no operation to revoke them at the service.
   * @throws DeskError `data/unwritable` if the stored ones could not be removed
   */
  readonly signOut: () => Promise<void>;
  /** Ends a waiting sign-in and lets a refresh in progress store its tokens (5 s at most), because the old ones are void. */
  readonly close: () => Promise<void>;
};

type SignInAttempt = { readonly stop: () => void; readonly ended: Promise<unknown> };

const tenMinutesMs = 10 * 60_000;
const closeGraceMs = 5_000;

/** A session of `connection`, signed out until `restore` or `signIn`. @throws DeskError `connection/insecure` */
export const createSession = (options: SessionOptions): Session => {
  const { connection, vault, redirect, openExternal, dispatcher, onChange, onNotice } = options;
  const { needs = createNeedsMemory() } = options;
  const { signInTimeoutMs = tenMinutesMs, now = steadyWallNow, tokenTimeoutMs: timeoutMs } = options;
  const server = authorizationServer(connection);
  const endpoint = createTokenEndpoint({ server, dispatcher, needs, now, timeoutMs });
  /** Writes to the vault one after another, so that a removal never overtakes an earlier save. */
  const inTurn = createSerial();

  let status: SessionStatus = { state: 'signed-out' };
  let tokens: TokenSet | undefined;
  /** The refresh in progress, shared by all callers. */
  let refreshing: { readonly of: TokenSet; readonly result: Promise<TokenSet>; readonly stop: () => void } | undefined;
  let attempt: SignInAttempt | undefined;
  /** The URL of the sign-in that waits. */
  let address: string | undefined;

  const become = (next: SessionStatus): SessionStatus => {
    status = next;
    onChange?.(next);
    return next;
  };

  const signedIn = ({ accessToken }: TokenSet): SessionStatus => {
    const subject = subjectOf(accessToken);
    return { state: 'signed-in', ...(subject === undefined ? {} : { subject }) };
  };

  const signedOut = (reason?: unknown): SessionStatus => ({
    state: 'signed-out',
    ...(reason === undefined ? {} : { reason: toErrorData(reason) }),
  });

  const forget = async (reason?: DeskError): Promise<void> => {
    tokens = undefined;
    refreshing?.stop();
    // A sign-in that waits is not affected. It ends with its own status.
    if (attempt === undefined) become(signedOut(reason));
    await inTurn(vault.erase);
  };

  /** Why there are no tokens. Calls made just after the session ended get the same reason as those that saw it end. */
  const absent = (): DeskError =>
    status.state === 'signed-out' && status.reason?.code === 'auth/expired' ? fromErrorData(status.reason) : required();

  /** Reports an error that must not fail the current call. */
  const notice = (error: unknown): void => {
    if (!(error instanceof DeskError)) throw error;
    onNotice?.(error);
  };

  const renew = async (old: TokenSet, signal: AbortSignal): Promise<TokenSet> => {
    // The person signed out or in again meanwhile. The result must not bring the old session back.
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

  const refresh = (old: TokenSet): Promise<TokenSet> => {
    if (refreshing?.of !== old) {
      refreshing?.stop();
      const stopping = new AbortController();
      const result = renew(old, stopping.signal).finally(() => {
        if (refreshing?.result === result) refreshing = undefined;
      });
      refreshing = { of: old, result, stop: () => stopping.abort() };
    }
    return refreshing.result;
  };

  /** Any answer will do. */
  const reach = async (signal: AbortSignal): Promise<void> => {
    const request = { method: 'GET', url: new URL(connection.authUrl), headers: {}, signal } as const;
    await exchangeInto(dispatcher, request, () => startOfText(0));
  };

  const signInOnce = async (signal: AbortSignal): Promise<SessionStatus> => {
    try {
      await vault.prepare();
      const steps = { reach, server, endpoint, redirect, openExternal, needs, now, timeoutMs: signInTimeoutMs };
      const onWaiting = ({ expiresAt, url }: { readonly expiresAt: number; readonly url: string }) => {
        address = url;
        become({ state: 'waiting', expiresAtMs: expiresAt });
      };
      const fresh = await runSignIn(steps, onWaiting, signal);
      await inTurn(async () => {
        await vault.save(fresh);
        tokens = fresh;
        refreshing?.stop();
      });
      return become(signedIn(fresh));
    } catch (error) {
      const cancelled = error instanceof DeskError && error.code === 'auth/cancelled';
      become(tokens === undefined ? signedOut(cancelled ? undefined : error) : signedIn(tokens));
      throw error;
    }
  };

  const signInAddress = (): string => {
    if (address === undefined) throw new DeskError('auth/cancelled', 'no sign-in is in progress');
    return address;
  };

  const cancelSignIn = async (): Promise<void> => {
    attempt?.stop();
    await attempt?.ended;
  };

  return {
    status: () => status,
    user: () => ({ signedIn: tokens !== undefined, subject: tokens && subjectOf(tokens.accessToken) }),

    restore: async () => {
      try {
        tokens = await vault.load();
        return become(tokens === undefined ? signedOut() : signedIn(tokens));
      } catch (error) {
        return become(signedOut(error));
      }
    },

    signIn: async (signal) => {
      // A loop, because several callers may wait for the same attempt, and only one of them may be next.
      while (attempt !== undefined) await cancelSignIn();
      const limits = createSignInLimits(signInTimeoutMs, signal);
      const result = signInOnce(limits.signal).finally(() => {
        limits.clear();
        attempt = undefined;
        address = undefined;
      });
      attempt = { stop: limits.stop, ended: result.catch(() => {}) };
      return result;
    },

    cancelSignIn,
    signInAddress,
    openAgain: async () => browse(openExternal, signInAddress()),

    signOut: async () => {
      await cancelSignIn();
      await forget();
    },

    accessToken: async ({ stale, former = stale, signal } = {}) => {
      const current = tokens;
      if (current === undefined) throw absent();
      if (former !== undefined && subjectOf(former) !== subjectOf(current.accessToken)) throw required();
      if (stale !== current.accessToken && now() < current.refreshAt) return current.accessToken;
      try {
        return (await orCancelled(refresh(current), signal)).accessToken;
      } catch (error) {
        // The refresh was early, so the present token can still be used.
        const stands = error instanceof DeskError && tokens === current && signal?.aborted !== true;
        if (stands && stale === undefined && now() < current.expiresAt) return current.accessToken;
        throw error;
      }
    },

    close: async () => {
      await cancelSignIn();
      await orCancelled(Promise.allSettled([refreshing?.result]), AbortSignal.timeout(closeGraceMs)).catch(() => {});
      refreshing?.stop();
    },
  };
};

const required = (): DeskError => new DeskError('auth/required', 'nobody is signed in');

const Claims = z.object({ sub: z.string().min(1) });

/**
 * The `sub` of `accessToken` if that is a JWT (RFC 7519), else undefined.
 * Not verified: the app has no key of the service, got the token from its token endpoint itself, and uses the
 * subject only to keep two people's queues apart. The service decides what the token permits.
 */
export const subjectOf = (accessToken: string): string | undefined => {
  try {
    return Claims.safeParse(decodeJwt(accessToken)).data?.sub;
  } catch {
    return undefined;
  }
};

/** What can end a sign-in early. Call `clear` once it has ended. */
type SignInLimits = {
  readonly signal: AbortSignal;
  readonly stop: () => void;
  readonly clear: () => void;
};

/**
 * A signal that is aborted after `timeoutMs` (with `auth/timeout`), and by `stop` or `outer` (with `auth/cancelled`).
 */
const createSignInLimits = (timeoutMs: number, outer: AbortSignal | undefined): SignInLimits => {
  const controller = new AbortController();
  const stop = () => controller.abort(new DeskError('auth/cancelled', 'the sign-in was cancelled'));
  const expire = () => controller.abort(new DeskError('auth/timeout', 'the sign-in took too long'));
  const timer = setTimeout(expire, timeoutMs);
  outer?.addEventListener('abort', stop, { once: true });
  if (outer?.aborted) stop();
  const clear = () => {
    clearTimeout(timer);
    outer?.removeEventListener('abort', stop);
  };
  return { signal: controller.signal, stop, clear };
};
