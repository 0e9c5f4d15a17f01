import { expect, test } from 'vitest';
import type { Batch } from '../../../contract/uploads.ts';
import { sampleBatch } from '../../testing/sample-batch.ts';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { asOne, folderNames, groupUploads, progressOfUpload, uploadText } from './whole-upload.ts';

speakEnglish();

const batch = (batchId: string, more: Partial<Batch> = {}): Batch => ({
  ...sampleBatch,
  batchId,
  uploadId: 'together',
  root: `/jobs/${batchId}`,
  state: 'finished',
  files: 10,
  uploaded: 10,
  bytes: 100,
  bytesSent: 100,
  ...more,
});
const uploadOf = (...batches: readonly Batch[]) => {
  const [upload] = groupUploads(batches);
  if (upload === undefined) throw new Error('there is no upload');
  return upload;
};

test('batches that were started together are one upload; those in progress come first, then the newest', () => {
  const uploads = groupUploads([
    batch('old', { uploadId: 'old', createdAtMs: 1 }),
    batch('a', { createdAtMs: 2 }),
    batch('new', { uploadId: 'new', createdAtMs: 3 }),
    batch('b', { createdAtMs: 2, state: 'running' }),
  ]);
  expect(uploads.map(({ uploadId, batches }) => [uploadId, batches.length])).toEqual([
    ['together', 2],
    ['new', 1],
    ['old', 1],
  ]);
});

test('an upload of one batch is shown as that batch', () => {
  const only = batch('a', { state: 'scanning' });
  expect(asOne([only])).toBe(only);
  expect(progressOfUpload(uploadOf(only))).toEqual({});
});

test('counts are added up, and the reason is that of a batch in the state of the whole', () => {
  const reason = { code: 'auth/expired', message: '', retry: 'never', details: {} } as const;
  const whole = asOne([
    batch('a', { failed: 1, uploaded: 9, notReplaced: 2 }),
    batch('b', { state: 'paused', reason, bytesSent: 20 }),
    batch('c', { state: 'cancelled' }),
  ]);
  expect(whole).toMatchObject({ state: 'paused', reason, files: 30, uploaded: 29, failed: 1, bytesSent: 220 });
  expect(whole).toMatchObject({ root: 'jobs', notReplaced: 2 });
});

test.each<[Batch['state'][], Batch['state']]>([
  [['scanning', 'scanning'], 'scanning'],
  [['scanning', 'finished'], 'running'],
  [['running', 'paused'], 'running'],
  [['paused', 'finished'], 'paused'],
  [['finished', 'cancelled'], 'finished'],
  [['cancelled', 'cancelled'], 'cancelled'],
])('%j is %s', (states, state) => {
  expect(asOne(states.map((one, index) => batch(String(index), { state: one })))?.state).toBe(state);
});

test('the progress moves although most folders have not been scanned yet', () => {
  const waits = { state: 'scanning', files: 0, uploaded: 0, bytes: 0, bytesSent: 0 } as const;
  const upload = uploadOf(
    batch('a'),
    batch('b', { state: 'running', uploaded: 5, bytesSent: 50 }),
    batch('c', waits),
    batch('d', waits),
  );
  expect(progressOfUpload(upload).value).toBeCloseTo(0.375, 5);
  expect(uploadText(upload)).toBe('1 of 4 folders · 15 uploaded');
});

test('a few folders are named, the others counted', () => {
  expect(folderNames(['a', 'b'].map((name) => batch(name)))).toBe('a, b');
  expect(folderNames([batch('a'), batch('b', { only: 'mail.eml' })])).toBe('a, mail.eml');
  expect(folderNames(['a', 'b', 'c', 'd', 'e'].map((name) => batch(name)))).toBe('a, b, c and 2 more');
});
