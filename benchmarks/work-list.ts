/**
 * Measures how long the offline data takes to return the work list and the table of assignments, with 300,000
 * assignments of 200,000 protocols and 10,000 assignments with uploads. Prints one JSON document. An existing cache is
 * not filled again.
 *
 *     node benchmarks/work-list.ts [PROTOCOLS] [CACHE_FILE]
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { AssignmentColumn, AssignmentTableQuery, WorkGroup, WorkListQuery } from '../src/contract/assignments.ts';
import type { Batch } from '../src/contract/uploads.ts';
import { openCache } from '../src/main/cache/cache.ts';
import { quantiles, timed } from './support/quantiles.ts';
import { assignmentsOf, fillAssignments, fillCache, keystrokes, searchTexts } from './support/sample-cache.ts';

const protocols = Number(process.argv[2] ?? 200_000);
const home = mkdtempSync(join(tmpdir(), 'inspection-desk-bench-'));
const file = process.argv[3] ?? join(home, 'cache.sqlite');
const isFilled = existsSync(file);
const cache = openCache(file);
const connection = 'bench';

const beganMs = performance.now();
if (!isFilled) {
  await fillCache(cache, connection, protocols);
  fillAssignments(file, connection, protocols);
}
const fillMs = performance.now() - beganMs;

const UPLOADED = 10_000;
const uploadOf = (upload: number): Batch => {
  const [assignment] = assignmentsOf((upload * 19) % protocols, protocols);
  const trouble = upload % 50;
  return {
    batchId: '00000000-0000-4000-8000-000000000000',
    uploadId: '00000000-0000-4000-8000-000000000000',
    AssignmentId: assignment?.AssignmentId ?? '',
    root: '/folder',
    state: 'running',
    files: 20 + Number(trouble < 2),
    uploaded: 20,
    skipped: 0,
    failed: Number(trouble === 0),
    cancelled: 0,
    bytes: 0,
    bytesSent: 0,
    bytesPerSecond: 0,
    createdAtMs: Date.now() - upload,
    leftOut: { hidden: 0, system: 0, links: 0, special: 0, unreadable: 0 },
  };
};
const batches = Array.from({ length: Math.min(UPLOADED, protocols / 19) }, (_, upload) => uploadOf(upload));
for (const { AssignmentId } of batches.filter((_, index) => index % 3 === 0))
  cache.putPlanAfter(
    cache.beginRequest(connection),
    { AssignmentId, PlanAfter: 1_780_000_000 + (batches.length % 7) * 86_400 },
    Date.now(),
  );

// Today is the day after the newest protocols were inspected.
const dayMs = 86_400_000;
const todayMs = Date.UTC(2026, 9, 31);
const days = {
  todayMs,
  thisWeekMs: todayMs - 5 * dayMs,
  nextWeekMs: todayMs + 2 * dayMs,
  laterMs: todayMs + 9 * dayMs,
};
const dayStarts = Array.from({ length: 32 }, (_, day) => Date.UTC(2026, 9, 1 + day));
let nowMs = todayMs;

type Filter = Partial<AssignmentTableQuery>;
const context = () => ({ batches, changes: [], timeBase: 'auto' as const, nowMs });
const table = (query: Filter) => () =>
  cache.assignmentTable(connection, AssignmentTableQuery.parse({ days, limit: 50, ...query }), context());
const workList = (query: Filter) => () =>
  cache.workList(connection, WorkListQuery.parse({ days, dayStarts, ...query }), context());
const both = (query: Filter) => (): void => {
  workList(query)();
  table(query)();
};

const { City, Performer, AssignmentStatus } = cache.assignmentValues(connection, context());
const pick = (values: readonly string[], index: number): string | undefined => values[index % values.length];
const groups = [undefined, ...WorkGroup.options];
/** Each group without further filters, and with combinations of filters that a user may choose. */
const filters = groups.flatMap((group) =>
  [undefined, ...AssignmentStatus].flatMap((status) =>
    Array.from(
      { length: 12 },
      (_, index): Filter => ({
        group,
        AssignmentStatus: status,
        ...(index % 3 !== 0 && { City: pick(City, index) }),
        ...(index % 2 !== 0 && { Performer: pick(Performer, index) }),
        ...(index % 4 === 3 && { fromMs: days.thisWeekMs, beforeMs: days.laterMs }),
      }),
    ),
  ),
);
/** Measures `work` as after a write to the offline data, when nothing is cached. */
const cold = (work: () => unknown): number => {
  nowMs += 60_000;
  return timed(work);
};
const typed = searchTexts(10, protocols).flatMap(keystrokes);

const slowest = filters.map((filter) => ({ filter, ms: cold(both(filter)) })).toSorted((a, b) => b.ms - a.ms);
const results = {
  machine: cpus()[0]?.model,
  node: process.version,
  fillMs: isFilled ? undefined : Math.round(fillMs),
  sizeBytes: cache.sizeBytes(),
  total: table({})().total,
  uploaded: batches.length,
  groups: workList({})().groups,
  first: quantiles(Array.from({ length: 10 }, () => cold(both({})))),
  afterAWrite: quantiles(slowest.map(({ ms }) => ms)),
  filter: quantiles(filters.map((filter) => timed(both(filter)))),
  list: quantiles(filters.map((filter) => timed(table(filter)))),
  keystroke: quantiles(typed.map((text) => timed(table({ text })))),
  keystrokeInOverdue: quantiles(typed.map((text) => timed(table({ text, group: 'overdue' })))),
  sort: quantiles(
    groups.flatMap((group) =>
      AssignmentColumn.options.flatMap((sort) =>
        [false, true].map((descending) => timed(table({ group, sort, descending }))),
      ),
    ),
  ),
  deepScroll: quantiles(Array.from({ length: 20 }, (_, step) => timed(table({ offset: step * 9_999 })))),
  slowest: slowest.slice(0, 5),
};
process.stdout.write(`${JSON.stringify(results, undefined, 2)}\n`);
cache.close();
rmSync(home, { recursive: true });
