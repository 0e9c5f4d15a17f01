import { keepPreviousData, QueryClient } from '@tanstack/react-query';

/**
 * The memory of what main answered. Main retries, and reads offline data without a network, so a query is neither
 * retried nor held back here. An answer is asked for again whenever its page comes into view.
 */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: 'always',
        retry: false,
        refetchOnWindowFocus: false,
        // What was on screen stays there until the answer to another question comes.
        placeholderData: keepPreviousData,
      },
    },
  });
