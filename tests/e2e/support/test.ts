/**
 * Defines the suite's `test`, which starts the app with a new data directory and a new service, and two others whose
 * tests share one app for each worker: `testAtNewService` and `testOnSharedDesk`.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, type Page } from '@playwright/test';
import { Snapshot } from '../../../src/contract/app.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/server.ts';
import { createSandboxControl, type SandboxControl } from '../../../src/sandbox/testing/control-client.ts';
import type { Driver, Launch } from './driver.ts';
import { launchElectron } from './electron-driver.ts';
import { type HostName, problemOf } from './hosts-here.ts';
import { launchPreview } from './preview-driver.ts';

export { expect } from '@playwright/test';

export type HostOption = { readonly host: HostName };

/**
 * The app that the tests of a worker share; undefined if the host cannot be tested. The first test that needs the app
 * starts it. All tests declare it, because Playwright starts a new worker for a test that declares other fixtures than
 * the previous test.
 */
type SharedDesk = { readonly sharedDesk: Driver | undefined };

type Fixtures = {
  /** Whether the app has a connection from the start; otherwise it shows the first-run screen. */
  readonly connected: boolean;
  /**
   * How the browser returns to the app in Electron: to an installed app, which starts the program again, or to an app
   * that runs from the repository.
   */
  readonly redirect: 'scheme' | 'loopback';
  /**
   * The number of protocols of the test's service. Few by default: a new upload first reads the assignments of each
   * protocol.
   */
  readonly protocols: number;
  /** Additional variables of the app's environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly home: string;
  /** A folder for files that the app saves, because it saves none in its data directory. */
  readonly documents: string;
  readonly sandbox: Sandbox;
  readonly control: SandboxControl;
  /** Starts the app with the data directory `home`. The test closes it. */
  readonly launch: () => Promise<Driver>;
  readonly desk: Driver;
};

export const test = base.extend<Fixtures, HostOption & SharedDesk>({
  host: ['preview', { option: true, scope: 'worker' }],
  sharedDesk: [
    async ({ host }, use) => {
      if (problemOf(host) !== undefined) return use(undefined);
      await withHome(async (home) => {
        const driver = await launchOn(host, home, {});
        await use(driver);
        await driver.close();
      });
    },
    { scope: 'worker' },
  ],
  connected: [true, { option: true }],
  redirect: ['loopback', { option: true }],
  protocols: [24, { option: true }],
  env: [{}, { option: true }],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern.
  home: async ({}, use) => withHome(use),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern.
  documents: async ({}, use) => withHome(use),
  sandbox: async ({ protocols }, use) => withSandbox(use, protocols),
  control: async ({ sandbox }, use) => use(createSandboxControl(sandbox)),
  launch: async ({ host, home, connected, redirect, env: given, sandbox }, use, info) => {
    const problem = problemOf(host);
    info.skip(problem !== undefined, problem);
    const byScheme = host === 'electron' && redirect === 'scheme';
    const env = { ...(connected ? connectionOf(sandbox) : {}), ...(byScheme ? schemeRedirect : {}), ...given };
    const launched: Driver[] = [];
    await use(async () => {
      const driver = await launchOn(host, home, env);
      launched.push(driver);
      return driver;
    });
    // A failed test may leave its app open. The worker would then wait for it in vain, which counts as an error.
    if (info.status !== info.expectedStatus) for (const driver of launched) await driver.close().catch(() => {});
  },
  desk: async ({ launch }, use) => {
    const driver = await launch();
    await use(driver);
    await driver.close();
  },
});

/**
 * A `test` whose tests share one app for each worker, but have a separate service each. The app is connected to the
 * service, signed out, and has neither data of the service nor remembered views. The tests change no settings and read
 * nothing in the app's data directory. `home` belongs to the test alone. After a failed test, the app is started again.
 */
export const testAtNewService = test.extend({
  desk: async ({ host, sharedDesk, sandbox }, use, info) => {
    if (sharedDesk === undefined) return info.skip(true, problemOf(host));
    await connectAnew(sharedDesk, sandbox);
    await use(sharedDesk);
  },
});

