import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { shareCompileCache } from './scripts/compile-cache.mjs';

shareCompileCache();

/** For tests that start threads and processes. Each run starts several hundred of them. */
const starting = { globalSetup: 'tests/integration/support/bundle-programs.ts' };

/**
 * Test files that can share a process, because they leave nothing behind in it. Most of them take a few seconds at
 * most. If all test files shared a process, it would grow to 3 GB, and collecting its garbage would take longer than
 * importing everything for each file.
 */
const together = [
  'hostile/{addresses,counts,cut-lists,deadlines,draft-trees,hostile-service,modes,oauth,output-places,pauses}',
  'integration/{auth,certificates,dev-licences,docs,file-menu,layers,linux-commands,log,match-partly-read,scripts,secrets}',
  'integration/cli-{doctor,language,reads,receipts,refusals,schedule,status,upload-words}',
  'integration/files-{find,remove}',
  'integration/network-{names,portal}',
  'integration/offline-{outbox,preferences,reads}',
  'integration/{oidc-provider,policy,policy-files,receipts-automatic,service,updates,word-catalogs}',
  'integration/sandbox-{control,faults,oauth,operations,process,state,storage}',
  'storages/kinds',
  'integration/uploads-{ahead,breaker,first,limit,names,retry,schedule}',
].map((name) => `tests/${name}.test.ts`);

/**
 * Test files that take up to a minute each. They start first, so that they do not run alone at the end. Without the
 * times of an earlier run, Vitest would start the largest files first.
 */
const long = /(chaos|power-cut|simulation)\.test\.ts$/;

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => Number(long.test(other.moduleId)) - Number(long.test(one.moduleId)));
  }
}

/**
 * Starts Node with a large heap. A small heap fills often until it has grown, and collecting its garbage takes a tenth
 * to a fifth of the tests' processor time.
 */
const execArgv = ['--initial-old-space-size=256'];

const common = {
  execArgv,
  // Limits only for tests that hang. They are long, because the speed of machines differs a lot.
  testTimeout: 600_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 60_000, interval: 20 }, requireAssertions: true },
};

/**
 * Runs all files of a project in one process, so that the modules that they share are imported only once. The import
 * takes longer than most of these tests.
 */
const ofSources = (name: string, options: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration => ({
  test: {
    name,
    ...common,
    isolate: false,
    maxWorkers: 1,
    // Projects with different numbers of processes cannot run at the same time. scripts/test.mjs starts Vitest for
    // each of them.
    sequence: { groupOrder: 1 },
    ...options,
  },
});

export default defineConfig({
  test: {
    // Two processes for each core, because many of these tests wait for a server or another process.
    maxWorkers: 2 * availableParallelism(),
    sequence: { sequencer: LongFirst },
    projects: [
      ofSources('unit', {
        include: ['src/**/*.test.ts'],
        exclude: ['src/renderer/**'],
        setupFiles: 'tests/fixed-seed.ts',
      }),
      ofSources('window', {
        include: ['src/renderer/**/*.test.{ts,tsx}'],
        setupFiles: ['tests/fixed-seed.ts', 'src/renderer/testing/setup.ts'],
        execArgv: [...execArgv, '--import', './src/renderer/testing/icons-for-node.ts'],
      }),
      {
        test: {
          name: 'integration',
          include: ['tests/integration/**/*.test.ts'],
          // Only vitest.windows.config.ts runs the tests in `windows`.
          exclude: ['tests/integration/windows/**', ...together],
          ...starting,
          ...common,
        },
      },
      {
        test: {
          name: 'together',
          include: together,
          isolate: false,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
          ...starting,
          ...common,
        },
      },
      {
        test: {
          name: 'hostile',
          include: ['tests/hostile/**/*.test.ts'],
          exclude: ['**/*.long.test.ts', ...together],
          ...starting,
          ...common,
        },
      },
    ],
  },
});
