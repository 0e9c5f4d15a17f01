/** Updates of the installed app: which versions of the server are downloaded and installed, and which are refused. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { CancellationToken } from 'builder-util-runtime';
import { Agent, type Dispatcher } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import type { UpdateStatus } from '../../src/contract/app.ts';
import { RouteExecutor } from '../../src/main/hosts/electron/updates/electron-updater.ts';
import { createApiAgent } from '../../src/main/net/connector.ts';
import { startConnectProxy } from '../../src/main/net/testing/proxies.ts';
import { testRoutes } from '../../src/main/net/testing/routes.ts';
import { type Answering, startTestServer, unusedAddress } from '../../src/main/net/testing/server.ts';
import { createUpdates, type Updates } from '../../src/main/updates/updates.ts';
import { makeDirectory, mountSmallDisk } from './support/folders.ts';
import { INSTALLER, startUpdateServer, type UpdatedApp, updatedApp } from './support/update-server.ts';

const agent = (): Dispatcher => {
  const opened = new Agent();
  onTestFinished(() => opened.destroy());
  return opened;
};

type Running = Updates & { readonly seen: readonly UpdateStatus[]; readonly quits: readonly string[] };

const run = (app: UpdatedApp, address: string, dispatcher = agent(), isUploading = () => false): Running => {
  const seen: UpdateStatus[] = [];
  const quits: string[] = [];
  const updates = createUpdates({
    updater: {
      ...app,
      install: (restart) => void quits.push(`install${restart ? ' and restart' : ''}`),
      quit: () => void quits.push('quit'),
    },
    settings: () => ({ mode: 'automatic', channel: 'latest', address }),
    dispatcher,
    isUploading,
    onChange: (status) => void seen.push(status),
  });
  onTestFinished(updates.close);
  return { ...updates, seen, quits };
};

/** Returns the downloaded installers that are waiting to be installed. */
const kept = ({ downloads }: UpdatedApp): readonly string[] =>
  readdirSync(join(downloads, 'pending')).filter((name) => name.endsWith('.exe'));

test('downloads a newer version and installs it at the end', async () => {
  const server = await startUpdateServer();
  const app = updatedApp();
  const updates = run(app, server.url);
  await updates.check();
  const found = { version: '2.0.0', notes: 'Faster uploads.' };
  expect(updates.status()).toEqual({ state: 'ready', found });
  expect(updates.seen.map(({ state }) => state)).toEqual(expect.arrayContaining(['checking', 'downloading', 'ready']));
  expect(kept(app)).toEqual([INSTALLER]);
  expect(readFileSync(join(app.downloads, 'pending', INSTALLER))).toEqual(server.content);
  expect(app.looked.length).toBeGreaterThan(0);
  updates.onEnd();
  expect(updates.quits).toEqual(['install']);
});

test('does not start an installer that was replaced after the download', async () => {
  const server = await startUpdateServer();
  const app = updatedApp();
  await run(app, server.url).check();
  writeFileSync(join(app.downloads, 'pending', INSTALLER), 'other');
  app.install(false);
  expect(kept(app)).toEqual([]);
});

test('sends nothing that says whose computer it is', async () => {
  const server = await startUpdateServer();
  await run(updatedApp(), server.url).check();
  expect(server.requests.length).toBeGreaterThan(1);
  for (const { headers, target } of server.requests) {
    expect(Object.keys(headers)).not.toContain('x-user-staging-id');
    expect(headers['user-agent']).toBe('InspectionDesk');
    expect(target).toMatch(/^\/[\w.-]+(\?noCache=\w+)?$/);
  }
});

test.each(['1.5.0', '1.4.9'])('leaves version %s alone', async (version) => {
  const server = await startUpdateServer({ version });
  const updates = run(updatedApp(), server.url);
  await updates.check();
  expect(updates.status()).toMatchObject({ state: 'current', checkedAtMs: expect.any(Number) });
  updates.onEnd();
  expect(updates.quits).toEqual([]);
});

