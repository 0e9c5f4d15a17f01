/** Receipts that are saved automatically at the end of an upload. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { cli, ofType } from './support/cli.ts';
import { createTestKeychain, openDesk, openSignedIn, withoutBackoff } from './support/desks.ts';
import { openDraft, startDraft } from './support/drafts.ts';
import { makeDirectory, writeTree } from './support/folders.ts';
import { always, useSandbox } from './support/sandbox.ts';

const sandbox = useSandbox();

/** Creates a folder inside a new folder, so that a receipt next to it can be found. */
const makeJob = (): string => {
  const root = join(makeDirectory(), 'job');
  mkdirSync(root);
  writeTree(root, { 'a.txt': 'a' });
  return root;
};
const beside = (root: string): readonly string[] => readdirSync(dirname(root)).filter((name) => name !== 'job');

test('the command line names the receipt that an upload ends with', async () => {
  withoutBackoff();
  const [root, assignment] = [makeJob(), sandbox.newAssignment()];
  const options = { sandbox: sandbox.address, home: makeDirectory() };
  const run = await cli(['upload', root, '--assignment', assignment, '--receipt', 'json'], options);
  expect(run.exitCode).toBe(0);
  expect(run.lines.at(-1)).toMatchObject({ type: 'summary' });
  const [{ path } = { path: '' }] = ofType(run, 'receipt');
  expect(beside(root)).toEqual([String(path).slice(dirname(root).length + 1)]);
  expect(readFileSync(String(path), 'utf8')).toContain(assignment);
  // Another command saves no second receipt at its end.
  await cli(['uploads', 'resume'], options);
  expect(beside(root)).toHaveLength(1);
  const pdf = ['upload', root, '--assignment', assignment, '--receipt', 'pdf'];
  expect(await cli(pdf, options)).toMatchObject({ exitCode: 2 });
});

test('a retry that reopens an upload ends with a receipt, too', async () => {
  withoutBackoff();
  const [root, assignment] = [makeJob(), sandbox.newAssignment()];
  const options = { sandbox: sandbox.address, home: makeDirectory() };
  await sandbox.control.faults.add(always('sign-upload', { type: 'status', status: 400 }));
  const failed = await cli(['upload', root, '--assignment', assignment, '--receipt', 'json'], options);
  expect(failed.exitCode).toBe(1);
  await sandbox.control.faults.clear();
  const retried = await cli(['uploads', 'retry'], options);
  expect(retried.exitCode).toBe(0);
  const receipts = [failed, retried].map((run) => String(ofType(run, 'receipt')[0]?.path));
  expect(receipts.map((path) => JSON.parse(readFileSync(path, 'utf8')))).toMatchObject([
    { uploaded: 0, failed: 1 },
    { uploaded: 1, failed: 0 },
  ]);
  await cli(['uploads', 'retry'], options);
  expect(beside(root)).toHaveLength(2);
});

test('a retry in the app that has saved the first receipt saves another one', async () => {
  const root = makeJob();
  const desk = await openSignedIn({ sandbox: sandbox.address });
  await sandbox.control.faults.add(always('sign-upload', { type: 'status', status: 400 }));
  const rules = { receipt: 'json' } as const;
  const { batchId } = await desk.uploads.start({ root, assignmentId: sandbox.newAssignment(), ...rules });
  await expect.poll(() => beside(root)).toHaveLength(1);
  await sandbox.control.faults.clear();
  await desk.handlers.uploads.retryFailed({ batchId });
  await expect.poll(() => beside(root)).toHaveLength(2);
});

test('a receipt that could not be saved here is saved by the next run of the app', async () => {
  withoutBackoff();
  const [home, keychain, root] = [makeDirectory(), createTestKeychain(), makeJob()];
  const common = { sandbox: sandbox.address, home, keychain };
  const first = await openSignedIn({ ...common, host: { handOver: async (path) => path } });
  await openDraft(first, [root], sandbox.newAssignment());
  const { batchId } = await startDraft(first, { receipt: 'csv' });
  expect(await first.uploads.ended(batchId)).toMatchObject({ state: 'finished', receipt: 'csv' });
  await first.close();
  expect(beside(root)).toEqual([]);
  const second = await openDesk(common);
  await second.when(batchId, ({ receipt }) => receipt === undefined);
  expect(beside(root)).toEqual([expect.stringMatching(/\.csv$/)]);
  expect(existsSync(root)).toBe(true);
});
