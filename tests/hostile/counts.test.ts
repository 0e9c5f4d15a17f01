/** A service with false counts: they are neither shown nor stored. */

import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { createDispatcher } from '../../src/main/core/handlers/dispatch-call.ts';
import { openSignedIn, type TestDesk, withoutBackoff } from '../integration/support/desks.ts';
import { useHostileService } from './support/hostile-service.ts';
import { lie } from './support/start-hostile-service.ts';

const service = useHostileService();
beforeEach(withoutBackoff);
const Page = z.looseObject({ TotalCount: z.number() });

const snapshotOf = async ({ handlers }: TestDesk) => {
  const bugs: unknown[] = [];
  const answer = await createDispatcher(handlers, (error) => bugs.push(error))('app.snapshot', undefined);
  expect(bugs).toEqual([]);
  expect(answer).toMatchObject({ ok: true });
  return answer;
};

for (const field of ['TotalCount', 'Count', 'CurrentPage'] as const) {
  for (const value of [2 ** 52, Number.MAX_SAFE_INTEGER, 1e300, 10_000_001, -1, 0.5, '7', null]) {
    test(`A3: a page whose ${field} is ${value} is refused, and the window opens, even after a restart`, async () => {
      const stop = service.attack(
        'list-protocols',
        lie((honest) => ({ ...Page.parse(honest), [field]: value })),
      );
      const desk = await openSignedIn({ sandbox: service.address });
      await expect(desk.handlers.protocols.list({})).rejects.toMatchObject({
        code: 'service/malformed',
        details: { where: field },
      });
      const walked = new Promise((resolve) => {
        desk.onEvent((event) => event.type === 'offline' && event.offline.state === 'paused' && resolve(event.offline));
      });
      await desk.handlers.offline.start(undefined);
      expect(await walked).toMatchObject({ reason: { code: 'service/malformed' }, total: 0 });
      await snapshotOf(desk);
      await desk.close();
      stop();
      const again = await openSignedIn({ sandbox: service.address, home: desk.home });
      expect(await snapshotOf(again)).toMatchObject({ value: { offline: { state: 'paused', total: 0 } } });
      expect((await again.handlers.protocols.list({})).value.Items.length).toBeGreaterThan(0);
    });
  }
}
