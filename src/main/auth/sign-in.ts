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

export type SignInSteps = {
  /** Rejects with `service/…` where the authorization server cannot be reached at all. */
  readonly reach: (signal: AbortSignal) => Promise<void>;
  readonly server: AuthorizationServer;
  readonly endpoint: TokenEndpoint;
  readonly redirect: RedirectReceiver;
  readonly openExternal: (url: string) => Promise<void>;
  readonly needs: NeedsMemory;
  readonly now: () => number;
  /** How long the person has. */
  readonly timeoutMs: number;
};

/** Told when the wait for the person begins, until when (ms since 1970), and of the browser's address. */
type OnWaiting = (pending: Pick<PendingAuthorization, 'expiresAt' | 'url'>) => void;

/**
 * Runs the authorization code flow to its tokens. The redirect's door is closed when this settles.
 * A service that was asked for `offline_access` and gave no refresh token is asked once more, for consent: OpenID Connect
 * Core section 11 has it ignore the scope otherwise. Others refuse `prompt=consent` to users who may not consent, so it is
 * not sent before.
 * @throws DeskError `auth/browser`, `auth/denied`, `auth/failed`, `auth/no-refresh-token`, `auth/token-…`, `service/…`; the
 *   reason of `signal` where aborted
 */
export const runSignIn = async (steps: SignInSteps, onWaiting: OnWaiting, signal: AbortSignal): Promise<TokenSet> => {
  const { reach, server, needs, now, timeoutMs } = steps;
  const expiresAt = now() + timeoutMs;
  // Said here at once; in the browser it would be a page of the browser's own, and a wait of ten minutes.
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
    // A code is good for one exchange: it is repeated only where the first was surely not seen.
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
