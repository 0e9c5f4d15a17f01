/** What the window remembers after a restart, by key: the last place, the order and the column widths of each table. */
import { debounce, isEqual } from 'es-toolkit';
import { type PersistStorage, persist } from 'zustand/middleware';
import { createStore, type Mutate, type StoreApi } from 'zustand/vanilla';
import type { ViewValue } from '../../contract/preferences.ts';
import type { RendererDesk } from './desk.ts';
import { serviceKey, toLastPlace } from './places.ts';
import type { AppState, AppStore } from './store.ts';

/** null: to be forgotten. */
export type Views = Readonly<Record<string, ViewValue>>;

export type ViewsStore = Mutate<StoreApi<Views>, [['zustand/persist', Views]]>;

/** A column is moved in many small steps: only the last is written. */
const settledMs = 400;

/**
 * Main's settings as a storage: read from the snapshot of `store`, written key by key once the views have settled or the
 * window is left. A refusal is not reported: what is remembered is a convenience.
 */
const createStorage = (desk: RendererDesk, store: AppStore): PersistStorage<Views> => {
  let written: Views = {};
  let latest: Views = {};
  const write = debounce((): void => {
    const changed = Object.entries(latest).filter(([key, value]) => !isEqual(value, written[key]));
    written = latest;
    for (const [key, value] of changed) desk.view.remember({ key, value }).catch(() => {});
  }, settledMs);
  addEventListener('pagehide', write.flush);
  return {
    getItem: () => {
      written = store.getState().projection.snapshot?.views ?? {};
      return { state: written };
    },
    setItem: (_, { state }) => {
      latest = state;
      write();
    },
    removeItem: () => {},
  };
};

/** The views, which are empty until `followApp`. */
export const createViewsStore = (desk: RendererDesk, store: AppStore): ViewsStore =>
  createStore<Views>()(
    persist(() => ({}), { name: 'views', storage: createStorage(desk, store), skipHydration: true }),
  );

const hasSnapshot = ({ projection }: AppState): boolean => projection.snapshot !== undefined;

/**
 * Fills `views` from the first snapshot, and remembers there where the person is and whether their session has ended.
 */
export const followApp = (views: ViewsStore, store: AppStore): (() => void) =>
  store.subscribe((state, before) => {
    if (!hasSnapshot(state)) return;
    // At once, as the storage is: the first page is drawn with what is remembered.
    if (!hasSnapshot(before)) void views.persist.rehydrate();
    const connection = state.projection.snapshot?.connection;
    if (connection !== undefined && state.history.place !== before.history.place)
      views.setState({ place: toLastPlace(state.history.place, connection) });
    rememberEnd(views, state, before);
  });

/** The view that holds the service at which the last session ended automatically. */
export const endedKey = 'session.ended';

/** Remembers in `views` at which service a session has ended, and forgets it when the next one begins. */
const rememberEnd = (views: ViewsStore, state: AppState, before: AppState): void => {
  const { session, connection } = state.projection.snapshot ?? {};
  if (session === before.projection.snapshot?.session || connection === undefined) return;
  const hasEnded = views.getState()[endedKey] === serviceKey(connection);
  const ends = session?.state === 'signed-out' && session.reason?.code === 'auth/expired';
  if (ends && !hasEnded) views.setState({ [endedKey]: serviceKey(connection) });
  if (session?.state === 'signed-in' && hasEnded) views.setState({ [endedKey]: null });
};
