/** An upload on a connection that the system reports as metered. A program of the test replaces the system's. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { writeTree } from '../integration/support/folders.ts';
import { dropFolder } from './support/drop-folder.ts';
import { openAssignment, openSection, shown, signIn, startUpload } from './support/steps.ts';
import { expect, test } from './support/test.ts';

const programs = mkdtempSync(join(tmpdir(), 'metered-'));
const gdbus = join(programs, 'gdbus');
writeFileSync(gdbus, '#!/bin/sh\ncase "$*" in *Metered) echo "(<uint32 1>,)" ;; *) exit 1 ;; esac\n');
chmodSync(gdbus, 0o755);
test.afterAll(() => rmSync(programs, { recursive: true }));
test.use({ env: { PATH: `${programs}${delimiter}${process.env.PATH ?? ''}` } });

test('a metered connection holds an upload back, until a person sends it anyway', async ({
  launch,
  control,
  documents,
}) => {
  const desk = await launch();
  const { page } = desk;
  const root = join(documents, 'Photos');
  writeTree(root, { 'a.jpg': 'a', 'b.jpg': 'b' });
  await signIn(desk);
  // Stalls the upload until the app has asked the system, which takes half a second.
  await control.faults.add({ match: { route: 'sign-upload' }, effect: { type: 'stall', forMs: 3_600_000 } });
  await openAssignment(page);
  await dropFolder(page, page.getByRole('heading', { level: 1 }), root);
  await startUpload(page);
  await expect(shown(page, 'The connection is metered, so this upload waits.')).toBeVisible();
  await control.faults.release();
  await page.getByRole('button', { name: 'Upload anyway' }).click();
  await expect(shown(page, '2 uploaded')).toBeVisible();
  await openSection(page, 'Settings');
  await expect(page.getByRole('switch', { name: 'Wait on metered connections' })).toBeChecked();
  await page.getByRole('switch', { name: 'Wait on metered connections' }).scrollIntoViewIfNeeded();
  await desk.close();
});
