import { DeskError } from '../../contract/errors.ts';

/** What can end a sign-in early. Call `clear` once it has ended. */
type SignInLimits = {
  readonly signal: AbortSignal;
  readonly stop: () => void;
  readonly clear: () => void;
};

/**
 * A signal that is aborted after `timeoutMs` (with `auth/timeout`), and by `stop` or `outer` (with `auth/cancelled`).
 */
export const createSignInLimits = (timeoutMs: number, outer: AbortSignal | undefined): SignInLimits => {
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
