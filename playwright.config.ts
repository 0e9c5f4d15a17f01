import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { shareCompileCache } from './scripts/compile-cache.mjs';
import { problemOf } from './tests/e2e/support/hosts-here.ts';
import type { HostOption } from './tests/e2e/support/test.ts';

shareCompileCache();

/**
 * Which tests the preview runs: those in which it differs from the desktop (tests/e2e/README.md), or all tests where
 * the desktop app can't be tested.
 */
const onPreview = problemOf('electron') === undefined ? [/preview-[a-z]+\.spec/, /@preview/] : /./;

export default defineConfig<HostOption>({
  testDir: 'tests/e2e',
  // One worker more than there are cores: a test often waits for its app, but each worker starts apps of its own.
  workers: availableParallelism() + 1,
  // Limits for tests that hang: a wait ends as soon as its condition holds, and busy machines take several times as
  // long.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  forbidOnly: Boolean(process.env.CI),
  // In CI, a test that passes at the second try is reported as flaky at the end.
  retries: process.env.CI ? 1 : 0,
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
