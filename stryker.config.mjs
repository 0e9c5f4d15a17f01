/**
 * Mutation testing (`npm run mutate`): each rule is changed in every way that StrykerJS knows, and a test has to fail.
 * It is not part of CI.
 *
 *   npm run mutate [-- --mutate src/main/uploads/transfer/transfer-machine.ts]
 */
export default {
  mutate: [
    'src/main/uploads/transfer/transfer-machine.ts',
    'src/main/uploads/storage/put-file.ts',
    'src/main/matching/certainty.ts',
    'src/main/uploads/ledger/items.ts',
    'src/main/uploads/ledger/known-files.ts',
    'src/main/uploads/transfer/names.ts',
  ],
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutate.config.ts', related: true },
  plugins: ['@stryker-mutator/vitest-runner'],
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  concurrency: 1,
  coverageAnalysis: 'perTest',
  thresholds: { high: 90, low: 90, break: 90 },
  ignorePatterns: ['out', 'test-results', 'benchmarks', 'build', 'docs'],
  // Stryker would rewrite tsconfig.json with an API that TypeScript 7 does not have. Tests do not read tsconfig.json.
  tsconfigFile: 'none',
};
