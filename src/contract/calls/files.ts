/** Files of all uploads. */
import { z } from 'zod';
import { FileQuery, FoundFiles, SentBefore } from '../found-files.ts';
import { call, nothing } from './call.ts';

export const filesCalls = {
  /**
   * Files that were uploaded from this computer, in any state, and those that the service reported. With `complete` it waits
   * until all of them can be found. Errors: `data/…`.
   */
  find: call(FileQuery.extend({ complete: z.boolean().default(false) }), FoundFiles),
  /**
   * Reads files that were dropped, and finds what was sent of them before. One at a time: the next one cancels it
   * (`app/cancelled`). Errors: `upload/file-…`, `upload/stalled`, those of `find`.
   */
  sentBefore: call(
    z.object({ folderIds: z.array(z.string()).min(1).max(20).readonly() }),
    z.array(SentBefore).readonly(),
  ),
  cancelSentBefore: call(nothing, z.void()),
};
