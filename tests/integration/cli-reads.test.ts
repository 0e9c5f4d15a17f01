/**
 * The commands that read data, set plan-after dates and show the session. Data has the shapes of the API, and comes
 * from the service or the offline data.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { unusedAddress } from '../../src/main/net/testing/server.ts';
import { type CliRun, cli } from './support/cli.ts';
import { makeDirectory } from './support/folders.ts';
import { useSandbox } from './support/sandbox.ts';

const sandbox = useSandbox({ protocols: 240 });
const run = (args: readonly string[], home = makeDirectory()) => cli(args, { sandbox: sandbox.address, home });

type Protocol = { readonly InspectionProtocolId: string };

/** Returns the Items of the only printed document. */
const itemsOf = <T>({ lines }: Pick<CliRun, 'lines'>): readonly T[] => (lines[0]?.Items ?? []) as readonly T[];

describe('reads', () => {
  test('protocols: a page, a search, all pages joined', async () => {
    const page = await run(['protocols']);
    expect(page).toMatchObject({ exitCode: 0, lines: [{ Count: 50, TotalCount: 240, CurrentPage: 1 }] });
    const second = await run(['protocols', '--page', '2']);
    expect(second.lines).toMatchObject([{ CurrentPage: 2, Count: 50 }]);
    const [{ City = '' } = {}] = itemsOf<{ City: string }>(page);
    const found = itemsOf<{ City: string }>(await run(['protocols', '--query', City]));
    expect(found.length).toBeGreaterThan(0);
    for (const item of found) expect(Object.values(item).join(' ')).toContain(City);
    const all = await run(['protocols', '--all']);
    expect(all.lines).toMatchObject([{ Count: 240, TotalCount: 240, CurrentPage: 1 }]);
    expect(new Set(itemsOf<Protocol>(all).map((item) => item.InspectionProtocolId)).size).toBe(240);
  });

  test('assignments by protocol, project and county; points; events', async () => {
    const [{ InspectionProtocolId = '' } = {}] = itemsOf<Protocol>(await run(['protocols']));
    const list = [{ Items: expect.any(Array), Count: expect.any(Number), TotalCount: expect.any(Number) }];
    expect((await run(['assignments', '--protocol', InspectionProtocolId])).lines).toEqual(list);
    expect((await run(['assignments', '--projects'])).lines).toEqual(list);
    const nowhere = [{ Items: [], Count: 0, TotalCount: 0 }];
    expect((await run(['assignments', '--projects', '--county', 'Nowhere'])).lines).toEqual(nowhere);
    expect((await run(['assignments', '--county', 'Nowhere'])).lines).toEqual(nowhere);
    const points = (await run(['points', '--protocol', InspectionProtocolId])).lines[0];
    expect(points).toEqual(
      expect.arrayContaining([expect.objectContaining({ ProtocolInspectionPointId: expect.any(String) })]),
    );
    const events = (await run(['events'])).lines[0];
    expect(events).toEqual(expect.arrayContaining([{ EventId: expect.any(String), EventName: expect.any(String) }]));
  });

  test('in words: times use the unit from the settings', async () => {
    const home = makeDirectory();
    const words = async () => (await cli(['protocols'], { sandbox: sandbox.address, home, words: true })).stdout;
    const [{ InspectionDate = 0 } = {}] = itemsOf<{ InspectionDate: number }>(await run(['protocols'], home));
    expect(await words()).toContain(new Date(InspectionDate * 1000).toLocaleString());
    writeFileSync(join(home, 'settings.json'), JSON.stringify({ version: 1, advanced: { timeBase: 'milliseconds' } }));
    expect(await words()).toContain(new Date(InspectionDate).toLocaleString());
  });

  test('offline: shows cached data without a session or a service, and says what is missing', async () => {
    const home = makeDirectory();
    const online = await run(['protocols', '--all'], home);
    const [{ InspectionProtocolId = '' } = {}] = itemsOf<Protocol>(online);
    await sandbox.control.resetStats();
    for (const args of [
      ['assignments', '--protocol', InspectionProtocolId],
      ['points', '--protocol', InspectionProtocolId],
      ['events'],
    ]) {
      const fresh = await run(args, home);
      const kept = await run([...args, '--offline'], home);
      expect(kept).toMatchObject({
        exitCode: 0,
        lines: fresh.lines,
        stderr: expect.stringContaining('Offline data, updated'),
      });
      expect(kept.stdout).not.toContain('authorize');
    }
    expect(itemsOf(await run(['protocols', '--all', '--offline'], home))).toEqual(itemsOf(online));
    expect(await run(['protocols', '--query', 'nothing is called so', '--offline'], home)).toMatchObject({
      exitCode: 0,
      lines: [{ Items: [], TotalCount: 0 }],
    });
    expect(await run(['points', '--protocol', 'another', '--offline'], home)).toMatchObject({
      exitCode: 1,
      lines: [{ type: 'error', error: { code: 'cache/missing' } }],
    });
  });

  test('in words: a table, and a sentence that asks for the sign-in', async () => {
    const options = { sandbox: sandbox.address, home: makeDirectory(), words: true };
    const { exitCode, stdout, stderr } = await cli(['protocols', '--page', '2'], options);
    expect(exitCode).toBe(0);
    const [head = '', ...rows] = stdout.trimEnd().split('\n');
    expect(head).toMatch(/^Address +City +ZipCode +FacilityId +Date +Points +InspectionProtocolId$/);
    expect(rows).toHaveLength(51);
    expect(rows.at(-1)).toBe('50 of 240, page 2');
    expect(stderr).toMatch(/^To sign in, open this address in a browser:\nhttp\S+\n$/);
  });
});

