/**
 * Folders and files that the system passes to the program: dropped on its icon, opened with it, or by a task of the
 * taskbar.
 */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findElectron } from '../../scripts/electron-binary.mjs';
import { type ElectronDriver, launchElectron } from './support/electron-driver.ts';
import { makeFolder } from './support/make-folder.ts';
import { signIn, signInButton } from './support/steps.ts';
import { expect, test } from './support/test.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Starts the program again with the same data directory. The new instance passes its arguments to the first one and
 * ends.
 */
const startAgain = (home: string, ...args: readonly string[]) =>
  promisify(execFile)(findElectron()?.path ?? '', ['--no-sandbox', root, '--home', home, ...args]);

test('begins a new upload for another start of the program, and for a first one with files', async ({
  desk,
  home,
  documents,
  sandbox,
}) => {
  const { page } = desk;
  const names = ['North', 'South', 'West'];
  for (const name of names) await makeFolder(join(home, name), 2);
  await signIn(desk);
  const newUpload = page.getByRole('heading', { level: 1, name: 'New upload' });
  const question = page.getByRole('dialog', { name: 'Another upload is being prepared' });

  await test.step('by the task of the taskbar', async () => {
    await expect(newUpload).toBeHidden();
    await startAgain(home, '--task=new-upload');
    await expect(newUpload).toBeVisible();
  });

  await test.step('one of several folders, for each of which the program is started', async () => {
    // Simulates the starts, because real ones may be further apart than the time for which the app collects folders.
    await (desk as ElectronDriver).app.evaluate(
      ({ app }, paths) => {
        for (const path of paths) app.emit('second-instance', {}, [], '', { paths: [path] });
      },
      names.map((name) => join(home, name)),
    );
    await expect(page.getByText(/^(North|South|West) and 2 more\b/)).toBeVisible();
    await expect(page.getByRole('dialog')).toBeHidden();
  });

  // As many files as fit in a command line.
  const files = Array.from({ length: 400 }, (_, index) => join(documents, `${'n'.repeat(100)} ${index}.jpg`));
  for (const file of files) await writeFile(file, file);
  const all = /\b400 files\b/;
  await test.step('of many files that are there, asking where another is being prepared', async () => {
    await startAgain(home, ...files, join(home, 'not there'));
    await question.getByRole('button', { name: 'Replace with new folders' }).click();
    await expect(page.getByText(all).first()).toBeVisible();
  });

  const { baseUrl, authUrl, clientId } = sandbox;
  const first = await launchElectron({
    home: join(documents, 'home'),
    env: {
      INSPECTION_DESK_TOKEN_STORE: 'memory',
      INSPECTION_DESK_BASE_URL: baseUrl,
      INSPECTION_DESK_AUTH_URL: authUrl,
      INSPECTION_DESK_CLIENT_ID: clientId,
    },
    given: files,
  });
  // Dispatches a click without a retry. `click` would try again if the page of the upload replaced the sign-in page
  // meanwhile.
  await first.decideInBrowser(() => signInButton(first.page).dispatchEvent('click'), 'allow');
  await expect(first.page.getByText(all).first()).toBeVisible();
  await first.close();
});
