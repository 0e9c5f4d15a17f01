import { useSyncExternalStore } from 'react';

const query = '(prefers-color-scheme: dark)';

const subscribe = (onChange: () => void): (() => void) => {
  const media = matchMedia(query);
  media.addEventListener('change', onChange);
  return () => media.removeEventListener('change', onChange);
};

/** Whether the system is set to dark colours, followed live. */
export const usePrefersDark = (): boolean => useSyncExternalStore(subscribe, () => matchMedia(query).matches);