test.each([
  ['update/damaged', 'has another hash', { installer: (response) => void response.end(Buffer.alloc(200_000)) }],
  [
    'update/unreachable',
    'is cut off',
    {
      installer: (response) => {
        response.writeHead(200, { 'content-length': 200_000 }).write(Buffer.alloc(1000), () => response.destroy());
      },
    },
  ],
  ['update/unreachable', 'is missing', { installer: (response) => void response.writeHead(404).end() }],
  [
    'update/unreachable',
    'is at an address without TLS',
    { installer: (response) => void response.writeHead(302, { location: 'http://updates.example/x.exe' }).end() },
  ],
  ['update/damaged', 'is described by nonsense', { description: '{{{' }],
  ['update/damaged', 'is described without a hash', { description: 'version: 2.0.0\nfiles:\n  - url: a.exe\n' }],
] satisfies readonly (readonly [string, string, Parameters<typeof startUpdateServer>[0]])[])(
  '%s if it %s',
  async (code, _, published) => {
    const server = await startUpdateServer(published);
    const app = updatedApp();
    const updates = run(app, server.url);
    await updates.check();
    expect(updates.status()).toMatchObject({ state: 'failed', error: { code } });
    updates.onEnd();
    expect(updates.quits).toEqual([]);
  },
);

test('B15: a description without an end is given up, and no more of it is kept', async () => {
  let sentBytes = 0;
  const closed = Promise.withResolvers<void>();
  const line = Buffer.from(`# ${'x'.repeat(65_000)}\n`);
  const endless: Answering = (response) => {
    response.writeHead(200).on('close', closed.resolve);
    const send = (): void => {
      while (response.write(line)) sentBytes += line.length;
      sentBytes += line.length;
    };
    response.on('drain', send);
    send();
  };
  const server = await startUpdateServer({ description: endless });
  const updates = run(updatedApp(), server.url);
  await updates.check();
  expect(updates.status()).toMatchObject({ state: 'failed', error: { code: 'update/damaged' } });
  await closed.promise;
  // More is sent than the limit of 1 MiB, because the sockets of both sides buffer.
  expect(sentBytes).toBeLessThan(32_000_000);
});

/** If every alias were replaced by its text, the document would have 9^9 letters. */
const bomb = Array.from('abcdefghi', (name, at, all = 'abcdefghi') =>
  at === 0
    ? 'a: &a [x, x, x, x, x, x, x, x, x]'
    : `${name}: &${name} [${Array(9)
        .fill(`*${all[at - 1]}`)
        .join()}]`,
).join('\n');

test.each([
  ['an alias', 'version: &v 2.0.0\nfiles:\n  - url: a.exe\n    sha512: abc\nreleaseName: *v\n'],
  ['a bomb of aliases', `${bomb}\nversion: 2.0.0\nfiles: *i\n`],
  ['any number of levels', `version: ${'['.repeat(500_000)}`],
  ['any number of files', `version: 2.0.0\nfiles:\n${'  - {url: a, sha512: b}\n'.repeat(30_000)}`],
  ['a list for the version', 'version: [2.0.0]\nfiles:\n  - url: a.exe\n    sha512: abc\n'],
])('B15: a description with %s is refused at once', async (_, description) => {
  const server = await startUpdateServer({ description });
  const updates = run(updatedApp(), server.url);
  await updates.check();
  expect(updates.status()).toMatchObject({ state: 'failed', error: { code: 'update/damaged' } });
});

test.each(['description', 'installer'])(
  'B15: a server whose %s is redirected in a circle is given up',
  async (what) => {
    const circle: Answering = (response, { target }) => void response.writeHead(302, { location: target }).end();
    const server = await startUpdateServer({ [what]: circle });
    const updates = run(updatedApp(), server.url);
    await updates.check();
    expect(updates.status()).toMatchObject({ state: 'failed', error: { code: 'update/unreachable' } });
    expect(server.requests.length).toBeLessThan(10);
  },
);

