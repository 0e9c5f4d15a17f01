/** Opening a file on a drive that may have fallen silent. */
import { DeskError } from '../../../contract/errors.ts';
import { orCancelled } from '../../net/cancel.ts';
import type { LocalFile, OpenFile } from '../local-file.ts';
import type { Expected } from '../read-file.ts';
import { createStallWatch } from './stall-watch.ts';

/** As `open`; also `upload/stalled` after `idleMs`, and the cancellation of `signal`. */
export const openInTime = async (
  open: OpenFile,
  path: string,
  expected: Expected,
  idleMs: number,
  signal: AbortSignal,
): Promise<LocalFile> => {
  const late = Promise.withResolvers<never>();
  const watch = createStallWatch();
  watch.allow(idleMs, () =>
    late.reject(new DeskError('upload/stalled', 'the file cannot be read', { retry: 'later' })),
  );
  const opening = open(path, expected);
  try {
    return await orCancelled(Promise.race([opening, late.promise]), signal);
  } catch (error) {
    // Should it open after all, nobody wants it any more.
    opening.then((file) => file.close()).catch(() => {});
    throw error;
  } finally {
    watch.end();
  }
};
