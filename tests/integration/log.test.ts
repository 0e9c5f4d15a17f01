/** The log of an upload with failures: what it contains, and what it must never contain. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.ts';
import { createSandboxControl } from '../../src/sandbox/testing/control-client.ts';
import { openSignedIn, quickProbes, slow, withoutBackoff } from './support/desks.ts';
import { makeFolder, manyFiles } from './support/folders.ts';
import { startResettingNetwork } from './support/resetting-network.ts';
import { always, assignmentsOf } from './support/sandbox.ts';

test('an upload through an outage: sign-in, route, waits, end and failures by reason, without names or tokens', async () => {
  withoutBackoff();
  const network = await startResettingNetwork();
  const sandbox = await startSandbox({ consent: 'auto', storageBaseUrl: network.url });
  onTestFinished(() => sandbox.close());
  network.leadTo(sandbox.port);
  const { authUrl, clientId } = sandbox;
  const [assignment = ''] = await assignmentsOf(sandbox);
  const control = createSandboxControl(sandbox);
  const desk = await openSignedIn({ sandbox: { baseUrl: network.url, authUrl, clientId }, ...slow, ...quickProbes });
  await control.faults.add(always('storage-put', { type: 'status', status: 403 }, 'file-0003'));
  const root = makeFolder(manyFiles(30));
  const { batchId } = await desk.uploads.start({ root, assignmentId: assignment });
  await desk.when(batchId, ({ uploaded }) => uploaded >= 5);
  network.breakDown('at-once');
  await desk.when(batchId, ({ reason }) => reason !== undefined);
  network.recover();
  await desk.uploads.ended(batchId);
  await expect(desk.handlers.uploads.pause({ batchId })).rejects.toMatchObject({ code: 'upload/batch-state' });

  const path = join(desk.home, 'logs', 'inspection-desk.log');
  const text = () => readFileSync(path, 'utf8');
  await expect.poll(text).toContain('upload.ended');
  const lines = text()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const of = (event: string) => lines.filter((line) => line.event === event);
  const { host } = new URL(network.url);
  expect(of('session').map(({ session }) => session)).toEqual(expect.arrayContaining(['waiting', 'signed-in']));
  expect(of('route')).toContainEqual(
    expect.objectContaining({ origin: network.url, by: ['direct'], source: 'nothing' }),
  );
  expect(of('reach')).toContainEqual(
    expect.objectContaining({ state: 'unreachable', host, code: 'service/unreachable' }),
  );
  expect(of('reach').at(-1)).toMatchObject({ state: 'online' });
  expect(of('upload.started')).toEqual([expect.objectContaining({ level: 'info', batch: batchId })]);
  expect(of('upload.waits')[0]).toMatchObject({ level: 'warn', code: 'service/unreachable', details: { host } });
  expect(of('upload.continues').length).toBe(of('upload.waits').length);
  const ended = { state: 'finished', files: 30, uploaded: 29, failed: 1, reasons: { 'upload/denied': 1 } };
  expect(of('upload.ended')).toEqual([expect.objectContaining(ended)]);
  expect(of('call.failed')).toEqual([
    expect.objectContaining({ call: 'uploads.pause', error: expect.objectContaining({ code: 'upload/batch-state' }) }),
  ]);
  const token = await desk.connected().session.accessToken({});
  for (const secret of ['file-0003', root, token]) expect(text()).not.toContain(secret);
});

test('files are logged once the level is debug', async () => {
  const sandbox = await startSandbox({ consent: 'auto' });
  onTestFinished(() => sandbox.close());
  const [assignment = ''] = await assignmentsOf(sandbox);
  const desk = await openSignedIn({ sandbox });
  await desk.upload(makeFolder({ 'a.txt': 'a' }), assignment);
  await desk.handlers.preferences.set({ logLevel: 'debug' });
  await desk.upload(makeFolder({ 'b.txt': 'b' }), assignment);
  const text = () => readFileSync(join(desk.home, 'logs', 'inspection-desk.log'), 'utf8');
  await expect.poll(() => text().match(/"upload\.file"/g)).toHaveLength(1);
});
