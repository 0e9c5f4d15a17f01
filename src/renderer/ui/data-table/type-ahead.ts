/** Typing the beginning of a row's name moves to it, as in a list of files. */
import { type KeyboardEvent, useRef } from 'react';
import { type ReadRows, readStep } from './use-selection.ts';

type TypeAhead<Row> = {
  readonly count: number;
  readonly rowAt: (index: number) => Row | undefined;
  /** Reads rows that are not in view; absent where `rowAt` has them all. */
  readonly read: ReadRows<Row> | undefined;
  readonly nameOf: (row: Row) => string;
  readonly move: (index: number) => void;
};

/** A longer pause begins another name. */
const pauseMs = 800;

/** What is searched for after `key` was typed: the same letter again means the next name that begins with it. */
export const typedOn = (typed: string, key: string): string => (typed === key ? key : typed + key);

/** The row after `from`, or from it on while a name is typed, whose name begins with `typed`; it goes on at the first one after the last. */
export const findName = async <Row>(
  typed: string,
  from: number,
  { count, rowAt, read, nameOf }: Omit<TypeAhead<Row>, 'move'>,
  isWanted: () => boolean,
): Promise<number | undefined> => {
  const begins = (row: Row): boolean => nameOf(row).toLocaleLowerCase().startsWith(typed);
  const start = typed.length === 1 ? from + 1 : from;
  for (let passed = 0; passed < count && isWanted(); ) {
    const index = (start + passed) % count;
    const row = rowAt(index);
    if (row === undefined && read === undefined) return undefined;
    const rows = row === undefined ? await read?.(index, Math.min(readStep, count - index)) : { rows: [row] };
    const at = rows?.rows.findIndex(begins) ?? -1;
    if (at >= 0) return index + at;
    passed += Math.max(1, rows?.rows.length ?? 0);
  }
  return undefined;
};

/** Handles the letters and digits that are typed in the rows, of which the one at `active` has the focus. */
export const useTypeAhead = <Row>({ move, ...rows }: TypeAhead<Row>) => {
  const last = useRef({ typed: '', atMs: Number.NEGATIVE_INFINITY });
  return (event: KeyboardEvent, active: number): void => {
    const { key, altKey, ctrlKey, metaKey, target, timeStamp } = event;
    const isTyping = target instanceof HTMLInputElement && target.type !== 'checkbox';
    const before = timeStamp - last.current.atMs < pauseMs ? last.current.typed : '';
    const isText = /^[\p{L}\p{N}]$/u.test(key) || (before !== '' && /^[ .,\-/]$/.test(key));
    if (event.defaultPrevented || altKey || ctrlKey || metaKey || isTyping || !isText) return;
    // A space would press the button of the row.
    event.preventDefault();
    const search = { typed: typedOn(before, key.toLocaleLowerCase()), atMs: timeStamp };
    last.current = search;
    const isWanted = (): boolean => last.current === search;
    findName(search.typed, active, rows, isWanted)
      .then((found) => found !== undefined && isWanted() && move(found))
      // What could not be read is not found.
      .catch(() => {});
  };
};