test('B15: what an update asks for beside its description has limits, too', async () => {
  const server = await startTestServer((response, { target }) => {
    if (target === '/bomb') response.end(gzipSync(Buffer.alloc(100_000_000)));
    else if (target === '/large') response.end(randomBytes(2_000_000));
    else response.writeHead(206).end(Buffer.alloc(101));
  });
  onTestFinished(() => server.close());
  const executor = new RouteExecutor();
  executor.use(agent(), server.url);
  const options = () => ({ cancellationToken: new CancellationToken() });
  // Downloads a block map, which is decompressed after the download.
  for (const path of ['bomb', 'large'])
    await expect(executor.downloadToBuffer(new URL(`${server.url}/${path}`), options())).rejects.toThrow();
  // Requests a part of the installer.
  const part = await new Promise<Readable>((resolve) => {
    const { hostname, port } = new URL(server.url);
    const headers = { Range: 'bytes=0-99', 'User-Agent': 'electron-builder' };
    const received = (response: unknown): void => void (response instanceof Readable && resolve(response));
    executor.createRequest({ protocol: 'http:', hostname, port, path: '/part', headers }, received).end();
  });
  await expect(buffer(part)).rejects.toMatchObject({ code: 'ERR_UPDATER_INVALID_UPDATE_INFO' });
  expect(server.requests.at(-1)?.headers).toMatchObject({ 'user-agent': 'InspectionDesk' });
});

test('says that the disk is full if the installer finds no room, and downloads it once there is some', async (context) => {
  const server = await startUpdateServer();
  const app = updatedApp();
  mkdirSync(app.downloads, { recursive: true });
  const unmount = mountSmallDisk(app.downloads, '100k');
  if (!unmount) return context.skip('no file system can be mounted here');
  const updates = run(app, server.url);
  await updates.check();
  expect(updates.status()).toMatchObject({ state: 'failed', error: { code: 'data/unwritable' } });
  unmount();
  await updates.check();
  expect(updates.status()).toMatchObject({ state: 'ready' });
});

test('sends no request to this computer for a server of updates elsewhere', async () => {
  let requests = 0;
  const here = await startTestServer((response) => {
    requests += 1;
    response.end('version: 2.0.0');
  });
  onTestFinished(() => here.close());
  const body = () => Readable.from([]);
  const headers = { location: here.url };
  const redirecting = {
    request: async (options: Dispatcher.RequestOptions) =>
      options.origin === 'https://updates.example'
        ? { statusCode: 302, headers, body: body() }
        : agent().request(options),
  } as object as Dispatcher;
  const executor = new RouteExecutor();
  executor.use(redirecting, 'https://updates.example');
  const options = { protocol: 'https:', hostname: 'updates.example', path: '/latest.yml' };
  await expect(executor.request(options)).rejects.toThrow('without TLS');
  const target = join(makeDirectory(), 'installer');
  const download = { cancellationToken: new CancellationToken() };
  await expect(executor.download(new URL(here.url), target, download)).rejects.toThrow('without TLS');
  expect(requests).toBe(0);
});

test('refuses an installer that the publisher did not sign, also one that was there before', async () => {
  const server = await startUpdateServer();
  let isSigned = false;
  const app = updatedApp(() => isSigned);
  const first = run(app, server.url);
  await first.check();
  expect(first.status()).toMatchObject({ state: 'failed', error: { code: 'update/untrusted' } });
  expect(kept(app)).toEqual([]);

  isSigned = true;
  await first.check();
  expect(first.status()).toMatchObject({ state: 'ready' });
  isSigned = false;
  const later = run(app, server.url);
  await later.check();
  expect(later.status()).toMatchObject({ state: 'failed', error: { code: 'update/untrusted' } });
  expect(kept(app)).toEqual([]);
  later.onEnd();
  expect(later.quits).toEqual([]);
});

test('refuses an old installer that is offered as a newer version, also one that was there before', async () => {
  const server = await startUpdateServer({ version: '9.0.0' });
  // Windows finds the publisher's signature on the installer, whose own version is 1.0.0.
  let own = '1.0.0';
  const app = updatedApp((_, version) => version === own);
  const updates = run(app, server.url);
  await updates.check();
  expect(updates.status()).toMatchObject({ state: 'failed', error: { code: 'update/untrusted' } });
  expect(kept(app)).toEqual([]);
  own = '9.0.0';
  await updates.check();
  expect(updates.status()).toMatchObject({ state: 'ready' });
  own = '1.0.0';
  const later = run(app, server.url);
  await later.check();
  expect(later.status()).toMatchObject({ state: 'failed', error: { code: 'update/untrusted' } });
  expect(kept(app)).toEqual([]);
});

