/** The app without its window, and what it asks before it continues in the background or quits. */
import { execFile } from 'node:child_process';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { _electron } from '@playwright/test';
import { findElectron } from '../../scripts/electron-binary.mjs';
import type { SandboxControl } from '../../src/sandbox/testing/control-client.ts';
import type { Driver } from './support/driver.ts';
import type { ElectronDriver } from './support/electron-driver.ts';
import { makeFolder } from './support/make-folder.ts';
import { clickLast, notifications, playNotifications } from './support/notifications.ts';
import { openAssignment, openSection, pressUntil, shown, signIn } from './support/steps.ts';
import { expect, test } from './support/test.ts';

test.describe.configure({ mode: 'parallel' });

const trayHost = fileURLToPath(new URL('support/tray-host', import.meta.url));

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Answers every message box with the button `response` (0 agrees), and records the messages. */
const answerBoxes = ({ app }: ElectronDriver, response: number): Promise<void> =>
  app.evaluate(({ dialog }, answer) => {
    const said: string[] = [];
    Object.assign(globalThis, { said });
    dialog.showMessageBox = async (...args: readonly unknown[]) => {
      said.push((args.at(-1) as Electron.MessageBoxOptions).message);
      return { response: answer, checkboxChecked: false };
    };
  }, response);
const said = ({ app }: ElectronDriver): Promise<readonly string[]> =>
  app.evaluate(() => (globalThis as unknown as { said: readonly string[] }).said);

const closeWindow = ({ app }: ElectronDriver): Promise<void> =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
const windows = ({ app }: ElectronDriver): Promise<number> =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);

/** More files than are sent at once, so that some remain during a pause. */
const FILES = 120;

/**
 * From the page of the protocols, starts an upload that stops after some files until the faults are released. Resolves
 * to the address of the assignment.
 */
const beginUpload = async (desk: Driver, control: SandboxControl, folder: string): Promise<string> => {
  await makeFolder(folder, FILES);
  await control.faults.add({
    match: { route: 'storage-put' },
    when: { after: 2 },
    effect: { type: 'delay', delayMs: 600_000 },
  });
  await openAssignment(desk.page);
  const address = await desk.page.getByRole('heading', { level: 1 }).filter({ visible: true }).innerText();
  await desk.chooseFolder(() => desk.page.getByRole('button', { name: 'Choose folder' }).click(), folder);
  // The button is disabled again for a moment once the names turn out to be taken by the first upload.
  const start = desk.page.getByRole('button', { name: 'Start upload' });
  await pressUntil(start, desk.page.getByRole('heading', { level: 1, name: basename(folder) }));
  await expect(shown(desk.page, 'In progress').first()).toBeVisible();
  return address.trim();
};

