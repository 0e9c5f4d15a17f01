/** One sign-in: the browser, the redirect, the code exchange. */
import { DeskError } from '../../contract/errors.ts';
import { orCancelled } from '../async/cancel.ts';
import { withRetry } from '../async/retry.ts';
import { mayHaveBeenProcessed } from '../net/translate.ts';
import { beginAuthorization, type PendingAuthorization, readCallback } from './authorization.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { RedirectReceiver } from './redirect-receiver.ts';
import type { NeedsMemory } from './sign-in-needs.ts';
import type { TokenEndpoint } from './token-endpoint.ts';
import type { TokenSet } from './tokens.ts';

type SignInSteps = {
  /** Rejects with `service/…` if the authorization server cannot be reached. */
  readonly reach: (signal: AbortSignal) => Promise<void>;
  readonly server: AuthorizationServer;
  readonly endpoint: TokenEndpoint;
  readonly redirect: RedirectReceiver;
  readonly openExternal: (url: string) => Promise<void>;
  readonly needs: NeedsMemory;
  readonly now: () => number;
  /** The time that the person has. */
  readonly timeoutMs: number;
};

/** Called when the wait for the person begins, with its end (ms since 1970) and the browser's URL. */
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
  // Fails here at once. Otherwise the browser would show an error page of its own, and the sign-in would wait ten minutes.
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
    // A code can be exchanged once, so the exchange is repeated only if the server cannot have seen the first one.
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
