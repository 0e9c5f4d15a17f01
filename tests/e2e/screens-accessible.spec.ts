import { expectNoBarriers } from './support/barriers.ts';
import { openAssignment, pressUntil, signIn } from './support/steps.ts';
import { testAtNewService as test } from './support/test.ts';

test.slow();

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
  const changes = page.getByRole('region', { name: 'Your changes' });
  await changes.getByRole('button', { name: 'Discard change' }).waitFor();
  await expectNoBarriers(page, 'changes that wait');
  await control.faults.replace({ match: { route: 'update-plan-after' }, effect: { type: 'status', status: 422 } });
  // The app may send the change automatically first.
  await pressUntil(
    changes.getByRole('button', { name: 'Send now' }),
    changes.getByRole('button', { name: 'Try again' }),
  );
  await expectNoBarriers(page, 'changes that were refused');

  await control.revokeSessions();
  const browse = page.getByRole('button', { name: 'Browse offline data' }).filter({ visible: true });
  // A request that the app makes in the background may end the session first.
  await pressUntil(page.getByRole('main').getByRole('button', { name: 'Refresh' }).filter({ visible: true }), browse);
  await browse.click();
  await page.getByRole('region', { name: 'Notices' }).waitFor();
  await expectNoBarriers(page, 'kept pages');
});