test('a server that cannot be reached is tried again later', async () => {
  const updates = run(updatedApp(), unusedAddress());
  await updates.check();
  expect(updates.status()).toMatchObject({ state: 'failed', error: { code: 'update/unreachable', retry: 'later' } });
});

test('a version is ready although updates were turned off and on again while it was downloaded', async () => {
  const begun = Promise.withResolvers<() => void>();
  const server = await startUpdateServer({
    installer: (response) => {
      response.writeHead(200, { 'content-length': server.content.length }).write(server.content.subarray(0, 1_000));
      begun.resolve(() => void response.end(server.content.subarray(1_000)));
    },
  });
  let mode: 'off' | 'automatic' = 'automatic';
  // The time of the first call is the start of the app. At all later times, the first check is due.
  const times = [0].values();
  const updates = createUpdates({
    updater: { ...updatedApp(), install: () => {}, quit: () => {} },
    settings: () => ({ mode, channel: 'latest', address: server.url }),
    dispatcher: agent(),
    isUploading: () => false,
    onChange: () => {},
    now: () => times.next().value ?? 60_000,
  });
  onTestFinished(updates.close);
  const checked = updates.check();
  const finish = await begun.promise;
  for (mode of ['off', 'automatic'] as const) updates.follow();
  finish();
  await checked;
  expect(updates.status()).toMatchObject({ state: 'ready' });
  expect(server.requests.filter(({ target }) => target === `/${INSTALLER}`)).toHaveLength(1);
});

test('goes through the proxy that the system names', async () => {
  const server = await startUpdateServer();
  const proxy = await startConnectProxy();
  onTestFinished(proxy.close);
  const routing = testRoutes({
    settings: () => ({ mode: 'system', exceptions: [] }),
    resolveProxy: async () => `PROXY ${proxy.name}`,
  });
  const dispatcher = createApiAgent({ routing });
  onTestFinished(() => dispatcher.destroy());
  const updates = run(updatedApp(), server.url, dispatcher);
  await updates.check();
  expect(updates.status()).toMatchObject({ state: 'ready' });
  expect(new Set(proxy.targets)).toEqual(new Set([new URL(server.url).host]));
});

test('is off where nobody said from where, or the setting says so, and then starts nothing', async () => {
  const server = await startUpdateServer();
  let settings: Parameters<typeof createUpdates>[0]['settings'] = () => ({ mode: 'automatic', channel: 'latest' });
  const updates = createUpdates({
    updater: { ...updatedApp(), quit: () => {} },
    settings: () => settings(),
    dispatcher: agent(),
    isUploading: () => false,
    onChange: () => {},
  });
  onTestFinished(updates.close);
  expect(updates.status()).toEqual({ state: 'off', reason: 'address' });
  expect(updates.checkNow).toThrow(expect.objectContaining({ code: 'app/unsupported' }));
  settings = () => ({ mode: 'off', channel: 'latest', address: server.url });
  updates.follow();
  expect(updates.status()).toEqual({ state: 'off', reason: 'setting' });
  await updates.check();
  expect(server.requests).toEqual([]);
  settings = () => ({ mode: 'automatic', channel: 'latest', address: server.url });
  updates.follow();
  await updates.check();
  expect(updates.status()).toMatchObject({ state: 'ready' });
});

test('restarts for an update, but not during an upload', async () => {
  const server = await startUpdateServer();
  let isUploading = true;
  const updates = run(updatedApp(), server.url, agent(), () => isUploading);
  expect(updates.restart).toThrow(expect.objectContaining({ code: 'update/missing' }));
  await updates.check();
  expect(updates.restart).toThrow(expect.objectContaining({ code: 'update/busy' }));
  isUploading = false;
  updates.restart();
  updates.onEnd();
  expect(updates.quits).toEqual(['quit', 'install and restart']);
});

test('an end later than a refused one is no restart', async () => {
  const server = await startUpdateServer();
  const updates = run(updatedApp(), server.url);
  await updates.check();
  updates.restart();
  updates.onStay();
  updates.onEnd();
  expect(updates.quits).toEqual(['quit', 'install']);
});
