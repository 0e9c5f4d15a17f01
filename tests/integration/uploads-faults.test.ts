import { beforeEach, describe, expect, test } from 'vitest';
import type { FaultEffect } from '../../src/sandbox/faults/fault-plan.ts';
import { openSignedIn, type TestDesk, withoutBackoff } from './support/desks.ts';
import { bytes, makeFolder, type Tree } from './support/folders.ts';
import { always, expectStored, once, storedOn, useSandbox } from './support/sandbox.ts';

const sandbox = useSandbox({ maxObjectBytes: 4 * 1024 * 1024 });
const tree = { 'large.jpg': bytes(3 * 1024 * 1024), 'small.txt': 'small', empty: '' };

let desk: TestDesk;
let assignment: string;
beforeEach(async () => {
  withoutBackoff();
  desk = await openSignedIn({ sandbox: sandbox.address });
  assignment = sandbox.newAssignment();
});

const upload = (files: Tree = tree) => desk.upload(makeFolder(files), assignment);
const requests = async (route: 'sign-upload' | 'remove-file' | 'storage-put') =>
  (await sandbox.control.stats()).routes[route].requests;
const putsOf = async (FileName: string) =>
  (await storedOn(sandbox.control, assignment))
    .filter((object) => object.FileName === FileName)
    .map(({ puts }) => puts);

describe('transient faults: every file arrives once', () => {
  const busy: FaultEffect = { type: 'status', status: 503, retryAfterS: 0 };
  const passing: readonly FaultEffect[] = [
    busy,
    { type: 'status', status: 429, retryAfterS: 0, retryAfterAs: 'date' },
    { type: 'status', status: 408 },
    { type: 'status', status: 500 },
    { type: 'reset', at: 'before-body' },
    { type: 'reset', at: 'during-body' },
    { type: 'reset', at: 'after-body' },
    { type: 'status', status: 504, at: 'after-body' },
    { type: 'truncate' },
  ];

  /** For each fault, one file that meets it. */
  const names = passing.map((_, at) => `file-${at}.jpg`);
  const files = Object.fromEntries(names.map((name, at) => [name, bytes(1024 * 1024 + at)]));

  test.each([
    ['sign-upload', 2 * passing.length],
    ['storage-put', passing.length],
  ] as const)('each of them at %s, beside the others', async (route, signs) => {
    await sandbox.control.faults.add(...passing.map((effect, at) => once(route, effect, names[at])));
    expect(await upload(files)).toMatchObject({ state: 'finished', uploaded: passing.length, failed: 0 });
    await expectStored(sandbox.control, assignment, files);
    expect(await requests('sign-upload')).toBe(signs);
    for (const { fired } of await sandbox.control.faults.list()) expect(fired).toBe(1);
  });

  test('requests another signature when one cannot be parsed; the unused one stores nothing', async () => {
    await sandbox.control.faults.add(once('sign-upload', { type: 'malformed-json' }));
    expect(await upload()).toMatchObject({ state: 'finished', uploaded: 3, failed: 0 });
    await expectStored(sandbox.control, assignment, tree);
  });

  test.each(['large.jpg', 'small.txt', 'empty'])('%s, stored but not answered, goes to the same Key', async (name) => {
    await sandbox.control.faults.add(once('storage-put', { type: 'reset', at: 'after-body' }, name));
    await upload();
    expect(await putsOf(name)).toEqual([2]);
    expect(await requests('sign-upload')).toBe(3);
    await expectStored(sandbox.control, assignment, tree);
  });
});

describe('a Url that has expired', () => {
  test('before anything was sent: signs again, with nothing to remove', async () => {
    await sandbox.control.faults.add(once('storage-put', { type: 'expired-url' }, 'large.jpg'));
    expect(await upload()).toMatchObject({ uploaded: 3, failed: 0 });
    expect([await requests('sign-upload'), await requests('remove-file')]).toEqual([4, 0]);
    await expectStored(sandbox.control, assignment, tree);
  });

  test('after an unclear attempt: removes the first Key before it uses the second', async () => {
    await sandbox.control.faults.add(
      once('storage-put', { type: 'reset', at: 'after-body' }, 'large.jpg'),
      once('storage-put', { type: 'expired-url' }, 'large.jpg'),
    );
    expect(await upload()).toMatchObject({ uploaded: 3, failed: 0 });
    expect([await requests('sign-upload'), await requests('remove-file')]).toEqual([4, 1]);
    await expectStored(sandbox.control, assignment, tree);
    expect(await putsOf('large.jpg')).toEqual([1]);
  });

  test('after an attempt that did not arrive: the removal finds nothing, which settles it as well', async () => {
    await sandbox.control.faults.add(
      once('storage-put', { type: 'reset', at: 'during-body' }, 'large.jpg'),
      once('storage-put', { type: 'expired-url' }, 'large.jpg'),
    );
    expect(await upload()).toMatchObject({ uploaded: 3, failed: 0 });
    await expectStored(sandbox.control, assignment, tree);
  });

  test('repeatedly: the file fails, the others do not', async () => {
    await sandbox.control.faults.add(always('storage-put', { type: 'expired-url' }, 'large.jpg'));
    const { batchId, ...counts } = await upload();
    expect(counts).toMatchObject({ state: 'finished', uploaded: 2, failed: 1 });
    expect((await desk.filesOf(batchId))['large.jpg']).toMatchObject({
      state: 'failed',
      attempts: 2,
      error: { code: 'upload/url-expired' },
    });
  });
});

