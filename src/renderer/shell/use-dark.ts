import { useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { useApp } from '../state/context.tsx';

/** Whether a media query matches, kept current. */
const useMedia = (query: string): boolean =>
  useSyncExternalStore(
    (onChange) => {
      const media = matchMedia(query);
      // Synchronously: before printing there is no second render.
      const change = () => flushSync(onChange);
      media.addEventListener('change', change);
      return () => media.removeEventListener('change', change);
    },
    () => matchMedia(query).matches,
  );

/** Whether to use the dark theme: the preference, or the system's. Printing always uses the light one. */
export const useDark = (): boolean => {
  const appearance = useApp(({ projection }) => projection.snapshot?.preferences.appearance ?? 'system');
  const systemIsDark = useMedia('(prefers-color-scheme: dark)');
  const onScreen = useMedia('screen');
  return onScreen && (appearance === 'system' ? systemIsDark : appearance === 'dark');
};
