import { makeStyles, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';

const useStyles = makeStyles({
  fill: {
    flex: '1 0 auto',
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalS,
    padding: `0 ${tokens.spacingHorizontalXXL}`,
    '@media (max-width: 479px)': { padding: `0 ${tokens.spacingHorizontalM}` },
  },
});

/** The part of a page below its heading, where a table takes the remaining room. */
export const PageFill = ({ children }: { readonly children: ReactNode }) => (
  <div className={useStyles().fill}>{children}</div>
);
