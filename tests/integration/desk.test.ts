/** The desk: its data directory, its connections and its events. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import type { Batch } from '../../src/contract/uploads.ts';
import type { Host, SampleService } from '../../src/main/core/host.ts';
import { replaceFile } from '../../src/main/data/files.ts';
import { spawnSample } from '../../src/main/hosts/shared/sample-service.ts';
import { createTestKeychain, openDesk, openSignedIn, slow, type TestDesk, withoutBackoff } from './support/desks.ts';
import { openDraft, startDraft, whenDraft } from './support/drafts.ts';
import { makeDirectory, makeFolder, manyFiles, sha256 } from './support/folders.ts';
import { expectStored, useSandbox } from './support/sandbox.ts';

const sandbox = useSandbox();
const other = useSandbox();
const unending = { ended: new Promise<void>(() => {}), close: async () => {} };
const snapshot = (desk: TestDesk) => desk.handlers.app.snapshot(undefined);
const noticed = async (desk: TestDesk) =>
  (await snapshot(desk)).notices.map(({ code, details }) => [code, details.file]);

describe('the data directory', () => {
  test('is locked by one desk at a time', async () => {
    const first = await openDesk();
    await expect(openDesk({ home: first.home })).rejects.toMatchObject({ code: 'data/in-use' });
    await first.close();
    await openDesk({ home: first.home });
  });

  test('of another user of the computer is separate, even while both upload', async () => {
    const [anna, ben] = await Promise.all([
      openSignedIn({ sandbox: sandbox.address }),
      openSignedIn({ sandbox: sandbox.address }),
    ]);
    await Promise.all([
      anna.upload(makeFolder(manyFiles(3)), sandbox.newAssignment()),
      ben.upload(makeFolder(manyFiles(5)), sandbox.newAssignment()),
    ]);
    expect((await snapshot(anna)).batches).toMatchObject([{ files: 3, uploaded: 3 }]);
    expect((await snapshot(ben)).batches).toMatchObject([{ files: 5, uploaded: 5 }]);
    await anna.handlers.session.signOut(undefined);
    expect((await snapshot(ben)).session).toMatchObject({ state: 'signed-in' });
  });

  test('keeps nothing that a killed process left of a file that it was replacing', async () => {
    const home = makeDirectory();
    for (const folder of ['drafts', 'tokens', 'logs']) mkdirSync(join(home, folder));
    const left = async (path: string): Promise<string> => {
      let name = '';
      await replaceFile(join(home, path), async (temporary) => {
        writeFileSync(temporary, '');
        name = temporary;
      });
      writeFileSync(name, 'Anna Berg, Storgata 5');
      return name;
    };
    await Promise.all(['drafts/a.json', 'tokens/a.sealed', 'logo'].map(left));
    writeFileSync(join(home, 'settings.json.tmp-1234567890abcdef'), '{');
    writeFileSync(join(home, 'notes.part'), '');
    await openDesk({ home });
    const names = readdirSync(home, { recursive: true, encoding: 'utf8' });
    expect(names.filter((name) => /part|tmp/.test(name))).toEqual(['notes.part']);
    expect(names).toEqual(expect.arrayContaining(['logo', join('drafts', 'a.json'), join('tokens', 'a.sealed')]));
  });

  test('is released when the desk cannot be opened', async () => {
    const home = makeDirectory();
    writeFileSync(join(home, 'logs'), '');
    for (let time = 0; time < 2; time += 1) {
      await expect(openDesk({ home })).rejects.toMatchObject({ code: 'data/unwritable' });
    }
  });

  test('with damaged settings, or a cache that is damaged or from a newer app: moves them aside and says so', async () => {
    const home = makeDirectory();
    writeFileSync(join(home, 'settings.json'), '{"connection": ');
    mkdirSync(join(home, 'cache'));
    writeFileSync(join(home, 'cache', 'cache.sqlite'), 'not a database. '.repeat(1000));
    const desk = await openDesk({ home });
    const [settings = '', cache = ''] = ['settings.corrupt', 'cache.sqlite.damaged'].map((name) =>
      readdirSync(home, { recursive: true, encoding: 'utf8' }).find((file) => basename(file).startsWith(name)),
    );
    expect(await noticed(desk)).toEqual([
      ['data/moved-aside', expect.stringContaining(settings)],
      ['data/moved-aside', expect.stringContaining(basename(cache))],
    ]);
    expect(readFileSync(join(home, settings), 'utf8')).toBe('{"connection": ');
    desk.handlers.app.dismissNotices(undefined);
    expect(await noticed(desk)).toEqual([]);
    await desk.close();

    const db = new DatabaseSync(join(home, 'cache', 'cache.sqlite'));
    db.exec('PRAGMA user_version = 99');
    db.close();
    expect(await noticed(await openDesk({ home }))).toEqual([['data/moved-aside', expect.stringContaining('cache')]]);
  });

  test('with an overwritten ledger: says so, shows what it can read, and sends nothing', async () => {
    const home = makeDirectory();
    const keychain = createTestKeychain();
    const first = await openSignedIn({ sandbox: sandbox.address, home, keychain });
    await first.upload(makeFolder(manyFiles(300)), sandbox.newAssignment());
    await first.close();
    const ledger = join(home, 'ledger.sqlite');
    const content = readFileSync(ledger);
    // Overwrites everything except the header and the schema.
    writeFileSync(ledger, content.fill(0x5a, 4096));
    const damaged = sha256(readFileSync(ledger));

    const desk = await openDesk({ sandbox: sandbox.address, home, keychain });
    expect(await noticed(desk)).toEqual([['data/corrupt', ledger]]);
    expect(await snapshot(desk)).toMatchObject({ batches: [], session: { state: 'signed-in' } });
    expect((await desk.handlers.orderableEvents.list({})).value.length).toBeGreaterThan(0);
    const upload = desk.uploads.start({ root: makeFolder({ a: 'a' }), assignmentId: sandbox.newAssignment() });
    await expect(upload).rejects.toMatchObject({ code: 'data/corrupt' });
    await desk.close();
    expect(sha256(readFileSync(ledger))).toBe(damaged);
  });
});

test('a fault that repeats is one notice, until the notices are dismissed', async () => {
  const desk = await openSignedIn({ sandbox: sandbox.address });
  const rules = new DatabaseSync(join(desk.home, 'rules.sqlite'));
  rules.exec('DROP TABLE rule');
  rules.close();
  for (let time = 1; time <= 2; time += 1) {
    // Every draft reads the matching rules.
    for (let draft = 1; draft <= 3; draft += 1) {
      await openDraft(desk, [makeFolder(manyFiles(1))]);
      await whenDraft(desk);
      await desk.handlers.drafts.discard(undefined);
    }
    expect((await snapshot(desk)).notices).toMatchObject([{ code: 'data/unwritable' }]);
    expect(desk.events.filter(({ type }) => type === 'notice')).toHaveLength(time);
    desk.handlers.app.dismissNotices(undefined);
  }
});

test('faults that differ each time become no more notices than a user can read', async () => {
  const desk = await openSignedIn({ sandbox: sandbox.address });
  const read = () => desk.handlers.protocols.list({});
  for (let time = 1; time <= 30; time += 1) {
    await read();
    // Damages the cache. The app then renames it, so that each notice names another file.
    const cache = new DatabaseSync(join(desk.home, 'cache', 'cache.sqlite'));
    cache.exec('UPDATE connection SET pass = 1 << 62');
    cache.close();
    await read();
  }
  const { notices } = await snapshot(desk);
  expect(notices).toHaveLength(20);
  expect(new Set(notices.map(({ code }) => code))).toEqual(new Set(['data/moved-aside']));
});

describe('the connection', () => {
  test('is stored without the state of the previous one', async () => {
    const home = makeDirectory();
    const settings = () => JSON.parse(readFileSync(join(home, 'settings.json'), 'utf8'));
    const redirectUri = 'http://127.0.0.1/elsewhere';
    writeFileSync(join(home, 'settings.json'), JSON.stringify({ connection: sandbox.address, redirectUri }));
    const desk = await openDesk({ home });
    expect(settings()).toMatchObject({ redirectUri });
    const { baseUrl, authUrl, clientId } = other.address;
    await desk.handlers.connection.set({ baseUrl, authUrl, clientId });
    expect(desk.events.map(({ type }) => type)).toEqual(['connection', 'session']);
    expect(settings().connection).toEqual({ baseUrl, authUrl, clientId, sample: false });
    expect(settings()).not.toHaveProperty('redirectUri');
    await desk.close();
    expect(await snapshot(await openDesk({ home }))).toMatchObject({ connection: { baseUrl } });
  });

  test('that was requested last wins, even while another is being set', async () => {
    const desk = await openSignedIn({ sandbox: sandbox.address });
    const [first, last] = [sandbox.address, other.address].map(({ baseUrl, authUrl, clientId }) =>
      desk.handlers.connection.set({ baseUrl, authUrl, clientId }),
    );
    await Promise.all([first, last]);
    const { baseUrl } = other.address;
    expect(await snapshot(desk)).toMatchObject({ connection: { baseUrl } });
    expect(JSON.parse(readFileSync(join(desk.home, 'settings.json'), 'utf8'))).toMatchObject({
      connection: { baseUrl },
    });
  });

  test('that is not secure is refused, and the previous one stays', async () => {
    const desk = await openSignedIn({ sandbox: sandbox.address });
    const insecure = { baseUrl: 'http://example.com', authUrl: 'https://example.com', clientId: 'x' };
    await expect(desk.handlers.connection.set(insecure)).rejects.toMatchObject({ code: 'connection/insecure' });
    expect(await snapshot(desk)).toMatchObject({
      connection: { baseUrl: sandbox.address.baseUrl },
      session: { state: 'signed-in' },
    });
  });

  test('is replaced and closed even if a part of it cannot be closed', async () => {
    const desk = await openSignedIn({ sandbox: sandbox.address });
    const outbox = new DatabaseSync(join(desk.home, 'outbox.sqlite'));
    const former = desk.connected();
    outbox.exec('ALTER TABLE entry RENAME TO elsewhere');
    const { baseUrl, authUrl, clientId } = other.address;
    await desk.handlers.connection.set({ baseUrl, authUrl, clientId });
    outbox.exec('ALTER TABLE elsewhere RENAME TO entry');
    outbox.close();
    expect(await snapshot(desk)).toMatchObject({ connection: { baseUrl } });
    const files = { root: makeFolder({ a: 'a' }), assignmentId: sandbox.newAssignment() };
    await expect(former.uploads.start(files)).rejects.toThrow('the port has no function');
  });

  test('interrupts its uploads when it is replaced, and continues them when it returns', async () => {
    const files = manyFiles(40);
    const assignment = sandbox.newAssignment();
    const desk = await openSignedIn({ sandbox: sandbox.address, keychain: createTestKeychain(), ...slow });
    const { batchId } = await desk.uploads.start({ root: makeFolder(files), assignmentId: assignment });
    await desk.when(batchId, ({ uploaded }) => uploaded >= 3);
    const addressOf = ({ baseUrl, authUrl, clientId }: typeof sandbox.address) => ({ baseUrl, authUrl, clientId });
    await desk.handlers.connection.set(addressOf(other.address));
    expect((await snapshot(desk)).batches).toEqual([]);
    await desk.handlers.connection.set(addressOf(sandbox.address));
    expect(await desk.when(batchId, ({ state }: Batch) => state === 'finished')).toMatchObject({
      uploaded: 40,
      failed: 0,
    });
    await expectStored(sandbox.control, assignment, files);
  });

  test('to the sample service keeps its port, session and uploads after a restart, but no copies of files', async () => {
    const home = makeDirectory();
    const keychain = createTestKeychain();
    const consent = async (url: string): Promise<void> => {
      const page = await (await fetch(url)).text();
      const [, request = ''] = /name="request" value="([^"]+)"/.exec(page) ?? [];
      const body = new URLSearchParams({ request, decision: 'allow' });
      await (await fetch(new URL('/oauth/consent', url), { method: 'POST', body })).text();
    };
    const options = { home, keychain, host: { openExternal: consent } };
    const first = await openDesk(options);
    await first.handlers.connection.useSample(undefined);
    const { connection } = await snapshot(first);
    expect(connection).toMatchObject({ sample: true });
    await first.signIn();
    const [assignment] = (await first.handlers.assignments.projects({})).value.Items;
    const root = makeFolder({ 'a.txt': 'a' });
    expect(await first.upload(root, assignment?.AssignmentId ?? '')).toMatchObject({ uploaded: 1 });
    await first.close();
    expect(readdirSync(join(home, 'sample', 'objects'))).toEqual([]);

    const second = await openDesk(options);
    expect(await snapshot(second)).toMatchObject({
      connection,
      session: { state: 'signed-in' },
      batches: [{ state: 'finished', uploaded: 1 }],
    });
    expect(await second.upload(root, assignment?.AssignmentId ?? '')).toMatchObject({ uploaded: 0, skipped: 1 });
  });
});

test('the sample service is started once, and again after it has ended', async () => {
  const started: SampleService[] = [];
  const startSample: Host['startSample'] = async (...given) => {
    const service = await spawnSample(...given);
    started.push(service);
    return service;
  };
  const desk = await openDesk({ host: { startSample } });
  await Promise.all([1, 2].map(() => desk.handlers.connection.useSample(undefined)));
  expect(started).toHaveLength(1);
  await started[0]?.close();
  await desk.handlers.connection.useSample(undefined);
  expect(started).toHaveLength(2);
  expect(await snapshot(desk)).toMatchObject({ connection: { baseUrl: started[1]?.baseUrl } });
});

test('a sample service that cannot be used is not the connection of the next start', async () => {
  const startSample = async () => ({ ...sandbox.address, baseUrl: 'http://example.com', port: 1, ...unending });
  const desk = await openDesk({ host: { startSample } });
  const { baseUrl, authUrl, clientId } = sandbox.address;
  await desk.handlers.connection.set({ baseUrl, authUrl, clientId });
  await expect(desk.handlers.connection.useSample(undefined)).rejects.toMatchObject({ code: 'connection/insecure' });
  await desk.close();
  expect(await snapshot(await openDesk({ home: desk.home }))).toMatchObject({ connection: { baseUrl } });
});

test('sample data leads back to the service that was in use, and to its session, even after a restart', async () => {
  const own = { home: makeDirectory(), keychain: createTestKeychain() };
  const first = await openDesk(own);
  await expect(first.handlers.connection.leaveSample(undefined)).rejects.toMatchObject({ code: 'connection/missing' });
  const { baseUrl, authUrl, clientId } = sandbox.address;
  await first.handlers.connection.set({ baseUrl, authUrl, clientId });
  const { connection } = await snapshot(first);
  await first.signIn();
  await first.handlers.connection.useSample(undefined);
  const { connection: sample } = await snapshot(first);
  expect(sample).toMatchObject({ sample: true, former: { baseUrl, authUrl, clientId } });
  await first.handlers.connection.useSample(undefined);
  expect(await snapshot(first)).toMatchObject({ connection: sample });
  await first.close();

  const second = await openDesk(own);
  expect(await snapshot(second)).toMatchObject({ connection: sample });
  await second.handlers.connection.leaveSample(undefined);
  expect(await snapshot(second)).toMatchObject({ connection, session: { state: 'signed-in' } });
});

test('every change has the next revision, and so does a snapshot', async () => {
  const desk = await openDesk({ sandbox: sandbox.address });
  const { revision } = await snapshot(desk);
  await desk.signIn();
  await desk.upload(makeFolder(manyFiles(10)), sandbox.newAssignment());
  await desk.handlers.session.signOut(undefined);
  expect(desk.events.map((event) => event.revision)).toEqual(desk.events.map((_, index) => revision + index + 1));
  expect((await snapshot(desk)).revision).toBe(desk.events.at(-1)?.revision);
  expect(new Set(desk.events.map(({ type }) => type))).toEqual(new Set(['session', 'batches', 'reachability']));
});

test('one endpoint that always resets does not make the service count as unreachable', async () => {
  withoutBackoff();
  const desk = await openSignedIn({ sandbox: sandbox.address });
  const { value } = await desk.handlers.protocols.list({});
  const [{ InspectionProtocolId } = { InspectionProtocolId: '' }] = value.Items;
  await sandbox.control.faults.add({
    match: { route: 'list-assignments' },
    effect: { type: 'reset', at: 'before-body' },
  });
  for (let round = 0; round < 3; round += 1) {
    const refused = { code: 'service/unreachable' };
    await expect(desk.handlers.protocols.assignments({ InspectionProtocolId })).rejects.toMatchObject(refused);
    await desk.handlers.protocols.list({});
  }
  const states = desk.events.flatMap((event) => (event.type === 'reachability' ? [event.value.service.state] : []));
  expect(new Set(states)).toEqual(new Set(['online']));
});

test('a folder is known only by its id, and only to the desk that received it', async () => {
  const desk = await openSignedIn({ sandbox: sandbox.address });
  const root = makeFolder({ 'a.txt': 'a' });
  const AssignmentId = sandbox.newAssignment();
  const { folderId, name } = desk.adopt({ root });
  expect(root.endsWith(name)).toBe(true);
  await desk.handlers.drafts.open({ folderIds: [folderId], AssignmentId });
  const leftOut = { hidden: 0, system: 0, links: 0, special: 0, unreadable: 0 };
  expect(await whenDraft(desk)).toMatchObject({ files: 1, toSend: { files: 1 }, leftOut });
  expect(await startDraft(desk)).toMatchObject({ root, AssignmentId });
  // The handler throws synchronously if it does not know the folder. The async function turns that into a rejection.
  const openPath = async () => desk.handlers.drafts.open({ folderIds: [root], AssignmentId });
  await expect(openPath()).rejects.toMatchObject({ code: 'input/invalid', details: { field: 'folderId' } });
});

test('a window opens while the keychain waits for the user, and is signed in once it responds', async () => {
  const home = makeDirectory();
  const keychain = createTestKeychain();
  await (await openSignedIn({ sandbox: sandbox.address, home, keychain })).close();
  const unlocked = Promise.withResolvers<void>();
  const locked = { ...keychain, get: (account: string) => unlocked.promise.then(() => keychain.get(account)) };
  const desk = await openDesk({ sandbox: sandbox.address, home, keychain: locked, hasWindow: true });
  expect((await snapshot(desk)).session).toEqual({ state: 'signed-out' });
  unlocked.resolve();
  await expect.poll(async () => (await snapshot(desk)).session.state).toBe('signed-in');
  expect((await desk.handlers.orderableEvents.list({})).value.length).toBeGreaterThan(0);
});
