import { join } from 'node:path';
import { makeFolder } from './support/make-folder.ts';
import { openAssignment, shown, signIn, uploadFolder } from './support/steps.ts';
import { expect, testAtNewService as test } from './support/test.ts';

test('shows failed files by reason, selects them by keyboard, retries them, and says where they are meanwhile', async ({
  desk,
  control,
  home,
}) => {
  const { page } = desk;
  await makeFolder(join(home, 'Documents'), 20);
  await control.faults.add(
    { match: { route: 'storage-put', contains: 'photo' }, effect: { type: 'status', status: 413 } },
    { match: { route: 'sign-upload', contains: 'rapport' }, effect: { type: 'status', status: 403 } },
  );
  await signIn(desk);
  await openAssignment(page);
  await uploadFolder(desk, join(home, 'Documents'));
  await page.getByRole('tab', { name: 'Failed (8)' }).click();
  const files = page.getByRole('grid', { name: 'Files' });
  await expect(files.getByRole('row')).toHaveCount(9);

  const reasons = page.getByRole('list', { name: 'Why files weren’t uploaded' });
  const tooLarge = reasons.getByRole('button', { name: '4 files The file is too large for the service.' });
  await tooLarge.getByText('Show only these files').click();
  await expect(files.getByRole('row')).toHaveCount(5);
  await expect(tooLarge).toContainText('Show all failed files');
  await expect(files.getByRole('row').filter({ hasText: 'photo' })).toHaveCount(4);

  // Selects the first file with Space and two more with Shift and the arrow key, then deselects one.
  await files.getByRole('checkbox', { name: 'Select photo', exact: false }).first().focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(page.getByText('3 selected')).toBeVisible();
  await page.keyboard.press('Shift+ArrowUp');
  await expect(page.getByText('2 selected')).toBeVisible();
  await expect(files.getByRole('row', { selected: true })).toHaveCount(2);

  await control.faults.clear();
  await page.getByRole('button', { name: 'Retry selected files' }).click();
  await expect(page.getByRole('tab', { name: 'Failed (6)' })).toBeVisible();
  await expect(files.getByRole('row')).toHaveCount(3);

  // Retries the remaining files with this reason. Then all failed files are shown: those with the other reason.
  await files.getByRole('checkbox', { name: 'Select all files' }).click();
  await expect(page.getByText('2 selected')).toBeVisible();
  await page.getByRole('button', { name: 'Retry selected files' }).click();
  await expect(files.getByRole('row').filter({ hasText: 'rapport' })).toHaveCount(4);
  await expect.poll(async () => (await control.objects()).length).toBe(16);

  // The button disappears with the last failed file, but the focus is not lost.
  await control.faults.add({ match: { route: 'storage-put' }, effect: { type: 'stall', forMs: 3_600_000 } });
  await page.getByRole('button', { name: 'Retry failed files' }).focus();
  await page.keyboard.press('Enter');
  await expect(shown(page, 'No failed files.')).toBeVisible();
  await expect(shown(page, 'Files that are being retried are under “Remaining”.')).toBeVisible();
  await control.faults.clear();
  await control.faults.release();
  await expect(shown(page, '20 uploaded')).toBeVisible();
  await expect(shown(page, 'Files that are being retried are under “Remaining”.')).toBeHidden();
  await expect(page.getByRole('heading', { level: 1, name: 'Documents' })).toBeFocused();
});
