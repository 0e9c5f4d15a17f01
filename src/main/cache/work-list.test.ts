import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  AssignmentColumn,
  type AssignmentRow,
  AssignmentTableQuery,
  WorkGroup,
  WorkListQuery,
} from '../../contract/assignments.ts';
import type { OutboxEntry } from '../../contract/offline.ts';
import { type AssignmentSummary, customerName, isClosed } from '../../contract/resources.ts';
import type { Batch } from '../../contract/uploads.ts';
import { type Cache, openCache } from './cache.ts';

const dayMs = 86_400_000;
const todayMs = Date.UTC(2026, 10, 26);
const days = {
  todayMs,
  thisWeekMs: todayMs - 3 * dayMs,
  nextWeekMs: todayMs + 4 * dayMs,
  laterMs: todayMs + 11 * dayMs,
};
const nowMs = todayMs + dayMs / 2;
const batchId = '00000000-0000-4000-8000-000000000000';

let cache: Cache;
beforeEach(() => {
  cache = openCache(':memory:');
});
afterEach(() => cache.close());

const assignment = (id: string, rest: Partial<AssignmentSummary> = {}): AssignmentSummary => ({
  AssignmentId: id,
  FacilityId: 'F',
  AssignmentStatus: 'PENDING',
  FirstName: 'Anna',
  LastName: 'Berg',
  Address: '1 Mill Lane',
  City: 'York',
  Performer: 'Vik & Sønn',
  StartTime: todayMs / 1000,
  ...rest,
});

const put = (Items: readonly AssignmentSummary[], name = 'projects/') =>
  cache.putResponse(cache.beginRequest('c'), name, {
    value: { Items, Count: Items.length, TotalCount: Items.length },
    unreadable: 0,
    source: 'service',
    fetchedAtMs: 1,
  });

type Files = {
  readonly sent?: number;
  readonly removed?: number;
  readonly failed?: number;
  readonly waiting?: number;
  /** When the upload was started, in ms since 1970. */
  readonly atMs?: number;
};

/** Creates a batch in progress with these numbers of files. */
const files = (AssignmentId: string, { sent = 0, removed = 0, failed = 0, waiting = 0, atMs = 0 }: Files): Batch => ({
  batchId,
  uploadId: batchId,
  AssignmentId,
  root: '/folder',
  state: 'running',
  files: sent + removed + failed + waiting,
  uploaded: sent + removed,
  removed,
  failed,
  skipped: 0,
  cancelled: 0,
  bytes: 0,
  bytesSent: 0,
  bytesPerSecond: 0,
  createdAtMs: atMs,
  leftOut: { hidden: 0, system: 0, links: 0, special: 0, unreadable: 0 },
});

const plan = (AssignmentId: string, PlanAfter?: number): OutboxEntry => ({
  id: 1,
  kind: 'plan-after',
  AssignmentId,
  ...(PlanAfter !== undefined && { PlanAfter }),
  createdAtMs: 1,
});

const context = (batches: readonly Batch[] = [], changes: readonly OutboxEntry[] = []) => ({
  batches,
  changes,
  timeBase: 'auto' as const,
  nowMs,
});
const table = (query: Partial<AssignmentTableQuery> = {}, ...work: Parameters<typeof context>) =>
  cache.assignmentTable('c', AssignmentTableQuery.parse({ days, ...query }), context(...work));
const idsIn = (...asked: Parameters<typeof table>): readonly string[] =>
  table(...asked).Items.map(({ AssignmentId }) => AssignmentId);
const startOf = (day: number): number => (todayMs + day * dayMs) / 1000;

test('puts assignments into groups by their dates, their files and their plan-after dates', async () => {
  await put([
    assignment('late', { StartTime: startOf(-30) }),
    assignment('late, sent', { StartTime: startOf(-29) }),
    assignment('late, planned', { StartTime: startOf(-28) }),
    assignment('late, planned long ago', { StartTime: startOf(-27) }),
    assignment('done', { StartTime: startOf(-26), AssignmentStatus: 'COMPLETED' }),
    assignment('today'),
    assignment('next week', { StartTime: startOf(5) }),
    assignment('later', { StartTime: startOf(50) }),
    assignment('no date', { StartTime: 0 }),
  ]);
  cache.putPlanAfter(cache.beginRequest('c'), { AssignmentId: 'late, planned', PlanAfter: startOf(9) }, 1);
  cache.putPlanAfter(cache.beginRequest('c'), { AssignmentId: 'late, planned long ago', PlanAfter: startOf(-2) }, 1);
  cache.putPlanAfter(cache.beginRequest('c'), { AssignmentId: 'today', PlanAfter: 0 }, 1);
  const progress = [files('late, sent', { sent: 3 }), files('later', { failed: 1 }), files('done', { waiting: 2 })];
  const inGroup = (group: WorkGroup) => idsIn({ group }, progress);
  expect(inGroup('overdue')).toEqual(['late', 'late, planned long ago']);
  expect(inGroup('thisWeek')).toEqual(['today']);
  expect(inGroup('nextWeek')).toEqual(['next week']);
  expect(inGroup('planAfterPassed')).toEqual(['late, planned long ago']);
  expect(inGroup('troubled')).toEqual(['done', 'later']);
  expect(inGroup('withoutDocuments')).not.toContain('late, sent');
  expect(inGroup('withoutDocuments')).toHaveLength(7);
  const list = cache.workList(
    'c',
    WorkListQuery.parse({ days, dayStarts: [todayMs, todayMs + dayMs] }),
    context(progress),
  );
  expect(list).toEqual({
    groups: { overdue: 2, thisWeek: 1, nextWeek: 1, planAfterPassed: 1, troubled: 2, withoutDocuments: 7 },
    days: [1],
    known: 9,
  });
});

