import { useEffect } from 'react';
import type { ErrorData } from '../../contract/errors.ts';
import { useApp } from '../app/context.tsx';

const pauseMs = 30_000;

/** Whether what is shown is old, or missing, because the service could not be reached. */
export const isAway = (source: 'service' | 'cache' | undefined, error: ErrorData | undefined): boolean =>
  error === undefined ? source === 'cache' : error.code === 'service/unreachable' || error.code === 'service/timeout';

/**
 * Calls `again` from time to time while the service is away, for what is shown (`away`) or for whatever was asked last,
 * and at once when the computer says that it has a network again. Only in view; keep `again` stable.
 */
export const useWhileAway = (away: boolean, again: () => void): void => {
  const offline = useApp(({ reach }) => reach?.state === 'offline');
  const asks = away || offline;
  useEffect(() => {
    if (!asks) return;
    const timer = setInterval(again, pauseMs);
    addEventListener('online', again);
    return () => {
      clearInterval(timer);
      removeEventListener('online', again);
    };
  }, [asks, again]);
};
