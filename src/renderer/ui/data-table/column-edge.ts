/** The boundary at the end of a heading on screen, and moving it with a pointer. */
import type { Column } from './column.ts';
import type { Neighbour } from './column-widths.ts';

type Edge = { readonly left: Neighbour; readonly right: Neighbour; readonly tablePx: number };

/** The boundary between `heading` and the next one; undefined at the end of the table. */
export const edgeAfter = <Row>(heading: HTMLTableCellElement, columns: readonly Column<Row>[]): Edge | undefined => {
  const neighbour = (cell: Element | null): Neighbour | undefined => {
    const column = columns.find(({ id }) => cell instanceof HTMLElement && id === cell.dataset.column);
    if (cell === null || column === undefined) return undefined;
    return { ...column, flexible: column.width === undefined, px: cell.getBoundingClientRect().width };
  };
  const [left, right, table] = [neighbour(heading), neighbour(heading.nextElementSibling), heading.closest('table')];
  return left && right && table ? { left, right, tablePx: table.getBoundingClientRect().width } : undefined;
};

type Pull = {
  /** How far the pointer is from where it started. */
  readonly onMove: (byPx: number) => void;
  /** Escape was pressed: restores the widths. */
  readonly onCancel: () => void;
  readonly onEnd: () => void;
};

/** A movement up to this is a click: a hand is never quite still. */
const clickPx = 3;

/**
 * Follows the pointer from `start`, a press, to its release. After a click without movement it follows to the next press,
 * so that nobody has to drag.
 */
export const followPointer = (start: PointerEvent, { onMove, onCancel, onEnd }: Pull): void => {
  const ended = new AbortController();
  const options = { signal: ended.signal, capture: true };
  const end = (): void => {
    ended.abort();
    onEnd();
  };
  const way = (event: PointerEvent): number => event.clientX - start.clientX;
  addEventListener('pointermove', (event) => onMove(way(event)), options);
  addEventListener('pointerup', (event) => Math.abs(way(event)) > clickPx && end(), options);
  addEventListener('pointercancel', end, options);
  addEventListener(
    'pointerdown',
    (event) => {
      event.preventDefault();
      event.stopPropagation();
      onMove(way(event));
      end();
    },
    options,
  );
  addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      onCancel();
      end();
    },
    options,
  );
};
