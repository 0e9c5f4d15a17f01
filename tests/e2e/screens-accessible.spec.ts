import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { openAssignment, signIn } from './support/steps.ts';
import { expect, test } from './support/test.ts';

/** What axe finds on the page as it is, with the element of each finding. */
const findings = async (page: Page): Promise<readonly string[]> => {
  // Legacy: the preview's page belongs to no context that could open the blank page of the other mode. Tabster's own markers of where the focus turns round are not for people.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().exclude('[data-tabster-dummy]').analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
};

const sections = ['Overview', 'Projects', 'Orderable events', 'Uploads', 'Settings'] as const;

for (const colorScheme of ['light', 'dark'] as const) {
  test(`has no barrier on any screen, ${colorScheme}`, async ({ desk }) => {
    const { page } = desk;
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const check = async (screen: string): Promise<void> => {
      await expect.poll(() => findings(page), { message: screen }).toEqual([]);
    };
    await check('sign-in');
    await signIn(desk);
    await check('protocols');
    await openAssignment(page);
    await check('assignment');
    await page.getByRole('button', { name: 'Back' }).click();
    await check('protocol');
    for (const name of sections) {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await check(name);
    }
  });
}
