import type { Agent } from 'undici';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createApiAgent } from '../../src/main/net/connector.ts';
import { createGate } from '../../src/main/net/gate.ts';
import { createServiceClient, type ServiceClient } from '../../src/main/service/client.ts';
import type { FaultEffect } from '../../src/sandbox/faults/fault-plan.ts';
import type { RouteName } from '../../src/sandbox/http/http.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { put, signIn } from '../../src/sandbox/testing/client.ts';
import { createSandboxControl, type SandboxControl } from '../../src/sandbox/testing/control-client.ts';

let sandbox: Sandbox;
let control: SandboxControl;
let agent: Agent;
let client: ServiceClient;
let AssignmentId: string;

beforeAll(async () => {
  sandbox = await startSandbox({ consent: 'auto', protocols: 60, pageSize: 50 });
  control = createSandboxControl(sandbox);
  agent = createApiAgent();
  const { access_token } = await signIn(sandbox);
  client = createServiceClient({
    baseUrl: sandbox.baseUrl,
    dispatcher: agent,
    tokens: { accessToken: async () => access_token },
    gate: createGate(),
    retry: { sleep: async () => {} },
  });
  AssignmentId = (await client.listProjectAssignments()).value.Items[0]?.AssignmentId ?? '';
});
afterEach(async () => {
  await control.faults.clear();
  await control.resetStats();
});
afterAll(async () => {
  await agent.destroy();
  await sandbox.close();
});

const once = (route: RouteName, effect: FaultEffect) =>
  control.faults.add({ match: { route }, when: { count: 1 }, effect });

const requests = async (route: RouteName) => (await control.stats()).routes[route].requests;

const uploaded = async (FileName: string) => {
  const { Key, Url } = await client.signUpload({ AssignmentId, FileName });
  expect((await put(Url, 'content')).ok).toBe(true);
  return Key;
};

test('reads the four lists of protocols and assignments completely', async () => {
  const first = await client.listProtocols();
  expect(first).toMatchObject({ unreadable: 0, value: { Count: 50, TotalCount: 60 } });
  const next = await client.listProtocols({ Page: first.value.CurrentPage + 1 });
  expect(next.value).toMatchObject({ Count: 10, CurrentPage: first.value.CurrentPage + 1 });

  const { InspectionProtocolId = '', City = '' } = first.value.Items[0] ?? {};
  const found = await client.listProtocols({ Query: City });
  expect(found.value.Items.map((item) => item.InspectionProtocolId)).toContain(InspectionProtocolId);
  for (const read of [
    await client.listAssignments(InspectionProtocolId),
    await client.listProjectAssignments({ County: 'nowhere at all' }),
  ]) {
    expect(read.unreadable).toBe(0);
    expect(read.value.Items).toHaveLength(read.value.Count);
  }
  const points = await client.listInspectionPoints(InspectionProtocolId);
  expect(points).toMatchObject({ unreadable: 0, value: expect.arrayContaining([]) });
  expect((await client.listOrderableEvents()).value.length).toBeGreaterThan(0);
});

test('signs for a file, removes it, and then reports it as not found', async () => {
  const Key = await uploaded('a.jpg');
  const left = await client.removeFile({ AssignmentId, Key });
  expect(left?.AssignmentId).toBe(AssignmentId);
  expect(left?.Files.map((file) => file.Key)).not.toContain(Key);
  await expect(client.removeFile({ AssignmentId, Key })).rejects.toMatchObject({ code: 'service/not-found' });
});

test('sets and clears plan-after', async () => {
  expect(await client.updatePlanAfter({ AssignmentId, PlanAfter: 1_772_366_400 })).toEqual({
    AssignmentId,
    PlanAfter: 1_772_366_400,
  });
  expect(await control.planAfterValues()).toEqual([{ AssignmentId, PlanAfter: 1_772_366_400 }]);
  expect(await client.updatePlanAfter({ AssignmentId })).toMatchObject({ AssignmentId });
  expect(await control.planAfterValues()).toEqual([]);
});

test('an unknown id is not found, and the details have the service’s message', async () => {
  await expect(client.listAssignments('0f8fad5b-d9cb-469f-a165-70867728950e')).rejects.toMatchObject({
    code: 'service/not-found',
    details: { status: 404, error: 'NotFound', message: expect.any(String) },
  });
});

const passing: readonly FaultEffect[] = [
  { type: 'status', status: 503, retryAfterS: 0 },
  { type: 'status', status: 429, retryAfterS: 0, retryAfterAs: 'date' },
  { type: 'status', status: 500, body: '<html>' },
  { type: 'reset', at: 'before-body' },
  { type: 'reset', at: 'after-body' },
  { type: 'truncate' },
  { type: 'malformed-json' },
];

test.each(passing)('a read succeeds despite %o', async (effect) => {
  await once('list-orderable-events', effect);
  expect((await client.listOrderableEvents()).value.length).toBeGreaterThan(0);
  expect(await requests('list-orderable-events')).toBe(2);
});

test.each(passing)('plan-after succeeds despite %o', async (effect) => {
  await once('update-plan-after', effect);
  expect(await client.updatePlanAfter({ AssignmentId, PlanAfter: 5 })).toEqual({ AssignmentId, PlanAfter: 5 });
});

test.each([
  { type: 'reset', at: 'after-body' },
  { type: 'truncate' },
  { type: 'malformed-json' },
  { type: 'status', status: 504, at: 'after-body' },
] satisfies readonly FaultEffect[])('a removal whose answer is lost (%o) has removed', async (effect) => {
  const Key = await uploaded('b.jpg');
  await once('remove-file', effect);
  expect(await client.removeFile({ AssignmentId, Key })).toBeUndefined();
  expect((await control.objects()).map((object) => object.Key)).not.toContain(Key);
});

test('does not repeat a signature request whose answer was lost', async () => {
  await control.resetStats();
  await once('sign-upload', { type: 'reset', at: 'after-body' });
  await expect(client.signUpload({ AssignmentId, FileName: 'c.jpg' })).rejects.toMatchObject({
    code: 'service/unreachable',
    details: { phase: 'exchange' },
  });
  expect(await requests('sign-upload')).toBe(1);
});

test('a connection lost in the middle of every answer counts as unreachable, not malformed', async () => {
  await control.faults.add({ match: { route: 'list-protocols' }, effect: { type: 'truncate' } });
  await expect(client.listProtocols()).rejects.toMatchObject({ code: 'service/unreachable', retry: 'later' });
});

test('never sends an access token to the storage', async () => {
  await uploaded('d.jpg');
  expect((await control.stats()).violations['bearer-at-storage']).toBe(0);
});
