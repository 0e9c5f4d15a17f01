/** Starts the app in the preview, and controls it in a real browser. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from '@playwright/test';
import type { Driver, Launch } from './driver.ts';
import { chromiumPath } from './hosts-here.ts';

const preview = fileURLToPath(new URL('../../../src/main/hosts/preview/main.ts', import.meta.url));

export type PreviewDriver = Driver & {
  /** The address that the preview printed; its secret has already been used. */
  readonly address: string;
};

/**
 * All tests of a worker share one browser, because starting it takes longer than most tests. Playwright closes it at
 * the end.
 */
let browser: Promise<Browser> | undefined;

/** Starts the preview with the data directory `home`, and opens its page in Chromium. */
export const launchPreview = async ({ home, env }: Launch): Promise<PreviewDriver> => {
  const server = spawn(process.execPath, [preview, '--home', home], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const address = await readAddress(server.stdout);
  browser ??= chromium.launch({ executablePath: chromiumPath() });
  const context = await (await browser).newContext();
  const page = await context.newPage();
  await page.goto(address);

  return {
    address,
    page,
    decideInBrowser: async (click, decision) => {
      const opened = context.waitForEvent('page');
      await click();
      const consent = await opened;
      await consent.getByRole('button', { name: decision === 'allow' ? 'Allow' : 'Deny' }).click();
      await consent.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\/oauth\/callback/);
      await consent.close();
    },
    chooseFolder: async (click, folder) => {
      const opened = page.waitForEvent('filechooser');
      await click();
      await (await opened).setFiles(folder);
    },
    saveFile: async (click, path) => {
      const begun = page.waitForEvent('download');
      await click();
      await (await begun).saveAs(path);
      return readFile(path, 'utf8');
    },
    close: async () => {
      await context.close();
      const ended = once(server, 'exit');
      server.kill('SIGTERM');
      await ended;
    },
  };
};

const readAddress = async (stdout: NodeJS.ReadableStream): Promise<string> => {
  for await (const line of createInterface(stdout)) {
    const address = /http:\S+secret=\S+/.exec(line)?.[0];
    if (address !== undefined) return address;
  }
  throw new Error('the preview has printed no address');
};
