import { setImmediate, setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DeskError, type Retry, toErrorData } from '../../../contract/errors.ts';
import type { Batch, UploadFile } from '../../../contract/uploads.ts';
import { createWatchedFolders } from './watched-folders.ts';
import { openWatchedStore } from './watched-store.ts';

type Options = Parameters<typeof createWatchedFolders>[0];

const NEVER = 3_600_000;
const NOON_MS = new Date('2026-01-05T12:00').getTime();
const facts = { sizeBytes: 1, modifiedMs: 1, identity: { id: '1-1', changedMs: 1 } };
const rules = { AssignmentId: 'a', onClash: 'rename', hours: [{ from: '08:00', to: '18:00' }] } as const;

/** Watches the folders, each of which has one file. `uploads`: the functions that the test expects to be called. */
const watchFolders = async (
  roots: readonly string[],
  uploads: Partial<Options['uploads']>,
  reader: Partial<Options['reader']> = {},
  now = () => NOON_MS,
  match: Options['match'] = () => expect.unreachable(),
  matchMs = NEVER,
  steady?: () => number,
  isSignedIn = () => true,
) => {
  const bugs: unknown[] = [];
  const store = openWatchedStore(':memory:');
  const folders = createWatchedFolders({
    store,
    owner: () => ({ connectionId: 'c', subject: 's' }),
    isSignedIn,
    uploads: {
      startTogether: () => expect.unreachable(),
      present: () => [],
      resume: () => expect.unreachable(),
      setSchedule: () => expect.unreachable(),
      files: () => expect.unreachable(),
      retryFiles: () => expect.unreachable(),
      versions: async () => [],
      contentOf: () => expect.unreachable(),
      folderOf: async () => ({ root: '/jobs' }),
      ...uploads,
    },
    reader: {
      assertFolder: async () => {},
      scan: async function* () {
        yield [{ path: 'file.txt', ...facts }];
      },
      look: async () => facts,
      canOpen: async () => true,
      ...reader,
    },
    match,
    title: () => undefined,
    officeHours: [],
    onChange: () => {},
    onBug: (error) => bugs.push(error),
    now,
    steady,
    times: { settleMs: 1, scanMs: NEVER, blindScanMs: NEVER, tickMs: NEVER, matchMs },
  });
  onTestFinished(async () => {
    await folders.close();
    store.close();
  });
  for (const root of roots) await folders.add({ root, existing: true, ...rules });
  return { folders, bugs };
};

const batchOf = (watchedId: number, batch: Partial<Batch>): Batch =>
  ({
    batchId: 'batch',
    root: '/jobs',
    state: 'running',
    schedule: { hours: rules.hours, watchedId, overruled: false },
    ...batch,
  }) as Batch;

test('a bug in the upload of a folder does not hold back the folders after it', async () => {
  const started: string[] = [];
  const { bugs } = await watchFolders(['/first', '/second'], {
    startTogether: async ({ uploads }) => {
      for (const { root } of uploads) {
        if (root === '/first') throw new TypeError('a bug');
        started.push(root);
      }
      return [];
    },
  });
  await expect.poll(() => started).toContain('/second');
  await expect.poll(() => bugs).toContainEqual(new TypeError('a bug'));
});

test('"Upload now" does not resume the uploads of a paused folder that its hours hold back', async () => {
  const resumed: string[] = [];
  const reason = toErrorData(new DeskError('upload/scheduled', 'outside the hours'));
  const { folders } = await watchFolders(['/jobs'], {
    startTogether: async () => [],
    present: () => [batchOf(1, { state: 'paused', reason })],
    resume: async (batch) => {
      resumed.push(batch);
      return batchOf(1, {});
    },
  });
  folders.change(1, { ...rules, paused: true });
  await folders.uploadNow(1);
  expect(resumed).toEqual([]);
  folders.change(1, { ...rules, paused: false });
  await folders.uploadNow(1);
  expect(resumed).toEqual(['batch']);
});

