import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { bundleCli } from './scripts/bundle-cli.mjs';
import { shareCompileCache } from './scripts/compile-cache.mjs';

shareCompileCache();

const runtime = process.env.INSPECTION_DESK_TEST_RUNTIME || process.execPath;
const { stdout } = spawnSync(runtime, ['-p', 'process.platform'], { encoding: 'utf8' });
if (stdout.trim() !== 'win32') throw new Error('INSPECTION_DESK_TEST_RUNTIME has to name a Node for Windows');

/**
 * Runs the command line on Windows: the tests of its behaviour on that system only, and the tests of all its commands.
 */
export default defineConfig({
  test: {
    name: 'windows',
    include: [
      'tests/integration/windows/*.test.ts',
      'tests/integration/cli-*.test.ts',
      'tests/integration/chaos.test.ts',
    ],
    // Two processes for each core, as in vitest.config.ts. When nothing else runs, these tests nevertheless leave a
    // third of the time of two cores unused.
    maxWorkers: 2 * availableParallelism(),
    env: { INSPECTION_DESK_TEST_BUNDLE: await bundleCli() },
    testTimeout: 600_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 60_000, interval: 20 }, requireAssertions: true },
  },
});
