import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { FaultRule } from '../../src/sandbox/faults/fault-plan.ts';
import { dropFolder } from './support/drop-folder.ts';
import { JOB_PROTOCOLS, type JobFolder, planJobs, writeJobs } from './support/job-folders.ts';
import { makeFolder } from './support/make-folder.ts';
import { openAssignment, openSection, shown, signIn } from './support/steps.ts';
import { expect, testAtNewService as test } from './support/test.ts';

test.use({ protocols: JOB_PROTOCOLS });

/** Faults of services and storages. Each file meets fewer faults than it has attempts. */
const faults: readonly FaultRule[] = [
  { match: { route: 'storage-put' }, when: { after: 20, count: 1 }, effect: { type: 'expired-url' } },
  { match: { route: 'storage-put' }, when: { after: 40, count: 2 }, effect: { type: 'status', status: 503 } },
  { match: { route: 'storage-put' }, when: { after: 60, count: 1 }, effect: { type: 'reset', at: 'after-body' } },
  { match: { route: 'sign-upload' }, when: { after: 30, count: 1 }, effect: { type: 'reset', at: 'before-body' } },
];

const start = (page: Page) => page.getByRole('button', { name: 'Start upload' });

/** Drops `root` on the navigation of the page of uploads, and waits until every folder in it can be decided. */
const prepare = async (page: Page, root: string): Promise<void> => {
  await openSection(page, 'Uploads');
  await dropFolder(page, page.getByRole('navigation').first(), root);
  await expect(page.getByRole('heading', { level: 1, name: 'New upload' })).toBeVisible();
  await expect(page.locator('[data-row="0"] input').filter({ visible: true })).toBeFocused();
};

/** Returns a function that presses a key, and the keys pressed so far. */
const countingKeys = (page: Page) => {
  const keys: string[] = [];
  const press = async (key: string): Promise<void> => {
    keys.push(key);
    await page.keyboard.press(key);
  };
  return { keys, press };
};

/** Returns the position of the job's assignment among the assignments that the panel offers. */
const positionOf = async (page: Page, { assignment }: JobFolder): Promise<number> => {
  const wanted = assignment && [`${assignment.FirstName} ${assignment.LastName}`, assignment.Performer];
  const options = await page.getByRole('complementary').getByRole('option').allInnerTexts();
  return options.findIndex((text) => wanted?.every((part) => text.includes(part)));
};

/** Decides every undecided folder: leaves out foreign folders, and chooses the assignment of the others. */
const decideByKeys = async (page: Page, jobs: readonly JobFolder[], press: (key: string) => Promise<void>) => {
  const panel = page.getByRole('complementary');
  await press('Enter');
  const decided = new Set<string>();
  for (;;) {
    if (await start(page).evaluate((button) => button === document.activeElement)) return;
    const name = await panel.getByRole('heading', { level: 2 }).innerText();
    const job = jobs.find((known) => known.name === name);
    if (job === undefined || decided.has(name)) throw new Error(`what is to be decided about ${name}?`);
    decided.add(name);
    if (job.kind === 'foreign') await press('Space');
    else {
      await expect.poll(() => positionOf(page, job)).toBeGreaterThanOrEqual(0);
      // The highlighted assignment is not always the first one, because closed assignments are skipped.
      const wanted = await positionOf(page, job);
      const highlighted = panel.getByRole('option', { selected: true });
      const at = await highlighted.evaluate((option) => [...(option.parentElement?.children ?? [])].indexOf(option));
      expect(wanted).toBeLessThan(9);
      await press(at === wanted ? 'Enter' : `Alt+${wanted + 1}`);
    }
    await expect(panel.getByRole('heading', { name, exact: true })).toBeHidden();
  }
};

