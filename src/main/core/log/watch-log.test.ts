import { expect, test } from 'vitest';
import { DeskError, toErrorData } from '../../../contract/errors.ts';
import type { Batch } from '../../../contract/uploads.ts';
import { createUploadLog } from './watch-log.ts';

const reason = toErrorData(new DeskError('service/unreachable', 'gone', { details: { host: 'a.example' } }));
const batch: Batch = {
  ...{ batchId: 'b', uploadId: 'u', AssignmentId: 'a', root: '/home/anna/Photos', state: 'running' },
  ...{ files: 3, uploaded: 1, skipped: 0, failed: 2, cancelled: 0, bytes: 9, bytesSent: 3, bytesPerSecond: 0 },
  ...{ createdAtMs: 0, leftOut: { hidden: 0, system: 0, links: 0, special: 0, unreadable: 0 } },
};

test('an upload is logged from its start to its end, each wait and pause once, without names of folders', async () => {
  const lines: (readonly [string, object])[] = [];
  let nowMs = 0;
  const log = createUploadLog(
    (event, fields) => void lines.push([event, fields]),
    async () => [{ code: 'upload/denied', files: 2 }],
    () => nowMs,
  );
  const see = (change: Partial<Batch>, atMs: number) => {
    nowMs = atMs;
    const { reason: _, ...without } = batch;
    log.see({ ...without, ...change });
  };
  see({ state: 'scanning' }, 0);
  see({}, 0);
  see({ reason }, 1_000);
  see({ reason }, 2_000);
  see({}, 61_000);
  see({ state: 'paused', reason }, 62_000);
  see({}, 63_000);
  see({ state: 'finished', finishedAtMs: 70_000 }, 70_000);
  see({ state: 'finished', finishedAtMs: 70_000 }, 71_000);
  await expect.poll(() => lines.at(-1)?.[0]).toBe('upload.ended');
  const of = { batch: 'b', upload: 'u' };
  expect(lines).toEqual([
    ['upload.started', of],
    ['upload.waits', { ...of, code: 'service/unreachable', details: { host: 'a.example' } }],
    ['upload.continues', { ...of, waitedSeconds: 60 }],
    ['upload.paused', { ...of, code: 'service/unreachable' }],
    ['upload.started', of],
    [
      'upload.ended',
      {
        ...{ ...of, state: 'finished', files: 3, uploaded: 1, skipped: 0, failed: 2, cancelled: 0, bytes: 9 },
        ...{ seconds: 70, reasons: { 'upload/denied': 2 } },
      },
    ],
  ]);
});

test('uploads that ended before the app started are not logged again', () => {
  const lines: string[] = [];
  const log = createUploadLog(
    (event) => void lines.push(event),
    async () => [],
  );
  log.see({ ...batch, state: 'finished' });
  expect(lines).toEqual([]);
});
