import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { makeFolder } from './support/make-folder.ts';
import { allowSignIn, openAssignment, openSection, shown, signIn, uploadFolder } from './support/steps.ts';
import { expect, testAtNewService as test } from './support/test.ts';

/**
 * Delays signatures long enough for the upload to outlast the test. A cancellation does not wait for signatures, but it
 * would wait for a storage that does not respond.
 */
const slowly = {
  match: { route: 'sign-upload' },
  when: { after: 20 },
  effect: { type: 'delay', delayMs: 30_000 },
} as const;
const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).filter({ visible: true }).click();

test('pauses, resumes and cancels an upload; sends another before the others, asks on its page for a sign-in once the session has ended, and continues there', async ({
  desk,
  control,
  home,
}) => {
  const { page } = desk;
  // With this many files, some are queued during the whole test.
  await makeFolder(join(home, 'Documents'), 200);
  await control.faults.add(slowly);
  await signIn(desk);
  await openAssignment(page);
  await uploadFolder(desk, join(home, 'Documents'));
  const main = page.getByRole('main');
  await expect(main.getByText(/^\d+% done · \d+ of 200 files/).filter({ visible: true })).toBeVisible();
  await expect(page.getByRole('button', { name: '1 upload in progress' })).toBeVisible();
  await expect(page.getByRole('img', { name: /^Speed over the last minute, at most [\d.]+ [kM]?B\/s$/ })).toBeVisible();
  await openSection(page, 'Overview');
  const watched = page.getByRole('region', { name: 'Uploads' }).getByRole('listitem');
  await expect(watched.getByText(/^\d+% done · \d+ of 200 files · [\d.]+ [kM]B of /)).toBeVisible();
  await watched.getByRole('button', { name: 'Documents' }).click();
  await press(page, 'Pause');
  await expect(shown(page, 'Paused').first()).toBeVisible();
  await expect(page.getByRole('button', { name: '1 upload in progress' })).toBeHidden();
  // Ends the pending requests first, because the upload resumes only once it has none.
  await control.faults.release();
  await control.faults.add(slowly);
  await press(page, 'Resume');
  await expect(shown(page, 'In progress').first()).toBeVisible();
  await press(page, 'Cancel upload');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Continue uploading' }).click();
  await expect(page.getByRole('alertdialog')).toBeHidden();
  await press(page, 'Cancel upload');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel upload' }).click();
  await expect(shown(page, 'Cancelled').first()).toBeVisible();

  await openSection(page, 'Uploads');
  const card = page.getByRole('list', { name: 'Uploads' }).getByRole('listitem').first();
  await expect(card.getByText('Cancelled').first()).toBeVisible();
  await openSection(page, 'Overview');
  await expect(shown(page, 'No upload is in progress and none has failed.')).toBeVisible();

  // Signatures wait until the session has ended, so that the uploads stay in progress.
  await control.faults.replace({ ...slowly, effect: { type: 'stall', forMs: 3_600_000 } });
  const sendFirst = page.getByRole('button', { name: 'Send first', exact: true }).filter({ visible: true });
  for (const name of ['Morning', 'Evening']) {
    await makeFolder(join(home, name), 60);
    await openSection(page, 'Protocols');
    await openAssignment(page);
    await uploadFolder(desk, join(home, name));
    await expect(shown(page, 'In progress').first()).toBeVisible();
    if (name === 'Morning') await expect(sendFirst).toBeHidden();
  }
  await sendFirst.click();
  await expect(page.getByRole('button', { name: 'Sent first' }).filter({ visible: true })).toBeVisible();

  await control.revokeSessions();
  await control.faults.release();
  await expect(shown(page, 'Your sign-in has expired.')).toBeVisible();
  await allowSignIn(desk);
  await expect(page.getByRole('heading', { level: 1, name: 'Evening' })).toBeVisible();
  await control.faults.clear();
  await expect(shown(page, '60 uploaded')).toBeVisible({ timeout: 30_000 });
});