test('takes 60 job folders to their assignments by keyboard alone, through failures, and asks nothing again in the second week', async ({
  desk,
  control,
  home,
  host,
}, info) => {
  const { page } = desk;
  const jobs = planJobs(JOB_PROTOCOLS);
  const clashing = jobs.filter(({ kind }) => kind === 'clear').slice(0, 3);
  const earlier = await writeJobs(join(home, 'Jobs 2025'), clashing, 'earlier');
  const root = join(home, 'Jobs 2026');
  const { truth } = await writeJobs(root, jobs, 'now');
  await signIn(desk);
  await prepare(page, join(home, 'Jobs 2025'));
  await start(page).click();
  await expect.poll(async () => (await control.objects()).length).toBe(6);

  await control.faults.add(...faults);
  await prepare(page, root);
  await expect(page.getByRole('tab', { name: 'All (60)' })).toBeVisible();
  const { keys, press } = countingKeys(page);
  await decideByKeys(page, jobs, press);
  // Nothing is undecided, so the table is shown without the panel.
  await expect(page.getByRole('complementary')).toBeHidden();
  await expect(page.getByRole('tab', { name: 'Problems (3)' })).toBeVisible();
  await press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'New upload' })).toBeHidden();

  const all = new Map([...earlier.truth, ...truth]);
  const stored = async () =>
    new Map((await control.objects()).map(({ sha256, AssignmentId }) => [sha256, AssignmentId]));
  await expect.poll(async () => (await stored()).size, { timeout: 120_000 }).toBe(all.size);
  expect(await stored()).toEqual(all);
  const { violations } = await control.stats();
  expect(Object.values(violations).filter((count) => count > 0)).toEqual([]);

  // The rest sends the same folder again. In the preview, the browser would send a copy of it: a new folder each time.
  if (host === 'preview') return;
  const decisions = jobs.filter(({ kind }) => kind === 'ambiguous' || kind === 'foreign').length;
  const arrows = keys.filter((key) => key.startsWith('Arrow')).length;
  const besides = 1 + keys.length - decisions - arrows;

  await control.faults.clear();
  // Some jobs have another photo, one has a new version of its protocol, and one contains a program.
  const signed = async () => (await control.stats()).routes['sign-upload'].requests;
  const signedBefore = await signed();
  const going = jobs.filter(({ kind }) => kind !== 'foreign').slice(0, 12);
  for (const { name } of going) await writeFile(join(root, name, 'photo 2.jpg'), `second week: ${name}`);
  const [one] = going;
  await writeFile(join(root, one?.name ?? '', 'setup.exe'), 'MZ');
  await openSection(page, 'Uploads');
  await dropFolder(page, page.getByRole('heading', { level: 1, name: 'Uploads' }), root);
  const tab = (name: string) => page.getByRole('tab', { name, exact: true });
  await expect(tab('New (12)')).toHaveAttribute('aria-selected', 'true');
  await expect(tab('Choose assignment (0)')).toBeVisible();
  await expect(tab('Left out (5)')).toBeVisible();
  const bar = page.getByRole('status').filter({ hasText: 'assignments' });
  await expect(bar).toContainText('12 folders, 12 new files');
  await expect(bar).toContainText('110 already sent');
  await expect(bar).toContainText('11 files left out');
  await expect(page.getByRole('row').filter({ hasText: one?.name ?? '' })).toContainText('1 new');
  await tab('Left out (5)').click();
  await expect(page.getByRole('row').filter({ hasText: 'Holiday photos' })).toContainText('You left this out on');
  await tab('New (12)').click();
  await start(page).click();
  await expect.poll(async () => (await control.objects()).length, { timeout: 60_000 }).toBe(all.size + 12);
  await expect.poll(signed).toBe(signedBefore + 12);
  await expect(page.getByRole('heading', { level: 1, name: 'New upload' })).toBeHidden();

  const steps = `two weeks of 60 folders: ${besides} steps besides ${decisions} decisions, then a drop and a click`;
  process.stdout.write(`${steps}\n`);
  await info.attach('steps', { body: steps });
  expect(besides).toBeLessThanOrEqual(12);
});

