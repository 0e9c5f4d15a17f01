/**
 * Folders are matched while the service's lists are being read. No match is certain while an unread list may overturn
 * it.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { Draft, DraftRow } from '../../src/contract/drafts.ts';
import {
  type AssignmentList,
  type AssignmentSummary,
  isClosed,
  type ProtocolSummary,
} from '../../src/contract/resources.ts';
import { callWith, protocolPage, signIn } from '../../src/sandbox/testing/client.ts';
import { cli, ofType } from './support/cli.ts';
import { openSignedIn, type TestDesk, withoutBackoff } from './support/desks.ts';
import { openDraft, rowsOf, whenDraft } from './support/drafts.ts';
import { makeDirectory, makeFolder } from './support/folders.ts';
import { always, silence, useSandbox } from './support/sandbox.ts';

/** With this many protocols, two of them share an address that no other list has. */
const PROTOCOLS = 160;
const sandbox = useSandbox({ protocols: PROTOCOLS });

type Place = { readonly protocol: ProtocolSummary; readonly assignments: readonly AssignmentSummary[] };

const placeOf = ({ Address, City }: Pick<ProtocolSummary, 'Address' | 'City'>): string => `${Address}, ${City}`;

/** Protocols with one open assignment, whose address no other list has. */
let alone: Place[];
/** Two protocols at one address; the first has one open assignment. */
let together: readonly [Place, Place];

beforeAll(async () => {
  const call = callWith(sandbox.address, (await signIn(sandbox.address)).access_token);
  const protocols: ProtocolSummary[] = [];
  for (let page = 1, total = 1; protocols.length < total; page += 1) {
    const { Items, TotalCount } = await protocolPage(call, `?Page=${page}`);
    protocols.push(...Items);
    total = TotalCount;
  }
  const listOf = async (path: string): Promise<AssignmentList> => (await call('GET', `/contractor/${path}`)).json();
  const projects = (await listOf('assignments/projects')).Items;
  const places = await Promise.all(
    protocols.map(async (protocol) => ({
      protocol,
      assignments: (await listOf(`compiled-inspection-protocols/${protocol.InspectionProtocolId}/assignments`)).Items,
    })),
  );
  const hasOne = ({ assignments }: Place): boolean =>
    assignments.length === 1 && assignments.every(({ AssignmentStatus }) => !isClosed(AssignmentStatus));
  const taken = new Set(projects.map(placeOf));
  const groups = [...Map.groupBy(places, ({ protocol }) => placeOf(protocol))].flatMap(([place, group]) =>
    taken.has(place) ? [] : [group],
  );
  alone = groups.flatMap((group) => (group.length === 1 ? group.filter(hasOne) : []));
  const pairs = groups.flatMap((group) => {
    const one = group.find(hasOne);
    const other = group.find((place) => place !== one);
    return one && other && group.length === 2 ? [[one, other] as const] : [];
  });
  const [pair] = pairs;
  if (pair === undefined || alone.length < 7) throw new Error(`too few addresses: ${pairs.length}, ${alone.length}`);
  together = pair;
});

const nextAlone = (): Place => {
  const place = alone.pop();
  if (place === undefined) throw new Error('the sandbox has no more addresses');
  return place;
};

const open = (): Promise<TestDesk> => {
  withoutBackoff();
  return openSignedIn({ sandbox: sandbox.address });
};
const jobsOf = (...names: readonly string[]): string => {
  const root = join(makeDirectory(), 'jobs');
  for (const name of names) {
    mkdirSync(join(root, name), { recursive: true });
    writeFileSync(join(root, name, 'report.pdf'), name);
  }
  return root;
};
const rowNamed = async (desk: TestDesk, name: string): Promise<DraftRow> => {
  const row = (await rowsOf(desk)).find((one) => one.name === name);
  if (row === undefined) throw new Error(`no row ${name}`);
  return row;
};
const holdList = ({ protocol }: Place) =>
  sandbox.control.faults.add(always('list-assignments', silence, protocol.InspectionProtocolId));
const signalsOf = ({ reasons }: Pick<DraftRow, 'reasons'>): readonly string[] => reasons.map(({ signal }) => signal);

