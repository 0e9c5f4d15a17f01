import { useTooltipVisibility } from '@fluentui/react-components';
import { useEffect } from 'react';
import { flushSync } from 'react-dom';

const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role="dialog"], [role="alertdialog"]') !== null;

/**
 * Lets Escape close the dialog it was pressed in. A visible tooltip of the page below would handle the key first, so it is
 * hidden before the event reaches the document.
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
