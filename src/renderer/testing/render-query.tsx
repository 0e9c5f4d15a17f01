import type { QueryClient } from '@tanstack/react-query';
import { cleanup, type RenderHookResult, renderHook } from '@testing-library/react';
import type { ComponentType, ReactNode } from 'react';
import { onTestFinished } from 'vitest';
import { createQueries, QueriesProvider } from '../queries/query.tsx';
import {
  AppProvider,
  type AppStore,
  createAppStore,
  createDeskClient,
  createViewsStore,
  followDesk,
} from '../state/store.tsx';
import { createFakeBridge, emptySnapshot, type FakeBridge, type SomeHandlers } from './fake-bridge.ts';

type TestWindow = FakeBridge & {
  readonly desk: ReturnType<typeof createDeskClient>;
  readonly store: AppStore;
  readonly client: QueryClient;
  /** Wraps a page in the providers of the window. */
  readonly wrapper: ComponentType<{ readonly children: ReactNode }>;
  /** Renders `hook` in the window. `props` is its argument, which `rerender` changes. */
  readonly render: <P, T>(hook: (props: P) => T, props: NoInfer<P>) => RenderHookResult<T, P>;
};

/**
 * Creates the window without its pages. `handlers` handle its calls. The window is closed at the end of the test, and
 * later responses are ignored.
 */
export const createTestWindow = async (handlers: SomeHandlers): Promise<TestWindow> => {
  const fake = createFakeBridge({ ...handlers, app: { snapshot: () => emptySnapshot, ...handlers.app } });
  const queries = createQueries();
  const { client } = queries;
  onTestFinished(() => {
    cleanup();
    client.clear();
  });
  const desk = createDeskClient(fake.bridge, queries.refreshAfterCall);
  const store = createAppStore(desk);
  const views = createViewsStore(desk, store);
  followDesk(store, desk);
  queries.follow(store);
  await store.getState().synchronise();
  const wrapper = ({ children }: { readonly children: ReactNode }) => (
    <AppProvider desk={desk} store={store} views={views}>
      <QueriesProvider client={client} desk={desk}>
        {children}
      </QueriesProvider>
    </AppProvider>
  );
  return {
    ...fake,
    desk,
    store,
    client,
    wrapper,
    render: (hook, props) => renderHook(hook, { wrapper, initialProps: props }),
  };
};
