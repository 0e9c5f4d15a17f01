/** The suite's `test`: each gets the app with a data directory and a service of its own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base } from '@playwright/test';
import { createSandboxControl, type SandboxControl } from '../../../src/sandbox/control-client.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/server.ts';
import type { Driver } from './driver.ts';
import { launchElectron } from './electron-driver.ts';
import { type HostName, problemOf } from './hosts-here.ts';
import { launchPreview } from './preview-driver.ts';

export { expect } from '@playwright/test';

export type HostOption = { readonly host: HostName };

type Fixtures = {
  /** Whether the app knows its service from the start; without it shows the first-run screen. */
  readonly connected: boolean;
  /**
   * How the browser comes back to the app in Electron: as to an installed one, which starts the program once more, or as
   * to one that is run from the repository.
   */
  readonly redirect: 'scheme' | 'loopback';
  readonly home: string;
  readonly sandbox: Sandbox;
  readonly control: SandboxControl;
  /** Opens the app on `home`; the test closes it. */
  readonly launch: () => Promise<Driver>;
  readonly desk: Driver;
};

export const test = base.extend<Fixtures & HostOption>({
  host: ['preview', { option: true }],
  connected: [true, { option: true }],
  redirect: ['loopback', { option: true }],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern.
  home: async ({}, use) => {
    const home = await mkdtemp(join(tmpdir(), 'inspection-desk-'));
    await use(home);
    await rm(home, { recursive: true, maxRetries: 5 });
  },
  // biome-ignore lint/correctness/noEmptyPattern: as above.
  sandbox: async ({}, use) => {
    const sandbox = await startSandbox();
    await use(sandbox);
    await sandbox.close();
  },
  control: async ({ sandbox }, use) => use(createSandboxControl(sandbox)),
  launch: async ({ host, home, connected, redirect, sandbox }, use, info) => {
    const problem = problemOf(host);
    info.skip(problem !== undefined, problem);
    const launch = host === 'electron' ? launchElectron : launchPreview;
    const byScheme = host === 'electron' && redirect === 'scheme';
    const env = { ...tokenStore(), ...(connected ? connectionOf(sandbox) : {}), ...(byScheme ? schemeRedirect : {}) };
    await use(async () => {
      const driver = await launch({ home, env });
      await driver.page.getByRole('heading', { level: 1 }).waitFor();
      return driver;
    });
  },
  desk: async ({ launch }, use) => {
    const driver = await launch();
    await use(driver);
    await driver.close();
  },
});

const connectionOf = ({ baseUrl, authUrl, clientId }: Sandbox): Readonly<Record<string, string>> => ({
  INSPECTION_DESK_BASE_URL: baseUrl,
  INSPECTION_DESK_AUTH_URL: authUrl,
  INSPECTION_DESK_CLIENT_ID: clientId,
});

/** Unpackaged, only Windows would bring the scheme here by itself. */
const schemeRedirect = { INSPECTION_DESK_REDIRECT_URI: 'com.inspectiondesk.app:/oauth/callback' };

/** Tokens go to the keychain where whoever runs the tests says that there is one. */
const tokenStore = (): Readonly<Record<string, string>> => ({
  INSPECTION_DESK_TOKEN_STORE: process.env.INSPECTION_DESK_TEST_KEYCHAIN === '1' ? 'keychain' : 'memory',
});