test('changes several folders at once, takes it back, and keeps what is undecided', async ({ desk, control, home }) => {
  const { page } = desk;
  const jobs = planJobs(JOB_PROTOCOLS);
  const chosen = [...jobs.slice(0, 3), ...jobs.filter(({ kind }) => kind === 'foreign')];
  const { truth } = await writeJobs(join(home, 'Jobs'), chosen, 'now');
  await signIn(desk);
  await prepare(page, join(home, 'Jobs'));
  const tab = (name: string) => page.getByRole('tab', { name, exact: true });
  await expect(tab('Choose assignment (5)')).toBeVisible();

  await page.keyboard.press('Shift+ArrowDown');
  await expect(page.getByRole('row', { selected: true })).toHaveCount(2);
  await page.keyboard.press('Space');
  await expect(tab('Left out (2)')).toBeVisible();
  await page.getByLabel('Assignment folders').selectOption({ index: 0 });
  await expect(tab('Left out (0)')).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(page.getByText('Undone: the last change')).toBeVisible();
  await expect(tab('Left out (2)')).toBeVisible();
  // The changes can be undone after a reload, because main remembers them.
  await page.reload();
  await expect(tab('Left out (2)')).toBeVisible();
  await page.keyboard.press('Control+z');
  const note = page.getByText('Undone: 2 folders left out');
  await expect(note).toBeVisible();
  // The note covers no rows.
  const [rows, at] = [await page.getByRole('grid', { name: 'Folders' }).boundingBox(), await note.boundingBox()];
  expect(at?.y).toBeGreaterThanOrEqual((rows?.y ?? 0) + (rows?.height ?? 0));
  await expect(tab('Left out (0)')).toBeVisible();

  await openSection(page, 'Uploads');
  await expect(page.getByText('5 folders need an assignment.').filter({ visible: true })).toBeVisible();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(tab('Choose assignment (5)')).toBeVisible();

  // One folder is dragged to the assignment of another folder. The decisions about all other folders stay as they are.
  const [target] = chosen;
  const row = page.getByRole('row').filter({ hasText: 'Holiday photos' });
  await row.click();
  await page.getByRole('combobox', { name: 'Search all assignments' }).fill(target?.name ?? '');
  await row.dragTo(page.getByRole('complementary').getByRole('option').first());
  await expect(tab('Choose assignment (4)')).toBeVisible();
  await expect(row).toContainText('Chosen by you');

  await tab('Matched (4)').click();
  await start(page).click();
  await expect.poll(async () => (await control.objects()).length).toBe(8);
  const stored = new Map((await control.objects()).map(({ sha256, AssignmentId }) => [sha256, AssignmentId]));
  for (const [sha256, AssignmentId] of truth) expect(stored.get(sha256)).toBe(AssignmentId);
  expect([...stored.values()].filter((id) => id === target?.assignment?.AssignmentId)).toHaveLength(4);
  await openSection(page, 'Uploads');
  await expect(page.getByText('4 folders need an assignment.').filter({ visible: true })).toBeVisible();
  // The navigation of every page reports the remaining folders. They are shown whatever filter was chosen before the
  // start.
  await expect(page.getByRole('button', { name: 'New upload 4 folders need an assignment' })).toBeVisible();
  await openSection(page, 'New upload');
  await expect(page.getByRole('tab', { name: 'All (4)', selected: true })).toBeVisible();
});

