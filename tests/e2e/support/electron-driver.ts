/** The app in Electron. The system browser and the folder picker, which no test can reach, are played. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { _electron, type ElectronApplication, expect } from '@playwright/test';
import { findElectron } from '../../../scripts/electron-binary.mjs';
import type { Driver, Launch } from './driver.ts';
import { decideOverHttp } from './person.ts';

/** Tests name what they see in English, whatever the language of the machine. */
const english = { INSPECTION_DESK_LANGUAGE: 'en' };

/** Machines for tests have no GPU. Told so, Chromium need not find out at each start. */
const WITHOUT_GPU = '--disable-gpu';

const root = fileURLToPath(new URL('../../..', import.meta.url));

export type ElectronDriver = Driver & {
  readonly app: ElectronApplication;
  /** The addresses that the system browser was told to open. */
  readonly opened: () => Promise<readonly string[]>;
  /** Plays the browser that returns to the app at `callback`. */
  readonly comeBack: (callback: string) => Promise<void>;
};

/** Starts the built app on the data directory `home`. Throws if there is no Electron. */
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
  // In rare cases Playwright misses that the app is ready. The retry of the test need not wait for its whole timeout.
  const app = await _electron.launch({ ...start, env: { ...definedEnv(), ...english, ...env }, timeout: 60_000 });
  const page = await app.firstWindow();
  // Also where a test only begins to sign in: what would open is kept, newest last.
  await app.evaluate(({ shell }) => {
    const opened: string[] = [];
    Object.assign(globalThis, { opened });
    shell.openExternal = async (url) => void opened.push(url);
  });
  const opened = () => app.evaluate(() => (globalThis as unknown as { opened: readonly string[] }).opened);

  const comeBack = async (callback: string): Promise<void> => {
    if (callback.startsWith('http:')) await fetch(callback);
    // The operating system starts the program of the scheme once more; that hands the address to the first.
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
      // Quitting asks while an upload is in progress.
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
