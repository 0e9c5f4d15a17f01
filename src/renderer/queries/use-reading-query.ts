import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { type ErrorData, toErrorData } from '../../contract/errors.ts';
import type { Reading } from '../../contract/resources.ts';
import type { CallQuery } from './calls.ts';
import { fromService } from './service-query.ts';

export type ReadingState<T> = {
  /** Offline data at first, then what the service answers. */
  readonly reading: Reading<T> | undefined;
  readonly error: ErrorData | undefined;
  /** Whether the service is being asked. */
  readonly busy: boolean;
  readonly reload: () => void;
};

/**
 * `offline`: from the offline data only; without it from the service, or from the offline data where it is unreachable.
 */
type ReadQuery<T> = (how: { readonly offline?: true }) => CallQuery<Reading<T>>;

/**
 * A read of the service. Both questions are asked at once; the offline data is shown until the service has answered. Next
 * to an error stands only what answers this very question.
 */
export const useReadingQuery = <T>(read: ReadQuery<T>): ReadingState<T> => {
  const service = useQuery<Reading<T>>({ ...read({}), meta: fromService });
  const { refetch } = service;
  const isUnanswered = service.data === undefined || service.isPlaceholderData;
  const offline = useQuery<Reading<T>>({
    ...read({ offline: true }),
    enabled: isUnanswered,
    placeholderData: () => undefined,
  });
  return {
    reading: isUnanswered ? (offline.data ?? service.data) : service.data,
    error: service.error === null ? undefined : toErrorData(service.error),
    busy: service.isFetching,
    reload: useCallback(() => void refetch(), [refetch]),
  };
};
