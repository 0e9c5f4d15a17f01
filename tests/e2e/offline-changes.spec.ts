import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { FaultRule } from '../../src/sandbox/faults/fault-plan.ts';
import { makeFolder } from './support/make-folder.ts';
import { askToRemoveFile, openAssignment, shown, signIn, uploadFolder } from './support/steps.ts';
import { expect, testAtNewService as test } from './support/test.ts';

test.describe.configure({ mode: 'parallel' });

const away: FaultRule = { match: { route: 'any' }, effect: { type: 'reset', at: 'before-body' } };
const waits = 'Pending. It will be sent when the service can be reached.';

const refused: FaultRule = { match: { route: 'update-plan-after' }, effect: { type: 'status', status: 422 } };

const planAfter = (page: Page) => page.getByRole('region', { name: 'Plan after' });

const setPlanAfter = async (page: Page, at: string): Promise<void> => {
  await planAfter(page).getByLabel('Date and time').fill(at);
  await planAfter(page).getByRole('button', { name: 'Save date' }).click();
};

test('sends pending changes in order once the service is back, lists pending and rejected ones on the overview, reachable from every page, and beside their values', async ({
  desk,
  control,
  home,
}) => {
  const { page } = desk;
  await makeFolder(join(home, 'Documents'), 2);
  await signIn(desk);
  await openAssignment(page);
  await uploadFolder(desk, join(home, 'Documents'));
  await expect(shown(page, '2 uploaded')).toBeVisible();
  await page.getByRole('button', { name: 'Back' }).click();
  const history = page.getByRole('table', { name: 'Uploads from this computer' });
  await expect(history.getByRole('row').nth(1)).toHaveText(/^Documents.*2 uploaded/);
  const known = page.getByRole('grid', { name: 'Files on this assignment' });
  await expect(known.getByText('Uploaded here')).toHaveCount(2);

  await control.faults.add(away);
  await setPlanAfter(page, '2027-03-01T08:00');
  await expect(planAfter(page).getByText(waits)).toBeVisible();
  const files = page.getByRole('region', { name: 'Files on this assignment' });
  await askToRemoveFile(page);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove file' }).click();
  await expect(files.getByText(waits)).toBeVisible();
  // A second change of the same value replaces the first.
  await setPlanAfter(page, '2027-04-01T08:00');
  await expect(planAfter(page).getByText(waits)).toHaveCount(1);

  await control.faults.clear();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Inspections to order' }).click();
  await expect.poll(async () => (await control.objects()).length).toBe(1);
  const months = async () =>
    (await control.planAfterValues()).map((value) => new Date(value.PlanAfter * 1000).getMonth());
  await expect.poll(months).toEqual([3]);
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByText(waits)).toHaveCount(0);
  // The response to the removal lists the remaining files of the assignment.
  await expect(known.getByText(/^(Uploaded here|Reported by service)$/)).toHaveCount(1);

  const address = (await page.getByRole('heading', { level: 1 }).innerText()).trim();
  await control.faults.add(away);
  await setPlanAfter(page, '2027-03-01T08:00');
  await expect(planAfter(page).getByText(waits)).toBeVisible();
  await page.getByRole('button', { name: '1 change pending' }).click();
  const changes = page.getByRole('region', { name: 'Your changes' });
  await expect(changes.getByText(/^Plan after .*2027/)).toBeVisible();

  await expect(changes.getByRole('button', { name: 'Send now' })).toBeVisible();

  await control.faults.replace(refused);
  // Any request that reaches the service makes the app send the pending changes.
  await page.getByRole('main').getByRole('button', { name: 'Refresh' }).filter({ visible: true }).first().click();
  await expect(changes.getByText(/The service rejected the request\./)).toBeVisible();
  await page.getByRole('button', { name: '1 change rejected' }).waitFor();
  await changes.getByRole('button', { name: address }).click();
  await expect(planAfter(page).getByRole('alert')).toContainText('The service rejected the request.');
  const sent = async () => (await control.stats()).routes['update-plan-after'].requests;
  const before = await sent();
  await planAfter(page).getByRole('button', { name: 'Try again' }).click();
  await expect.poll(sent).toBe(before + 1);
  await page.getByRole('button', { name: 'Back' }).click();

  await control.faults.clear();
  await changes.getByRole('button', { name: 'Try again' }).click();
  await expect(changes).toBeHidden();
  await expect(page.getByRole('button', { name: /1 change/ })).toBeHidden();
  expect(await months()).toEqual([2]);
});

