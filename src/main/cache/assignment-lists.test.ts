import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DeskError } from '../../contract/errors.ts';
import type { ListProgress } from '../../contract/offline.ts';
import { createReadAhead } from './assignment-lists.ts';
import { type Cache, openCache } from './cache.ts';
import type { ServiceReads } from './reader.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const IDS = ['a', 'b', 'c', 'd'];

/**
 * Creates the read-ahead of a service that lists the protocols `IDS`. Waits of an hour or more end only when
 * `anHourLater` is called or their signal is aborted; shorter ones end immediately.
 */
const setUp = () => {
  const home = mkdtempSync(join(tmpdir(), 'read-ahead-'));
  const cache = openCache(join(home, 'cache.sqlite'));
  const listed: string[] = [];
  const told: (ListProgress | undefined)[] = [];
  const bugs: unknown[] = [];
  let nowMs = 1_000 * DAY_MS;
  let response: ServiceReads['listAssignments'] = async () => ({
    value: { Items: [], Count: 0, TotalCount: 0, CurrentPage: 1 },
    unreadable: 0,
  });
  let waits: (() => void)[] = [];
  let isBusy = false;
  let onListing = (): void => {};
  let ids: readonly string[] = IDS;
  let projects: ServiceReads['listProjectAssignments'] = async () => ({
    value: { Items: [], Count: 0, TotalCount: 0, CurrentPage: 1 },
    unreadable: 0,
  });
  const ahead = createReadAhead({
    cache,
    connectionId: 'connection',
    now: () => nowMs,
    isBusy: () => isBusy,
    service: {
      listProtocols: async () => {
        onListing();
        const Items = ids.map((InspectionProtocolId) => ({
          Address: '',
          City: '',
          ZipCode: '',
          FacilityId: '',
          InspectionDate: 1,
          Points: 0,
          InspectionProtocolId,
        }));
        return { value: { Items, Count: ids.length, TotalCount: ids.length, CurrentPage: 1 }, unreadable: 0 };
      },
      listProjectAssignments: (query, options) => projects(query, options),
      listAssignments: async (id, options) => {
        listed.push(id);
        return response(id, options);
      },
    },
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      if (ms < HOUR_MS) return;
      await new Promise<void>((resolve, reject) => {
        waits.push(resolve);
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
    },
    onProgress: (progress) => told.push(progress),
    onBug: (error) => bugs.push(error),
  });
  onTestFinished(async () => {
    await ahead.close();
    cache.close();
    rmSync(home, { recursive: true });
    expect(bugs).toEqual([]);
  });
  return {
    ahead,
    cache,
    told,
    setProtocols: (listed: readonly string[]): void => {
      ids = listed;
    },
    setProjects: (next: ServiceReads['listProjectAssignments']): void => {
      projects = next;
    },
    /** Waits until nothing more is read. Resolves to the protocols whose lists were read since the last call. */
    read: async (): Promise<readonly string[]> => {
      await expect.poll(() => waits.length).toBe(1);
      return listed.splice(0);
    },
    reading: () => listed,
    anHourLater: (laterMs = HOUR_MS): void => {
      nowMs += laterMs;
      for (const end of waits.splice(0)) end();
    },
    /** Sets the clock back while the list of protocols is read. */
    setBackAtListing: (byMs: number): void => {
      onListing = () => {
        nowMs -= byMs;
        onListing = () => {};
      };
    },
    refuseProtocols: (): void => {
      onListing = () => {
        throw new DeskError('service/forbidden', 'no protocols');
      };
    },
    setBusy: (busy: boolean): void => {
      isBusy = busy;
    },
    setResponse: (next: ServiceReads['listAssignments']): void => {
      response = next;
    },
    forgetWaits: (): void => {
      waits = [];
    },
    response: () => response,
  };
};

test('reads every list once while a user is signed in, and again when it has become old', async () => {
  const { ahead, read, told, setResponse, response, anHourLater } = setUp();
  const whole = response();
  setResponse(async (id, options) => {
    if (id === 'd') expect(ahead.progress()).toEqual({ stage: 'assignments', read: 3, total: 4 });
    return whole(id, options);
  });
  ahead.follow(true);
  expect(await read()).toEqual(IDS);
  await expect.poll(() => told.at(-1)).toBeUndefined();
  anHourLater();
  expect(await read()).toEqual([]);
  anHourLater(8 * DAY_MS);
  expect(await read()).toEqual(IDS);
});

test('reads nothing while something else reads lists, and goes on afterwards with what is missing', async () => {
  const { ahead, read, reading, setResponse, response, setBusy, anHourLater, forgetWaits } = setUp();
  const whole = response();
  setResponse(async (id, options) => {
    if (id === 'b' && options?.signal) await once(options.signal, 'abort');
    if (options?.signal?.aborted) throw new DeskError('app/cancelled', 'cancelled');
    return whole(id, options);
  });
  ahead.follow(true);
  await expect.poll(() => reading().at(-1)).toBe('b');
  await ahead.during(async () => {
    setResponse(whole);
    expect(reading().splice(0)).toEqual(['a', 'b']);
  });
  expect(await read()).toEqual(['b', 'c', 'd']);
  // While the offline walk is running, nothing is read ahead.
  setBusy(true);
  anHourLater(8 * DAY_MS);
  expect(await read()).toEqual([]);
  ahead.follow(false);
  forgetWaits();
  expect(reading()).toEqual([]);
});

test('stops when the offline data is cleared, and reads everything in the next pass', async () => {
  const { ahead, cache, read, setResponse, response, anHourLater } = setUp();
  const whole = response();
  setResponse(async (id, options) => {
    if (id === 'b') cache.clear();
    return whole(id, options);
  });
  ahead.follow(true);
  expect(await read()).toEqual(['a', 'b']);
  setResponse(whole);
  anHourLater();
  expect(await read()).toEqual(IDS);
});

test('waits where the service cannot be reached, and goes on as soon as it can', async () => {
  const { ahead, read, setResponse, response, forgetWaits } = setUp();
  const whole = response();
  setResponse(async (id, options) => {
    if (id === 'c') throw new DeskError('service/unreachable', 'lost', { retry: 'later' });
    return whole(id, options);
  });
  ahead.follow(true);
  expect(await read()).toEqual(['a', 'b', 'c']);
  setResponse(whole);
  forgetWaits();
  ahead.reached();
  expect(await read()).toEqual(['c', 'd']);
});

test('reads the other lists if the service fails at one, and stops if it fails at each', async () => {
  const { ahead, read, setResponse, response, anHourLater } = setUp();
  const whole = response();
  let bad = 'b';
  setResponse(async (id, options) => {
    if (bad.includes(id)) throw new DeskError('service/failed', 'a bug', { retry: 'later' });
    return whole(id, options);
  });
  ahead.follow(true);
  expect(await read()).toEqual(IDS);
  anHourLater();
  expect(await read()).toEqual(['b']);
  bad = IDS.join('');
  anHourLater(8 * DAY_MS);
  expect((await read()).length).toBeLessThan(IDS.length);
});

test('reads all other lists in time if the service always fails at several in a row', async () => {
  const { ahead, read, setProtocols, setResponse, response, anHourLater } = setUp();
  const whole = response();
  setProtocols([...IDS, 'e']);
  setResponse(async (id, options) => {
    if ('bcd'.includes(id)) throw new DeskError('service/failed', 'a bug', { retry: 'later' });
    return whole(id, options);
  });
  ahead.follow(true);
  expect(await read()).toEqual(['a', 'b', 'c', 'd']);
  anHourLater();
  expect(await read()).toEqual(['e', 'b', 'c', 'd']);
});

test('reads the lists of protocols although the service has failed at that of projects each time', async () => {
  const { ahead, read, setProjects, anHourLater } = setUp();
  setProjects(async () => {
    throw new DeskError('service/failed', 'a bug', { retry: 'later' });
  });
  ahead.follow(true);
  expect(await read()).toEqual(IDS);
  for (let pass = 0; pass < 3; pass += 1) {
    anHourLater();
    expect(await read()).toEqual([]);
  }
  anHourLater(8 * DAY_MS);
  expect(await read()).toEqual(IDS);
});

test('reads the lists of protocols although the user may not read that of projects', async () => {
  const { ahead, read, setProjects } = setUp();
  setProjects(async () => {
    throw new DeskError('service/forbidden', 'no projects');
  });
  ahead.follow(true);
  expect(await read()).toEqual(IDS);
});

test('reads the list of projects although the user may not read that of protocols', async () => {
  const { ahead, cache, read, refuseProtocols } = setUp();
  refuseProtocols();
  ahead.follow(true);
  expect(await read()).toEqual([]);
  expect(cache.readAs('connection', 'projects/')).toMatchObject({ missing: 0 });
});

test('reads the lists of protocols although the clock is set back while the protocols are read', async () => {
  const { ahead, read, setBackAtListing } = setUp();
  setBackAtListing(60_000);
  ahead.follow(true);
  expect(await read()).toEqual(IDS);
});

const assignmentsOf = (...ids: readonly string[]) => {
  const Items = ids.map((AssignmentId) => ({
    ...{ AssignmentId, FacilityId: '', AssignmentStatus: 'PENDING', FirstName: '', LastName: '', Performer: '' },
    ...{ Address: `Street ${AssignmentId}`, City: '', StartTime: 1 },
  }));
  return { value: { Items, Count: ids.length, TotalCount: ids.length, CurrentPage: 1 }, unreadable: 0 };
};
const knownIn = (cache: Cache): readonly string[] =>
  cache
    .findAssignments('connection', 'street', { offset: 0, limit: 100 })
    .Items.map((item) => item.AssignmentId)
    .toSorted();

test('forgets the assignments of protocols that the service lists no more, but not their names', async () => {
  const { ahead, cache, read, setResponse, setProtocols, anHourLater } = setUp();
  setResponse(async (id) => assignmentsOf(`in ${id}`, 'in all'));
  ahead.follow(true);
  expect(await read()).toEqual(IDS);
  expect(knownIn(cache)).toEqual(['in a', 'in all', 'in b', 'in c', 'in d']);
  // The stored list of protocols is an hour old and still counts, so it is not read again.
  setProtocols(['a', 'c']);
  anHourLater();
  await read();
  expect(knownIn(cache)).toHaveLength(5);
  anHourLater(DAY_MS + 1);
  await read();
  expect(knownIn(cache)).toEqual(['in a', 'in all', 'in c']);
  expect(cache.nameOf('connection', 'in b')).toBe('Street in b');
  // A protocol that is listed again is read again. An empty list removes nothing, because it may be a fault of the
  // service.
  setProtocols(['b']);
  anHourLater(DAY_MS + 1);
  expect(await read()).toEqual(['b']);
  expect(knownIn(cache)).toEqual(['in all', 'in b']);
  setProtocols([]);
  anHourLater(DAY_MS + 1);
  await read();
  expect(knownIn(cache)).toEqual(['in all', 'in b']);
});

test('reads the lists of counties again that were read before', async () => {
  const { ahead, cache, read, setProjects, anHourLater } = setUp();
  const inCounty = assignmentsOf('done', 'open');
  const begun = cache.beginRequest('connection');
  await cache.putResponse(begun, 'projects/Vestland', { ...inCounty, source: 'service', fetchedAtMs: 1 });
  setProjects(async ({ County } = {}) => {
    if (County === undefined) return assignmentsOf();
    return assignmentsOf('open');
  });
  ahead.follow(true);
  await read();
  expect(knownIn(cache)).toEqual(['open']);
  setProjects(async ({ County } = {}) => {
    if (County === undefined) return assignmentsOf();
    throw new DeskError('service/not-found', 'there is no such county');
  });
  anHourLater(2 * DAY_MS);
  await read();
  expect(knownIn(cache)).toEqual(['open']);
});
