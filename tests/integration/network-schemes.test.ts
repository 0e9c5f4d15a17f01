/**
 * The app with proxies like those of offices: squid, which requires Negotiate (with tickets of a KDC), Digest or Basic.
 * Prints the table of docs/network.md: which operations work with which scheme.
 */
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { DoctorCheck } from '../../src/contract/doctor.ts';
import type { Host } from '../../src/main/core/host.ts';
import { cli, ofType } from './support/cli.ts';
import { openDesk, quickProbes, type TestDesk } from './support/desks.ts';
import { makeDirectory, makeFolder, manyFiles } from './support/folders.ts';
import { byHand, writeSettings } from './support/networks.ts';
import { lacking, type Office, type OfficeProxy, openOffice, type Scheme } from './support/office-proxies.ts';
import { always, silence, useSandbox } from './support/sandbox.ts';
import { startUpdateServer, updatedApp } from './support/update-server.ts';

const why = lacking();
// .ci/run installs the needed programs, so these tests must not be skipped there.
const isSkipped = why !== undefined && process.env.INSPECTION_DESK_TEST_OFFICE === undefined;
const officeTest = test.skipIf(isSkipped);
if (isSkipped) process.stdout.write(`proxy schemes are not tested: ${why}\n`);

const sandbox = useSandbox();
let office: Office;
/** The results of the operations, by the schemes that a proxy offers. */
const table: Record<string, Record<string, string | number>> = {};

