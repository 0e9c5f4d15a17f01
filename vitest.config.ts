import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { shareCompileCache } from './scripts/compile-cache.mjs';

shareCompileCache();

/** These start threads and processes: several hundred of them in a run. */
const starting = { globalSetup: 'tests/integration/support/bundle-programs.ts' };

/**
 * Files that leave nothing behind in their process, and so share one. Most of them take a few seconds at most. With all files, a process grows
 * to 3 GB, and collecting its garbage takes longer than importing everything for each file.
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
  testTimeout: 600_000,
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

export default defineConfig({
  test: {
    // More than one for each core: many of these tests wait for a server or another process.
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
          // Those of vitest.windows.config.ts alone.
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
