/** Choosing folders. */
import { Folder } from '../upload-preview.ts';
import { call, nothing } from './call.ts';

export const foldersCalls = {
  /** The native folder picker; undefined when it was closed without a choice. */
  pick: call(nothing, Folder.optional()),
};
