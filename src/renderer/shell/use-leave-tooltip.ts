import { useTooltipVisibility } from '@fluentui/react-components';
import { useCallback } from 'react';
import { useLeave } from '../state/context.tsx';

/**
 * Hides the tooltip when its page is left. The page stays mounted, so the tooltip would still be there on the way back.
 */
export const useLeaveTooltip = (): void => {
  const tooltips = useTooltipVisibility();
  useLeave(useCallback(() => tooltips.visibleTooltip?.hide(), [tooltips]));
};
