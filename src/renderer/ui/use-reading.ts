/** Reads from the service for one page. */
import { useEffect, useReducer } from 'react';
import { type ErrorData, toErrorData } from '../../contract/errors.ts';
import type { Reading } from '../../contract/models.ts';

/** Asks main, which answers from the cache where the service cannot be reached. */
export type Read<T> = () => Promise<Reading<T>>;

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
 * What `read` answers. It is asked again on `reload`, when `read` changes (keep it stable with `useCallback`), and
 * when the page comes back into view; what was read before stays on screen meanwhile. An answer that comes after a
 * newer question is dropped.
 */
export const useReading = <T>(read: Read<T>): ReadingState<T> => {
  const [state, update] = useReducer(
    (before: State<T>, change: Partial<State<T>>): State<T> => ({ ...before, ...change }),
    {
      error: undefined,
      busy: true,
    },
  );
  const [attempt, reload] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    let current = true;
    update({ busy: true });
    read().then(
      (answer) => current && update({ reading: { read, answer }, error: undefined, busy: false }),
      (error: unknown) => current && update({ error: toErrorData(error), busy: false }),
    );
    return () => {
      current = false;
    };
  }, [read, attempt]);
  // Beside an error only what answered this very question may stay.
  const reading = state.error === undefined || state.reading?.read === read ? state.reading?.answer : undefined;
  return { reading, error: state.error, busy: state.busy, reload };
};
