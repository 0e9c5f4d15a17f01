/** Keyboard focus of the rows of a table. Tab leads to one row, the arrow keys from row to row. */
import { type KeyboardEvent, type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { useLatest } from '../hooks.ts';
import { isTextField } from '../is-mac.ts';
import { type Rows, readStep } from './use-selection.ts';

const pageRows = 10;

/** Returns the index of the row that `key` leads to from the row `from`; undefined for other keys, or without rows. */
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

type RowFocus = {
  readonly count: number;
  /** The index of the row that Tab leads to. */
  readonly active: number;
  readonly activate: (index: number) => void;
  /** Whether Tab leads to the rows; otherwise it leads to the headings. */
  readonly isStop: boolean;
  /**
   * Called before the focus moves to the row at `index`. It has to scroll the row into view, so that the row is
   * rendered.
   */
  readonly bring: (index: number) => void;
  readonly extend: ((from: number, to: number) => void) | undefined;
  readonly leave: () => void;
};

/**
 * Handles the focus of the rows in `body`, which have the attribute `data-row`. A row with a `tabIndex` takes the focus
 * itself; otherwise its first control takes it. Tab leads only to the active row; the arrow keys lead to the others,
 * and to further controls of a row. The returned `move` gives a row the focus.
 */
export const useRowFocus = (body: RefObject<HTMLElement | null>, options: RowFocus) => {
  const { count, active, activate, isStop, bring, extend, leave } = options;
  const moved = useRef(false);
  const [, setMoves] = useState(0);
  useLayoutEffect(() => {
    for (const row of body.current?.querySelectorAll<HTMLElement>('[data-row]') ?? []) {
      const own = focusOf(row);
      for (const control of row.querySelectorAll<HTMLElement>(controls)) if (control !== own) control.tabIndex = -1;
      if (own) own.tabIndex = isStop && Number(row.dataset.row) === active ? 0 : -1;
    }
  });
  // After `move`, the active row gets the focus as soon as it is rendered.
  useLayoutEffect(() => {
    if (!moved.current) return;
    const row = body.current?.querySelector<HTMLElement>(`[data-row="${active}"]`);
    if (!row) return;
    moved.current = false;
    focusOf(row)?.focus({ preventScroll: true });
  });
  const latestBring = useLatest(bring);
  const move = useCallback(
    (index: number): void => {
      moved.current = true;
      activate(index);
      // Forces a render even if the row was already active.
      setMoves((moves) => moves + 1);
      latestBring(index);
    },
    [activate, latestBring],
  );
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
    if (altKey || ctrlKey || metaKey || (shiftKey && extend === undefined)) return;
    if ((key === 'ArrowRight' || key === 'ArrowLeft') && !shiftKey) {
      moveInRow(event);
      return;
    }
    const target = rowAfterKey(key, active, count);
    if (target === undefined) return;
    event.preventDefault();
    if (key === 'ArrowUp' && active === 0 && !shiftKey) {
      leave();
      return;
    }
    move(target);
    if (shiftKey) extend?.(active, target);
  };
  return { move, onKeyDown };
};

const controls = 'button, input, a';

export const controlAt = (target: EventTarget): Element | null =>
  target instanceof Element ? target.closest(controls) : null;

/** Returns the element that takes the focus of a row: the row itself or its first control. */
export const focusOf = (row: HTMLElement): HTMLElement | null =>
  row.hasAttribute('tabindex') ? row : row.querySelector<HTMLElement>(controls);

/** Moves the focus to the next or previous control of the row, because Tab leads to only one of its controls. */
const moveInRow = (event: KeyboardEvent): void => {
  const { target, key } = event;
  const row = target instanceof HTMLElement ? target.closest<HTMLElement>('[data-row]') : null;
  if (row === null || !(target instanceof HTMLElement)) return;
  const stops = [...(row.hasAttribute('tabindex') ? [row] : []), ...row.querySelectorAll<HTMLElement>(controls)];
  const next = stops[stops.indexOf(target) + (key === 'ArrowRight' ? 1 : -1)];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
};

// Type-ahead: typing the beginning of a row's name moves the focus to it, as in a list of files.

type TypeAhead<Row> = {
  readonly rows: Rows<Row>;
  readonly nameOf: (row: Row) => string;
  readonly move: (index: number) => void;
};

/** After a pause longer than this, typing begins a new name. */
const pauseMs = 800;

/**
 * Returns the text to search for after `key` was typed. A repeated letter is not added: it searches for the next name
 * that begins with it.
 */
const typedOn = (typed: string, key: string): string => (typed === key ? key : typed + key);

/**
 * Finds the next row whose name begins with `typed` (in lower case). For a single letter, the search begins after the
 * row `from`, otherwise at that row. After the last row, it continues at the first. Resolves to undefined if no name
 * matches, or once `isWanted` returns false.
 */
const findName = async <Row>(
  typed: string,
  from: number,
  { rows: { count, rowAt, read }, nameOf }: Omit<TypeAhead<Row>, 'move'>,
  isWanted: () => boolean,
): Promise<number | undefined> => {
  const begins = (row: Row): boolean => nameOf(row).toLocaleLowerCase().startsWith(typed);
  const start = typed.length === 1 ? from + 1 : from;
  for (let passed = 0; passed < count && isWanted(); ) {
    const index = (start + passed) % count;
    const row = rowAt(index);
    const { rows } = row === undefined ? await read(index, Math.min(readStep, count - index)) : { rows: [row] };
    const at = rows.findIndex(begins);
    if (at >= 0) return index + at;
    passed += Math.max(1, rows.length);
  }
  return undefined;
};

/**
 * Returns a handler of the keys that are pressed in the rows. It moves the focus to the row whose name the user types.
 * `active`: the row that has the focus.
 */
export const useTypeAhead = <Row>({ move, ...names }: TypeAhead<Row>) => {
  const last = useRef({ typed: '', atMs: Number.NEGATIVE_INFINITY });
  return (event: KeyboardEvent, active: number): void => {
    const { key, altKey, ctrlKey, metaKey, target, timeStamp } = event;
    const before = timeStamp - last.current.atMs < pauseMs ? last.current.typed : '';
    const isText = /^[\p{L}\p{N}]$/u.test(key) || (before !== '' && /^[ .,\-/]$/.test(key));
    if (event.defaultPrevented || altKey || ctrlKey || metaKey || isTextField(target) || !isText) return;
    // The default action of a space would press the button of the row.
    event.preventDefault();
    const search = { typed: typedOn(before, key.toLocaleLowerCase()), atMs: timeStamp };
    last.current = search;
    // Once the user has moved the focus elsewhere, it stays there.
    const isWanted = (): boolean => last.current === search && document.activeElement === target;
    findName(search.typed, active, names, isWanted)
      .then((found) => found !== undefined && isWanted() && move(found))
      // If rows cannot be read, nothing is found.
      .catch(() => {});
  };
};
