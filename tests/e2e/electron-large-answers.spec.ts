/**
 * What a service can make the app's main process take: the greatest resident size, and how long nothing else could run
 * in it. The second is reported, not asserted: it depends on the machine.
 */

import { streams } from '../hostile/support/attacks.ts';
import { pageOf, protocol, smallItems } from '../hostile/support/large-lists.ts';
import { type StartedHostileService, startHostileService } from '../hostile/support/start-hostile-service.ts';
import type { ElectronDriver } from './support/electron-driver.ts';
import { firstRow, openSection } from './support/steps.ts';
import { test as base, expect as baseExpect } from './support/test.ts';

/** Above what main takes at rest, which is Electron's: 258 MiB where this was written. */
const MOST_MORE_MIB = 200;
const MOST_ITEMS = 50_000;

const test = base.extend<{ readonly service: StartedHostileService }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern.
  service: async ({}, use) => {
    const service = await startHostileService();
    await use(service);
    await service.close();
  },
  sandbox: async ({ service }, use) => use({ ...service.sandbox, ...service.address }),
});

// Such lists take tens of seconds on a busy machine, where a page takes one.
test.slow();
const expect = baseExpect.configure({ timeout: 120_000 });

declare global {
  var longestTurnMs: () => number;
}

/** Watches main's event loop from now on. */
const watchMain = ({ app }: ElectronDriver): Promise<void> =>
  app.evaluate(() => {
    let longestMs = 0;
    let lastMs = performance.now();
    setInterval(() => {
      const nowMs = performance.now();
      longestMs = Math.max(longestMs, nowMs - lastMs);
      lastMs = nowMs;
    }, 1);
    globalThis.longestTurnMs = () => {
      const longest = Math.round(longestMs);
      longestMs = 0;
      return longest;
    };
  });

/** Prints what main took since the last time, and answers its greatest resident size so far. */
const report = async ({ app }: ElectronDriver, what: string): Promise<number> => {
  const [longestBlockMs, peakMiB] = await app.evaluate(() => [
    globalThis.longestTurnMs(),
    Math.round(process.resourceUsage().maxRSS / 1024),
  ]);
  process.stdout.write(`main, ${what}: ${JSON.stringify({ longestBlockMs, peakMiB })}\n`);
  return peakMiB ?? 0;
};

test('A10: neither countless small items nor the longest list fills the memory of main', async ({ desk, service }) => {
  const electron = desk as ElectronDriver;
  const { page } = desk;
  service.attack('list-orderable-events', smallItems);
  service.attack(
    'list-protocols',
    streams(() => pageOf(protocol, 0, MOST_ITEMS, MOST_ITEMS, 1)),
  );
  await watchMain(electron);
  const atRestMiB = await report(electron, 'at rest');

  await page.getByRole('button', { name: 'Sign in' }).filter({ visible: true }).click();
  await expect.poll(async () => (await electron.opened()).length).toBe(1);
  await fetch((await electron.opened())[0] ?? '');
  await expect(page.getByText(MOST_ITEMS.toLocaleString('en')).filter({ visible: true }).first()).toBeVisible();
  await expect(firstRow(page, 'Protocols')).toBeVisible();
  await report(electron, `${MOST_ITEMS} protocols on one page`);

  await openSection(page, 'Inspections to order');
  await expect(page.getByText('The response of the service is too large.')).toBeVisible();
  const peakMiB = await report(electron, '60 MB of {}');
  expect(peakMiB - atRestMiB).toBeLessThanOrEqual(MOST_MORE_MIB);
});
