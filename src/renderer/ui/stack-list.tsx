import { makeStyles, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import { bareList } from './bare.ts';

const useStyles = makeStyles({
  list: {
    ...bareList,
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalM,
  },
});

/** A list of cards, one below the other. `children`: list items. */
export const StackList = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => {
  const styles = useStyles();
  return (
    <ul className={styles.list} aria-label={label}>
      {children}
    </ul>
  );
};
