import { useLayoutEffect, useRef } from 'react';

/** Calls `act` when `value` has changed, before anything is painted; not when a page comes back into view. */
export const useOnChange = (value: unknown, act: () => void): void => {
  const before = useRef(value);
  const latest = useRef(act);
  latest.current = act;
  useLayoutEffect(() => {
    if (before.current === value) return;
    before.current = value;
    latest.current();
  }, [value]);
};
