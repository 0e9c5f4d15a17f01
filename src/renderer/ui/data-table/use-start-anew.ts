import { useLayoutEffect, useRef } from 'react';

/** Runs `start`, before anything is painted, when `reason` is another than before; not when a page comes back into view. */
export const useStartAnew = (reason: unknown, start: () => void): void => {
  const before = useRef(reason);
  const latest = useRef(start);
  latest.current = start;
  useLayoutEffect(() => {
    if (before.current === reason) return;
    before.current = reason;
    latest.current();
  }, [reason]);
};
