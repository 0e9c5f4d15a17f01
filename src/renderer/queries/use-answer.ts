import { useCallback, useEffect, useRef, useState } from 'react';
import { type ErrorData, toErrorData } from '../../contract/errors.ts';
import { useReadAgain } from './read-again.ts';

type State<T> = { readonly value?: T; readonly error?: ErrorData };

export type Answer<T> = State<T> & { readonly reload: () => void };

/**
 * What main answers to `ask` about this computer's own data. It is asked again on `reload`, when `ask` changes (keep it
 * stable with `useCallback`), and when the page comes back into view. An answer after a newer question is dropped.
 */
export const useAnswer = <T>(ask: () => Promise<T>): Answer<T> => {
  const [state, setState] = useState<State<T>>({});
  const latest = useRef(0);
  const reload = useCallback(() => {
    latest.current += 1;
    const question = latest.current;
    ask().then(
      (value) => question === latest.current && setState({ value }),
      (error: unknown) => question === latest.current && setState({ error: toErrorData(error) }),
    );
  }, [ask]);
  useEffect(() => {
    reload();
    return () => {
      latest.current += 1;
    };
  }, [reload]);
  useReadAgain(reload);
  return { ...state, reload };
};
