import { describe, expect, it } from 'vitest';
import { NOTHING_ASKED, type Reachability } from '../../../contract/connection.ts';
import { DeskError, type ErrorCode, toErrorData } from '../../../contract/errors.ts';
import type { Batch, BatchSchedule } from '../../../contract/uploads.ts';
import { sampleBatch } from '../../testing/sample-batch.ts';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import {
  asOne,
  begunText,
  endSentence,
  groupUploads,
  leftOutText,
  notUploadedText,
  outcomeText,
  progressOf,
  progressText,
  recentSpeed,
  sortBatches,
  uploadText,
  waitOf,
} from './batch-words.ts';
import { folderNames, isUnread, progressOfUpload, reasonText, startsText, stateText } from './batches.tsx';

speakEnglish();

const batch = (more: Partial<Batch> = {}): Batch => ({
  batchId: '00000000-0000-4000-8000-000000000001',
  uploadId: '00000000-0000-4000-8000-000000000001',
  AssignmentId: '00000000-0000-4000-8000-000000000002',
  root: '/home/anna/Photos',
  state: 'running',
  files: 10,
  uploaded: 4,
  skipped: 1,
  failed: 0,
  cancelled: 0,
  bytes: 100_000_000,
  bytesSent: 40_000_000,
  bytesPerSecond: 20_000_000,
  createdAtMs: 1,
  leftOut: { hidden: 0, system: 0, links: 0, special: 0, unreadable: 0 },
  ...more,
});

it('takes the best speed of the last uploads that were large enough to tell', () => {
  const ended = (bytes: number, seconds: number, more: Partial<Batch> = {}): Batch =>
    batch({ state: 'finished', skipped: 0, bytes, bytesSent: bytes, finishedAtMs: 1 + seconds * 1000, ...more });
  expect(recentSpeed([ended(1_000_000, 1), ended(50_000_000, 50, { skipped: 3 }), batch()])).toBeUndefined();
  expect(recentSpeed([ended(50_000_000, 50), ended(50_000_000, 10), ended(1_000_000, 0)])).toBe(5_000_000);
  const schedule = { hours: [], watchedId: 1, overruled: false };
  expect(recentSpeed([ended(50_000_000, 50, { schedule })])).toBe(1_000_000);
  expect(recentSpeed([ended(50_000_000, 50, { schedule: { ...schedule, notBeforeMs: 1 } })])).toBeUndefined();
});

it('takes no speed from bytes that were not sent, because files failed or were cancelled', () => {
  const stopped = batch({ state: 'cancelled', skipped: 0, cancelled: 5, finishedAtMs: 1001 });
  expect(recentSpeed([{ ...stopped, bytesSent: 1_000_000 }])).toBeUndefined();
  expect(recentSpeed([{ ...stopped, bytesSent: 20_000_000 }])).toBe(20_000_000);
});

describe('an upload that is held back', () => {
  const noon = new Date(2026, 2, 10, 12).getTime();
  const reason = { code: 'upload/scheduled', message: '', retry: 'later', details: {} } as const;
  const held = (schedule: Partial<BatchSchedule>, more: Partial<Batch> = {}) =>
    startsText(
      batch({
        state: 'paused',
        reason,
        schedule: { hours: [], overruled: false, ...schedule },
        uploaded: 0,
        skipped: 0,
        ...more,
      }),
      noon,
    );

  it('says when it starts, with the day where that is not today', () => {
    expect(held({ hours: [{ from: '18:00', to: '07:00' }] })).toMatch(/^Starts (18:00|6:00\sPM)$/);
    expect(held({ notBeforeMs: new Date(2026, 2, 11, 8).getTime() })).toMatch(/^Starts Mar 11, 2026, /);
    expect(held({ hours: [{ from: '18:00', to: '07:00' }] }, { uploaded: 1 })).toMatch(/^Continues /);
  });

  it('knows nothing of its folder until that is read', () => {
    const waiting = { state: 'paused', reason, schedule: { hours: [], overruled: false } } as const;
    expect(isUnread(batch({ ...waiting, files: 0 }))).toBe(true);
    expect(isUnread(batch(waiting))).toBe(false);
    expect(isUnread(batch({ files: 0 }))).toBe(false);
  });

  it('was added, not started, until its first file is settled', () => {
    expect(begunText(batch({ state: 'paused', reason, uploaded: 0, skipped: 0 }))).toMatch(/^Added /);
    expect(begunText(batch({ state: 'paused', reason }))).toMatch(/^Started /);
    expect(begunText(batch({ uploaded: 0, skipped: 0 }))).toMatch(/^Started /);
  });

  it('says nothing of an upload that a person has paused', () => {
    expect(startsText(batch({ state: 'paused' }), noon)).toBeUndefined();
  });
});

