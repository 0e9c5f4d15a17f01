/**
 * Places that a user chooses, with a command or in the window, for files that the app writes. The app does not write to
 * pipes, to devices, or to its own data.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cli } from '../integration/support/cli.ts';
import { openSignedIn } from '../integration/support/desks.ts';
import { makeDirectory, makeFolder } from '../integration/support/folders.ts';
import { onWindows } from '../integration/support/runtime.ts';
import { useSandbox } from '../integration/support/sandbox.ts';

const sandbox = useSandbox();

/**
 * Returns places that must not be written to: a pipe, a device, the ledger, a new file next to the ledger, and a link
 * to the ledger.
 */
const places = (home: string) => {
  const elsewhere = makeDirectory();
  const pipe = join(elsewhere, 'pipe.csv');
  const link = join(elsewhere, 'link.csv');
  execFileSync('mkfifo', [pipe]);
  symlinkSync(join(home, 'ledger.sqlite'), link);
  return [
    { path: pipe, code: 'output/not-a-file' },
    { path: '/dev/full', code: 'output/not-a-file' },
    { path: join(home, 'ledger.sqlite'), code: 'output/data-directory' },
    { path: join(home, 'report.csv'), code: 'output/data-directory' },
    { path: link, code: 'output/data-directory' },
  ] as const;
};

const modes = (paths: readonly { readonly path: string }[]) =>
  paths.map(({ path }) => lstatSync(path, { throwIfNoEntry: false })?.mode);

// Windows has no such pipes and devices.
describe.skipIf(onWindows)('B14: nothing but a file of the user is replaced', () => {
  test('by reports, receipts and the file for support of a command', async () => {
    const options = { sandbox: sandbox.address, home: makeDirectory() };
    const root = makeFolder({ 'a.txt': 'a' });
    const { lines } = await cli(['upload', root, '--assignment', sandbox.newAssignment()], options);
    const batch = String(lines.at(-1)?.batch);
    const refused = places(options.home);
    const before = [modes(refused), readFileSync(join(options.home, 'ledger.sqlite'))];
    for (const { path, code } of refused) {
      const commands = [
        ['uploads', 'report', batch, '--out', path],
        ['uploads', 'report', batch, '--out', path, '--receipt', '--format', 'xlsx'],
        ['doctor', '--bundle', path],
      ];
      for (const command of commands)
        expect(await cli(command, options)).toMatchObject({
          exitCode: 2,
          lines: [{ error: { code, details: { path } } }],
        });
    }
    const folder = join(options.home, 'receipts');
    expect(await cli(['uploads', 'report', batch, '--out', folder, '--each-assignment'], options)).toMatchObject({
      exitCode: 2,
      lines: [{ error: { code: 'output/data-directory' } }],
    });
    expect(lstatSync(folder, { throwIfNoEntry: false })).toBeUndefined();
    expect([modes(refused), readFileSync(join(options.home, 'ledger.sqlite'))]).toEqual(before);
  });

  test('by a table, receipts and the file for support of the window', async () => {
    let chosen = '';
    const home = makeDirectory();
    const desk = await openSignedIn({
      sandbox: sandbox.address,
      home,
      host: { pickSavePath: async () => chosen, pickFolder: async () => join(home, 'logs') },
    });
    const { batchId } = await desk.upload(makeFolder({ 'a.txt': 'a' }), sandbox.newAssignment());
    const { doctor, export: exports, receipts } = desk.handlers;
    for (const { path, code } of places(home)) {
      chosen = path;
      await expect(exports.begin({ name: 'Protocols', type: 'csv', header: ['a'] })).rejects.toMatchObject({ code });
      await expect(doctor.saveBundle({ crashDumps: false })).rejects.toMatchObject({ code });
      const receipt = {
        batchIds: [batchId],
        format: 'csv',
        eachAssignment: false,
        listsFiles: false,
        beside: false,
      } as const;
      await expect(receipts.save(receipt)).rejects.toMatchObject({ code });
    }
  });

  test('by a receipt beside a shared folder, where another user creates links', async () => {
    const desk = await openSignedIn({ sandbox: sandbox.address });
    const root = makeFolder({ 'a.txt': 'a' });
    const beside = makeDirectory();
    renameSync(root, join(beside, 'Job'));
    const { batchId } = await desk.upload(join(beside, 'Job'), sandbox.newAssignment());
    const order = {
      batchIds: [batchId],
      format: 'csv',
      eachAssignment: false,
      listsFiles: false,
      beside: true,
    } as const;
    const { path = '' } = (await desk.handlers.receipts.save(order)) ?? {};
    const target = join(makeDirectory(), 'target');
    rmSync(path);
    symlinkSync(target, path);
    const second = (await desk.handlers.receipts.save(order))?.path ?? '';
    expect(readFileSync(second, 'utf8')).toContain('a.txt');
    expect(readlinkSync(path)).toBe(target);
    expect(existsSync(target)).toBe(false);
  });

  test('and a receipt in whose place another user puts a link is not opened', async () => {
    const opened: string[] = [];
    const open = (path: string): void => void opened.push(path);
    const desk = await openSignedIn({
      sandbox: sandbox.address,
      host: { openFile: async (path) => open(path), showInFolder: open },
    });
    const root = makeFolder({ 'Job/a.txt': 'a' });
    const { batchId } = await desk.upload(join(root, 'Job'), sandbox.newAssignment());
    const order = {
      batchIds: [batchId],
      format: 'csv',
      eachAssignment: false,
      listsFiles: false,
      beside: true,
    } as const;
    const { savedId = '', path = '' } = (await desk.handlers.receipts.save(order)) ?? {};
    await desk.handlers.receipts.open({ savedId });
    expect(opened.splice(0)).toEqual([path]);
    const program = join(makeFolder({ 'program.app': '' }), 'program.app');
    rmSync(path);
    symlinkSync(program, path);
    const refused = { code: 'upload/file-linked', details: { path } };
    await expect(desk.handlers.receipts.open({ savedId })).rejects.toMatchObject(refused);
    await expect(desk.handlers.receipts.show({ savedId })).rejects.toMatchObject(refused);
    expect(opened).toEqual([]);
  });
});
