import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DeskError } from '../../contract/errors.ts';
import type { OfflineStatus } from '../../contract/offline.ts';
import { openCache } from './cache.ts';
import { createOfflineWalk } from './offline-walk.ts';
import type { ServiceReads } from './reader.ts';

type OfflineWalkOptions = Parameters<typeof createOfflineWalk>[0];

const PAGE = 2;

/** Creates a walk through the protocols `ids`, listed two to a page. `before` is called before each page is created. */
const setUp = (ids: string[], before: (page: number, ids: string[]) => void, limitBytes?: () => number) => {
  const home = mkdtempSync(join(tmpdir(), 'offline-walk-'));
  const cache = openCache(join(home, 'cache.sqlite'), { ...(limitBytes && { limitBytes }) });
  onTestFinished(() => {
    cache.close();
    rmSync(home, { recursive: true });
  });
  const nothing = async () => ({ value: { Items: [], Count: 0, TotalCount: 0, CurrentPage: 1 }, unreadable: 0 });
  const service: ServiceReads = {
    listProtocols: async ({ Page = 1 }) => {
      before(Page, ids);
      const Items = ids.slice((Page - 1) * PAGE, Page * PAGE).map((InspectionProtocolId) => ({
        Address: '',
        City: '',
        ZipCode: '',
        FacilityId: '',
        InspectionDate: 1,
        Points: 0,
        InspectionProtocolId,
      }));
      return {
        value: { Items, Count: Items.length, TotalCount: ids.length, CurrentPage: Page },
        unreadable: 0,
      };
    },
    listAssignments: nothing,
    listProjectAssignments: nothing,
    listInspectionPoints: async () => ({ value: [], unreadable: 0 }),
    listOrderableEvents: async () => ({ value: [], unreadable: 0 }),
  };
  const bugs: unknown[] = [];
  const create = (options: Pick<OfflineWalkOptions, 'onStatus'> & Partial<OfflineWalkOptions>) =>
    createOfflineWalk({
      cache,
      connectionId: 'connection',
      service,
      onBug: (error: unknown) => bugs.push(error),
      now: () => 5,
      ...options,
    });
  const keep = (options: Partial<OfflineWalkOptions> = {}): Promise<void> =>
    new Promise((resolve) => {
      create({ onStatus: ({ state }) => state !== 'running' && resolve(), ...options }).start();
    });
  const available = () => ids.filter((id) => cache.protocol('connection', id) !== undefined);
  return { create, service, keep, available, bugs, cache };
};

test('keeps a protocol that moved to a page already read', async () => {
  let isMoved = false;
  const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
  const { keep, available, bugs } = setUp([...ids], (page, present) => {
    if (page !== 2 || !isMoved || present.length < ids.length) return;
    present.shift();
  });
  await keep();
  isMoved = true;
  await keep();
  expect(bugs).toEqual([]);
  expect(available()).toEqual(['b', 'c', 'd', 'e', 'f']);
});

test('removes nothing if the list changes during each pass', async () => {
  const { keep, cache } = setUp(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'], (page, present) => {
    if (page === 2) present.shift();
  });
  for (let pass = 0; pass < 2; pass += 1) await keep();
  for (const id of ['a', 'h']) expect(cache.protocol('connection', id)).toBeDefined();
});

test('reports the progress of a walk that stops', async () => {
  const { create, service } = setUp(['a', 'b', 'c', 'd', 'e', 'f'], () => {});
  let responses = 2;
  const listInspectionPoints: ServiceReads['listInspectionPoints'] = async (id, options) => {
    responses -= 1;
    if (responses < 0 && options?.signal) await once(options.signal, 'abort');
    return service.listInspectionPoints(id, options);
  };
  const told = Promise.withResolvers<OfflineStatus>();
  const all = create({
    service: { ...service, listInspectionPoints },
    onStatus: (status) => status.listed === 6 && status.available === 2 && told.resolve(status),
  });
  all.start();
  expect(await told.promise).toMatchObject({ state: 'running', total: 6 });
  await all.pause();
});

