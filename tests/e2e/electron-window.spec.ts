import type { ElectronDriver } from './support/electron-driver.ts';
import { expect, test } from './support/test.ts';

test('opens with its last place and size', async ({ launch }) => {
  const first = (await launch()) as ElectronDriver;
  await first.app.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()[0]?.setBounds({ x: 40, y: 60, width: 900, height: 640 });
  });
  const bounds = ({ app }: ElectronDriver) =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds());
  await expect.poll(() => bounds(first)).toMatchObject({ width: 900, height: 640 });
  const left = await bounds(first);
  await first.close();

  const second = (await launch()) as ElectronDriver;
  await expect.poll(() => bounds(second)).toEqual(left);
  await second.close();
});

test('shows the system’s menus and dialogs in the chosen colours', async ({ desk }) => {
  const { app, page } = desk as ElectronDriver;
  const source = () => app.evaluate(({ nativeTheme }) => nativeTheme.themeSource);
  expect(await source()).toBe('system');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('radio', { name: 'Dark' }).check();
  await expect.poll(source).toBe('dark');
});

test('B10: the Help menu opens the user guide', async ({ desk }) => {
  const { app, page } = desk as ElectronDriver;
  await app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('user-guide')?.click());
  await expect(page.getByRole('heading', { level: 1, name: 'Help' })).toBeFocused();
});
