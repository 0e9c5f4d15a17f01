import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DeskError } from '../../../contract/errors.ts';
import { jpeg, png } from '../../data/testing/pictures.ts';
import { openConfSettings } from '../../settings/conf-settings.ts';
import { Policy } from '../../settings/policy/policy.ts';
import { openSettings } from '../../settings/settings.ts';
import { createLetterhead } from './letterhead.ts';

let home: string;
let notices: DeskError[];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'letterhead-test-'));
  notices = [];
});
afterEach(() => rmSync(home, { recursive: true }));

const open = (policy: Policy = {}) => {
  const settings = openSettings({ home, open: openConfSettings, policy });
  return { settings, ...createLetterhead({ home, settings, onNotice: (error) => notices.push(error) }) };
};

const file = (name: string, bytes: Buffer): string => {
  const path = join(home, name);
  writeFileSync(path, bytes);
  return path;
};

test('a logo is copied, replaced by one of another type, and removed', async () => {
  const { adopt, forget, read, settings } = open();
  expect(await read()).toEqual({ people: {} });
  await adopt(file('office.bin', png(30, 20)));
  expect(settings.get().letterhead.logo).toBe('logo');
  expect(readFileSync(join(home, 'logo'))).toEqual(png(30, 20));
  rmSync(join(home, 'office.bin'));
  expect((await read()).logo).toBe(`data:image/png;base64,${png(30, 20).toString('base64')}`);
  await adopt(file('office.jpg', jpeg(30, 20)));
  expect((await read()).logo).toMatch(/^data:image\/jpeg;/);
  expect(readFileSync(join(home, 'logo'))).toEqual(jpeg(30, 20));
  await forget();
  expect(await read()).toEqual({ people: {} });
  expect(existsSync(join(home, 'logo'))).toBe(false);
});

test.each([
  ['text', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')],
  ['too large a file', Buffer.concat([png(10, 10), Buffer.alloc(1_000_000)])],
  ['too many pixels', png(4_001, 10)],
])('%s is no logo', async (_, bytes) => {
  const { adopt, settings } = open();
  await expect(adopt(file('x.png', bytes))).rejects.toMatchObject({ code: 'settings/logo' });
  await expect(adopt(join(home, 'missing.png'))).rejects.toMatchObject({ code: 'settings/logo' });
  expect(settings.get().letterhead.logo).toBeUndefined();
});

test("an organisation's name and logo come first, and a logo that is gone is left out with a notice", async () => {
  const logo = file('policy.png', png(30, 20));
  const { read, adopt, settings } = open(Policy.parse({ letterhead: { office: 'Example', logo } }));
  settings.update({ letterhead: { ...settings.get().letterhead, people: { 'user 1': 'Kari' } } });
  expect(await read()).toMatchObject({ office: 'Example', people: { 'user 1': 'Kari' }, logo: expect.any(String) });
  await expect(adopt(logo)).rejects.toMatchObject({ code: 'settings/managed' });
  rmSync(logo);
  expect(await read()).toEqual({ office: 'Example', people: { 'user 1': 'Kari' } });
  expect(notices).toMatchObject([{ code: 'settings/logo' }]);
});

test.each(['relative.png', '//server/share/logo.png', '\\\\server\\share\\logo.png', 'https://example.com/logo.png'])(
  'the logo of a policy is on this computer, so not %s',
  (logo) => expect(Policy.safeParse({ letterhead: { logo } }).success).toBe(false),
);
