import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Bridge } from '../../contract/bridge.ts';
import { mapCalls } from '../../contract/calls.ts';
import { NOTHING_ASKED } from '../../contract/reachability.ts';
import type { Snapshot } from '../../contract/snapshot.ts';
import { createDeskClient } from './desk.ts';
import { keepViews } from './keep-views.ts';
import { createAppStore } from './store.ts';

const snapshot: Snapshot = {
  revision: 1,
  version: '1.2.3',
  connection: { baseUrl: 'https://one.example', authUrl: 'https://one.example', clientId: 'c', sample: false },
  session: { state: 'signed-out' },
  batches: [],
  notices: [],
  reachability: NOTHING_ASKED,
  offline: { state: 'idle', listed: 0, kept: 0, skipped: 0, total: 0, sizeBytes: 0 },
  outbox: [],
  preferences: { appearance: 'system', language: 'system', dateFormat: 'system', concurrency: 4, timeBase: 'auto' },
  views: {},
};

/** A store that keeps its views, and what it told main to remember. */
const keeping = async (answer: 'taken' | 'refused' = 'taken') => {
  const told: unknown[] = [];
  const error = { code: 'data/unwritable', message: 'full', retry: 'never', details: {} } as const;
  const calls = mapCalls((name) => async (input?: unknown) => {
    if (name === 'app.snapshot') return { ok: true as const, value: snapshot };
    told.push(input);
    return answer === 'taken' ? { ok: true as const, value: undefined } : { ok: false as const, error };
  });
  const bridge: Bridge = { calls, onEvent: () => () => {}, adoptDropped: async () => ({ ok: true, value: [] }) };
  const desk = createDeskClient(bridge);
  const store = createAppStore(desk);
  await store.getState().synchronise();
  const stop = keepViews(store, desk);
  return { store, told, stop };
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('addEventListener', vi.fn());
  vi.stubGlobal('removeEventListener', vi.fn());
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('writes the last of many changes, once they have settled', async () => {
  const { store, told } = await keeping();
  for (const City of [20, 21, 22]) store.getState().remember('columns.projects', { City });
  expect(told).toEqual([]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(told).toContainEqual({ key: 'columns.projects', value: { City: 22 } });
  expect(told).toHaveLength(2);
});

it('writes the place, and nothing twice', async () => {
  const { store, told } = await keeping();
  store.getState().open({ name: 'projects' });
  await vi.advanceTimersByTimeAsync(1000);
  expect(told).toMatchObject([{ key: 'place', value: { place: { name: 'projects' } } }]);
  store.getState().remember('sort.projects', null);
  await vi.advanceTimersByTimeAsync(1000);
  expect(told.slice(1)).toEqual([{ key: 'sort.projects', value: null }]);
});

it('writes at once when the window is left', async () => {
  const { store, told } = await keeping();
  store.getState().open({ name: 'uploads' });
  const [, leave] = vi.mocked(addEventListener).mock.calls.find(([name]) => name === 'pagehide') ?? [];
  (leave as () => void)();
  expect(told).toHaveLength(1);
});

it('goes on after a refusal', async () => {
  const { store, told } = await keeping('refused');
  store.getState().open({ name: 'projects' });
  await vi.advanceTimersByTimeAsync(1000);
  store.getState().open({ name: 'uploads' });
  await vi.advanceTimersByTimeAsync(1000);
  expect(told).toHaveLength(2);
});

it('ends', async () => {
  const { store, told, stop } = await keeping();
  store.getState().open({ name: 'projects' });
  stop();
  await vi.advanceTimersByTimeAsync(1000);
  expect(told).toEqual([]);
});