test.describe('on a desktop with a tray', () => {
  test.use({ env: { PATH: `${trayHost}:${process.env.PATH}` } });

  test('is paused and resumed from the tray, whose menu is in the chosen language, goes on when its window is closed, and a notification of the end leads to the upload, in a new window where there is none', async ({
    launch,
    control,
    home,
  }) => {
    const desk = (await launch()) as ElectronDriver;
    const { app, page } = desk;
    await app.evaluate(({ Tray }) => {
      const { setContextMenu } = Tray.prototype;
      Tray.prototype.setContextMenu = function keep(this: Electron.Tray, menu) {
        Object.assign(globalThis, { menu });
        setContextMenu.call(this, menu);
      };
    });
    const menu = () =>
      app.evaluate(() =>
        (globalThis as unknown as { menu?: Electron.Menu }).menu?.items.map(({ label }) => label).filter(Boolean),
      );
    const click = (id: string) =>
      app.evaluate(
        (_, item) => (globalThis as unknown as { menu: Electron.Menu }).menu.getMenuItemById(item)?.click(),
        id,
      );
    await signIn(desk);
    const address = await beginUpload(desk, control, join(home, 'Documents'));
    await expect
      .poll(menu)
      .toEqual([
        expect.stringMatching(/^1 upload in progress, \d+%$/),
        'Open Inspection Desk',
        'Pause Uploads',
        'Quit Inspection Desk',
      ]);
    await click('pause');
    await control.faults.release();
    await expect(shown(page, 'Paused').first()).toBeVisible();
    await expect
      .poll(menu)
      .toEqual(['1 upload paused', 'Open Inspection Desk', 'Resume Uploads', 'Quit Inspection Desk']);
    const speak = (language: string) =>
      page.evaluate((to) => Reflect.get(window, 'inspectionDesk').calls.preferences.set({ language: to }), language);
    await speak('de');
    await expect.poll(menu).toContain('Inspection Desk öffnen');
    await speak('en');
    await expect.poll(menu).toContain('Open Inspection Desk');
    await playNotifications(desk);
    await openSection(page, 'Settings');
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
    await click('resume');
    // Counts only the announcements of the end, because the pause may be announced, too.
    const finished = async () => (await notifications(desk)).filter((text) => text.startsWith('Upload finished: '));
    const text = `Upload finished: Documents: ${FILES} of ${FILES} files uploaded to `;
    await expect.poll(finished).toEqual([expect.stringContaining(text)]);
    expect((await finished())[0]).toContain(address);
    await clickLast(desk);
    await expect(page.getByRole('heading', { level: 1, name: 'Documents' })).toBeVisible();
    const isVisible = () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible());
    await expect.poll(isVisible).toBe(true);

    await openSection(page, 'Protocols');
    await beginUpload(desk, control, join(home, 'More documents'));
    await answerBoxes(desk, 0);
    await closeWindow(desk);
    // While the window closes, `evaluate` may fail.
    await expect(async () => expect(await windows(desk)).toBe(0)).toPass();
    expect(await said(desk)).toEqual(['Uploads continue in the background']);
    await control.faults.release();
    const next = 'Upload finished: More documents: ';
    await expect.poll(finished).toEqual([expect.anything(), expect.stringContaining(next)]);
    expect(await control.objects()).toHaveLength(2 * FILES);

    const opens = app.waitForEvent('window');
    await clickLast(desk);
    await expect((await opens).getByRole('heading', { level: 1, name: 'More documents' })).toBeVisible();
    const ends = app.waitForEvent('close');
    await closeWindow(desk).catch(() => {});
    await ends;
  });

  test('starts without its window, which another start opens', async ({ home }) => {
    const executablePath = findElectron()?.path ?? '';
    const args = ['--no-sandbox', root, '--home', home];
    const env = { ...process.env, PATH: `${trayHost}:${process.env.PATH}`, INSPECTION_DESK_TOKEN_STORE: 'memory' };
    const app = await _electron.launch({ executablePath, args: [...args, '--hidden'], env });
    // While Electron starts, `evaluate` may fail, and the app does not listen for another start yet.
    await expect(async () => {
      expect(await app.evaluate(({ app: electronApp }) => electronApp.listenerCount('activate'))).toBe(1);
    }).toPass();
    expect(app.windows()).toHaveLength(0);
    const opens = app.waitForEvent('window');
    await promisify(execFile)(executablePath, args, { env });
    await expect((await opens).getByRole('heading', { level: 1 })).toBeVisible();
    await app.close();
  });
});

test('asks before it quits during an upload, and before its window closes if uploads are not to go on', async ({
  launch,
  control,
  home,
}) => {
  const desk = (await launch()) as ElectronDriver;
  const { app, page } = desk;
  await signIn(desk);
  await beginUpload(desk, control, join(home, 'Documents'));
  // On other systems, the tray or the dock always shows that the app runs.
  if (process.platform === 'linux')
    await test.step('is minimised where nothing else would show that it runs', async () => {
      await app.evaluate(({ BrowserWindow }) => {
        // Without a window manager, a window cannot be minimised, so the test records the call.
        BrowserWindow.prototype.minimize = () => void Object.assign(globalThis, { isMinimised: true });
      });
      await answerBoxes(desk, 0);
      await closeWindow(desk);
      await expect.poll(() => app.evaluate(() => 'isMinimised' in globalThis)).toBe(true);
      expect(await windows(desk)).toBe(1);
    });
  await answerBoxes(desk, 1);
  await app.evaluate(({ app: electronApp }) => electronApp.quit());
  await expect.poll(() => said(desk)).toEqual(['Quit Inspection Desk?']);
  await openSection(page, 'Settings');
  await page.getByRole('switch', { name: 'Keep uploading when the window is closed' }).uncheck();
  await closeWindow(desk);
  await expect.poll(() => said(desk)).toHaveLength(2);
  expect(await windows(desk)).toBe(1);

  await answerBoxes(desk, 0);
  const ends = app.waitForEvent('close');
  await closeWindow(desk);
  await ends;
});
