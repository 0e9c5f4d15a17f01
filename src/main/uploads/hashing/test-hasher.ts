/** For tests: a hasher with its own thread, which starts with the first file that needs it. */
import { createHasher, type Hasher } from './hasher.ts';

export const createTestHasher = (onBug: (error: unknown) => void = () => {}): Hasher =>
  createHasher(new URL('./main.ts', import.meta.url), onBug);
