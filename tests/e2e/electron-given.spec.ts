/** Folders that a system passes to the program: dropped on its icon, opened with it. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findElectron } from '../../scripts/electron-binary.mjs';
import { makeFolder } from './support/make-folder.ts';
import { signIn } from './support/steps.ts';
import { expect, test } from './support/test.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('begins a new upload of the folders that a second start has', async ({ desk, home }) => {
  const { page } = desk;
  await makeFolder(join(home, 'Jobs'), 3);
  await makeFolder(join(home, 'More'), 2);
  await signIn(desk);
  const startAgain = (...paths: readonly string[]) =>
    promisify(execFile)(findElectron()?.path ?? '', ['--no-sandbox', root, '--home', home, ...paths]);
  await startAgain(join(home, 'Jobs'), join(home, 'not there'));
  await expect(page.getByRole('heading', { level: 1, name: 'New upload' })).toBeVisible();
  await expect(page.getByRole('grid', { name: 'Folders' }).getByRole('row')).not.toHaveCount(1);

  await startAgain(join(home, 'More'));
  const question = page.getByRole('dialog', { name: 'Another upload is being prepared' });
  await question.getByRole('button', { name: 'Add to it' }).click();
  await expect(page.getByText('Jobs and 1 more')).toBeVisible();
});
