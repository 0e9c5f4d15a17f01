import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { shareCompileCache } from './scripts/compile-cache.mjs';
import { problemOf } from './tests/e2e/support/hosts-here.ts';
import type { HostOption } from './tests/e2e/support/test.ts';

shareCompileCache();

/**
 * Which tests run in the preview: those in which it differs from the desktop app (tests/e2e/README.md), or all tests if
 * the desktop app cannot be tested here.
 */
const onPreview = problemOf('electron') === undefined ? [/preview-[a-z]+\.spec/, /@preview/] : /./;

export default defineConfig<HostOption>({
  testDir: 'tests/e2e',
  // One worker more than there are cores, because a test often waits for its app. More workers would start more apps.
  workers: availableParallelism() + 1,
  // Limits only for tests that hang. They are long, because busy machines take several times as long as others. A wait
  // ends as soon as its condition holds.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  forbidOnly: Boolean(process.env.CI),
  // In CI, a failed test runs again, up to twice, each time in a new app: on a busy machine, the window of an app
  // sometimes stops drawing for good, and then no click is performed. A test that passes in the end is reported as
  // flaky.
  retries: process.env.CI ? 2 : 0,
  reporter: 'list',
  globalSetup: './tests/e2e/support/say-skips.ts',
  projects: [
    { name: 'electron', use: { host: 'electron' }, testIgnore: '**/preview-*.spec.ts' },
    {
      name: 'preview',
      use: { host: 'preview' },
      testIgnore: '**/electron-*.spec.ts',
      grep: onPreview,
    },
  ],
});
