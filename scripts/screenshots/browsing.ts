/** Takes the screenshots that uploads.ts does not take. */
import type { Driver } from '../../tests/e2e/support/driver.ts';
import { openAssignment, openSection, signIn } from '../../tests/e2e/support/steps.ts';
import type { Camera } from './camera.ts';
import { expect } from './patient.ts';

/** Takes the screenshots from the first start to the sign-in, and signs in. */
export const pictureFirstStart = async (desk: Driver, { page, take }: Camera): Promise<void> => {
  await take('welcome');
  await page.getByRole('button', { name: 'Connect to a service' }).click();
  await page.getByLabel('Service address').fill('https://inspections.example.com');
  await page.getByLabel('Sign-in address').fill('https://login.example.com');
  await page.getByRole('textbox', { name: 'Client ID' }).fill('inspection-desk');
  await take('connect');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Explore with sample data' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await take('sign-in');
  await signIn(desk);
};

/**
 * Takes the screenshots of the service's data, the search, the settings, the licences, the help, the doctor and the
 * shortcuts; and of two pages in the dark theme.
 */
export const pictureBrowsing = async ({ page, take }: Camera): Promise<void> => {
  await take('protocols');
  await openSection(page, 'Overview');
  const offline = page.getByRole('region', { name: 'Available offline' });
  await offline.getByRole('button', { name: 'Make everything available offline' }).click();
  await expect(offline.getByText(/^\d+ of \d+ protocols available offline/)).toBeVisible();
  await take('offline-data');
  await expect(offline.getByText(/^Everything is available offline/)).toBeVisible();
  await expect(page.getByRole('tab', { name: /^Overdue \([1-9]/ })).toBeVisible();
  // Scrolls back to the work list, because the buttons of the offline data are below it.
  await page.getByRole('region', { name: 'Assignments by day' }).scrollIntoViewIfNeeded();
  await take('overview');

  await openSection(page, 'Protocols');
  await page.getByRole('table', { name: 'Protocols' }).locator('[data-row="3"]').click();
  const points = page.getByRole('region', { name: 'Inspection points' });
  await points.getByRole('listitem').first().waitFor();
  await take('protocol');
  await points.getByRole('listitem').nth(1).click();
  await page.getByRole('button', { name: 'Close details' }).waitFor();
  await points.getByRole('listitem').first().scrollIntoViewIfNeeded();
  await take('inspection-points');

  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('berg');
  await page.getByRole('option').first().waitFor();
  await take('search');
  await page.getByRole('option', { name: /^Show all \d+ results$/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Search results' }).waitFor();
  await take('search-results');

  await openSection(page, 'Assignments');
  await page.getByRole('grid', { name: 'Assignments' }).waitFor();
  await take('assignments');
  await openSection(page, 'Inspections to order');
  await page.getByRole('table', { name: 'Inspections to order' }).waitFor();
  await take('orderable-events');
  await openSection(page, 'Settings');
  await take('settings');
  await page.getByRole('region', { name: 'Background and startup' }).evaluate((region) => region.scrollIntoView());
  await take('settings-desktop');
  await page.getByRole('button', { name: 'Licences' }).click();
  await page.getByRole('heading', { level: 1, name: 'Licences' }).waitFor();
  await take('licences');
  await openSection(page, 'Help');
  await take('help');
  await page.getByRole('button', { name: 'Troubleshoot', exact: true }).click();
  await page.getByRole('list').filter({ hasText: 'free space' }).waitFor();
  await take('doctor');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await take('shortcuts');
  await page.keyboard.press('Escape');

  await page.emulateMedia({ colorScheme: 'dark' });
  await openSection(page, 'Overview');
  await take('overview-dark');
  await openSection(page, 'Protocols');
  await openAssignment(page);
  await take('assignment-dark');
  await page.emulateMedia({ colorScheme: 'light' });
};
