import { defineConfig } from 'vitest/config';

/**
 * The tests beside the rules that are mutated (stryker.config.mjs), except those that wait for sockets, disks or large lists: hundreds of
 * mutants run them, and those of whole uploads would take days.
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