describe('unsettled attempts are uncertain', () => {
  const unsettled = async (removal: FaultEffect) => {
    await sandbox.control.faults.add(
      once('storage-put', { type: 'reset', at: 'after-body' }, 'large.jpg'),
      once('storage-put', { type: 'expired-url' }, 'large.jpg'),
      always('remove-file', removal),
    );
    const { batchId, ...counts } = await upload();
    expect(counts).toMatchObject({ state: 'finished', uploaded: 2, failed: 1 });
    expect(await requests('sign-upload')).toBe(3);
    return batchId;
  };

  test('a removal that is forbidden', async () => {
    const batch = await unsettled({ type: 'status', status: 403 });
    expect((await desk.filesOf(batch))['large.jpg']).toMatchObject({
      state: 'uncertain',
      error: { code: 'service/forbidden' },
    });
    await expectStored(sandbox.control, assignment, tree);
  });

  test('a removal that fails temporarily, settled by the retry', async () => {
    const batch = await unsettled({ type: 'status', status: 500 });
    expect((await desk.filesOf(batch))['large.jpg']).toMatchObject({
      state: 'uncertain',
      error: { code: 'service/failed' },
    });
    await sandbox.control.faults.clear();
    await desk.uploads.retryFailed(batch);
    expect(await desk.uploads.ended(batch)).toMatchObject({ state: 'finished', uploaded: 3, failed: 0 });
    await expectStored(sandbox.control, assignment, tree);
  });
});

describe('final errors of a single file', () => {
  test('a file above the limit of the storage', async () => {
    const { batchId, ...counts } = await upload({ ...tree, 'huge.mov': bytes(5 * 1024 * 1024) });
    expect(counts).toMatchObject({ state: 'finished', uploaded: 3, failed: 1 });
    expect((await desk.filesOf(batchId))['huge.mov']).toMatchObject({
      state: 'failed',
      error: { code: 'upload/too-large' },
    });
    await expectStored(sandbox.control, assignment, tree);
  });

  test('a Url that is refused', async () => {
    await sandbox.control.faults.add(always('storage-put', { type: 'status', status: 403 }, 'large.jpg'));
    const { batchId, ...counts } = await upload();
    expect(counts).toMatchObject({ state: 'finished', uploaded: 2, failed: 1 });
    expect((await desk.filesOf(batchId))['large.jpg']).toMatchObject({
      state: 'failed',
      attempts: 1,
      error: { code: 'upload/denied', details: { status: 403 } },
    });
  });

  test('a signature that is refused', async () => {
    await sandbox.control.faults.add(always('sign-upload', { type: 'status', status: 403 }, 'large.jpg'));
    const { batchId, ...counts } = await upload();
    expect(counts).toMatchObject({ state: 'finished', uploaded: 2, failed: 1 });
    expect((await desk.filesOf(batchId))['large.jpg']).toMatchObject({
      state: 'failed',
      error: { code: 'service/forbidden' },
    });
  });

  test('a storage that always fails', async () => {
    await sandbox.control.faults.add(always('storage-put', { type: 'reset', at: 'during-body' }, 'large.jpg'));
    const { batchId, ...counts } = await upload();
    expect(counts).toMatchObject({ state: 'finished', uploaded: 2, failed: 1 });
    expect((await desk.filesOf(batchId))['large.jpg']).toMatchObject({
      state: 'failed',
      attempts: 6,
      error: { code: 'upload/interrupted' },
    });
    await sandbox.control.faults.clear();
    await desk.uploads.retryFailed(batchId);
    expect(await desk.uploads.ended(batchId)).toMatchObject({ uploaded: 3, failed: 0 });
    await expectStored(sandbox.control, assignment, tree);
  });
});
