import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DeskError, type ErrorCode } from '../../../contract/errors.ts';
import type { Batch } from '../../../contract/uploads.ts';
import { createHostSpeech } from '../../../words/speech.ts';
import { openConfSettings } from '../../settings/conf-settings.ts';
import { openSettings } from '../../settings/settings.ts';
import { besideFolder, createAutomaticReceipts, createReceipts, freePath, planReceipts } from './receipts.ts';

const batch = (batchId: string, AssignmentId: string, files = 3): Batch => ({
  batchId,
  uploadId: 'upload',
  AssignmentId,
  root: `/Jobs/${batchId}`,
  state: 'finished',
  files,
  uploaded: files,
  skipped: 0,
  failed: 0,
  cancelled: 0,
  bytes: 1,
  bytesSent: 1,
  bytesPerSecond: 0,
  createdAtMs: 1,
  leftOut: { hidden: 0, system: 0, links: 0, special: 0, unreadable: 0 },
});
const summary = (AssignmentId: string, Address: string) => ({
  AssignmentId,
  Address,
  FacilityId: 'F',
  AssignmentStatus: 'Open',
  FirstName: '',
  LastName: '',
  City: 'Oslo',
  Performer: '',
  StartTime: 0,
});

const plan = async (
  order: { readonly format?: 'xlsx'; readonly eachAssignment?: boolean },
  batches: readonly Batch[],
  addresses: Readonly<Record<string, string>> = {},
) => {
  const { t } = await createHostSpeech('en');
  return planReceipts(
    { format: 'pdf', eachAssignment: false, listsFiles: true, ...order },
    batches,
    {
      t,
      spoken: 'en',
      formats: { language: 'en', formats: 'en', dateFormat: 'iso', timeBase: 'auto' },
      service: { baseUrl: 'https://service.test', sample: false },
      letterhead: { people: {} },
      madeAtMs: new Date(2026, 10, 22, 12).getTime(),
      summaryOf: (id) => (addresses[id] === undefined ? undefined : summary(id, addresses[id])),
    },
    10,
  );
};
const namesOf = (receipts: Awaited<ReturnType<typeof plan>>) => receipts.map(({ name }) => name);

test('one receipt has all batches', async () => {
  const [whole, ...others] = await plan({}, [batch('1', 'a'), batch('2', 'b')]);
  expect(others).toEqual([]);
  expect(whole).toMatchObject({
    name: 'Jobs receipt 2026-11-22',
    job: { batches: [{ batchId: '1' }, { batchId: '2' }] },
  });
});

test('the receipt of a zip has its name, that of two the name of the folder around them', async () => {
  const [one, other] = ['1', '2'].map((no) => ({ ...batch(no, 'a'), root: '/Jobs', only: `Offer ${no}.zip` }));
  expect(namesOf(await plan({}, one ? [one] : []))).toEqual(['Offer 1.zip receipt 2026-11-22']);
  expect(namesOf(await plan({}, one && other ? [one, other] : []))).toEqual(['Jobs receipt 2026-11-22']);
});

test('each assignment has one, named after its address, all names different on every file system', async () => {
  const batches = [batch('1', 'a'), batch('2', 'b'), batch('3', 'a'), batch('4', 'c')];
  const receipts = await plan({ eachAssignment: true }, batches, { a: 'Mill: 1/2', b: 'MILL  1 2' });
  expect(namesOf(receipts)).toEqual([
    'Mill  1 2, Oslo receipt 2026-11-22',
    'MILL  1 2, Oslo receipt 2026-11-22 (2)',
    'c receipt 2026-11-22',
  ]);
  expect(receipts[0]?.job.batches.map(({ batchId }) => batchId)).toEqual(['1', '3']);
});

test('a PDF of too many files becomes several, other formats do not', async () => {
  const batches = [batch('1', 'a', 12), batch('2', 'b', 11)];
  const receipts = await plan({}, batches);
  expect(namesOf(receipts)).toEqual([1, 2, 3].map((no) => `Jobs receipt 2026-11-22 (${no} of 3)`));
  expect(receipts.map(({ job }) => [job.part?.first, job.part?.last])).toEqual([
    [1, 10],
    [11, 20],
    [21, 23],
  ]);
  expect(await plan({ format: 'xlsx' }, batches)).toHaveLength(1);
});

const at = (path: string) => resolve('/', path);

