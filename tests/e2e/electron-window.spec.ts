import type { ElectronDriver } from './support/electron-driver.ts';
import { signIn } from './support/steps.ts';
import { expect, testAtNewService as test } from './support/test.ts';

test('has the menus of a desktop, in the chosen colours', async ({ desk }) => {
  const { app, page } = desk as ElectronDriver;
  const choose = (id: string) =>
    app.evaluate(({ Menu }, item) => Menu.getApplicationMenu()?.getMenuItemById(item)?.click(), id);
  await signIn(desk);

  await test.step('a menu for a right click in a field, and none beside it', async () => {
    await app.evaluate(({ Menu }) => {
      const shown: string[][] = [];
      Object.assign(globalThis, { shown });
      Menu.prototype.popup = function keep(this: Electron.Menu) {
        shown.push(this.items.map(({ label }) => label).filter(Boolean));
      };
    });
    await page.getByRole('heading', { level: 1 }).click({ button: 'right' });
    await page.getByRole('searchbox').first().click({ button: 'right' });
    await expect
      .poll(() => app.evaluate(() => (globalThis as unknown as { shown: string[][] }).shown))
      .toEqual([['Undo', 'Redo', 'Cut', 'Copy', 'Paste', 'Select All']]);
  });

  await test.step('what the page does', async () => {
    // With the focus in a field, the shortcut's key would be typed as a letter.
    await page.getByRole('searchbox').first().focus();
    await choose('shortcuts');
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await choose('search');
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
    // The closed dialog may return the focus to the earlier element only now.
    await expect(async () => {
      await choose('find');
      await expect(page.getByRole('searchbox').first()).toBeFocused({ timeout: 1_000 });
    }).toPass();
    await choose('settings');
    await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
    await choose('newUpload');
    await expect(page.getByRole('heading', { level: 1, name: 'New upload' })).toBeVisible();
  });

  await test.step('the chosen colours', async () => {
    const source = () => app.evaluate(({ nativeTheme }) => nativeTheme.themeSource);
    expect(await source()).toBe('system');
    await choose('settings');
    await page.getByRole('radio', { name: 'Dark' }).check();
    await expect.poll(source).toBe('dark');
    // Restores the setting, because other tests share the app.
    await page.getByRole('radio', { name: 'Same as the system' }).check();
    await expect.poll(source).toBe('system');
  });

  await test.step('the user guide', async () => {
    await choose('userGuide');
    await expect(page.getByRole('heading', { level: 1, name: 'Help' })).toBeFocused();
  });

  await test.step('the versions, which lead to the licences', async () => {
    await app.evaluate(({ dialog }) => {
      dialog.showMessageBox = async (...args: readonly unknown[]) => {
        Object.assign(globalThis, { about: (args.at(-1) as Electron.MessageBoxOptions).detail });
        return { response: 1, checkboxChecked: false };
      };
    });
    await choose('about');
    await expect(page.getByRole('heading', { level: 1, name: 'Licences' })).toBeVisible();
    expect(await app.evaluate(() => (globalThis as unknown as { about: string }).about)).toMatch(
      /^Version [\d.]+\nElectron [\d.]+, Chromium [\d.]+, Node\.js [\d.]+\n/,
    );
  });
});
