import { barriers } from './support/barriers.ts';
import { openAssignment, signIn } from './support/steps.ts';
import { expect, test } from './support/test.ts';

const sections = ['Overview', 'Projects', 'Orderable events', 'Uploads', 'Settings'] as const;

for (const colours of ['light', 'dark', 'forced'] as const) {
  test(`has no barrier on any screen, ${colours}`, async ({ desk }) => {
    const { page } = desk;
    await page.emulateMedia({
      colorScheme: colours === 'light' ? 'light' : 'dark',
      forcedColors: colours === 'forced' ? 'active' : 'none',
      reducedMotion: 'reduce',
    });
    const check = async (screen: string): Promise<void> => {
      await expect.poll(() => barriers(page), { message: screen }).toEqual([]);
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
    await page.getByRole('button', { name: 'Licences' }).click();
    await page.getByRole('searchbox', { name: 'Search packages' }).fill('react-dom');
    await page.getByText('react-dom', { exact: true }).click();
    await check('licences');
  });
}