describe('progress', () => {
  it('counts settled files, bytes, speed and time left', () => {
    expect(progressText(batch())).toBe(
      '5 of 10 files · 40 MB of 100 MB · 20 MB/s · less than a minute left · 1 skipped',
    );
  });

  it('takes no time for failed and cancelled files', () => {
    const film = batch({ failed: 1, bytes: 20_100_000_000, bytesDropped: 20_000_000_000 });
    expect(progressText(film)).toContain('less than a minute left');
    expect(progressOf(film).value).toBeGreaterThan(0.9);
  });

  it('leaves out the speed while nothing is sent', () => {
    expect(progressText(batch({ state: 'paused', failed: 2 }))).toBe(
      '7 of 10 files · 40 MB of 100 MB · 1 skipped · 2 failed',
    );
  });

  it('is neither a share nor a number of bytes while the upload is being cancelled', () => {
    const reason = { code: 'upload/cancelling', message: '', retry: 'later', details: {} } as const;
    const cancelling = batch({ state: 'paused', reason, cancelled: 3 });
    expect(progressOf(cancelling)).toEqual({});
    expect(progressText(cancelling)).toBe('4 uploaded, 1 skipped, 3 cancelled');
  });

  it('has no value while the folder is being scanned', () => {
    expect(progressOf(batch({ state: 'scanning' }))).toEqual({});
    const untouched = batch({ state: 'scanning', files: 1, uploaded: 0, skipped: 0 });
    expect(progressText(untouched)).toBe('1 file found so far');
    expect(progressText(batch({ state: 'scanning' }))).toBe('10 files found so far · 4 uploaded, 1 skipped');
  });

  it('shows no full bar while files wait for their answers, however many of their bytes have been sent', () => {
    const sent = batch({ files: 150, uploaded: 53, skipped: 0, bytes: 150_000, bytesSent: 150_000 });
    expect(progressOf(sent).value).toBeCloseTo(53 / 150, 2);
    expect(progressOf(batch({ uploaded: 9, skipped: 0, bytesSent: 1e12 })).value).toBeLessThan(1);
    expect(progressOf(batch({ uploaded: 9, skipped: 0, failed: 1, bytesDropped: 60_000_000 }))).toEqual({ value: 1 });
  });

  it('moves with the bytes of a large file', () => {
    const large = batch({ files: 1, uploaded: 0, skipped: 0, bytes: 8e9, bytesSent: 2e9 });
    expect(progressOf(large).value).toBeCloseTo(0.25, 3);
  });

  it('has a value for empty files, too', () => {
    expect(progressOf(batch({ bytes: 0, bytesSent: 0 }))).toEqual({ value: 0.5 });
    expect(progressOf(batch({ bytes: 0, bytesSent: 0, files: 0 }))).toEqual({ value: 0 });
  });
});

it('says the outcome of the files', () => {
  expect(outcomeText(batch({ uploaded: 9, skipped: 0, failed: 1 }))).toBe('9 uploaded, 1 failed');
  expect(outcomeText(batch({ uploaded: 9, removed: 3, skipped: 1 }))).toBe('9 uploaded, 3 removed later, 1 skipped');
  expect(endSentence(batch({ state: 'finished', uploaded: 9 }))).toBe('Upload finished: 9 uploaded, 1 skipped.');
});

