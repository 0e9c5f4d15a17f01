import { expect, test } from 'vitest';
import { DeskError } from '../../../contract/errors.ts';
import type { Batch } from '../../../contract/uploads.ts';
import type { OpenFolder } from './open-folder.ts';
import { createSender } from './send-files.ts';
import { openWatchedStore } from './watched-store.ts';

const facts = { sizeBytes: 1, modifiedMs: 1, identity: { id: '1-1', changedMs: 1 } };
const owner = { connectionId: 'c', subject: 'first' };
const rules = { assignmentId: undefined, onClash: 'rename', hours: [], paused: false } as const;

/** A watched folder with one complete file, in a subfolder whose assignment is to be found by matching. */
const folder: OpenFolder = {
  row: { ...owner, ...rules, id: 1, root: '/jobs', realRoot: '/jobs', addedMs: 0 },
  watch: {
    state: () => 'watching',
    problem: () => undefined,
    complete: () => [{ path: 'job/a.txt', ...facts, completeAtMs: 0 }],
    readable: () => [],
    see: () => {},
    forget: () => {},
    unsettled: () => 0,
    isUnsettled: () => false,
    scanSoon: () => {},
    close: async () => {},
    signal: new AbortController().signal,
    look: () => expect.unreachable(),
    assertFolder: () => expect.unreachable(),
  },
  matched: new Map(),
  now: new WeakSet(),
};

type SenderOptions = Parameters<typeof createSender>[0];
type Version = Awaited<ReturnType<SenderOptions['uploads']['versions']>>[number];

/** The versions of a batch, which are all in its first page. */
const onePage =
  (versionsOf: (batch: string) => readonly Pick<Version, 'path' | 'state' | 'sha256'>[]) =>
  async (batch: string, afterId: number): Promise<Version[]> =>
    afterId > 0
      ? []
      : versionsOf(batch).map((version, at) => ({
          id: at + 1,
          sizeBytes: 1,
          modifiedMs: 1,
          identity: undefined,
          ...version,
        }));

/**
 * Creates a sender. Unless `options` permits it, the test fails if the sender starts an upload, or matches, reads or
 * records a file.
 */
const createTestSender = ({
  uploads,
  look = () => expect.unreachable(),
  ...options
}: Pick<SenderOptions, 'store'> &
  Partial<Omit<SenderOptions, 'uploads'>> & {
    readonly uploads?: Partial<SenderOptions['uploads']>;
    readonly look?: OpenFolder['watch']['look'];
  }) => {
  const send = createSender({
    uploads: {
      startTogether: () => expect.unreachable(),
      present: () => [],
      resume: () => expect.unreachable(),
      setSchedule: () => expect.unreachable(),
      files: () => expect.unreachable(),
      retryFiles: () => expect.unreachable(),
      versions: async () => [],
      contentOf: () => expect.unreachable(),
      folderOf: () => expect.unreachable(),
      ...uploads,
    },
    now: () => 0,
    match: () => expect.unreachable(),
    others: { own: () => {}, mayTake: () => () => false },
    take: () => expect.unreachable(),
    isWatched: () => true,
    hoursOf: ({ hours }) => hours,
    officeHours: [],
    gatherMs: 0,
    ...options,
  });
  return (from: OpenFolder) => send({ ...from, watch: { ...from.watch, look } });
};

test('nothing is sent if somebody else signs in while folders are matched', async () => {
  let user = 'first';
  const store = openWatchedStore(':memory:');
  const send = createTestSender({
    store,
    look: async () => facts,
    match: async () => {
      user = 'second';
      return ['assignment'];
    },
    isWatched: ({ row }) => row.subject === user,
  });
  await send(folder);
  expect(folder.matched.get('job')).toBe('assignment');
  store.close();
});

test.each([
  { held: 'a paused folder', row: { paused: true } },
  { held: 'a folder outside its hours', row: { hours: [{ from: '18:00', to: '19:00', days: [1] }] } },
])('the files of $held are not looked up at each pass', async ({ row }) => {
  const store = openWatchedStore(':memory:');
  const send = createTestSender({
    store: { ...store, sentAt: () => expect.unreachable(), movedFrom: () => expect.unreachable() },
    now: () => new Date('2026-01-05T12:00').getTime(),
  });
  expect(await send({ ...folder, row: { ...folder.row, ...row, assignmentId: 'a' } })).toBe(false);
  store.close();
});

test('a file that waits for the user to choose its assignment is looked up once, not at each pass', async () => {
  const store = openWatchedStore(':memory:');
  const lookedUp: string[] = [];
  const send = createTestSender({
    store: { ...store, sentAt: (_, { path }) => void lookedUp.push(path) },
    look: async () => facts,
    match: async () => [undefined],
  });
  const files = folder.watch.complete();
  const waiting = { ...folder, watch: { ...folder.watch, complete: () => files }, matched: new Map() };
  await send(waiting);
  await send(waiting);
  expect([waiting.matched.has('job'), lookedUp]).toEqual([true, ['job/a.txt']]);
  store.close();
});

