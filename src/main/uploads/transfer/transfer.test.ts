/**
 * Transfers of one file: outages of the service and the storage, long waits, and files that changed or were renamed.
 */
import { statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { DeskError, toErrorData } from '../../../contract/errors.ts';
import { createKeyedLock } from '../../async/lock.ts';
import { createTestClock } from '../../async/testing/clock.ts';
import { createStorageAgent } from '../../net/connector.ts';
import { createGate } from '../../net/gate.ts';
import { createHostHealth, PROBES } from '../../net/host-health.ts';
import { startTestServer, unusedAddress } from '../../net/testing/server.ts';
import type { Item } from '../ledger/items.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { addBatch, addUploaded, newLedgerPath, openTestLedger } from '../ledger/testing/ledger.ts';
import { type FileFacts, factsOf } from '../source/file-identity.ts';
import { createInterruptions } from './interruptions.ts';
import { createTestContext } from './testing/context.ts';
import { pause, transferFile } from './transfer.ts';
import type { Job, TransferContext, UploadService, Wait } from './transfer-context.ts';

/**
 * Transfers one small file with `signUpload`, without waiting between attempts. `wait`: returns how long the file waits
 * for its slot, in ms, and receives the file's path. `watch`: receives a function that reads the file's item. `own`:
 * parts of the context; `signal` and `waitSignal`, which end the waits; `before` and `after`, which prepare the ledger before and after it
 * has the file; and the job's `onWaiting`.
 */
const transfer = async (
  signUpload: UploadService['signUpload'],
  wait: (path: string) => number = () => 0,
  watch: (row: () => Item | undefined) => void = () => {},
  {
    signal = new AbortController().signal,
    waitSignal = signal,
    before = async () => {},
    after,
    onWaiting = () => {},
    ...own
  }: Partial<TransferContext> & {
    readonly signal?: AbortSignal;
    readonly waitSignal?: AbortSignal;
    readonly before?: (ledger: Ledger, file: FileFacts) => Promise<unknown>;
    readonly after?: (ledger: Ledger, item: Item) => void;
    readonly onWaiting?: Job['onWaiting'];
  } = {},
) => {
  const path = newLedgerPath();
  const root = dirname(path);
  writeFileSync(join(root, 'a.txt'), 'a');
  const ledger = openTestLedger(path);
  const file = factsOf(statSync(join(root, 'a.txt'), { bigint: true }));
  await before(ledger, file);
  const { files } = await addBatch(ledger, [{ path: 'a.txt', ...file }], { root });
  const [added] = files;
  if (!added) throw new Error('the batch has no file');
  if (after) await ledger.commit(() => after(ledger, added));
  const item = ledger.items.get(added.id) ?? added;
  watch(() => ledger.items.get(item.id));
  const storage = createStorageAgent();
  let nowMs = 5;
  const service = { signUpload, removeFile: async () => undefined };
  const context = createTestContext({ ledger, service, storage, steady: () => nowMs, ...own });
  const take = async (): Promise<void> => {
    nowMs += wait(join(root, 'a.txt'));
  };
  const job = {
    item,
    batch: {
      connectionId: 'connection',
      assignmentId: 'assignment',
      id: 'batch',
      uploadId: 'upload',
      nameTemplate: '{name}',
      onClash: 'rename' as const,
      root,
    },
    within: root,
    onBytes: () => {},
    onWaiting,
    slot: { take, tryPark: () => undefined, park: () => async () => {}, release: () => {} },
    waitSignal,
    signal,
  };
  const outcome = await transferFile(context, job).finally(() => storage.destroy());
  return { outcome, item: ledger.items.get(item.id) };
};

const refused = new DeskError('service/refused', 'no', { retry: 'never' });

const failing =
  (error: DeskError): UploadService['signUpload'] =>
  () =>
    Promise.reject(error);

test.each(['service/unreachable', 'service/timeout'] as const)(
  'a service that cannot be connected to (%s) stops the batch, not the file',
  async (code) => {
    const error = new DeskError(code, 'no connection', { retry: 'later', details: { phase: 'connect' } });
    await expect(transfer(failing(error))).rejects.toBe(error);
  },
);

test('a storage that cannot be connected to also stops the batch', async () => {
  const url = `${unusedAddress()}/key?signature=s`;
  const sign = async () => ({ AssignmentId: 'assignment', Key: 'key', Url: url });
  await expect(transfer(sign)).rejects.toMatchObject({ code: 'service/unreachable', details: { phase: 'connect' } });
});

test('the ledger says that a signature is requested once that takes long, and since when', async () => {
  let row = (): Item | undefined => undefined;
  const sign: UploadService['signUpload'] = async () => {
    await expect.poll(row).toMatchObject({ state: 'signing', startedAtMs: 5 });
    throw refused;
  };
  const { outcome } = await transfer(sign, undefined, (read) => {
    row = read;
  });
  expect(outcome).toEqual({ state: 'failed', error: refused });
});

test('a service that drops every connection fails the file', async () => {
  const error = new DeskError('service/unreachable', 'lost', { retry: 'later', details: { phase: 'exchange' } });
  expect(await transfer(failing(error))).toMatchObject({
    outcome: { state: 'failed', error },
    item: { state: 'failed', unclear: false, error: { code: 'service/unreachable' } },
  });
});

test('A8: an insecure signed URL is not used', async () => {
  const sign = async () => ({ AssignmentId: 'assignment', Key: 'key', Url: 'http://storage.example.com/key?sig=s' });
  expect(await transfer(sign)).toMatchObject({
    outcome: { state: 'failed', error: { code: 'upload/insecure-url', details: { host: 'storage.example.com' } } },
  });
});

test('a file that changed while it waited for its slot is not sent', async () => {
  const sign = async () => ({ AssignmentId: 'assignment', Key: 'key', Url: 'http://127.0.0.1:1/key?signature=s' });
  const change = (path: string): number => {
    writeFileSync(path, 'changed');
    return 10_000;
  };
  expect(await transfer(sign, change)).toMatchObject({
    outcome: { state: 'failed', error: { code: 'upload/file-changed' } },
    item: { state: 'failed', attempts: 0, key: undefined },
  });
});

test('behind a portal, whose host responds to probes, a file waits longer and longer, and the portal is the reason', async () => {
  await using portal = await startTestServer((response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>Sign in'),
  );
  const sign = async () => ({ AssignmentId: 'assignment', Key: 'key', Url: `${portal.url}/key?signature=s` });
  const stop = new AbortController();
  const waits: number[] = [];
  const reasons: (string | undefined)[] = [];
  const sleep = async (ms: number): Promise<void> => {
    if (waits.push(ms) === 4) stop.abort();
    stop.signal.throwIfAborted();
  };
  const sent = transfer(sign, undefined, undefined, {
    signal: stop.signal,
    health: createHostHealth({ probe: async () => {}, sleep }),
    interruptions: createInterruptions({
      sleep,
      now: () => 5,
      probes: { ...PROBES, jitter: false },
      report: (seen) => reasons.push(seen.type === 'unreachable' ? seen.reason.code : undefined),
    }),
  });
  await expect(sent).rejects.toBeDefined();
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000]);
  expect(new Set(reasons)).toEqual(new Set(['network/captive-portal', undefined]));
  expect(portal.requests.filter(({ method }) => method === 'PUT')).toHaveLength(4);
});

