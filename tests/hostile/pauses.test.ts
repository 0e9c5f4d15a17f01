/** A service or a storage that requests absurd pauses. */
import { expect, test } from 'vitest';
import { troubleOf } from '../../src/contract/connection.ts';
import { LONGEST_HOLD_MS } from '../../src/main/net/translate.ts';
import { openSignedIn, type TestDesk } from '../integration/support/desks.ts';
import { makeFolder, manyFiles } from '../integration/support/folders.ts';
import { assignmentsOf, expectStored } from '../integration/support/sandbox.ts';
import { isFinished } from '../integration/support/uploads.ts';
import { useHostileService } from './support/hostile-service.ts';
import type { Attack } from './support/start-hostile-service.ts';

const service = useHostileService();
const absurd = [
  '1000000000',
  '9'.repeat(400),
  'Fri, 31 Dec 9999 23:59:59 GMT',
  ['5', '1000000000'],
] as const satisfies readonly (string | readonly string[])[];

const busy =
  (status: number, retryAfter: string | readonly string[]): Attack =>
  ({ request, response }) => {
    response.setHeader('retry-after', retryAfter);
    request.resume().on('end', () => response.writeHead(status).end());
  };
let used = 0;
/** Resolves to an assignment that no earlier test has used. */
const newAssignment = async (): Promise<string> => {
  used += 1;
  return (await assignmentsOf(service.sandbox))[used] ?? '';
};
const reachability = async (desk: TestDesk) => (await desk.handlers.app.snapshot(undefined)).reachability;

test.each(absurd)(
  'A7: a service that asks for a pause of %s gets no requests for 15 minutes at most',
  async (header) => {
    const desk = await openSignedIn({ sandbox: service.address });
    const stop = service.attack('list-orderable-events', busy(429, header));
    const read = () => desk.handlers.orderableEvents.list({});
    await expect(read()).rejects.toMatchObject({ code: 'service/busy' });
    const held = troubleOf((await reachability(desk)).service);
    expect(held).toMatchObject({ state: 'held', host: new URL(service.address.baseUrl).host });
    if (held?.state !== 'held') throw new Error('not held');
    expect(held.untilMs - held.sinceMs).toBeLessThanOrEqual(LONGEST_HOLD_MS);
    expect(held.untilMs).toBeGreaterThan(Date.now());

    stop();
    await expect(read(), 'the pause is kept').rejects.toMatchObject({ code: 'service/busy', details: { held: true } });
    await desk.handlers.app.tryNow(undefined);
    expect((await read()).source).toBe('service');
    expect(await reachability(desk)).toMatchObject({ service: { state: 'online' } });
  },
);

test.each([
  ['storage-put', 'storage', manyFiles(8)],
  ['storage-put', 'storage', { 'only.txt': 'one' }],
  ['sign-upload', 'service', manyFiles(8)],
] as const)(
  'A7: an upload held by %s says why and until when, and "Try again now" continues it',
  async (route, side, files) => {
    const desk = await openSignedIn({ sandbox: service.address });
    const assignment = await newAssignment();
    const stop = service.attack(route, busy(503, '9'.repeat(400)));
    const { batchId } = await desk.uploads.start({ root: makeFolder(files), assignmentId: assignment });
    const waiting = await desk.when(batchId, ({ reason }) => reason !== undefined);
    const { host } = new URL(service.address.baseUrl);
    expect(waiting).toMatchObject({ failed: 0, bytesPerSecond: 0, reason: { code: 'service/busy', retry: 'later' } });
    expect(Number(waiting.reason?.details.until)).toBeLessThanOrEqual(Date.now() + LONGEST_HOLD_MS);
    const count = Object.keys(files).length;
    if (count > 1) {
      await expect.poll(() => reachability(desk)).toMatchObject({ [side]: { state: 'held', host } });
    }

    stop();
    await desk.handlers.app.tryNow(undefined);
    const finished = await desk.when(batchId, isFinished);
    expect(finished).toMatchObject({ uploaded: count, failed: 0 });
    expect(finished).not.toHaveProperty('reason');
    await expectStored(service.control, assignment, files);
    await expect.poll(async () => troubleOf((await reachability(desk))[side])).toBeUndefined();
  },
);
