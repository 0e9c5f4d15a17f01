import type { Page } from '@playwright/test';
import { copiedLines, keepCopied } from './support/copied.ts';
import { onEveryRead, readingScreens, readScreen } from './support/reading-screens.ts';
import { allowSignIn, firstRow, openSection, pressUntil, readProtocol, shown, signIn } from './support/steps.ts';
import { expect, testAtNewService as test } from './support/test.ts';

test.describe.configure({ mode: 'parallel' });

const shownNames = (page: Page, name: string) =>
  page.getByRole('status', { name, exact: true }).filter({ visible: true });

/** Opens the first protocol, whose page reads assignments and inspection points. */
const openProtocol = (page: Page): Promise<void> => firstRow(page, 'Protocols').click();

test('shows skeletons while loading', async ({ desk, control }) => {
  const { page } = desk;
  await control.faults.add(...onEveryRead(() => ({ type: 'stall', forMs: 3_600_000 })));
  await allowSignIn(desk);
  for (const { section, loading } of readingScreens) {
    await openSection(page, section);
    await expect(shownNames(page, loading)).toBeVisible();
  }
  await openSection(page, 'Overview');
  await expect(shownNames(page, 'Loading assignments…')).toBeVisible();
});

test('says when there is nothing to show', async ({ desk, control }) => {
  const { page } = desk;
  await control.faults.add(
    ...onEveryRead((screen) => ({ type: 'status', status: 200, body: JSON.stringify(screen?.nothing) })),
  );
  await allowSignIn(desk);
  for (const { section, empty } of readingScreens) {
    await openSection(page, section);
    await expect(shown(page, empty)).toBeVisible();
  }
  await openSection(page, 'Overview');
  for (const text of [
    'No assignments are known on this computer yet.',
    'Drop folders on any page, or choose “New upload”.',
  ]) {
    await expect(shown(page, text)).toBeVisible();
  }
  await openSection(page, 'Uploads');
  await expect(shown(page, 'No uploads yet.')).toBeVisible();
});

test('says why it shows nothing when the service fails or refuses, and loads it when retried', async ({
  desk,
  control,
}) => {
  const { page } = desk;
  const broken = (status: number) => onEveryRead(() => ({ type: 'status', status }));
  await keepCopied(page);
  await control.faults.add(...broken(500));
  await allowSignIn(desk);
  const alerts = page.getByRole('alert').filter({ visible: true });
  const alert = alerts.filter({ hasText: 'The service reported an error.' });
  const copiedDetails = async (): Promise<readonly string[]> => {
    await alerts.getByRole('button', { name: 'Copy details' }).click();
    await expect(alerts.getByText('Copied')).toBeVisible();
    const [heading, ...details] = await copiedLines(page);
    expect(heading).toMatch(/^Inspection Desk \d+\.\d+\.\d+, \d{4}-\d\d-\d\dT[\d:.]+Z$/);
    return details;
  };
  for (const { section } of readingScreens) {
    await openSection(page, section);
    await expect(alert).toBeVisible();
  }
  // The copied details do not contain the user or the request.
  expect(await copiedDetails()).toEqual([expect.stringMatching(/^service\/failed: /), 'status: 500']);
  await expect(page.getByText('Online', { exact: true })).toBeVisible();
  await control.faults.clear();
  for (const { section, table } of readingScreens) {
    await openSection(page, section);
    // Most pages request their data again when they come back into view, which may remove the button.
    await pressUntil(alert.getByRole('button', { name: 'Try again' }), firstRow(page, table));
  }
  await control.faults.add(...broken(403));
  await openProtocol(page);
  // Both parts of the page failed for the same reason, which is shown once.
  await expect(alerts).toHaveCount(1);
  await expect(alerts).toContainText("You don't have permission to do this.");
  expect(await copiedDetails()).toEqual([expect.stringMatching(/^service\/forbidden: /), 'status: 403']);
  await control.faults.clear();
  await alerts.getByRole('button', { name: 'Try again' }).click();
  await expect(firstRow(page, 'Assignments')).toBeVisible();
  const points = page.getByRole('region', { name: 'Inspection points', exact: true });
  await expect(points.getByRole('listitem').first()).toBeVisible();
});

test('shows offline data while the service is unreachable, and fresh data once it or the network is back', async ({
  desk,
  control,
}) => {
  const { page } = desk;
  await signIn(desk);
  for (const screen of readingScreens) await readScreen(page, screen);
  await readProtocol(page);
  await control.faults.add(...onEveryRead(() => ({ type: 'reset', at: 'before-body' })));
  for (const { section, table } of readingScreens) {
    await openSection(page, section);
    const refresh = page.getByRole('button', { name: 'Refresh' }).filter({ visible: true });
    await refresh.click();
    await expect(shown(page, /Offline data, updated /).first()).toBeVisible();
    await expect(firstRow(page, table)).toBeVisible();
  }
  await expect(page.getByText(/Offline since/)).toBeVisible();
  await openProtocol(page);
  await expect(shown(page, /Offline data, updated /)).toHaveCount(2);

  await control.faults.clear();
  await openSection(page, 'Inspections to order');
  await expect(shown(page, /Offline data, updated /)).toBeHidden();
  await expect(page.getByText('Online', { exact: true })).toBeVisible();

  await control.faults.add(...onEveryRead(() => ({ type: 'reset', at: 'before-body' })));
  await page.getByRole('button', { name: 'Refresh' }).filter({ visible: true }).click();
  await expect(shown(page, /Offline data, updated /)).toBeVisible();
  await control.faults.clear();
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect(shown(page, /Offline data, updated /)).toBeHidden();
  await expect(page.getByText('Online', { exact: true })).toBeVisible();
});

test('offers offline data when the session has ended', async ({ desk, control }) => {
  const { page } = desk;
  await signIn(desk);
  const projects = firstRow(page, 'Assignments');
  await openSection(page, 'Assignments');
  await expect(projects).toBeVisible();
  await control.revokeSessions();
  // Another request may report first that the session has ended.
  const offline = page.getByRole('button', { name: 'Browse offline data' }).filter({ visible: true });
  await pressUntil(page.getByRole('button', { name: 'Refresh' }).filter({ visible: true }), offline);
  await offline.click();
  await expect(projects).toBeVisible();
  const notices = page.getByRole('region', { name: 'Notices' });
  await expect(notices.getByText('You are viewing offline data.')).toBeVisible();
  await expect(page.getByText('Your sign-in has expired.').filter({ visible: true })).toHaveCount(1);
  await openSection(page, 'Protocols');
  await openProtocol(page);
  await expect(page.getByRole('alert').filter({ visible: true }).first()).toBeVisible();

  // The offline data can be browsed again after a sign-in that was refused.
  await desk.decideInBrowser(() => notices.getByRole('button', { name: 'Sign in' }).click(), 'deny');
  await expect(shown(page, 'The sign-in was refused.')).toBeVisible();
  await offline.click();
  await openSection(page, 'Settings');
  await expect(notices).toBeHidden();
  await page.getByRole('button', { name: 'Go to sign-in' }).click();
  await allowSignIn(desk);
  await expect(page.getByRole('table', { name: 'Protocols' })).toBeVisible();
  await expect(notices).toBeHidden();
});
