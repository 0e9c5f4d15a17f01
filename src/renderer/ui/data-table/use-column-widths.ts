import { type PointerEvent, useState } from 'react';
import { useUi } from '../ui-context.ts';
import type { Column } from './column.ts';
import { edgeAfter, followPointer } from './column-edge.ts';
import { ColumnWidths, withBoundaryMoved, withoutWidths } from './column-widths.ts';

type UseColumnWidths = {
  readonly widths: ColumnWidths;
  /** The id of the column whose boundary is being moved. */
  readonly moving: string | undefined;
  /** Begins to move the boundary at the end of the pressed heading. */
  readonly pull: (press: PointerEvent<HTMLElement>) => void;
  /** Moves the boundary at the end of `heading`. */
  readonly move: (heading: HTMLTableCellElement, byPx: number) => void;
  /** Restores the usual widths of the columns on both sides of that boundary. */
  readonly reset: (heading: HTMLTableCellElement) => void;
};

const none: ColumnWidths = {};

/** The widths of the columns of the table `id`, stored across restarts. */
export const useColumnWidths = <Row>(id: string, columns: readonly Column<Row>[]): UseColumnWidths => {
  const { useStored } = useUi();
  const [widths = none, store] = useStored(`columns.${id}`, ColumnWidths);
  const [moving, setMoving] = useState<string>();
  const pull = (press: PointerEvent<HTMLElement>): void => {
    const heading = press.currentTarget.closest('th');
    const edge = heading === null ? undefined : edgeAfter(heading, columns);
    if (edge === undefined || press.button !== 0) return;
    // Otherwise the press would begin to select text.
    press.preventDefault();
    setMoving(edge.left.id);
    followPointer(press.nativeEvent, {
      onMove: (byPx) => store(withBoundaryMoved(widths, edge.left, edge.right, edge.tablePx, byPx)),
      onCancel: () => store(widths),
      onEnd: () => setMoving(undefined),
    });
  };
  const move = (heading: HTMLTableCellElement, byPx: number): void => {
    const edge = edgeAfter(heading, columns);
    if (edge !== undefined) store(withBoundaryMoved(widths, edge.left, edge.right, edge.tablePx, byPx));
  };
  const reset = (heading: HTMLTableCellElement): void => {
    const edge = edgeAfter(heading, columns);
    if (edge !== undefined) store(withoutWidths(widths, [edge.left.id, edge.right.id]));
  };
  return { widths, moving, pull, move, reset };
};
