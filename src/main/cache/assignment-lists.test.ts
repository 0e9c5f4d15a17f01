import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DeskError } from '../../contract/errors.ts';
import type { ListProgress } from '../../contract/offline.ts';
import { createReadAhead } from './assignment-lists.ts';
import { openCache } from './cache.ts';
import type { ServiceReads } from './reader.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const IDS = ['a', 'b', 'c', 'd'];

/** Reading ahead of a service with the protocols `IDS`. Waits of an hour last until the next `anHourLater`. */
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
  const ahead = createReadAhead({
    cache,
    connectionId: 'connection',
    now: () => nowMs,
    isBusy: () => isBusy,
    service: {
      listProtocols: async () => {
        onListing();
        const Items = IDS.map((InspectionProtocolId) => ({
          Address: '',
          City: '',
          ZipCode: '',
          FacilityId: '',
          InspectionDate: 1,
          Points: 0,
          InspectionProtocolId,
        }));
        return { value: { Items, Count: IDS.length, TotalCount: IDS.length, CurrentPage: 1 }, unreadable: 0 };
      },
      listProjectAssignments: async () => ({
        value: { Items: [], Count: 0, TotalCount: 0, CurrentPage: 1 },
        unreadable: 0,
      }),
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
    told,
    /** The lists that have been read since the last call, once nothing more is read. */
    read: async (): Promise<readonly string[]> => {
      await expect.poll(() => waits.length).toBe(1);
      return listed.splice(0);
    },
    reading: () => listed,
    anHourLater: (laterMs = HOUR_MS): void => {
      nowMs += laterMs;
      for (const end of waits.splice(0)) end();
    },
    /** The clock is set back while the list of protocols is read. */
    setBackAtListing: (byMs: number): void => {
      onListing = () => {
        nowMs -= byMs;
        onListing = () => {};
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
  // Everything available offline is being read.
  setBusy(true);
  anHourLater(8 * DAY_MS);
  expect(await read()).toEqual([]);
  ahead.follow(false);
  forgetWaits();
  expect(reading()).toEqual([]);
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

test('reads the lists of protocols although the clock is set back while the protocols are read', async () => {
  const { ahead, read, setBackAtListing } = setUp();
  setBackAtListing(60_000);
  ahead.follow(true);
  expect(await read()).toEqual(IDS);
});
