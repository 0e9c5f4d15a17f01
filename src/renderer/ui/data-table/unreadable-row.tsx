import { mergeClasses } from '@fluentui/react-components';
import { Warning16Regular } from '@fluentui/react-icons';
import type { CSSProperties, ReactNode } from 'react';
import { useUi } from '../ui-context.ts';
import type { Column } from './column.ts';
import { useTableStyles } from './styles.ts';

type WholeRowProps = {
  readonly columns: readonly Column<never>[];
  /** Whether there is also a column of checkboxes. */
  readonly selectable: boolean;
  readonly className: string;
  readonly style?: CSSProperties;
  readonly children: ReactNode;
};

/** A cell across all columns. */
const WholeRow = ({ columns, selectable, className, style, children }: WholeRowProps) => (
  <td colSpan={columns.length + Number(selectable)} className={className} style={style}>
    {children}
  </td>
);

type UnreadableRowProps = Pick<WholeRowProps, 'columns' | 'selectable'> & {
  /** From 0, as that of other rows. */
  readonly index: number;
  readonly height: number;
};

/** Stands for a record whose shape could not be read, so that nothing of it can be shown. */
export const UnreadableRow = ({ index, height, ...row }: UnreadableRowProps) => {
  const styles = useTableStyles();
  const { texts } = useUi();
  return (
    <tr aria-rowindex={index + 2}>
      <WholeRow {...row} className={mergeClasses(styles.cell, styles.unreadable)} style={{ height }}>
        <Warning16Regular className={styles.warning} aria-hidden="true" /> {texts.unreadableRow}
      </WholeRow>
    </tr>
  );
};

type UnreadableFootProps = Pick<WholeRowProps, 'columns' | 'selectable'> & { readonly count: number };

/** Their count in the footer of the table. */
export const UnreadableFoot = ({ count, ...row }: UnreadableFootProps) => {
  const styles = useTableStyles();
  const { texts } = useUi();
  return (
    <tfoot>
      <tr>
        <WholeRow {...row} className={mergeClasses(styles.cell, styles.foot)}>
          {texts.unreadableRows(count)}
        </WholeRow>
      </tr>
    </tfoot>
  );
};
