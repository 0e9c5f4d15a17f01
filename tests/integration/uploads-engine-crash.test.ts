/** A thread dies under a running batch: it is started anew, and the batch goes on. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { openSignedIn, slow } from './support/desks.ts';
import { bytes, makeDirectory, makeFolder, manyFiles, sha256 } from './support/folders.ts';
import { expectStored, useSandbox } from './support/sandbox.ts';

const sandbox = useSandbox();

test('what was running goes on by itself, and whoever waits for its end gets it', async () => {
  const sign = join(makeDirectory(), 'die');
  vi.stubEnv('DIE_AT', sign);
  const uploadWorker = new URL('./support/worker-that-dies.ts', import.meta.url);
  const desk = await openSignedIn({ sandbox: sandbox.address, host: { uploadWorker }, ...slow });
  const assignment = sandbox.newAssignment();
  const files = manyFiles(40);
  const { batch } = await desk.uploads.start({ root: makeFolder(files), assignmentId: assignment });
  const ended = desk.uploads.ended(batch);
  await desk.when(batch, ({ uploaded }) => uploaded >= 5);
  writeFileSync(sign, '');

  expect(await ended).toMatchObject({ state: 'finished', uploaded: 40, failed: 0 });
  await expectStored(sandbox.control, assignment, files);
  expect(readFileSync(join(desk.home, 'logs', 'inspection-desk.log'), 'utf8')).toContain('worker-that-dies.ts');
});

test('the death of the thread that hashes costs a file one more try', async () => {
  const sign = join(makeDirectory(), 'die');
  vi.stubEnv('DIE_AT', sign);
  const hashThread = new URL('./support/hash-thread-that-dies.ts', import.meta.url);
  const desk = await openSignedIn({ sandbox: sandbox.address, host: { hashThread }, bytesPerSecond: 20_000_000 });
  const assignment = sandbox.newAssignment();
  const files = { 'large.bin': bytes(8_000_000) };
  const { batch } = await desk.uploads.start({ root: makeFolder(files), assignmentId: assignment });
  await desk.when(batch, ({ bytesSent }) => bytesSent > 0);
  writeFileSync(sign, '');

  expect(await desk.uploads.ended(batch)).toMatchObject({ state: 'finished', uploaded: 1, failed: 0 });
  expect((await desk.filesOf(batch))['large.bin']).toMatchObject({ attempts: 2, sha256: sha256(files['large.bin']) });
  await expectStored(sandbox.control, assignment, files);
  expect(readFileSync(join(desk.home, 'logs', 'inspection-desk.log'), 'utf8')).toContain('hash-thread-that-dies.ts');
});
