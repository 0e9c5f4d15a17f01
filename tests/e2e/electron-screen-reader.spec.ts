import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { launchElectron } from './support/electron-driver.ts';
import { tabTo } from './support/focus.ts';
import { problemOf } from './support/hosts-here.ts';
import { makeFolder } from './support/make-folder.ts';
import { startScreenReader, whyDeaf } from './support/screen-reader.ts';
import { shown } from './support/steps.ts';
import { expect, test } from './support/test.ts';

test('says without the screen what happens from a folder to its finished upload', async ({ home, sandbox }, info) => {
  const problem = problemOf('electron') ?? whyDeaf();
  test.skip(problem !== undefined, problem);
  const reader = await startScreenReader();
  const { baseUrl, authUrl, clientId } = sandbox;
  const desk = await launchElectron({
    home,
    args: ['--force-renderer-accessibility'],
    env: {
      ...reader.env,
      INSPECTION_DESK_BASE_URL: baseUrl,
      INSPECTION_DESK_AUTH_URL: authUrl,
      INSPECTION_DESK_CLIENT_ID: clientId,
      INSPECTION_DESK_TOKEN_STORE: 'memory',
    },
  });
  const { page, decideInBrowser, chooseFolder } = desk;
  const press = async (target: Locator): Promise<void> => {
    await tabTo(page, target.filter({ visible: true }));
    await page.keyboard.press('Enter');
  };
  const button = (name: string): Locator => page.getByRole('button', { name });
  const hears = (text: string | RegExp): Promise<void> =>
    expect
      .poll(() => reader.spoken.some((line) => (text instanceof RegExp ? text.test(line) : line.includes(text))))
      .toBe(true);
  try {
    reader.note('Sign in');
    await decideInBrowser(() => press(button('Sign in')), 'allow');
    await page.getByRole('table', { name: 'Protocols' }).locator('[data-row="0"]').waitFor();
    reader.note('Choose a folder for an assignment');
    await press(page.getByRole('table', { name: 'Protocols' }).locator('[data-row="0"]').getByRole('button'));
    await press(page.getByRole('table', { name: 'Assignments' }).locator('[data-row="0"]').getByRole('button'));
    await makeFolder(join(home, 'Documents'), 12);
    await chooseFolder(() => press(button('Choose folder')), join(home, 'Documents'));
    reader.note('Review');
    await expect(page.getByRole('grid', { name: 'Folders' }).locator(':focus')).toBeVisible();
    reader.note('Start');
    await press(button('Start upload'));
    await expect(shown(page, '12 uploaded').first()).toBeVisible();
    await hears(/finished/i);
  } finally {
    await writeFile(info.outputPath('spoken.txt'), `${reader.spoken.join('\n')}\n`);
    await desk.close();
    await reader.close();
  }
  expect(reader.spoken.filter((line) => /NO NAME|\.\.(?!\.)/.test(line))).toEqual([]);
});
