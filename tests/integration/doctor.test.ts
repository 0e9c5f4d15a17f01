/** The doctor's verdict in each case that an office meets, and its advice. */
import { X509Certificate } from 'node:crypto';
import { once as happened } from 'node:events';
import { mkdirSync, readFileSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { strFromU8, unzipSync } from 'fflate';
import { expect, onTestFinished, test } from 'vitest';
import { type DoctorCheck, DoctorReport } from '../../src/contract/doctor.ts';
import { DeskError } from '../../src/contract/errors.ts';
import { isIssuedBy } from '../../src/main/core/doctor/checks.ts';
import { startConnectProxy } from '../../src/main/net/testing/proxies.ts';
import { unusedAddress } from '../../src/main/net/testing/server.ts';
import { portOf } from '../../src/main/net/urls.ts';
import { createAuthority, outdatedTls, startTlsServer } from './support/certificates.ts';
import { cli, spawnCli, spawnProgram } from './support/cli.ts';
import { openDesk, openSignedIn } from './support/desks.ts';
import { makeDirectory, makeFile, makeFolder, manyFiles } from './support/folders.ts';
import { onWindows } from './support/runtime.ts';
import { useSandbox } from './support/sandbox.ts';

const sandbox = useSandbox();
const office = await createAuthority('Office Proxy Ltd');

/** Runs the doctor with a service at `url`. Resolves to its table and its advice. */
const examine = async (url: string, env: Readonly<Record<string, string>> = {}) => {
  const address = { baseUrl: `${url}/api`, authUrl: `${url}/oauth`, clientId: 'desk' };
  const { stdout, stderr, exitCode } = await cli(['doctor'], {
    sandbox: address,
    home: makeDirectory(),
    env,
    words: true,
  });
  const verdict = (check: string): string =>
    new RegExp(`^${check}(?:: \\S+)? +(ok|WARNING|FAILED|skipped) +\\d+ ms *(.*)$`, 'm')
      .exec(stdout)
      ?.slice(1)
      .join(': ') ?? `no check "${check}" in\n${stdout}`;
  return { verdict, advice: stderr, exitCode };
};

test('all well, while somebody is signed in and has uploaded', async () => {
  const desk = await openSignedIn({ sandbox: sandbox.address });
  await desk.upload(makeFolder(manyFiles(3)), sandbox.newAssignment());
  const { ok, checks } = await desk.handlers.doctor.run(undefined);
  const states = new Map(checks.map(({ check, state }) => [check, state]));
  expect([ok, checks.filter((one) => !one.ok)]).toEqual([true, []]);
  expect(states.get('service data')).toBe('ok');
  expect(states.get('storage')).toBe('ok');
  const skipped = checks.filter(({ state }) => state === 'skipped').map(({ check, found }) => [check, found?.word]);
  expect(skipped).toEqual([
    ['certificate', 'withoutTls'],
    ['test upload', 'noTestFiles'],
  ]);
  expect(checks.every(({ ms }) => ms >= 0)).toBe(true);
});

test('with sample data a test file is sent, and removed again', async () => {
  const startSample = async () => ({ ...sandbox.address, ended: new Promise<void>(() => {}), close: async () => {} });
  const desk = await openDesk({ host: { startSample } });
  await desk.handlers.connection.useSample(undefined);
  await desk.signIn();
  const { ok, checks } = await desk.handlers.doctor.run(undefined);
  expect(ok).toBe(true);
  const speed: DoctorCheck | undefined = checks.find(({ check }) => check === 'test upload');
  expect(speed).toMatchObject({ state: 'ok', found: { word: 'speed', values: { bytes: expect.any(Number) } } });
});

test('a port where nothing listens', async () => {
  const { verdict, advice, exitCode } = await examine(unusedAddress());
  expect(exitCode).toBe(1);
  expect(verdict('proxy')).toBe('ok: no proxy');
  expect(verdict('name lookup')).toBe('ok: 127.0.0.1');
  expect(verdict('network connection')).toBe('FAILED: service/unreachable');
  expect(advice).toContain('Check the network connection.');
});

test('a proxy whose password is missing', async () => {
  await using proxy = await startConnectProxy({ password: 'anna:secret' });
  const server = await startTlsServer(await office.sign());
  const { verdict, advice } = await examine(server.url, { HTTPS_PROXY: `http://${proxy.name}` });
  expect(verdict('proxy')).toBe(`ok: ${proxy.name}, by the environment variable HTTPS_PROXY`);
  expect(verdict('name lookup')).toBe('ok: looked up by the proxy');
  expect(verdict('network connection')).toBe('FAILED: network/proxy-password');
  expect(verdict('certificate')).toBe(
    `skipped: not checked, because the proxy ${proxy.name} does not let Inspection Desk through`,
  );
  expect(advice).toContain(proxy.name);
  expect(server.requests).toEqual([]);
});

test('a proxy that cannot be reached is one cause, and the rest follows from it', async () => {
  const dead = new URL(unusedAddress()).host;
  const [service, signIn] = [await startTlsServer(await office.sign()), await startTlsServer(await office.sign())];
  const { exitCode, lines } = await cli(['doctor'], {
    sandbox: { baseUrl: service.url, authUrl: signIn.url, clientId: 'desk' },
    home: makeDirectory(),
    env: { HTTPS_PROXY: `http://anna:secret@${dead}` },
  });
  expect(exitCode).toBe(1);
  const { checks } = DoctorReport.parse(lines[0]);
  const failed = checks.filter(({ ok }) => !ok);
  expect(failed).toMatchObject([
    { check: 'network connection', error: { code: 'network/proxy-unreachable', details: { proxy: dead } } },
  ]);
  const followed = checks.filter(({ found }) => found?.word === 'afterProxy');
  expect(followed.map(({ check }) => check)).toEqual([
    ...['certificate', 'network connection', 'certificate'],
    ...['service', 'sign-in address', 'clock', 'service data', 'test upload'],
  ]);
  for (const { state, found } of followed) expect([state, found?.values.proxy]).toEqual(['skipped', dead]);
  expect(checks.find(({ check }) => check === 'proxy')).toMatchObject({
    found: { word: 'proxyByVariable', values: { proxy: dead, variable: 'HTTPS_PROXY' } },
  });
  expect(JSON.stringify(lines)).not.toMatch(/secret|anna/);
});

test('a name that is not found is one cause, and named as such', async () => {
  const { verdict, advice } = await examine('https://service.invalid');
  expect(verdict('name lookup')).toBe('FAILED: service/unreachable');
  const skipped = 'skipped: not checked, because the name of the server service.invalid could not be found';
  for (const check of ['network connection', 'certificate', 'service', 'sign-in address', 'clock'])
    expect([check, verdict(check)]).toEqual([check, skipped]);
  expect(advice).toContain('The name of the server service.invalid could not be found.');
  expect(advice.trim().split('\n')).toHaveLength(1);
});

test('a server with outdated encryption only is called that', async () => {
  const server = await startTlsServer(await office.sign(), outdatedTls);
  const { verdict, advice } = await examine(server.url);
  expect(verdict('network connection')).toMatch(/^ok: /);
  expect(verdict('certificate')).toBe('FAILED: service/tls-outdated');
  const { host } = new URL(server.url);
  expect(verdict('service')).toBe(
    `skipped: not checked, because no secure connection to the server ${host} is possible`,
  );
  expect(advice).toContain(`The server ${host} offers only outdated encryption. Nothing was sent.`);
});

test('the policy is named where it decided', async () => {
  const proxy = { mode: 'none' as const, exceptions: [] };
  const { lines } = await cli(['doctor'], {
    sandbox: sandbox.address,
    home: makeDirectory(),
    env: { HTTP_PROXY: 'http://ignored.invalid' },
    readPolicy: async () => ({ network: { proxy } }),
  });
  const { checks } = DoctorReport.parse(lines[0]);
  expect(checks.find(({ check }) => check === 'proxy')?.found?.word).toBe('directByPolicy');
});

test('B18: a proxy that drips ends the doctor in time, and is named', async () => {
  await using proxy = await startConnectProxy({ drips: true });
  const { exitCode, lines } = await spawnCli(['doctor'], {
    sandbox: sandbox.address,
    home: makeDirectory(),
    env: { HTTP_PROXY: `http://${proxy.name}` },
  });
  expect(exitCode).toBe(1);
  const failed = DoctorReport.parse(lines[0]).checks.filter(({ ok }) => !ok);
  expect(failed).toMatchObject([
    { check: 'network connection', error: { code: 'network/proxy-unreachable', details: { proxy: proxy.name } } },
  ]);
});

test('B18: Ctrl-C ends the doctor at once behind a proxy that drips', async ({ skip }) => {
  skip(onWindows, 'Windows sends a process no signals');
  await using proxy = await startConnectProxy({ drips: true });
  const child = spawnProgram(['doctor'], {
    sandbox: sandbox.address,
    home: makeDirectory(),
    env: { HTTP_PROXY: `http://${proxy.name}` },
  });
  await expect.poll(() => proxy.targets.length).toBeGreaterThan(0);
  child.kill('SIGINT');
  // If the doctor had reached its own time limit, it would print a report.
  const lines = [{ error: { code: 'app/cancelled' } }];
  expect(await child.ended).toMatchObject({ exitCode: 130, signal: null, lines });
});

test('B9: a variable that turns certificate checks off is ignored, and said to be', async () => {
  const server = await startTlsServer(await office.sign());
  const run = await spawnCli(['doctor'], {
    sandbox: { baseUrl: server.url, authUrl: server.url, clientId: 'desk' },
    home: makeDirectory(),
    env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
  });
  const { checks } = DoctorReport.parse(run.lines[0]);
  const of = (name: string) => checks.find(({ check }) => check === name);
  expect(of('certificate')).toMatchObject({ error: { code: 'service/certificate-untrusted' } });
  expect(of('certificate checks')).toMatchObject({ state: 'warning', found: { word: 'alwaysChecked' } });
  expect(server.requests).toEqual([]);
  // Node's own warning would say that certificates are not checked.
  expect(run.stderr).not.toContain('NODE_TLS_REJECT_UNAUTHORIZED');
});

test('a proxy that inspects traffic: its authority is named, until it is trusted', async () => {
  const server = await startTlsServer(await office.sign());
  const { host, port } = { host: '127.0.0.1', port: Number(new URL(server.url).port) };
  await using proxy = await startConnectProxy({ leadsTo: () => ({ host, port }) });
  const env = { HTTPS_PROXY: `http://${proxy.name}` };
  const inspected = await examine(server.url, env);
  expect(inspected.verdict('network connection')).toMatch(/^ok: connected to /);
  expect(inspected.verdict('certificate')).toBe('FAILED: service/certificate-untrusted');
  expect(inspected.advice).toContain('It was issued by Office Proxy Ltd.');
  const trusted = await examine(server.url, { ...env, NODE_EXTRA_CA_CERTS: makeFile(office.ca) });
  expect(trusted.verdict('certificate')).toMatch(/^WARNING: valid until \S+ only, issued by Office Proxy Ltd$/);
});

test('a certificate that has expired', async () => {
  const server = await startTlsServer(await office.sign({ from: -30, to: -2 }));
  const { verdict, advice } = await examine(server.url, { NODE_EXTRA_CA_CERTS: makeFile(office.ca) });
  expect(verdict('network connection')).toMatch(/^ok: /);
  expect(verdict('certificate')).toBe('FAILED: service/certificate-expired');
  expect(advice).toContain('It was issued by Office Proxy Ltd.');
});

test('an authority that the office added is named, with the day until which the certificate is valid', async () => {
  const server = await startTlsServer(await office.sign({ to: 300 }));
  const { verdict } = await examine(server.url, { NODE_EXTRA_CA_CERTS: makeFile(office.ca) });
  expect(verdict('certificate')).toMatch(
    /^ok: valid until \d{4}-\d\d-\d\d, issued by Office Proxy Ltd, which was added /,
  );
});

test('an authority of the same name is another one', async () => {
  const leaf = new X509Certificate((await office.sign()).cert);
  const namesake = await createAuthority('Office Proxy Ltd');
  expect(isIssuedBy(leaf, [namesake.ca])).toBe(false);
  expect(isIssuedBy(leaf, [namesake.ca, office.ca])).toBe(true);
});

test.each([
  [10 * 60, 'FAILED: upload/clock-wrong'],
  [-2 * 60, 'WARNING: upload/clock-wrong'],
  [0, 'ok: differs from the clock of the service by 0 s'],
])('a clock that differs by %i seconds', async (seconds, expected) => {
  const server = createServer((_, response) => {
    response.sendDate = false;
    response.setHeader('date', new Date(Date.now() + seconds * 1_000).toUTCString());
    response.writeHead(401).end('{"error":"invalid_client"}');
  });
  server.listen(0, '127.0.0.1');
  await happened(server, 'listening');
  onTestFinished(() => void server.close());
  const { verdict, advice } = await examine(`http://127.0.0.1:${portOf(server)}`);
  expect(verdict('clock')).toBe(expected);
  const minutes = Math.abs(seconds) / 60;
  const todo = `It differs from the clock of the server by ${minutes} min. Set the date and time of this computer`;
  expect(advice.includes(todo)).toBe(minutes > 0);
});

test('can be stopped while a host says nothing', async () => {
  const desk = await openSignedIn({ sandbox: sandbox.address });
  await sandbox.control.faults.add({
    match: { route: 'list-orderable-events' },
    effect: { type: 'stall', forMs: 3_600_000 },
  });
  const cancel = new AbortController();
  const run = Promise.resolve(desk.handlers.doctor.run(undefined, cancel.signal));
  cancel.abort();
  await expect(run).rejects.toMatchObject({ code: 'app/cancelled' });
});

test('the file for support has no secret, wherever one was', async () => {
  const secrets = ['sEcrEt-t0ken-0123456789-abcdefghijkl', 'hunter2', 'X-Amz-Signature=deadbeef'];
  const colleague = 'Astrid Colleague';
  const desk = await openSignedIn({ sandbox: sandbox.address });
  await desk.handlers.preferences.set({ letterhead: { people: { 'subject-2': colleague } } });
  await sandbox.control.faults.add({ match: { route: 'storage-put' }, effect: { type: 'status', status: 403 } });
  await desk.upload(makeFolder(manyFiles(3)), sandbox.newAssignment());
  desk.log.write('bug', {
    error: { token: secrets[0], note: `https://a.example/x?${secrets[2]}`, password: secrets[1] },
  });
  writeFileSync(join(desk.home, 'logs', 'inspection-desk.log.1'), `Bearer ${secrets[0]} password=${secrets[1]}\n`);
  const dumps = join(desk.home, 'crashes', 'completed');
  mkdirSync(dumps, { recursive: true });
  writeFileSync(join(dumps, 'a.dmp'), secrets.join(' '));
  const path = join(makeDirectory(), 'support.zip');
  await desk.doctor.saveBundle(path, { crashDumps: false });
  const files = Object.entries(unzipSync(readFileSync(path))).map(([name, bytes]) => [name, strFromU8(bytes)] as const);
  expect(files.map(([name]) => name).sort()).toEqual([
    ...['doctor.json', 'doctor.txt', 'logs/inspection-desk.log', 'logs/inspection-desk.log.1'],
    ...['policy.json', 'settings.json', 'uploads.json'],
  ]);
  const access = await desk.connected().session.accessToken({});
  for (const [name, text] of files)
    for (const secret of [...secrets, access, colleague]) expect([name, text.includes(secret)]).toEqual([name, false]);
  const uploads = JSON.parse(Object.fromEntries(files)['uploads.json'] ?? '');
  expect(uploads).toMatchObject({ uploads: 1, files: { failed: 3 }, reasons: { 'upload/denied': 3 } });
  const report = JSON.parse(Object.fromEntries(files)['doctor.json'] ?? '');
  expect(report.crashDumps).toMatchObject([{ file: 'completed/a.dmp', sizeBytes: secrets.join(' ').length }]);
});

test('the newest crash dumps are in the file for support as they are, if a command asks for them, without unreadable ones', async () => {
  const home = makeDirectory();
  const dumps = join(home, 'crashes', 'pending');
  mkdirSync(dumps, { recursive: true });
  for (let minutes = 1; minutes <= 6; minutes += 1) {
    const path = join(dumps, `${minutes}.dmp`);
    writeFileSync(path, `memory ${minutes}`);
    // A file larger than Node can read as a whole.
    if (minutes === 2) truncateSync(path, 2 ** 31);
    utimesSync(path, 1_700_000_000 - minutes * 60, 1_700_000_000 - minutes * 60);
  }
  const path = join(makeDirectory(), 'support.zip');
  const options = { sandbox: sandbox.address, home };
  expect(await cli(['doctor', '--crash-dumps'], options)).toMatchObject({ exitCode: 2 });
  await cli(['doctor', '--bundle', path, '--crash-dumps'], options);
  const files = Object.entries(unzipSync(readFileSync(path))).filter(([name]) => name.startsWith('crashes/'));
  expect(files.map(([name, bytes]) => [name.slice('crashes/'.length), strFromU8(bytes)])).toEqual([
    ...[1, 3, 4, 5].map((minutes) => [`pending/${minutes}.dmp`, `memory ${minutes}`]),
    [
      'unreadable.json',
      expect.stringMatching(/^\[\s+\{\s+"file": "pending\/2\.dmp",\s+"cause": "ERR_FS_FILE_TOO_LARGE"\s+\}\s+\]\s$/),
    ],
  ]);
});

test('a log that cannot be read is named in the file for support, which has all others', async () => {
  const desk = await openSignedIn({ sandbox: sandbox.address });
  mkdirSync(join(desk.home, 'logs', 'inspection-desk.log.1'));
  writeFileSync(join(desk.home, 'logs', 'inspection-desk.log.2'), '{"event":"older"}\n');
  const path = join(makeDirectory(), 'support.zip');
  await desk.doctor.saveBundle(path, { crashDumps: false });
  const files = Object.entries(unzipSync(readFileSync(path))).filter(([name]) => name.startsWith('logs/'));
  const logs = Object.fromEntries(files.map(([name, bytes]) => [name.slice('logs/'.length), strFromU8(bytes)]));
  expect(logs).toEqual({
    'inspection-desk.log': expect.stringContaining('"event"'),
    'inspection-desk.log.2': '{"event":"older"}\n',
    'unreadable.json': expect.any(String),
  });
  expect(JSON.parse(logs['unreadable.json'] ?? '')).toEqual([{ file: 'inspection-desk.log.1', cause: 'EISDIR' }]);
});

test('a ledger that cannot be read is named in the file for support, which has everything else', async () => {
  const desk = await openSignedIn({ sandbox: sandbox.address });
  await sandbox.control.faults.add({ match: { route: 'storage-put' }, effect: { type: 'status', status: 403 } });
  await desk.upload(makeFolder(manyFiles(3)), sandbox.newAssignment());
  const ledger = new DatabaseSync(join(desk.home, 'ledger.sqlite'));
  ledger.exec(`UPDATE item SET error = '{"code":"unknown/code"}'`);
  ledger.close();
  const path = join(makeDirectory(), 'support.zip');
  await desk.doctor.saveBundle(path, { crashDumps: false });
  const files = unzipSync(readFileSync(path));
  expect(Object.keys(files)).toContain('logs/inspection-desk.log');
  const uploads = JSON.parse(strFromU8(files['uploads.json'] ?? new Uint8Array()));
  expect(uploads).toMatchObject({ uploads: 1, files: { failed: 3 }, unreadable: { 'data/corrupt': 1 } });
});

test('B12: the file for support keeps codes and states, names neither the user nor their folders, and is closed to others', async () => {
  const user = userInfo().username;
  const desk = await openSignedIn({ sandbox: sandbox.address });
  const error = new DeskError('network/ca-file', 'gone', { details: { path: `/home/${user}/Customers/ca.pem` } });
  desk.log.write('upload.waits', { batch: 'b', upload: 'u', code: error.code, details: error.details });
  desk.log.write('call.failed', {
    call: 'uploads.pause',
    error: new DeskError('upload/batch-state', 'no', { details: { state: 'paused' } }),
  });
  const older = {
    event: 'notice',
    error: { code: 'upload/folder-missing', details: { path: 'C:\\Users\\anna\\Customers' } },
  };
  writeFileSync(join(desk.home, 'logs', 'inspection-desk.log.1'), `${JSON.stringify(older)}\n{"at":"/srv/${user}/x.ts`);
  await desk.handlers.doctor.run(undefined);
  const path = join(makeDirectory(), 'support.zip');
  await desk.doctor.saveBundle(path, { crashDumps: false });
  const files = Object.entries(unzipSync(readFileSync(path))).map(([name, bytes]) => [name, strFromU8(bytes)] as const);
  const log = Object.fromEntries(files)['logs/inspection-desk.log'] ?? '';
  expect(log).toContain('"code":"network/ca-file","details":{"path":"[path]"}');
  expect(log).toContain('"error":{"code":"upload/batch-state","retry":"never","details":{"state":"paused"}}');
  const names = ['Customers', `/${user}/`, `\\${user}\\`, 'anna', homedir()];
  for (const [name, text] of files)
    for (const one of names) expect([name, one, text.includes(one)]).toEqual([name, one, false]);
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
});