test('a storage that refuses files after a pause has answered: the next file waits less, and is not said to wait', async () => {
  await using storage = await startTestServer((response) => response.writeHead(413).end());
  const sign = async () => ({ AssignmentId: 'assignment', Key: 'key', Url: `${storage.url}/key?signature=s` });
  const clock = createTestClock();
  const gate = createGate({ ...clock, random: () => 0.5 });
  gate.hold(new URL(storage.url).host, 10_000, 1);
  const waits: unknown[] = [];
  const onWaiting: Job['onWaiting'] = (wait) => waits.push(wait instanceof DeskError ? wait.retryAfterMs : wait);
  for (let file = 0; file < 3; file += 1)
    expect(await transfer(sign, undefined, undefined, { gate, onWaiting })).toMatchObject({
      outcome: { state: 'failed' },
    });
  expect(clock.slept).toEqual([11_000, 1_000, 850]);
  expect(waits).toEqual([11_000, undefined]);
});

test('a Url that expires while the file waits for its turn is not sent to, and does not use up the one new signature', async () => {
  await using storage = await startTestServer((response) => response.writeHead(413).end());
  const clock = createTestClock(Date.parse('2026-03-01T12:00:00Z'));
  const gate = createGate({ ...clock, random: () => 0.5 });
  let keys = 0;
  const sign = async () => {
    keys += 1;
    if (keys < 4) gate.hold(new URL(storage.url).host, 3_600_000, clock.now());
    const query = new URLSearchParams({
      sv: '2024-11-04',
      sig: 's',
      se: new Date(clock.now() + 900_000).toISOString(),
    });
    return { AssignmentId: 'assignment', Key: `key${keys}`, Url: `${storage.url}/key${keys}?${query}` };
  };
  await transfer(sign, undefined, undefined, { gate, now: clock.now });
  expect(storage.requests.map(({ target }) => target.split('?')[0])).toEqual(['/key4']);
});

