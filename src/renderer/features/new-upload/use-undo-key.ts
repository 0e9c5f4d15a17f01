import { useEffect } from 'react';
import { useLatest } from '../../ui/data-table/use-latest.ts';

/** Whether `target` has a text of its own to undo, or lies in a dialog. */
const hasOwnUndo = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  (target.closest('[role="dialog"], [role="alertdialog"]') !== null ||
    (target instanceof HTMLInputElement && target.type !== 'checkbox' && target.value !== ''));

/** Calls `onUndo` for Ctrl+Z or Command+Z while the page is in view, except in a field with text. */
export const useUndoKey = (onUndo: () => void): void => {
  const undo = useLatest(onUndo);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event;
      if (key.toLowerCase() !== 'z' || !(ctrlKey || metaKey) || altKey || shiftKey || hasOwnUndo(target)) return;
      event.preventDefault();
      undo();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [undo]);
};