beforeAll(async () => {
  if (why !== undefined) throw new Error(why);
  office = await openOffice();
  // libkrb5 reads the variables of the process.
  for (const [name, value] of Object.entries(office.environment)) vi.stubEnv(name, value);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  const rows = Object.entries(table).map(([name, row]) => [name, ...Object.values(row)]);
  const header = ['a proxy offers', ...Object.keys(Object.values(table)[0] ?? {})];
  const lines = [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  if (rows.length > 0) process.stdout.write(`\n${lines.join('\n')}\n`);
  await office?.close();
});

/**
 * Opens a desk that reaches everything through the proxy `name`, or through the proxies that `host` resolves. `updates`
 * in the result: the host of the desk's update server.
 */
const openBehind = async (name: string, host: Partial<Host> = {}) => {
  const home = makeDirectory();
  const server = await startUpdateServer();
  const network = host.resolveProxy ? {} : { network: byHand(name) };
  writeSettings(home, { ...network, updates: { mode: 'automatic', channel: 'latest', address: server.url } });
  const updater = { ...updatedApp(), install: () => {}, quit: () => {} };
  const options = { sandbox: sandbox.address, home, ...quickProbes, concurrency: 32 };
  const desk = await openDesk({ ...options, host: { updater, ...host } });
  return { desk, updates: new URL(server.url).host };
};

const questions = ({ events }: TestDesk): number =>
  events.filter((event) => event.type === 'wantedPassword' && event.value).length;

const enter = async (desk: TestDesk, proxy: string, password: string) => {
  const { inClear = false } = (await desk.handlers.app.snapshot(undefined)).wantedPassword ?? {};
  await desk.handlers.network.enterProxyPassword({ proxy, inClear, user: 'jo', password });
};

const signInsOf = async (desk: TestDesk): Promise<readonly DoctorCheck[]> => {
  const { checks } = await desk.handlers.doctor.run(undefined);
  return checks.filter(({ check }) => check === 'proxy sign-in');
};

const uploadThrough = (desk: TestDesk, files: number) =>
  desk.upload(makeFolder(manyFiles(files)), sandbox.newAssignment());

/** Returns every operation that uses the network, by its name. */
const everything = (desk: TestDesk, env: Readonly<Record<string, string>>) => ({
  'sign-in': desk.signIn,
  lists: () => desk.connected().service.listOrderableEvents(),
  'upload (32 connections)': async () => {
    await sandbox.control.faults.add(always('storage-put', silence));
    const uploading = uploadThrough(desk, 64);
    await expect.poll(async () => (await sandbox.control.stats()).routes['storage-put'].peakConcurrent).toBe(32);
    await sandbox.control.faults.release();
    expect(await uploading).toMatchObject({ uploaded: 64, failed: 0 });
  },
  update: async () => {
    await desk.handlers.updates.check(undefined);
    await expect.poll(async () => (await desk.handlers.app.snapshot(undefined)).update.state).toBe('ready');
  },
  doctor: async () => expect((await desk.handlers.doctor.run(undefined)).checks.filter(({ ok }) => !ok)).toEqual([]),
  'command line': async () => {
    const args = ['upload', makeFolder(manyFiles(20)), '--assignment', sandbox.newAssignment()];
    const run = await cli(args, { sandbox: sandbox.address, home: makeDirectory(), env });
    expect(ofType(run, 'summary')).toMatchObject([{ uploaded: 20, failed: 0 }]);
  },
});

/** Returns the schemes with which the proxy has opened tunnels, and the targets of the tunnels. */
const opened = (proxy: OfficeProxy) => {
  const accepted = proxy.taken().filter(({ status }) => status === 200);
  return { schemes: new Set(accepted.map(({ scheme }) => scheme)), targets: accepted.map(({ target }) => target) };
};

/** Makes the app send many requests with a wrong password. Resolves to how often the proxy got a password. */
const countWrong = async (schemes: readonly Scheme[], closes: boolean): Promise<number> => {
  const proxy = await office.proxy(schemes, { closes });
  const { desk } = await openBehind(proxy.name);
  await expect(desk.signIn()).rejects.toMatchObject({ code: 'network/proxy-password' });
  await enter(desk, proxy.name, 'wrong');
  const asking = Array.from({ length: 32 }, () => desk.connected().session.signIn());
  for (const { reason } of (await Promise.allSettled(asking)) as PromiseRejectedResult[])
    expect(reason).toMatchObject({ code: expect.stringMatching(/proxy-password-wrong|auth\/cancelled/) });
  await signInsOf(desk);
  return proxy.taken().filter((one) => one.scheme !== '').length;
};

officeTest.each<[offers: string, schemes: readonly Scheme[], closes: boolean, used: string, user: string]>([
  ['Negotiate', ['negotiate'], false, 'Negotiate', 'jo@OFFICE.TEST'],
  ['Digest', ['digest'], false, 'Digest', 'jo'],
  ['Basic', ['basic'], false, 'Basic', 'jo'],
  ['all of them, and closes connections', ['basic', 'digest', 'negotiate'], true, 'Negotiate', 'jo@OFFICE.TEST'],
  ['Digest and Basic, and closes connections', ['basic', 'digest'], true, 'Digest', 'jo'],
])(
  '%s: everything passes, with one question at most, and a wrong password counts once',
  async (offers, schemes, closes, used, user) => {
    office.signIn();
    const proxy = await office.proxy(schemes, { closes });
    const { desk, updates } = await openBehind(proxy.name);
    const byTicket = used === 'Negotiate';
    if (!byTicket) {
      await expect(desk.signIn()).rejects.toMatchObject({ code: 'network/proxy-password' });
      await enter(desk, proxy.name, 's3cret');
    }
    const row: Record<string, string | number> = { 'the app uses': used };
    const env = { HTTP_PROXY: `http://${byTicket ? '' : 'jo:s3cret@'}${proxy.name}` };
    for (const [what, work] of Object.entries(everything(desk, env))) {
      await work();
      row[what] = 'yes';
    }
    row.questions = questions(desk);
    expect(row.questions).toBe(byTicket ? 0 : 1);
    const found = { word: 'proxySignIn', values: { scheme: used, user } };
    for (const check of await signInsOf(desk)) expect(check).toMatchObject({ state: 'ok', found });
    // Closes the desk, because squid logs a tunnel only after it has ended.
    await desk.close();
    await expect.poll(() => opened(proxy).targets).toContain(updates);
    expect(opened(proxy).schemes).toEqual(new Set([used]));
    row['wrong password counted'] = byTicket ? 'none sent' : await countWrong(schemes, closes);
    expect(row['wrong password counted']).toBe(byTicket ? 'none sent' : 1);
    table[offers] = row;
  },
);

officeTest('a ticket that expires pauses the upload, which says so and goes on with a new one', async () => {
  const proxy = await office.proxy(['negotiate', 'basic']);
  const { desk } = await openBehind(proxy.name);
  office.signIn();
  await desk.signIn();
  office.signIn(5);
  await sandbox.control.faults.add(
    // Holds uploads until the ticket has expired. The open connections then continue, but their responses are lost, and
    // no new connection can be opened.
    { ...always('storage-put', { type: 'stall', forMs: 6_000 }), when: { count: 32 } },
    { ...always('storage-put', { type: 'reset', at: 'after-body' }), when: { after: 40 } },
  );
  const root = makeFolder(manyFiles(200));
  const { batchId } = await desk.uploads.start({ root, assignmentId: sandbox.newAssignment() });
  const { reason } = await desk.when(batchId, ({ state }) => state === 'paused');
  expect(reason).toMatchObject({ code: 'network/proxy-account', details: { reason: 'Ticket expired' } });
  // The upload stays paused, although the main thread still has an open tunnel through the proxy: no new one can be
  // opened.
  const before = desk.events.length;
  await new Promise((resolve) => setTimeout(resolve, 500));
  const later = desk.events.slice(before).flatMap((event) => (event.type === 'batches' ? event.batches : []));
  expect(later.filter(({ state }) => state !== 'paused')).toEqual([]);
  await sandbox.control.faults.clear();
  office.signIn();
  expect(await desk.when(batchId, ({ state }) => state === 'finished')).toMatchObject({ uploaded: 200, failed: 0 });
  expect(questions(desk)).toBe(0);
});

officeTest('without a ticket, the next strongest scheme is used, never Basic, and the doctor says why', async () => {
  office.signOut();
  const proxy = await office.proxy(['negotiate', 'digest', 'basic']);
  const { desk } = await openBehind(proxy.name);
  await expect(desk.signIn()).rejects.toMatchObject({ code: 'network/proxy-password' });
  await enter(desk, proxy.name, 's3cret');
  await desk.signIn();
  expect(proxy.taken().map(({ scheme }) => scheme)).not.toContain('Basic');
  expect(await signInsOf(desk)).toMatchObject([
    { state: 'ok', found: { values: { scheme: 'Digest', user: 'jo' } } },
    { state: 'warning', error: { details: { reason: 'noTicket' } } },
  ]);
});

/** Returns a PAC script with one proxy for updates, and another for everything else. */
const pacFile = (updates: string, [first, other]: readonly [string, string]): string => `
function FindProxyForURL(url, host) {
  return url.indexOf('//${updates}/') > 0 ? 'PROXY ${other}' : 'PROXY ${first}';
}`;

officeTest('a PAC file chooses between two proxies, each with its own scheme', async () => {
  office.signIn();
  const [first, other] = await Promise.all([office.proxy(['negotiate']), office.proxy(['digest'])]);
  let pac = '';
  const resolveProxy = async (url: string): Promise<string> =>
    runInNewContext(`${pac}; FindProxyForURL(${JSON.stringify(url)}, ${JSON.stringify(new URL(url).hostname)})`);
  const { desk, updates } = await openBehind('', { resolveProxy });
  pac = pacFile(updates, [first.name, other.name]);
  await desk.signIn();
  expect(await uploadThrough(desk, 20)).toMatchObject({ uploaded: 20, failed: 0 });
  await enter(desk, other.name, 's3cret');
  await desk.handlers.updates.check(undefined);
  await expect.poll(async () => (await desk.handlers.app.snapshot(undefined)).update.state).toBe('ready');
  expect(questions(desk)).toBe(0);
  await desk.close();
  await expect.poll(() => opened(first).schemes).toEqual(new Set(['Negotiate']));
  await expect.poll(() => opened(other).schemes).toEqual(new Set(['Digest']));
  expect(opened(first).targets).not.toContain(updates);
  expect(new Set(opened(other).targets)).toEqual(new Set([updates]));
});
