import { debounce } from 'es-toolkit';
import { useEffect, useMemo, useState } from 'react';

/** `value` once it has stayed the same for `delayMs`. */
export const useDebounced = <T>(value: T, delayMs: number): T => {
  const [settled, settle] = useState(value);
  const settleLater = useMemo(() => debounce(settle, delayMs), [delayMs]);
  useEffect(() => {
    settleLater(value);
    return settleLater.cancel;
  }, [value, settleLater]);
  return settled;
};