test.each([
  ['another upload sends a file of the same name', 'connection assignment a.txt'],
  ['names are planned for the assignment', 'names connection assignment'],
])('a pause ends the wait of a file while %s', async (_, key) => {
  const lock = createKeyedLock();
  const pausing = new AbortController();
  using _held = await lock.take(key, pausing.signal);
  const before = async (ledger: Ledger): Promise<void> => {
    const other = { key: 'other', fileName: 'a.txt', sizeBytes: 9, modifiedMs: 1, sha256: 'ab', atMs: 5 };
    const place = { root: '/other', path: 'a.txt' };
    await ledger.commit(() =>
      addUploaded(ledger, { connectionId: 'connection', assignmentId: 'assignment' }, { ...other, place }),
    );
    setImmediate(() => pausing.abort(new DeskError('app/cancelled', 'the batch pauses')));
  };
  const sent = transfer(failing(refused), undefined, undefined, { lock, before, waitSignal: pausing.signal });
  await expect(sent).rejects.toMatchObject({ code: 'app/cancelled' });
});

test('a Url that has expired since an earlier run is no response of the storage', async () => {
  const responded: string[] = [];
  const interruptions = createInterruptions({ sleep: async () => {}, report: () => {}, now: () => 5 });
  const query = new URLSearchParams({ sv: '2024-11-04', sig: 's', se: '2026-03-01T12:00:00Z' });
  const sign = () => Promise.reject(refused);
  await transfer(sign, undefined, undefined, {
    now: () => Date.parse('2026-03-02T12:00:00Z'),
    interruptions: { ...interruptions, responded: (to) => void responded.push(to) },
    after: (ledger, { id }) => ledger.items.sending(id, 'old', `http://127.0.0.1:1/old?${query}`, 5),
  });
  expect(responded, 'the removal of the old Key, and the signature').toEqual(['service', 'service']);
});

/**
 * Records an upload that failed because its file had been renamed, after the storage had sent no response to an
 * attempt. `changed`: facts of the file that were different during that upload.
 */
const lostBefore =
  (changed: Partial<FileFacts> = {}, subject?: string) =>
  async (ledger: Ledger, file: FileFacts): Promise<void> => {
    const facts = { ...file, ...changed };
    const { files } = await addBatch(ledger, [{ path: 'before.txt', ...facts }], { root: '/elsewhere', subject });
    const error = toErrorData(new DeskError('upload/file-missing', 'gone'));
    const failure = { state: 'failed', error, unclear: true, key: 'old', url: 'https://storage.test/old' } as const;
    await ledger.commit(() => ledger.items.failed(files[0]?.id ?? 0, failure, 1));
  };

