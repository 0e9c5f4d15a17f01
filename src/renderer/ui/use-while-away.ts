import { useEffect, useRef } from 'react';
import { type ErrorData, isOutageCode } from '../../contract/errors.ts';
import { troubleOf } from '../../contract/reachability.ts';
import { useApp } from '../app/context.tsx';

const pauseMs = 30_000;

/** Whether what is shown is old, or missing, because the service could not be reached. */
export const isAway = (source: 'service' | 'cache' | undefined, error: ErrorData | undefined): boolean =>
  error === undefined ? source === 'cache' : isOutageCode(error.code);

const useInTrouble = (): boolean =>
  useApp(
    ({ projection: { snapshot } }) => snapshot !== undefined && troubleOf(snapshot.reachability.service) !== undefined,
  );

/**
 * For what is shown (`away`): calls `again` as soon as main says that the service is back, and when the computer says that
 * it has a network again; else from time to time. Only in view; keep `again` stable.
 */
export const useWhileAway = (away: boolean, again: () => void): void => {
  const isInTrouble = useInTrouble();
  const wasInTrouble = useRef(isInTrouble);
  useEffect(() => {
    if (away && wasInTrouble.current && !isInTrouble) again();
    wasInTrouble.current = isInTrouble;
  }, [away, isInTrouble, again]);
  useEffect(() => {
    if (!away) return;
    const timer = setInterval(again, pauseMs);
    addEventListener('online', again);
    return () => {
      clearInterval(timer);
      removeEventListener('online', again);
    };
  }, [away, again]);
};

/**
 * `error`, but not that the service was away where it is back by now: then it is being asked again. A timeout of a
 * service that answers other calls stands.
 */
export const useStanding = (error: ErrorData | undefined): ErrorData | undefined => {
  const isInTrouble = useInTrouble();
  const inTrouble = useRef<ErrorData>(undefined);
  if (isInTrouble) inTrouble.current = error;
  const isOver = !isInTrouble && error !== undefined && error === inTrouble.current;
  return isOver && isOutageCode(error.code) ? undefined : error;
};