test('a protocol whose details cannot be read counts as skipped, not as available', async () => {
  const { create, service } = setUp(['a', 'b', 'c', 'd'], () => {});
  const listInspectionPoints: ServiceReads['listInspectionPoints'] = async (id, options) => {
    if (id === 'a') throw new DeskError('service/not-found', 'no');
    if (id !== 'd' || !options?.signal) return service.listInspectionPoints(id, options);
    await once(options.signal, 'abort');
    throw options.signal.reason;
  };
  const walk = (held: ServiceReads) => create({ service: held, onStatus: () => {} });
  const all = walk({ ...service, listInspectionPoints });
  all.start();
  const counts = { listed: 4, available: 2, skipped: 1, total: 4 };
  await expect.poll(all.status).toMatchObject({ state: 'running', ...counts });
  await all.pause();
  expect(all.status()).toMatchObject({ state: 'paused', ...counts });
  expect(walk(service).status()).toMatchObject({ state: 'paused', ...counts });
});

test('a protocol at which the service fails is skipped; a service that fails at each one pauses the walk', async () => {
  const { create, service } = setUp([...'abcdefgh'], () => {});
  let bad = 'c';
  const listAssignments: ServiceReads['listAssignments'] = async (id, options) => {
    if (bad.includes(id)) throw new DeskError('service/failed', 'a bug', { retry: 'later' });
    return service.listAssignments(id, options);
  };
  const all = create({ service: { ...service, listAssignments }, onStatus: () => {} });
  all.start();
  await expect.poll(all.status).toMatchObject({ state: 'idle', skipped: 1 });
  bad = 'abcdefgh';
  all.start();
  await expect.poll(all.status).toMatchObject({ state: 'paused', reason: { code: 'service/failed' } });
  // Only the third protocol fails now. The failures of the previous walk do not count in this one.
  bad = 'c';
  all.resume();
  await expect.poll(() => all.status().state).not.toBe('running');
  expect(all.status()).toMatchObject({ state: 'idle' });
});

test('protocols are available although the service fails at the list of projects, for which the walk then pauses', async () => {
  const { create, service, cache } = setUp(['a', 'b'], () => {});
  const listProjectAssignments = async (): Promise<never> => {
    throw new DeskError('service/failed', 'a bug', { retry: 'later' });
  };
  const all = create({ service: { ...service, listProjectAssignments }, onStatus: () => {} });
  all.start();
  await expect.poll(all.status).toMatchObject({ state: 'paused', available: 2, reason: { code: 'service/failed' } });
  expect(cache.readAs('connection', 'events')).toBeDefined();
});

test('a walk is complete without a list that the user may not read', async () => {
  const { create, service } = setUp(['a', 'b'], () => {});
  const forbidden = async (): Promise<never> => {
    throw new DeskError('service/forbidden', 'no');
  };
  const parts = { ...service, listProjectAssignments: forbidden, listOrderableEvents: forbidden };
  const all = create({ service: parts, onStatus: () => {} });
  all.start();
  await expect.poll(all.status).toMatchObject({ state: 'idle', completedAtMs: 5 });
});

test('a protocol that can no longer be read, but was read by an earlier walk, counts as available', async () => {
  const { create, service, keep } = setUp(['a', 'b'], () => {});
  await keep();
  const listInspectionPoints: ServiceReads['listInspectionPoints'] = async (id, options) => {
    if (id === 'a') throw new DeskError('service/not-found', 'no');
    return service.listInspectionPoints(id, options);
  };
  const told: OfflineStatus[] = [];
  const all = create({ service: { ...service, listInspectionPoints }, onStatus: (status) => told.push(status) });
  all.start();
  await expect.poll(all.status).toMatchObject({ state: 'idle', skipped: 0 });
  expect(told.every(({ skipped }) => skipped === 0)).toBe(true);
});

