import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { startSandbox } from '../../src/sandbox/server.ts';
import { createSandboxControl } from '../../src/sandbox/testing/control-client.ts';
import { makeFolder } from './support/make-folder.ts';
import { firstRow, openAssignment, openSection, pressUntil, shown, signIn, uploadFolder } from './support/steps.ts';
import { test as base, expect } from './support/test.ts';

/** A `test` whose service can be closed, and started again with the same data. */
const test = base.extend({
  sandbox: async ({ home }, use) => {
    const sandbox = await startSandbox({ stateDir: join(home, 'service') });
    await use(sandbox);
    await sandbox.close().catch(() => {});
  },
});

/**
 * The texts about the network that the window shows at one moment: in its footer, and on the page of an upload in
 * progress.
 */
type Said = { readonly footer: string; readonly upload: string; readonly files: string };

/** Makes the page record its texts about the network after every change. */
const watch = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const said = new Map<string, Said>();
    Reflect.set(window, 'said', said);
    const visible = (selector: string): HTMLElement | undefined =>
      [...document.querySelectorAll<HTMLElement>(selector)].find((element) => element.checkVisibility());
    const look = (): void => {
      const footer = visible('header [role="status"]')?.innerText ?? '';
      const upload = visible('[role="progressbar"][aria-label^="Progress of"]')?.parentElement?.innerText ?? '';
      const files = visible('table[aria-label="Files"]')?.innerText ?? '';
      said.set([footer, upload, files].join('\n'), { footer, upload, files });
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
    look();
  });
const allSaid = (page: Page): Promise<readonly Said[]> =>
  page.evaluate(() => [...(Reflect.get(window, 'said') as Map<string, Said>).values()]);

/** Returns the moments at which the texts contradict each other. */
const contradictions = (all: readonly Said[]): readonly Said[] =>
  all.filter(({ footer, upload, files }) => {
    if (upload === '') return false;
    const isOffline = footer.includes('Offline since');
    const waits = /^Waiting$/m.test(upload);
    const explains = upload.includes('has been unreachable since');
    // After an outage, the last files may all wait because requests are paced.
    const isPaced = upload.includes('Uploads are slower for now');
    const moves = /^In progress$/m.test(upload) || upload.includes('/s ') || files.includes('Uploading');
    return isOffline ? moves || !waits || !explains : (waits && !isPaced) || explains;
  });

const tryAgain = (page: Page) => page.getByRole('button', { name: 'Try again now' }).filter({ visible: true });

test('reads a page that was opened during a pause of the service when it is over; footer, banner and progress always agree when the network is lost during an upload; an outage is named with its cause', async ({
  desk,
  control,
  sandbox,
  home,
}) => {
  const { page } = desk;
  await signIn(desk);
  await control.faults.add({ match: { route: 'any' }, effect: { type: 'status', status: 503, retryAfterS: 600 } });
  await page.getByRole('button', { name: 'Assignments' }).click();
  // If another request was refused before, the message names the server.
  const refusal = page
    .getByRole('main')
    .getByText(/is busy\./)
    .filter({ visible: true });
  await expect(refusal).toBeVisible();
  await expect(page.getByText(/Paused until/).filter({ visible: true })).toBeVisible();
  await control.faults.clear();
  await page.getByRole('button', { name: 'Try again now' }).click();
  await expect(firstRow(page, 'Assignments')).toBeVisible();
  await expect(refusal).toBeHidden();
  await expect(shown(page, 'Online')).toBeVisible();

  const hashes = await makeFolder(join(home, 'Documents'), 120);
  // The upload stalls before its end, so that it is in progress when the network is lost, however slow the window is.
  await control.faults.add({
    match: { route: 'storage-put' },
    when: { after: 40 },
    effect: { type: 'stall', forMs: 3_600_000 },
  });
  await openSection(page, 'Protocols');
  await openAssignment(page);
  await uploadFolder(desk, join(home, 'Documents'));
  await watch(page);
  await expect(page.getByText(/(^|· )[1-9]\d* of 120 files/).filter({ visible: true })).toBeVisible();
  await expect(shown(page, 'Online')).toBeVisible();

  await sandbox.close();
  const banner = page.getByText(/^The service has been unreachable since .*\d/).filter({ visible: true });
  await expect(banner).toBeVisible();
  await expect(page.getByText(/Offline since/).filter({ visible: true })).toBeVisible();
  await expect(page.getByRole('button', { name: '1 upload waiting' })).toBeVisible();

  const again = await startSandbox({ stateDir: join(home, 'service'), port: sandbox.port });
  try {
    await pressUntil(tryAgain(page), shown(page, '120 uploaded'));
    await expect(shown(page, 'Online')).toBeVisible();
    const all = await allSaid(page);
    expect(contradictions(all)).toEqual([]);
    // The footer has shown both states.
    expect(new Set(all.map(({ footer }) => footer.replace(/since.*/s, '').trim()))).toEqual(
      new Set(['Online', 'Offline']),
    );
    expect((await createSandboxControl(again).objects()).map(({ sha256 }) => sha256).sort()).toEqual(hashes);

    await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Help' }).click();
    await page.getByRole('button', { name: 'Troubleshoot', exact: true }).filter({ visible: true }).click();
    await expect(page.getByText('Everything works.')).toBeVisible();
    await again.close();
    await page.getByRole('button', { name: 'Check again' }).click();
    await expect(page.getByText('1 check failed.', { exact: true })).toBeVisible();
    const failed = page.getByRole('listitem').filter({ hasText: 'FAILED' });
    await expect(failed.first()).toContainText('network connection');
    await expect(failed.first()).toContainText('Check the network connection.');
  } finally {
    await again.close().catch(() => {});
  }
});
