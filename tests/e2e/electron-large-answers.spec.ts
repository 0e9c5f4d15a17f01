/**
 * The maximum memory that responses of a service can make the main process use. The longest time for which they block
 * its event loop is only printed, because it depends on the machine.
 */

import { streams } from '../hostile/support/attacks.ts';
import { pageOf, protocol, smallItems } from '../hostile/support/large-lists.ts';
import { type StartedHostileService, startHostileService } from '../hostile/support/start-hostile-service.ts';
import type { ElectronDriver } from './support/electron-driver.ts';
import { firstRow, openSection } from './support/steps.ts';
import { test as base, expect as baseExpect } from './support/test.ts';

/**
 * The allowed resident memory in addition to that of the idle main process, which was 258 MiB on the machine of the
 * first measurement.
 */
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

// A busy machine takes tens of seconds for such lists, and a second for a usual page.
test.slow();
const expect = baseExpect.configure({ timeout: 120_000 });

declare global {
  var longestTurnMs: () => number;
}

/** Records the longest turn of main's event loop from now on. */
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

/** Prints the longest turn since the last call. Resolves to the maximum resident size of main so far, in MiB. */
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