test('plan-after sets and clears', async () => {
  const assignment = sandbox.newAssignment();
  const set = async () =>
    (await sandbox.control.planAfterValues()).find(({ AssignmentId }) => AssignmentId === assignment)?.PlanAfter;
  expect(await run(['plan-after', assignment, '1800000000'])).toMatchObject({
    exitCode: 0,
    lines: [{ AssignmentId: assignment, PlanAfter: 1_800_000_000 }],
  });
  expect(await set()).toBe(1_800_000_000);
  expect(await run(['plan-after', assignment, '--clear'])).toMatchObject({
    exitCode: 0,
    lines: [{ AssignmentId: assignment, PlanAfter: 0 }],
  });
  expect(await set()).toBeUndefined();
});

test('plan-after warns about a past date on standard error and sets it', async () => {
  const assignment = sandbox.newAssignment();
  const { exitCode, lines, stderr } = await run(['plan-after', assignment, '1500000000']);
  expect(exitCode).toBe(0);
  expect(lines).toEqual([expect.objectContaining({ AssignmentId: assignment, PlanAfter: 1_500_000_000 })]);
  expect(stderr).toMatch(/^warning: .*2017.* has already passed\.$/m);
});

describe('the session', () => {
  test('login stores the connection; status and logout report it', async () => {
    const home = makeDirectory();
    const connection = { baseUrl: sandbox.address.baseUrl, clientId: 'inspection-desk', sample: false };
    const signedIn = { connection, session: { state: 'signed-in', subject: expect.any(String) } };
    expect(await run(['login'], home)).toMatchObject({ exitCode: 0, lines: [signedIn] });
    const signedOut = { exitCode: 0, lines: [{ connection, session: { state: 'signed-out' } }] };
    // Tokens that are stored in memory are lost when the command ends.
    expect(await cli(['status'], { home })).toMatchObject(signedOut);
    expect(await cli(['logout'], { home })).toMatchObject(signedOut);
    expect(await cli(['status'], { home: makeDirectory() })).toMatchObject({
      exitCode: 0,
      lines: [{ connection: null, session: { state: 'signed-out' } }],
    });
  });

  test('options override the environment, which overrides the settings', async () => {
    const home = makeDirectory();
    const gone = unusedAddress();
    const placeOf = async (options: Partial<Parameters<typeof cli>[1]>) =>
      (await cli(['status'], { home, ...options })).lines;
    await run(['login'], home);
    expect(await placeOf({})).toMatchObject([{ connection: { baseUrl: sandbox.address.baseUrl } }]);
    const env = { INSPECTION_DESK_BASE_URL: gone };
    expect(await placeOf({ env })).toMatchObject([{ connection: { baseUrl: gone } }]);
    expect(await placeOf({ env, sandbox: sandbox.address })).toMatchObject([
      { connection: { baseUrl: sandbox.address.baseUrl } },
    ]);
  });
});
