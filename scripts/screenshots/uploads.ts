/** Takes the screenshots of uploads, of their failures, and of work without a network. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FaultRule } from '../../src/sandbox/faults/fault-plan.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { createSandboxControl } from '../../src/sandbox/testing/control-client.ts';
import type { Driver } from '../../tests/e2e/support/driver.ts';
import { planJobs, writeJobs } from '../../tests/e2e/support/job-folders.ts';
import {
  askToRemoveFile,
  openAssignment,
  openSection,
  shown,
  signIn,
  startUpload,
} from '../../tests/e2e/support/steps.ts';
import type { Camera } from './camera.ts';
import { writeInspection } from './folder.ts';
import { expect } from './patient.ts';

/** Half of the files take long, so that the upload is still in progress when its picture is taken. */
const slowly: readonly FaultRule[] = [
  { match: { route: 'storage-put' }, when: { after: 150 }, effect: { type: 'delay', delayMs: 10_000 } },
  { match: { route: 'storage-put' }, effect: { type: 'delay', delayMs: 200 } },
];
const failing: readonly FaultRule[] = [
  { match: { route: 'storage-put', contains: 'Photo' }, when: { count: 9 }, effect: { type: 'status', status: 413 } },
  { match: { route: 'sign-upload', contains: 'Report' }, when: { count: 4 }, effect: { type: 'status', status: 403 } },
];

/**
 * Takes the screenshots of an assignment, of the review of its files, of an upload in progress, of the result of its
 * verification, of an upload with failures, and of the pages Uploads, Watched folders and Files.
 */
export const pictureUploads = async (
  desk: Driver,
  { page, take }: Camera,
  { sandbox, folder }: { readonly sandbox: Sandbox; readonly folder: string },
): Promise<void> => {
  const { faults } = createSandboxControl(sandbox);
  const choose = (name: string): Promise<void> =>
    desk.chooseFolder(() => page.getByRole('button', { name: 'Choose folder' }).click(), join(folder, name));
  await writeInspection(join(folder, 'Harbour Road 12'), 300);
  await writeInspection(join(folder, 'Harbour Road 14'), 120);
  await signIn(desk);
  await openAssignment(page);
  await take('assignment');

  await choose('Harbour Road 12');
  await expect(shown(page, /^1 folder, 300 files, .+ to 1 assignment$/)).toBeVisible();
  await take('upload-preview');
  await faults.add(...slowly);
  await startUpload(page);
  await expect(page.getByText(/\b1[2-9]\d of 300 files/).filter({ visible: true })).toBeVisible();
  await take('upload');
  await faults.clear();
  await expect(shown(page, '300 uploaded')).toBeVisible();
  await rm(join(folder, 'Harbour Road 12', 'Roof', 'Photo 002.jpg'));
  await writeFile(join(folder, 'Harbour Road 12', 'Stairwell', 'Report 004.docx'), 'Changed');
  await page.getByRole('button', { name: 'Verify files' }).click();
  await page.getByRole('table', { name: 'Files that differ' }).waitFor();
  await take('verify-files');
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Back' }).click();

  await faults.add(...failing);
  await choose('Harbour Road 14');
  await startUpload(page);
  await expect(page.getByText(/^\d+ uploaded, 13 failed/).filter({ visible: true })).toBeVisible();
  await faults.clear();
  await page.getByRole('tab', { name: /^Failed/ }).click();
  await page.getByRole('list', { name: 'Why files weren’t uploaded' }).waitFor();
  await take('upload-failed');
  await openSection(page, 'Uploads');
  await take('uploads');
  await page.getByRole('button', { name: 'Watched folders' }).click();
  await page.getByRole('heading', { level: 1, name: 'Watched folders' }).waitFor();
  await take('watched-folders');
  await openSection(page, 'Files');
  await page.locator('[data-row="0"]').filter({ visible: true }).waitFor();
  await take('files');
};

/** Takes the screenshots of the review of a tree of job folders, with one folder in the panel. */
export const pictureNewUpload = async (desk: Driver, { page, take }: Camera, folder: string): Promise<void> => {
  await writeJobs(join(folder, 'Jobs 2026'), planJobs(), 'now');
  await openSection(page, 'New upload');
  await desk.chooseFolder(() => page.getByRole('button', { name: 'Choose folder' }).click(), join(folder, 'Jobs 2026'));
  await expect(page.locator('[data-row="0"] input').filter({ visible: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.getByRole('complementary').getByRole('option').first().waitFor();
  await take('new-upload');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Starts now' }).click();
  await page.getByLabel('Start', { exact: true }).selectOption('At a set time');
  await take('new-upload-later');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard upload' }).click();
};

/**
 * Takes the screenshots of a pending change, of the question before a file is removed, and of a list from the offline
 * data.
 */
export const pictureOffline = async ({ page, take }: Camera, sandbox: Sandbox): Promise<void> => {
  const control = createSandboxControl(sandbox);
  await openSection(page, 'Protocols');
  await openAssignment(page);
  await page.getByRole('region', { name: 'Files on this assignment' }).scrollIntoViewIfNeeded();
  await askToRemoveFile(page);
  await take('remove-file');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();

  await control.faults.add({ match: { route: 'any' }, effect: { type: 'reset', at: 'before-body' } });
  const planAfter = page.getByRole('region', { name: 'Plan after' });
  await planAfter.getByLabel('Date and time').fill('2027-03-01T08:00');
  await planAfter.getByRole('button', { name: 'Save date' }).click();
  await planAfter.getByRole('button', { name: 'Discard change' }).waitFor();
  await planAfter.scrollIntoViewIfNeeded();
  await take('plan-after-waiting');

  await openSection(page, 'Protocols');
  await page.getByRole('button', { name: 'Refresh' }).filter({ visible: true }).click();
  await shown(page, /Offline data, updated /)
    .first()
    .waitFor();
  await take('offline');
};