test('accepts the proposals of the selected folders, except where names fit several assignments; Enter decides right after a click; chooses the same for all folders like one, and saves receipts of the whole upload', async ({
  desk,
  control,
  home,
}) => {
  const { page, saveFile } = desk;
  const jobs = planJobs(JOB_PROTOCOLS);
  const ambiguous = jobs.filter(({ kind }) => kind === 'ambiguous').slice(0, 2);
  // Folders named after streets with one assignment. A match without a house number is only a proposal.
  const proposed = ['Fjellveien, Stavanger', 'Elveveien, Bergen'].map((name) => ({ name, kind: 'clear' }) as const);
  await writeJobs(join(home, 'Jobs'), [...ambiguous, ...proposed], 'now');
  await signIn(desk);
  await prepare(page, join(home, 'Jobs'));
  const tab = (name: string) => page.getByRole('tab', { name, exact: true });
  await expect(tab('Choose assignment (4)')).toBeVisible();
  const accept = page.getByRole('button', { name: 'Accept proposals' });
  await expect(accept).toHaveAttribute('aria-disabled', 'true');

  await page.keyboard.press('Control+a');
  await accept.click();
  await expect(
    page.getByText(
      '2 proposals accepted. 2 folders have no clear proposal. Press Enter on a folder to choose its assignment.',
    ),
  ).toBeVisible();
  await expect(tab('Choose assignment (2)')).toBeVisible();
  for (const { name } of proposed)
    await expect(page.getByRole('row').filter({ hasText: name })).toContainText('Chosen by you');

  await page.locator('[data-row="0"] input').focus();
  await page.keyboard.press('Control+z');
  await expect(tab('Choose assignment (4)')).toBeVisible();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+Enter');
  await expect(tab('Choose assignment (2)')).toBeVisible();

  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  const others = jobs.filter(({ kind }) => kind === 'ambiguous').slice(2, 5);
  await writeJobs(join(home, 'Others'), others, 'now');
  await prepare(page, join(home, 'Others'));
  await page.getByRole('tab', { name: 'Choose assignment (3)' }).click();
  const panel = page.getByRole('complementary');
  const rows = page.getByRole('row').filter({ has: page.getByRole('checkbox') });
  const title = panel.getByRole('heading', { level: 2 });
  /** Waits until the panel shows the next folder, as a user does. Keys that are pressed earlier are ignored. */
  const decided = async (name: string, left: number): Promise<void> => {
    await expect(page.getByRole('tab', { name: `Choose assignment (${left})` })).toBeVisible();
    await expect(panel.getByRole('heading', { name, exact: true })).toBeHidden();
  };
  const enter = async (left: number): Promise<void> => {
    await expect(panel.getByRole('option', { selected: true })).toBeVisible();
    const name = await title.innerText();
    await page.keyboard.press('Enter');
    await decided(name, left);
  };
  await rows.first().click();
  await enter(2);
  const second = await title.innerText();
  await panel.getByRole('option').first().click();
  await decided(second, 1);
  await enter(0);
  await expect(page.getByText('Every folder has an assignment or is left out')).toBeVisible();
  await expect(page.getByText('Next: start the upload.')).toBeVisible();
  await expect(start(page)).toBeFocused();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();

  const [clear] = jobs;
  const [several] = ambiguous;
  for (const part of ['North', 'South', 'West']) {
    await mkdir(join(home, 'Parts', part, several?.name ?? ''), { recursive: true });
    await writeFile(join(home, 'Parts', part, several?.name ?? '', `${part}.pdf`), part);
  }
  await mkdir(join(home, 'Parts', 'North', clear?.name ?? ''));
  await writeFile(join(home, 'Parts', 'North', clear?.name ?? '', 'clear.pdf'), 'clear');
  await prepare(page, join(home, 'Parts'));
  await expect(page.getByRole('tab', { name: 'Choose assignment (3)' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(panel.getByRole('checkbox', { name: 'Also for 2 more folders like this' })).toBeVisible();
  await panel.getByRole('option').first().waitFor();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('tab', { name: 'Choose assignment (0)' })).toBeVisible();
  await start(page).click();
  await expect(shown(page, '4 uploaded')).toBeVisible();
  const objects = await control.objects();
  expect(new Set(objects.map(({ AssignmentId }) => AssignmentId)).size).toBe(2);

  const menu = page.getByRole('button', { name: 'Save receipt' });
  await menu.click();
  const whole = await saveFile(() => page.getByRole('menuitem', { name: 'CSV' }).click(), join(home, 'whole.csv'));
  for (const { sha256 } of objects) expect(whole).toContain(sha256);
  await menu.click();
  await page.getByRole('menuitemcheckbox', { name: 'One file for each assignment' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Save beside the folder' }).click();
  await page.getByRole('menuitem', { name: 'CSV' }).click();
  await expect(page.getByRole('button', { name: 'Open receipts' })).toBeVisible();
  const written = (await readdir(home, { recursive: true })).filter((path) => /receipt.*\.csv$/.test(path));
  expect(written).toHaveLength(2);
  const texts = await Promise.all(written.map((path) => readFile(join(home, path), 'utf8')));
  for (const { sha256 } of objects) expect(texts.filter((text) => text.includes(sha256))).toHaveLength(1);

  // The chosen assignment is stored as a matching rule, whose assignment can be changed.
  await openSection(page, 'Settings');
  await page
    .getByRole('button', { name: `Change the assignment for ${several?.name}` })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Search for an assignment' }).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.type(clear?.name ?? '');
  await page
    .getByRole('listbox')
    .getByRole('option', { name: clear?.name ?? '' })
    .first()
    .click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('table', { name: 'Matching rules' })).toContainText(clear?.name.split(',')[0] ?? '');
});

test('starts an upload later, says when, and sends it when a person resumes it; at 400 % zoom folders are decided and uploaded, and the navigation is a button away', async ({
  desk,
  control,
  home,
}) => {
  const { page } = desk;
  await makeFolder(join(home, 'Documents'), 3);
  await signIn(desk);
  await openAssignment(page);
  await desk.chooseFolder(() => page.getByRole('button', { name: 'Choose folder' }).click(), join(home, 'Documents'));
  // Without a warning, the status is the last thing that the row says about the assignment.
  await expect(page.getByRole('grid', { name: 'Folders' }).locator('[data-row="0"]')).toContainText('· Pending');
  await expect(page.getByRole('button', { name: 'Start upload' })).toBeEnabled();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.getByRole('button', { name: 'Starts now' }).click();
  await page.getByRole('combobox', { name: 'Start' }).selectOption('At a set time');
  await page.getByLabel('Start date and time').fill('2099-03-01T18:00');
  await page.getByLabel('Receipt at the end of an upload').selectOption('CSV');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: /^Starts Mar 1, 2099, 6:00\sPM · Receipt: CSV$/ })).toBeFocused();
  await page.getByRole('button', { name: 'Schedule upload' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Documents' })).toBeVisible();
  await expect(shown(page, 'Scheduled')).toBeVisible();
  await expect(shown(page, /^Starts Mar 1, 2099, 6:00\sPM\./)).toBeVisible();
  await expect(shown(page, 'The folder is scanned when the upload starts.')).toBeVisible();
  expect(await control.objects()).toEqual([]);
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(shown(page, '3 uploaded')).toBeVisible();
  await expect.poll(async () => (await readdir(home)).filter((name) => /receipt.*\.csv$/.test(name))).toHaveLength(1);
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByRole('heading', { name: 'Upload documents' })).toBeVisible();

  const [job] = planJobs(JOB_PROTOCOLS).filter(({ kind }) => kind === 'ambiguous');
  if (job === undefined) throw new Error('there is no such job');
  await writeJobs(join(home, 'Jobs'), [job], 'now');
  await prepare(page, join(home, 'Jobs'));
  // The space that a window of 1,280 × 800 pixels has at 400 % zoom.
  await page.setViewportSize({ width: 320, height: 200 });
  await page.getByRole('row').filter({ hasText: job.name }).click();
  const panel = page.getByRole('complementary');
  const option = panel.getByRole('option', { selected: true });
  await option.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await panel.boundingBox()) ?? { x: -1, y: -1, width: 0, height: 0 };
  expect([x, y, width, height]).toEqual([0, 0, 320, 200]);
  await panel.getByRole('combobox', { name: 'Search all assignments' }).press('Enter');
  await expect(panel).toBeHidden();
  await start(page).click();
  // The page of the upload opens once main has responded, and closes an open navigation.
  await expect(page.getByRole('heading', { level: 1, name: 'New upload' })).toBeHidden();
  await expect.poll(async () => (await control.objects()).length).toBe(5);

  const menu = page.getByRole('button', { name: 'Main' });
  await menu.click();
  const uploads = page.getByRole('navigation').getByRole('button', { name: 'Uploads' });
  await expect(uploads).toBeInViewport();
  await page.keyboard.press('Escape');
  await expect(uploads).toBeHidden();
  await expect(menu).toBeFocused();
  await page.keyboard.press('Enter');
  await uploads.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Uploads' })).toBeVisible();
  await expect(uploads).toBeHidden();
});

