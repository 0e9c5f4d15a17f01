import { useEffect, useState } from 'react';

/** `value` once it has stayed the same for `delayMs`. */
export const useLater = <T>(value: T, delayMs: number): T => {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => settle(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return settled;
};
