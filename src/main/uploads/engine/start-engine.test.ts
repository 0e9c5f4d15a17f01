import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { testRoutes } from '../../net/testing/routes.ts';
import { json, startTestServer } from '../../net/testing/server.ts';
import { type EngineConnection, startEngine } from './start-engine.ts';

const mine = { signedIn: true, subject: 'me' };

const newHome = (): string => mkdtempSync(join(tmpdir(), 'engine-test-'));

/** Starts an engine in its worker, connects it with the session `mine`, and creates a folder of ten files. */
const setUp = async (own: Partial<EngineConnection>, data = '.', home = newHome(), worker?: URL) => {
  const root = join(home, 'folder');
  const module = (path: string): URL => new URL(path, import.meta.url);
  const bugs: unknown[] = [];
  const engine = await startEngine({
    worker: worker ?? module('./engine-worker.ts'),
    settings: {
      ledgerPath: join(home, data, 'ledger.sqlite'),
      readWorker: module('../source/read-worker.ts').href,
      concurrency: 4,
      reportFiles: false,
    },
    routing: testRoutes(),
    onBug: (error) => bugs.push(error),
    onDown: (error) => bugs.push(error),
  });
  onTestFinished(async () => {
    await engine.close();
    rmSync(home, { recursive: true });
    expect(bugs).toEqual([]);
  });
  const connection: EngineConnection = {
    connectionId: 'connection',
    baseUrl: 'http://127.0.0.1',
    session: mine,
    beingRemoved: () => [],
    service: { signUpload: () => Promise.reject(new Error('not asked')), removeFile: async () => undefined },
    onBatches: () => {},
    onFile: () => {},
    onSeen: () => {},
    onExit: () => {},
    probe: async () => false,
    ...own,
  };
  const uploads = await engine.connect(connection);
  mkdirSync(root);
  for (let file = 0; file < 10; file += 1) writeFileSync(join(root, `${file}.txt`), `${file}`);
  const reconnect = (changed: Partial<EngineConnection> = {}) => engine.connect({ ...connection, ...changed });
  return { home, root, engine, uploads, reconnect, bugs };
};

test('a connection without a ledger starts no worker before its first call', async () => {
  const { home, engine, uploads, reconnect } = await setUp({});
  uploads.setSession(mine);
  engine.change({ speed: { limit: undefined, leaveRoom: 'never' } });
  expect(uploads.present()).toEqual([]);
  await uploads.close();
  expect(existsSync(join(home, 'ledger.sqlite'))).toBe(false);

  const next = await reconnect();
  // The other connection is opened while the worker starts.
  const [listed, other] = await Promise.all([next.list(), reconnect()]);
  expect(listed).toEqual([]);
  expect(await other.list()).toEqual([]);
  expect(existsSync(join(home, 'ledger.sqlite'))).toBe(true);
});

test('where no ledger can be created, a call fails and the next one tries again in the same worker', async () => {
  let workers = 0;
  const count = (): void => {
    workers += 1;
  };
  process.on('worker', count);
  onTestFinished(() => void process.off('worker', count));
  const { home, uploads } = await setUp({}, 'data');
  writeFileSync(join(home, 'data'), 'a file in its place');
  for (let call = 0; call < 2; call += 1)
    await expect(uploads.list()).rejects.toMatchObject({ code: 'data/unwritable' });
  rmSync(join(home, 'data'));
  mkdirSync(join(home, 'data'));
  expect(await uploads.list()).toEqual([]);
  expect(workers).toBe(1);
});

test('a worker that dies at the first start is not started again', async () => {
  const home = newHome();
  onTestFinished(() => rmSync(home, { recursive: true }));
  const ledgerPath = join(home, 'ledger.sqlite');
  const worker = join(home, 'worker.mjs');
  const starts = join(home, 'starts');
  writeFileSync(ledgerPath, '');
  writeFileSync(
    worker,
    `import { appendFileSync } from 'node:fs'; appendFileSync(${JSON.stringify(starts)}, '1'); process.exit();`,
  );
  const started = startEngine({
    worker: pathToFileURL(worker),
    settings: { ledgerPath, readWorker: '', concurrency: 4, reportFiles: false },
    routing: testRoutes(),
    onBug: () => {},
    onDown: () => {},
  });
  await expect(started).rejects.toMatchObject({ code: 'upload/engine-stopped' });
  // Longer than the wait before a restart.
  await sleep(600);
  expect(readFileSync(starts, 'utf8')).toBe('1');
});