/**
 * A `test` on the app of `testAtNewService`, whose page is loaded again. It is for tests that do not depend on a
 * service: if there is a connection, it is that of an earlier test. The tests change no settings and do not sign in.
 */
export const testOnSharedDesk = test.extend({
  desk: async ({ host, sharedDesk }, use, info) => {
    if (sharedDesk === undefined) return info.skip(true, problemOf(host));
    await sharedDesk.page.reload();
    await sharedDesk.page.getByRole('heading', { level: 1 }).waitFor();
    await use(sharedDesk);
  },
});

/** Brings the page into the state that it has when the app starts for the first time with this connection. */
const connectAnew = async ({ page }: Driver, { baseUrl, authUrl, clientId }: Sandbox): Promise<void> => {
  await page.emulateMedia({ media: null, colorScheme: null, forcedColors: null, reducedMotion: null });
  await page.setViewportSize({ width: 1200, height: 800 });
  // Makes the page store its views now, so that it stores none later, for the new service.
  await page.evaluate(
    async (connection) => {
      dispatchEvent(new Event('pagehide'));
      addEventListener('pagehide', (event) => event.stopImmediatePropagation(), { capture: true });
      const { calls } = Reflect.get(window, 'inspectionDesk');
      const connected = await calls.connection.set(connection);
      if (!connected.ok) throw new Error(connected.error.message);
      await calls.app.dismissNotices();
    },
    { baseUrl, authUrl, clientId },
  );
  await forgetViews(page);
  await page.reload();
  // If the reload took long, the previous page may have stored another view meanwhile.
  if (await forgetViews(page)) await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
};

/** Removes the remembered views. Resolves to whether there was one. */
const forgetViews = async (page: Page): Promise<boolean> => {
  const snapshot = await page.evaluate(() => Reflect.get(window, 'inspectionDesk').calls.app.snapshot());
  if (!snapshot.ok) throw new Error(snapshot.error.message);
  const keys = Object.keys(Snapshot.parse(snapshot.value).views);
  await page.evaluate(async (remembered) => {
    const { view } = Reflect.get(window, 'inspectionDesk').calls;
    for (const key of remembered) await view.remember({ key, value: null });
  }, keys);
  return keys.length > 0;
};

const withHome = async (use: (home: string) => Promise<void>): Promise<void> => {
  const home = await mkdtemp(join(tmpdir(), 'inspection-desk-'));
  await use(home);
  await rm(home, { recursive: true, maxRetries: 5 });
};

const withSandbox = async (use: (sandbox: Sandbox) => Promise<void>, protocols: number): Promise<void> => {
  // The service gets a new client id, so that the app does not take it for an earlier service on the same port.
  const sandbox = await startSandbox({ clientIds: [randomUUID()], protocols });
  await use(sandbox);
  await sandbox.close();
};

/** Drawing motion takes a fifth of the processor time of these tests. In the preview, motion stays on. */
const WITHOUT_MOTION = '--force-prefers-reduced-motion';

/** Starts the app and waits for its first screen. */
const launchOn = async (host: HostName, home: string, env: Launch['env']): Promise<Driver> => {
  const launch = host === 'electron' ? launchElectron : launchPreview;
  const driver = await launch({ home, env: { ...tokenStore(), ...env }, args: [WITHOUT_MOTION] });
  await driver.page.getByRole('heading', { level: 1 }).waitFor();
  return driver;
};

const connectionOf = ({ baseUrl, authUrl, clientId }: Sandbox): Readonly<Record<string, string>> => ({
  INSPECTION_DESK_BASE_URL: baseUrl,
  INSPECTION_DESK_AUTH_URL: authUrl,
  INSPECTION_DESK_CLIENT_ID: clientId,
});

/** Without this setting, an app that is not packaged uses its scheme only on Windows. */
const schemeRedirect = { INSPECTION_DESK_REDIRECT_URI: 'com.inspectiondesk.app:/oauth/callback' };

/** Tokens are stored in the keychain if the environment says that there is one. */
const tokenStore = (): Readonly<Record<string, string>> => ({
  INSPECTION_DESK_TOKEN_STORE: process.env.INSPECTION_DESK_TEST_KEYCHAIN === '1' ? 'keychain' : 'memory',
});
