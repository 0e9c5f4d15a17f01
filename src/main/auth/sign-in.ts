/** One sign-in: the browser, the redirect, the code exchange. */
import { DeskError } from '../../contract/errors.ts';
import type { RedirectReceiver } from '../host.ts';
import { orCancelled } from '../net/cancel.ts';
import { withRetry } from '../net/retry.ts';
import { mayHaveBeenProcessed } from '../net/translate.ts';
import { beginAuthorization, type PendingAuthorization, readCallback } from './authorization.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { TokenEndpoint } from './token-endpoint.ts';
import type { TokenSet } from './tokens.ts';

export type SignInSteps = {
  /** Rejects with `service/…` where the authorization server cannot be reached at all. */
  readonly reach: (signal: AbortSignal) => Promise<void>;
  readonly server: AuthorizationServer;
  readonly endpoint: TokenEndpoint;
  readonly redirect: RedirectReceiver;
  readonly openExternal: (url: string) => Promise<void>;
  readonly now: () => number;
  /** How long the person has. */
  readonly timeoutMs: number;
};

/**
 * Runs the authorization code flow to its tokens. The redirect's door is closed when this settles.
 * `onWaiting` is told when the wait for the person begins, until when (ms since 1970), and of the browser's address.
 * @throws DeskError `auth/browser`, `auth/denied`, `auth/failed`, `service/…`; the reason of `signal` where aborted
 */
export const runSignIn = async (
  { reach, server, endpoint, redirect, openExternal, now, timeoutMs }: SignInSteps,
  onWaiting: (pending: Pick<PendingAuthorization, 'expiresAt' | 'url'>) => void,
  signal: AbortSignal,
): Promise<TokenSet> => {
  // Said here at once; in the browser it would be a page of the browser's own, and a wait of ten minutes.
  await reach(signal);
  let pending: PendingAuthorization | undefined;
  const door = await redirect.open((callbackUrl) => pending?.accept(callbackUrl) ?? false);
  try {
    pending = await beginAuthorization({ server, redirectUri: door.redirectUri, lifetimeMs: timeoutMs, now });
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