test('no folder is certain while a protocol at its address is unread; it becomes certain once that is read', async () => {
  const desk = await open();
  const [here, beside] = together;
  const [late, free] = [nextAlone(), nextAlone()];
  const [assignment] = late.assignments;
  await Promise.all([beside, late].map(holdList));
  const names = [here, late, free].map(({ protocol }) => placeOf(protocol));
  const { drafts } = desk.handlers;
  await openDraft(desk, [jobsOf(...names, 'Mystery')]);
  await whenDraft(desk, ({ assignments, phase }) => phase === 'updating' && assignments.known > 0);
  await drafts.skipUpdate(undefined);
  await whenDraft(desk);

  const decided = async () =>
    Object.fromEntries((await rowsOf(desk)).map((row) => [row.name, [row.choice, row.AssignmentId, signalsOf(row)]]));
  const [one, other, third] = names;
  await expect.poll(decided).toMatchObject({
    [one ?? '']: ['undecided', undefined, expect.arrayContaining(['unread-here'])],
    [other ?? '']: ['undecided', undefined, ['unread-here']],
    [third ?? '']: ['assignment', free.assignments[0]?.AssignmentId, expect.any(Array)],
    Mystery: ['undecided', undefined, ['unread']],
  });
  const row = await rowNamed(desk, one ?? '');
  expect(row).toMatchObject({ assignment: { Address: here.protocol.Address } });
  expect(row.certainty).toBeLessThan(0.95);
  expect(row.reasons).toContainEqual({ signal: 'unread-here', found: '', against: true, count: 1 });

  const mystery = await rowNamed(desk, 'Mystery');
  const chosen = sandbox.newAssignment();
  await drafts.assign({ rowIds: [mystery.rowId], AssignmentId: chosen });
  await sandbox.control.faults.release();
  await whenDraft(desk, ({ assignments }) => !assignments.isReading);
  await expect
    .poll(() => rowNamed(desk, other ?? ''))
    .toMatchObject({
      choice: 'assignment',
      chosenBy: 'match',
      AssignmentId: assignment?.AssignmentId,
    });
  expect(await rowNamed(desk, 'Mystery')).toMatchObject({
    rowId: mystery.rowId,
    chosenBy: 'person',
    AssignmentId: chosen,
  });
  for (const { reasons } of await rowsOf(desk)) expect(signalsOf({ reasons }).join()).not.toContain('unread');
});

test('lists that folders wait for are read first, and nobody waits for the others', async () => {
  const desk = await open();
  const place = nextAlone();
  const late = (await desk.handlers.protocols.list({})).value.Items.find(
    ({ Address }) => Address !== place.protocol.Address,
  );
  await sandbox.control.faults.add(always('list-assignments', silence, late?.InspectionProtocolId));
  await openDraft(desk, [jobsOf(placeOf(place.protocol))]);
  const ready = await whenDraft(desk);
  expect(ready).toMatchObject({ counts: { matched: 1 }, assignments: { isReading: true } });
});

test('a list that the service refuses leaves its address a question', async () => {
  const place = nextAlone();
  await sandbox.control.faults.add(
    always('list-assignments', { type: 'status', status: 403 }, place.protocol.InspectionProtocolId),
  );
  withoutBackoff();
  const root = jobsOf(placeOf(place.protocol));
  const run = await cli(['upload', root, '--match', '--dry-run'], { sandbox: sandbox.address, home: makeDirectory() });
  for (const match of ofType(run, 'match')) {
    expect(match).toMatchObject({ decision: 'ask', assignment: null });
    expect(match.reasons).toContainEqual({ signal: 'unread-here', found: '', against: true, count: 1 });
  }
  expect(run.exitCode).toBe(1);
});

test('lists older than a day count as unread, and an update that fails leaves them so', async () => {
  withoutBackoff();
  const place = nextAlone();
  const root = jobsOf(placeOf(place.protocol));
  const options = { sandbox: sandbox.address, home: makeDirectory() };
  const match = ['upload', root, '--match', '--dry-run'];
  const decisionOf = async (...more: readonly string[]) => {
    const [one] = ofType(await cli([...match, ...more], options), 'match');
    return [one?.decision, (one?.reasons as { signal: string }[] | undefined)?.at(-1)?.signal];
  };
  // All lists are read, because nothing is known of this folder.
  expect((await cli(['upload', jobsOf('Mystery'), '--match', '--dry-run'], options)).exitCode).toBe(1);
  expect(await decisionOf('--offline')).toEqual(['send', expect.any(String)]);

  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 25 * 60 * 60 * 1000 });
  onTestFinished(() => void vi.useRealTimers());
  expect(await decisionOf('--offline')).toEqual(['ask', 'unread-list']);
});

test('the reading of the list of protocols shows how far it is', async () => {
  const desk = await open();
  const seen: Draft['assignments'][] = [];
  desk.onEvent((event) => {
    if (event.type === 'draft' && event.value?.phase === 'updating') seen.push(event.value.assignments);
  });
  await sandbox.control.faults.add(always('list-protocols', { type: 'delay', delayMs: 400 }));
  await openDraft(desk, [makeFolder({ 'jobs/Mystery/a.pdf': 'a' })]);
  await whenDraft(desk);
  const pages = seen.filter(({ stage, read }) => stage === 'protocols' && read > 0);
  expect(new Set(pages.map(({ read }) => read)).size).toBeGreaterThan(1);
  for (const { read, total } of pages) expect([read <= PROTOCOLS, total]).toEqual([true, PROTOCOLS]);
});
