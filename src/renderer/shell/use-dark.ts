import { useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { useApp } from '../state/context.tsx';

/** Follows a media query live. */
const useMedia = (query: string): boolean =>
  useSyncExternalStore(
    (onChange) => {
      const media = matchMedia(query);
      // At once: a page about to be printed is not rendered a second time.
      const change = () => flushSync(onChange);
      media.addEventListener('change', change);
      return () => media.removeEventListener('change', change);
    },
    () => matchMedia(query).matches,
  );

/** Whether to show dark colours: as set, else as the system has them. Paper is light whatever the screen is. */
export const useDark = (): boolean => {
  const appearance = useApp(({ projection }) => projection.snapshot?.preferences.appearance ?? 'system');
  const systemIsDark = useMedia('(prefers-color-scheme: dark)');
  const onScreen = useMedia('screen');
  return onScreen && (appearance === 'system' ? systemIsDark : appearance === 'dark');
};
