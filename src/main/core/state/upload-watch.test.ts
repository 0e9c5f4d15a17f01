import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NOTHING_ASKED } from '../../../contract/connection.ts';
import type { Batch } from '../../../contract/uploads.ts';
import { createHostSpeech } from '../../../words/speech.ts';
import { uploadNotice } from '../../hosts/electron/desktop-status.ts';
import { createUploadWatch } from './upload-watch.ts';

const english = await createHostSpeech('en');

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const setUp = () => {
  const notices: { readonly title: string; readonly body: string; readonly open: () => void }[] = [];
  const opened: (string | undefined)[] = [];
  const calls = { awake: 0, kept: 0 };
  const watch = createUploadWatch(
    {
      keepAwake: () => {
        calls.awake += 1;
        calls.kept += 1;
        return () => {
          calls.awake -= 1;
        };
      },
      notify: (batches, open) => notices.push({ ...uploadNotice(batches, english), open }),
    },
    (batch) => opened.push(batch),
  );
  const see = (batchId: string, state: Batch['state'], more: Partial<Batch> = {}) =>
    watch.see({
      batchId,
      uploadId: batchId,
      state,
      AssignmentId: 'one',
      title: '12 Mill Street, York',
      root: `/home/anna/${batchId}`,
      files: 10,
      uploaded: 10,
      skipped: 0,
      failed: 0,
      createdAtMs: 0,
      leftOut: { hidden: 0, system: 0, links: 0, special: 0, unreadable: 0 },
      ...more,
    } as Batch);
  const said = () => {
    vi.advanceTimersByTime(10_000);
    return notices.map(({ title, body }) => `${title}: ${body}`);
  };
  return { watch, see, said, notices, opened, calls };
};

test('the machine stays awake, once, while any batch runs', () => {
  const { see, calls } = setUp();
  see('a', 'scanning');
  see('a', 'running');
  see('b', 'running');
  expect(calls).toEqual({ awake: 1, kept: 1 });
  see('a', 'finished');
  expect(calls.awake).toBe(1);
  see('b', 'paused');
  expect(calls.awake).toBe(0);
});

test('the machine may sleep while an upload waits', () => {
  const { watch, see, calls } = setUp();
  const reason = { code: 'service/unreachable', message: '', retry: 'later', details: {} } as const;
  see('a', 'running');
  watch.reach({ ...NOTHING_ASKED, storage: { state: 'unreachable', host: 'a.example', sinceMs: 1, reason } });
  expect(calls.awake).toBe(0);
  watch.reach(NOTHING_ASKED);
  expect(calls.awake).toBe(1);
  see('a', 'running', { reason });
  expect(calls.awake).toBe(0);
  see('a', 'running');
  expect(calls.awake).toBe(1);
});

test('a notice does not count files that are gone, and says how many should be and are not', () => {
  const { see, said } = setUp();
  see('a', 'running');
  see('a', 'finished', { removed: 2, notReplaced: 1 });
  expect(said()[0]).toContain(
    '8 of 10 files uploaded to 12 Mill Street, York, 1 file not removed from the assignment.',
  );
});

test('a notice does not count files whose names were taken as uploaded', () => {
  const { see, said } = setUp();
  see('a', 'running');
  see('a', 'finished', { uploaded: 5, skipped: 5, nameTaken: 3 });
  expect(said()[0]).toContain(
    '7 of 10 files uploaded to 12 Mill Street, York, 3 not uploaded, because their names are taken.',
  );
});

test('a notice names the folder and the assignment, and leads to the upload', () => {
  const { see, said, notices, opened } = setUp();
  see('Photos', 'running');
  see('Photos', 'finished', { uploaded: 7, skipped: 1, failed: 2 });
  expect(said()).toEqual(['Upload finished: Photos: 8 of 10 files uploaded to 12 Mill Street, York, 2 failed.']);
  notices[0]?.open();
  expect(opened).toEqual(['Photos']);
});

test('folders that were started together give one notice, when the last of them has ended', () => {
  const { see, said, notices, opened } = setUp();
  const together = { uploadId: 'upload' };
  const folders = ['Photos', 'Plans', 'Certificates', 'Reports'];
  for (const folder of folders) see(folder, 'running', together);
  see('elsewhere', 'running');
  see('Photos', 'finished', together);
  see('Plans', 'finished', together);
  expect(said()).toEqual([]);
  see('Certificates', 'finished', together);
  see('Reports', 'finished', { ...together, uploaded: 9, failed: 1 });
  expect(said()).toEqual([
    'Upload finished: anna: Photos, Plans, Certificates and 1 more. 39 of 40 files uploaded to 12 Mill Street, York, 1 failed.',
  ]);
  notices[0]?.open();
  expect(opened).toEqual(['upload']);
});

test('an upload that was started later does not keep back the notice of one that is done', () => {
  const { see, said } = setUp();
  see('Photos', 'running');
  see('Plans', 'running');
  see('Photos', 'finished');
  expect(said()).toHaveLength(1);
});

test('a stop is said at once, with its reason, whatever was started with it', () => {
  const { see, said } = setUp();
  see('Photos', 'running', { uploadId: 'upload' });
  see('Plans', 'running', { uploadId: 'upload' });
  const reason = { code: 'auth/expired', message: '', retry: 'never', details: {} } as const;
  see('Photos', 'paused', { uploadId: 'upload', uploaded: 3, reason });
  expect(said()).toEqual([
    'Upload paused: Photos: 3 of 10 files uploaded to 12 Mill Street, York. Your sign-in has expired.',
  ]);
});

test('the person is told of each end once, and not of one they made by cancelling or undid by going on', () => {
  const { watch, see, said } = setUp();
  see('a', 'finished');
  see('a', 'running');
  see('a', 'finished');
  see('a', 'finished');
  see('b', 'running');
  see('b', 'cancelled');
  see('c', 'running');
  watch.see({ batchId: 'c', state: 'paused', reason: { code: 'upload/cancelling' } } as Batch);
  see('d', 'running', { createdAtMs: 60_000 });
  see('d', 'paused');
  see('d', 'running');
  see('d', 'cancelled');
  expect(said()).toHaveLength(1);
});

test('does not notify of retries of a watched folder that change nothing', () => {
  const { see, said } = setUp();
  const schedule = { hours: [], overruled: false, watchedId: 1 };
  const end = (more: Partial<Batch>) => {
    see('a', 'running', { schedule });
    see('a', 'finished', { schedule, ...more });
    return said().length;
  };
  expect([{ failed: 2 }, { failed: 2 }, { failed: 1 }, { failed: 1 }, { failed: 0 }].map(end)).toEqual([1, 1, 2, 2, 3]);
});

test('does not notify of an upload of a watched folder that went well', () => {
  const { see, said } = setUp();
  const schedule = { hours: [], overruled: false, watchedId: 1 };
  const end = (batchId: string, state: Batch['state'], more: Partial<Batch> = {}) => {
    see(batchId, 'running', { schedule });
    see(batchId, state, { schedule, ...more });
    return said().length;
  };
  expect([
    end('a', 'finished'),
    end('b', 'finished', { notReplaced: 1 }),
    end('c', 'paused'),
    end('d', 'finished', { failed: 1 }),
    end('e', 'finished', { skipped: 1, nameTaken: 1 }),
  ]).toEqual([0, 1, 2, 3, 4]);
});

test('closing lets the machine sleep', () => {
  const { watch, see, said, calls } = setUp();
  see('a', 'running');
  see('a', 'finished');
  watch.forget();
  expect(calls.awake).toBe(0);
  expect(said()).toEqual([]);
});