test('reports the remaining time and the size', async () => {
  const ids = Array.from({ length: 40 }, (_, index) => `protocol-${index}`);
  const { create, service } = setUp(ids, () => {});
  let nowMs = 1_000;
  const told: OfflineStatus[] = [];
  // Each read of inspection points takes a second of the test's clock.
  const listInspectionPoints: ServiceReads['listInspectionPoints'] = async (...asked) => {
    nowMs += 1_000;
    told.push(all.status());
    return service.listInspectionPoints(...asked);
  };
  const ended = Promise.withResolvers<void>();
  const all = create({
    service: { ...service, listInspectionPoints },
    now: () => nowMs,
    steady: () => nowMs,
    onStatus: ({ state }) => state !== 'running' && ended.resolve(),
  });
  all.start();
  await ended.promise;
  told.push(all.status());
  const guesses = told.filter(({ leftMs }) => leftMs !== undefined);
  expect(guesses.length).toBeGreaterThan(0);
  for (const { available, total, leftMs = 0 } of guesses) {
    // Up to four protocols may be begun but not completed.
    expect(leftMs).toBeGreaterThanOrEqual((total - available) * 1_000);
    expect(leftMs).toBeLessThanOrEqual((total - available) * 1_000 * (1 + 4 / available));
  }
  expect(told.at(-1)).toMatchObject({ state: 'idle' });
  expect(told.at(-1)?.leftMs).toBeUndefined();
  expect(told.every(({ sizeBytes }) => sizeBytes > 0)).toBe(true);
});

test('A10: a service that repeats a page does not block the walk', async () => {
  const { create, service, available, cache, bugs } = setUp(['a', 'b', 'c', 'd'], () => {});
  const first = await service.listProtocols({ Page: 1 });
  let asked = 0;
  const listProtocols: ServiceReads['listProtocols'] = async ({ Page = 1 }) => {
    asked += 1;
    return { value: { ...first.value, TotalCount: 1_000_000, CurrentPage: Page }, unreadable: 0 };
  };
  await new Promise<void>((resolve) => {
    const onStatus: OfflineWalkOptions['onStatus'] = ({ state }) => state === 'idle' && resolve();
    create({ service: { ...service, listProtocols }, onStatus }).start();
  });
  expect(asked).toBeLessThan(10);
  expect(available()).toEqual(['a', 'b']);
  expect(cache.pass('connection')).toMatchObject({ running: false });
  expect(bugs).toEqual([]);
});

test('A10: an endless list stops the walk with a reason, and the walk does not restart on its own', async () => {
  const { create, service } = setUp(['a'], () => {});
  const { value } = await service.listProtocols({ Page: 1 });
  let asked = 0;
  const listProtocols: ServiceReads['listProtocols'] = async ({ Page = 1 }) => {
    asked += 1;
    const Items = value.Items.map((item) => ({ ...item, InspectionProtocolId: `p${asked}` }));
    return { value: { ...value, Items, TotalCount: 1_000_000, CurrentPage: Page }, unreadable: 0 };
  };
  const stopped = Promise.withResolvers<unknown>();
  const onStatus: OfflineWalkOptions['onStatus'] = ({ state, reason }) => state === 'paused' && stopped.resolve(reason);
  const all = create({ service: { ...service, listProtocols }, onStatus, mostPages: 5 });
  all.start();
  expect(await stopped.promise).toMatchObject({ code: 'service/endless' });
  const before = asked;
  all.resume();
  expect(all.status().state).toBe('paused');
  expect(asked).toBe(before);
});

test('stops at the limit of the cache, removes nothing of what it stored, and continues below the limit', async () => {
  let limitBytes = Number.POSITIVE_INFINITY;
  const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
  const { create, service, available, bugs, cache } = setUp(
    ids,
    () => {},
    () => limitBytes,
  );
  const listInspectionPoints: ServiceReads['listInspectionPoints'] = async () => {
    limitBytes = cache.sizeBytes() * 1.02;
    return { value: [], unreadable: 0 };
  };
  const walked = (options: Partial<OfflineWalkOptions>): Promise<OfflineStatus> =>
    new Promise((resolve) => {
      create({ onStatus: (status) => status.state !== 'running' && resolve(status), ...options }).start();
    });
  expect(await walked({ service: { ...service, listInspectionPoints } })).toMatchObject({
    state: 'paused',
    reason: { code: 'cache/full' },
  });
  expect(available()).toEqual(ids);
  // The lists of project assignments and events are small, so they are stored even if the cache has no room.
  for (const name of ['projects/', 'events']) expect(cache.readAs('connection', name), name).toBeDefined();
  limitBytes = Number.POSITIVE_INFINITY;
  expect(await walked({})).toMatchObject({ state: 'idle', completedAtMs: 5 });
  expect(bugs).toEqual([]);
});

