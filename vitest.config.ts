import { defineConfig } from 'vitest/config';

/** Against what hangs: how long a test takes is the machine's affair, and machines differ by a lot. */
const limits = { testTimeout: 120_000, hookTimeout: 60_000, expect: { poll: { timeout: 60_000, interval: 20 } } };

export default defineConfig({
  test: {
    // One for each core, not one less: much of what is tested here is how long something waits.
    maxWorkers: '100%',
    projects: [
      { test: { name: 'unit', include: ['src/**/*.test.{ts,tsx}'], ...limits } },
      { test: { name: 'integration', include: ['tests/integration/**/*.test.ts'], ...limits } },
      { test: { name: 'hostile', include: ['tests/hostile/**/*.test.ts'], exclude: ['**/*.long.test.ts'], ...limits } },
    ],
  },
});
