import type { ComponentProps } from 'react';
import type { WindowState } from '../queries/query.tsx';
import { DataTable } from '../ui/data-table/data-table.tsx';
import { CallResult } from './readings.tsx';

type WindowTableProps<Row> = Omit<
  ComponentProps<typeof DataTable<Row>>,
  'count' | 'rowAt' | 'read' | 'onRange' | 'question'
> & {
  readonly found: WindowState<unknown, Row>;
  readonly loading: string;
  /** If given, only this many rows are shown, and the page scrolls instead of the table. */
  readonly first?: number | undefined;
};

/**
 * The rows of a window query as a table. Shows a placeholder until the first rows arrive, and the error if the query
 * fails. In a file of its own, so that pages without a table do not load the code of tables.
 */
export const WindowTable = <Row,>({ found, loading, first, ...table }: WindowTableProps<Row>) => {
  const { held, rowAt, read, onRange, error, reload } = found;
  return (
    <CallResult value={held} error={error} reload={reload} loading={loading}>
      {({ total, question }) => (
        <DataTable
          {...table}
          flows={first !== undefined}
          count={Math.min(total, first ?? total)}
          total={total}
          rowAt={rowAt}
          read={read}
          onRange={onRange}
          question={question}
        />
      )}
    </CallResult>
  );
};
