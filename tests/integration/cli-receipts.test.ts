/**
 * `uploads report` for users: receipts of a batch or of a whole upload, in every format that Node can write without
 * Electron.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { beforeEach, expect, test } from 'vitest';
import { openLedger } from '../../src/main/uploads/ledger/ledger.ts';
import { type CliOptions, cli } from './support/cli.ts';
import { withoutBackoff } from './support/desks.ts';
import { makeDirectory, makeFolder } from './support/folders.ts';
import { useSandbox } from './support/sandbox.ts';

const sandbox = useSandbox();

let assignment: string;
let options: CliOptions;
/** The folder in which the receipts are saved. */
let place: string;
beforeEach(() => {
  withoutBackoff();
  assignment = sandbox.newAssignment();
  options = { sandbox: sandbox.address, home: makeDirectory() };
  place = makeDirectory();
});
const run = (...args: readonly string[]) => cli(args, options);

/** Uploads a folder. Resolves to the ids of its batch and of its upload. */
const upload = async () => {
  const root = makeFolder({ '=cmd.txt': 'x', 'in/plain.txt': 'yy' });
  const { lines } = await run('upload', root, '--assignment', assignment);
  const batch = String(lines.at(-1)?.batch);
  const ledger = openLedger(join(options.home, 'ledger.sqlite'));
  const uploadId = ledger.batches.get(batch)?.uploadId ?? '';
  ledger.close();
  return { batch, uploadId };
};

test('a receipt is written as Excel, CSV and JSON, in the language of the command line', async () => {
  options = { ...options, env: { LANG: 'sv_SE.UTF-8' } };
  const { batch } = await upload();
  const out = (name: string) => join(place, name);
  expect(await run('uploads', 'report', batch, '--out', out('r.xlsx'))).toMatchObject({
    exitCode: 0,
    lines: [{ batch, file: out('r.xlsx'), files: 2 }],
  });
  const sheet = strFromU8(unzipSync(readFileSync(out('r.xlsx')))['xl/worksheets/sheet2.xml'] ?? new Uint8Array());
  expect(sheet).toContain('<t xml:space="preserve">=cmd.txt</t>');
  expect(sheet).toContain('uppladdad');

  await run('uploads', 'report', batch, '--out', out('r.csv'), '--receipt');
  expect(readFileSync(out('r.csv'), 'utf8')).toMatch(/^\ufeff"Kvitto på uppladdning"/);
  await run('uploads', 'report', batch, '--out', out('r.json'), '--receipt');
  expect(JSON.parse(readFileSync(out('r.json'), 'utf8'))).toMatchObject({
    service: sandbox.address.baseUrl,
    files: 2,
    uploaded: 2,
    assignments: [{ AssignmentId: assignment, folders: [{ files: [{ Key: expect.any(String) }, {}] }] }],
  });
});

test('an upload has one receipt, or one for each assignment in a folder', async () => {
  const { uploadId } = await upload();
  const whole = join(place, 'whole.json');
  expect(await run('uploads', 'report', '--upload', uploadId, '--out', whole)).toMatchObject({
    exitCode: 0,
    lines: [{ upload: uploadId, files: 2 }],
  });
  expect(JSON.parse(readFileSync(whole, 'utf8'))).toMatchObject({
    upload: uploadId,
    batches: [{ assignment, files: [{ file: '=cmd.txt' }, { file: 'in/plain.txt' }] }],
  });
  const each = join(place, 'each');
  await run('uploads', 'report', '--upload', uploadId, '--out', each, '--each-assignment', '--format', 'xlsx');
  expect(readdirSync(each)).toEqual([expect.stringMatching(/ receipt \d{4}-\d\d-\d\d\.xlsx$/)]);
});

test('a PDF needs the installed app, and either a batch or an upload is reported', async () => {
  const refused = await run('uploads', 'report', 'any', '--out', 'r.pdf');
  expect(refused).toMatchObject({ exitCode: 2, lines: [{ type: 'error', error: { code: 'input/invalid' } }] });
  expect(refused.stderr).toContain('A PDF can only be written by the installed app; use .xlsx or .csv.');
  for (const which of [[], ['any', '--upload', 'other']]) {
    expect(await run('uploads', 'report', ...which, '--out', 'r.csv')).toMatchObject({ exitCode: 2 });
  }
  const unknown = await run('uploads', 'report', '--upload', '00000000-0000-4000-8000-000000000000', '--out', 'r.csv');
  expect(unknown).toMatchObject({ lines: [{ type: 'error', error: { code: 'upload/batch-unknown' } }] });
});

test('a report sums up what was uploaded in a period', async () => {
  await upload();
  const report = async (...more: readonly string[]) => {
    const out = join(place, 'report.json');
    expect(await run('uploads', 'report', '--out', out, ...more)).toMatchObject({
      exitCode: 0,
      lines: [{ file: out }],
    });
    return JSON.parse(readFileSync(out, 'utf8'));
  };
  expect(await report('--period', 'this-month')).toMatchObject({
    report: { by: 'assignment' },
    files: 2,
    uploaded: 2,
    lines: [{ files: 2 }],
    assignments: [],
  });
  expect(await report('--period', 'this-month', '--by', 'person', '--list-files')).toMatchObject({
    lines: [{ assignments: 1, uploaded: 2 }],
    assignments: [{ folders: [{ files: [{}, {}] }] }],
  });
  expect(await report('--period', '2025-01')).toMatchObject({ files: 0, lines: [] });
  for (const more of [
    ['--period', 'sometime'],
    ['any', '--period', 'this-month'],
    ['--period', 'this-month', '--receipt'],
  ])
    expect(await run('uploads', 'report', '--out', join(place, 'r.json'), ...more)).toMatchObject({ exitCode: 2 });
});