test('replaces, renames or skips each file whose name is taken, and takes in what is left out, as a person chooses', async ({
  desk,
  control,
  home,
}) => {
  const { page } = desk;
  const [job] = planJobs(JOB_PROTOCOLS);
  const name = job?.name ?? '';
  const write = async (tree: string, edition: string): Promise<void> => {
    await mkdir(join(home, tree, name), { recursive: true });
    for (const file of ['a.pdf', 'b.pdf', 'c.pdf']) await writeFile(join(home, tree, name, file), `${edition} ${file}`);
  };
  await write('Jobs 2025', 'earlier');
  await write('Jobs 2026', 'new');
  await writeFile(join(home, 'Jobs 2026', name, 'scan.pdf.part'), 'a download that has not ended');
  await writeFile(join(home, 'Jobs 2026', name, 'setup.exe'), 'a program');
  await signIn(desk);
  await prepare(page, join(home, 'Jobs 2025'));
  await start(page).click();
  await expect.poll(async () => (await control.objects()).length).toBe(3);

  await prepare(page, join(home, 'Jobs 2026'));
  await expect(page.getByRole('tab', { name: 'Problems (1)' })).toBeVisible();
  await page.keyboard.press('Enter');
  const panel = page.getByRole('complementary');
  const choice = (file: string) => panel.getByRole('combobox', { name: `What to do with ${file}` });
  await panel.getByRole('combobox', { name: 'For all of them' }).selectOption('Replace the earlier file');
  await expect(choice('b.pdf')).toHaveValue('replace');
  await choice('b.pdf').selectOption('Skip the new file');
  await expect(choice('b.pdf')).toHaveValue('skip');
  await choice('c.pdf').selectOption('Rename the new file');
  await expect(panel.getByRole('combobox', { name: 'For all of them' })).toHaveValue('');

  // Includes the files that are left out by default: all of them with the button, and single ones with their
  // checkboxes.
  await panel.getByRole('tab', { name: /^Files/ }).click();
  const box = (file: string) => panel.getByRole('checkbox', { name: `Upload ${file}` });
  await expect(box('scan.pdf.part')).not.toBeChecked();
  await panel.getByRole('button', { name: 'Include all 2 left-out files' }).click();
  await expect(box('scan.pdf.part')).toBeChecked();
  await box('setup.exe').focus();
  await page.keyboard.press('Space');
  await expect(box('setup.exe')).not.toBeChecked();
  await start(page).click();
  const sha = (text: string) => createHash('sha256').update(text).digest('hex');
  const stored = async () =>
    (await control.objects())
      .map(({ FileName, sha256 }) => [FileName, sha256])
      .sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
  // Compares contents, too: the names are the same before a replacement has arrived, and before the replaced file is
  // removed.
  await expect.poll(stored).toEqual([
    ['a.pdf', sha('new a.pdf')],
    ['b.pdf', sha('earlier b.pdf')],
    ['c (2).pdf', sha('new c.pdf')],
    ['c.pdf', sha('earlier c.pdf')],
    ['scan.pdf.part', sha('a download that has not ended')],
  ]);
});
