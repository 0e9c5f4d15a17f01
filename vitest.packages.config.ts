import { defineConfig } from 'vitest/config';
import { shareCompileCache } from './scripts/compile-cache.mjs';

shareCompileCache();

/** Tests of what is packed. They need `out/`, and one after another they need only one copy of it at a time. */
export default defineConfig({
  test: {
    name: 'packages',
    include: ['tests/packages/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
  },
});
