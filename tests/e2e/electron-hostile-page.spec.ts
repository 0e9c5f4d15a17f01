/** A page that an attacker controls, in the real Electron: the bridge to main refuses its attacks. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, testOnSharedDesk as test } from './support/test.ts';

const refused = { ok: false, error: { code: 'input/invalid' } };
const adopted = { ok: true, value: [{ name: 'report.txt' }] };

/** Makes the user choose a file of this machine. The page stores it as `window.chosen`. */
const chooseFile = async (page: Page, home: string): Promise<void> => {
  const path = join(home, 'Chosen', 'report.txt');
  await mkdir(join(home, 'Chosen'));
  await writeFile(path, 'a report');
  await page.evaluate(() => document.body.append(Object.assign(document.createElement('input'), { type: 'file' })));
  await page.locator('body > input[type=file]').setInputFiles(path);
  await page.evaluate(`window.chosen = document.querySelector('body > input[type=file]').files[0]`);
};

/**
 * Runs `script`, the body of a function, in the page. Resolves to its result, or to `{ thrown }` with what it threw.
 */
const attack = (page: Page, script: string): Promise<unknown> =>
  page.evaluate(`(async () => { ${script} })().catch((error) => ({ thrown: String(error) }))`);

/** Resolves to the result of passing the value of `expression` to the bridge as dropped files. */
const adopt = (page: Page, expression: string): Promise<unknown> =>
  attack(page, `const value = ${expression}; return window.inspectionDesk.adoptDropped(value);`);

test('A1: adopts chosen files without calling methods of their list', async ({ desk: { page }, home }) => {
  await chooseFile(page, home);
  const lie = `() => ['/etc/passwd']`;
  expect(await adopt(page, `[chosen]`)).toMatchObject(adopted);
  expect(await adopt(page, `Object.assign([chosen], { map: ${lie}, toJSON: ${lie}, then: ${lie} })`)).toMatchObject(
    adopted,
  );
  expect(await adopt(page, `Object.assign([chosen], { [Symbol.iterator]: ${lie} })`)).toMatchObject(adopted);
  expect(await adopt(page, `(class extends Array { map() { return ['/etc/passwd']; } }).of(chosen)`)).toMatchObject(
    adopted,
  );
});

test('A1: refuses anything but a list of chosen files', async ({ desk: { page }, home }) => {
  await chooseFile(page, home);
  const lies = [
    `{ map: () => ['/etc/passwd'] }`,
    `{ length: 1, 0: '/etc/passwd', map: () => ['/etc/passwd'] }`,
    `() => ['/etc/passwd']`,
    `Promise.resolve(['/etc/passwd'])`,
    `{ then: (resolve) => resolve(['/etc/passwd']) }`,
    `new Proxy(() => {}, { get: () => () => ['/etc/passwd'] })`,
    `['/etc/passwd']`,
    `[new String('/etc/passwd')]`,
    `[chosen, '/etc/passwd']`,
    `[{ path: '/etc/passwd', name: 'passwd' }]`,
    `[new File(['x'], '/etc/passwd')]`,
    `[Object.defineProperty(new File(['x'], 'passwd'), 'path', { value: '/etc/passwd' })]`,
    `[new File([chosen], '/etc/passwd')]`,
    `[chosen.slice()]`,
    `[Object.create(File.prototype)]`,
    `[Object.setPrototypeOf({}, chosen)]`,
    `[() => '/etc/passwd']`,
    `Object.defineProperty([chosen], 0, { get: () => '/etc/passwd' })`,
    `[]`,
    `new Array(3)`,
    `new Array(20_001).fill(chosen)`,
    `undefined`,
    `null`,
    `'/etc/passwd'`,
  ];
  for (const lie of lies) expect(await adopt(page, `(${lie})`), lie).toMatchObject(refused);
});

test('A1: gets nothing for values that cannot cross the bridge', async ({ desk: { page }, home }) => {
  await chooseFile(page, home);
  const lies = [
    `new Proxy([chosen], { get: () => () => ['/etc/passwd'] })`,
    `[new Proxy(chosen, {})]`,
    `(() => { const list = []; list.push(list); return list; })()`,
  ];
  for (const lie of lies) expect(await adopt(page, `(${lie})`), lie).toMatchObject({ thrown: expect.any(String) });
});

