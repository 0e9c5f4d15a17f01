import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { ErrorCode } from '../../src/contract/errors.ts';
import { openDesk, openSignedIn, type TestDesk } from './support/desks.ts';
import { makeDirectory, makeFolder, writeTree } from './support/folders.ts';
import { always, useSandbox } from './support/sandbox.ts';

const sandbox = useSandbox();

test('preferences and remembered views survive a restart', async () => {
  const desk = await openDesk();
  await desk.handlers.preferences.set({ appearance: 'dark', timeBase: 'seconds' });
  expect(desk.events.at(-1)).toMatchObject({
    type: 'preferences',
    value: { appearance: 'dark', language: 'system', timeBase: 'seconds', concurrency: 'auto' },
  });
  await desk.handlers.view.remember({ key: 'protocols.columns', value: { City: 180 } });
  await desk.handlers.view.remember({ key: 'place', value: 'projects' });
  await desk.handlers.view.remember({ key: 'place', value: null });
  await desk.close();

  const again = await openDesk({ home: desk.home });
  expect(await again.handlers.app.snapshot(undefined)).toMatchObject({
    preferences: { appearance: 'dark', timeBase: 'seconds' },
    views: { 'protocols.columns': { City: 180 } },
  });
});

test('refuses more remembered views than the limit', async () => {
  const { handlers } = await openDesk();
  for (let key = 0; key < 100; key += 1) await handlers.view.remember({ key: `key-${key}`, value: key });
  await expect(async () => handlers.view.remember({ key: 'one-more', value: 1 })).rejects.toMatchObject({
    code: 'input/invalid',
  });
});

type Table = { readonly name: string; readonly header: string[]; readonly rows: (string | number)[][] };

const saveCsv = async ({ handlers }: Pick<TestDesk, 'handlers'>, { rows, ...sheet }: Table) => {
  const file = await handlers.export.begin({ ...sheet, type: 'csv' });
  if (!file) return undefined;
  await handlers.export.rows({ ...file, rows });
  return handlers.export.finish(file);
};

test('a table that is begun while another one is begun, or finished, is written', async () => {
  const folder = makeDirectory();
  const { handlers } = await openDesk({ host: { pickSavePath: async (name: string) => join(folder, name) } });
  const begin = async (name: string) => {
    const file = await handlers.export.begin({ name, header: ['City'], type: 'csv' });
    if (!file) throw new Error('nothing was chosen');
    return file;
  };
  await begin('abandoned');
  const [, second] = await Promise.all([begin('first'), begin('second')]);
  await handlers.export.rows({ ...second, rows: [['Oslo']] });
  const [, third] = await Promise.all([handlers.export.finish(second), begin('third')]);
  await handlers.export.rows({ ...third, rows: [['Bergen']] });
  await handlers.export.finish(third);
  expect(readdirSync(folder).toSorted()).toEqual(['second.csv', 'third.csv']);
});

test('writes a table and a report to the chosen path, and nothing without a choice', async () => {
  const folder = makeDirectory();
  const proposed: string[] = [];
  const pickSavePath = async (name: string, extensions: readonly string[]) => {
    proposed.push(`${name} as ${extensions}`);
    return proposed.length === 1 ? undefined : join(folder, name);
  };
  const shown: string[] = [];
  const showInFolder = (path: string) => void shown.push(path);
  const desk = await openSignedIn({ sandbox: sandbox.address, host: { pickSavePath, showInFolder } });
  const table = { name: 'Protocols: å/b', header: ['City', 'Points'], rows: [['=1+1', -3]] };
  expect(await saveCsv(desk, table)).toBeUndefined();
  const saved = await saveCsv(desk, table);
  expect(proposed).toEqual(['Protocols  å b.csv as csv', 'Protocols  å b.csv as csv']);
  expect(readFileSync(saved?.path ?? '', 'utf8')).toBe('\uFEFF"City","Points"\r\n"\'=1+1",-3\r\n');

  const AssignmentId = sandbox.newAssignment();
  await desk.handlers.assignments.projects({});
  const root = join(makeDirectory(), 'Job');
  writeTree(root, { 'good.txt': 'good', 'other.txt': 'other' });
  const { batchId } = await desk.upload(root, AssignmentId);
  const order = { batchIds: [batchId], format: 'csv', eachAssignment: false, listsFiles: false } as const;
  const receipt = await desk.handlers.receipts.save({ ...order, beside: false });
  expect(proposed.at(-1)).toMatch(new RegExp(`^${basename(root)} receipt \\d{4}-\\d\\d-\\d\\d\\.csv as csv$`));
  expect(readFileSync(receipt?.path ?? '', 'utf8')).toContain('good.txt');
  await desk.handlers.receipts.show({ savedId: receipt?.savedId ?? '' });
  expect(shown.splice(0)).toEqual([receipt?.path]);
  // The receipts are saved next to the folder, where no scan of the folder finds them, and replace no file.
  for (const ending of ['', ' (2)']) {
    const { path = '' } = (await desk.handlers.receipts.save({ ...order, beside: true })) ?? {};
    expect(dirname(path)).toBe(dirname(root));
    expect(path.endsWith(`${ending}.csv`)).toBe(true);
  }
  await expect(desk.handlers.receipts.save({ ...order, format: 'pdf', beside: false })).rejects.toMatchObject({
    code: 'app/unsupported',
  });
  await desk.handlers.uploads.reveal({ batchId });
  expect(shown.splice(0)).toEqual([root]);
  // If a folder is missing, file managers show nothing and report no error, so the app has to check.
  rmSync(root, { recursive: true });
  await expect(desk.handlers.uploads.reveal({ batchId })).rejects.toMatchObject({
    code: 'upload/folder-missing',
    details: { path: root },
  });
  rmSync(receipt?.path ?? '');
  await expect(desk.handlers.receipts.show({ savedId: receipt?.savedId ?? '' })).rejects.toMatchObject({
    code: 'upload/file-missing',
    details: { path: receipt?.path },
  });
  expect(shown).toEqual([]);
  const { batches } = await desk.handlers.app.snapshot(undefined);
  expect(batches).toMatchObject([{ batchId, title: expect.any(String) }]);
});

