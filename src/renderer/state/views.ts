/**
 * The window's state that survives restarts, by key, such as the last place, or the order and the columns of a table.
 */
import { debounce, isEqual } from 'es-toolkit';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Snapshot } from '../../contract/app.ts';
import type { ViewValue } from '../../contract/preferences.ts';
import { serviceKey, toLastPlace } from './places.ts';
import type { AppStore, RendererDesk } from './store.ts';

/** The stored values by key; null for a value that is to be removed. */
export type Views = Readonly<Record<string, ViewValue>>;

export type ViewsStore = StoreApi<Views>;

/**
 * How long values have to stay unchanged before they are written. The user changes a column's width in many small
 * steps.
 */
const settledMs = 400;

/**
 * Creates the store of the views, which main keeps in its settings. It is filled from the first snapshot of `store`.
 * Changes are written key by key, after a pause or when the window is left. Errors of writing are not reported, because
 * the views are only a convenience. The open place, and whether the session has expired, are stored automatically.
 */
export const createViewsStore = (desk: RendererDesk, store: AppStore): ViewsStore => {
  const views = createStore<Views>()(() => ({}));
  let written: Views = {};
  const write = debounce((): void => {
    const latest = views.getState();
    const changed = Object.entries(latest).filter(([key, value]) => !isEqual(value, written[key]));
    written = latest;
    for (const [key, value] of changed) desk.view.remember({ key, value }).catch(() => {});
  }, settledMs);
  views.subscribe(write);
  addEventListener('pagehide', write.flush);
  store.subscribe((state, before) => {
    const { snapshot } = state.projection;
    if (snapshot === undefined) return;
    if (before.projection.snapshot === undefined) {
      written = snapshot.views;
      views.setState(written, true);
    }
    const { place } = state.history;
    if (snapshot.connection && place !== before.history.place)
      views.setState({ place: toLastPlace(place, snapshot.connection) });
    rememberEnd(views, snapshot, before.projection.snapshot);
  });
  return views;
};

/** The key of the service whose last session has expired. */
export const expiredKey = 'session.ended';

const rememberEnd = (views: ViewsStore, { session, connection }: Snapshot, before: Snapshot | undefined): void => {
  if (session === before?.session || connection === undefined) return;
  const hasExpired = views.getState()[expiredKey] === serviceKey(connection);
  const ends = session.state === 'signed-out' && session.reason?.code === 'auth/expired';
  if (ends && !hasExpired) views.setState({ [expiredKey]: serviceKey(connection) });
  if (session.state === 'signed-in' && hasExpired) views.setState({ [expiredKey]: null });
};
