/** A proxy that responds to uploads instead of the file storage, which gets nothing. */
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Batch } from '../../src/contract/uploads.ts';
import type { FaultEffect } from '../../src/sandbox/faults/fault-plan.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { callWith, signIn } from '../../src/sandbox/testing/client.ts';
import { createSandboxControl, type SandboxControl } from '../../src/sandbox/testing/control-client.ts';
import { cli } from '../integration/support/cli.ts';
import { openSignedIn, type TestDesk, withoutBackoff } from '../integration/support/desks.ts';
import { makeDirectory, makeFolder, type Tree } from '../integration/support/folders.ts';
import { always, assignmentsOf, expectStored, once, storedOn } from '../integration/support/sandbox.ts';
import { createStorage, type StorageDialect } from '../storages/kinds.ts';
import { answerAs, startHostileService } from './support/start-hostile-service.ts';

const OLD = { 'plan.pdf': 'old', 'same.pdf': 'same' };
const NEW = { 'plan.pdf': 'new!', 'same.pdf': 'same', 'added.pdf': 'added' };

/** The headers are those that a proxy adds. */
const swallow: FaultEffect = { type: 'swallow', headers: { server: 'proxy', 'x-cache': 'MISS' } };

/** The time after which the service lists an uploaded file. */
const LAG_MS = 300;

beforeEach(withoutBackoff);

/** Starts a service with this kind of storage, and opens a desk that is signed in to it. */
const setUp = async (dialect: StorageDialect) => {
  const sandbox = await startSandbox({ consent: 'auto', storage: createStorage(dialect) });
  onTestFinished(() => sandbox.close());
  const control = createSandboxControl(sandbox);
  const [assignment = ''] = await assignmentsOf(sandbox);
  const desk = await openSignedIn({ sandbox, concurrency: 1 });
  return { sandbox, control, assignment, desk };
};

const upload = async (desk: TestDesk, assignmentId: string, tree: Tree): Promise<Batch> => {
  const { batchId } = await desk.uploads.start({ root: makeFolder(tree), assignmentId, onClash: 'replace' });
  return desk.uploads.ended(batchId);
};

const contentsOf = async (control: SandboxControl, assignment: string, name: string) =>
  (await storedOn(control, assignment)).filter(({ FileName }) => FileName === name);

describe('a middlebox that stores nothing loses no file', () => {
  test.each<StorageDialect>(['s3', 'google', 'azure', 'plain'])(
    '%s: it is found out by what it does not send',
    async (kind) => {
      const { control, assignment, desk } = await setUp(kind);
      // After the first file, the app knows the headers that this storage sends.
      await control.faults.add({ ...once('storage-put', swallow), when: { after: 1, count: 1 } });
      expect(await upload(desk, assignment, NEW)).toMatchObject({ state: 'finished', uploaded: 3, failed: 0 });
      expect((await control.faults.list())[0]).toMatchObject({ fired: 1 });
      await expectStored(control, assignment, NEW);
    },
  );

  test('what never proves itself fails, in words, and a retry sends it', async () => {
    const { sandbox, control, assignment } = await setUp('s3');
    await control.faults.add(always('storage-put', swallow, 'plan.pdf'));
    const options = { sandbox, home: makeDirectory() };
    const words = await cli(['upload', makeFolder(NEW), '--assignment', assignment], { ...options, words: true });
    expect(words.exitCode).toBe(1);
    expect(words.stderr).toContain('2 of 3 files uploaded, 1 failed');
    expect(words.stderr).toContain('something else responded in its place. (upload/unproven)');
    await control.faults.clear();
    expect((await cli(['uploads', 'retry'], options)).exitCode).toBe(0);
    await expectStored(control, assignment, NEW);
  });
});

