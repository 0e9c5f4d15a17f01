import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dropFolder } from './support/drop-folder.ts';
import type { ElectronDriver } from './support/electron-driver.ts';
import { JOB_PROTOCOLS, planJobs, writeJobs } from './support/job-folders.ts';
import { allowSignIn, openSection, signIn } from './support/steps.ts';
import { expect, test } from './support/test.ts';

test.use({ protocols: JOB_PROTOCOLS });

const isElectron = (desk: object): desk is ElectronDriver => 'app' in desk;

test('an upload that is being prepared survives kill -9, with what was chosen', async ({ launch, home }) => {
  const jobs = planJobs(JOB_PROTOCOLS).filter(({ kind }) => kind === 'foreign' || kind === 'ambiguous');
  const root = join(home, 'Jobs');
  await writeJobs(root, jobs, 'now');
  const first = await launch();
  if (!isElectron(first)) throw new Error('this test needs Electron');
  const { page, app } = first;
  await signIn(first);
  await openSection(page, 'Uploads');
  await dropFolder(page, page.getByRole('heading', { level: 1, name: 'Uploads' }), root);
  await expect(page.getByRole('tab', { name: `Choose assignment (${jobs.length})` })).toBeVisible();
  const photos = page.getByRole('checkbox', { name: 'Upload Holiday photos' });
  // The folder has no assignment yet.
  await expect(photos).toBeChecked({ indeterminate: true });
  await photos.click();
  await expect(page.getByRole('tab', { name: 'Left out (1)' })).toBeVisible();
  await expect(() => {
    const drafts = join(home, 'drafts');
    // A draft that is still being written has another file name.
    const whole = readdirSync(drafts).filter((name) => !name.endsWith('.part'));
    const stored = whole.map((name) => readFileSync(join(drafts, name), 'utf8'));
    expect(stored.join('')).toContain('"decisions":[{');
  }).toPass();
  const ended = new Promise((resolve) => app.process().once('exit', resolve));
  app.process().kill('SIGKILL');
  await ended;

  const second = await launch();
  // If there is a keychain, the user is still signed in.
  const signInAgain = second.page.getByRole('button', { name: 'Sign in' }).filter({ visible: true });
  await expect(signInAgain.or(second.page.getByRole('navigation')).first()).toBeVisible();
  if (await signInAgain.isVisible()) await allowSignIn(second);
  await openSection(second.page, 'New upload');
  await expect(second.page.getByText('Continued from')).toBeVisible();
  await expect(second.page.getByRole('tab', { name: 'Left out (1)' })).toBeVisible();
  await expect(second.page.getByRole('tab', { name: `Choose assignment (${jobs.length - 1})` })).toBeVisible();
  await second.close();
});
