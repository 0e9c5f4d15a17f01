/** Whether the last session at a service ended by itself: what it left here may be read until the next, also after a restart. */
import { serviceKey } from './last-place.ts';
import type { AppState } from './store.ts';

const key = 'session.ended';

/** Whether the last session at the present service ended by itself. */
export const hasEnded = ({ projection: { snapshot }, remembered }: AppState): boolean => {
  const ended = remembered[key] === undefined ? snapshot?.views[key] : remembered[key];
  return snapshot?.connection !== undefined && ended === serviceKey(snapshot.connection);
};

/** Keeps in mind at which service a session has ended, and forgets it with the next one. To be told of every change. */
export const rememberEnd = (state: AppState, before: AppState): void => {
  const { session, connection } = state.projection.snapshot ?? {};
  if (session === before.projection.snapshot?.session || connection === undefined) return;
  const ended = session?.state === 'signed-out' && session.reason?.code === 'auth/expired';
  if (ended && !hasEnded(state)) state.remember(key, serviceKey(connection));
  if (session?.state === 'signed-in' && hasEnded(state)) state.remember(key, null);
};
