import { join } from 'node:path';
import { expectNoBarriers } from './support/barriers.ts';
import { makeFolder } from './support/make-folder.ts';
import {
  askToRemoveFile,
  openAssignment,
  openSection,
  pressUntil,
  shown,
  signIn,
  startUpload,
} from './support/steps.ts';
import { expect, testAtNewService as test } from './support/test.ts';

// Every screen is checked three times. Those of a new upload, of files and of watched folders are in screens-fit.
test.slow();
test.describe.configure({ mode: 'parallel' });

test('is accessible when browsing, in all colour schemes', async ({ desk }) => {
  const { page } = desk;
  await expectNoBarriers(page, 'sign-in');
  await signIn(desk);
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await expectNoBarriers(page, 'protocols');
  await page.getByRole('button', { name: 'Choose a date' }).first().click();
  await page.getByRole('dialog').getByRole('grid').waitFor();
  await expectNoBarriers(page, 'calendar');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Table options/ }).click();
  await page.getByRole('checkbox', { name: 'City' }).waitFor();
  await expectNoBarriers(page, 'columns');
  await page.keyboard.press('Escape');
  await page.getByRole('table', { name: 'Protocols' }).locator('[data-row="0"]').click();
  await page.getByRole('region', { name: 'Inspection points' }).getByRole('listitem').nth(1).click();
  await page.getByRole('button', { name: 'Close details' }).waitFor();
  await expectNoBarriers(page, 'protocol');
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('york');
  await page.getByRole('option').first().waitFor();
  await expectNoBarriers(page, 'search');
  await page.getByRole('option', { name: /^Show all \d+ results$/ }).click();
  await page.getByRole('tab').first().waitFor();
  await expectNoBarriers(page, 'search results');
  for (const section of ['Overview', 'Assignments', 'Inspections to order', 'Help', 'Settings']) {
    await openSection(page, section);
    await expectNoBarriers(page, section);
  }
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await expectNoBarriers(page, 'shortcuts');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Licences' }).click();
  await page.getByRole('searchbox', { name: 'Search packages' }).fill('react-dom');
  await page.getByText('react-dom', { exact: true }).click();
  await expectNoBarriers(page, 'licences');
});

test('is accessible with pending and rejected changes and without a session, in all colour schemes', async ({
  desk,
  control,
}) => {
  const { page } = desk;
  await signIn(desk);
  await openAssignment(page);
  await control.faults.add({ match: { route: 'any' }, effect: { type: 'reset', at: 'before-body' } });
  await page.getByLabel('Date and time').fill('2027-03-01T08:00');
  await page.getByRole('button', { name: 'Save date' }).click();
  await page.getByRole('button', { name: '1 change pending' }).click();
  const changes = page.getByRole('region', { name: 'Pending changes' });
  await changes.getByRole('button', { name: 'Discard change' }).waitFor();
  await expectNoBarriers(page, 'changes that wait');
  await control.faults.replace({ match: { route: 'update-plan-after' }, effect: { type: 'status', status: 422 } });
  // It may be sent automatically first.
  await pressUntil(
    changes.getByRole('button', { name: 'Send now' }),
    changes.getByRole('button', { name: 'Try again' }),
  );
  await expectNoBarriers(page, 'changes that were refused');

  await control.revokeSessions();
  const browse = page.getByRole('button', { name: 'Browse offline data' }).filter({ visible: true });
  // What the app reads in the background may end the session first.
  await pressUntil(page.getByRole('main').getByRole('button', { name: 'Refresh' }).filter({ visible: true }), browse);
  await browse.click();
  await page.getByRole('region', { name: 'Notices' }).waitFor();
  await expectNoBarriers(page, 'kept pages');
});

test('is accessible when uploading, in all colour schemes', async ({ desk, control, home }) => {
  const { page, chooseFolder } = desk;
  const folder = join(home, 'Documents');
  await makeFolder(folder, 10);
  await control.faults.add(
    { match: { route: 'storage-put', contains: 'photo' }, effect: { type: 'status', status: 413 } },
    { match: { route: 'update-plan-after' }, effect: { type: 'status', status: 422 } },
  );
  await signIn(desk);
  await openAssignment(page);
  await chooseFolder(() => page.getByRole('button', { name: 'Choose folder' }).click(), folder);
  const dialog = page.getByRole('dialog');
  await page.getByLabel('File names').selectOption('Folder and name');
  await expectNoBarriers(page, 'new upload to one assignment');
  await page.getByRole('button', { name: 'Show new names' }).click();
  await dialog.getByRole('table', { name: 'Files to be renamed' }).waitFor();
  await expectNoBarriers(page, 'new names');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await startUpload(page);
  await expect(shown(page, '8 uploaded, 2 failed')).toBeVisible();
  await expectNoBarriers(page, 'batch');
  await page.getByRole('tab', { name: 'Failed (2)' }).click();
  await page.getByRole('list', { name: 'Why files weren’t uploaded' }).waitFor();
  await expectNoBarriers(page, 'failed files');
  await page.getByRole('button', { name: 'Verify files' }).click();
  await dialog.getByText('8 of 10 files unchanged. 2 not uploaded.').waitFor();
  await expectNoBarriers(page, 'verified files');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await openSection(page, 'Uploads');
  await expectNoBarriers(page, 'Uploads');

  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByLabel('Date and time').fill('2027-03-01T08:00');
  await page.getByRole('button', { name: 'Save date' }).click();
  await page.getByRole('alert').waitFor();
  await page.getByRole('grid', { name: 'Files on this assignment' }).waitFor();
  await expectNoBarriers(page, 'assignment');
  await askToRemoveFile(page);
  await expectNoBarriers(page, 'a question');
});
