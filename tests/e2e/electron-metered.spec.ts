/** An upload on a connection that the system calls metered, as a program of the test says in its place. */
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
  home,
  documents,
}) => {
  // Slower than the system is asked, which takes half a second.
  const limit = { bytesPerSecond: 100_000, schedule: [] };
  writeFileSync(join(home, 'settings.json'), JSON.stringify({ uploads: { limit } }));
  const desk = await launch();
  const { page } = desk;
  const root = join(documents, 'Photos');
  writeTree(root, { 'a.jpg': 'a'.repeat(200_000), 'b.jpg': 'b'.repeat(200_000) });
  await signIn(desk);
  await openAssignment(page);
  await dropFolder(page, page.getByRole('heading', { level: 1 }), root);
  await startUpload(page);
  await expect(page.getByText('The connection is metered, so this upload waits.')).toBeVisible();
  await page.getByRole('button', { name: 'Upload anyway' }).click();
  await expect(shown(page, '2 uploaded')).toBeVisible();
  await openSection(page, 'Settings');
  await expect(page.getByRole('switch', { name: 'Wait on metered connections' })).toBeChecked();
  await page.getByRole('switch', { name: 'Wait on metered connections' }).scrollIntoViewIfNeeded();
  await desk.close();
});
