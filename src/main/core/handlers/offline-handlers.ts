/** The calls of the contract that are answered locally, from the cache, the outbox and the settings. */
import type { Handlers } from '../../../contract/calls.ts';
import { changePreferences, readPreferences, rememberView } from '../../settings/preferences.ts';
import type { ConnectionServices } from '../connection/connection-services.ts';
import type { HandlerParts } from './handler-parts.ts';

type LocalGroups = 'search' | 'overview' | 'offline' | 'cache' | 'outbox' | 'preferences' | 'view';

/** The handlers of the groups that do not need the service. */
export const createOfflineHandlers = (parts: HandlerParts): Pick<Handlers, LocalGroups> => {
  const { cache, settings, state } = parts;
  const { connected } = parts.connections;
  return {
    search: {
      find: ({ text, limit }) => cache.find(connected().connectionId, text, limit),
      protocols: ({ text, ...window }) => cache.findProtocols(connected().connectionId, text, window),
      assignments: ({ text, ...window }) => cache.findAssignments(connected().connectionId, text, window),
    },
    overview: {
      read: () => cache.overview(connected().connectionId, readPreferences(settings).timeBase),
    },
    offline: {
      start: () => connected().offlineWalk.start(),
      pause: () => connected().offlineWalk.pause(),
    },
    cache: {
      size: () => ({ sizeBytes: cache.sizeBytes() }),
      clear: () => eraseCache(parts, connected()),
    },
    outbox: {
      revoke: ({ id }) => connected().outbox.revoke(id),
      retry: ({ id }) => connected().outbox.retry(id),
      send: () => connected().outbox.send(),
    },
    preferences: {
      set: (patch) => {
        const preferences = changePreferences(settings, patch);
        state.preferencesChanged();
        return preferences;
      },
    },
    view: {
      remember: ({ key, value }) => rememberView(settings, key, value),
    },
  };
};

/** Clears the offline data of a connection, and first stops a run that would fill it again. */
export const eraseCache = async (
  { cache, state }: Pick<HandlerParts, 'cache' | 'state'>,
  { connectionId, offlineWalk }: ConnectionServices,
): Promise<void> => {
  await offlineWalk.pause();
  cache.clear(connectionId);
  state.offlineChanged(offlineWalk.status());
};
