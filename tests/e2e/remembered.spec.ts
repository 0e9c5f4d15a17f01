import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { z } from 'zod';
import type { ElectronDriver } from './support/electron-driver.ts';
import { readSettings } from './support/settings-file.ts';
import { firstRow, signIn } from './support/steps.ts';
import { expect, test } from './support/test.ts';

const projects = 'Assignments';

const Kept = z.object({ widths: z.object({ City: z.number() }) });

const heading = (page: Page, name: string) =>
  page.getByRole('grid', { name: projects }).getByRole('columnheader', { name });

const widthOf = async (page: Page, name: string): Promise<number> =>
  (await heading(page, name).boundingBox())?.width ?? 0;

/** Returns the width of the column City in percent of the table's width. */
const shareOfCity = async (page: Page): Promise<number> => {
  const table = await page.getByRole('grid', { name: projects }).boundingBox();
  return (100 * (await widthOf(page, 'City'))) / (table?.width ?? 0);
};

const boundsOf = ({ app }: ElectronDriver) =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds());

/**
 * Quits the app during an `open` as on a network drive that is gone: in a thread of the pool, in a system call that
 * never ends. A pipe without a writer stands for the drive.
 */
const quitDuringCall = async ({ app }: ElectronDriver, home: string): Promise<void> => {
  const pipe = join(home, 'pipe');
  execFileSync('mkfifo', [pipe]);
  await app.evaluate((_, path) => process.getBuiltinModule('node:fs').open(path, () => {}), pipe);
  expect(await app.evaluate(() => process.getActiveResourcesInfo())).toContain('FSReqCallback');
  const ended = once(app.process(), 'exit');
  await app.evaluate(({ app: electronApp }) => setImmediate(() => electronApp.quit()));
  await ended;
};

/** Shuts the computer down. When the app closes its window, another process has changed the file at `path`. */
const shutDown = async ({ app }: ElectronDriver, path: string): Promise<void> => {
  const changed = '{"sampleData":false}';
  const ended = once(app.process(), 'exit');
  const isDelayed = await app.evaluate(
    ({ BrowserWindow, powerMonitor }, [file, content]) => {
      const change = () => process.getBuiltinModule('node:fs').writeFileSync(file, content);
      BrowserWindow.getAllWindows()[0]?.prependListener('close', change);
      let isPrevented = false;
      powerMonitor.emit('shutdown', {
        preventDefault: () => {
          isPrevented = true;
        },
      });
      return isPrevented;
    },
    [path, changed] as const,
  );
  expect(isDelayed).toBe(true);
  await ended;
  expect(readFileSync(path, 'utf8')).toBe(changed);
};

test('remembers its place and size, the last page, the sort order and the column widths of a table', async ({
  host,
  launch,
  home,
}) => {
  const first = await launch();
  if (host === 'electron') {
    await (first as ElectronDriver).app.evaluate(({ BrowserWindow }) => {
      BrowserWindow.getAllWindows()[0]?.setBounds({ x: 40, y: 60, width: 1200, height: 740 });
    });
    await expect.poll(() => boundsOf(first as ElectronDriver)).toMatchObject({ width: 1200, height: 740 });
  }
  await signIn(first);
  await first.page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Assignments' }).click();
  await heading(first.page, 'City').getByRole('button').click();
  await expect(heading(first.page, 'City')).toHaveAttribute('aria-sort', 'ascending');
  // The table may have another width before its rows are shown.
  await expect(firstRow(first.page, projects)).toBeVisible();
  const made = await widthOf(first.page, 'City');
  const keptShare = async () => {
    const { views } = await readSettings(home);
    return Kept.safeParse(views['table.assignments']).data?.widths.City ?? 0;
  };

  // Changes the width with the keyboard. All headings together are one tab stop.
  await first.page.keyboard.press('Shift+ArrowRight');
  await first.page.keyboard.press('Shift+ArrowRight');
  await expect.poll(() => widthOf(first.page, 'City')).toBeGreaterThan(made + 20);
  await first.page.keyboard.press('ArrowRight');
  await expect(heading(first.page, 'Customer').getByRole('button')).toBeFocused();

  await expect.poll(keptShare).toBeCloseTo(await shareOfCity(first.page), 0);

  // Changes the width with the pointer.
  const box = await heading(first.page, 'City').boundingBox();
  if (box === null) throw new Error('the heading is not visible');
  const edge = box.x + box.width - 3;
  await first.page.mouse.move(edge, box.y + 10);
  await first.page.mouse.down();
  await first.page.mouse.move(edge + 30, box.y + 10, { steps: 5 });
  await first.page.mouse.up();
  await expect.poll(() => widthOf(first.page, 'City')).toBeGreaterThan(box.width + 20);
  const given = await widthOf(first.page, 'City');
  await expect.poll(keptShare).toBeCloseTo(await shareOfCity(first.page), 0);
  const bounds = host === 'electron' ? await boundsOf(first as ElectronDriver) : undefined;
  if (host === 'electron' && process.platform !== 'win32')
    await test.step('A5: quits while a drive never answers, and leaves complete data that no process locks', () =>
      quitDuringCall(first as ElectronDriver, home));
  else await first.close();

  const second = await launch();
  if (host === 'electron') await expect.poll(() => boundsOf(second as ElectronDriver)).toEqual(bounds);
  // If there is a keychain, the user is still signed in.
  const signInAgain = second.page.getByRole('button', { name: 'Sign in' });
  await expect(signInAgain.or(heading(second.page, 'City'))).toBeVisible();
  if (await signInAgain.isVisible()) await second.decideInBrowser(() => signInAgain.click(), 'allow');
  await expect(heading(second.page, 'City')).toHaveAttribute('aria-sort', 'ascending');
  await expect(firstRow(second.page, projects)).toBeVisible();
  await expect.poll(() => widthOf(second.page, 'City')).toBeCloseTo(given, -1);

  // Changes the width without dragging: one click picks up the boundary, another one puts it down. A double click
  // restores the usual width.
  const again = await heading(second.page, 'City').boundingBox();
  if (again === null) throw new Error('the heading is not visible');
  const line = again.x + again.width - 3;
  await second.page.mouse.click(line, again.y + 10);
  await second.page.mouse.click(line - 40, again.y + 10);
  await expect.poll(() => widthOf(second.page, 'City')).toBeLessThan(again.width - 30);
  await second.page.mouse.dblclick(line - 40, again.y + 10);
  await expect.poll(() => widthOf(second.page, 'City')).toBeCloseTo(made, -1);
  if (host === 'electron')
    await test.step('delays the shutdown of the computer, and stores nothing once other processes may use the data', () =>
      shutDown(second as ElectronDriver, join(home, 'settings.json')));
  else await second.close();
});
