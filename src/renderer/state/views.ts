/**
 * The window's state that survives a restart, by key: the last place, the order and the column widths of each table.
 */
import { debounce, isEqual } from 'es-toolkit';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Snapshot } from '../../contract/app.ts';
import type { ViewValue } from '../../contract/preferences.ts';
import type { RendererDesk } from './desk.ts';
import { serviceKey, toLastPlace } from './places.ts';
import type { AppStore } from './store.ts';

/** The remembered values by key; null for one to be forgotten. */
export type Views = Readonly<Record<string, ViewValue>>;

export type ViewsStore = StoreApi<Views>;

/** A column is moved in many small steps: only the last is written. */
const settledMs = 400;

/**
 * The views over main's settings: filled from the first snapshot of `store`, and written key by key once they have settled or the
 * window is left. Errors of writing are not reported: what is remembered is a convenience. Which place is open and whether the
 * session has ended are remembered automatically.
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

/** The view that holds the service at which the last session ended automatically. */
export const endedKey = 'session.ended';

/** Remembers in `views` at which service a session has ended, and forgets it when the next one begins. */
const rememberEnd = (views: ViewsStore, { session, connection }: Snapshot, before: Snapshot | undefined): void => {
  if (session === before?.session || connection === undefined) return;
  const hasEnded = views.getState()[endedKey] === serviceKey(connection);
  const ends = session.state === 'signed-out' && session.reason?.code === 'auth/expired';
  if (ends && !hasEnded) views.setState({ [endedKey]: serviceKey(connection) });
  if (session.state === 'signed-in' && hasEnded) views.setState({ [endedKey]: null });
};
