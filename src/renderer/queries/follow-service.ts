import type { Query, QueryClient } from '@tanstack/react-query';
import { fromErrorData, toErrorData } from '../../contract/errors.ts';
import { isAway } from './service-query.ts';

const pauseMs = 30_000;

/**
 * Asks what `query` asks; on screen nothing changes before the answer, which is dropped when somebody asked meanwhile.
 */
const askQuietly = async (client: QueryClient, query: Query): Promise<void> => {
  const { state, queryKey, queryHash } = query;
  const isCurrent = (): boolean => query.state === state;
  try {
    const apart = { queryKey: [...queryKey, 'quietly'], queryHash: `${queryHash} quietly`, gcTime: 0 };
    const data = await client.fetchQuery({ ...query.options, ...apart });
    if (isCurrent()) client.setQueryData(queryKey, data);
  } catch (error) {
    if (isCurrent()) query.setState({ status: 'error', error: fromErrorData(toErrorData(error)) });
  }
};

/**
 * Asks again, from time to time and when the computer says that it has a network, for what is in view and old, or missing,
 * because the service is unreachable. Ends when the returned function is called.
 */
export const followService = (client: QueryClient): (() => void) => {
  const again = (): void => {
    for (const query of client.getQueryCache().findAll({ type: 'active', fetchStatus: 'idle', predicate: isAway }))
      void askQuietly(client, query);
  };
  const timer = setInterval(again, pauseMs);
  addEventListener('online', again);
  return () => {
    clearInterval(timer);
    removeEventListener('online', again);
  };
};
