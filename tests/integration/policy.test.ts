/** Settings that an organisation makes on a machine: the app and the command line follow them. */
import { expect, test } from 'vitest';
import { readPolicy, thisMachine } from '../../src/main/settings/policy/read-policy.ts';
import { cli } from './support/cli.ts';
import { openDesk, openSignedIn } from './support/desks.ts';
import { openDraft, startDraft } from './support/drafts.ts';
import { bytes, makeDirectory, makeFolder } from './support/folders.ts';
import { storedOn, useSandbox } from './support/sandbox.ts';

const sandbox = useSandbox();

/** Returns a function that reads the policy of a Linux machine with this file. */
const policyOf = (text: string) => () =>
  readPolicy({ ...thisMachine(), platform: 'linux', readText: async () => text, isSafe: async () => true });

test('the connection of the policy comes before options, the environment and settings', async () => {
  const { baseUrl, authUrl, clientId } = sandbox.address;
  const { exitCode, lines, stderr } = await cli(['status'], {
    home: makeDirectory(),
    sandbox: { baseUrl: 'https://elsewhere.example', authUrl, clientId },
    readPolicy: policyOf(JSON.stringify({ connection: { baseUrl }, log: { level: 'debug' } })),
  });
  expect(exitCode).toBe(0);
  expect(lines).toMatchObject([{ connection: { baseUrl, clientId }, managed: ['connection.baseUrl', 'log.level'] }]);
  expect(stderr).toContain('other values are ignored: baseUrl');
});

test('a policy with a fault is refused with its place, before anything is opened', async () => {
  const home = makeDirectory();
  const readPolicy = policyOf('{\n  "updates": {\n    "chanel": "beta"\n  }\n}');
  const { exitCode, stderr } = await cli(['status'], { home, words: true, readPolicy });
  expect(exitCode).toBe(2);
  expect(stderr).toContain('updates.chanel');
  expect(stderr).toContain('/etc/inspection-desk/config.json:3');
  expect(stderr).toContain('(policy/unknown-key)');
});

test('B24: a command lists every fault of a policy in its own words, and what is allowed', async () => {
  const readPolicy = policyOf('{\n  "updates": { "chanel": "beta" },\n  "log": { "level": "loud" }\n}');
  const { exitCode, stderr } = await cli(['status'], { home: makeDirectory(), words: true, readPolicy });
  expect([exitCode, stderr.trim()]).toEqual([
    2,
    'error: The policy of your organisation contains an unknown key. All errors, with file, line, key and what is allowed there: ' +
      '• /etc/inspection-desk/config.json:2: updates.chanel: mode, channel, address ' +
      '• /etc/inspection-desk/config.json:3: log.level: error | warn | info | debug. ' +
      'Ask IT support to correct it. (policy/unknown-key)',
  ]);
});

test('another connection than that of the policy is refused, and a rest that is free is taken', async () => {
  const { baseUrl, authUrl, clientId } = sandbox.address;
  const desk = await openDesk({ host: { policy: { connection: { baseUrl } } } });
  const { set } = desk.handlers.connection;
  await expect(async () => set({ baseUrl: 'https://elsewhere.example', authUrl, clientId })).rejects.toMatchObject({
    code: 'settings/managed',
    details: { field: 'connection.baseUrl' },
  });
  await set({ baseUrl, authUrl, clientId });
  expect(await desk.handlers.app.snapshot(undefined)).toMatchObject({
    connection: { baseUrl, clientId },
    managed: ['connection.baseUrl'],
    office: { connection: { baseUrl } },
  });
});

test('sample data that is turned off cannot be used, and a notice says so', async () => {
  const desk = await openDesk({ host: { policy: { sampleData: false } } });
  await expect(async () => desk.handlers.connection.useSample(undefined)).rejects.toMatchObject({
    code: 'connection/sample-off',
  });
  const { notices, office, connection } = await desk.handlers.app.snapshot(undefined);
  expect({ notices, office, connection }).toMatchObject({
    notices: [{ code: 'connection/sample-off' }],
    office: { sampleData: false },
    connection: undefined,
  });
});

test('limits of the policy count against those of a command, and cannot be changed', async () => {
  const limit = { bytesPerSecond: 1_000_000_000, schedule: [] };
  const desk = await openSignedIn({
    sandbox: sandbox.address,
    // The policy has to replace this limit, with which the upload would take longer than a test may.
    bytesPerSecond: 1_000,
    host: { policy: { uploads: { limit, concurrency: 2 } } },
  });
  expect(await desk.upload(makeFolder({ 'a.bin': bytes(400_000) }), sandbox.newAssignment())).toMatchObject({
    uploaded: 1,
  });
  await expect(async () => desk.handlers.preferences.set({ concurrency: 8 })).rejects.toMatchObject({
    code: 'settings/managed',
    details: { field: 'uploads.concurrency' },
  });
  await desk.handlers.preferences.set({ appearance: 'dark' });
  expect(desk.snapshot().preferences).toMatchObject({
    appearance: 'dark',
    concurrency: 2,
    uploadLimit: limit,
  });
});

test('a person who resumes an upload does not overrule the hours of the organisation', async () => {
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toTimeString().slice(0, 5);
  let nowMs = Date.now();
  const desk = await openSignedIn({
    sandbox: sandbox.address,
    watching: { times: { tickMs: 40 }, now: () => nowMs },
    host: { policy: { uploads: { hours: [{ from: at(2), to: at(4) }] } } },
  });
  const assignment = sandbox.newAssignment();
  await openDraft(desk, [makeFolder({ 'a.txt': 'a' })], assignment);
  const { batchId } = await startDraft(desk);
  const held = { state: 'paused', reason: { code: 'upload/scheduled' }, uploaded: 0 };
  for (const step of ['resume', 'pause', 'resume', 'retryFailed'] as const) {
    await Promise.resolve(desk.handlers.uploads[step]({ batchId })).catch(() => {});
    if (step === 'resume') expect(await desk.uploads.get(batchId)).toMatchObject(held);
  }
  expect(await storedOn(sandbox.control, assignment)).toEqual([]);
  nowMs += 3 * 3_600_000;
  await desk.when(batchId, ({ state }) => state === 'finished');
});

test('a sign-out, or the service that ends the session, erases the offline data where the policy says so', async () => {
  const desk = await openSignedIn({
    sandbox: sandbox.address,
    host: { policy: { signOut: { erases: 'offline-data' } } },
  });
  const read = { offline: true };
  await desk.handlers.assignments.projects({});
  expect(await desk.handlers.assignments.projects(read)).toMatchObject({ source: 'cache' });
  await desk.handlers.session.signOut({ eraseCache: false });
  await expect(async () => desk.handlers.assignments.projects(read)).rejects.toMatchObject({ code: 'cache/missing' });

  await desk.signIn();
  await desk.handlers.assignments.projects({});
  await sandbox.control.revokeSessions();
  await expect(desk.connected().service.listOrderableEvents()).rejects.toMatchObject({ code: 'auth/expired' });
  await expect(async () => desk.handlers.assignments.projects(read)).rejects.toMatchObject({ code: 'cache/missing' });
});
