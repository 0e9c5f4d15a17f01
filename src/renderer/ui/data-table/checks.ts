import type { DragEvent } from 'react';

/** A column of checkboxes, one a row, and what else a row with one can do. Keep it stable: it renders the rows again. */
export type RowChecks<Row> = {
  /** The heading, for screen readers. */
  readonly heading: string;
  readonly has: (row: Row) => boolean;
  readonly toggle: (row: Row, index: number) => void;
  /** The name of a row's checkbox. */
  readonly rowLabel: (row: Row) => string;
  /** The id of the element that describes the row. */
  readonly describedBy?: (row: Row) => string;
  /** Whether more of this row is shown beside the table. */
  readonly isShown?: (row: Row) => boolean;
  /** Makes rows draggable; called when a drag begins. */
  readonly onDrag?: (row: Row, event: DragEvent) => void;
};
