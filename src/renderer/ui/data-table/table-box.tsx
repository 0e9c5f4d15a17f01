import { makeStyles, mergeClasses } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import { headerHeight } from './styles.ts';

const useStyles = makeStyles({
  box: { display: 'flex', flexDirection: 'column' },
  // Elsewhere tables extend beyond the edges of the text.
  inDialog: { '& table': { minWidth: 0 }, '& > div': { margin: 0 } },
});

type TableBoxProps = {
  readonly rows: number;
  /** The height of a row in px; default 40. */
  readonly rowHeight?: number;
  readonly maxHeight: number;
  readonly isInDialog?: boolean;
  readonly children: ReactNode;
};

/** As high as the rows of the table in it, up to `maxHeight` px, where it scrolls. */
export const TableBox = ({ rows, rowHeight = 40, maxHeight, isInDialog, children }: TableBoxProps) => {
  const styles = useStyles();
  return (
    <div
      className={mergeClasses(styles.box, isInDialog && styles.inDialog)}
      style={{ height: Math.min(headerHeight + rows * rowHeight + 1, maxHeight) }}
    >
      {children}
    </div>
  );
};
