/** For tests: hashers with a thread of their own, which starts with the first file that needs it. */
import { type OpenFile, openLocalFile } from '../local-file.ts';
import { createHasher, type Hasher } from './hasher.ts';

export const createTestHasher = (onBug: (error: unknown) => void = () => {}): Hasher =>
  createHasher(new URL('./main.ts', import.meta.url), onBug);

/** Opens files without a thread that reads. */
export const createTestOpen = (): OpenFile => {
  const hasher = createTestHasher();
  return (path, expected) => openLocalFile(path, expected, hasher);
};