test('a row has its files, its protocol, and the plan-after date that is to be sent', async () => {
  await cache.putProtocols(
    cache.beginRequest('c'),
    {
      Items: [
        {
          Address: 'a',
          City: 'b',
          ZipCode: '',
          FacilityId: '',
          InspectionProtocolId: 'p',
          InspectionDate: 7,
          Points: 1,
        },
      ],
      Count: 1,
      TotalCount: 1,
      CurrentPage: 1,
    },
    {},
    1,
  );
  await put([assignment('a')], 'assignments/p');
  cache.putPlanAfter(cache.beginRequest('c'), { AssignmentId: 'a', PlanAfter: startOf(1) }, 1);
  const known = [files('a', { sent: 2, failed: 1, atMs: 5 }), files('a', { waiting: 1, atMs: 9 })];
  expect(table({}, known, [plan('a', startOf(3))]).Items).toEqual([
    {
      ...assignment('a'),
      sent: 2,
      failed: 1,
      waiting: 1,
      lastUpload: { batchId, atMs: 5 },
      PlanAfter: startOf(3),
      isPlanPending: true,
      protocol: expect.objectContaining({ InspectionProtocolId: 'p', InspectionDate: 7 }),
    },
  ]);
  expect(table({}, [], [plan('a')]).Items[0]).not.toHaveProperty('PlanAfter');
  expect(table().Items[0]).toMatchObject({ PlanAfter: startOf(1), isPlanPending: false });
});

test('filters by text, id, project and county, and counts what was written since', async () => {
  await put([assignment('11111111-a'), assignment('22222222-b', { Address: '9 Priory Close' })], 'assignments/p');
  await put([assignment('33333333-c', { City: 'Oslo' })], 'projects/Oslo');
  expect(idsIn({ text: 'prio' })).toEqual(['22222222-b']);
  expect(idsIn({ text: '1111-' })).toEqual([]);
  expect(idsIn({ text: '11111111' })).toEqual(['11111111-a']);
  expect(idsIn({ projects: true })).toEqual(['33333333-c']);
  expect(idsIn({ County: 'oslo' })).toEqual(['33333333-c']);
  expect(idsIn({ County: 'Vestland' })).toEqual([]);
  expect(cache.assignmentValues('c', context()).City).toEqual(['Oslo', 'York']);
  await put([], 'projects/Oslo');
  expect(table()).toMatchObject({ total: 2, known: 2 });
  expect(cache.assignmentValues('c', context()).City).toEqual(['York']);
  expect(idsIn({ text: 'nothing like this' })).toEqual([]);
});

test('values that differ only in case are one value', async () => {
  await put([
    assignment('a', { City: 'York', Performer: 'Vik', AssignmentStatus: 'PENDING' }),
    assignment('b', { City: 'YORK', Performer: 'vik', AssignmentStatus: 'Pending' }),
  ]);
  const values = cache.assignmentValues('c', context());
  for (const column of ['City', 'Performer', 'AssignmentStatus'] as const) {
    expect(values[column]).toHaveLength(1);
    expect(idsIn({ [column]: values[column][0] })).toEqual(['a', 'b']);
  }
});

test('times in milliseconds and in seconds are one order of days', async () => {
  await put([assignment('ms', { StartTime: todayMs }), assignment('s', { StartTime: startOf(-1) })]);
  expect(idsIn({ group: 'overdue' })).toEqual(['s']);
  expect(new Set(idsIn({ group: 'thisWeek' }))).toEqual(new Set(['s', 'ms']));
});

// Compares the table with a plain implementation of every filter and order.

const anyAssignment = fc.record({
  City: fc.constantFrom('York', 'Oslo', 'Åre', ''),
  Performer: fc.constantFrom('Vik', 'Fjord'),
  AssignmentStatus: fc.constantFrom('PENDING', 'Pending', 'PLANNED', 'COMPLETED'),
  StartTime: fc.integer({ min: -15, max: 15 }).map((day) => (day === -15 ? 0 : startOf(day))),
  Address: fc.constantFrom('1 Mill Lane', '2 Mill Lane', 'Storgata 4'),
  LastName: fc.constantFrom('Berg', 'Dahl'),
  files: fc.option(
    fc.record(
      {
        sent: fc.nat(2),
        // Without `sent` files, every uploaded file was removed.
        removed: fc.nat(1),
        failed: fc.nat(1),
        waiting: fc.nat(1),
        atMs: fc.nat(9),
      },
      { requiredKeys: ['sent', 'failed', 'waiting'] },
    ),
    { nil: undefined },
  ),
  plan: fc.option(fc.integer({ min: -5, max: 5 }), { nil: undefined }),
});

