/** For tests: a file on a drive that stops responding. */
import type { LocalFile } from '../local-file.ts';

/** Creates a file that supplies one part, and ends once `answers` resolves; by default, never. */
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
