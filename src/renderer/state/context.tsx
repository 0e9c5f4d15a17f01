import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react';
import type { z } from 'zod';
import { useStore } from 'zustand';
import type { Snapshot } from '../../contract/app.ts';
import type { ViewValue } from '../../contract/preferences.ts';
import { needsSession, type Place, serviceKey } from './places.ts';
import type { AppState, AppStore, RendererDesk } from './store.ts';
import { expiredKey, type ViewsStore } from './views.ts';

type App = { readonly desk: RendererDesk; readonly store: AppStore; readonly views: ViewsStore };

const AppContext = createContext<App | undefined>(undefined);

const useAppContext = (): App => {
  const app = use(AppContext);
  if (app === undefined) throw new Error('outside of AppProvider');
  return app;
};

/** Provides main's client and the stores to the hooks of this file. */
export const AppProvider = ({ desk, store, views, children }: App & { readonly children: ReactNode }) => (
  <AppContext value={{ desk, store, views }}>{children}</AppContext>
);

/** Returns the typed client of main. */
export const useDesk = (): RendererDesk => useAppContext().desk;

/** Selects from the app's store. */
export const useApp = <T,>(select: (state: AppState) => T): T => useStore(useAppContext().store, select);

/** Selects from main's state. Throws before the first snapshot; the app renders pages only after it. */
export const useSnapshot = <T,>(select: (snapshot: Snapshot) => T): T =>
  useApp(({ projection }) => {
    if (projection.snapshot === undefined) throw new Error('no snapshot yet');
    return select(projection.snapshot);
  });

/**
 * Calls `onLeave` when another place is opened, before the page of that place is rendered. `onLeave` should be stable,
 * for example by `useCallback`.
 */
export const useLeave = (onLeave: () => void): void => {
  const { store } = useAppContext();
  useEffect(
    () => store.subscribe(({ history }, before) => history.place !== before.history.place && onLeave()),
    [store, onLeave],
  );
};

/**
 * Whether the last session at the present service has expired, possibly before the app was restarted. If so, the user
 * can browse the offline data until the next session.
 */
export const useHasExpired = (): boolean => {
  const ended = useStore(useAppContext().views, (views) => views[expiredKey]);
  const service = useSnapshot(({ connection }) => connection && serviceKey(connection));
  return service !== undefined && ended === service;
};

/**
 * Returns a value of the window's state that survives restarts, such as the order of a table, and a function that sets
 * it. The value is undefined if none is stored, or none that `schema` accepts. Setting undefined removes it.
 */
export const useRemembered = <T extends ViewValue>(
  key: string,
  schema: z.ZodType<T>,
): readonly [value: T | undefined, remember: (value: T | undefined) => void] => {
  const { views } = useAppContext();
  const kept = useStore(views, (all) => all[key]);
  const value = useMemo(() => schema.safeParse(kept ?? undefined).data, [kept, schema]);
  return [value, useCallback((next) => views.setState({ [key]: next ?? null }), [views, key])];
};

export type Action<A extends readonly unknown[]> = {
  readonly run: (...args: A) => void;
  readonly busy: boolean;
};

/** Runs an action of the user. An error is shown in a toast unless `onError` handles it. */
export const useAction = <A extends readonly unknown[]>(
  act: (...args: A) => Promise<unknown>,
  onError?: (error: unknown) => void,
): Action<A> => {
  const report = useReport();
  const [runs, setRuns] = useState(0);
  const run = (...args: A): void => {
    setRuns((before) => before + 1);
    act(...args)
      .catch(onError ?? report)
      .finally(() => setRuns((before) => before - 1));
  };
  return { run, busy: runs > 0 };
};

/** Returns a function that shows the error of an action in a toast, which stays until it is dismissed. */
export const useReport = (): ((error: unknown) => void) => useApp((state) => state.report);

/**
 * Whether the sign-in page is shown in place of the page of `place`. It is shown while no user is signed in, either on
 * the user's request or because the page needs a session. A user who browses offline data sees it only on request.
 */
export const useAsksToSignIn = (place: Place): boolean => {
  const signedIn = useSnapshot(({ session }) => session.state === 'signed-in');
  const asks = useApp(
    ({ signInRequested, browsesOffline, history }) =>
      (signInRequested && history.place === place) || (!browsesOffline && needsSession(place)),
  );
  return !signedIn && asks;
};
