/** Keyboard focus of the rows of a table: one tab stop for all rows, arrow keys from row to row. */
import { type KeyboardEvent, type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { useLatest } from '../hooks.ts';

const pageRows = 10;

/** The row that `key` leads to from row `from` of `count`; undefined for other keys. */
export const rowAfterKey = (key: string, from: number, count: number): number | undefined => {
  const last = count - 1;
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: from + 1,
    ArrowUp: from - 1,
    PageDown: from + pageRows,
    PageUp: from - pageRows,
    Home: 0,
    End: last,
  };
  const target = targets[key];
  return target === undefined || count === 0 ? undefined : Math.min(last, Math.max(0, target));
};

/**
 * The focus of the rows in `body`, whose elements have `data-row`. `bringIntoView` is called before the focus moves, so that
 * the row is rendered by then. With Shift, `extend` gets the rows that were passed. Tab leads to the row at `active`; `move`
 * gives a row the focus.
 */
export const useRowFocus = (
  body: RefObject<HTMLElement | null>,
  count: number,
  bringIntoView: (index: number) => void,
  extend?: (from: number, to: number) => void,
) => {
  const [chosen, activate] = useState(0);
  const active = Math.max(0, Math.min(chosen, count - 1));
  const moved = useRef(false);
  const [, setMoves] = useState(0);
  // The focus follows the active row.
  useLayoutEffect(() => {
    if (!moved.current) return;
    const row = body.current?.querySelector<HTMLElement>(`[data-row="${active}"] :is(button, input)`);
    if (!row) return;
    moved.current = false;
    row.focus({ preventScroll: true });
  });
  const bring = useLatest(bringIntoView);
  const move = useCallback(
    (index: number): void => {
      moved.current = true;
      activate(index);
      // The row may have been active already.
      setMoves((moves) => moves + 1);
      bring(index);
    },
    [bring],
  );
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey || (event.shiftKey && extend === undefined)) return;
    const target = rowAfterKey(event.key, active, count);
    if (target === undefined) return;
    event.preventDefault();
    move(target);
    if (event.shiftKey) extend?.(active, target);
  };
  return { active, activate, move, onKeyDown };
};
