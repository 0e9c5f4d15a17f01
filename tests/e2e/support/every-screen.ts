/** Walks over all screens of the app. Brings each into a state that shows as much as possible, and calls `look`. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SandboxControl } from '../../../src/sandbox/testing/control-client.ts';
import type { Driver } from './driver.ts';
import { dropFolder } from './drop-folder.ts';
import { planJobs, writeJobs } from './job-folders.ts';
import { makeFolder } from './make-folder.ts';
import { askToRemoveFile, firstRow, openAssignment, openSection, shown, signIn, startUpload } from './steps.ts';
import { expect } from './test.ts';

/**
 * Checks what the window shows now. `name`: the name of the screen. `only`: the only check to make, if another screen
 * includes the other check.
 */
export type Look = (name: string, only?: 'layout' | 'barriers') => Promise<void>;

/** Walks from the sign-in to the doctor: the screens for reading, searching and settings. */
export const walkReading = async (desk: Driver, look: Look): Promise<void> => {
  const { page } = desk;
  await look('sign-in');
  await signIn(desk);
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await look('protocols');
  await page.getByRole('button', { name: 'Choose a date' }).first().click();
  await page.getByRole('dialog').getByRole('grid').waitFor();
  await look('calendar', 'barriers');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Table options/ }).click();
  await page.getByRole('checkbox', { name: 'City' }).waitFor();
  await look('columns');
  await page.keyboard.press('Escape');
  await firstRow(page, 'Protocols').click();
  await page.getByRole('region', { name: 'Inspection points' }).getByRole('listitem').nth(1).waitFor();
  await look('protocol', 'layout');
  await page.getByRole('region', { name: 'Inspection points' }).getByRole('listitem').nth(1).click();
  await page.getByRole('button', { name: 'Close details' }).waitFor();
  await look('inspection point');
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('s');
  await page.getByRole('option').first().waitFor();
  await look('search');
  await page.getByRole('option', { name: /^Show all \d+ results$/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Search results' }).waitFor();
  await look('search results');
  await openSection(page, 'Overview');
  await look('overview');
  await openSection(page, 'Assignments');
  await firstRow(page, 'Assignments').waitFor();
  await look('assignments');
  await openSection(page, 'Inspections to order');
  await firstRow(page, 'Inspections to order').waitFor();
  await look('orderable events');
  await openSection(page, 'Settings');
  await look('settings');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await look('shortcuts');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Licences' }).click();
  await page.getByRole('searchbox', { name: 'Search packages' }).fill('react-dom');
  await page.getByText('react-dom', { exact: true }).click();
  await look('licences');
  await openSection(page, 'Help');
  await look('help', 'barriers');
  await page.getByRole('button', { name: 'Troubleshoot', exact: true }).click();
  await page.getByRole('list').filter({ hasText: 'free space' }).waitFor();
  await look('doctor', 'layout');
};

/** Walks from the choice of a folder to the list of uploads, and over the changes of an assignment. */
export const walkUploading = async (
  desk: Driver,
  { control, home }: { readonly control: SandboxControl; readonly home: string },
  look: Look,
): Promise<void> => {
  const { page, chooseFolder } = desk;
  const folder = join(home, 'Documents of the inspection on the third floor');
  await makeFolder(folder, 40);
  await control.faults.add(
    { match: { route: 'storage-put', contains: 'photo' }, effect: { type: 'status', status: 413 } },
    { match: { route: 'sign-upload', contains: 'rapport' }, effect: { type: 'status', status: 403 } },
    { match: { route: 'update-plan-after' }, effect: { type: 'status', status: 422 } },
  );
  await signIn(desk);
  await openAssignment(page);
  await look('assignment', 'layout');
  await chooseFolder(() => page.getByRole('button', { name: 'Choose folder' }).click(), folder);
  const dialog = page.getByRole('dialog');
  await page.getByLabel('File names').selectOption('Folder and name');
  const names = page.getByRole('button', { name: 'Show new names' });
  await names.waitFor();
  await look('new upload to one assignment');
  await names.click();
  await dialog.locator('[data-row="0"]').waitFor();
  await look('new names');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await startUpload(page);
  await expect(shown(page, '24 uploaded, 16 failed')).toBeVisible();
  await look('upload');
  await page.getByRole('tab', { name: 'Failed (16)' }).click();
  await page.getByRole('list', { name: 'Why files weren’t uploaded' }).waitFor();
  await firstRow(page, 'Files')
    .or(page.getByRole('grid', { name: 'Files' }).locator('[data-row="0"]'))
    .first()
    .waitFor();
  await look('failed files');
  await page.getByRole('button', { name: 'Verify files' }).click();
  await dialog.getByText(/ unchanged\./).waitFor();
  await look('verified files');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await openSection(page, 'Uploads');
  await look('uploads');
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByLabel('Date and time').fill('2027-03-01T08:00');
  await page.getByRole('button', { name: 'Save date' }).click();
  await page.getByRole('alert').waitFor();
  await look('assignment with files');
  await askToRemoveFile(page);
  await look('question');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
};

/** Walks over a new upload of several folders: before the choice, during the review, and with a folder in the panel. */
export const walkNewUpload = async (
  { page, chooseFolder }: Driver,
  { home }: { readonly home: string },
  look: Look,
): Promise<void> => {
  const root = join(home, 'Documents of all inspections in autumn 2026');
  const jobs = planJobs();
  const clear = jobs.slice(0, 3);
  await writeJobs(root, [...clear, ...jobs.filter(({ kind }) => kind !== 'clear').slice(-8)], 'now');
  const first = join(root, clear[0]?.name ?? '');
  // The review leaves out a program, and reports two files with the same name.
  await writeFile(join(first, 'setup.exe'), '');
  await mkdir(join(first, 'Again'));
  await writeFile(join(first, 'Again', 'photo 1.jpg'), 'another photo');
  await openSection(page, 'New upload');
  await look('new upload');
  await chooseFolder(() => page.getByRole('button', { name: 'Choose folder' }).click(), root);
  await page.getByRole('tab', { name: 'Problems (1)' }).waitFor();
  await look('new upload under review');
  await page.getByRole('button', { name: 'Starts now' }).click();
  await page.getByRole('combobox', { name: 'Start' }).waitFor();
  await look('start and receipt of a new upload');
  await page.keyboard.press('Escape');
  await page.getByRole('grid', { name: 'Folders' }).locator('[data-row="0"] input').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('complementary').getByRole('option').first().waitFor();
  await look('folder of a new upload');
  await page.getByRole('tab', { name: /^Files/ }).click();
  await page.getByRole('region', { name: 'Files' }).getByRole('row').first().waitFor();
  await look('files of a folder');
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Problems (1)' }).click();
  await page.getByRole('grid', { name: 'Folders' }).locator('[data-row="0"] input').press('Enter');
  await page.getByRole('list', { name: 'Before you upload' }).waitFor();
  await look('folder with problems');
  await page.keyboard.press('Escape');
  await page.getByLabel('Upload to').selectOption('One assignment for all');
  await page.getByRole('combobox', { name: 'Search for an assignment' }).click();
  await page.keyboard.type('road');
  await page.getByRole('listbox').getByRole('option', { name: /road/i }).first().waitFor();
  await look('search for the assignment of everything');
  await page.keyboard.press('Escape');
  await page.getByLabel('Upload to').selectOption('One assignment per folder');
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('alertdialog').waitFor();
  await look('question before a new upload is discarded');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep', exact: true }).click();
};

/** Walks over an upload of several folders, and the search for its files. */
export const walkFiles = async (
  { page, chooseFolder }: Driver,
  { control, home }: { readonly control: SandboxControl; readonly home: string },
  look: Look,
): Promise<void> => {
  const root = join(home, 'Documents of three inspections in autumn 2026');
  await writeJobs(root, planJobs().slice(0, 3), 'now');
  await openSection(page, 'Files');
  await shown(page, 'No files yet.').waitFor();
  await look('files before the first upload');
  await control.faults.add({
    match: { route: 'storage-put', contains: 'protocol' },
    when: { count: 1 },
    effect: { type: 'status', status: 413 },
  });
  await openSection(page, 'New upload');
  await chooseFolder(() => page.getByRole('button', { name: 'Choose folder' }).click(), root);
  await page.getByRole('button', { name: 'Start upload' }).click();
  await shown(page, '5 uploaded, 1 failed').waitFor();
  await look('upload of several folders');
  await openSection(page, 'Uploads');
  await look('uploads of several folders');
  await openSection(page, 'Files');
  await shown(page, '6 files').waitFor();
  await look('files');
  const search = page.getByRole('searchbox', { name: 'Search files' });
  await dropFolder(page, search, join(root, planJobs()[0]?.name ?? '', 'photo 1.jpg'));
  await shown(page, '“photo 1.jpg” was uploaded.').waitFor();
  await look('dropped file');
  await search.fill('nothing like this');
  await shown(page, 'No files match.').waitFor();
  await look('files that nothing matches');
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox').fill('photo');
  await dialog.getByRole('group', { name: 'Files' }).getByRole('option').first().waitFor();
  await look('files in the search');
  await page.keyboard.press('Escape');
  const later = join(home, 'Documents of one inspection in winter 2026');
  await writeJobs(later, planJobs().slice(3, 4), 'now');
  await openSection(page, 'New upload');
  await chooseFolder(() => page.getByRole('button', { name: 'Choose folder' }).click(), later);
  await page.getByRole('button', { name: 'Start upload' }).click();
  await shown(page, '2 uploaded').waitFor();
  await openSection(page, 'Uploads');
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('combobox', { name: 'Started' }).waitFor();
  await look('filters of uploads');
  await page.getByRole('button', { name: 'Save report' }).click();
  await page.getByRole('dialog', { name: 'Upload report' }).waitFor();
  await look('report over a period');
  await page.keyboard.press('Escape');
};

/** Walks over watched folders: without any, while one is added, and with two. */
export const walkWatchedFolders = async (
  { page, chooseFolder }: Driver,
  { home }: { readonly home: string },
  look: Look,
): Promise<void> => {
  const scans = join(home, 'Scans of the office on the second floor');
  const photos = join(home, 'Photos');
  await makeFolder(join(scans, 'Blue house'), 3);
  await mkdir(photos);
  // Reads an assignment, because the search finds only what the app has read.
  await openAssignment(page);
  const address = await page.getByRole('heading', { level: 1 }).filter({ visible: true }).innerText();
  const watch = (folder: string): Promise<void> =>
    chooseFolder(() => page.getByRole('button', { name: 'Watch a folder…' }).click(), folder);
  await openSection(page, 'Uploads');
  await page.getByRole('button', { name: 'Watched folders' }).click();
  await shown(page, 'No folders are watched.').waitFor();
  await look('watched folders before the first');
  await watch(scans);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('checkbox', { name: 'Also upload the files that are in the folder now' }).check();
  await dialog.getByRole('button', { name: 'Watch', exact: true }).click();
  await shown(page, /needs? an assignment\.$/).waitFor();
  await watch(photos);
  await dialog.getByRole('radio', { name: 'All files to one assignment' }).check();
  await dialog
    .getByRole('combobox', { name: 'When files are uploaded' })
    .selectOption('Monday to Friday between two times');
  await dialog.getByRole('combobox', { name: 'Search for an assignment' }).click();
  await page.keyboard.type(address.trim());
  await page.getByRole('listbox').getByRole('option').first().waitFor();
  await page.getByRole('listbox').getByRole('option').first().click();
  await look('rules of a watched folder');
  await dialog.getByRole('button', { name: 'Watch', exact: true }).click();
  const list = page.getByRole('list', { name: 'Watched folders' });
  await list.getByRole('heading', { name: 'Photos' }).waitFor();
  await look('watched folders');
  await list.getByRole('button', { name: 'Stop watching: Photos' }).click();
  await page.getByRole('alertdialog').waitFor();
  await look('question before a folder is no longer watched');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  await openSection(page, 'Overview');
  await look('overview with watched folders');
};

/** Walks over the first start, up to the form for a service. Needs an app without a connection. */
export const walkFirstStart = async ({ page }: Driver, look: Look): Promise<void> => {
  await look('welcome');
  await page.getByRole('button', { name: 'Connect to a service' }).click();
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.getByText('Advanced', { exact: true }).click();
  await look('connection');
};
