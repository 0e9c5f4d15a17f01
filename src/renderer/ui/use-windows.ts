import { useCallback, useEffect, useRef, useState } from 'react';
import { type ErrorData, toErrorData } from '../../contract/errors.ts';
import { createPaced, type Paced } from './paced.ts';
import { noWindows, type Windows, windowLength, windowsOf, withWindows } from './windows.ts';

/** Reads `limit` rows from `offset`, and how many there are in all. */
export type ReadWindow<Row> = (
  offset: number,
  limit: number,
) => Promise<{ readonly rows: readonly Row[]; readonly total: number }>;

export type UseWindows<Row> = {
  /** Undefined until the first answer. */
  readonly held: Windows<Row> | undefined;
  readonly error: ErrorData | undefined;
  readonly onRange: (first: number, last: number) => void;
  /** Reads again what is in view, at least `pauseMs` after the last time. */
  readonly refresh: (pauseMs: number) => void;
};

/** The rows in view of a list of any length. They are read anew when `read` changes: keep it stable with `useCallback`. */
export const useWindows = <Row>(read: ReadWindow<Row>): UseWindows<Row> => {
  const [held, setHeld] = useState<Windows<Row>>();
  const [error, setError] = useState<ErrorData>();
  const wanted = useRef<readonly number[]>([0]);
  const reader = useRef<Paced>(undefined);

  useEffect(() => {
    let current = true;
    // What another `read` brought stays on screen until the first answer, not beside it.
    let fresh = true;
    const paced = createPaced(async () => {
      const numbers = wanted.current;
      try {
        const answers = await Promise.all(numbers.map((number) => read(number * windowLength, windowLength)));
        if (!current) return;
        const answered = new Map(answers.map((answer, position) => [numbers[position] ?? 0, answer.rows]));
        const start = fresh;
        fresh = false;
        setHeld((before) => withWindows(start ? noWindows : (before ?? noWindows), answered, answers[0]?.total ?? 0));
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
    const numbers = windowsOf(first, last);
    if (numbers.join() === wanted.current.join()) return;
    wanted.current = numbers;
    reader.current?.ask(0);
  }, []);
  const refresh = useCallback((pauseMs: number) => reader.current?.ask(pauseMs), []);
  return { held, error, onRange, refresh };
};
