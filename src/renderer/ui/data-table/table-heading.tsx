import { mergeClasses } from '@fluentui/react-components';
import { ArrowDown12Regular, ArrowUp12Regular } from '@fluentui/react-icons';
import type { MouseEvent, PointerEvent, ReactNode } from 'react';
import { useUi } from '../ui-context.ts';
import type { Column } from './column.ts';
import { nextSort, type Sort } from './sort.ts';
import { useTableStyles } from './styles.ts';

type TableHeadingProps<Row> = {
  readonly column: Column<Row>;
  readonly sort: Sort | undefined;
  readonly onSort: ((sort: Sort) => void) | undefined;
  /** Whether Tab leads to this heading. */
  readonly tabStop: boolean;
  /** The button at the end of the last heading. */
  readonly chooser?: ReactNode;
  /** The boundary at its end; absent at the end of the table. */
  readonly boundary?:
    | {
        readonly moving: boolean;
        readonly onPull: (press: PointerEvent<HTMLElement>) => void;
        readonly onReset: (heading: HTMLTableCellElement) => void;
      }
    | undefined;
};

/** The heading of a column: a button if the table can be sorted by it, with a boundary that can be moved. */
export const TableHeading = <Row,>({ column, sort, onSort, tabStop, chooser, boundary }: TableHeadingProps<Row>) => {
  const styles = useTableStyles();
  const { texts } = useUi();
  const { id, header, align, sort: by } = column;
  const order = sort === undefined || sort.by !== by ? undefined : sort.descending ? 'descending' : 'ascending';
  const Arrow = order === 'descending' ? ArrowDown12Regular : ArrowUp12Regular;
  const reset = ({ currentTarget }: MouseEvent<HTMLElement>): void => {
    const heading = currentTarget.closest('th');
    if (heading !== null) boundary?.onReset(heading);
  };
  const focusable = { 'data-heading': true, tabIndex: tabStop ? 0 : -1, title: header() };
  return (
    <th
      scope="col"
      data-column={id}
      aria-sort={order}
      // Otherwise each cell of the column would be announced with the name of the button, too.
      aria-label={chooser === undefined ? undefined : header()}
      className={mergeClasses(
        styles.header,
        align === 'end' && styles.end,
        chooser !== undefined && styles.withChooser,
      )}
    >
      {by === undefined || onSort === undefined ? (
        <span className={styles.heading} {...focusable}>
          {header()}
        </span>
      ) : (
        <button
          type="button"
          className={mergeClasses(styles.heading, styles.sort, align === 'end' && styles.sortEnd)}
          onClick={() => onSort(nextSort(sort, by))}
          {...focusable}
        >
          {header()}
          {order !== undefined && <Arrow aria-hidden="true" />}
        </button>
      )}
      {chooser !== undefined && (
        // biome-ignore lint/a11y/noStaticElementInteractions: keys in the open menu are not for the headings.
        <span className={styles.chooser} onKeyDown={(event) => event.stopPropagation()}>
          {chooser}
        </span>
      )}
      {boundary !== undefined && (
        // For the keyboard, the heading does the same.
        <span
          aria-hidden="true"
          title={texts.resizeColumn}
          className={mergeClasses(styles.boundary, boundary.moving && styles.movingBoundary)}
          onPointerDown={boundary.onPull}
          onDoubleClick={reset}
        />
      )}
    </th>
  );
};
