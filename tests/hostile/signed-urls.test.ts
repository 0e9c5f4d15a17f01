/** A service that signs addresses to which no document must be sent, and a storage that redirects. */
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { testRoutes } from '../../src/main/net/testing/routes.ts';
import { startTestServer, type TestServer } from '../../src/main/net/testing/server.ts';
import { type EngineConnection, startEngine } from '../../src/main/uploads/engine/start-engine.ts';
import { openSignedIn, withoutBackoff } from '../integration/support/desks.ts';
import { makeDirectory, makeFolder } from '../integration/support/folders.ts';
import { assignmentsOf } from '../integration/support/sandbox.ts';
import { useHostileService } from './support/hostile-service.ts';
import { lie } from './support/start-hostile-service.ts';

const service = useHostileService();
beforeEach(withoutBackoff);

/** Starts another program of this machine. It accepts everything that it is sent. */
const localProgram = async (): Promise<TestServer> => {
  const program = await startTestServer((response) => void response.writeHead(200).end());
  onTestFinished(program.close);
  return program;
};

/** Starts the upload engine with a service at `baseUrl` that signs `url` for every file. */
const upload = async (baseUrl: string, url: string) => {
  const home = makeDirectory();
  const module = (path: string): URL => new URL(`../../src/main/uploads/${path}`, import.meta.url);
  const engine = await startEngine({
    worker: new URL('../integration/support/worker-without-backoff.ts', import.meta.url),
    settings: {
      ledgerPath: `${home}/ledger.sqlite`,
      readWorker: module('source/read-worker.ts').href,
      concurrency: 1,
      reportFiles: false,
    },
    routing: testRoutes(),
    onBug: (error) => expect.unreachable(String(error)),
    onDown: (error) => expect.unreachable(String(error)),
  });
  onTestFinished(() => engine.close());
  const signing: EngineConnection['service'] = {
    signUpload: async ({ AssignmentId, FileName }) => ({ AssignmentId, Key: FileName, Url: url }),
    removeFile: async () => undefined,
  };
  const uploads = await engine.connect({
    connectionId: 'connection',
    baseUrl,
    session: { signedIn: true },
    service: signing,
    beingRemoved: () => [],
    onBatches: () => {},
    onFile: () => {},
    onSeen: () => {},
    onExit: () => {},
    probe: async () => false,
  });
  const { batchId } = await uploads.start({ root: makeFolder({ 'plan.pdf': 'confidential' }), assignmentId: 'a' });
  const ended = await uploads.ended(batchId);
  const { files } = await uploads.files(batchId, { offset: 0, limit: 1 });
  return { ended, error: files[0]?.error };
};

test('A8: sends nothing to an address on this machine that a remote service signed', async () => {
  const program = await localProgram();
  for (const url of [`${program.url}/key`, `${program.url.replace('127.0.0.1', 'localhost')}/key`]) {
    const { ended, error } = await upload('https://inspection.example/api', url);
    expect(ended).toMatchObject({ state: 'finished', uploaded: 0, failed: 1 });
    expect(error).toMatchObject({ code: 'upload/insecure-url', details: { host: new URL(url).host } });
  }
  expect(program.requests).toEqual([]);
});

test('A8: uses the same address when the service itself is on this machine', async () => {
  const program = await localProgram();
  expect((await upload('http://127.0.0.1:9/api', `${program.url}/key`)).ended).toMatchObject({ uploaded: 1 });
  const isProbe = ({ method }: { readonly method: string }): boolean => method === 'HEAD';
  expect(program.requests.filter((one) => !isProbe(one))).toMatchObject([
    { method: 'PUT', target: '/key', body: 'confidential' },
  ]);
  // The requests that measure the delay of the line contain nothing of the signed URL.
  for (const probe of program.requests.filter(isProbe)) expect(probe).toMatchObject({ target: '/', body: '' });
});

/** Uploads one file through the hostile service. Resolves to the final states of the batch and of the file. */
const uploadOne = async () => {
  const desk = await openSignedIn({ sandbox: service.address });
  const [assignment = ''] = await assignmentsOf(service.sandbox);
  const { batchId, ...ended } = await desk.upload(makeFolder({ 'plan.pdf': 'confidential' }), assignment);
  return { ended, file: (await desk.filesOf(batchId))['plan.pdf'] };
};

test.each(['ftp://127.0.0.1/key', 'file:///tmp/key', 'http://me:secret@127.0.0.1/key', 'https://169.254.169.254/key'])(
  'A8: %s is refused with the reason',
  async (Url) => {
    service.attack(
      'sign-upload',
      lie((honest) => ({ ...(honest as object), Url })),
    );
    const { ended, file } = await uploadOne();
    expect(ended).toMatchObject({ state: 'finished', uploaded: 0, failed: 1 });
    expect(file).toMatchObject({ state: 'failed', error: { code: 'upload/insecure-url', retry: 'never' } });
    expect(JSON.stringify(file)).not.toContain('secret');
  },
);

test.each([301, 302, 303, 307, 308])(
  'A8: a storage that redirects (%d) is not followed, with or without the file',
  async (status) => {
    const program = await localProgram();
    service.attack('storage-put', ({ request, response }) => {
      request.resume().on('end', () => response.writeHead(status, { location: `${program.url}/key` }).end());
    });
    const { ended, file } = await uploadOne();
    expect(ended).toMatchObject({ state: 'finished', uploaded: 0, failed: 1 });
    expect(file).toMatchObject({ error: { code: 'upload/refused', details: { status } } });
    expect(program.requests).toEqual([]);
  },
);
