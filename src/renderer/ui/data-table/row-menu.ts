import type { MouseEvent } from 'react';

/** Opens the menu of a row, for a right click or the key for menus. */
export type RowMenu<Row> = (row: Row, event: MouseEvent) => void;
