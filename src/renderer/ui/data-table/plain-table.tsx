import { type KeyboardEvent, useRef } from 'react';
import { UnreadableRow } from './cells.tsx';
import type { Column } from './columns.tsx';
import { useColumns } from './columns.tsx';
import { useRowFocus } from './row-focus.ts';
import { useTableStyles } from './styles.ts';
import { TableFrame } from './table-frame.tsx';
import { TableRow } from './table-row.tsx';
import { usePicks } from './use-picks.tsx';

type PlainTableProps<Row> = {
  /** The table's name where its columns and their widths are stored. */
  readonly id: string;
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** How many records could not be read: each has a row at the end, the footer counts them. */
  readonly unreadable?: number;
  readonly open?: (row: Row) => void;
};

/** A short table within a longer page: every row is rendered, the page scrolls. */
export const PlainTable = <Row,>(props: PlainTableProps<Row>) => {
  const { id, label, columns: all, rows, rowKey, unreadable = 0, open } = props;
  const { shown: columns, chooser, minWidthPx } = useColumns(id, all);
  const places = Array.from({ length: unreadable }, (_, offset) => rows.length + offset);
  const body = useRef<HTMLTableSectionElement>(null);
  const table = useRef<HTMLDivElement>(null);
  const rowAt = (index: number) => rows[index];
  const selecting = usePicks({ scroller: table, columns, count: rows.length, rowAt, rowKey });
  const focus = useRowFocus(
    body,
    rows.length,
    (index) => body.current?.querySelector(`[data-row="${index}"]`)?.scrollIntoView({ block: 'nearest' }),
    selecting.chosen?.extend,
  );
  selecting.setActive(focus.active);
  const onKeyDown = (event: KeyboardEvent): void => {
    focus.onKeyDown(event);
    selecting.onRowKey(event, focus.active);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys in its rows, which have buttons, come up to it.
    <div ref={table} className={useTableStyles().flush} onKeyDown={selecting.onKeyDown} onCopy={selecting.onCopy}>
      <TableFrame
        id={id}
        label={label}
        columns={columns}
        rowCount={rows.length}
        unreadable={unreadable}
        chooser={chooser}
        minWidthPx={minWidthPx}
      >
        <tbody ref={body} onKeyDown={open && onKeyDown}>
          {rows.map((row, index) => (
            <TableRow
              key={rowKey(row)}
              columns={columns}
              row={row}
              index={index}
              height={40}
              open={open}
              picks={selecting.picks}
              onExtend={selecting.onExtend}
              tabStop={index === focus.active}
              onFocus={focus.activate}
            />
          ))}
          {places.map((place) => (
            <UnreadableRow key={place} index={place} height={40} columns={columns} selectable={false} />
          ))}
        </tbody>
      </TableFrame>
      {selecting.bar}
    </div>
  );
};
