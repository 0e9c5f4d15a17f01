import { useCallback, useRef } from 'react';

/** A stable function that calls the `act` of the last render, if there is one. */
export const useLatest = <A extends readonly unknown[], R>(act: ((...args: A) => R) | undefined) => {
  const latest = useRef(act);
  latest.current = act;
  return useCallback((...args: A): R | undefined => latest.current?.(...args), []);
};
