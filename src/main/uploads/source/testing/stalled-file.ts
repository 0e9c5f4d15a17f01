/** For tests: a file on a drive that stops answering. */
import type { LocalFile } from '../local-file.ts';

/** Supplies one part, and then nothing, until the drive `answers`. */
export const stalledFile = (
  onClose: () => void = () => {},
  answers: Promise<void> = new Promise(() => {}),
): LocalFile => ({
  whole: undefined,
  read: async function* () {
    yield Buffer.from('a');
    await answers;
  },
  digests: () => undefined,
  close: async () => onClose(),
});
