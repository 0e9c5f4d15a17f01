import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { type ErrorData, toErrorData } from '../../contract/errors.ts';

export type Answer<T> = {
  /** The last answer, also that to the question before, until the present one is answered. */
  readonly value: T | undefined;
  readonly error: ErrorData | undefined;
  readonly reload: () => void;
};

/** What `query` answers from this computer: main's own data, or a file of the app. */
export const useAnswerQuery = <T>(query: UseQueryOptions<T>): Answer<T> => {
  const { data, error, refetch } = useQuery<T>(query);
  const reload = useCallback(() => void refetch(), [refetch]);
  return error === null
    ? { value: data, error: undefined, reload }
    : { value: undefined, error: toErrorData(error), reload };
};
