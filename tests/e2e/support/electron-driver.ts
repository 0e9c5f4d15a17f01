/** Starts the app in Electron. Simulates the system browser and the folder picker, which no test can reach. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { _electron, type ElectronApplication, expect } from '@playwright/test';
import { findElectron } from '../../../scripts/electron-binary.mjs';
import type { Driver, Launch } from './driver.ts';
import { decideOverHttp } from './person.ts';

/** Tests use the English names of what they see, whatever the language of the machine. */
const english = { INSPECTION_DESK_LANGUAGE: 'en' };

/** Machines for tests have no GPU. With this option, Chromium does not look for one at each start. */
const WITHOUT_GPU = '--disable-gpu';

const root = fileURLToPath(new URL('../../..', import.meta.url));

export type ElectronDriver = Driver & {
  readonly app: ElectronApplication;
  /** The addresses that the app opened in the system browser. */
  readonly opened: () => Promise<readonly string[]>;
  /** Simulates the browser that returns to the app at `callback`. */
  readonly comeBack: (callback: string) => Promise<void>;
};

/** Starts the built app with the data directory `home`. Throws if there is no Electron. */
export const launchElectron = async ({
  home,
  env,
  args: options = [],
  given = [],
}: Launch): Promise<ElectronDriver> => {
  const executablePath = findElectron()?.path;
  if (executablePath === undefined) throw new Error('there is no Electron here');
  const args = ['--no-sandbox', WITHOUT_GPU, ...options, root, '--home', home];
  const start = { executablePath, args: [...args, ...given] };
  // In rare cases, Playwright misses that the app is ready. With this timeout, the test is retried sooner.
  const app = await _electron.launch({ ...start, env: { ...definedEnv(), ...english, ...env }, timeout: 60_000 });
  const page = await app.firstWindow();
  // Records the addresses, the newest last, instead of opening them.
  await app.evaluate(({ shell }) => {
    const opened: string[] = [];
    Object.assign(globalThis, { opened });
    shell.openExternal = async (url) => void opened.push(url);
  });
  const opened = () => app.evaluate(() => (globalThis as unknown as { opened: readonly string[] }).opened);

  const comeBack = async (callback: string): Promise<void> => {
    if (callback.startsWith('http:')) await fetch(callback);
    // The operating system starts the program again for the scheme. The new instance passes the address to the first
    // one.
    else await promisify(execFile)(executablePath, [...args, callback], { env: { ...process.env, ...env } });
  };

  return {
    app,
    page,
    opened,
    comeBack,
    decideInBrowser: async (click, decision) => {
      const { length: before } = await opened();
      await click();
      await expect.poll(async () => (await opened()).length).toBeGreaterThan(before);
      await comeBack(await decideOverHttp((await opened()).at(-1) ?? '', decision));
    },
    chooseFolder: async (click, folder) => {
      await app.evaluate(({ dialog }, path) => {
        dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [path] });
      }, folder);
      await click();
    },
    saveFile: async (click, path) => {
      await app.evaluate(({ dialog }, filePath) => {
        dialog.showSaveDialog = async () => ({ canceled: false, filePath });
      }, path);
      await click();
      await expect.poll(() => existsSync(path)).toBe(true);
      return readFile(path, 'utf8');
    },
    close: async () => {
      // Confirms the end, because the app asks before it quits while an upload is in progress.
      await app.evaluate(({ dialog }) => {
        dialog.showMessageBox = async () => ({ response: 0, checkboxChecked: false });
      });
      await app.close();
    },
  };
};

const definedEnv = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
