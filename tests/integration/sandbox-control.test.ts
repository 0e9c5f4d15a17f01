import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FaultRule } from '../../src/sandbox/faults/fault-plan.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { callWith, postToken, signIn } from '../../src/sandbox/testing/client.ts';
import { createSandboxControl, type SandboxControl } from '../../src/sandbox/testing/control-client.ts';

const events = '/contractor/orderable-events';

let sandbox: Sandbox;
let control: SandboxControl;
beforeAll(async () => {
  sandbox = await startSandbox({ consent: 'auto', controlToken: 'a secret of this test' });
  control = createSandboxControl(sandbox);
});
afterAll(() => sandbox.close());

test('refuses requests without the control token', async () => {
  expect((await fetch(`${sandbox.baseUrl}/sandbox/stats`)).status).toBe(403);
  await expect(createSandboxControl({ ...sandbox, controlToken: 'another' }).stats()).rejects.toThrow('403');
});

test('counts requests by route and outcome', async () => {
  const { access_token, refresh_token } = await signIn(sandbox);
  await control.resetStats();
  const call = callWith(sandbox, access_token);
  await Promise.all(Array.from({ length: 5 }, () => call('GET', events).then((response) => response.text())));
  await callWith(sandbox, 'invented')('GET', events);
  await postToken(sandbox, { grant_type: 'refresh_token', refresh_token });
  const { routes, tokenRefreshes, violations } = await control.stats();
  expect(routes['list-orderable-events']).toMatchObject({ requests: 6, succeeded: 5, unauthorized: 1, failed: 1 });
  expect(routes.token).toMatchObject({ requests: 1, succeeded: 1, peakConcurrent: 1 });
  expect(tokenRefreshes).toBe(1);
  expect(Object.values(violations)).toEqual([0, 0, 0, 0]);
});

test('counts concurrent requests', async () => {
  const call = callWith(sandbox, (await signIn(sandbox)).access_token);
  await control.resetStats();
  await control.faults.add({ match: { route: 'any' }, effect: { type: 'delay', delayMs: 3_600_000 } });
  const calls = Array.from({ length: 3 }, () => call('GET', events));
  await expect.poll(async () => (await control.stats()).routes['list-orderable-events'].peakConcurrent).toBe(3);
  await control.faults.release();
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200, 200]);
});

test('expired access tokens can be refreshed, revoked sessions cannot', async () => {
  const { access_token, refresh_token } = await signIn(sandbox);
  await control.expireAccessTokens();
  expect((await callWith(sandbox, access_token)('GET', events)).status).toBe(401);
  const renewed = await (await postToken(sandbox, { grant_type: 'refresh_token', refresh_token })).json();
  expect((await callWith(sandbox, renewed.access_token)('GET', events)).status).toBe(200);
  await control.revokeSessions();
  expect((await callWith(sandbox, renewed.access_token)('GET', events)).status).toBe(401);
  const refused = await postToken(sandbox, { grant_type: 'refresh_token', refresh_token: renewed.refresh_token });
  expect(refused.status).toBe(400);
});

test('refuses a fault that is not a rule', async () => {
  const wrong = { match: { route: 'nowhere' }, effect: { type: 'truncate' } } as unknown as FaultRule;
  await expect(control.faults.add(wrong)).rejects.toThrow('400');
  expect(await control.faults.list()).toEqual([]);
});

test('an unknown object has no content', async () => {
  await expect(control.objectBytes('unknown')).rejects.toThrow('404');
});
