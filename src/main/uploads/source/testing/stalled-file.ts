/** For tests: a file on a drive that stops answering. */
import type { LocalFile } from '../local-file.ts';

/** Supplies one part, and then nothing. */
export const stalledFile = (onClose: () => void = () => {}): LocalFile => ({
  whole: undefined,
  read: async function* () {
    yield Buffer.from('a');
    await new Promise(() => {});
  },
  digests: () => undefined,
  close: async () => onClose(),
});
