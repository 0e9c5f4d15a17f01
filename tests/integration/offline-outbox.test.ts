import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { FaultRule } from '../../src/sandbox/faults/fault-plan.ts';
import { cli } from './support/cli.ts';
import { createTestKeychain, openDesk, openSignedIn, quickProbes, withoutBackoff } from './support/desks.ts';
import { makeDirectory, makeFolder } from './support/folders.ts';
import { always, useSandbox } from './support/sandbox.ts';

const sandbox = useSandbox();

const down = (): FaultRule => ({ match: { route: 'any' }, effect: { type: 'reset', at: 'before-body' } });
const planAfterOf = async (AssignmentId: string) =>
  (await sandbox.control.planAfterValues()).find((value) => value.AssignmentId === AssignmentId)?.PlanAfter;

test('a plan-after value set offline becomes a pending change, and the last value wins', async () => {
  withoutBackoff();
  const { handlers, connected, events } = await openSignedIn({ sandbox: sandbox.address });
  const AssignmentId = sandbox.newAssignment();
  await sandbox.control.faults.add(down());

  expect(await handlers.assignments.planAfter({ AssignmentId, PlanAfter: 1000 })).toMatchObject({ waiting: true });
  expect(await handlers.assignments.planAfter({ AssignmentId, PlanAfter: 2000 })).toEqual({
    AssignmentId,
    PlanAfter: 2000,
    waiting: true,
  });
  const { outbox } = await handlers.app.snapshot(undefined);
  expect(outbox).toMatchObject([{ kind: 'plan-after', AssignmentId, PlanAfter: 2000 }]);

  await sandbox.control.faults.clear();
  // Any response makes the app notice that the service can be reached again.
  await handlers.orderableEvents.list({});
  await expect.poll(() => connected().outbox.list()).toEqual([]);
  expect(await planAfterOf(AssignmentId)).toBe(2000);
  expect(events.filter(({ type }) => type === 'outbox').at(-1)).toMatchObject({ value: [] });
});

test('changes made while the service is known to be unreachable send no requests, and are sent once it is back', async () => {
  withoutBackoff();
  const { handlers, connected } = await openSignedIn({ sandbox: sandbox.address, ...quickProbes });
  const changed = Array.from({ length: 5 }, () => sandbox.newAssignment());
  await sandbox.control.faults.add(down());
  const set = (AssignmentId: string) => handlers.assignments.planAfter({ AssignmentId, PlanAfter: 2_000_000_000 });
  await set(sandbox.newAssignment());
  await expect.poll(() => connected().reachability().service.state).toBe('unreachable');
  const requests = async () => (await sandbox.control.stats()).routes['update-plan-after'].requests;
  const before = await requests();
  for (const AssignmentId of changed) expect(await set(AssignmentId)).toMatchObject({ waiting: true });
  expect(await requests()).toBe(before);

  await sandbox.control.faults.clear();
  await expect.poll(() => connected().outbox.list()).toEqual([]);
  expect(await Promise.all(changed.map(planAfterOf))).toEqual(changed.map(() => 2_000_000_000));
});

test('pending changes survive a restart and are sent after the next sign-in', async () => {
  withoutBackoff();
  const keychain = createTestKeychain();
  const first = await openSignedIn({ sandbox: sandbox.address, keychain });
  const AssignmentId = sandbox.newAssignment();
  await sandbox.control.faults.add(down());
  await first.handlers.assignments.planAfter({ AssignmentId, PlanAfter: 3000 });
  await first.close();
  await sandbox.control.faults.clear();

  const second = await openDesk({ sandbox: sandbox.address, keychain, home: first.home });
  await expect.poll(() => planAfterOf(AssignmentId)).toBe(3000);
  await expect.poll(() => second.connected().outbox.list()).toEqual([]);
});

