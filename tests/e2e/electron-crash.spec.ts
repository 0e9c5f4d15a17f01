/**
 * Crashes of processes, and exceptions that no code catches. A crash leaves a dump on this computer. The file for
 * support contains the dump only if the user agrees.
 */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { strFromU8, type Unzipped, unzipSync } from 'fflate';
import { DoctorReport } from '../../src/contract/doctor.ts';
import { readCrashDumps } from '../../src/main/data/crash-dumps.ts';
import { writeTree } from '../integration/support/folders.ts';
import { dropFolder } from './support/drop-folder.ts';
import { type ElectronDriver, launchElectron } from './support/electron-driver.ts';
import { allowSignIn, openSection, signIn } from './support/steps.ts';
import { expect, test } from './support/test.ts';

test('a crash loses nothing of an upload that is being prepared; its dump stays in the data directory, and is in the file for support only if asked', async ({
  launch,
  home,
  documents,
}) => {
  const crashing = (await launch()) as ElectronDriver;
  writeTree(join(documents, 'Jobs'), { 'Holiday photos/1.jpg': '1', 'Price lists/2.pdf': '2' });
  await signIn(crashing);
  await openSection(crashing.page, 'Uploads');
  await dropFolder(
    crashing.page,
    crashing.page.getByRole('heading', { level: 1, name: 'Uploads' }),
    join(documents, 'Jobs'),
  );
  await crashing.page.getByRole('checkbox', { name: 'Upload Holiday photos' }).click();
  await expect(crashing.page.getByRole('tab', { name: 'Left out (1)' })).toBeVisible();
  await expect(() => {
    const drafts = join(home, 'drafts');
    // Leaves out a file that is still being written, whose name ends in `.part`.
    const whole = readdirSync(drafts).filter((name) => !name.endsWith('.part'));
    const stored = whole.map((name) => readFileSync(join(drafts, name), 'utf8'));
    expect(stored.join('')).toContain('"decisions":[{');
  }).toPass();
  await crashing.app.evaluate(({ webContents }) => webContents.getAllWebContents()[0]?.forcefullyCrashRenderer());
  await expect.poll(() => readCrashDumps(home).length).toBeGreaterThan(0);
  // Counts the dumps, because the crash of a page may leave more than one.
  const { length: count } = readCrashDumps(home);
  const ended = crashing.app.waitForEvent('close');
  await crashing.app.evaluate(() => void setImmediate(() => process.crash()));
  await ended;
  await expect.poll(() => readCrashDumps(home).length).toBeGreaterThan(count);
  const dumps = readCrashDumps(home);

  const desk = await launch();
  const { page } = desk;
  // Signs in again, unless the session is stored in a keychain.
  const signInAgain = page.getByRole('button', { name: 'Sign in' }).filter({ visible: true });
  await expect(signInAgain.or(page.getByRole('navigation')).first()).toBeVisible();
  if (await signInAgain.isVisible()) await allowSignIn(desk);
  await openSection(page, 'New upload');
  await expect(page.getByText('Continued from')).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Left out (1)' })).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Choose assignment (1)' })).toBeVisible();
  await openSection(page, 'Help');
  await page.getByRole('button', { name: 'Troubleshoot', exact: true }).click();
  const choice = page.getByRole('checkbox', { name: `Include ${dumps.length} crash dumps` });
  await expect(choice).not.toBeChecked();
  await expect(choice).toHaveAccessibleDescription(/tokens, names of files and parts of documents/);
  const save = async (name: string): Promise<Unzipped> => {
    const path = join(documents, name);
    await desk.saveFile(() => page.getByRole('button', { name: 'Save for support' }).click(), path);
    await expect(page.getByText(`Saved: ${path}`)).toBeVisible();
    return unzipSync(await readFile(path));
  };
  const without = await save('without.zip');
  expect(Object.keys(without).filter((name) => name.startsWith('crashes'))).toEqual([]);
  const report = DoctorReport.parse(JSON.parse(strFromU8(without['doctor.json'] ?? new Uint8Array())));
  expect(report.crashDumps).toEqual(dumps);
  expect(strFromU8(without['doctor.txt'] ?? new Uint8Array()).match(/^Crash dump of .+ (?:MB|kB)$/gm)).toHaveLength(
    dumps.length,
  );

  await choice.check();
  const whole = await save('with.zip');
  for (const { file, sizeBytes } of dumps) {
    const dump = whole[`crashes/${file}`];
    expect(dump).toHaveLength(sizeBytes);
    expect(strFromU8(dump?.subarray(0, 4) ?? new Uint8Array())).toBe('MDMP');
  }
  await desk.close();
});

test('an uncaught exception restarts the app, which says so; another one soon afterwards ends it', async ({
  launch,
  home,
  documents,
}) => {
  /** Throws in main. Resolves to the arguments of the restart, or of the error box, once the app has ended. */
  const fail = async ({ app }: ElectronDriver): Promise<unknown> => {
    const file = join(documents, `${randomUUID()}.json`);
    await app.evaluate(({ app: main, dialog }, to) => {
      const { writeFileSync } = process.getBuiltinModule('node:fs');
      main.relaunch = ({ args } = {}) => writeFileSync(to, JSON.stringify(args));
      dialog.showErrorBox = (...box) => writeFileSync(to, JSON.stringify(box));
    }, file);
    const ended = app.waitForEvent('close');
    await app.evaluate(
      () =>
        void setImmediate(() => {
          throw new Error('a fault of this test');
        }),
    );
    await ended;
    return JSON.parse(await readFile(file, 'utf8'));
  };
  expect(await fail((await launch()) as ElectronDriver)).toEqual(
    expect.arrayContaining(['--home', home, '--restarted']),
  );
  const again = await launchElectron({ home, env: { INSPECTION_DESK_TOKEN_STORE: 'memory' }, given: ['--restarted'] });
  await expect(again.page.getByText('Inspection Desk restarted after an unexpected error.')).toBeVisible();
  expect(await fail(again)).toEqual(['Inspection Desk', expect.stringContaining('app/bug')]);
});
