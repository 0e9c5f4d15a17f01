/** A service that sends false counts, which the app neither shows nor stores. */

import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { createDispatcher } from '../../src/main/core/handlers/handlers.ts';
import { openSignedIn, type TestDesk, withoutBackoff } from '../integration/support/desks.ts';
import { useHostileService } from './support/hostile-service.ts';
import { lie } from './support/start-hostile-service.ts';

const service = useHostileService();
beforeEach(withoutBackoff);
const Page = z.looseObject({ TotalCount: z.number() });

const snapshotOf = async ({ handlers }: TestDesk) => {
  const bugs: unknown[] = [];
  const answer = await createDispatcher(handlers, (error) => bugs.push(error)).dispatch('app.snapshot', undefined);
  expect(bugs).toEqual([]);
  expect(answer).toMatchObject({ ok: true });
  return answer;
};

const falseCounts = [2 ** 52, Number.MAX_SAFE_INTEGER, 1e300, 10_000_001, -1, 0.5, '7', null];

test.each(['TotalCount', 'Count', 'CurrentPage'] as const)(
  'A3: a page with a false %s is refused, and the window opens, even after a restart',
  async (field) => {
    const desk = await openSignedIn({ sandbox: service.address });
    for (const value of falseCounts) {
      const stop = service.attack(
        'list-protocols',
        lie((honest) => ({ ...Page.parse(honest), [field]: value })),
      );
      await expect(desk.handlers.protocols.list({}), String(value)).rejects.toMatchObject({
        code: 'service/malformed',
        details: { where: field },
      });
      const walked = new Promise((resolve) => {
        const unsubscribe = desk.onEvent((event) => {
          if (event.type !== 'offline' || event.value.state !== 'paused') return;
          unsubscribe();
          resolve(event.value);
        });
      });
      await desk.handlers.offline.start(undefined);
      expect(await walked, String(value)).toMatchObject({ reason: { code: 'service/malformed' }, total: 0 });
      // The offline data has neither a total nor a list of protocols.
      expect(await snapshotOf(desk), String(value)).toMatchObject({ value: { offline: { total: 0 } } });
      await expect(desk.handlers.protocols.list({ offline: true }), String(value)).rejects.toMatchObject({
        code: 'cache/missing',
      });
      stop();
    }
    await desk.close();
    const again = await openSignedIn({ sandbox: service.address, home: desk.home });
    expect(await snapshotOf(again)).toMatchObject({ value: { offline: { state: 'paused', total: 0 } } });
    expect((await again.handlers.protocols.list({})).value.Items.length).toBeGreaterThan(0);
  },
);
