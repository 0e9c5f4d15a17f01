import type { Page } from '@playwright/test';
import { copiedLines, keepCopied } from './support/copied.ts';
import { readSettings } from './support/settings-file.ts';
import { signIn } from './support/steps.ts';
import { expect, test } from './support/test.ts';

const goTo = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name }).click();

test('says when a page cannot be shown, has the licences, formats dates, stores settings of uploads, clears offline data, and asks before signing out', async ({
  desk,
  home,
  host,
  sandbox,
}) => {
  const { page } = desk;
  const works = await page.evaluateHandle(() => {
    const { prototype } = Intl.DateTimeFormat;
    const format = Object.getOwnPropertyDescriptor(prototype, 'format');
    Object.defineProperty(prototype, 'format', {
      configurable: true,
      get: () => {
        throw new Error('there are no dates');
      },
    });
    return () => Object.defineProperty(prototype, 'format', format ?? {});
  });
  await keepCopied(page);
  await goTo(page, 'Settings');
  const alert = page.getByRole('alert').filter({ hasText: 'Inspection Desk encountered an error.' });
  await alert.getByRole('button', { name: 'Copy details' }).click();
  await expect(alert.getByText('Copied')).toBeVisible();
  const [heading, ...details] = await copiedLines(page);
  expect(heading).toMatch(/^Inspection Desk \d/);
  expect(details).toEqual(['app/bug: Error: there are no dates']);
  await works.evaluate((restore) => restore());
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();

  await page.getByRole('radio', { name: 'Dark' }).click();
  const text = () => page.getByRole('heading', { level: 1 }).evaluate((element) => getComputedStyle(element).color);
  await expect.poll(text).toBe('rgb(255, 255, 255)');

  // The preview does not have the settings that only a desktop app needs.
  await expect(page.getByRole('region', { name: 'Updates' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Background and startup' })).toHaveCount(host === 'electron' ? 1 : 0);

  await page.getByRole('button', { name: 'Licences' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Licences' })).toBeFocused();
  // One package from the window's bundle, one from main's, and Electron itself.
  for (const name of ['react-dom', 'undici', 'electron'])
    await expect(page.getByText(name, { exact: true })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search packages' }).fill('undici');
  await expect(page.getByText('react-dom', { exact: true })).toBeHidden();
  await page.getByText('undici', { exact: true }).click();
  await expect(page.getByText('Copyright (c) Matteo Collina')).toBeVisible();

  await goTo(page, 'Protocols');
  await signIn(desk);
  const date = page.getByRole('table', { name: 'Protocols' }).locator('[data-row="0"]').getByRole('cell').nth(4);
  const asSystem = await date.innerText();

  await goTo(page, 'Settings');
  await page.getByLabel('Date format').focus();
  await page.getByLabel('Date format').selectOption('Year-month-day, 24 hours');
  await expect(page.getByText('Looks like this: 2026-03-31 14:05')).toBeVisible();
  await expect(page.getByLabel('Date format')).toBeFocused();
  await goTo(page, 'Protocols');
  await expect(date).toHaveText(/^20\d\d-\d\d-\d\d$/);

  await goTo(page, 'Settings');
  await page.getByLabel('Time unit of the service').selectOption('Milliseconds');
  await goTo(page, 'Protocols');
  await expect(date).toHaveText(/^1970-01-/);

  await goTo(page, 'Settings');
  await page.getByLabel('Time unit of the service').selectOption({ index: 0 });
  await page.getByLabel('Date format').selectOption({ index: 0 });
  await goTo(page, 'Protocols');
  await expect(date).toHaveText(asSystem);

  await goTo(page, 'Settings');
  await page.getByRole('button', { name: 'Change connection' }).click();
  await expect(page.getByLabel('Service address')).toHaveValue(sandbox.baseUrl);
  await page.getByRole('button', { name: 'Cancel' }).click();

  await expect(page.getByText('This copy of the app does not update itself.')).toBeVisible();
  await page.getByLabel('Files uploaded at once').selectOption('4');
  await page.getByLabel('Upload speed', { exact: true }).selectOption('At most 10 Mbit/s');
  await page.getByLabel('Upload speed in working hours').selectOption('At most 2 Mbit/s');
  await page.getByLabel('Working hours end').fill('16:30');
  await page.getByLabel('Upload hours').selectOption('Every day between two times');
  await page.getByLabel('Uploads begin').fill('20:00');
  await page.getByLabel('Uploads end').fill('06:30');
  const uploads = async () => (await readSettings(home)).uploads;
  await expect.poll(uploads).toMatchObject({
    concurrency: 4,
    limit: { bytesPerSecond: 1_250_000, schedule: [{ from: '08:00', to: '16:30', bytesPerSecond: 250_000 }] },
    hours: [{ from: '20:00', to: '06:30' }],
  });

  await page.getByLabel('Maximum size of offline data').selectOption('500 MB');
  await expect.poll(async () => (await readSettings(home)).cache).toEqual({ limitMegabytes: 500 });
  await page.getByRole('button', { name: 'Clear offline data' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Clear' }).click();
  await expect(page.getByRole('alertdialog')).toBeHidden();
  const signOut = page.getByRole('main').getByRole('button', { name: 'Sign out' });
  await signOut.click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('alertdialog')).toBeHidden();
  await expect(signOut).toBeFocused();
  await page.keyboard.press('Enter');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByText('You are not signed in.')).toBeVisible();
});