describe('a file that replaces another one and is swallowed', () => {
  test('is found missing before the earlier one is removed, and sent again', async () => {
    const { control, assignment, desk } = await setUp('bare');
    await upload(desk, assignment, OLD);
    await control.faults.add({ ...once('storage-put', swallow, 'plan.pdf'), when: { count: 2 } });
    expect(await upload(desk, assignment, NEW)).toMatchObject({ uploaded: 2, skipped: 1, failed: 0, resent: 1 });
    await expectStored(control, assignment, NEW);
  });

  test('fails where it never arrives, and the earlier one stays', async () => {
    const { control, assignment, desk } = await setUp('bare');
    await upload(desk, assignment, OLD);
    await control.faults.add(always('storage-put', swallow, 'plan.pdf'));
    const ended = await upload(desk, assignment, NEW);
    expect(ended).toMatchObject({ uploaded: 1, skipped: 1, failed: 1 });
    expect((await desk.filesOf(ended.batchId))['plan.pdf']).toMatchObject({ error: { code: 'upload/not-arrived' } });
    await expectStored(control, assignment, { ...NEW, 'plan.pdf': OLD['plan.pdf'] });
    await control.faults.clear();
    await desk.uploads.retryFailed(ended.batchId);
    expect(await desk.uploads.ended(ended.batchId)).toMatchObject({ uploaded: 2, failed: 0 });
    await expectStored(control, assignment, NEW);
  });

  test('by something that imitates the storage: the list after the removal shows it, and it is sent again', async () => {
    const { control, assignment, desk } = await setUp('s3');
    await upload(desk, assignment, OLD);
    const imitation: FaultEffect = { type: 'swallow', headers: { etag: '"0a-1"', 'x-amz-request-id': '1' } };
    await control.faults.add(once('storage-put', imitation, 'plan.pdf'));
    expect(await upload(desk, assignment, NEW)).toMatchObject({ uploaded: 2, skipped: 1, failed: 0, resent: 1 });
    await expectStored(control, assignment, NEW);
  });

  test('together with files that replace nothing: the same list shows them', async () => {
    const { control, assignment, desk } = await setUp('bare');
    await upload(desk, assignment, OLD);
    await control.faults.add(once('storage-put', swallow, 'plan.pdf'), once('storage-put', swallow, 'added.pdf'));
    expect(await upload(desk, assignment, NEW)).toMatchObject({ uploaded: 2, skipped: 1, failed: 0, resent: 2 });
    await expectStored(control, assignment, NEW);
    // The check file is no longer on the assignment either.
    expect(await storedOn(control, assignment)).toHaveLength(3);
  });

  test('a file beside it that never arrives fails, too: each time it is sent, a list is read', async () => {
    const { control, assignment, desk } = await setUp('bare');
    await upload(desk, assignment, OLD);
    await control.faults.add(always('storage-put', swallow, 'added.pdf'));
    const ended = await upload(desk, assignment, NEW);
    expect((await desk.filesOf(ended.batchId))['added.pdf']).toMatchObject({ error: { code: 'upload/not-arrived' } });
    expect(ended).toMatchObject({ uploaded: 1, skipped: 1, failed: 1 });
  });

  test('a check file that is swallowed, too, decides nothing', async () => {
    const { control, assignment, desk } = await setUp('bare');
    await upload(desk, assignment, OLD);
    await control.faults.add({ ...once('storage-put', swallow, 'Inspection Desk check'), when: { count: 3 } });
    expect(await upload(desk, assignment, NEW)).toMatchObject({ uploaded: 2, skipped: 1, failed: 0 });
    await expectStored(control, assignment, NEW);
  });

  test('where no check file arrives, both stay, and the upload says so', async () => {
    const { control, assignment, desk } = await setUp('bare');
    await upload(desk, assignment, OLD);
    await control.faults.add(always('storage-put', swallow, 'Inspection Desk check'));
    const ended = await upload(desk, assignment, NEW);
    expect(ended).toMatchObject({ uploaded: 2, failed: 0, notReplaced: 1 });
    expect((await desk.filesOf(ended.batchId))['plan.pdf']).toMatchObject({
      replaced: { state: 'failed', error: { code: 'upload/unproven' } },
    });
    expect(await contentsOf(control, assignment, 'plan.pdf')).toHaveLength(2);
    await control.faults.clear();
    await desk.uploads.retryFailed(ended.batchId);
    await desk.uploads.ended(ended.batchId);
    await expectStored(control, assignment, NEW);
  });
});

