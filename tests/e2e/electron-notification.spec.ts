import { join } from 'node:path';
import type { ElectronDriver } from './support/electron-driver.ts';
import { makeFolder } from './support/make-folder.ts';
import { clickLast, notifications, playNotifications } from './support/notifications.ts';
import { openAssignment, openSection, shown, signIn, uploadFolder } from './support/steps.ts';
import { expect, test } from './support/test.ts';

test('names the folder and the assignment, and a click brings the window to the upload, or a new one where it was closed', async ({
  desk,
  home,
}) => {
  const electron = desk as ElectronDriver;
  const { page, app } = electron;
  await makeFolder(join(home, 'Documents'), 3);
  await playNotifications(electron);
  await signIn(desk);
  await openAssignment(page);
  const address = (await page.getByRole('heading', { level: 1 }).innerText()).trim();
  await uploadFolder(desk, join(home, 'Documents'));
  await expect(shown(page, '3 uploaded')).toBeVisible();
  await openSection(page, 'Settings');
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
  await expect.poll(() => notifications(electron)).toHaveLength(1);
  const [said] = await notifications(electron);
  expect(said).toContain('Upload finished: Documents: 3 of 3 files uploaded to ');
  expect(said).toContain(address);

  await clickLast(electron);
  await expect(page.getByRole('heading', { level: 1, name: 'Documents' })).toBeVisible();
  const isVisible = () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible());
  await expect.poll(isVisible).toBe(true);

  await openSection(page, 'Protocols');
  await openAssignment(page);
  await makeFolder(join(home, 'More documents'), 3);
  await uploadFolder(desk, join(home, 'More documents'));
  await expect.poll(() => notifications(electron)).toHaveLength(2);
  // Makes the app outlive its windows, as on macOS.
  await app.evaluate(({ app: electronApp, BrowserWindow }) => {
    electronApp.removeAllListeners('window-all-closed');
    electronApp.on('window-all-closed', () => {});
    BrowserWindow.getAllWindows()[0]?.close();
  });
  await expect.poll(() => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(0);
  const opens = app.waitForEvent('window');
  await clickLast(electron);
  const again = await opens;
  await expect(again.getByRole('heading', { level: 1, name: 'More documents' })).toBeVisible();
});
