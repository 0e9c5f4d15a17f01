import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { focusResults, focusSearch, hasDialog, isSearchField } from './page-keys.ts';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.matches('input, textarea, select') || target.isContentEditable);

type ShortcutActions = {
  readonly onSearch: () => void;
  readonly onNewUpload: () => void;
  readonly onSettings: () => void;
  /** Shows the list of shortcuts. */
  readonly onKeys: () => void;
  readonly onHelp: () => void;
};

/**
 * Handles Ctrl or Command with K, N, comma, F and R; F1 and F5; a question mark outside text fields; the down arrow in a
 * search field. Keep the actions stable.
 */
export const useShortcuts = ({ onSearch, onNewUpload, onSettings, onKeys, onHelp }: ShortcutActions): void => {
  const client = useQueryClient();
  useEffect(() => {
    const find = (): void => {
      if (!hasDialog() && !focusSearch()) onSearch();
    };
    const again = (): void => {
      if (!hasDialog()) void client.refetchQueries({ type: 'active' });
    };
    const withControl: Readonly<Record<string, () => void>> = {
      k: onSearch,
      n: onNewUpload,
      ',': onSettings,
      f: find,
      r: again,
    };
    const alone: Readonly<Record<string, () => void>> = { F1: onHelp, F5: again };
    const actionOf = (event: KeyboardEvent): (() => void) | undefined => {
      const { key, target, altKey, ctrlKey, metaKey, shiftKey } = event;
      if (altKey) return undefined;
      if (ctrlKey || metaKey) return shiftKey ? undefined : withControl[key.toLowerCase()];
      if (key === '?') return isTyping(target) ? undefined : onKeys;
      return shiftKey ? undefined : alone[key];
    };
    const onKey = (event: KeyboardEvent): void => {
      const { key, target, altKey, ctrlKey, metaKey, shiftKey, isComposing } = event;
      if (key === 'ArrowDown' && !(altKey || ctrlKey || metaKey || shiftKey || isComposing) && isSearchField(target)) {
        if (focusResults(target)) event.preventDefault();
        return;
      }
      const act = actionOf(event);
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [client, onSearch, onNewUpload, onSettings, onKeys, onHelp]);
};
