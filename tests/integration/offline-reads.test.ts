import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { AssignmentTableQuery, WorkGroup, WorkListQuery } from '../../src/contract/assignments.ts';
import { ProtocolTableQuery } from '../../src/contract/protocols.ts';
import { cli } from './support/cli.ts';
import { createTestKeychain, openSignedIn, withoutBackoff } from './support/desks.ts';
import { openDraft, whenDraft } from './support/drafts.ts';
import { makeFolder } from './support/folders.ts';
import { always, once, silence, useSandbox } from './support/sandbox.ts';

const PROTOCOLS = 80;
const PAGE = 20;
const sandbox = useSandbox({ protocols: PROTOCOLS, pageSize: PAGE });

const query = (query: Partial<ProtocolTableQuery> = {}): ProtocolTableQuery => ProtocolTableQuery.parse(query);

/** Returns the number of rows in each table of a closed desk's offline data. */
const tablesOf = (home: string) => {
  const db = new DatabaseSync(join(home, 'cache', 'cache.sqlite'), { readOnly: true });
  const rows = ['protocol', 'assignment', 'response', 'plan_after'].map((table) => {
    return [table, db.prepare(`SELECT count(*) AS rows FROM ${table}`).get()?.rows] as const;
  });
  db.close();
  return Object.fromEntries(rows);
};

/** Opens a desk, and makes everything available offline. */
const openKept = async () => {
  const desk = await openSignedIn({ sandbox: sandbox.address });
  desk.handlers.offline.start(undefined);
  await expect.poll(() => desk.connected().offlineWalk.status().state).toBe('idle');
  return desk;
};

test('make available offline: everything can be read without the service, and the table says so', async () => {
  const desk = await openKept();
  const { handlers, events } = desk;
  await sandbox.control.faults.add({ match: { route: 'any' }, effect: { type: 'reset', at: 'before-body' } });

  const { Items, total } = await handlers.protocols.table(query({ limit: 1000 }));
  expect(total).toBe(PROTOCOLS);
  expect(Items).toHaveLength(PROTOCOLS);
  expect(Items.every(({ availableOffline }) => availableOffline)).toBe(true);
  for (const { InspectionProtocolId } of Items) {
    const asked = { InspectionProtocolId, offline: true };
    expect((await handlers.protocols.assignments(asked)).value.Items.length).toBeGreaterThan(0);
    expect((await handlers.protocols.inspectionPoints(asked)).source).toBe('cache');
  }
  expect((await handlers.assignments.projects({ offline: true })).value.Items.length).toBeGreaterThan(0);
  expect((await handlers.orderableEvents.list({ offline: true })).value.length).toBeGreaterThan(0);

  const walk = events.flatMap((event) => (event.type === 'offline' ? [event.value] : []));
  expect(walk[0]).toMatchObject({ state: 'running' });
  expect(walk.at(-1)).toMatchObject({ state: 'idle', completedAtMs: expect.any(Number) });
});

test('counts protocols whose details cannot be read until a later run reads them', async () => {
  const refused = { type: 'status', status: 404 } as const;
  await sandbox.control.faults.add({ match: { route: 'list-inspection-points' }, when: { count: 2 }, effect: refused });
  await sandbox.control.faults.add({ match: { route: 'list-assignments' }, when: { count: 1 }, effect: refused });
  const { handlers, connected, events, home, close } = await openKept();
  expect(connected().offlineWalk.status()).toMatchObject({ skipped: 3, completedAtMs: expect.any(Number) });
  expect(events.findLast(({ type }) => type === 'offline')).toMatchObject({ value: { state: 'idle', skipped: 3 } });
  expect((await handlers.protocols.table(query({ availableOffline: true }))).total).toBe(PROTOCOLS - 3);
  await close();
  expect(await cli(['status'], { home, sandbox: sandbox.address })).toMatchObject({
    lines: [{ offline: { state: 'idle', skipped: 3 } }],
  });
  expect((await cli(['status'], { home, sandbox: sandbox.address, words: true })).stdout).toContain(
    'Not available offline: 3 protocols.',
  );

  const again = await openSignedIn({ sandbox: sandbox.address, home });
  again.handlers.offline.start(undefined);
  await expect.poll(() => again.connected().offlineWalk.status().state).toBe('idle');
  expect(again.connected().offlineWalk.status()).toMatchObject({ skipped: 0 });
});

