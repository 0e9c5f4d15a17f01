/** Items of Electron's security checklist that no other test shows. docs/security.md names the test of each item. */
import type { ElectronDriver } from './support/electron-driver.ts';
import { expect, testOnSharedDesk as test } from './support/test.ts';

test('Checklist 1, 18: the page is the app’s own, by a scheme of its own', async ({ desk: { page } }) => {
  expect(page.url()).toMatch(/^app:\/\/desk\//);
  const loaded = await page.evaluate(() =>
    [...document.querySelectorAll('script[src], link[href]')].map(
      (one) => Reflect.get(one, 'src') ?? Reflect.get(one, 'href'),
    ),
  );
  expect(loaded.length).toBeGreaterThan(0);
  for (const address of loaded) expect(address).toMatch(/^(app:\/\/desk\/|data:,$)/);
  expect(await page.evaluate(() => isSecureContext)).toBe(true);
});

test('Checklist 2, 3, 4, 6, 8, 9, 10: every window is isolated, sandboxed and without extras', async ({ desk }) => {
  const { app } = desk as ElectronDriver;
  const preferences = await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map(({ webContents }) => {
      const all: unknown = Reflect.get(webContents, 'getLastWebPreferences').call(webContents);
      return JSON.parse(JSON.stringify(all));
    }),
  );
  expect(preferences).toHaveLength(1);
  expect(preferences[0]).toMatchObject({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webSecurity: true,
  });
  for (const extra of ['nodeIntegrationInWorker', 'nodeIntegrationInSubFrames', 'allowRunningInsecureContent']) {
    expect(preferences[0][extra] ?? false, extra).toBe(false);
  }
  for (const extra of ['experimentalFeatures', 'enableBlinkFeatures', 'webviewTag']) {
    expect(preferences[0][extra] || false, extra).toBe(false);
  }
});

test('Checklist 11, 12: no webview can be made', async ({ desk }) => {
  const { app, page } = desk as ElectronDriver;
  await page.evaluate(() => {
    const view = Object.assign(document.createElement('webview'), { src: 'https://127.0.0.1:1/' });
    view.setAttribute('allowpopups', '');
    document.body.append(view);
  });
  expect(await page.evaluate(() => typeof Reflect.get(document.querySelector('webview') ?? {}, 'loadURL'))).toBe(
    'undefined',
  );
  const kinds = await app.evaluate(({ webContents }) => webContents.getAllWebContents().map((one) => one.getType()));
  expect(kinds).not.toContain('webview');
});

test('Checklist 13, A16: returns from a blank page, which has no bridge to main', async ({ desk }) => {
  const { app, page } = desk as ElectronDriver;
  // The first address tells the page the language, and the frame of the window.
  const first = page.url();
  expect(first).toMatch(/^app:\/\/desk\/\?language=en/);
  for (const address of ['about:blank', 'data:text/html,other', 'about:srcdoc', 'javascript:void 0']) {
    await page.evaluate((to) => void location.assign(to), address).catch(() => {});
    await expect(page.getByRole('heading', { level: 1 }), address).toBeVisible();
    expect(page.url(), address).toBe(first);
  }
  await page.evaluate(() => void location.assign(URL.createObjectURL(new Blob(['other'], { type: 'text/html' }))));
  // Asks the window itself, because the debugger waits for a navigation that was refused.
  const shown = () =>
    app.evaluate(async ({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      return [contents?.getURL(), await contents?.executeJavaScript(`document.querySelector('h1') !== null`)];
    });
  await expect.poll(shown).toEqual([expect.stringMatching(/^app:\/\/desk\//), true]);
});
