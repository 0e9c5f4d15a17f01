import type { ReactNode } from 'react';

/** One column of a table. The first names the row: where rows can be opened, it is the button that opens them. */
export type Column<Row> = {
  /** Names the column where its width is remembered, the same in every language. */
  readonly id: string;
  /** The heading. */
  readonly header: () => string;
  /** A CSS width; columns without one share the remaining room. */
  readonly width?: string;
  readonly align?: 'end';
  /** Whether a narrow window leaves it out, unless a person has chosen it. */
  readonly minor?: boolean;
  /** The value of `Sort.by` for this column, if rows can be sorted by it. */
  readonly sort?: string;
  readonly cell: (row: Row) => ReactNode;
  /** What is copied of a cell that is more than a text. */
  readonly text?: (row: Row) => string;
};
