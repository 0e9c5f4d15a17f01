import { useTooltipVisibility } from '@fluentui/react-components';
import { useEffect } from 'react';
import { flushSync } from 'react-dom';

const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role="dialog"], [role="alertdialog"]') !== null;

/**
 * Gives Escape to the dialog it was pressed in. A tooltip of the page under it, while it still shows, would take the key
 * from the whole document: it is gone before the document sees the event.
 */
export const useEscape = (): void => {
  const tooltips = useTooltipVisibility();
  useEffect(() => {
    const onKey = ({ key, target }: KeyboardEvent): void => {
      if (key === 'Escape' && isInDialog(target)) flushSync(() => tooltips.visibleTooltip?.hide());
    };
    addEventListener('keydown', onKey, { capture: true });
    return () => removeEventListener('keydown', onKey, { capture: true });
  }, [tooltips]);
};
