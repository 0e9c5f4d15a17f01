import { hashKey, useQuery } from '@tanstack/react-query';
import { isEqual } from 'es-toolkit';
import { useCallback, useEffect, useRef, useState } from 'react';
import { type ErrorData, toErrorData } from '../../contract/errors.ts';
import { useLatest } from '../ui/hooks.ts';
import type { CallQuery } from './query.tsx';

/** Rows from `offset` on, and how many the whole list has. */
export type Rows<Row> = { readonly rows: readonly Row[]; readonly total: number };

export type WindowState<Answer, Row> = {
  /**
   * The last result; that of the previous question until the present one has its own; undefined before the first.
   */
  readonly held: { readonly answer: Answer; readonly total: number; readonly question: string } | undefined;
  /** The row at `index`, from 0; undefined while it is not there. */
  readonly rowAt: (index: number) => Row | undefined;
  /** To be called with the rows in view: those around them are read. */
  readonly onRange: (first: number, last: number) => void;
  /** Reads any of the rows, in view or not. */
  readonly read: (offset: number, limit: number) => Promise<Rows<Row>>;
  readonly error: ErrorData | undefined;
  readonly reload: () => void;
};

/** Windows that were scrolled out of view are forgotten soon: a list can have a million rows. */
const forgottenMs = 60_000;

type View = {
  readonly question: string;
  /** How many rows are in view. */
  readonly rows: number;
  readonly wanted: Window;
  /** The window that is read: meanwhile others that are scrolled past are not. */
  readonly asked: Window;
};

/**
 * The rows in view of a list of any length. `query` reads one window of it; the rest of its input is the question. Another question
 * is shown from its first row, and `held.question` is that of the rows on screen.
 */
export const useWindowQuery = <Answer, Row>(
  query: (window: Window) => CallQuery<Answer>,
  rowsOf: (answer: Answer) => Rows<Row>,
): WindowState<Answer, Row> => {
  const question = hashKey(query({ offset: 0, limit: 0 }).queryKey);
  const [view, setView] = useState<View>(() => startOf(question, 0));
  const { asked, wanted } = view.question === question ? view : startOf(question, view.rows);
  const { queryKey, queryFn } = query(asked);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: async () => ({ question, offset: asked.offset, answer: await queryFn() }),
    gcTime: forgottenMs,
  });
  // Stays the same with another question: the table is not rendered again before its rows are there.
  const onRange = useLatest((first: number, last: number) =>
    setView((before) => {
      const start = before.question === question ? before : startOf(question, before.rows);
      const next = { ...start, rows: last - first, wanted: windowAround(first, last) };
      return isEqual(before, next) ? before : next;
    }),
  );
  useEffect(() => {
    if (!isFetching && !isEqual(asked, wanted)) setView((before) => ({ ...before, asked: before.wanted }));
  }, [isFetching, asked, wanted]);
  const rowAt = useCallback((index: number) => data && rowsOf(data.answer).rows[index - data.offset], [data, rowsOf]);
  const latest = useRef({ query, rowsOf });
  latest.current = { query, rowsOf };
  const read = useCallback(async (offset: number, limit: number) => {
    const { query: asked, rowsOf: rows } = latest.current;
    return rows(await asked({ offset, limit }).queryFn());
  }, []);
  return {
    held: data && { answer: data.answer, total: rowsOf(data.answer).total, question: data.question },
    rowAt,
    onRange,
    read,
    error: error === null ? undefined : toErrorData(error),
    reload: useCallback(() => void refetch(), [refetch]),
  };
};

const startOf = (question: string, rows: number): View => {
  const window = windowAround(0, rows);
  return { question, rows, wanted: window, asked: window };
};

/** A part of a long list: whole steps of rows around those in view, so that scrolling by a few rows reads nothing. */
export type Window = { readonly offset: number; readonly limit: number };

/** Rows in view mostly lie within one step: a short response is there sooner. */
const stepRows = 50;

/** Rows this near to those in view are read before they come into it. */
const nearRows = 20;

/** The window that holds the rows from `first` to `last` and those near them. */
export const windowAround = (first: number, last: number): Window => {
  const from = Math.floor(Math.max(0, first - nearRows) / stepRows);
  const to = Math.floor((Math.max(first, last) + nearRows) / stepRows);
  return { offset: from * stepRows, limit: (to - from + 1) * stepRows };
};