test('make available offline continues where it was interrupted', async () => {
  withoutBackoff();
  const desk = await openSignedIn({ sandbox: sandbox.address });
  await sandbox.control.faults.add({
    match: { route: 'list-inspection-points' },
    when: { after: 30, count: 40 },
    effect: { type: 'reset', at: 'before-body' },
  });
  const { offlineWalk } = desk.connected();
  offlineWalk.start();
  const paused = { state: 'paused', reason: { code: 'service/unreachable' } };
  await expect.poll(() => offlineWalk.status()).toMatchObject(paused);
  const { listed, available } = offlineWalk.status();
  expect(listed).toBe(PROTOCOLS);
  expect(available).toBeGreaterThan(0);

  await sandbox.control.faults.clear();
  const before = (await sandbox.control.stats()).routes['list-protocols'].requests;
  // Any response makes the app notice that the service can be reached again.
  await desk.handlers.orderableEvents.list({});
  await expect.poll(() => offlineWalk.status().state).toBe('idle');
  const { routes } = await sandbox.control.stats();
  expect(routes['list-protocols'].requests).toBe(before);
  expect((await desk.handlers.protocols.table(query())).total).toBe(PROTOCOLS);
});

test('a run continues after a restart unless it was cancelled', async () => {
  const desk = await openSignedIn({ sandbox: sandbox.address });
  const { offlineWalk } = desk.connected();
  offlineWalk.start();
  await expect.poll(() => offlineWalk.status().listed).toBeGreaterThan(PAGE);
  await desk.handlers.offline.pause(undefined);
  expect(offlineWalk.status()).toMatchObject({ state: 'paused' });
  expect(offlineWalk.status().reason).toBeUndefined();
  await desk.close();

  const again = await openSignedIn({ sandbox: sandbox.address, home: desk.home });
  expect((await again.handlers.app.snapshot(undefined)).offline.state).toBe('paused');
  again.handlers.offline.start(undefined);
  await expect.poll(() => again.connected().offlineWalk.status().state).toBe('idle');
  expect((await again.handlers.protocols.table(query())).total).toBe(PROTOCOLS);
});

test('search: matches beginnings of words, regardless of case and accents', async () => {
  const { handlers } = await openKept();
  const { Items } = await handlers.protocols.table(query({ limit: 1000 }));
  const accented = Items.find(({ Address, City }) => /[åäöéü]/i.test(Address + City));
  if (accented === undefined) throw new Error('the sample has accents');
  const word = `${accented.Address} ${accented.City}`.split(' ').find((one) => /[åäöéü]/i.test(one)) ?? '';
  const typed = word.normalize('NFD').replaceAll(/\p{M}/gu, '').toUpperCase().slice(0, -1);
  const found = await handlers.protocols.table(query({ text: typed, limit: 1000 }));
  expect(found.Items.map(({ InspectionProtocolId }) => InspectionProtocolId)).toContain(accented.InspectionProtocolId);

  const { assignments } = await handlers.search.find({ text: 'Åkes', limit: 5 });
  expect(assignments.every(({ LastName }) => LastName === 'Åkesson')).toBe(true);
  expect(assignments.length).toBeGreaterThan(0);
  expect(await handlers.search.find({ text: ' "*()-', limit: 5 })).toMatchObject({ protocols: [], assignments: [] });
});

