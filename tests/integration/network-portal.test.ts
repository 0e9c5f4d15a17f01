/** A network that responds to every request with its own page: uploads wait, and no file counts as uploaded. */
import { beforeEach, expect, test } from 'vitest';
import { openDesk, quickProbes, slow, withoutBackoff } from './support/desks.ts';
import { makeDirectory, makeFolder, manyFiles } from './support/folders.ts';
import { byHand, startGuestNetwork, writeSettings } from './support/networks.ts';
import { always, expectStored, silence, useSandbox } from './support/sandbox.ts';

beforeEach(withoutBackoff);

const sandbox = useSandbox();

const open = async () => {
  const network = await startGuestNetwork();
  const home = makeDirectory();
  writeSettings(home, { network: byHand(network.name) });
  const desk = await openDesk({ sandbox: sandbox.address, home, ...slow, ...quickProbes });
  await desk.signIn();
  return { network, desk };
};

test('an upload waits while a portal answers everything, and each file arrives exactly once', async () => {
  const { network, desk } = await open();
  const files = manyFiles(30);
  const assignment = sandbox.newAssignment();
  // So that the upload does not finish before the portal answers.
  await sandbox.control.faults.add(always('storage-put', silence, 'file-0029'));
  const { batchId } = await desk.uploads.start({ root: makeFolder(files), assignmentId: assignment });
  await desk.when(batchId, ({ uploaded }) => uploaded >= 5);
  network.expire();
  const waiting = await desk.when(batchId, ({ reason }) => reason?.code === 'network/captive-portal');
  const { host } = new URL(sandbox.address.baseUrl);
  expect(waiting).toMatchObject({ failed: 0, reason: { details: { host } } });
  await expect.poll(() => network.pages.length).toBeGreaterThan(10);
  const { uploaded } = await desk.uploads.get(batchId);
  expect(uploaded).toBeLessThanOrEqual((await sandbox.control.objects()).length);
  await sandbox.control.faults.clear();
  network.signIn();
  expect(await desk.uploads.ended(batchId)).toMatchObject({ state: 'finished', uploaded: 30, failed: 0 });
  await expectStored(sandbox.control, assignment, files);
});

test('reads and the session wait, too: nobody is signed out, and offline data is shown', async () => {
  const { network, desk } = await open();
  const { orderableEvents, app } = desk.handlers;
  await orderableEvents.list({});
  await sandbox.control.expireAccessTokens();
  network.expire();
  await expect(desk.connected().service.listOrderableEvents()).rejects.toMatchObject({
    code: 'network/captive-portal',
    retry: 'later',
  });
  expect((await app.snapshot(undefined)).session).toEqual({ state: 'signed-in', subject: expect.any(String) });
  network.signIn();
  await desk.connected().service.listOrderableEvents();
});
