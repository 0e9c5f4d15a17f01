import { makeStyles, tokens } from '@fluentui/react-components';

// The widths at which the window changes its layout. `folded`: the navigation shows icons only. `narrow`: a button
// opens the navigation; the window is as narrow as a phone, or has 1,280 pixels at 400 % zoom.

export const folded = '@media (min-width: 480px) and (max-width: 1099px)';

export const narrow = '@media (max-width: 479px)';

// Styles that remove the browser's defaults for a list or a button. A component spreads them before its own styles.

export const bareList = { listStyle: 'none', margin: 0, padding: 0 } as const;

export const bareButton = { border: 'none', background: 'none', font: 'inherit', color: 'inherit' } as const;

/**
 * Draws a mark at the left edge of the current one of several entries. The entry has to be positioned (CSS `position`).
 * The mark is a border, because borders stay visible with forced colours.
 */
export const currentMark = (insetBlock: string) =>
  ({
    '::before': {
      content: '""',
      position: 'absolute',
      left: 0,
      insetBlock,
      borderLeft: `3px solid ${tokens.colorCompoundBrandStroke}`,
      borderRadius: tokens.borderRadiusCircular,
    },
  }) as const;

export const stacked = (gap: string) => ({ display: 'flex', flexDirection: 'column', gap }) as const;

export const sideBySide = (gap: string) => ({ display: 'flex', alignItems: 'center', gap }) as const;

export const wrapping = (gap: string) => ({ ...sideBySide(gap), flexWrap: 'wrap' }) as const;

export const oneLine = { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const;

/** The style of text for screen readers only. */
export const unseen = {
  position: 'absolute',
  width: '1px',
  height: '1px',
  overflow: 'hidden',
  whiteSpace: 'nowrap',
  clipPath: 'inset(50%)',
} as const;

export const lines = (count: number) =>
  ({
    display: '-webkit-box',
    WebkitBoxOrient: 'vertical',
    WebkitLineClamp: count,
    overflow: 'hidden',
    overflowWrap: 'anywhere',
  }) as const;

export const useCardStyles = makeStyles({
  card: {
    ...stacked(tokens.spacingVerticalS),
    padding: `${tokens.spacingVerticalM} ${tokens.spacingHorizontalL}`,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusLarge,
  },
  header: {
    ...wrapping(tokens.spacingHorizontalM),
    justifyContent: 'space-between',
  },
  title: { flex: '1 1 200px', minWidth: 0, overflowWrap: 'anywhere' },
  minor: { ...lines(2), color: tokens.colorNeutralForeground3 },
});