test('a plan-after value set by a command replaces one that has been pending since the app ran', async () => {
  withoutBackoff();
  const first = await openSignedIn({ sandbox: sandbox.address });
  const AssignmentId = sandbox.newAssignment();
  await sandbox.control.faults.add(down());
  await first.handlers.assignments.planAfter({ AssignmentId, PlanAfter: 1_900_000_000 });
  await first.close();
  // The pending value is sent first, but the service sets it late.
  await sandbox.control.faults.replace({
    ...always('update-plan-after', { type: 'delay', delayMs: 1_000 }, AssignmentId),
    when: { count: 1 },
  });
  const set = ['plan-after', AssignmentId, '2000000000'];
  expect(await cli(set, { sandbox: sandbox.address, home: first.home })).toMatchObject({ exitCode: 0 });

  const second = await openSignedIn({ sandbox: sandbox.address, home: first.home });
  await second.connected().outbox.send();
  expect(second.connected().outbox.list()).toEqual([]);
  expect(await planAfterOf(AssignmentId)).toBe(2_000_000_000);
});

test('a pending change is never sent as another user, not even during a new sign-in', async () => {
  withoutBackoff();
  let consents = true;
  const openExternal = async (url: string) => void (consents && (await (await fetch(url)).text()));
  const desk = await openSignedIn({ sandbox: sandbox.address, host: { openExternal } });
  const { handlers, connected } = desk;
  const { session, outbox } = connected();
  const AssignmentId = sandbox.newAssignment();
  await sandbox.control.faults.add(down());
  await handlers.assignments.planAfter({ AssignmentId, PlanAfter: 4000 });
  await sandbox.control.faults.clear();
  await session.signOut();
  await sandbox.control.become('user-4712');
  await desk.signIn();
  expect(outbox.list()).toEqual([]);

  consents = false;
  const again = session.signIn().catch(({ code }) => code);
  await expect.poll(() => session.status().state).toBe('waiting');
  await handlers.orderableEvents.list({});
  await outbox.send();
  expect(await planAfterOf(AssignmentId)).not.toBe(4000);
  const { batchId } = await desk.uploads.start({ root: makeFolder({ 'a.txt': 'a' }), assignmentId: AssignmentId });
  expect(await desk.uploads.ended(batchId)).toMatchObject({ state: 'finished', uploaded: 1 });
  await session.cancelSignIn();
  expect(await again).toBe('auth/cancelled');

  await session.signOut();
  await sandbox.control.become('user-4711');
  consents = true;
  await desk.signIn();
  await expect.poll(() => planAfterOf(AssignmentId)).toBe(4000);
});

test('a rejected change stays with its value, blocks no other, and can be retried', async () => {
  withoutBackoff();
  const { handlers, connected } = await openSignedIn({ sandbox: sandbox.address });
  const [refused, accepted] = [sandbox.newAssignment(), sandbox.newAssignment()];
  await sandbox.control.faults.add(down());
  await handlers.assignments.planAfter({ AssignmentId: refused, PlanAfter: 1 });
  await handlers.assignments.planAfter({ AssignmentId: accepted, PlanAfter: 2 });
  await sandbox.control.faults.replace(always('update-plan-after', { type: 'status', status: 403 }, refused));

  await handlers.outbox.send(undefined);
  const [entry, ...others] = connected().outbox.list();
  expect(entry).toMatchObject({ AssignmentId: refused, error: { code: 'service/forbidden' } });
  expect(others).toEqual([]);
  expect(await planAfterOf(accepted)).toBe(2);

  await sandbox.control.faults.clear();
  await handlers.outbox.retry({ id: entry?.id ?? 0 });
  await expect.poll(() => connected().outbox.list()).toEqual([]);
  expect(await planAfterOf(refused)).toBe(1);
});

test('a change counts as sent even if the cache cannot store it, and blocks no other', async () => {
  withoutBackoff();
  const { handlers, connected, home } = await openSignedIn({ sandbox: sandbox.address });
  const [first, second] = [sandbox.newAssignment(), sandbox.newAssignment()];
  await sandbox.control.faults.add(down());
  await handlers.assignments.planAfter({ AssignmentId: first, PlanAfter: 6 });
  await handlers.assignments.planAfter({ AssignmentId: second, PlanAfter: 7 });
  await sandbox.control.faults.clear();

  const other = new DatabaseSync(join(home, 'cache', 'cache.sqlite'));
  other.exec('BEGIN IMMEDIATE');
  await handlers.outbox.send(undefined);
  expect(connected().outbox.list()).toEqual([]);
  expect([await planAfterOf(first), await planAfterOf(second)]).toEqual([6, 7]);
  expect(await handlers.assignments.planAfter({ AssignmentId: first, PlanAfter: 8 })).toMatchObject({ waiting: false });
  expect((await handlers.app.snapshot(undefined)).notices).toMatchObject([{ code: 'data/unwritable' }]);
  other.close();
});

