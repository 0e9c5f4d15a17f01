import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { shareCompileCache } from './scripts/compile-cache.mjs';

shareCompileCache();

/** These take up to a minute each, and would be left alone at the end: Vitest starts large files first, as long as it has no times. */
const long = /(chaos|power-cut|simulation)\.test\.ts$/;

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => Number(long.test(other.moduleId)) - Number(long.test(one.moduleId)));
  }
}

/**
 * Node starts with a small heap, and collects everything each time it fills, until the heap has grown: a tenth to a fifth of the processor
 * time of tests.
 */
const execArgv = ['--initial-old-space-size=256'];

const common = {
  execArgv,
  // Limits for what hangs: machines differ a lot in speed.
  testTimeout: 120_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 60_000, interval: 20 }, requireAssertions: true },
};

/**
 * One process for all files imports what they share once, which takes longer than most of these tests. Several processes would import it
 * again for each file.
 */
const ofSources = (name: string, options: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration => ({
  test: {
    name,
    ...common,
    isolate: false,
    maxWorkers: 1,
    // Projects with another number of processes cannot run at the same time (scripts/test.mjs starts Vitest for each).
    sequence: { groupOrder: 1 },
    ...options,
  },
});

/**
 * These start several hundred threads and processes. None leaves anything behind in its own process, so files share what
 * one of them has imported: that takes a second for each file otherwise.
 */
const ofParts = (name: string, options: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration => ({
  test: { name, ...common, isolate: false, globalSetup: 'tests/integration/support/bundle-programs.ts', ...options },
});

export default defineConfig({
  test: {
    // More than two for each core: many of these tests wait for a server or another process.
    maxWorkers: 2 * availableParallelism() + 1,
    sequence: { sequencer: LongFirst },
    projects: [
      ofSources('unit', { include: ['src/**/*.test.ts'], exclude: ['src/renderer/**'] }),
      ofSources('window', {
        include: ['src/renderer/**/*.test.{ts,tsx}'],
        setupFiles: 'src/renderer/testing/setup.ts',
        execArgv: [...execArgv, '--import', './src/renderer/testing/icons-for-node.ts'],
      }),
      ofParts('integration', {
        include: ['tests/{integration,storages}/**/*.test.ts'],
        // Those of vitest.windows.config.ts alone.
        exclude: ['tests/integration/windows/**'],
      }),
      ofParts('hostile', { include: ['tests/hostile/**/*.test.ts'], exclude: ['**/*.long.test.ts'] }),
    ],
  },
});
