import { useTooltipVisibility } from '@fluentui/react-components';
import { useCallback } from 'react';
import { useLeave } from '../state/context.tsx';

/**
 * Hides the tooltip of a page that is left. Hidden behind the next page it would wait for the pointer to leave its
 * button, and still show on the way back.
 */
export const useLeaveTooltip = (): void => {
  const tooltips = useTooltipVisibility();
  useLeave(useCallback(() => tooltips.visibleTooltip?.hide(), [tooltips]));
};
