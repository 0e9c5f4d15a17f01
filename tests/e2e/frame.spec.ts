import { firstRow, openSection, signIn } from './support/steps.ts';
import { expect, testAtNewService as test } from './support/test.ts';

test.use({ protocols: 240 });

test('the frame of the window', async ({ desk }) => {
  const { page } = desk;
  await signIn(desk);
  await test.step('shows icons with their names as tooltips in a narrower window', async () => {
    await page.setViewportSize({ width: 1024, height: 768 });
    const navigation = page.getByRole('navigation', { name: 'Main' });
    const uploads = navigation.getByRole('button', { name: 'Uploads', exact: true });
    const { width = 0 } = (await uploads.boundingBox()) ?? {};
    expect(width).toBeLessThan(48);
    // The navigation may still be changing its width, which would close a tooltip.
    await expect(async () => {
      await uploads.dispatchEvent('pointerover');
      await expect(page.getByRole('tooltip', { name: 'Uploads' })).toBeVisible({ timeout: 2_000 });
    }).toPass();
    const account = page.getByRole('banner');
    await expect(account.getByRole('button', { name: 'Sign out' })).toBeVisible();
    await page.setViewportSize({ width: 1200, height: 800 });
    await expect(navigation.getByText('Uploads', { exact: true })).toBeInViewport();
  });

  await test.step('begins its lists 120 pixels below the top of the window', async () => {
    for (const size of [
      { width: 1280, height: 800 },
      { width: 1024, height: 768 },
    ]) {
      await page.setViewportSize(size);
      await openSection(page, 'Protocols');
      const { y = Infinity } = (await firstRow(page, 'Protocols').boundingBox()) ?? {};
      expect(y).toBeLessThanOrEqual(120);
    }
  });

  await test.step('leads to the sections of the settings, and marks the one that is read', async () => {
    await openSection(page, 'Settings');
    const sections = page.getByRole('navigation', { name: 'Sections of the settings' });
    await expect(sections.getByRole('button', { name: 'Connection' })).toHaveAttribute('aria-current', 'location');
    for (const name of ['Network', 'About']) {
      await sections.getByRole('button', { name }).click();
      await expect(page.getByRole('heading', { level: 2, name })).toBeFocused();
      await expect(page.getByRole('heading', { level: 2, name })).toBeInViewport();
      await expect(sections.getByRole('button', { name })).toHaveAttribute('aria-current', 'location');
    }
    await page.getByRole('heading', { level: 2, name: 'Appearance' }).evaluate((heading) => heading.scrollIntoView());
    await expect(sections.getByRole('button', { name: 'Appearance' })).toHaveAttribute('aria-current', 'location');
  });

  await test.step('the table stays where it is while a person types into its search', async () => {
    await openSection(page, 'Protocols');
    const top = () => firstRow(page, 'Protocols').evaluate((row) => row.getBoundingClientRect().top);
    const before = await top();
    await page.getByRole('searchbox', { name: 'Search protocols' }).focus();
    const tops: number[] = [];
    for (const letter of 'storg') {
      await page.keyboard.press(letter);
      for (let look = 0; look < 4; look += 1) tops.push(await top());
    }
    await expect(page.getByText('found so far…')).toBeHidden();
    expect([...new Set([...tops, await top()])]).toEqual([before]);
  });
});
