import { defineConfig } from 'vitest/config';

/**
 * Runs the tests next to the modules that are mutated (stryker.config.mjs), except tests that wait for sockets, disks
 * or large lists. Each of several hundred mutants runs these tests, so tests of whole uploads would take days.
 */
export default defineConfig({
  test: {
    include: ['src/main/uploads/{transfer,storage,ledger,source}/**/*.test.ts', 'src/main/matching/**/*.test.ts'],
    exclude: [
      'src/main/uploads/**/{put-*,transfer,ledger,ledger-commits}.test.ts',
      'src/main/matching/map-file.test.ts',
    ],
    testTimeout: 120_000,
    expect: { requireAssertions: true },
  },
});