test('A1: overwritten prototypes of the page do not reach the bridge', async ({ desk: { page }, home }) => {
  await chooseFile(page, home);
  // During one call, replaces the parts of the language that the bridge could use. The code here must not use these
  // parts itself in the meantime.
  const overwritten = (value: string) => `
    const lie = () => ['/etc/passwd'];
    const { defineProperty } = Object;
    const all = [
      Array, 'isArray', Array, 'from', Array.prototype, 'map', Array.prototype, 'push', Array.prototype, Symbol.iterator,
      Function.prototype, 'call', Function.prototype, 'apply', Object.prototype, 'toJSON', Object.prototype, 'then',
      Object.prototype, '0', File, Symbol.hasInstance, JSON, 'stringify', Promise, 'resolve', Reflect, 'apply',
    ];
    const own = all.map((of, index) => (index % 2 === 0 ? Object.getOwnPropertyDescriptor(of, all[index + 1]) : undefined));
    const files = ${value};
    for (let index = 0; index < all.length; index += 2) {
      defineProperty(all[index], all[index + 1], { configurable: true, writable: true, value: lie });
    }
    let answer;
    try {
      answer = window.inspectionDesk.adoptDropped(files);
    } finally {
      for (let index = 0; index < all.length; index += 2) {
        if (own[index] === undefined) delete all[index][all[index + 1]];
        else defineProperty(all[index], all[index + 1], own[index]);
      }
    }
    return answer;`;
  expect(await attack(page, overwritten(`['/etc/passwd']`))).toMatchObject(refused);
  expect(await attack(page, overwritten(`{ length: 1, 0: '/etc/passwd' }`))).toMatchObject(refused);
  expect(await attack(page, overwritten(`[chosen]`))).toMatchObject(adopted);
});

test('A1: refuses input that is not plain data, and answers the next call', async ({ desk: { page } }) => {
  const open = (input: string) => attack(page, `return window.inspectionDesk.calls.drafts.open(${input});`);
  const remember = (value: string) =>
    attack(page, `return window.inspectionDesk.calls.view.remember({ key: 'attack', value: ${value} });`);
  expect(await open(`() => {}`)).toMatchObject({ thrown: expect.any(String) });
  expect(await open(`{ folderIds: () => '/etc', AssignmentId: 'a' }`)).toMatchObject({ thrown: expect.any(String) });
  expect(await open(`new Proxy({}, {})`)).toMatchObject({ thrown: expect.any(String) });
  expect(await open(`{ get folderIds() { return [{ toString: '/etc' }]; } }`)).toMatchObject(refused);
  expect(await open(`JSON.parse('{"__proto__":{"folderIds":["/etc"]}}')`)).toMatchObject(refused);
  expect(await remember(`(() => { const knot = {}; knot.knot = knot; return knot; })()`)).toMatchObject(refused);
  expect(await remember(`JSON.parse('['.repeat(900) + ']'.repeat(900))`)).toMatchObject(refused);
  expect(await remember(`'x'.repeat(50_000_000)`)).toMatchObject(refused);
  expect(await attack(page, `return window.inspectionDesk.calls.app.snapshot();`)).toMatchObject({ ok: true });
});

test('A1: accepts only functions as listeners, and survives those that throw', async ({ desk: { page } }) => {
  const answer = await attack(
    page,
    `const thrown = [];
    for (const listener of [undefined, 'x', {}, { call: () => {} }]) {
      try { window.inspectionDesk.onEvent(listener); } catch (error) { thrown.push(String(error)); }
    }
    const heard = new Promise((resolve) => {
      window.inspectionDesk.onEvent((...told) => resolve(told));
    });
    window.inspectionDesk.onEvent(() => { throw new Error('a listener that throws'); });
    await window.inspectionDesk.calls.preferences.set({ appearance: 'dark' });
    const events = await heard;
    await window.inspectionDesk.calls.preferences.set({ appearance: 'system' });
    return { thrown, heard: events };`,
  );
  expect(answer).toMatchObject({ thrown: new Array(4).fill(expect.stringContaining('must be a function')) });
  // The page gets only the event of the app, not Electron's event, through which it could reach more.
  expect(answer).toMatchObject({ heard: [{ type: 'preferences', value: { appearance: 'dark' } }] });
});

test('A1: cannot change the bridge', async ({ desk: { page } }) => {
  const answer = await attack(
    page,
    `const desk = window.inspectionDesk;
    const tries = [
      () => { 'use strict'; desk.adoptDropped = () => {}; },
      () => { 'use strict'; desk.calls.app.snapshot = () => {}; },
      () => { 'use strict'; delete desk.calls; },
      () => { 'use strict'; window.inspectionDesk = {}; },
      () => { Object.defineProperty(desk.calls, 'more', { value: 1 }); },
    ];
    return tries.map((attempt) => { try { attempt(); return 'done'; } catch { return 'refused'; } });`,
  );
  expect(answer).toEqual(new Array(5).fill('refused'));
});
