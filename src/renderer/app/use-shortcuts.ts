import { useEffect } from 'react';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.matches('input, textarea, select') || target.isContentEditable);

/** Calls `onSearch` for Ctrl+K or Command+K, and `onHelp` for a question mark that is not being typed into a field. */
export const useShortcuts = (onSearch: () => void, onHelp: () => void): void => {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isSearch = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k';
      const isHelp = event.key === '?' && !event.ctrlKey && !event.metaKey && !isTyping(event.target);
      if (!(isSearch || isHelp)) return;
      event.preventDefault();
      (isSearch ? onSearch : onHelp)();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [onSearch, onHelp]);
};
