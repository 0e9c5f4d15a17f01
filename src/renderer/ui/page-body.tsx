import { makeStyles, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';

const useStyles = makeStyles({
  body: {
    flexGrow: 1,
    minHeight: 0,
    overflow: 'auto',
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalXXL,
    // Leaves room for what overflows the first line, such as a button or a focus ring.
    marginTop: `calc(-1 * ${tokens.spacingVerticalS})`,
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalXXL} ${tokens.spacingVerticalXXL}`,
    '@media (max-width: 479px)': { paddingInline: tokens.spacingHorizontalM },
    // In a low window the heading would take half of it: the page scrolls as a whole.
    '@media (max-height: 480px)': { flexShrink: 0, overflow: 'visible' },
    '@media print': { overflow: 'visible' },
  },
});

/** The part of a page below its heading that scrolls as a whole. */
export const PageBody = ({ children }: { readonly children: ReactNode }) => (
  <div className={useStyles().body}>{children}</div>
);
