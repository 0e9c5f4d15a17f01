/** Provides the desk and the stores, so that no module holds them. */
import { createContext, type ReactNode, use, useCallback, useEffect } from 'react';
import { useStore } from 'zustand';
import type { Snapshot } from '../../contract/app.ts';
import type { ViewValue } from '../../contract/preferences.ts';
import type { Batch } from '../../contract/uploads.ts';
import type { RendererDesk } from './desk.ts';
import type { AppState, AppStore } from './store.ts';
import type { ViewsStore } from './views.ts';

type App = { readonly desk: RendererDesk; readonly store: AppStore; readonly views: ViewsStore };

const AppContext = createContext<App | undefined>(undefined);

const useAppContext = (): App => {
  const app = use(AppContext);
  if (app === undefined) throw new Error('outside of AppProvider');
  return app;
};

/** Provides what the hooks of this file return. */
export const AppProvider = ({ desk, store, views, children }: App & { readonly children: ReactNode }) => (
  <AppContext value={{ desk, store, views }}>{children}</AppContext>
);

/** The typed client of main. */
export const useDesk = (): RendererDesk => useAppContext().desk;

/** What `select` returns from the store. */
export const useApp = <T,>(select: (state: AppState) => T): T => useStore(useAppContext().store, select);

/** What `select` returns from main's state. Only inside the shell, which waits for the first snapshot. */
export const useSnapshot = <T,>(select: (snapshot: Snapshot) => T): T =>
  useApp(({ projection }) => {
    if (projection.snapshot === undefined) throw new Error('no snapshot yet');
    return select(projection.snapshot);
  });

/** The batch with this id. */
export const useBatch = (id: string): Batch | undefined =>
  useSnapshot((snapshot) => snapshot.batches.find(({ batchId }) => batchId === id));

/** Calls `onLeave` when another place is opened, before its page is rendered. Keep it stable with `useCallback`. */
export const useLeave = (onLeave: () => void): void => {
  const { store } = useAppContext();
  useEffect(
    () => store.subscribe(({ history }, before) => history.place !== before.history.place && onLeave()),
    [store, onLeave],
  );
};

/** The remembered view of `key`; undefined if there is none. */
export const useView = (key: string): unknown => useStore(useAppContext().views, (views) => views[key]);

/** Remembers the view of a key; null forgets it. */
export const useRemember = (): ((key: string, value: ViewValue) => void) => {
  const { views } = useAppContext();
  return useCallback((key, value) => views.setState({ [key]: value }), [views]);
};