test('shows a pending change until it is discarded, says one thing about the date at a time, asks before one in the past, and shows a rejection beside it', async ({
  desk,
  control,
}) => {
  const { page } = desk;
  await signIn(desk);
  await openAssignment(page);
  await control.faults.add(away);
  await setPlanAfter(page, '2027-03-01T08:00');
  await expect(planAfter(page).getByText(waits)).toBeVisible();
  await expect(page.getByText(/Offline since/)).toBeVisible();
  await planAfter(page).getByRole('button', { name: 'Discard change' }).click();
  await expect(planAfter(page).getByText(waits)).toBeHidden();
  await control.faults.clear();
  expect(await control.planAfterValues()).toEqual([]);
  await expect(page.getByText('Online', { exact: true })).toBeVisible();

  await planAfter(page).getByRole('button', { name: 'Clear date' }).click();
  await expect(planAfter(page).getByText('The date was cleared.')).toBeVisible();
  await control.faults.add(away);
  await setPlanAfter(page, '2027-03-01T08:00');
  await expect(planAfter(page).getByText(/^Plan after Mar 1, 2027/)).toHaveCount(1);
  await expect(planAfter(page).getByText('The date was cleared.')).toBeHidden();
  await expect(planAfter(page).getByRole('status')).toHaveText('');
  await control.faults.clear();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Inspections to order' }).click();
  await expect.poll(() => control.planAfterValues()).toHaveLength(1);
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(planAfter(page).getByRole('status')).toHaveText(
    /^Plan after Mar 1, 2027, .* \(local time\), reported by the service on .*\.$/,
  );

  const saved = await control.planAfterValues();
  await setPlanAfter(page, '2020-03-01T08:00');
  const question = page.getByRole('alertdialog', { name: 'Save a date in the past?' });
  await expect(question).toContainText('Mar 1, 2020');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toBeHidden();
  await expect(planAfter(page).getByRole('button', { name: 'Save date' })).toBeFocused();
  expect(await control.planAfterValues()).toEqual(saved);
  await planAfter(page).getByRole('button', { name: 'Save date' }).click();
  await question.getByRole('button', { name: 'Save date' }).click();
  await expect(planAfter(page).getByText(/^Saved: plan after Mar 1, 2020/)).toBeVisible();
  expect(await control.planAfterValues()).not.toEqual(saved);

  await control.faults.add(refused);
  const refusal = planAfter(page).getByRole('alert').filter({ hasText: 'The service rejected the request.' });
  await setPlanAfter(page, '2027-05-01T08:00');
  await expect(refusal).toBeVisible();
  await planAfter(page).getByLabel('Date and time').fill('2027-05-02T08:00');
  await expect(refusal).toBeHidden();
  await setPlanAfter(page, '2027-05-02T08:00');
  await refusal.getByRole('button', { name: 'Dismiss' }).click();
  await expect(refusal).toBeHidden();

  await control.faults.clear();
  await setPlanAfter(page, '');
  await expect(planAfter(page).getByText('Enter a date.')).toBeVisible();
  await expect(planAfter(page).getByLabel('Date and time')).toBeFocused();
  await setPlanAfter(page, '2027-05-02T08:00');
  await expect(planAfter(page).getByText(/^Saved: plan after .* \(local time\)\.$/)).toBeVisible();
  await planAfter(page).getByRole('button', { name: 'Clear date' }).click();
  await expect(planAfter(page).getByText('The date was cleared.')).toBeVisible();
});
