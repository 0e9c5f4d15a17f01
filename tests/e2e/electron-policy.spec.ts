/** Settings that an organisation has made for the machine: the app shows them as read-only. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expectNoBarriers } from './support/barriers.ts';
import { openSection, signIn } from './support/steps.ts';
import { expect, test } from './support/test.ts';

test.use({
  connected: false,
  env: async ({ home, sandbox: { baseUrl } }, use) => {
    const file = join(home, 'policy.json');
    const policy = {
      connection: { baseUrl },
      sampleData: false,
      uploads: {
        concurrency: 4,
        limit: { bytesPerSecond: 1_250_000 },
        leaveRoom: 'working-hours',
        hours: [{ from: '20:00', to: '06:00' }],
      },
      desktop: { tray: true },
      updates: { mode: 'off' },
      signOut: { erases: 'offline-data' },
    };
    await writeFile(file, JSON.stringify(policy));
    await use({ INSPECTION_DESK_TEST_POLICY: file });
  },
});

test('a first start offers no sample data and keeps the address of the service; settings of the organisation are shown as such, can be reached by keyboard, and stay', async ({
  desk,
  sandbox,
}) => {
  const { page } = desk;
  await expect(page.getByText('Your organisation has turned off sample data.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Explore with sample data' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Connect to a service' }).click();
  const address = page.getByRole('textbox', { name: 'Service address' });
  await expect(address).toHaveValue(sandbox.baseUrl);
  await expect(address).not.toBeEditable();
  await expect(address).toHaveAccessibleDescription('Set by your organisation');
  await expect(page.getByRole('textbox', { name: 'Sign-in address' })).toBeEditable();
  await expectNoBarriers(page, 'the form with a fixed address');
  await page.getByRole('textbox', { name: 'Sign-in address' }).fill(sandbox.authUrl);
  await page.getByRole('textbox', { name: 'Client ID' }).fill(sandbox.clientId);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await signIn(desk);
  await openSection(page, 'Settings');

  const atOnce = page.getByRole('textbox', { name: 'Files uploaded at once' });
  await expect(atOnce).toHaveValue('4');
  await expect(atOnce).not.toBeEditable();
  await expect(atOnce).toHaveAccessibleDescription('Set by your organisation');
  await atOnce.focus();
  await page.keyboard.press('Tab');
  const speed = page.getByRole('textbox', { name: 'Upload speed', exact: true });
  await expect(speed).toBeFocused();
  await expect(speed).toHaveValue('At most 10 Mbit/s');
  const leaveRoom = page.getByRole('textbox', { name: 'Slow down when the network is busy' });
  await expect(leaveRoom).toHaveValue('In working hours');
  await expect(leaveRoom).not.toBeEditable();
  await expect(leaveRoom).toHaveAccessibleDescription(/Set by your organisation/);
  await expect(leaveRoom).toHaveAccessibleDescription(/Working hours are Monday to Friday, 7:00\b.* to .+\./);
  await expect(page.getByRole('textbox', { name: 'Upload hours' })).not.toBeEditable();
  await expect(page.getByLabel('Uploads end')).toHaveValue('06:00');
  await expect(page.getByLabel('Uploads end')).not.toBeEditable();
  await expectNoBarriers(page, 'settings of the organisation');

  await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click();
  const erase = page.getByRole('checkbox', { name: 'Clear offline data on this computer' });
  await expect(erase).toBeChecked();
  await erase.press('Space');
  await expect(erase).toBeChecked();
  await page.keyboard.press('Escape');
  await page.getByLabel('Language', { exact: true }).selectOption('Deutsch');
  await expect(page.getByText('Von Ihrer Organisation festgelegt').first()).toBeVisible();
});
