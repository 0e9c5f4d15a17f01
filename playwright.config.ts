import { defineConfig } from '@playwright/test';
import type { HostOption } from './tests/e2e/support/test.ts';

export default defineConfig<HostOption>({
  testDir: 'tests/e2e',
  // Each test starts an app, a service and a browser of its own.
  workers: 2,
  // Against what hangs: what comes true ends the wait, also where a busy machine takes several times as long as others.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  globalSetup: './tests/e2e/support/say-skips.ts',
  projects: [
    { name: 'electron', use: { host: 'electron' }, testIgnore: '**/preview-*.spec.ts' },
    { name: 'preview', use: { host: 'preview' }, testIgnore: '**/electron-*.spec.ts' },
  ],
});
