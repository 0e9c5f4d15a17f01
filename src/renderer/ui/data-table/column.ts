import type { ReactNode } from 'react';

/** One column of a table. The first is the row's name: where rows can be opened, it is the button that does. */
export type Column<Row> = {
  /** The heading. */
  readonly header: string;
  /** A CSS width; columns without one share what is left. */
  readonly width?: string;
  readonly align?: 'end';
  /** Whether it gives way in a narrow window. */
  readonly minor?: boolean;
  /** What `Sort.by` names where rows can be sorted by this column. */
  readonly sort?: string;
  readonly cell: (row: Row) => ReactNode;
};
