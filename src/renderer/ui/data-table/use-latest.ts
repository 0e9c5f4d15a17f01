import { useCallback, useRef } from 'react';

/** A stable function that calls the `act` of the last render, if there is one. */
export const useLatest = <A extends readonly unknown[]>(act: ((...args: A) => void) | undefined) => {
  const latest = useRef(act);
  latest.current = act;
  return useCallback((...args: A): void => latest.current?.(...args), []);
};
