import { defineConfig } from 'vitest/config';
import { shareCompileCache } from './scripts/compile-cache.mjs';

shareCompileCache();

/**
 * Tests of the packed app and its installers. They need `out/`. Only a few run at a time: most of them wait for Wine or
 * for a desktop, but each keeps a copy of Electron meanwhile.
 */
export default defineConfig({
  test: {
    name: 'packages',
    include: ['tests/packages/**/*.test.ts'],
    maxWorkers: 3,
    testTimeout: 300_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
  },
});
