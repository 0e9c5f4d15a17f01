/**
 * A service whose responses never end. The tests shorten only the time limits that they check, because a busy machine
 * might exceed other short limits.
 */
import { expect, test } from 'vitest';
import type { Deadlines } from '../../src/main/core/connection/connections.ts';
import { createTestKeychain, openDesk, openSignedIn } from '../integration/support/desks.ts';
import { makeDirectory } from '../integration/support/folders.ts';
import { drips, refusesWith, staysSilent } from './support/attacks.ts';
import { useHostileService } from './support/hostile-service.ts';
import { staysHonest } from './support/start-hostile-service.ts';

const service = useHostileService();
const short = { service: { exchangeMs: 1_000, callMs: 2_500 }, tokenMs: 800 };
const timeout = { code: 'service/timeout', retry: 'later' };

/**
 * Opens a desk with these limits. Its sign-in was made earlier, with the app's limits, while the service was honest.
 */
const open = async (deadlines: Deadlines) => {
  const own = { sandbox: service.address, home: makeDirectory(), keychain: createTestKeychain() };
  await (await openSignedIn(own)).close();
  return openDesk({ ...own, deadlines });
};

test('A6: a dripping refresh fails all calls with a reason, and later calls succeed', async () => {
  const desk = await open(short);
  const events = desk.handlers.orderableEvents.list;
  const { projects } = desk.handlers.assignments;
  const stopped = [
    service.attack('list-orderable-events', refusesWith(401)),
    service.attack('list-project-assignments', refusesWith(401)),
    service.attack('token', drips),
  ];
  const calls = await Promise.allSettled([events({}), projects({}), events({})]);
  for (const call of calls) expect(call).toMatchObject({ status: 'rejected', reason: timeout });
  for (const stop of stopped) stop();
  await expect.poll(() => events({})).toMatchObject({ source: 'service' });
  await expect.poll(() => projects({})).toMatchObject({ source: 'service' });
});

test('A6: a call that waits for a refresh succeeds as soon as a retry gets a token', async () => {
  const desk = await open({ tokenMs: 3_000 });
  service.attack('list-orderable-events', refusesWith(401));
  let refreshes = 0;
  service.attack('token', (met) => {
    refreshes += 1;
    if (refreshes === 1) return drips(met);
    service.attack('list-orderable-events', staysHonest);
    return staysHonest(met);
  });
  expect((await desk.handlers.orderableEvents.list({})).source).toBe('service');
  expect(refreshes).toBe(2);
});

test.each([
  ['drips', drips],
  ['stays silent', staysSilent],
])('A6: a list that %s is given up', async (_, attack) => {
  const desk = await open(short);
  const stop = service.attack('list-orderable-events', attack);
  await expect(desk.handlers.orderableEvents.list({})).rejects.toMatchObject(timeout);
  stop();
  await expect.poll(() => desk.handlers.orderableEvents.list({})).toMatchObject({ source: 'service' });
});