test.each(['failed', 'uncertain'] as const)(
  'a moved file with a %s upload is sent from its new place',
  async (state) => {
    const store = openWatchedStore(':memory:');
    const id = store.add({ ...folder.row, assignmentId: 'a' });
    store.take(id, [{ path: 'job/before.txt', ...facts, assignmentId: 'a', batch: 'batch' }]);
    const sent: (readonly string[] | undefined)[] = [];
    const send = createTestSender({
      store,
      uploads: {
        startTogether: async ({ uploads }) => {
          sent.push(...uploads.map(({ only }) => only));
          return [];
        },
        present: () => [{ batchId: 'batch', root: '/jobs' } as Batch],
        versions: onePage(() => [{ path: 'job/before.txt', state }]),
      },
      look: async (path) => (path === 'job/a.txt' ? facts : undefined),
      take: () => {},
    });
    await send({ ...folder, row: { ...folder.row, id, assignmentId: 'a' } });
    expect(sent).toEqual([['a.txt']]);
    store.close();
  },
);

test('a renamed file is not sent as long as it cannot be compared with what was sent', async () => {
  const store = openWatchedStore(':memory:');
  const id = store.add({ ...folder.row, assignmentId: 'a' });
  store.take(id, [{ path: 'job/before.txt', ...facts, assignmentId: 'a', batch: 'batch' }]);
  const send = createTestSender({
    store,
    uploads: {
      present: () => [{ batchId: 'batch', root: '/jobs' } as Batch],
      versions: onePage(() => [{ path: 'job/before.txt', state: 'done', sha256: 'sum' }]),
      contentOf: () => Promise.reject(new DeskError('upload/engine-stopped', 'the thread has died')),
    },
    look: async (path) => (path === 'job/a.txt' ? facts : undefined),
  });
  expect(await send({ ...folder, row: { ...folder.row, id, assignmentId: 'a' } })).toBe(false);
  store.close();
});

test('a file that failed under one of its names, and was sent under another, is not sent under a third', async () => {
  const store = openWatchedStore(':memory:');
  const id = store.add({ ...folder.row, assignmentId: 'a' });
  store.take(id, [
    { path: 'job/1.txt', ...facts, assignmentId: 'a', batch: 'failed' },
    { path: 'job/2.txt', ...facts, assignmentId: 'a', batch: 'done' },
  ]);
  const taken: unknown[] = [];
  const send = createTestSender({
    store,
    uploads: {
      present: () => ['failed', 'done'].map((batchId) => ({ batchId, root: '/jobs' }) as Batch),
      versions: onePage((batch) =>
        batch === 'failed'
          ? [{ path: 'job/1.txt', state: 'failed' }]
          : [{ path: 'job/2.txt', state: 'done', sha256: 'sum' }],
      ),
      contentOf: async () => ({ sizeBytes: 1, sha256: 'sum' }),
    },
    look: async (path) => (path === 'job/a.txt' ? facts : undefined),
    take: (_, files) => taken.push(...files),
  });
  expect(await send({ ...folder, row: { ...folder.row, id, assignmentId: 'a' } })).toBe(false);
  expect(taken).toMatchObject([{ path: 'job/a.txt', batch: 'done' }]);
  store.close();
});

test('the files of a renamed folder are compared in several passes, because other folders wait', async () => {
  const store = openWatchedStore(':memory:');
  const id = store.add({ ...folder.row, assignmentId: 'a' });
  const files = Array.from({ length: 450 }, (_, at) => ({
    path: `after/${at}.txt`,
    ...facts,
    identity: { id: `1-${at}`, changedMs: 1 },
    completeAtMs: 0,
  }));
  const before = files.map((file, at) => ({ ...file, path: `before/${at}.txt`, assignmentId: 'a', batch: 'batch' }));
  store.take(id, before);
  let compared = 0;
  const taken = new Set<string>();
  const send = createTestSender({
    store,
    uploads: {
      present: () => [{ batchId: 'batch', root: '/jobs' } as Batch],
      // The first 220 files are still being sent, so they stay undecided.
      versions: onePage(() =>
        before.map(({ path }, at) => ({ path, state: at < 220 ? 'queued' : 'done', sha256: 'sum' })),
      ),
      contentOf: async () => {
        compared += 1;
        return { sizeBytes: 1, sha256: 'sum' };
      },
    },
    look: async () => undefined,
    take: (_, all) => all.forEach(({ path }) => void taken.add(path)),
  });
  const watch = { ...folder.watch, complete: () => files.filter(({ path }) => !taken.has(path)) };
  const pass = () => send({ ...folder, watch, row: { ...folder.row, id, assignmentId: 'a' } });
  expect([await pass(), compared]).toEqual([true, 0]);
  expect([await pass(), compared]).toEqual([true, 180]);
  expect([await pass(), compared]).toEqual([false, 230]);
  expect(taken.size).toBe(230);
  store.close();
});