test('refreshes what it has stored, even if there is no room for more', async () => {
  let limitBytes = Number.POSITIVE_INFINITY;
  const ids = ['a', 'b', 'c', 'd'];
  const { service, keep, bugs, cache } = setUp(
    ids,
    () => {},
    () => limitBytes,
  );
  const point = (text: string) => ({
    ProtocolInspectionPointId: 'p',
    InspectionPointName: '',
    ProductType: '',
    Category: '',
    Answer: '',
    SpecificReference: '',
    Severity: 'LOW',
    Description: text.repeat(200_000),
    HasImage: false,
  });
  const withPoints = (text: string) => ({
    service: { ...service, listInspectionPoints: async () => ({ value: [point(text)], unreadable: 0 }) },
  });
  await keep(withPoints('x'));
  await cache.makeRoom();
  limitBytes = cache.sizeBytes() * 1.02;
  expect(cache.hasRoom()).toBe(false);
  await keep(withPoints('y'));
  expect(cache.passProgress('connection')).toMatchObject({ running: false, done: 4 });
  ids.push('e');
  await keep(withPoints('z'));
  expect(cache.pass('connection')).toMatchObject({ running: true });
  expect(bugs).toEqual([]);
});

test('says that the limit is too low for what was available offline, and continues once it is higher', async () => {
  let limitBytes = Number.POSITIVE_INFINITY;
  const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
  const { create, service, keep, bugs, cache } = setUp(
    ids,
    () => {},
    () => limitBytes,
  );
  const point = {
    ProtocolInspectionPointId: 'p',
    InspectionPointName: '',
    ProductType: '',
    Category: '',
    Answer: '',
    SpecificReference: '',
    Severity: 'LOW',
    Description: 'x'.repeat(100_000),
    HasImage: false,
  };
  const withPoints = { service: { ...service, listInspectionPoints: async () => ({ value: [point], unreadable: 0 }) } };
  await keep(withPoints);
  limitBytes = cache.sizeBytes() - 250_000;
  await cache.makeRoom();
  const told: OfflineStatus[] = [];
  const all = create({ onStatus: (status) => told.push(status) });
  all.recount();
  expect(told).toMatchObject([{ state: 'paused', total: 6, completedAtMs: 5, reason: { code: 'cache/full' } }]);
  expect(told[0]?.available).toBeLessThan(6);
  expect(told[0]?.available).toBeGreaterThan(0);
  limitBytes = Number.POSITIVE_INFINITY;
  await keep(withPoints);
  expect(all.status()).toMatchObject({ state: 'idle' });
  expect(all.status().reason).toBeUndefined();
  expect(ids.every((id) => cache.protocol('connection', id)?.availableOffline)).toBe(true);
  expect(bugs).toEqual([]);
});

test('a walk ends, and is resumed, although its progress can no longer be read or written', async () => {
  const { create, service, cache, bugs } = setUp(['a'], () => {});
  const closed = new DeskError('app/cancelled', 'the database is closed');
  const full = new DeskError('data/unwritable', 'the disk is full');
  let broken: DeskError | undefined;
  const unlessBroken =
    <A extends readonly unknown[], T>(work: (...args: A) => T) =>
    (...args: A): T => {
      if (broken) throw broken;
      return work(...args);
    };
  const all = create({
    cache: {
      ...cache,
      beginPass: unlessBroken(cache.beginPass),
      passProgress: unlessBroken(cache.passProgress),
    },
    service: {
      ...service,
      listProtocols: async () => {
        broken = closed;
        throw new DeskError('service/unreachable', 'no', { retry: 'later' });
      },
    },
    onStatus: () => {},
  });
  all.start();
  await all.pause();
  expect(bugs.splice(0)).toEqual([closed]);
  broken = full;
  all.resume();
  expect(bugs).toEqual([full]);
});
