/** Controls a page of a program that Node's debugger cannot enter, by the browser's own protocol. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { chromium, type Page } from '@playwright/test';
import { onTestFinished } from 'vitest';

type OpenedPage = {
  readonly page: Page;
  /** Ends the program as the system does at the end of the session. */
  readonly quit: () => Promise<void>;
};

/**
 * Starts the program, and resolves to its first page. After the test, the program and everything that it started is
 * killed.
 */
export const openPage = async (
  [program = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<OpenedPage> => {
  const child = spawn(program, [...args, '--remote-debugging-port=0'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    // Starts a process group, so that the program that provides the display can be killed with the app.
    detached: true,
  });
  await once(child, 'spawn');
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    await ended;
  });
  const failed = ended.then(() => Promise.reject(new Error('the program ended before it had a page')));
  const browser = await chromium.connectOverCDP(await Promise.race([debuggerIn(child.stderr), failed]));
  onTestFinished(() => browser.close());
  const [context] = browser.contexts();
  if (!context) throw new Error('a browser has a context');
  // Only the test has a time limit, as in Playwright's own runner. A first sign-in also starts a browser.
  context.setDefaultTimeout(0);
  return {
    page: context.pages()[0] ?? (await context.waitForEvent('page')),
    quit: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
};

/** Resolves to the address of the browser's protocol once `output` contains it. */
const debuggerIn = (output: NodeJS.ReadableStream): Promise<string> =>
  new Promise((resolve) => {
    createInterface({ input: output }).on('line', (line) => {
      const address = /^DevTools listening on (ws:.+)$/.exec(line)?.[1];
      if (address !== undefined) resolve(address);
    });
  });
