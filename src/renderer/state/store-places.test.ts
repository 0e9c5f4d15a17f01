import { expect, it } from 'vitest';
import { createFakeBridge } from '../testing/fake-bridge.ts';
import { createAppStore, createDeskClient, keptPlaces, type Place } from './store.tsx';

const uploads: Place = { name: 'uploads' };
const settings: Place = { name: 'settings' };
const batch: Place = { name: 'batch', batch: 'b1' };

/** The history of a window in which `places` were opened one after another, and the functions that move in it. */
const visited = (...places: readonly Place[]) => {
  const store = createAppStore(createDeskClient(createFakeBridge({}).bridge));
  const { open, back, forward } = store.getState();
  for (const place of places) open(place);
  const history = () => store.getState().history;
  return { open, back, forward, history, place: () => history().place };
};

it('goes back and forward again', () => {
  const { back, forward, place } = visited(uploads, batch);
  back();
  expect(place()).toBe(uploads);
  back();
  expect(place()).toEqual({ name: 'protocols' });
  forward();
  forward();
  expect(place()).toBe(batch);
});

it('does not move beyond either end', () => {
  const { back, forward, history } = visited();
  const start = history();
  back();
  forward();
  expect(history()).toEqual(start);
});

it('drops the forward steps when another place is opened', () => {
  const { open, back, history, place } = visited(uploads, batch);
  back();
  open(settings);
  expect(history().forward).toEqual([]);
  back();
  expect(place()).toBe(uploads);
});

it('adds no step for the current place', () => {
  expect(visited(uploads, { name: 'uploads' }).history().back).toHaveLength(1);
});

it('keeps the nearest places, each once, in an order that navigation does not change', () => {
  const { back, history } = visited(uploads, batch, settings, uploads);
  const names = (count: number) => keptPlaces(history(), count).map(({ name }) => name);
  expect(names(2)).toEqual(['settings', 'uploads']);
  expect(names(8)).toEqual(['batch', 'protocols', 'settings', 'uploads']);
  back();
  expect(names(8)).toEqual(['batch', 'protocols', 'settings', 'uploads']);
});