/** Saves the receipts of batches in one folder. `receipt`: writes a receipt, or the page that becomes a PDF. */
const receiptsOf = (batches: readonly Batch[], receipt: (path: string) => Promise<void>) => {
  const home = mkdtempSync(join(tmpdir(), 'receipts-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const uploads = {
    get: async (id: string) => ({ ...batches.find(({ batchId }) => batchId === id), root: join(home, 'Jobs') }),
    list: async () => batches,
    present: () => [],
    leftOutFolders: async () => [],
    receipt: (_: unknown, path: string) => receipt(path),
  };
  const connection = { baseUrl: 'https://service.test', sample: false };
  const receipts = createReceipts({
    host: { home, locale: 'en', printPdf: async () => Buffer.from('pdf') },
    settings: openSettings({ home, open: openConfSettings, policy: {} }),
    cache: { summaryOf: () => undefined },
    letterhead: { read: async () => ({ people: {} }) },
    verifications: { of: () => undefined },
    fileToWrite: async (to: string) => to,
    adoptSaved: async (path: string) => path,
    connected: () => ({ connection, connectionId: 'c', uploads, watchedFolders: { list: () => [] } }),
  } as unknown as Parameters<typeof createReceipts>[0]);
  return { home, ...receipts };
};

test('a PDF that became several is reported as the first of them', async () => {
  const { home, saveAt } = receiptsOf([batch('a', 'one', 5_001)], async () => {});
  const order = { batchIds: ['a'], format: 'pdf', eachAssignment: false } as const;
  const path = join(home, 'r.pdf');
  expect(await saveAt({ ...order, listsFiles: true }, path)).toBe(join(home, 'r (1 of 2).pdf'));
  expect(existsSync(path)).toBe(false);
  expect(await saveAt({ ...order, listsFiles: false }, path)).toBe(path);
});

test('a report counts any number of uploads', async () => {
  const all = Array.from({ length: 150_000 }, (_, index) => batch(`${index}`, 'one'));
  let written = 0;
  const { home, saveAt } = receiptsOf(all, async () => {
    written += 1;
  });
  const path = join(home, 'r.csv');
  const period = { fromMs: 0, beforeMs: 2 };
  expect(await saveAt({ by: 'assignment', format: 'csv', listsFiles: false, ...period }, path)).toBe(path);
  expect(written).toBe(1);
});

test('two uploads of one folder that end at once have two receipts', async () => {
  const { saveBeside } = receiptsOf([batch('a', 'one'), batch('b', 'two')], async (path) => writeFileSync(path, ''));
  const order = { format: 'csv', eachAssignment: false, listsFiles: false } as const;
  const saved = await Promise.all(['a', 'b'].map((id) => saveBeside({ ...order, batchIds: [id] })));
  const paths = new Set(saved.map(({ path }) => path));
  expect(paths.size).toBe(2);
  for (const path of paths) expect(existsSync(path)).toBe(true);
});

test('a receipt whose drive sleeps is saved later; after an error that would recur, no receipt is saved', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const outcome = async (code: ErrorCode) => {
    let isRight = false;
    const events: string[] = [];
    const { see } = createAutomaticReceipts({
      receipts: {
        saveBeside: async () => {
          events.push('save');
          if (!isRight) throw new DeskError(code, 'it cannot be saved');
          return { savedId: 's', path: '/r.pdf', files: 1 };
        },
      },
      uploads: () => ({
        present: () => [{ ...batch('1', 'a'), receipt: 'pdf' as const }],
        receiptSaved: async () => void events.push('settled'),
      }),
      onNotice: (error) => void events.push(error.code),
      onBug: (error) => expect.unreachable(String(error)),
    });
    see([{ ...batch('1', 'a'), receipt: 'pdf' }]);
    await vi.advanceTimersByTimeAsync(0);
    isRight = true;
    await vi.advanceTimersByTimeAsync(3_600_000);
    return events;
  };
  const later = 'upload/drive-unresponsive';
  expect(await outcome(later)).toEqual(['save', later, 'save', 'settled']);
  expect(await outcome('data/unwritable')).toEqual(['save', 'settled', 'data/unwritable']);
});

test('the retry of a receipt that could not be saved does not disturb that of an upload that was reopened meanwhile', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const ended = { ...batch('1', 'a'), receipt: 'pdf' as const };
  let saves = 0;
  const { see } = createAutomaticReceipts({
    receipts: {
      saveBeside: () => {
        saves += 1;
        return saves > 1 ? new Promise(() => {}) : Promise.reject(new DeskError('upload/drive-unresponsive', ''));
      },
    },
    uploads: () => ({ present: () => [ended], receiptSaved: async () => {} }),
    onNotice: () => {},
    onBug: (error) => expect.unreachable(String(error)),
  });
  see([ended]);
  await vi.advanceTimersByTimeAsync(0);
  see([{ ...ended, state: 'running' }]);
  see([ended]);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(saves).toBe(2);
});

test('a receipt lies beside its folder; that of several folders beside the folder that holds them all', () => {
  expect(besideFolder([at('jobs/a')], [])).toBe(at('jobs'));
  expect(besideFolder([at('office/jobs/a'), at('office/jobs/b/c')], [])).toBe(at('office'));
  expect(besideFolder([at('office/jobs/ab'), at('office/jobs/a')], [])).toBe(at('office'));
});

test('no receipt lies within a folder that is watched', () => {
  expect(besideFolder([at('office/jobs/a')], [at('office/jobs')])).toBe(at('office'));
  expect(besideFolder([at('office/jobs/a')], [at('office/jobs'), at('office')])).toBe(at('.'));
  expect(besideFolder([at('office/jobs/a')], [at('office/job')])).toBe(at('office/jobs'));
});

test('nothing is beside a whole drive', () => {
  expect(besideFolder([at('.')], [])).toBeUndefined();
  expect(besideFolder([at('a'), at('b')], [])).toBeUndefined();
});

test('no file is replaced', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'beside-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ['r.pdf', 'r (2).pdf', 'r (3).pdf']) {
    const path = await freePath(folder, 'r', '.pdf');
    expect(path).toBe(join(folder, name));
    writeFileSync(path, '');
  }
});
