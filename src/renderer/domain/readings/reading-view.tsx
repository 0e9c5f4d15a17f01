import type { ReactNode } from 'react';
import type { ErrorData } from '../../../contract/errors.ts';
import type { Reading } from '../../../contract/resources.ts';
import type { ReadingState } from '../../queries/use-reading-query.ts';
import { Loading } from '../../ui/loading.tsx';
import { Failure } from '../errors/failure.tsx';
import { FailureBar } from '../errors/failure-bar.tsx';
import { ReadingNotes } from './reading-notes.tsx';

/**
 * The error of readings that have all failed for the same reason and have nothing to show: it is shown once for all.
 */
export const sharedError = (
  states: readonly Pick<ReadingState<unknown>, 'reading' | 'error'>[],
): ErrorData | undefined => {
  const [first] = states;
  const isShared = states.every(({ reading, error }) => reading === undefined && error?.code === first?.error?.code);
  return isShared ? first?.error : undefined;
};

type ReadingViewProps<T> = {
  readonly state: ReadingState<T>;
  /** Says what is being loaded to those who cannot see the grey lines. */
  readonly loading: string;
  readonly children: (value: T, reading: Reading<T>) => ReactNode;
};

/** A reading in each of its states: loading, failed, up to date, out of date. */
export const ReadingView = <T,>({ state, loading, children }: ReadingViewProps<T>) => {
  const { reading, error, busy, reload } = state;
  if (reading === undefined) {
    return error !== undefined && !busy ? <Failure error={error} onRetry={reload} /> : <Loading label={loading} />;
  }
  return (
    <>
      {error !== undefined && <FailureBar error={error} onRetry={reload} />}
      {!busy && <ReadingNotes reading={reading} />}
      {children(reading.value, reading)}
    </>
  );
};