describe('no summary says success while the ledger knows better', () => {
  test('a file that was removed elsewhere is not skipped because it was there', async () => {
    const { sandbox, control, assignment, desk } = await setUp('plain');
    await upload(desk, assignment, OLD);
    const call = callWith(sandbox, (await signIn(sandbox)).access_token);
    const [same] = await contentsOf(control, assignment, 'same.pdf');
    await call('DELETE', `/contractor/assignments/${assignment}/files`, { Key: same?.Key });
    expect(await upload(desk, assignment, NEW)).toMatchObject({ uploaded: 3, skipped: 0, failed: 0 });
    await expectStored(control, assignment, NEW);
  });

  test('one Key for two files: the first of them has not arrived', async () => {
    const service = await startHostileService();
    onTestFinished(service.close);
    const [assignment = ''] = await assignmentsOf(service.sandbox);
    const desk = await openSignedIn({ sandbox: service.address, concurrency: 1 });
    let first: { readonly status: number; readonly body: string } | undefined;
    service.attack('sign-upload', async ({ response, honest }) => {
      const answer = await honest();
      first ??= answer;
      response.writeHead(first.status, { 'content-type': 'application/json' }).end(first.body);
    });
    const ended = await upload(desk, assignment, { 'a.pdf': 'a', 'b.pdf': 'b' });
    expect(ended).toMatchObject({ state: 'finished', uploaded: 1, failed: 1 });
    const files = Object.values(await desk.filesOf(ended.batchId));
    expect(files.map(({ state, error }) => error?.code ?? state).sort()).toEqual(['done', 'upload/not-arrived']);

    service.behave();
    await desk.uploads.retryFailed(ended.batchId);
    expect(await desk.uploads.ended(ended.batchId)).toMatchObject({ uploaded: 2, failed: 0 });
    expect(await storedOn(service.control, assignment)).toHaveLength(2);
  });

  test('a service whose list lags behind loses no file: what it never lists fails, and an earlier one stays', async () => {
    const service = await startHostileService();
    onTestFinished(service.close);
    const [assignment = ''] = await assignmentsOf(service.sandbox);
    const desk = await openSignedIn({ sandbox: service.address, concurrency: 1 });
    const names = ['a.pdf', 'b.pdf', 'c.pdf'];
    const treeOf = (version: string): Tree => Object.fromEntries(names.map((name) => [name, `${version} ${name}`]));
    await upload(desk, assignment, treeOf('old'));
    const before = new Set((await storedOn(service.control, assignment)).map(({ Key }) => Key));
    service.attack('remove-file', async ({ response, honest }) => {
      const { status, body } = await honest();
      const { Files = [], ...rest }: { Files?: { Key: string }[] } = JSON.parse(body);
      const listed = { ...rest, Files: Files.filter(({ Key }) => before.has(Key)) };
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(listed));
    });
    const { batchId, uploaded, failed } = await upload(desk, assignment, treeOf('new'));
    expect([uploaded, failed]).toEqual([0, 3]);
    for (const name of names) expect(await contentsOf(service.control, assignment, name)).not.toEqual([]);

    service.behave();
    await desk.uploads.retryFailed(batchId);
    expect(await desk.uploads.ended(batchId)).toMatchObject({ uploaded: 3, failed: 0 });
    await expectStored(service.control, assignment, treeOf('new'));
  });

  test.each<StorageDialect>(['s3', 'bare'])(
    'a service whose list lags a moment behind (%s): every file is replaced, and none is sent twice',
    async (dialect) => {
      const service = await startHostileService({ storage: createStorage(dialect) });
      onTestFinished(service.close);
      const [assignment = ''] = await assignmentsOf(service.sandbox);
      const desk = await openSignedIn({ sandbox: service.address, listLagMs: 1_500 });
      const names = Array.from({ length: 20 }, (_, index) => `${index}.pdf`);
      const treeOf = (version: string): Tree => Object.fromEntries(names.map((name) => [name, `${version} ${name}`]));
      await upload(desk, assignment, treeOf('old'));
      const before = new Set((await storedOn(service.control, assignment)).map(({ Key }) => Key));
      /** The times at which the new files were stored, by their Keys. */
      const storedMs = new Map<string, number>();
      service.attack('storage-put', async ({ request, response, honest }) => {
        const stored = await honest();
        const [path = ''] = (request.url ?? '').split('?');
        storedMs.set(path.replace('/storage/', ''), performance.now());
        answerAs(response, stored);
      });
      service.attack('remove-file', async ({ response, honest }) => {
        const { status, body } = await honest();
        const { Files = [], ...rest }: { Files?: { Key: string }[] } = JSON.parse(body);
        const isListed = ({ Key }: { Key: string }): boolean =>
          before.has(Key) || performance.now() - (storedMs.get(Key) ?? Number.POSITIVE_INFINITY) > LAG_MS;
        const listed = status === 200 ? { ...rest, Files: Files.filter(isListed) } : rest;
        answerAs(response, { status, body: JSON.stringify(listed) });
      });
      const ended = await upload(desk, assignment, treeOf('new'));
      expect(ended).toMatchObject({ uploaded: names.length, failed: 0 });
      expect(ended).not.toHaveProperty('resent');
      await expectStored(service.control, assignment, treeOf('new'));
    },
  );

  test.each(['finished', 'cancelled'] as const)(
    'a file that a list lacked fails if no later list can be read, and so does not count as uploaded: %s',
    async (state) => {
      const service = await startHostileService({ storage: createStorage('bare') });
      onTestFinished(service.close);
      const [assignment = ''] = await assignmentsOf(service.sandbox);
      const desk = await openSignedIn({ sandbox: service.address, concurrency: 1, listLagMs: 1_500 });
      await upload(desk, assignment, OLD);
      await service.control.faults.add(once('storage-put', swallow, 'plan.pdf'));
      let [hasListed, later] = [false, 0];
      service.attack('remove-file', async ({ response, honest }) => {
        if (hasListed) {
          later += 1;
          response.writeHead(500).end();
          return;
        }
        const answer = await honest();
        // If the service does not know the Key to be removed, its response has no list.
        hasListed = answer.status === 200;
        answerAs(response, answer);
      });
      const { batchId } = await desk.uploads.start({
        root: makeFolder(NEW),
        assignmentId: assignment,
        onClash: 'replace',
      });
      if (state === 'cancelled') {
        await expect.poll(() => later).toBeGreaterThan(0);
        await desk.uploads.cancel(batchId);
      }
      expect(await desk.uploads.ended(batchId)).toMatchObject({ state, failed: 1 });
      expect((await desk.filesOf(batchId))['plan.pdf']).toMatchObject({ error: { code: 'upload/not-arrived' } });
      expect(await contentsOf(service.control, assignment, 'plan.pdf')).toMatchObject([
        { sizeBytes: OLD['plan.pdf'].length },
      ]);
      if (state === 'cancelled') return;

      service.behave();
      await desk.uploads.retryFailed(batchId);
      expect(await desk.uploads.ended(batchId)).toMatchObject({ uploaded: 2, failed: 0 });
      await expectStored(service.control, assignment, NEW);
    },
  );

  test('a file sent again is told in the summary, in JSON and in words', async () => {
    const { sandbox, control, assignment } = await setUp('bare');
    const options = { sandbox, home: makeDirectory() };
    const run = ['upload', makeFolder(NEW), '--assignment', assignment, '--on-clash', 'replace'];
    await cli(['upload', makeFolder(OLD), '--assignment', assignment], options);
    await control.faults.add(once('storage-put', swallow, 'plan.pdf'));
    const { exitCode, stderr } = await cli(run, { ...options, words: true });
    expect(exitCode).toBe(0);
    expect(stderr).toContain('2 of 3 files uploaded, 1 sent again because it had not arrived, 1 skipped, 0 failed');
    const { stdout } = await cli(['uploads', 'list'], options);
    expect(JSON.parse(stdout).batches.at(-1)).toMatchObject({ uploaded: 2, resent: 1 });
  });
});

test.each<StorageDialect>(['plain', 's3', 'google', 'azure'])(
  'a storage that keeps half of a file and says that it has it is found out: %s',
  async (kind) => {
    const { control, assignment, desk } = await setUp(kind);
    const tree = { 'a.pdf': 'the first file', 'b.pdf': 'the second file', 'c.bin': 'x'.repeat(300_000) };
    const half: FaultEffect = { type: 'store-half' };
    await control.faults.add(once('storage-put', half, 'b.pdf'), once('storage-put', half, 'c.bin'));
    expect(await upload(desk, assignment, tree)).toMatchObject({ uploaded: 3, failed: 0 });
    await expectStored(control, assignment, tree);
  },
);
