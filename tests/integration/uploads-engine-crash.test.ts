/** The thread of the upload engine dies under a running batch: it is started anew, and the batch goes on. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { openSignedIn, slow } from './support/desks.ts';
import { makeDirectory, makeFolder, manyFiles } from './support/folders.ts';
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
