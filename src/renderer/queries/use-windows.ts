import { useCallback, useEffect, useRef, useState } from 'react';
import { type ErrorData, toErrorData } from '../../contract/errors.ts';
import { createPaced, type Paced } from './paced.ts';
import { useReadAgain } from './read-again.ts';
import { inWindows, noWindows, type Windows, windowLength, windowsOf, withWindows } from './windows.ts';

/** Reads `limit` rows from `offset`, and how many there are in all. */
export type ReadWindow<Row> = (
  offset: number,
  limit: number,
) => Promise<{ readonly rows: readonly Row[]; readonly total: number }>;

export type UseWindows<Row> = {
  /** Undefined until the first answer. */
  readonly held: Windows<Row> | undefined;
  /** The `read` that brought them: another than the present one while that is under way. */
  readonly heldBy: ReadWindow<Row> | undefined;
  readonly error: ErrorData | undefined;
  readonly onRange: (first: number, last: number) => void;
  /** Reads again what is in view, at least `pauseMs` after the last time. */
  readonly refresh: (pauseMs: number) => void;
};

type Held<Row> = { readonly held: Windows<Row>; readonly heldBy: ReadWindow<Row> };

/**
 * The rows in view of a list of any length. They are read anew when `read` changes: keep it stable with `useCallback`,
 * and begin the table anew with `heldBy`.
 */
export const useWindows = <Row>(read: ReadWindow<Row>): UseWindows<Row> => {
  const [{ held, heldBy }, setHeld] = useState<Partial<Held<Row>>>({});
  const [error, setError] = useState<ErrorData>();
  const wanted = useRef<readonly number[]>([0]);
  const reader = useRef<Paced>(undefined);
  const asked = useRef(read);
  const rowsInView = useRef(0);

  useEffect(() => {
    let current = true;
    // What another `read` brought stays on screen until the first answer, not beside it.
    let fresh = true;
    // Another list is shown from its first row.
    if (asked.current !== read) wanted.current = windowsOf(0, rowsInView.current);
    asked.current = read;
    const paced = createPaced(async () => {
      const numbers = wanted.current;
      try {
        const [from = 0] = numbers;
        const { rows, total } = await read(from * windowLength, numbers.length * windowLength);
        if (!current) return;
        const start = fresh;
        fresh = false;
        setHeld((before) => {
          const windows = start ? noWindows : (before.held ?? noWindows);
          return { held: withWindows(windows, inWindows(from, rows), total), heldBy: read };
        });
        setError(undefined);
      } catch (reason) {
        if (current) setError(toErrorData(reason));
      }
    });
    reader.current = paced;
    paced.ask(0);
    return () => {
      current = false;
      paced.stop();
    };
  }, [read]);

  const onRange = useCallback((first: number, last: number) => {
    rowsInView.current = last - first;
    const numbers = windowsOf(first, last);
    if (numbers.join() === wanted.current.join()) return;
    wanted.current = numbers;
    reader.current?.ask(0);
  }, []);
  const refresh = useCallback((pauseMs: number) => reader.current?.ask(pauseMs), []);
  useReadAgain(useCallback(() => refresh(0), [refresh]));
  return { held, heldBy, error, onRange, refresh };
};
