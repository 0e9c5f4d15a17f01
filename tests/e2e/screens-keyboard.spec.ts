import { expect, testOnSignedInDesk as test } from './support/test.ts';

test('goes from the search to an assignment and back by keyboard alone', async ({ desk: { page } }) => {
  const { keyboard } = page;
  const row = page.getByRole('table', { name: 'Protocols' }).locator('[data-row="1"]');
  const address = await row.getByRole('button').innerText();
  const facility = await row.getByRole('cell').nth(3).innerText();

  await keyboard.press('Control+k');
  await expect(page.getByRole('combobox')).toBeFocused();
  await keyboard.type(facility);
  await expect(page.getByRole('option').first()).toContainText(facility);
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: address })).toBeFocused();

  const assignment = page.getByRole('table', { name: 'Assignments' }).getByRole('button').first();
  await assignment.waitFor();
  for (let step = 0; step < 5 && !(await assignment.evaluate((row) => row === document.activeElement)); step += 1) {
    await keyboard.press('Tab');
  }
  await expect(assignment).toBeFocused();
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Upload documents' })).toBeVisible();
  await keyboard.press('Alt+ArrowLeft');
  await expect(page.getByRole('heading', { level: 1, name: address })).toBeVisible();
  await expect(assignment).toBeFocused();
});

test('lists the shortcuts at the question mark', async ({ desk: { page } }) => {
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

test('closes a dialog by Escape while a tooltip beneath it still shows', async ({ desk: { page } }) => {
  for (const key of ['?', 'Control+k']) {
    // By an event of its own: the pointer itself belongs to all windows of the display.
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).dispatchEvent('pointerover');
    await page.getByRole('tooltip', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press(key);
    await page.getByRole('dialog').locator(':focus').waitFor();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  }
});

test('leaves no tooltip behind when its page is left', async ({ desk: { page } }) => {
  const tooltip = page.getByRole('tooltip', { name: 'Refresh' });
  await page.getByRole('button', { name: 'Refresh' }).dispatchEvent('pointerover');
  await expect(tooltip).toBeVisible();
  await page.keyboard.press('Control+,');
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeFocused();
  await page.keyboard.press('Alt+ArrowLeft');
  await expect(page.getByRole('heading', { level: 1, name: 'Protocols' })).toBeFocused();
  await expect(tooltip).toBeHidden();
});
