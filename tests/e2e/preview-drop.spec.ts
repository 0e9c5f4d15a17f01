import { join } from 'node:path';
import { expectNoBarriers } from './support/barriers.ts';
import { dropFolder } from './support/drop-folder.ts';
import { makeFolder } from './support/make-folder.ts';
import { openAssignment, signIn } from './support/steps.ts';
import { test } from './support/test.ts';

// Only the preview sends dropped files to the app, so only there this can be held back.
test('is accessible while dropped files are added, in all colour schemes', async ({ desk, home }) => {
  const { page } = desk;
  await makeFolder(join(home, 'Documents'), 1);
  await signIn(desk);
  await openAssignment(page);
  // Never answered.
  await page.route('**/desk/staging', () => {});
  await dropFolder(page, page.getByText('Drop folders or files'), join(home, 'Documents'));
  await page.getByText('Adding the files…').waitFor();
  await expectNoBarriers(page, 'files that are taken over');
});
