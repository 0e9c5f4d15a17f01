import type { ElectronDriver } from './support/electron-driver.ts';
import { expect, testOnSharedDesk as test } from './support/test.ts';

test('gives the page the bridge and nothing else', async ({ desk: { page } }) => {
  const found = await page.evaluate(() => ({
    require: typeof Reflect.get(window, 'require'),
    process: typeof Reflect.get(window, 'process'),
    bridge: Object.keys(Reflect.get(window, 'inspectionDesk')).sort(),
  }));
  expect(found).toEqual({
    require: 'undefined',
    process: 'undefined',
    bridge: ['adoptDropped', 'calls', 'cancel', 'onEvent'],
  });
});

test('does not let the page leave, open windows or ask for anything', async ({ desk: { page } }) => {
  await page.evaluate(() => {
    location.href = 'https://example.com/';
  });
  await page.evaluate(() => {
    location.href = 'file:///etc/passwd';
  });
  expect(await page.evaluate(() => window.open('https://example.com/'))).toBeNull();
  expect(await page.evaluate(async () => (await navigator.permissions.query({ name: 'geolocation' })).state)).toBe(
    'denied',
  );
  expect(page.url()).toMatch(/^app:\/\/desk\/(\?|$)/);
});

test('runs no foreign script', async ({ desk: { page } }) => {
  const policy = await page.evaluate(async () => (await fetch('/')).headers.get('content-security-policy'));
  expect(policy).toContain("default-src 'none'; script-src 'self'");
  const ran = await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.injected = true';
    document.body.append(script);
    return Reflect.get(window, 'injected');
  });
  expect(ran).toBeUndefined();
  expect(await page.evaluate(() => fetch('https://example.com/').catch(() => 'refused'))).toBe('refused');
});

test('serves nothing outside the built page', async ({ desk: { page } }) => {
  const status = (path: string) => page.evaluate(async (address) => (await fetch(address)).status, path);
  expect(await status('/')).toBe(200);
  expect(await status('/..%2f..%2fpackage.json')).toBe(404);
  expect(await status('/..%2fmain%2findex.js')).toBe(404);
});

test('answers no calls from another page', async ({ desk }) => {
  const { app, page } = desk as ElectronDriver;
  const opened = app.waitForEvent('window');
  await app.evaluate(({ app, BrowserWindow }) => {
    const preload = `${app.getAppPath()}/out/preload/index.cjs`;
    void new BrowserWindow({ show: false, webPreferences: { preload, sandbox: true } }).loadURL('data:text/html,other');
  });
  const snapshot = () => Reflect.get(window, 'inspectionDesk').calls.app.snapshot();
  const other = await opened;
  await other.waitForURL(/^data:/);
  expect(await other.evaluate(snapshot)).toMatchObject({ ok: false, error: { code: 'app/unsupported' } });
  expect(await page.evaluate(snapshot)).toMatchObject({ ok: true });
  // Closes the window, so that the next tests of this app find only the app's own.
  await other.close();
});

test('refuses input that violates the contract', async ({ desk: { page } }) => {
  const answer = await page.evaluate(() =>
    Reflect.get(window, 'inspectionDesk').calls.drafts.open({ folderIds: ['/etc'], AssignmentId: 'no uuid' }),
  );
  expect(answer).toMatchObject({ ok: false, error: { code: 'input/invalid', details: { field: 'AssignmentId' } } });
});