it('calls an upload finished only where no file failed or stays cancelled', () => {
  expect(stateText(batch({ state: 'finished' }))).toBe('Finished');
  expect(stateText(batch({ state: 'finished', cancelled: 37 }))).toBe('Finished in part');
  expect(stateText(batch({ state: 'finished', cancelled: 37, failed: 1 }))).toBe('Finished with failures');
  expect(stateText(batch({ state: 'finished', cancelled: 37, notReplaced: 1 }))).toBe('Finished with failures');
  expect(stateText(batch({ state: 'cancelled', cancelled: 37 }))).toBe('Cancelled');
});

it('tells an upload that stopped because of its files from one that cannot continue', () => {
  const reason = { code: 'upload/file-missing', message: '', retry: 'never', details: { failedInARow: 20 } } as const;
  const stopped = batch({ state: 'paused', failed: 20, reason });
  expect(reasonText(stopped)).toEqual({
    title: 'The upload paused because several files in a row failed.',
    todo: 'The file is no longer there. Put it back, then retry.',
  });
  const withReason = (code: ErrorCode) => reasonText({ ...stopped, reason: { ...reason, code, details: {} } })?.title;
  expect(withReason('auth/expired')).toBe('Your sign-in has expired.');
  expect(withReason('upload/on-metered')).toBe('The connection is metered, so this upload waits.');
  expect(reasonText(batch({ state: 'paused' }))).toBeUndefined();
});

it('says what was left out', () => {
  expect(leftOutText({ hidden: 1, system: 0, links: 2, special: 0, unreadable: 0 })).toBe('1 hidden file, 2 links');
  const none = { hidden: 0, system: 0, links: 0, special: 0, unreadable: 0 };
  expect(leftOutText(none)).toBe('');
  expect(notUploadedText({ ...none, hidden: 1, inReview: 3, later: 2 })).toBe(
    '3 files were left out in the review · Always left out: 1 hidden file',
  );
  expect(notUploadedText(none)).toBe('');
});

it('puts uploads in progress first, then paused ones, then the newest', () => {
  const batches = [
    batch({ batchId: 'old', state: 'finished', createdAtMs: 1 }),
    batch({ batchId: 'new', state: 'cancelled', createdAtMs: 9 }),
    batch({ batchId: 'paused', state: 'paused', createdAtMs: 2 }),
    batch({ batchId: 'running', state: 'running', createdAtMs: 3 }),
  ];
  expect(sortBatches(batches).map(({ batchId }) => batchId)).toEqual(['running', 'paused', 'new', 'old']);
});

const reason = toErrorData(new DeskError('service/unreachable', 'gone', { retry: 'later' }));
const running = batch();
const online: Reachability = { service: { state: 'online' }, storage: { state: 'online' } };
const gone = { state: 'unreachable', host: 'a.example', sinceMs: 1, reason } as const;

describe('what an upload waits for', () => {
  it('is what the footer shows, regardless of the last reason of the batch', () => {
    expect(waitOf({ ...running, reason }, online)).toBeUndefined();
    expect(waitOf(running, NOTHING_ASKED)).toBeUndefined();
    expect(waitOf(running, { ...online, service: gone })?.title).toMatch(/^The service has been unreachable since /);
    expect(waitOf(running, { ...online, storage: gone })?.title).toContain('The file storage a.example');
    const interrupts = { ...gone, reason: { ...reason, code: 'network/interrupted' } } as const;
    expect(waitOf(running, { ...online, storage: interrupts })?.title).toMatch(
      /^The file storage a\.example has been interrupting uploads since /,
    );
  });

  it('is the proxy where that cannot be reached, and a name where that is not found', () => {
    const proxy = { ...reason, code: 'network/proxy-unreachable', details: { proxy: 'proxy.example:8080' } } as const;
    for (const side of ['service', 'storage'] as const) {
      const wait = waitOf(running, { ...online, [side]: { ...gone, reason: proxy } });
      expect(wait?.title).toMatch(/^The proxy proxy\.example:8080 has been unreachable since /);
      expect(wait?.todo).toContain('Check that the proxy is still correct');
    }
    const nameless = { ...reason, details: { origin: 'https://a.example', cause: 'ENOTFOUND' } };
    const wait = waitOf(running, { ...online, service: { ...gone, reason: nameless } });
    expect(wait?.todo).toContain('The name of the server a.example could not be found.');
  });

  it('is a pause that a host asked for, with its end', () => {
    const held = { ...gone, state: 'held', untilMs: 2 } as const;
    expect(waitOf(running, { ...online, service: held })).toMatchObject({ isShownAbove: true });
    expect(waitOf(running, { ...online, storage: held })?.title).toMatch(/a\.example is not accepting requests until /);
    const own = { ...reason, code: 'service/busy', details: { until: 3 } } as const;
    expect(waitOf({ ...running, reason: own }, online)?.title).toMatch(/is not accepting requests until /);
  });

  it('is a turn of the pace, which no host asked for', () => {
    const own = { ...reason, code: 'service/busy', details: { host: 'a.example', until: 3, paced: true } } as const;
    expect(waitOf({ ...running, reason: own }, online)?.title).toBe(
      'Uploads are slower for now, so that the server can recover.',
    );
  });

  it('is nothing for one that is not in progress', () => {
    expect(waitOf({ ...running, state: 'paused', reason }, { ...online, service: gone })).toBeUndefined();
  });
});

