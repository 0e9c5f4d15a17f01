/** Whether the last session at a service ended automatically: until the next one its offline data may be browsed. */
import { useSnapshot, useView } from './context.tsx';
import { serviceKey } from './last-place.ts';
import { endedKey } from './views.ts';

/** Whether the last session at the present service ended automatically, even before a restart. */
export const useHasEnded = (): boolean => {
  const ended = useView(endedKey);
  const service = useSnapshot(({ connection }) => connection && serviceKey(connection));
  return service !== undefined && ended === service;
};
