import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { tabTo } from './support/focus.ts';
import { JOB_PROTOCOLS, planJobs, writeJobs } from './support/job-folders.ts';
import { firstRow, openSection, shown, signIn } from './support/steps.ts';
import { expect, testAtNewService as test } from './support/test.ts';

test.use({ protocols: JOB_PROTOCOLS });

test('searches, closes, leaves, prepares, finds, watches and examines by keyboard alone', async ({ desk, home }) => {
  const { page, chooseFolder } = desk;
  const { keyboard } = page;
  await signIn(desk);
  await test.step('goes from the search to an assignment and back by keyboard alone', async () => {
    // The window is wide enough for all columns.
    await page.setViewportSize({ width: 1400, height: 900 });
    await expect(page.getByRole('columnheader', { name: 'Facility' })).toBeVisible();
    const row = page.getByRole('table', { name: 'Protocols' }).locator('[data-row="1"]');
    // Reads all cells from one element in one step, because rows move while pages of the list arrive.
    const [address = '', , , facility = ''] = await row.evaluate((element) =>
      [...element.querySelectorAll('td')].map(({ innerText }) => innerText),
    );

    await keyboard.press('Control+k');
    await expect(page.getByRole('combobox')).toBeFocused();
    await keyboard.type(facility);
    await expect(page.getByRole('option').first()).toContainText(facility);
    await keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: address })).toBeFocused();

    const assignment = firstRow(page, 'Assignments').getByRole('button');
    await assignment.waitFor();
    for (let step = 0; step < 6 && !(await assignment.evaluate((row) => row === document.activeElement)); step += 1) {
      await keyboard.press('Tab');
    }
    await expect(assignment).toBeFocused();
    await keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Upload documents' })).toBeVisible();
    await keyboard.press('Alt+ArrowLeft');
    await expect(page.getByRole('heading', { level: 1, name: address })).toBeVisible();
    await expect(assignment).toBeFocused();
  });

  await test.step('lists the shortcuts at the question mark', async () => {
    const help = page.getByRole('button', { name: 'Keyboard shortcuts' });
    await help.focus();
    for (const [key, name] of [
      ['?', 'Keyboard shortcuts'],
      ['Control+k', 'Search everywhere'],
    ] as const) {
      await page.keyboard.press(key);
      await expect(page.getByRole('dialog', { name }).locator(':focus')).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toBeHidden();
      await expect(help).toBeFocused();
    }
    await page.keyboard.press('Control+,');
    await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeFocused();
  });

  await test.step('closes a dialog by Escape while a tooltip beneath it still shows', async () => {
    for (const key of ['?', 'Control+k']) {
      // Dispatches an event instead of moving the pointer, which other windows of the display share.
      await page.getByRole('button', { name: 'Keyboard shortcuts' }).dispatchEvent('pointerover');
      await page.getByRole('tooltip', { name: 'Keyboard shortcuts' }).waitFor();
      await page.keyboard.press(key);
      await page.getByRole('dialog').locator(':focus').waitFor();
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toBeHidden();
    }
  });

  await test.step('leaves no tooltip behind when its page is left', async () => {
    await openSection(page, 'Protocols');
    const tooltip = page.getByRole('tooltip', { name: 'Refresh' });
    await page.getByRole('button', { name: 'Refresh' }).dispatchEvent('pointerover');
    await expect(tooltip).toBeVisible();
    await page.keyboard.press('Control+,');
    await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeFocused();
    await page.keyboard.press('Alt+ArrowLeft');
    await expect(page.getByRole('heading', { level: 1, name: 'Protocols' })).toBeFocused();
    await expect(tooltip).toBeHidden();
  });

  const main = page.getByRole('navigation', { name: 'Main' });
  const press = async (target: Locator): Promise<void> => {
    await tabTo(page, target.filter({ visible: true }));
    await keyboard.press('Enter');
  };
  const button = (name: string): Locator => page.getByRole('button', { name });
  const open = async (name: string): Promise<void> => {
    await press(main.getByRole('button', { name }));
    await expect(page.getByRole('heading', { level: 1, name })).toBeFocused();
  };
  const [job] = planJobs(JOB_PROTOCOLS);
  await writeJobs(join(home, 'Jobs'), job ? [job] : [], 'now');

  await open('New upload');
  await chooseFolder(() => press(button('Choose folder')), join(home, 'Jobs'));
  await expect(page.getByRole('grid', { name: 'Folders' }).locator(':focus')).toBeVisible();
  await press(button('Starts now'));
  await expect(page.getByRole('combobox', { name: 'Start' })).toBeFocused();
  await keyboard.press('Escape');
  await expect(button('Starts now')).toBeFocused();
  await press(button('Start upload'));
  await expect(page.getByRole('heading', { level: 1, name: job?.name ?? '' })).toBeFocused();
  await expect(shown(page, /^\d+ uploaded$/).first()).toBeVisible();
  await tabTo(page, page.getByRole('tab').filter({ visible: true }).first());
  await keyboard.press('ArrowRight');
  await expect(page.getByRole('tab').filter({ visible: true }).nth(1)).toBeFocused();

  await open('Files');
  await firstRow(page, 'Files').waitFor();
  await keyboard.press('Control+f');
  await expect(page.getByRole('searchbox', { name: 'Search files' })).toBeFocused();
  await keyboard.press('ArrowDown');
  await expect(firstRow(page, 'Files').getByRole('button')).toBeFocused();

  await open('Uploads');
  await press(button('Watched folders'));
  await expect(page.getByRole('heading', { level: 1, name: 'Watched folders' })).toBeFocused();
  await chooseFolder(() => press(button('Watch a folder…')), join(home, 'Jobs'));
  await expect(page.getByRole('dialog').locator(':focus')).toBeVisible();
  await keyboard.press('Escape');
  await expect(button('Watch a folder…')).toBeFocused();

  await open('Help');
  await press(page.getByRole('button', { name: 'Troubleshoot', exact: true }));
  await expect(page.getByRole('heading', { level: 1, name: 'Troubleshooting' })).toBeFocused();
  await expect(page.getByRole('list').filter({ hasText: 'free space' })).toBeVisible();
  await press(button('Copy as text'));
});