const together = (batchId: string, more: Partial<Batch> = {}): Batch => ({
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

it('batches that were started together are one upload; those in progress come first, then the newest', () => {
  const uploads = groupUploads([
    together('old', { uploadId: 'old', createdAtMs: 1 }),
    together('a', { createdAtMs: 2 }),
    together('new', { uploadId: 'new', createdAtMs: 3 }),
    together('b', { createdAtMs: 2, state: 'running' }),
  ]);
  expect(uploads.map(({ uploadId, batches }) => [uploadId, batches.length])).toEqual([
    ['together', 2],
    ['new', 1],
    ['old', 1],
  ]);
});

it('an upload of one batch is shown as that batch', () => {
  const only = together('a', { state: 'scanning' });
  expect(asOne([only])).toBe(only);
  expect(progressOfUpload(uploadOf(only))).toEqual({});
});

it('counts are added up, and the reason is that of a batch in the state of the whole', () => {
  const reason = { code: 'auth/expired', message: '', retry: 'never', details: {} } as const;
  const whole = asOne([
    together('a', { failed: 1, uploaded: 9, notReplaced: 2 }),
    together('b', { state: 'paused', reason, bytesSent: 20 }),
    together('c', { state: 'cancelled' }),
  ]);
  expect(whole).toMatchObject({ state: 'paused', reason, files: 30, uploaded: 29, failed: 1, bytesSent: 220 });
  expect(whole).toMatchObject({ root: 'jobs', notReplaced: 2 });
});

it.each<[Batch['state'][], Batch['state']]>([
  [['scanning', 'scanning'], 'scanning'],
  [['scanning', 'finished'], 'running'],
  [['running', 'paused'], 'running'],
  [['paused', 'finished'], 'paused'],
  [['finished', 'cancelled'], 'finished'],
  [['cancelled', 'cancelled'], 'cancelled'],
])('%j is %s', (states, state) => {
  expect(asOne(states.map((one, index) => together(String(index), { state: one })))?.state).toBe(state);
});

it('the progress moves although most folders have not been scanned yet', () => {
  const waits = { state: 'scanning', files: 0, uploaded: 0, bytes: 0, bytesSent: 0 } as const;
  const upload = uploadOf(
    together('a'),
    together('b', { state: 'running', uploaded: 5, bytesSent: 50 }),
    together('c', waits),
    together('d', waits),
  );
  expect(progressOfUpload(upload).value).toBeCloseTo(0.375, 5);
  expect(uploadText(upload)).toBe('1 of 4 folders · 15 uploaded');
});

it('a few folders are named, the others counted', () => {
  expect(folderNames(['a', 'b'].map((name) => together(name)))).toBe('a; b');
  expect(folderNames([together('a'), together('b', { only: 'mail.eml' })])).toBe('a; mail.eml');
  expect(folderNames(['a', 'b', 'c', 'd', 'e'].map((name) => together(name)))).toBe('a; b; c and 2 more');
});
