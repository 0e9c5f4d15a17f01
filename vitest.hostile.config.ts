import { defineConfig } from 'vitest/config';

/** The attacks that take minutes, beside the short ones: one file at a time, since some of them measure memory. */
export default defineConfig({
  test: {
    name: 'hostile',
    include: ['tests/hostile/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 1_800_000,
    hookTimeout: 60_000,
  },
});
