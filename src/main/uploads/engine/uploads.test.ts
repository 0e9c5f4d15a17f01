/** Uploads on a slow or failing disk, or with a service whose responses the test controls. */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { DeskError, toErrorData } from '../../../contract/errors.ts';
import type { Batch } from '../../../contract/uploads.ts';
import { orCancelled } from '../../async/cancel.ts';
import { sleep } from '../../async/clock.ts';
import { createBudget, createSlots } from '../../async/slots.ts';
import { createStorageAgent } from '../../net/connector.ts';
import { type Ledger, openLedger } from '../ledger/ledger.ts';
import { addBatch, newLedgerPath, openTestLedger } from '../ledger/testing/ledger.ts';
import { heldBytes } from '../source/local-file.ts';
import { NOTHING_LEFT_OUT } from '../source/scan.ts';
import { scanned } from '../source/testing/scanned.ts';
import { createPools } from '../transfer/pool.ts';
import { createTestContext } from '../transfer/testing/context.ts';
import type { TransferContext } from '../transfer/transfer-context.ts';
import { FAILED_IN_A_ROW } from './batch-supervisor.ts';
import { startWorld } from './testing/world.ts';
import { createUploads } from './uploads.ts';

const ASSIGNMENT = 'assignment';

/** Creates uploads from a folder with the files `names`. By default, the service never signs. */
const setUp = (
  names: readonly string[],
  {
    onBatches = () => {},
    hours,
    ...own
  }: Partial<TransferContext & Pick<Parameters<typeof createUploads>[0], 'onBatches' | 'hours'>> = {},
) => {
  const root = mkdtempSync(join(tmpdir(), 'uploads-test-'));
  for (const name of names) writeFileSync(join(root, name), name);
  const storage = createStorageAgent();
  const ledger = openTestLedger();
  const asked: string[] = [];
  const service: TransferContext['service'] = {
    signUpload: ({ FileName }, _subject, signal) => {
      asked.push(FileName);
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    },
    removeFile: async () => undefined,
  };
  const bugs: unknown[] = [];
  const uploads = createUploads({
    context: createTestContext({ ledger, service, storage, ...own }),
    connectionId: 'connection',
    session: { signedIn: true, subject: undefined },
    onBatches,
    hours,
    onBug: (error) => bugs.push(error),
  });
  onTestFinished(async () => {
    await uploads.close();
    await storage.destroy();
    rmSync(root, { recursive: true });
    expect(bugs).toEqual([]);
  });
  return { root, ledger, uploads, asked, bugs };
};

