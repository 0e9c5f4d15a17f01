// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Snapshot } from '../../contract/app.ts';
import { DeskError } from '../../contract/errors.ts';
import { createFakeBridge, emptySnapshot } from '../testing/fake-bridge.ts';
import { createAppStore, createDeskClient, createViewsStore, followDesk, type Place } from './store.tsx';

/** The key of the service of `emptySnapshot`. The settings of existing installations contain keys of this form. */
const service = 'https://one.example https://one.example c';

/**
 * Creates the store of a window whose main has stored `views`, and records the values that the window sends to main.
 */
const following = async (views: Snapshot['views'] = {}, takesThem = true) => {
  const told: unknown[] = [];
  const { bridge, emit } = createFakeBridge({
    app: { snapshot: () => ({ ...emptySnapshot, views }) },
    view: {
      remember: (view) => {
        told.push(view);
        if (!takesThem) throw new DeskError('data/unwritable', 'full');
      },
    },
  });
  const desk = createDeskClient(bridge);
  const store = createAppStore(desk);
  const remembered = createViewsStore(desk, store);
  followDesk(store, desk);
  await store.getState().synchronise();
  return { store, views: remembered, told, emit, settled: () => vi.advanceTimersByTimeAsync(1000) };
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('has what main remembered with the first snapshot, and writes none of it back', async () => {
  const { store, views, told, settled } = await following({
    place: { service, place: { name: 'assignments' } },
    'table.assignments': { by: 'City', descending: true },
  });
  expect(views.getState()['table.assignments']).toEqual({ by: 'City', descending: true });
  expect(store.getState().history.place).toEqual({ name: 'assignments' });
  await settled();
  expect(told).toEqual([]);
});

it('writes the last of many changes, once they have settled', async () => {
  const { views, told, settled } = await following();
  for (const City of [20, 21, 22]) views.setState({ 'table.files': { City } });
  expect(told).toEqual([]);
  await settled();
  expect(told).toEqual([{ key: 'table.files', value: { City: 22 } }]);
});

it('writes the place, and nothing twice', async () => {
  const { store, views, told, settled } = await following();
  store.getState().open({ name: 'assignments' });
  await settled();
  expect(told).toMatchObject([{ key: 'place', value: { place: { name: 'assignments' } } }]);
  views.setState({ 'table.assignments': null });
  await settled();
  expect(told.slice(1)).toEqual([{ key: 'table.assignments', value: null }]);
});

it('writes at once when the window is left', async () => {
  const { store, told } = await following();
  store.getState().open({ name: 'uploads' });
  dispatchEvent(new Event('pagehide'));
  expect(told).toHaveLength(1);
});

it('continues after a refusal', async () => {
  const { store, told, settled } = await following({}, false);
  store.getState().open({ name: 'assignments' });
  await settled();
  store.getState().open({ name: 'uploads' });
  await settled();
  expect(told).toHaveLength(2);
});

it('writes a value that was refused with the next change', async () => {
  const { store, views, told, settled } = await following({}, false);
  views.setState({ 'table.files': { City: 20 } });
  await settled();
  store.getState().open({ name: 'uploads' });
  await settled();
  expect(told.slice(1)).toContainEqual({ key: 'table.files', value: { City: 20 } });
});

describe('the last place', () => {
  const protocol = (Address: string): Place => ({
    name: 'protocol',
    protocol: {
      Address,
      City: 'C',
      ZipCode: 'Z',
      FacilityId: 'F',
      InspectionProtocolId: 'p',
      InspectionDate: 1,
      Points: 2,
    },
  });
  /** The place of a window in the next run of the app, after `place` was opened in this one. */
  const reopened = async (place: Place) => {
    const { store, told } = await following();
    store.getState().open(place);
    dispatchEvent(new Event('pagehide'));
    const [view] = told as readonly { readonly value: Snapshot['views'][string] }[];
    return (await following(view && { place: view.value })).store.getState().history.place;
  };

  it.each<Place>([
    { name: 'overview' },
    { name: 'protocols', text: 'Harbour' },
    { name: 'assignments', filter: { text: '', open: false, projects: true, group: 'overdue' } },
    protocol('Harbour Road 1'),
    { name: 'assignment', AssignmentId: 'a' },
    { name: 'batch', batch: 'b' },
  ])('comes back: %o', async (place) => {
    expect(await reopened(place)).toEqual(place);
  });

  it('falls back to the list if the place is too large', async () => {
    expect(await reopened(protocol('x'.repeat(10_000)))).toEqual({ name: 'protocols' });
  });

  it.each([
    [
      'is dropped at another service',
      { service: 'https://two.example https://two.example c', place: { name: 'overview' } },
    ],
    ['ignores what does not parse', { service, place: { name: 'nowhere' } }],
  ])('%s', async (_, place) => {
    const { store } = await following({ place });
    expect(store.getState().history).toEqual({ back: [], place: { name: 'protocols' }, forward: [] });
  });
});

describe('the end of a session', () => {
  const reason = { code: 'auth/expired', message: '', retry: 'never', details: {} } as const;

  it('is remembered until the next session', async () => {
    const { views, emit } = await following();
    const ended = () => views.getState()['session.ended'];
    emit({ revision: 2, type: 'session', value: { state: 'signed-out' } });
    expect(ended()).toBeUndefined();
    emit({ revision: 3, type: 'session', value: { state: 'signed-out', reason } });
    emit({ revision: 4, type: 'session', value: { state: 'waiting', expiresAtMs: 1 } });
    emit({ revision: 5, type: 'session', value: { state: 'signed-out' } });
    expect(ended()).toBe(service);
    emit({ revision: 6, type: 'session', value: { state: 'signed-in' } });
    expect(ended()).toBeNull();
  });
});