test('nothing is signed with the session of another user, even before the engine knows of the change', async () => {
  await using storage = await startTestServer((response) => json(response, {}));
  let signed = 0;
  const { root, uploads } = await setUp({
    service: {
      signUpload: async ({ AssignmentId, FileName }) => {
        signed += 1;
        uploads.setSession({ signedIn: true, subject: 'somebody else' });
        return { AssignmentId, Key: FileName, Url: `${storage.url}/${FileName}` };
      },
      removeFile: async () => undefined,
    },
  });
  const { batchId } = await uploads.start({ root, assignmentId: 'assignment' });
  expect(await uploads.ended(batchId)).toMatchObject({ state: 'paused', reason: { code: 'upload/other-session' } });
  expect(signed).toBe(1);
});

test('an upload that ends with a connection has ended for the next one to the same service', async () => {
  const signing = Promise.withResolvers<void>();
  const { root, uploads, reconnect } = await setUp({
    service: {
      signUpload: (_request, _subject, signal) => {
        signing.resolve();
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
      removeFile: async () => undefined,
    },
  });
  const { batchId } = await uploads.start({ root, assignmentId: 'assignment' });
  await signing.promise;
  const next = await reconnect();
  await uploads.cancel(batchId);
  await uploads.close();
  expect(next.present()).toMatchObject([{ batchId, state: 'cancelled' }]);
});

test('once a connection is closed, its service and batches are freed', async () => {
  const { reconnect } = await setUp({});
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  const useOnce = async () => {
    const service = { signUpload: () => Promise.reject(new Error('not asked')), removeFile: async () => undefined };
    const uploads = await reconnect({ service });
    await uploads.list();
    await uploads.close();
    return new WeakRef(service);
  };
  const service = await useOnce();
  const isFreed = (): boolean => {
    collectGarbage();
    return service.deref() === undefined;
  };
  await expect.poll(isFreed).toBe(true);
});

/** Sets up an engine whose worker dies at the next call that the file `die-at` in the home directory names. */
const setUpMortal = async (own: Partial<EngineConnection>) => {
  const home = newHome();
  const dieAt = join(home, 'die-at');
  const worker = join(home, 'worker.mjs');
  writeFileSync(
    worker,
    `import { existsSync, readFileSync, rmSync } from 'node:fs';
    import { parentPort } from 'node:worker_threads';
    const dieAt = ${JSON.stringify(dieAt)};
    parentPort.on('message', (messages) => {
      if (!existsSync(dieAt)) return;
      const call = readFileSync(dieAt, 'utf8');
      if (!messages.some(({ name }) => name === call)) return;
      rmSync(dieAt);
      process.exit();
    });
    await import(${JSON.stringify(new URL('./engine-worker.ts', import.meta.url).href)});`,
  );
  const started = await setUp(own, '.', home, pathToFileURL(worker));
  return { ...started, dieAt: (call: string) => writeFileSync(dieAt, call) };
};

test('a connection that is being opened when the worker dies is opened in the next one', async () => {
  const { uploads, reconnect, dieAt, bugs } = await setUpMortal({});
  await uploads.list();
  await uploads.close();
  dieAt('open');
  const next = await reconnect();
  expect(await next.list()).toEqual([]);
  expect(bugs.splice(0)).toMatchObject([{ code: 'upload/engine-stopped' }]);
});

test('a batch of two connections to one service runs once after the worker has died', async () => {
  await using storage = await startTestServer((response) => json(response, {}));
  const asked: string[] = [];
  let isAway = true;
  const removeFile = async () => undefined;
  const service: EngineConnection['service'] = {
    removeFile,
    signUpload: async ({ AssignmentId, FileName }, _subject, signal) => {
      if (isAway) return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      asked.push(FileName);
      return { AssignmentId, Key: FileName, Url: `${storage.url}/${FileName}` };
    },
  };
  const { root, uploads, reconnect, dieAt, bugs } = await setUpMortal({ service });
  const { batchId } = await uploads.start({ root, assignmentId: 'assignment' });
  const next = await reconnect();
  // Reports the batch in progress to both connections.
  await uploads.sendFirst(batchId);
  isAway = false;
  dieAt('errorGroups');
  // The call is repeated in the next worker.
  await next.errorGroups(batchId);
  expect(await next.ended(batchId)).toMatchObject({ state: 'finished', uploaded: 10 });
  expect(asked.toSorted()).toEqual(Array.from({ length: 10 }, (_, file) => `${file}.txt`));
  expect(bugs.splice(0)).toMatchObject([{ code: 'upload/engine-stopped' }]);
});
