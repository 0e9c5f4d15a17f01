/** Whether the last session at a service ended automatically: until the next one its offline data may be browsed. */
import { useSnapshot, useView } from './context.tsx';
import { serviceKey } from './last-place.ts';
import type { AppState } from './store.ts';
import type { ViewsStore } from './views.ts';

const key = 'session.ended';

/** Whether the last session at the present service ended automatically, even before a restart. */
export const useHasEnded = (): boolean => {
  const ended = useView(key);
  const service = useSnapshot(({ connection }) => connection && serviceKey(connection));
  return service !== undefined && ended === service;
};

/** Remembers in `views` at which service a session has ended, and forgets it when the next one begins. */
export const rememberEnd = (views: ViewsStore, state: AppState, before: AppState): void => {
  const { session, connection } = state.projection.snapshot ?? {};
  if (session === before.projection.snapshot?.session || connection === undefined) return;
  const hasEnded = views.getState()[key] === serviceKey(connection);
  const ends = session?.state === 'signed-out' && session.reason?.code === 'auth/expired';
  if (ends && !hasEnded) views.setState({ [key]: serviceKey(connection) });
  if (session?.state === 'signed-in' && hasEnded) views.setState({ [key]: null });
};
