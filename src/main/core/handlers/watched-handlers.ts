/** The calls about watched folders. */
import type { Handlers } from '../../../contract/calls.ts';
import { DeskError } from '../../../contract/errors.ts';
import type { HandlerParts } from './handler-parts.ts';

/** Errors of all: those of `ConnectionSwitch.connected` without a connection. */
export const createWatchedHandlers = ({
  connections,
  sourceOf,
  adopt,
}: Pick<HandlerParts, 'connections' | 'sourceOf' | 'adopt'>): Handlers['watchedFolders'] => {
  const watched = () => connections.connected().watchedFolders;
  return {
    add: ({ folderId, rules, existing }) => {
      const { root, only } = sourceOf(folderId);
      if (only) throw new DeskError('upload/not-a-folder', 'files cannot be watched');
      return watched().add({ root, existing, ...rules });
    },
    change: ({ watchedId, rules }) => watched().change(watchedId, rules),
    remove: ({ watchedId }) => watched().remove(watchedId),
    uploadNow: ({ watchedId }) => watched().uploadNow(watchedId),
    toMatch: ({ watchedId }) => watched().toMatch(watchedId).map(adopt),
  };
};
