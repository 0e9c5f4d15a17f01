/** A batch in which every file fails pauses with the reason instead of failing all its files. */
import { expect, test } from 'vitest';
import { isStoppedByFiles } from '../../src/contract/uploads.ts';
import { FAILED_IN_A_ROW } from '../../src/main/uploads/engine/batch-supervisor.ts';
import { openSignedIn } from './support/desks.ts';
import { makeFolder, manyFiles } from './support/folders.ts';
import { always, expectStored, useSandbox } from './support/sandbox.ts';

const sandbox = useSandbox();
const concurrency = 4;

test('pauses with the reason, leaves the other files queued, and continues when resumed', async () => {
  const desk = await openSignedIn({ sandbox: sandbox.address, concurrency });
  const assignment = sandbox.newAssignment();
  const files = manyFiles(60);
  await sandbox.control.faults.add(always('storage-put', { type: 'status', status: 403 }));

  const { batchId, ...paused } = await desk.upload(makeFolder(files), assignment);
  expect(paused).toMatchObject({ state: 'paused', uploaded: 0, reason: { code: 'upload/denied' } });
  expect(isStoppedByFiles(paused)).toBe(true);
  expect(paused.failed).toBeGreaterThanOrEqual(FAILED_IN_A_ROW);
  expect(paused.failed).toBeLessThan(FAILED_IN_A_ROW + concurrency);

  await sandbox.control.faults.clear();
  await desk.uploads.resume(batchId);
  const { failed } = paused;
  expect(await desk.uploads.ended(batchId)).toMatchObject({ state: 'finished', uploaded: 60 - failed, failed });
  await desk.uploads.retryFailed(batchId);
  expect(await desk.uploads.ended(batchId)).toMatchObject({ state: 'finished', uploaded: 60, failed: 0 });
  await expectStored(sandbox.control, assignment, files);
});
