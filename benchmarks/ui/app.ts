/** Starts the app as it is measured: Electron, a service in a separate process, and a filled cache. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { ElectronApplication, Page } from '@playwright/test';
import { z } from 'zod';
import { type Cache, openCache } from '../../src/main/cache/cache.ts';
import { connectionIdOf } from '../../src/main/settings/resolve-connection.ts';
import { openLedger } from '../../src/main/uploads/ledger/ledger.ts';
import { type ElectronDriver, launchElectron } from '../../tests/e2e/support/electron-driver.ts';
import { addSampleBatch } from '../support/sample-batch.ts';
import { fillAssignments, fillCache } from '../support/sample-cache.ts';

const sandboxMain = fileURLToPath(new URL('../../src/sandbox/main.ts', import.meta.url));
const Address = z.object({ baseUrl: z.url(), authUrl: z.url(), clientId: z.string() });

export type MeasuredApp = {
  readonly app: ElectronApplication;
  readonly driver: ElectronDriver;
  readonly electron: string;
  /** The page of the current window. */
  readonly page: () => Page;
  readonly setPage: (page: Page) => void;
  /**
   * The memory of the window's process, in bytes; memory that it shares with other processes counts in part. Linux
   * only.
   */
  readonly rendererBytes: () => Promise<number>;
  /** A folder for temporary files, which `close` removes. */
  readonly scratch: string;
  readonly close: () => Promise<void>;
};

type AppOptions = {
  readonly protocols: number;
  /** The number of files of the finished upload in the ledger. */
  readonly uploaded: number;
  /** Called with the filled cache before the app opens it. */
  readonly onFilled: (cache: Cache, connectionId: string) => void;
};

/**
 * Fills a cache with `protocols` protocols and their assignments, and a ledger with an upload. Then starts the app and
 * signs in.
 */
export const startApp = async ({ protocols, uploaded, onFilled }: AppOptions): Promise<MeasuredApp> => {
  const scratch = await mkdtemp(join(tmpdir(), 'inspection-desk-bench-'));
  const sandbox = await startSandboxProcess(protocols);
  const home = join(scratch, 'home');
  const { baseUrl, authUrl, clientId } = sandbox.address;
  const env = {
    INSPECTION_DESK_BASE_URL: baseUrl,
    INSPECTION_DESK_AUTH_URL: authUrl,
    INSPECTION_DESK_CLIENT_ID: clientId,
    INSPECTION_DESK_TOKEN_STORE: 'memory',
  };
  // Starts the app once, so that it creates its data directory.
  await (await launchElectron({ home, env })).close();
  await fill(join(home, 'cache', 'cache.sqlite'), connectionIdOf(sandbox.address), protocols, onFilled);
  const ledger = openLedger(join(home, 'ledger.sqlite'));
  await addSampleBatch(ledger, connectionIdOf(sandbox.address), uploaded);
  ledger.close();
  const driver = await launchElectron({ home, env });
  let { page } = driver;
  await driver.decideInBrowser(() => page.getByRole('button', { name: 'Sign in' }).click(), 'allow');
  await page.locator('[data-row="0"]').first().waitFor();
  return {
    app: driver.app,
    driver,
    electron: await driver.app.evaluate(() => process.versions.electron ?? ''),
    page: () => page,
    setPage: (next) => {
      page = next;
    },
    scratch,
    rendererBytes: async () => {
      const pid = await driver.app.evaluate(({ webContents }) => webContents.getAllWebContents()[0]?.getOSProcessId());
      const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
      return 1024 * Number(/^Pss: +(\d+) kB$/m.exec(rollup)?.[1]);
    },
    close: async () => {
      await driver.close();
      await sandbox.stop();
      await rm(scratch, { recursive: true, maxRetries: 5 });
    },
  };
};

const fill = async (
  path: string,
  connectionId: string,
  protocols: number,
  onFilled: AppOptions['onFilled'],
): Promise<void> => {
  const cache = openCache(path);
  await fillCache(cache, connectionId, protocols);
  fillAssignments(path, connectionId, protocols);
  // The records with which the app marks the lists of protocols and of assignments for projects as completely read.
  const read = { unreadable: 0, source: 'service', fetchedAtMs: Date.now() } as const;
  await cache.putResponse(cache.beginRequest(connectionId), 'protocols', { ...read, value: [] });
  await cache.putResponse(cache.beginRequest(connectionId), 'projects/', {
    ...read,
    value: { Items: [], Count: 0, TotalCount: 0 },
  });
  onFilled(cache, connectionId);
  cache.close();
};

const startSandboxProcess = async (protocols: number) => {
  const child = spawn(process.execPath, [sandboxMain, '--protocols', String(protocols), '--parent-stdin'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return {
    address: Address.parse(JSON.parse(line)),
    stop: async () => {
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
    },
  };
};