test('the hours of a folder that is removed while its upload starts do not hold that upload back', async () => {
  const present: Batch[] = [];
  const begun = Promise.withResolvers<void>();
  const ready = Promise.withResolvers<void>();
  const hours: unknown[] = [];
  const { folders, bugs } = await watchFolders(['/jobs'], {
    startTogether: async () => {
      begun.resolve();
      await ready.promise;
      present.push(batchOf(1, {}));
      return present;
    },
    present: () => present,
    setSchedule: async (_, schedule) => {
      hours.push(schedule.hours);
      return batchOf(1, { schedule });
    },
  });
  await begun.promise;
  const removed = folders.remove(1);
  await Promise.race([removed, setTimeout(50)]);
  ready.resolve();
  await removed;
  expect(hours).toEqual([[]]);
  expect(folders.list()).toEqual([]);
  await folders.close();
  expect(bugs).toEqual([]);
});

test('a folder that is removed is not watched again by a session that begins meanwhile', async () => {
  const begun = Promise.withResolvers<void>();
  const ready = Promise.withResolvers<void>();
  const scans: AbortSignal[] = [];
  const { folders } = await watchFolders(
    ['/jobs'],
    {
      startTogether: async () => [],
      present: () => [batchOf(1, {})],
      setSchedule: async (_, schedule) => {
        begun.resolve();
        await ready.promise;
        return batchOf(1, { schedule });
      },
    },
    {
      scan: async function* (_, signal) {
        scans.push(signal);
        yield [];
      },
    },
  );
  const removed = folders.remove(1);
  await begun.promise;
  scans.length = 0;
  await folders.sessionChanged();
  await expect.poll(() => scans).toHaveLength(1);
  ready.resolve();
  await removed;
  expect(scans.map(({ aborted }) => aborted)).toEqual([true]);
});

test('a folder whose user signs out while it is added is watched only in the next session', async () => {
  const listed = Promise.withResolvers<void>();
  let isSignedIn = true;
  const reader: Partial<Options['reader']> = {
    scan: async function* () {
      await listed.promise;
      yield [];
    },
  };
  const { folders } = await watchFolders([], {}, reader, undefined, undefined, NEVER, undefined, () => isSignedIn);
  const added = folders.add({ root: '/jobs', existing: false, ...rules });
  await setImmediate();
  isSignedIn = false;
  await folders.sessionChanged();
  listed.resolve();
  await added;
  expect(folders.list()).toMatchObject([{ path: '/jobs', state: 'signed-out' }]);
});

test('a folder on a drive that does not respond is not added, and the reason names it', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { folders } = await watchFolders([], {}, { assertFolder: () => new Promise(() => {}) });
  const adding = folders.add({ root: '/dead', existing: true, ...rules });
  const failed = expect(adding).rejects.toMatchObject({
    code: 'upload/drive-unresponsive',
    details: { path: '/dead' },
  });
  await vi.advanceTimersByTimeAsync(3_600_000);
  await failed;
  expect(folders.list()).toEqual([]);
});

test('a drive that stops responding during a pass makes its folder unreadable, and other folders are sent', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const started: string[] = [];
  let isDead = false;
  const { folders } = await watchFolders(
    ['/dead', '/other'],
    {
      startTogether: async ({ uploads }) => {
        started.push(...uploads.map(({ root }) => root));
        return [];
      },
    },
    {
      canOpen: async (path) => {
        isDead ||= path.startsWith('/dead');
        return true;
      },
      look: ({ root }) => (isDead && root === '/dead' ? new Promise(() => {}) : Promise.resolve(facts)),
    },
  );
  const later = async <T>(read: () => T): Promise<T> => {
    await vi.advanceTimersByTimeAsync(1_000);
    return read();
  };
  await expect.poll(() => later(() => started)).toEqual(['/other']);
  await expect
    .poll(() => later(folders.list))
    .toMatchObject([{ state: 'unreadable', reason: { code: 'upload/drive-unresponsive' } }, { state: 'watching' }]);
});

