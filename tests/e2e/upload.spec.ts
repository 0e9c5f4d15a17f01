import { join } from 'node:path';
import type { FaultRule } from '../../src/sandbox/faults/rules.ts';
import { dropFolder } from './support/drop-folder.ts';
import { makeFolder } from './support/make-folder.ts';
import { openAssignment, shown, signIn, uploadFolder } from './support/steps.ts';
import { expect, test } from './support/test.ts';

/** About one request in twenty goes wrong, in each of the ways that storage fails. */
const faults: readonly FaultRule[] = [
  { match: { route: 'storage-put' }, when: { after: 40, count: 1 }, effect: { type: 'expired-url' } },
  {
    match: { route: 'storage-put' },
    when: { probability: 0.03 },
    effect: { type: 'status', status: 503, retryAfterS: 1 },
  },
  { match: { route: 'storage-put' }, when: { probability: 0.01 }, effect: { type: 'reset', at: 'during-body' } },
  { match: { route: 'storage-put' }, when: { probability: 0.01 }, effect: { type: 'reset', at: 'after-body' } },
];

test('uploads 300 files through a failing network, each once', async ({ desk, control, home }, info) => {
  const { page } = desk;
  const hashes = await makeFolder(join(home, 'Documents, fløy B'), 300);
  await control.faults.add(...faults);
  await signIn(desk);
  await openAssignment(page);
  await uploadFolder(desk, join(home, 'Documents, fløy B'));
  await expect(page.getByText(/^\d\d+ of 300 files/)).toBeVisible();
  await page.screenshot({ path: info.outputPath('uploading.png') });
  await expect(shown(page, '300 uploaded')).toBeVisible({ timeout: 75_000 });
  await page.screenshot({ path: info.outputPath('uploaded.png') });

  const objects = await control.objects();
  expect(objects.map(({ sha256 }) => sha256).sort()).toEqual(hashes);
  const fired = await control.faults.list();
  expect(fired.every((fault) => fault.fired > 0)).toBe(true);
  const { violations } = await control.stats();
  expect(Object.values(violations).filter((count) => count > 0)).toEqual([]);
});

test('uploads a folder that was dropped', async ({ desk, control, home }) => {
  const { page } = desk;
  const hashes = await makeFolder(join(home, 'Dropped'), 10);
  await signIn(desk);
  await openAssignment(page);
  await dropFolder(page, page.getByText('Drop a folder here'), join(home, 'Dropped'));
  await expect(shown(page, '10 uploaded')).toBeVisible();
  expect((await control.objects()).map(({ sha256 }) => sha256).sort()).toEqual(hashes);
});

test('refuses a file that was dropped in the place of a folder', async ({ desk, home }) => {
  const { page } = desk;
  await makeFolder(join(home, 'Dropped'), 1);
  await signIn(desk);
  await openAssignment(page);
  await dropFolder(page, page.getByText('Drop a folder here'), join(home, 'Dropped', 'photo 0.jpg'));
  await expect(page.getByText('This is a file, not a folder.').last()).toBeVisible();
});