test('an upload belongs to the user who started it, even if another one signs in while its folder is read', async () => {
  const ledger = openTestLedger();
  const uploads = createUploads({
    context: createTestContext({
      ledger,
      storage: createStorageAgent(),
      service: {
        signUpload: () => Promise.reject(new DeskError('auth/required', '')),
        removeFile: async () => undefined,
      },
    }),
    connectionId: 'connection',
    session: { signedIn: true, subject: 'anna' },
    onBatches: () => {},
    onBug: (error) => expect.fail(String(error)),
  });
  onTestFinished(() => uploads.close());
  const root = mkdtempSync(join(tmpdir(), 'uploads-test-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const starting = uploads.start({ root, assignmentId: ASSIGNMENT });
  await uploads.setSession({ signedIn: true, subject: 'bert' });
  const { batchId } = await starting;
  expect(ledger.batches.get(batchId)?.subject).toBe('anna');
});

const NIGHT = [{ from: '18:00', to: '07:00' }];
const HELD = { state: 'paused', reason: { code: 'upload/scheduled' } };

test('outside the hours of the organisation no upload begins', async () => {
  const { root, uploads, asked } = setUp(['a.txt'], { hours: NIGHT, now: () => Date.parse('2026-01-05T12:00') });
  const schedule = { hours: NIGHT, watchedId: 7, overruled: false };
  expect(await uploads.start({ root, assignmentId: ASSIGNMENT, schedule })).toMatchObject({ ...HELD, schedule });
  const anyHour = { ...schedule, hours: [], notBeforeMs: Date.parse('2026-01-09T20:00') };
  const held = await uploads.start({ root, assignmentId: ASSIGNMENT, schedule: anyHour });
  expect(held).toMatchObject({ ...HELD, schedule: { ...anyHour, hours: NIGHT } });
  expect(asked).toEqual([]);
});

type Call = (uploads: ReturnType<typeof createUploads>, batch: string) => Promise<unknown>;
test.each<[string, DeskError['code'], Call]>([
  ['whose session ended', 'auth/required', ({ resumeInterrupted }) => resumeInterrupted()],
  ['whose proxy rejected the account', 'network/proxy-account', ({ resume }, batch) => resume(batch, 'app')],
])('an upload %s within its hours is not sent when the app continues it outside of them', async (_, code, goOn) => {
  let now = Date.parse('2026-01-05T20:00');
  let asked = 0;
  const signUpload = () => {
    asked += 1;
    return Promise.reject(new DeskError(code, ''));
  };
  const { root, uploads } = setUp(['a.txt'], {
    now: () => now,
    service: { signUpload, removeFile: async () => undefined },
  });
  const schedule = { hours: NIGHT, overruled: false };
  const { batchId } = await uploads.start({ root, assignmentId: ASSIGNMENT, schedule });
  expect(await uploads.ended(batchId)).toMatchObject({ state: 'paused', reason: { code } });
  now = Date.parse('2026-01-06T08:00');
  await goOn(uploads, batchId);
  expect(await uploads.ended(batchId)).toMatchObject({ ...HELD, schedule });
  expect(asked).toBe(1);
});

test('a retry overrules the schedule of an upload only if the user wants it', async () => {
  const refuse = () => Promise.reject(new DeskError('service/refused', ''));
  const { root, uploads, ledger } = setUp(['a.txt'], {
    service: { signUpload: refuse, removeFile: async () => undefined },
  });
  const schedule = { hours: [], overruled: false };
  const { batchId } = await uploads.start({ root, assignmentId: ASSIGNMENT, schedule });
  await uploads.ended(batchId);
  const failed = ledger.items.failedIds(batchId);
  expect(await uploads.retryFiles(batchId, failed, 'app')).toMatchObject({ state: 'running', schedule });
  await uploads.ended(batchId);
  expect(await uploads.retryFailed(batchId)).toMatchObject({ schedule: { overruled: true } });
});

test('a pause during the commit of a resume keeps the batch paused', async () => {
  const ledger = openTestLedger();
  const disk = Promise.withResolvers<void>();
  let isSlow = false;
  const commit: typeof ledger.commit = async (write) => {
    const answer = await ledger.commit(write);
    if (isSlow) await disk.promise;
    return answer;
  };
  const { root, uploads, asked } = setUp(['a.txt'], { ledger: { ...ledger, commit } });
  const { batchId } = await uploads.start({ root, assignmentId: ASSIGNMENT });
  await uploads.pause(batchId);
  await uploads.ended(batchId);
  const before = asked.length;

  isSlow = true;
  const resumed = uploads.resume(batchId);
  while (ledger.batches.get(batchId)?.state === 'paused') await new Promise(setImmediate);
  const paused = uploads.pause(batchId);
  while (ledger.batches.get(batchId)?.state !== 'paused') await new Promise(setImmediate);
  disk.resolve();
  await Promise.all([resumed, paused]);
  expect(await uploads.ended(batchId)).toMatchObject({ state: 'paused' });
  expect(asked).toHaveLength(before);
});

test('a file that waits for its next attempt is not in progress meanwhile', async () => {
  const waiting = Promise.withResolvers<void>();
  const again = Promise.withResolvers<void>();
  const failure = new DeskError('service/failed', 'try later', { retry: 'later' });
  const asked = Promise.withResolvers<void>();
  let calls = 0;
  const { root, uploads } = setUp(['a.txt'], {
    service: {
      signUpload: (_request, _subject, signal) => {
        calls += 1;
        if (calls === 1) return Promise.reject(failure);
        asked.resolve();
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
      removeFile: async () => undefined,
    },
    pause: () => {
      waiting.resolve();
      return again.promise;
    },
  });
  const { batchId } = await uploads.start({ root, assignmentId: ASSIGNMENT });
  const file = () => uploads.files(batchId, { offset: 0, limit: 1 }).files[0];
  await waiting.promise;
  await expect.poll(file).toMatchObject({ state: 'signing', isWaiting: true });
  again.resolve();
  await asked.promise;
  expect(file()).not.toHaveProperty('isWaiting');
});

const refusing: Pick<TransferContext, 'service'> = {
  service: {
    signUpload: () => Promise.reject(new DeskError('service/refused', 'no')),
    removeFile: async () => undefined,
  },
};

test('a failed fsync stops the batch, and a resume does not change that', async () => {
  let isFailing = false;
  const ledger = openLedger(newLedgerPath(), async () => {
    if (isFailing) throw new Error('EIO');
  });
  onTestFinished(() => ledger.close());
  const { root, uploads } = setUp(['a.txt'], { ledger, ...refusing });
  const { batchId } = await uploads.start({ root, assignmentId: ASSIGNMENT });
  isFailing = true;
  expect(await uploads.ended(batchId)).toMatchObject({ state: 'paused', reason: { code: 'data/unsynced' } });
  isFailing = false;
  await expect(uploads.resume(batchId)).rejects.toMatchObject({ code: 'data/unsynced' });
});

test('a batch that is there after a failed fsync of its start has its list of files', async () => {
  const path = newLedgerPath();
  const ledger = openLedger(path, () => Promise.reject(new Error('EIO')));
  onTestFinished(() => ledger.close());
  const { root, uploads } = setUp(['a.txt'], { ledger, ...refusing });
  const found = [{ path: 'a.txt', sizeBytes: 1, modifiedMs: 0 }];
  const starting = uploads.start({ root, assignmentId: ASSIGNMENT, found });
  await expect(starting).rejects.toMatchObject({ code: 'data/unsynced' });

  const next = openLedger(path);
  onTestFinished(() => next.close());
  const [list = expect.fail('the batch is not there')] = next.batches.reviewedLists();
  expect(existsSync(join(next.lists, `${list}.jsonl`))).toBe(true);
});

test('a batch that stopped because of a full disk is shown as cancelled once it is', async () => {
  const ledger = openTestLedger();
  let isFull = false;
  const commit: typeof ledger.commit = async (write) => {
    if (isFull) throw new DeskError('data/unwritable', 'full');
    return ledger.commit(write);
  };
  const { root, uploads } = setUp(['a.txt'], { ledger: { ...ledger, commit }, ...refusing });
  const { batchId } = await uploads.start({ root, assignmentId: ASSIGNMENT });
  isFull = true;
  expect(await uploads.ended(batchId)).toMatchObject({ state: 'paused', reason: { code: 'data/unwritable' } });
  isFull = false;
  expect(await uploads.cancel(batchId)).toMatchObject({ state: 'cancelled', cancelled: 1 });
});

test('a pause that a full disk does not record stops the batch, which then has that reason', async () => {
  const ledger = openTestLedger();
  let isFull = false;
  const commit: typeof ledger.commit = async (write) => {
    if (isFull) throw new DeskError('data/unwritable', 'full');
    return ledger.commit(write);
  };
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<never>();
  const signUpload = () => {
    asked.resolve();
    return answer.promise;
  };
  const service = { ...refusing.service, signUpload };
  const { root, uploads } = setUp(['a.txt'], { ledger: { ...ledger, commit }, service });
  const { batchId } = await uploads.start({ root, assignmentId: ASSIGNMENT });
  await asked.promise;
  isFull = true;
  await expect(uploads.pause(batchId)).rejects.toMatchObject({ code: 'data/unwritable' });
  answer.reject(new DeskError('service/refused', 'no'));
  expect(await uploads.ended(batchId)).toMatchObject({ state: 'paused', reason: { code: 'data/unwritable' } });
  isFull = false;
  expect(await uploads.resume(batchId)).toMatchObject({ state: 'running' });
});

test.each<[string, (uploads: ReturnType<typeof createUploads>, batch: string) => Promise<unknown>]>([
  ['sign-out', ({ setSession }) => setSession({ signedIn: false, subject: undefined })],
  ['request for the later files', ({ addLater }, batch) => addLater(batch).catch(() => {})],
])('an upload that a %s stops is not in progress, although a full disk does not record that', async (_, stop) => {
  const ledger = openTestLedger();
  let isFull = false;
  const commit: typeof ledger.commit = async (write) => {
    if (isFull) throw new DeskError('data/unwritable', 'full');
    return ledger.commit(write);
  };
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<never>();
  const signUpload: TransferContext['service']['signUpload'] = (_request, _subject, signal) => {
    asked.resolve();
    return orCancelled(answer.promise, signal);
  };
  const reported = new Map<string, Batch>();
  const onBatches = (batches: readonly Batch[]): void => {
    for (const batch of batches) reported.set(batch.batchId, batch);
  };
  const service = { ...refusing.service, signUpload };
  const { root, uploads } = setUp(['a.txt'], { ledger: { ...ledger, commit }, service, onBatches });
  const { size: sizeBytes, mtimeMs: modifiedMs } = statSync(join(root, 'a.txt'));
  const { batch } = await addBatch(ledger, [{ ...scanned('a.txt', sizeBytes), modifiedMs }], {
    root,
    leavesLater: true,
  });
  await ledger.commit(() => ledger.batches.setScanned(batch, NOTHING_LEFT_OUT));
  await uploads.resumeInterrupted();
  await asked.promise;
  isFull = true;
  const stopped = stop(uploads, batch);
  answer.reject(new DeskError('service/refused', 'no'));
  await stopped;
  const expected = { state: 'paused', reason: { code: 'data/unwritable' } };
  expect(await uploads.ended(batch)).toMatchObject(expected);
  await expect.poll(() => reported.get(batch)).toMatchObject(expected);
  isFull = false;
  await uploads.setSession({ signedIn: true, subject: undefined });
  expect(await uploads.resume(batch)).toMatchObject({ state: expect.stringMatching(/scanning|running/) });
});

test('an upload that is cancelled at the moment it ends is cancelled, not finished', async () => {
  const world = await startWorld();
  onTestFinished(world.close);
  const ledger = openTestLedger();
  const cancelled: Promise<Batch>[] = [];
  let isLast = false;
  const commit: Ledger['commit'] = (write) => {
    const [row] = ledger.batches.list('connection');
    if (!isLast && row?.state === 'running' && ledger.items.pending(row.id, 1).length === 0) {
      isLast = true;
      cancelled.push(uploads.cancel(row.id));
    }
    return ledger.commit(write);
  };
  const { root, uploads } = setUp(['a.txt'], { service: world.service, ledger: { ...ledger, commit } });
  const { batchId } = await uploads.start({ root, assignmentId: ASSIGNMENT });
  expect(await uploads.ended(batchId)).toMatchObject({ state: 'cancelled', uploaded: 1 });
  expect(await Promise.all(cancelled)).toMatchObject([{ state: 'cancelled' }]);
});

test.each([
  ['for want of a session', 'auth/required', 2],
  ['as all others fail alike', 'service/refused', FAILED_IN_A_ROW + 1],
] as const)(
  'a batch that stops %s does not wait for a file that was told to come back in an hour',
  async (_, code, files) => {
    const service: TransferContext['service'] = {
      ...refusing.service,
      signUpload: async ({ FileName }) => {
        if (FileName !== '0') throw new DeskError(code, 'no');
        throw new DeskError('service/busy', 'in an hour', { retry: 'later', retryAfterMs: 3_600_000 });
      },
    };
    const names = Array.from({ length: files }, (_, index) => `${index}`);
    const { root, uploads } = setUp(names, { service, sleep });
    const { batchId } = await uploads.start({ root, assignmentId: ASSIGNMENT });
    expect(await uploads.ended(batchId)).toMatchObject({ state: 'paused', reason: { code } });
  },
);

test('an unreadable page of the ledger stops the batch and frees its slot', async () => {
  const ledger = openTestLedger();
  let isDamaged = false;
  const queued: typeof ledger.items.queued = (...asked) => {
    if (isDamaged) throw new DeskError('data/corrupt', 'a damaged page');
    return ledger.items.queued(...asked);
  };
  const items = { ...ledger.items, queued };
  const signUpload = async () => {
    isDamaged = true;
    throw new DeskError('service/refused', 'no');
  };
  const service = { ...refusing.service, signUpload };
  const { root, uploads } = setUp(['a.txt'], { ledger: { ...ledger, items }, service, pools: createPools(1, () => 5) });
  const { batchId } = await uploads.start({ root, assignmentId: ASSIGNMENT });
  expect(await uploads.ended(batchId)).toMatchObject({ state: 'paused', reason: { code: 'data/corrupt' } });
  isDamaged = false;
  await uploads.resume(batchId);
  expect(await uploads.ended(batchId)).toMatchObject({ state: 'finished', failed: 1 });
});

test('a receipt that is saved while a retry has begun leaves another one to be saved', async () => {
  const saved = Promise.withResolvers<void>();
  let isRetried = false;
  const signUpload: TransferContext['service']['signUpload'] = async (...asked) => {
    if (isRetried) await saved.promise;
    return refusing.service.signUpload(...asked);
  };
  const { root, uploads } = setUp(['a.txt'], { service: { ...refusing.service, signUpload } });
  const { batchId, uploadId } = await uploads.start({ root, assignmentId: ASSIGNMENT, receipt: 'pdf' });
  expect(await uploads.ended(batchId)).toMatchObject({ state: 'finished', receipt: 'pdf' });
  isRetried = true;
  await uploads.retryFailed(batchId);
  await uploads.receiptSaved(uploadId);
  saved.resolve();
  expect(await uploads.ended(batchId)).toMatchObject({ state: 'finished', receipt: 'pdf' });
  await uploads.receiptSaved(uploadId);
  expect((await uploads.get(batchId)).receipt).toBe(undefined);
});

test('a batch ends although its end cannot be reported', async () => {
  const unreadable = new DeskError('data/corrupt', 'no');
  const { root, uploads, bugs } = setUp(['a.txt'], {
    ...refusing,
    onBatches: (batches) => {
      if (batches.some(({ state }) => state === 'finished')) throw unreadable;
    },
  });
  const { batchId } = await uploads.start({ root, assignmentId: ASSIGNMENT });
  expect(await uploads.ended(batchId)).toMatchObject({ state: 'finished', failed: 1 });
  await expect.poll(() => bugs.splice(0)).toEqual([unreadable]);
});

test('a removal passes on the files that remain only to those who want them', async () => {
  const left = { AssignmentId: ASSIGNMENT, FacilityId: '', Files: [{ Key: 'b', FileName: 'b.txt', UploadedBy: '' }] };
  const { uploads } = setUp([], { service: { ...refusing.service, removeFile: async () => left } });
  const file = { AssignmentId: ASSIGNMENT, Key: 'a' };
  expect(await uploads.removeFile(file)).toBeUndefined();
  expect(await uploads.removeFile({ ...file, wantsList: true })).toEqual(left);
});

test('removals are reported although the counts of another batch are damaged', async () => {
  const path = newLedgerPath();
  const ledger = openTestLedger(path);
  const reported = Promise.withResolvers<Batch>();
  const { uploads, bugs } = setUp([], { ledger, onBatches: ([batch]) => batch && reported.resolve(batch) });
  const ids: string[] = [];
  for (const key of ['damaged', 'sound']) {
    const { batch, files } = await addBatch(ledger, [scanned(`${key}.jpg`)]);
    const [{ id } = { id: 0 }] = files;
    ids.push(batch);
    await ledger.commit(() => {
      ledger.items.sending(id, key, 'url', 1);
      ledger.items.done(id, 'ab12', undefined, 1);
    });
  }
  for (const Key of ['damaged', 'sound']) await uploads.removeFile({ AssignmentId: ASSIGNMENT, Key });
  const other = new DatabaseSync(path);
  other
    .prepare(`UPDATE tally SET files = -1 WHERE state = 'removed' AND batch = (SELECT min(number) FROM batch)`)
    .run();
  other.close();
  expect(await reported.promise).toMatchObject({ batchId: ids[1], removed: 1 });
  expect(bugs.splice(0)).toMatchObject([{ code: 'data/corrupt' }]);
});

test.each([
  ['is uploaded once the removal has ended', 3, { state: 'finished', uploaded: 1 }],
  ['fails if the removal does not end', Number.POSITIVE_INFINITY, { state: 'finished', failed: 1 }],
])('a file is not sent to a Key that is still to be removed, and %s', async (_, endsAfter, ended) => {
  const world = await startWorld({ reusesKeys: true });
  onTestFinished(world.close);
  const ledger = openTestLedger();
  const remove = { assignmentId: ASSIGNMENT, key: 'key-of-a.txt' };
  let waits = 0;
  const pause: TransferContext['pause'] = async () => {
    expect(world.held.get(remove.key)).toBe(undefined);
    waits += 1;
    if (waits === endsAfter) ledger.knownFiles.setBeingRemoved('connection', []);
  };
  const { root, uploads } = setUp(['a.txt'], { service: world.service, ledger, pause });
  ledger.knownFiles.setBeingRemoved('connection', [remove]);
  const { batchId } = await uploads.start({ root, assignmentId: ASSIGNMENT });
  expect(await uploads.ended(batchId)).toMatchObject(ended);
});

test('a file whose Key a later one got counts as removed, and is no longer removed with its upload', async () => {
  const world = await startWorld();
  onTestFinished(world.close);
  const service: TransferContext['service'] = {
    signUpload: async (...asked) => ({ ...(await world.service.signUpload(...asked)), Key: 'the same' }),
    removeFile: async () => expect.unreachable('nothing has to be removed'),
  };
  const { root, uploads } = setUp(['a.txt'], { service });
  const upload = async () => {
    const { batchId } = await uploads.start({ root, assignmentId: ASSIGNMENT, onClash: 'replace' });
    expect(await uploads.ended(batchId)).toMatchObject({ state: 'finished', uploaded: 1 });
    return batchId;
  };
  const early = await upload();
  writeFileSync(join(root, 'a.txt'), 'changed');
  const late = await upload();
  expect([uploads.get(early).removed, uploads.get(late).removed]).toEqual([1, undefined]);
  const { files } = uploads.files(early, { states: ['removed'], offset: 0, limit: 1 });
  expect(files).toMatchObject([{ FileName: 'a.txt', state: 'removed', removedAtMs: 5 }]);
  expect([early, late].map((id) => uploads.removable(id, 0).files.length)).toEqual([0, 1]);
});

/**
 * Starts an upload that replaces `a.txt` and adds `b.txt`. The service does not list `b.txt` until `list` is called.
 */
const startUnlisted = async (ledger: Ledger, own: Partial<TransferContext>) => {
  const world = await startWorld();
  onTestFinished(world.close);
  let lags = true;
  const service: TransferContext['service'] = {
    ...world.service,
    removeFile: async (...asked) => {
      const answer = await world.service.removeFile(...asked);
      return answer && { ...answer, Files: answer.Files.filter(({ FileName }) => FileName !== 'b.txt' || !lags) };
    },
  };
  let atMs = 0;
  const { root, uploads } = setUp(['a.txt'], { service, ledger, now: () => ++atMs, listLagMs: 1_000, ...own });
  const start = () => uploads.start({ root, assignmentId: ASSIGNMENT, onClash: 'replace' });
  await uploads.ended((await start()).batchId);
  writeFileSync(join(root, 'a.txt'), 'changed');
  writeFileSync(join(root, 'b.txt'), 'b');
  const { batchId } = await start();
  const list = (): void => {
    lags = false;
  };
  return { uploads, batchId, list };
};

/**
 * Wraps a ledger. `onLeft` is called after each commit that leaves a running batch nothing to do except to look for a
 * file that no list contained.
 */
const onUnlisted = (ledger: Ledger, onLeft: (batch: string) => void): Ledger => ({
  ...ledger,
  commit: async (write) => {
    const answer = await ledger.commit(write);
    for (const { id, state } of ledger.batches.list('connection')) {
      const isLeft = ledger.items.pending(id, 1).length > 0 || ledger.replacedFiles.pendingItems(id, 1).length > 0;
      if (state === 'running' && !isLeft && ledger.items.unlisted(id) !== undefined) onLeft(id);
    }
    return answer;
  },
});

test('an upload that is paused while others hold all places does not end before its files were looked for again', async () => {
  const ledger = openTestLedger();
  const ahead = createSlots(1);
  let release: (() => void) | undefined;
  const isWaiting = Promise.withResolvers<void>();
  const waiting = onUnlisted(ledger, () => {
    release ??= ahead.tryAcquire();
    isWaiting.resolve();
  });
  const pools = { ...createPools(1, () => 5), ahead };
  const { uploads, batchId, list } = await startUnlisted(waiting, { pools });
  await isWaiting.promise;
  // By now, the run waits for a place among the files ahead.
  await sleep(50);
  await uploads.pause(batchId);
  expect(await uploads.ended(batchId)).toMatchObject({ state: 'paused', uploaded: 2 });
  release?.();
  list();
  await uploads.resume(batchId);
  expect(await uploads.ended(batchId)).toMatchObject({ state: 'finished', uploaded: 2 });
});

test('an upload looks for its files again although its last commit runs twice, because a write beside it fails', async () => {
  const ledger = openTestLedger();
  const commit: Ledger['commit'] = (write) => {
    const answer = ledger.commit(write);
    ledger.commit(() => expect.fail('a write fails')).catch(() => {});
    return answer;
  };
  const list = Promise.withResolvers<() => void>();
  let looks = 0;
  const twice = onUnlisted({ ...ledger, commit }, () => {
    looks += 1;
    void list.promise.then((now) => now());
  });
  const upload = await startUnlisted(twice, {});
  list.resolve(upload.list);
  expect(await upload.uploads.ended(upload.batchId)).toMatchObject({ state: 'finished', uploaded: 2 });
  expect(looks).toBeGreaterThan(0);
  expect(ledger.items.unlisted(upload.batchId)).toBeUndefined();
});

test('an upload that replaces a file ends with few check files, although the service fails to remove them', async () => {
  const world = await startWorld();
  onTestFinished(world.close);
  let [checks, failed] = [0, 0];
  const service: TransferContext['service'] = {
    signUpload: (...asked) => {
      if (asked[0].FileName !== 'a.txt') checks += 1;
      return world.service.signUpload(...asked);
    },
    removeFile: async (...asked) => {
      if (!world.held.has(asked[0].Key) || failed === 1_000) return world.service.removeFile(...asked);
      failed += 1;
      await sleep(1);
      throw new DeskError('service/failed', 'failed', { retry: 'later' });
    },
  };
  const { root, uploads } = setUp(['a.txt'], { service });
  const upload = async () => {
    const { batchId } = await uploads.start({ root, assignmentId: ASSIGNMENT, onClash: 'replace' });
    return uploads.ended(batchId);
  };
  await upload();
  writeFileSync(join(root, 'a.txt'), 'changed');
  // Neither the earlier file nor the two check files could be removed.
  expect(await upload()).toMatchObject({ state: 'finished', uploaded: 1, notReplaced: 3 });
  expect(checks).toBe(2);
});

test('who waits for memory keeps no place that a file in memory needs to continue', async () => {
  const answers = ['service/malformed', 'service/refused'] as const;
  let asked = 0;
  const { root, uploads } = setUp(['a.txt'], {
    service: {
      signUpload: () => Promise.reject(new DeskError(answers[asked++] ?? 'service/refused', 'no')),
      removeFile: async () => undefined,
    },
    pools: { ...createPools(1, () => 0), memory: createBudget(heldBytes(Number.POSITIVE_INFINITY)) },
    pause: async () => {
      for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
    },
  });
  const { batchId } = await uploads.start({ root, assignmentId: ASSIGNMENT });
  expect(await uploads.ended(batchId)).toMatchObject({ state: 'finished' });
  expect(asked).toBe(2);
});

const toFail = Array.from({ length: 501 }, (_, index) => scanned(`${index}.txt`, 1));
const refusedError = toErrorData(new DeskError('service/refused', 'no'));

/** Fails all files of a batch that neither runs nor is planned. */
const failAll = async ({ items, commit }: Ledger, files: readonly { readonly id: number }[]): Promise<void> =>
  commit(() => {
    for (const { id } of files) items.failed(id, { state: 'failed', error: refusedError, unclear: false }, 1);
  });

test.each([
  ['cancelled', 'cancel', { state: 'cancelled', cancelled: 500, failed: 1 }],
  ['paused', 'pause', { state: 'paused', failed: 1 }],
] as const)('an upload that is %s while many of its files are queued again stays so', async (_, step, expected) => {
  const ledger = openTestLedger();
  let commits = 0;
  // The third commit queues the last file, after one for removals and one for the first files.
  const commit: typeof ledger.commit = async (write) => {
    commits += 1;
    if (commits === 3) await uploads[step](batch);
    return ledger.commit(write);
  };
  const { root, uploads, asked } = setUp([], { ledger: { ...ledger, commit } });
  const { batch, files } = await addBatch(ledger, toFail, { root });
  await failAll(ledger, files);
  await ledger.commit(() => ledger.batches.setFinished(batch, 1));
  expect(await uploads.retryFailed(batch)).toMatchObject(expected);
  expect(await uploads.ended(batch)).toMatchObject(expected);
  expect(asked).toEqual([]);
});

test.each([
  ['scan had ended', undefined],
  ['reviewed files were queued', { list: randomUUID(), below: '', ranges: [] }],
])('a retry of a file of an upload that was cancelled before its %s sends no other files', async (_, reviewed) => {
  const { root, uploads, ledger } = setUp(['a.txt', 'b.txt'], refusing);
  const { batch, files } = await addBatch(ledger, [scanned('a.txt', 1)], { root, reviewed });
  await failAll(ledger, files);
  await uploads.cancel(batch);
  await uploads.retryFailed(batch);
  expect(await uploads.ended(batch)).toMatchObject({ state: 'finished', files: 1 });
  expect(ledger.batches.reviewedLists()).toEqual(new Set());
});

test.each([
  ['cancelled', 'cancel'],
  ['paused', 'pause'],
] as const)('an upload that is %s before its later files are added stays so', async (state, step) => {
  const ledger = openTestLedger();
  let isFirst = true;
  const commit: typeof ledger.commit = async (write) => {
    if (isFirst) {
      isFirst = false;
      await uploads[step](batch);
    }
    return ledger.commit(write);
  };
  const { root, uploads } = setUp(['a.txt'], { ledger: { ...ledger, commit }, ...refusing });
  const { batch } = await addBatch(ledger, [], { root, leavesLater: true });
  await ledger.commit(() => ledger.batches.setState(batch, 'running'));
  await uploads.addLater(batch).catch(() => {});
  expect(await uploads.ended(batch)).toMatchObject({ state, files: 0 });
});
