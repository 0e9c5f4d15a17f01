/** Opening a file on a drive that may have fallen silent. */
import { DeskError } from '../../../contract/errors.ts';
import { orCancelled } from '../../net/cancel.ts';
import type { Hasher } from '../hashing/hasher.ts';
import { type LocalFile, openLocalFile } from '../local-file.ts';
import type { Expected } from '../read-file.ts';
import { createStallWatch } from './stall-watch.ts';

/** As `openLocalFile`; also `upload/stalled` after `idleMs`, and the cancellation of `signal`. */
export const openInTime = async (
  path: string,
  expected: Expected,
  hasher: Hasher,
  idleMs: number,
  signal: AbortSignal,
  open: typeof openLocalFile = openLocalFile,
): Promise<LocalFile> => {
  const late = new AbortController();
  const watch = createStallWatch();
  watch.allow(idleMs, () => late.abort(new DeskError('upload/stalled', 'the file cannot be read', { retry: 'later' })));
  const opening = open(path, expected, hasher);
  try {
    return await orCancelled(opening, AbortSignal.any([signal, late.signal]));
  } catch (error) {
    // Should it open after all, nobody wants it any more.
    opening.then((file) => file.close()).catch(() => {});
    throw error;
  } finally {
    watch.end();
  }
};
