import { defineConfig } from 'vitest/config';
import { shareCompileCache } from './scripts/compile-cache.mjs';

shareCompileCache();

/** Runs all attacks, including those that take minutes. Files run one at a time, because some measure memory. */
export default defineConfig({
  test: {
    name: 'hostile',
    include: ['tests/hostile/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 1_800_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 60_000, interval: 20 }, requireAssertions: true },
  },
});