test('sorts by every column, filters by one, and pages without gaps', async () => {
  const { handlers } = await openKept();
  for (const sort of ['Address', 'City', 'ZipCode', 'FacilityId', 'InspectionDate', 'Points'] as const) {
    const whole = (await handlers.protocols.table(query({ sort, limit: 1000 }))).Items;
    const keys = whole.map((item) => item[sort]);
    const fold = (key: string | number) =>
      typeof key === 'string' ? key.replaceAll(/[A-Z]/g, (c) => c.toLowerCase()) : key;
    expect(keys.map(fold)).toEqual(keys.map(fold).toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
    const parts = [];
    for (let offset = 0; offset < PROTOCOLS; offset += 30) {
      parts.push(...(await handlers.protocols.table(query({ sort, offset, limit: 30 }))).Items);
    }
    expect(parts).toEqual(whole);
    const back = (await handlers.protocols.table(query({ sort, descending: true, limit: 1000 }))).Items;
    expect(back.toReversed()).toEqual(whole);
  }
  const [first] = (await handlers.protocols.table(query({ sort: 'City' }))).Items;
  const city = first?.City ?? '';
  const inCity = await handlers.protocols.table(query({ filters: { City: city }, sort: 'Points', limit: 1000 }));
  expect(new Set(inCity.Items.map(({ City }) => City))).toEqual(new Set([city]));
});

test('the work list counts what the table of assignments shows', async () => {
  const { handlers } = await openKept();
  const dayMs = 86_400_000;
  const todayMs = Date.UTC(2026, 9, 30);
  const days = { todayMs, thisWeekMs: todayMs - dayMs, nextWeekMs: todayMs + 6 * dayMs, laterMs: todayMs + 13 * dayMs };
  const { groups, known } = await handlers.assignments.workList(WorkListQuery.parse({ days }));
  for (const group of WorkGroup.options) {
    const { Items, total } = await handlers.assignments.table(AssignmentTableQuery.parse({ days, group, limit: 1000 }));
    expect(total).toBe(groups[group]);
    expect(Items).toHaveLength(Math.min(1000, total));
  }
  expect(groups.overdue).toBeGreaterThan(0);
  const all = await handlers.assignments.table(AssignmentTableQuery.parse({ days, limit: 1000 }));
  expect(all.total).toBe(known);
  const projects = (await handlers.assignments.projects({})).value.Items.map(({ AssignmentId }) => AssignmentId);
  const withoutProtocol = all.Items.filter(({ protocol }) => protocol === undefined).map(
    ({ AssignmentId }) => AssignmentId,
  );
  expect(withoutProtocol.toSorted()).toEqual(projects.toSorted());
  const { City, AssignmentStatus } = await handlers.assignments.values(undefined);
  expect([...City].toSorted()).toEqual([...new Set(all.Items.map((item) => item.City))].toSorted());
  expect(AssignmentStatus).toContain('PENDING');
});

test('protocols and assignments by id come with their age and name', async () => {
  const desk = await openKept();
  const { Items } = await desk.handlers.protocols.table(query({ limit: 1 }));
  const InspectionProtocolId = Items[0]?.InspectionProtocolId ?? '';
  expect(await desk.handlers.protocols.get({ InspectionProtocolId })).toEqual(Items[0]);
  await expect(async () => desk.handlers.protocols.get({ InspectionProtocolId: 'none' })).rejects.toMatchObject({
    code: 'cache/missing',
  });
  const { value } = await desk.handlers.protocols.assignments({ InspectionProtocolId, offline: true });
  const [assignment] = value.Items;
  if (!assignment) throw new Error('every sample protocol has an assignment');
  const { AssignmentId } = assignment;
  expect((await desk.handlers.assignments.get({ AssignmentId })).planAfter).toBeUndefined();
  await desk.handlers.assignments.planAfter({ AssignmentId, PlanAfter: 1_772_366_400 });
  expect(await desk.handlers.assignments.get({ AssignmentId })).toMatchObject({
    assignment,
    planAfter: { PlanAfter: 1_772_366_400 },
  });
});

test('lists only counties that have had assignments, in order', async () => {
  const { handlers } = await openSignedIn({ sandbox: sandbox.address });
  for (const County of ['Skåne', 'Oslo', 'Nowhere']) await handlers.assignments.projects({ County });
  await handlers.assignments.projects({});
  expect(await handlers.assignments.counties(undefined)).toEqual(['Oslo', 'Skåne']);
});

test('one refused protocol does not prevent the others from being stored', async () => {
  await sandbox.control.faults.add(once('list-assignments', { type: 'status', status: 404 }));
  const { handlers } = await openKept();
  const { Items } = await handlers.protocols.table(query({ limit: 1000 }));
  expect(Items.filter(({ availableOffline }) => !availableOffline)).toHaveLength(1);
});

test('signing out clears offline data only when asked to', async () => {
  const desk = await openKept();
  await desk.handlers.session.signOut(undefined);
  expect((await desk.handlers.protocols.table(query())).total).toBe(PROTOCOLS);
  await desk.signIn();
  await desk.handlers.session.signOut({ eraseCache: true });
  expect((await desk.handlers.protocols.table(query())).total).toBe(0);
  expect((await desk.handlers.search.find({ text: 'a', limit: 10 })).protocols).toEqual([]);
  await expect(async () => desk.handlers.protocols.list({ offline: true })).rejects.toMatchObject({
    code: 'cache/missing',
  });
});

test('a sign-out clears offline data while the keychain has not responded yet', async () => {
  const responds = Promise.withResolvers<void>();
  const keychain = { ...createTestKeychain(), delete: () => responds.promise };
  const { handlers } = await openSignedIn({ sandbox: sandbox.address, keychain });
  await handlers.orderableEvents.list({});
  const signingOut = handlers.session.signOut({ eraseCache: true });
  const read = async () => handlers.orderableEvents.list({ offline: true });
  await expect.poll(() => read().catch((error: unknown) => error)).toMatchObject({ code: 'cache/missing' });
  responds.resolve();
  await signingOut;
});

const requestsTo = async (route: 'list-protocols' | 'list-assignments' | 'update-plan-after'): Promise<number> =>
  (await sandbox.control.stats()).routes[route].requests;

test('responses that arrive after a sign-out that clears offline data are not stored', async () => {
  const desk = await openSignedIn({ sandbox: sandbox.address });
  const { handlers } = desk;
  const AssignmentId = sandbox.newAssignment();
  await sandbox.control.faults.add(always('list-protocols', silence));
  await sandbox.control.faults.add(always('update-plan-after', silence));
  const before = await Promise.all([requestsTo('list-protocols'), requestsTo('update-plan-after')]);
  const late = [handlers.protocols.list({}), handlers.assignments.planAfter({ AssignmentId, PlanAfter: 1 })] as const;
  await expect
    .poll(() => Promise.all([requestsTo('list-protocols'), requestsTo('update-plan-after')]))
    .toEqual(before.map((requests) => requests + 1));
  await handlers.session.signOut({ eraseCache: true });
  await sandbox.control.faults.release();
  const [protocols] = await Promise.all(late);
  expect(protocols).toMatchObject({ source: 'service', value: { TotalCount: PROTOCOLS } });
  expect(await handlers.protocols.table(query())).toMatchObject({ total: 0, cached: 0 });
  await desk.close();
  expect(tablesOf(desk.home)).toEqual({ protocol: 0, assignment: 0, response: 0, plan_after: 0 });
});

test('a new upload stores no lists after a sign-out that clears offline data', async () => {
  const desk = await openSignedIn({ sandbox: sandbox.address });
  await sandbox.control.faults.add(always('list-assignments', silence));
  const before = await requestsTo('list-assignments');
  await openDraft(desk, [makeFolder({ 'Nowhere Street 1/a.pdf': 'a' })]);
  await expect.poll(() => requestsTo('list-assignments')).toBeGreaterThan(before);
  await desk.handlers.session.signOut({ eraseCache: true });
  await sandbox.control.faults.release();
  await whenDraft(desk, ({ assignments }) => !assignments.isReading);
  await desk.close();
  expect(tablesOf(desk.home)).toEqual({ protocol: 0, assignment: 0, response: 0, plan_after: 0 });
});
