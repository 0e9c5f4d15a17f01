import { defineConfig } from 'vitest/config';

/** The tests beside the rules that are mutated (stryker.config.mjs); those of whole uploads would take days. */
export default defineConfig({
  test: {
    include: ['src/main/uploads/{transfer,storage,ledger,source}/**/*.test.ts', 'src/main/matching/**/*.test.ts'],
    testTimeout: 120_000,
    expect: { requireAssertions: true },
  },
});
