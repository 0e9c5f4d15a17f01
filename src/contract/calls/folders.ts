/** Choosing folders. */
import { Folder } from '../folders.ts';
import { call, nothing } from './call.ts';

export const foldersCalls = {
  /** The native folder picker; undefined if it was cancelled. */
  pick: call(nothing, Folder.optional()),
};
