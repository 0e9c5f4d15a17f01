import { debounce } from 'es-toolkit';
import type { ViewValue } from '../../contract/preferences.ts';
import type { Desk } from './desk.ts';
import { toLastPlace } from './last-place.ts';
import type { AppState, AppStore } from './store.ts';

/** A column is moved in many small steps: only the last is written. */
const settledMs = 400;

/** What is to be remembered, by its key. */
const viewsOf = ({ projection, history, remembered }: AppState): Readonly<Record<string, ViewValue>> => {
  const connection = projection.snapshot?.connection;
  return connection === undefined ? remembered : { ...remembered, place: toLastPlace(history.place, connection) };
};

/**
 * Writes what the window remembers to main, once it has settled or the window is left. A refusal is not reported: what is
 * remembered is a convenience. Ends when the returned function is called.
 */
export const keepViews = (store: AppStore, desk: Desk): (() => void) => {
  const written = new Map<string, string>();
  const write = debounce((): void => {
    for (const [key, value] of Object.entries(viewsOf(store.getState()))) {
      const text = JSON.stringify(value);
      if (written.get(key) === text) continue;
      written.set(key, text);
      desk.view.remember({ key, value }).catch(() => {});
    }
  }, settledMs);
  const stop = store.subscribe((state, before) => {
    if (state.remembered !== before.remembered || state.history.place !== before.history.place) write();
  });
  addEventListener('pagehide', write.flush);
  return () => {
    stop();
    write.cancel();
    removeEventListener('pagehide', write.flush);
  };
};