test('writes a long table while its rows arrive, and leaves nothing of one that is cancelled', async () => {
  const folder = makeDirectory();
  const pickSavePath = async (name: string) => join(folder, name);
  const desk = await openSignedIn({ sandbox: sandbox.address, host: { pickSavePath } });
  const { begin, rows, finish, cancel } = desk.handlers.export;
  const head = { name: 'Streets', type: 'csv', header: ['City', 'Points'] } as const;
  const row = (index: number) => [`Street ${index}`, index + 0.5];
  await desk.handlers.preferences.set({ formats: 'sv' });
  const file = (await begin(head)) ?? expect.fail('cancelled');
  for (let from = 0; from < 5000; from += 1000)
    await rows({ ...file, rows: Array.from({ length: 1000 }, (_, at) => row(from + at)) });
  // Until it is complete, the file has another name.
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^Streets\.csv\..*\.part$/)]);
  const { path = '' } = (await finish(file)) ?? {};
  const lines = readFileSync(path, 'utf8').trimEnd().split('\r\n');
  expect(lines).toHaveLength(5001);
  expect(lines[2500]).toBe('"Street 2499";2499,5');
  await expect(rows({ ...file, rows: [] })).rejects.toMatchObject({ code: 'input/invalid' });

  const other = (await begin({ ...head, name: 'Other', type: 'xlsx' })) ?? expect.fail('cancelled');
  await rows({ ...other, rows: [row(1)] });
  await cancel(other);
  expect(readdirSync(folder)).toEqual(['Streets.csv']);
  // Beginning a table abandons an unfinished one.
  await begin({ ...head, name: 'Other' });
  const last = (await begin(head)) ?? expect.fail('cancelled');
  await finish(last);
  expect(readdirSync(folder)).toEqual(['Streets.csv']);
  expect(readFileSync(path, 'utf8').trimEnd().split('\r\n')).toHaveLength(1);
  // The same holds while the user still chooses the path of the unfinished one.
  const [, newest] = await Promise.all([begin({ ...head, name: 'Other' }), begin(head)]);
  await finish(newest ?? expect.fail('cancelled'));
  expect(readdirSync(folder)).toEqual(['Streets.csv']);
});

test('saves a table in the chosen number format', async () => {
  const folder = makeDirectory();
  const pickSavePath = async (name: string) => join(folder, name);
  const desk = await openSignedIn({ sandbox: sandbox.address, host: { pickSavePath } });
  const table = { name: 'Protocols', header: ['City', 'Points'], rows: [['Malmö; väst', 1.5]] };
  const saved = async (formats: 'en' | 'sv' | 'de') => {
    await desk.handlers.preferences.set({ formats });
    return readFileSync((await saveCsv(desk, table))?.path ?? '', 'utf8');
  };
  expect(await saved('en')).toBe('\uFEFF"City","Points"\r\n"Malmö; väst",1.5\r\n');
  for (const formats of ['sv', 'de'] as const)
    expect(await saved(formats)).toBe('\uFEFF"City";"Points"\r\n"Malmö; väst";1,5\r\n');
});

test('counts and lists failed files by reason', async () => {
  const desk = await openSignedIn({ sandbox: sandbox.address });
  await sandbox.control.faults.add(always('storage-put', { type: 'status', status: 413 }));
  const { batchId, failed } = await desk.upload(makeFolder({ 'a.txt': 'a', 'b.txt': 'b' }), sandbox.newAssignment());
  expect(failed).toBe(2);
  expect(await desk.handlers.uploads.errorGroups({ batchId })).toEqual([{ code: 'upload/too-large', files: 2 }]);
  const listed = async (error: ErrorCode) => {
    const { files, total } = await desk.handlers.uploads.files({ batchId, error, offset: 0, limit: 1 });
    return [files.map(({ path }) => path), total];
  };
  expect(await listed('upload/too-large')).toEqual([['a.txt'], 2]);
  expect(await listed('upload/refused')).toEqual([[], 0]);
});

test('a host without dialogs reports that', async () => {
  const desk = await openDesk();
  await expect(async () => desk.handlers.app.openLogs(undefined)).rejects.toMatchObject({ code: 'app/unsupported' });
  await expect(saveCsv(desk, { name: 'x', header: [], rows: [] })).rejects.toMatchObject({ code: 'app/unsupported' });
});
