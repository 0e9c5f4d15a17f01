import { useEffect } from 'react';

const name = 'inspection-desk:read-again';

/** Asks whatever is in view to be read again, as a browser does on F5. */
export const readAgain = (): void => void dispatchEvent(new Event(name));

/** Calls `again` when a person asks for what is shown to be read again. Only in view; keep `again` stable. */
export const useReadAgain = (again: () => void): void => {
  useEffect(() => {
    addEventListener(name, again);
    return () => removeEventListener(name, again);
  }, [again]);
};