test.each([
  ['the clock runs', 0],
  ['the clock is set back', -3],
  ['the clock is set forward', 3],
])('files that failed for a passing reason are queued again a few times, after growing pauses: %s', async (_, days) => {
  let minutes = 0;
  const minutesMs = (): number => minutes * 60_000;
  const retried: unknown[] = [];
  const batch = batchOf(1, { state: 'finished', failed: 2, finishedAtMs: NOON_MS });
  const failed = (id: number, retry: Retry) =>
    ({ id, error: toErrorData(new DeskError('service/failed', 'failed', { retry })) }) as UploadFile;
  const { folders } = await watchFolders(
    ['/jobs'],
    {
      startTogether: async () => [],
      present: () => [batch, { ...batch, batchId: 'cancelled', state: 'cancelled' }],
      files: async () => ({ files: [failed(7, 'later'), failed(8, 'never')], total: 2 }),
      retryFiles: async (batchId, ids) => {
        retried.push([batchId, ids, minutes]);
        return batch;
      },
    },
    {},
    () => NOON_MS + minutesMs() + (minutes > 2 ? days * 24 * 3_600_000 : 0),
    undefined,
    undefined,
    minutesMs,
  );
  await expect.poll(() => folders.list()).toMatchObject([{ state: 'watching' }]);
  for (; minutes < 360; minutes += 1) {
    await folders.uploadNow(1);
    await setImmediate();
  }
  // Each pause begins with the pass that notices the failure, a minute after the previous retry.
  expect(retried).toEqual([1, 6, 23, 88, 345].map((at) => ['batch', [7], at]));
});

test('a subfolder that was certain waits for the user once it no longer is, as when its assignment was closed', async () => {
  const files = ['job/1.txt'];
  const sent: unknown[] = [];
  let assignment: string | undefined = 'a';
  const { folders } = await watchFolders(
    [],
    {
      startTogether: async ({ uploads }) => {
        for (const { only, assignmentId } of uploads) sent.push([only, assignmentId]);
        return [];
      },
    },
    {
      scan: async function* () {
        yield files.map((path) => ({ path, ...facts }));
      },
    },
    undefined,
    async (jobs) => jobs.map(() => assignment),
  );
  await folders.add({ root: '/jobs', existing: true, onClash: 'rename', hours: [], AssignmentId: undefined });
  await expect.poll(() => sent).toEqual([[['1.txt'], 'a']]);
  assignment = undefined;
  folders.matchAgain();
  files.push('job/2.txt');
  folders.wake();
  await expect.poll(() => folders.list()).toMatchObject([{ toMatch: { files: 1, folders: 1 } }]);
  expect(sent).toHaveLength(1);
});

test('files that wait for their hours are matched once; those that wait for the user again and again', async () => {
  const matches: string[] = [];
  const { folders } = await watchFolders(
    [],
    {},
    {
      scan: async function* () {
        yield ['certain/1.txt', 'unknown/1.txt'].map((path) => ({ path, ...facts }));
      },
    },
    undefined,
    async (jobs) => {
      matches.push(...jobs.map(({ path }) => path));
      return jobs.map(({ path }) => (path === 'jobs/certain' ? 'a' : undefined));
    },
    5,
  );
  const hours = [{ from: '18:00', to: '08:00' }];
  await folders.add({ root: '/jobs', existing: true, onClash: 'rename', hours, AssignmentId: undefined });
  await expect.poll(() => matches.filter((path) => path === 'jobs/unknown').length).toBeGreaterThan(3);
  expect(matches.filter((path) => path === 'jobs/certain')).toHaveLength(1);
});

test('a file that was moved to the folder of another assignment is sent there, even if folders are matched again', async () => {
  let files: Readonly<Record<string, string>> = { 'one/1.txt': '1-1', 'one/2.txt': '1-2' };
  const factsOf = (id: string) => ({ ...facts, identity: { id, changedMs: 1 } });
  const sent: unknown[] = [];
  const { folders } = await watchFolders(
    [],
    {
      startTogether: async ({ uploads }) => {
        for (const { only, assignmentId } of uploads) sent.push([only, assignmentId]);
        return [];
      },
    },
    {
      scan: async function* () {
        yield Object.entries(files).map(([path, id]) => ({ path, ...factsOf(id) }));
      },
      look: async (_, path) => {
        const id = files[path];
        if (id !== undefined) return factsOf(id);
        // The pass looks for a file at its former path.
        folders.matchAgain();
        return undefined;
      },
    },
    undefined,
    async (jobs) => jobs.map(({ path }) => path),
  );
  await folders.add({ root: '/jobs', existing: true, onClash: 'rename', hours: [], AssignmentId: undefined });
  await expect.poll(() => sent.splice(0)).toEqual([[['1.txt', '2.txt'], 'jobs/one']]);
  files = { 'one/renamed.txt': '1-1', 'two/2.txt': '1-2' };
  folders.wake();
  await expect.poll(() => sent).toEqual([[['2.txt'], 'jobs/two']]);
});
