/** Gives the components the desk and the store, so that no module holds either. */
import { createContext, type ReactNode, use, useCallback, useEffect } from 'react';
import { useStore } from 'zustand';
import type { Batch } from '../../contract/batches.ts';
import type { ViewValue } from '../../contract/preferences.ts';
import type { Snapshot } from '../../contract/snapshot.ts';
import type { Desk } from './desk.ts';
import type { AppState, AppStore } from './store.ts';
import type { ViewsStore } from './views.ts';

type App = { readonly desk: Desk; readonly store: AppStore; readonly views: ViewsStore };

const AppContext = createContext<App | undefined>(undefined);

const useAppContext = (): App => {
  const app = use(AppContext);
  if (app === undefined) throw new Error('outside of AppProvider');
  return app;
};

/** Everything below it can use the hooks of this file. */
export const AppProvider = ({ desk, store, views, children }: App & { readonly children: ReactNode }) => (
  <AppContext value={{ desk, store, views }}>{children}</AppContext>
);

/** The typed client of main. */
export const useDesk = (): Desk => useAppContext().desk;

/** What `select` takes from the store; renders again when that changes. */
export const useApp = <T,>(select: (state: AppState) => T): T => useStore(useAppContext().store, select);

/** The same of main's state. Only below the shell, which waits for the first snapshot. */
export const useSnapshot = <T,>(select: (snapshot: Snapshot) => T): T =>
  useApp(({ projection }) => {
    if (projection.snapshot === undefined) throw new Error('no snapshot yet');
    return select(projection.snapshot);
  });

/** The batch of that id, as last told. */
export const useBatch = (id: string): Batch | undefined =>
  useSnapshot((snapshot) => snapshot.batches.find(({ batchId }) => batchId === id));

/** Calls `onLeave` when the person goes to another place, before its page is drawn. Keep it stable with `useCallback`. */
export const useLeave = (onLeave: () => void): void => {
  const { store } = useAppContext();
  useEffect(
    () => store.subscribe(({ history }, before) => history.place !== before.history.place && onLeave()),
    [store, onLeave],
  );
};

/** What the window remembers under `key`, whatever it is; undefined for nothing. */
export const useView = (key: string): unknown => useStore(useAppContext().views, (views) => views[key]);

/** Remembers a value under a key; null forgets it. */
export const useRemember = (): ((key: string, value: ViewValue) => void) => {
  const { views } = useAppContext();
  return useCallback((key, value) => views.setState({ [key]: value }), [views]);
};
