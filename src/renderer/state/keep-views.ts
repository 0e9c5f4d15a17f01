import type { ViewValue } from '../../contract/preferences.ts';
import type { Desk } from './desk.ts';
import { toLastPlace } from './last-place.ts';
import type { AppState, AppStore } from './store.ts';

/** How long all has to stay the same before it is written: a column is moved by many small steps. */
const settledMs = 400;

/** What is to be remembered, by its key. */
const viewsOf = ({ projection, history, remembered }: AppState): Readonly<Record<string, ViewValue>> => {
  const connection = projection.snapshot?.connection;
  return connection === undefined ? remembered : { ...remembered, place: toLastPlace(history.place, connection) };
};

/**
 * Writes what the window remembers to main, once it has settled or the window is left. A refusal is nobody's business:
 * what is remembered is a convenience. Ends when the returned function is called.
 */
export const keepViews = (store: AppStore, desk: Desk): (() => void) => {
  const written = new Map<string, string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const write = (): void => {
    clearTimeout(timer);
    timer = undefined;
    for (const [key, value] of Object.entries(viewsOf(store.getState()))) {
      const text = JSON.stringify(value);
      if (written.get(key) === text) continue;
      written.set(key, text);
      desk.view.remember({ key, value }).catch(() => {});
    }
  };
  const leave = (): void => {
    if (timer !== undefined) write();
  };
  const stop = store.subscribe((state, before) => {
    if (state.remembered === before.remembered && state.history.place === before.history.place) return;
    clearTimeout(timer);
    timer = setTimeout(write, settledMs);
  });
  addEventListener('pagehide', leave);
  return () => {
    stop();
    clearTimeout(timer);
    removeEventListener('pagehide', leave);
  };
};
