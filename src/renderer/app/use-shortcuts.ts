import { useEffect } from 'react';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.matches('input, textarea, select') || target.isContentEditable);

export type ShortcutActions = {
  readonly onSearch: () => void;
  readonly onSettings: () => void;
  readonly onHelp: () => void;
};

/** Ctrl or Command with K or a comma, and a question mark that is not being typed into a field. Keep the actions stable. */
export const useShortcuts = ({ onSearch, onSettings, onHelp }: ShortcutActions): void => {
  useEffect(() => {
    const actionOf = (event: KeyboardEvent): (() => void) | undefined => {
      if (event.altKey) return undefined;
      if (event.ctrlKey || event.metaKey) return { k: onSearch, ',': onSettings }[event.key.toLowerCase()];
      return event.key === '?' && !isTyping(event.target) ? onHelp : undefined;
    };
    const onKey = (event: KeyboardEvent): void => {
      const act = actionOf(event);
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [onSearch, onSettings, onHelp]);
};
