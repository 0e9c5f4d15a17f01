import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useMemo } from 'react';
import type { DeskClient } from '../../contract/calls.ts';
import { type CallQueries, createCallQueries } from './calls.ts';

const CallsContext = createContext<CallQueries | undefined>(undefined);

type QueriesProviderProps = {
  readonly client: QueryClient;
  readonly desk: DeskClient;
  readonly children: ReactNode;
};

/** Everything below it can use the hooks of this folder. */
export const QueriesProvider = ({ client, desk, children }: QueriesProviderProps) => {
  const calls = useMemo(() => createCallQueries(desk), [desk]);
  return (
    <QueryClientProvider client={client}>
      <CallsContext value={calls}>{children}</CallsContext>
    </QueryClientProvider>
  );
};

/** The queries of main's calls. */
export const useCalls = (): CallQueries => {
  const calls = use(CallsContext);
  if (calls === undefined) throw new Error('outside of QueriesProvider');
  return calls;
};
