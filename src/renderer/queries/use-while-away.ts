import { useEffect, useRef } from 'react';
import { type ErrorData, isOutageCode } from '../../contract/errors.ts';
import { troubleOf } from '../../contract/reachability.ts';
import { useApp } from '../state/context.tsx';

const pauseMs = 30_000;

/** Whether `error` ends with what troubles the service: that it is away, or asked for a pause. */
const isOfTrouble = ({ code }: ErrorData): boolean => isOutageCode(code) || code === 'service/busy';

const useInTrouble = (): boolean =>
  useApp(
    ({ projection: { snapshot } }) => snapshot !== undefined && troubleOf(snapshot.reachability.service) !== undefined,
  );

/** What is on screen: where it comes from, and what its last reading ended in. */
export type Shown = { readonly source: 'service' | 'cache' | undefined; readonly error: ErrorData | undefined };

/**
 * For what is old, or missing, because the service was away or asked for a pause: calls `again` as soon as main says that
 * this is over. While the service is away, also when the computer says that it has a network again, and from time to
 * time. Only in view; keep `again` stable.
 */
export const useWhileAway = ({ source, error }: Shown, again: () => void): void => {
  const away = error === undefined ? source === 'cache' : isOutageCode(error.code);
  const waits = away || (error !== undefined && isOfTrouble(error));
  const isInTrouble = useInTrouble();
  const wasInTrouble = useRef(isInTrouble);
  useEffect(() => {
    if (waits && wasInTrouble.current && !isInTrouble) again();
    wasInTrouble.current = isInTrouble;
  }, [waits, isInTrouble, again]);
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
 * `error`, but not that the service was away, or asked for a pause, where this is over: then it is being asked again. A
 * timeout of a service that answers other calls stands.
 */
export const useStanding = (error: ErrorData | undefined): ErrorData | undefined => {
  const isInTrouble = useInTrouble();
  const inTrouble = useRef<ErrorData>(undefined);
  if (isInTrouble) inTrouble.current = error;
  const isOver = !isInTrouble && error !== undefined && error === inTrouble.current;
  return isOver && isOfTrouble(error) ? undefined : error;
};