const anyQuery = fc.record(
  {
    group: fc.constantFrom(...WorkGroup.options),
    open: fc.boolean(),
    City: fc.constantFrom('york', 'Oslo', 'Åre', ''),
    Performer: fc.constantFrom('Vik', 'Nobody'),
    AssignmentStatus: fc.constantFrom('pending', 'PENDING', 'COMPLETED'),
    text: fc.constantFrom('mill', 'st 4', 'dahl'),
    fromMs: fc.integer({ min: -5, max: 5 }).map((day) => todayMs + day * dayMs),
    sort: fc.constantFrom(...AssignmentColumn.options),
    descending: fc.boolean(),
  },
  { requiredKeys: [] },
);

const matches = (row: AssignmentRow, query: Partial<AssignmentTableQuery>): boolean => {
  const startMs = row.StartTime * 1000;
  const isOpen = !isClosed(row.AssignmentStatus);
  const planMs = (row.PlanAfter ?? 0) * 1000;
  const within = (from: number, before: number): boolean => startMs >= from && startMs < before && startMs > 0;
  const groups: Readonly<Record<WorkGroup, boolean>> = {
    overdue: isOpen && within(1, todayMs) && row.sent === 0 && planMs <= nowMs,
    thisWeek: isOpen && within(days.thisWeekMs, days.nextWeekMs),
    nextWeek: isOpen && within(days.nextWeekMs, days.laterMs),
    planAfterPassed: isOpen && row.sent === 0 && planMs > 0 && planMs <= nowMs,
    troubled: row.failed > 0 || row.waiting > 0,
    withoutDocuments: isOpen && row.sent === 0,
  };
  const text = [row.Address, row.City, customerName(row)].join(' ').toLowerCase();
  return (
    (query.group === undefined || groups[query.group]) &&
    (!query.open || isOpen) &&
    (query.City === undefined || row.City.toLowerCase() === query.City.toLowerCase()) &&
    (query.Performer === undefined || row.Performer === query.Performer) &&
    (query.AssignmentStatus === undefined ||
      row.AssignmentStatus.toLowerCase() === query.AssignmentStatus.toLowerCase()) &&
    (query.fromMs === undefined || within(query.fromMs, Number.POSITIVE_INFINITY)) &&
    (query.text ?? '').split(' ').every((word) => text.split(' ').some((one) => one.startsWith(word)))
  );
};

test('finds what matches, in any order, window by window', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyAssignment, { maxLength: 25 }), anyQuery, async (all, query) => {
      cache.close();
      cache = openCache(':memory:');
      await put(all.map(({ files: _, plan: __, ...item }, index) => assignment(`id ${index}`, item)));
      for (const [index, { plan }] of all.entries())
        if (plan !== undefined)
          cache.putPlanAfter(cache.beginRequest('c'), { AssignmentId: `id ${index}`, PlanAfter: startOf(plan) }, 1);
      const progress = all.flatMap((one, index) => (one.files ? [files(`id ${index}`, one.files)] : []));
      const wanted = table({ limit: 1000 }, progress).Items.filter((row) => matches(row, query));
      const whole = idsIn({ ...query, limit: 1000 }, progress);
      expect(whole.toSorted()).toEqual(wanted.map(({ AssignmentId }) => AssignmentId).toSorted());
      expect(table(query, progress).total).toBe(wanted.length);
      const windows = [0, 4, 8, 12, 16, 20, 24].flatMap((offset) => idsIn({ ...query, offset, limit: 4 }, progress));
      expect(windows).toEqual(whole);
    }),
    { numRuns: 50 },
  );
});

test('sorts, with assignments that have no value last', async () => {
  await put([
    assignment('a', { City: 'Oslo', StartTime: startOf(1) }),
    assignment('b', { City: 'Bergen', StartTime: startOf(2) }),
    assignment('c', { City: 'York', StartTime: startOf(3), FirstName: 'Aage' }),
  ]);
  const progress = [files('b', { sent: 1, atMs: 5 }), files('c', { sent: 9, atMs: 4 })];
  const sorted = (sort: AssignmentColumn, descending = false) => idsIn({ sort, descending }, progress).join('');
  expect(sorted('City')).toBe('bac');
  expect(sorted('City', true)).toBe('cab');
  expect(sorted('Customer')[0]).toBe('c');
  expect(sorted('Documents')).toBe('bca');
  expect(sorted('Documents', true)).toBe('cba');
  expect(sorted('LastUpload')).toBe('cba');
  expect(idsIn({ sort: 'Documents', group: 'withoutDocuments' }, progress)).toEqual(['a']);
});

test('lists an overdue assignment whose uploaded files were all removed, sorted by upload', async () => {
  await put([assignment('a', { StartTime: startOf(-3) }), assignment('b', { StartTime: startOf(-2) })]);
  const progress = [files('b', { removed: 1, atMs: 5 })];
  expect(idsIn({ group: 'overdue', sort: 'LastUpload' }, progress)).toEqual(['b', 'a']);
});
