import type { Page } from '@playwright/test';
import { openSection, shown, signIn } from './support/steps.ts';
import { expect, testAtNewService as test } from './support/test.ts';

test.use({ protocols: 240 });

/** The app requests the inspection points of each of the 240 protocols. Only the first 20 requests get a response. */
const standsStill = {
  match: { route: 'list-inspection-points' },
  when: { after: 20 },
  effect: { type: 'stall', forMs: 3_600_000 },
} as const;

const part = (page: Page) => page.getByRole('region', { name: 'Available offline' }).filter({ visible: true });
const press = (page: Page, name: string) => part(page).getByRole('button', { name }).click();

test('makes everything available offline, with progress in protocols, a pause, its reason and a continuation', async ({
  desk,
  control,
}) => {
  const { page } = desk;
  await signIn(desk);
  await control.faults.add(standsStill);
  await openSection(page, 'Overview');
  await press(page, 'Make everything available offline');
  await expect(part(page).getByRole('progressbar')).toBeVisible();
  await expect(part(page).getByText(/^20 of 240 protocols available offline · .* on disk$/)).toBeVisible();
  // The text at the top of the page agrees with the one next to the progress bar.
  await expect(shown(page, '20 of 240 protocols available offline')).toBeVisible();
  await press(page, 'Pause');
  await expect(part(page).getByText(/^Paused: 20 of 240 protocols available offline\.$/)).toBeVisible();
  await control.faults.replace({
    match: { route: 'list-inspection-points' },
    effect: { type: 'reset', at: 'before-body' },
  });
  await press(page, 'Continue');
  await expect(part(page).getByText(/^Paused: .* The service cannot be reached\.$/)).toBeVisible();
  // Any response makes the app notice that the service can be reached again.
  await control.faults.clear();
  await openSection(page, 'Inspections to order');
  await openSection(page, 'Overview');
  await expect(part(page).getByText(/^Everything is available offline, updated/)).toBeVisible({ timeout: 60_000 });

  // The work list has the assignments read so far: each protocol has at least one.
  const known = page.getByText(/^[\d,]+ assignments known on this computer$/);
  await expect.poll(async () => Number((await known.innerText()).replaceAll(/\D/g, ''))).toBeGreaterThan(300);

  await control.faults.add({ match: { route: 'any' }, effect: { type: 'reset', at: 'before-body' } });
  await openSection(page, 'Protocols');
  await page.getByRole('searchbox', { name: 'Search protocols' }).fill('york');
  const table = page.getByRole('table', { name: 'Protocols' });
  await expect(table.getByRole('cell', { name: 'York', exact: true }).first()).toBeVisible();
  await expect(table.locator('[data-row="0"]').getByRole('cell').last()).toHaveText('Available');
  await table.locator('[data-row="0"]').click();
  await expect(page.getByRole('table', { name: 'Assignments' }).locator('[data-row="0"]')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Inspection points' }).getByRole('listitem').first()).toBeVisible();
  await expect(shown(page, /Offline data, updated /).first()).toBeVisible();
});