test('a pending change can be discarded', async () => {
  withoutBackoff();
  const { handlers, connected } = await openSignedIn({ sandbox: sandbox.address });
  const AssignmentId = sandbox.newAssignment();
  await sandbox.control.faults.add(down());
  await handlers.assignments.planAfter({ AssignmentId, PlanAfter: 5 });
  const [entry] = connected().outbox.list();
  await handlers.outbox.revoke({ id: entry?.id ?? 0 });
  await sandbox.control.faults.clear();
  await handlers.outbox.send(undefined);
  expect(connected().outbox.list()).toEqual([]);
  expect(await planAfterOf(AssignmentId)).toBeUndefined();
});

test('a removal can be pending, and the known files change once it is done', async () => {
  withoutBackoff();
  const desk = await openSignedIn({ sandbox: sandbox.address });
  const { handlers, connected } = desk;
  const AssignmentId = sandbox.newAssignment();
  await desk.upload(makeFolder({ 'a.txt': 'a', 'b.txt': 'b' }), AssignmentId);
  const files = await handlers.assignments.knownFiles({ AssignmentId });
  const Key = files.find(({ FileName }) => FileName === 'a.txt')?.Key ?? '';

  await sandbox.control.faults.add(down());
  await desk.removeFile(AssignmentId, Key);
  const leaving = (await handlers.assignments.knownFiles({ AssignmentId })).filter(({ isLeaving }) => isLeaving);
  expect(leaving.map(({ FileName }) => FileName)).toEqual(['a.txt']);
  expect(connected().outbox.list()).toMatchObject([{ name: 'a.txt', waiting: 1 }]);
  await sandbox.control.faults.clear();
  await handlers.outbox.send(undefined);
  expect(connected().outbox.list()).toEqual([]);
  const left = await handlers.assignments.knownFiles({ AssignmentId });
  expect(left.map((file) => file.Key)).not.toContain(Key);
  expect(left.map(({ FileName }) => FileName)).toContain('b.txt');
});

test('a rejection while online goes to the caller, and nothing is pending', async () => {
  const { handlers, connected } = await openSignedIn({ sandbox: sandbox.address });
  const AssignmentId = sandbox.newAssignment();
  await sandbox.control.faults.add(always('update-plan-after', { type: 'status', status: 403 }));
  await expect(async () => handlers.assignments.planAfter({ AssignmentId, PlanAfter: 1 })).rejects.toMatchObject({
    code: 'service/forbidden',
  });
  expect(connected().outbox.list()).toEqual([]);
});

test('a damaged outbox is reported and left unchanged; changes then need the service', async () => {
  withoutBackoff();
  const home = makeDirectory();
  writeFileSync(join(home, 'outbox.sqlite'), 'this is no database'.repeat(300));
  const { handlers, connected } = await openSignedIn({ sandbox: sandbox.address, home });
  expect((await handlers.app.snapshot(undefined)).notices).toMatchObject([{ code: 'data/corrupt' }]);
  const AssignmentId = sandbox.newAssignment();
  expect(await handlers.assignments.planAfter({ AssignmentId, PlanAfter: 7 })).toMatchObject({ waiting: false });
  await sandbox.control.faults.add(down());
  await expect(async () => handlers.assignments.planAfter({ AssignmentId, PlanAfter: 8 })).rejects.toMatchObject({
    code: 'data/corrupt',
  });
  expect(connected().outbox.list()).toEqual([]);
  expect(readFileSync(join(home, 'outbox.sqlite'), 'utf8')).toMatch(/^this is no database/);
});
