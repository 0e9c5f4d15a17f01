/** Reads from the service for one page. */
import { useCallback, useEffect, useReducer, useRef } from 'react';
import { type ErrorData, toErrorData } from '../../contract/errors.ts';
import type { Reading } from '../../contract/reading.ts';
import { useReadAgain } from './read-again.ts';
import { useStanding, useWhileAway } from './use-while-away.ts';

/** Asks main: `offline` for what is kept only, else for the service's answer, or what is kept where it cannot be reached. */
export type Read<T> = (options: { readonly offline?: true }) => Promise<Reading<T>>;

export type ReadingState<T> = {
  readonly reading: Reading<T> | undefined;
  readonly error: ErrorData | undefined;
  readonly busy: boolean;
  readonly reload: () => void;
};

type State<T> = Pick<ReadingState<T>, 'error' | 'busy'> & {
  readonly reading?: { readonly read: Read<T>; readonly answer: Reading<T> } | undefined;
};

/**
 * What `read` answers: at first what is kept, if anything, then what the service says. It is asked again on `reload`,
 * when `read` changes (keep it stable with `useCallback`), and when the page comes back into view; what was read
 * before stays on screen meanwhile. An answer that comes after a newer question is dropped. While the service is away it
 * is asked from time to time, which nobody sees until it answers.
 */
export const useReading = <T>(read: Read<T>): ReadingState<T> => {
  const [state, update] = useReducer(
    (before: State<T>, change: Partial<State<T>>): State<T> => ({ ...before, ...change }),
    { error: undefined, busy: true },
  );
  const latest = useRef(0);
  const shown = useRef<Read<T>>(undefined);
  const show = useCallback(
    (answer: Reading<T>, change: Partial<State<T>> = {}): void => {
      shown.current = read;
      update({ reading: { read, answer }, ...change });
    },
    [read],
  );
  const ask = useCallback((): number => {
    latest.current += 1;
    const question = latest.current;
    read({}).then(
      (answer) => question === latest.current && show(answer, { error: undefined, busy: false }),
      (error: unknown) => question === latest.current && update({ error: toErrorData(error), busy: false }),
    );
    return question;
  }, [read, show]);
  const reload = useCallback(() => {
    update({ busy: true });
    const question = ask();
    if (shown.current === read) return;
    read({ offline: true }).then(
      (answer) => question === latest.current && shown.current !== read && show(answer),
      () => {
        // Nothing is kept: the service's answer is waited for.
      },
    );
  }, [read, ask, show]);
  useEffect(() => {
    reload();
    return () => {
      latest.current += 1;
    };
  }, [reload]);
  useWhileAway({ source: state.reading?.answer.source, error: state.error }, ask);
  useReadAgain(reload);
  // Beside an error only what answered this very question may stay.
  const reading = state.error === undefined || state.reading?.read === read ? state.reading?.answer : undefined;
  return { reading, error: useStanding(state.error), busy: state.busy, reload };
};