test('a renamed file settles the Key that its earlier name left unclear before it gets one of its own', async () => {
  const calls: string[] = [];
  const service: UploadService = {
    signUpload: async () => {
      calls.push('sign');
      throw refused;
    },
    removeFile: async ({ Key }) => void calls.push(`remove ${Key}`),
  };
  let former = (): Item | undefined => undefined;
  const before = async (ledger: Ledger, file: FileFacts): Promise<void> => {
    await lostBefore()(ledger, file);
    const [batch] = ledger.batches.list('connection');
    former = () => ledger.items.list(batch?.id ?? '', { offset: 0, limit: 1 }).items[0];
  };
  const { outcome } = await transfer(service.signUpload, undefined, undefined, { service, before });
  expect(outcome).toMatchObject({ state: 'failed', error: refused });
  expect(calls).toEqual(['remove old', 'sign']);
  expect(former()).toMatchObject({ state: 'failed', key: undefined, url: undefined, unclear: false });
});

test('a file whose earlier attempt may still arrive is removed twice before it gets another name', async () => {
  const calls: string[] = [];
  const service: UploadService = {
    signUpload: async ({ FileName }) => {
      calls.push(`sign ${FileName}`);
      throw refused;
    },
    removeFile: async ({ Key }) => {
      calls.push(`remove ${Key}`);
      throw new DeskError('service/not-found', 'there is no such file', { retry: 'never' });
    },
  };
  const unanswered = new Map<number, number>();
  const before = async (ledger: Ledger, file: FileFacts): Promise<void> => {
    await lostBefore()(ledger, file);
    const [batch] = ledger.batches.list('connection');
    const [former] = ledger.items.list(batch?.id ?? '', { offset: 0, limit: 1 }).items;
    unanswered.set(former?.id ?? 0, 1);
    const other = { key: 'other', fileName: 'a.txt', sizeBytes: 9, modifiedMs: 1, sha256: 'ab', atMs: 5 };
    const place = { root: '/other', path: 'a.txt' };
    await ledger.commit(() =>
      addUploaded(ledger, { connectionId: 'connection', assignmentId: 'assignment' }, { ...other, place }),
    );
  };
  await transfer(service.signUpload, undefined, undefined, { service, unanswered, before });
  expect(calls).toEqual(['remove old', 'remove old', 'sign a (2).txt']);
});

test('a renamed file is not sent as long as the Key of its earlier name cannot be settled, and keeps it', async () => {
  const removeFile = () => Promise.reject(refused);
  const service = { signUpload: () => expect.unreachable('it is signed'), removeFile };
  const { item } = await transfer(service.signUpload, undefined, undefined, { service, before: lostBefore() });
  expect(item).toMatchObject({ state: 'uncertain', key: 'old', unclear: true });
});

test.each([
  ['another version of it', { modifiedMs: 1 }],
  ['another file', { identity: { id: '1-1', changedMs: 1 } }],
  [
    'a file whose number it got later',
    (file: FileFacts) => ({ identity: { id: file.identity?.id ?? '', changedMs: 1 } }),
  ],
  ['a file of another user', {}, 'bert'],
])('the Key of %s stays as it is', async (_, changed, subject?: string) => {
  const service = { signUpload: failing(refused), removeFile: () => expect.unreachable('it is removed') };
  const before = (ledger: Ledger, file: FileFacts) =>
    lostBefore(typeof changed === 'function' ? changed(file) : changed, subject)(ledger, file);
  expect(await transfer(service.signUpload, undefined, undefined, { service, before })).toMatchObject({
    outcome: { state: 'failed', error: refused },
  });
});

test('a file that waits for a slot after a pause that the host requested no longer waits for the host', async () => {
  const waits: (Wait | undefined)[] = [];
  const unpark = async (): Promise<void> => expect(waits.at(-1)).toBe('retry');
  const job: Pick<Job, 'slot' | 'waitSignal' | 'onWaiting'> = {
    slot: { take: unpark, tryPark: () => unpark, park: () => unpark, release: () => {} },
    waitSignal: new AbortController().signal,
    onWaiting: (wait) => waits.push(wait),
  };
  const busy = new DeskError('service/busy', 'later', { retry: 'later', retryAfterMs: 1_000 });
  await pause({ pause: async () => {}, now: () => 5 }, job, busy, 0);
  expect(waits).toMatchObject([{ details: { until: 1_005 } }, 'retry', undefined]);
});
