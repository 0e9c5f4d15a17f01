import { describe, expect, it } from 'vitest';
import {
  keptPlaces,
  opened,
  type Place,
  readLastPlace,
  startHistory,
  steppedBack,
  steppedForward,
  toLastPlace,
} from './store.tsx';

const uploads: Place = { name: 'uploads' };
const settings: Place = { name: 'settings' };
const batch: Place = { name: 'batch', batch: 'b1' };

describe('history', () => {
  it('goes back and forward again', () => {
    const there = [uploads, batch].reduce(opened, startHistory);
    expect(steppedBack(there).place).toBe(uploads);
    expect(steppedBack(steppedBack(there)).place).toEqual({ name: 'protocols' });
    expect(steppedForward(steppedBack(there)).place).toBe(batch);
  });

  it('does not move beyond either end', () => {
    expect(steppedBack(startHistory)).toBe(startHistory);
    expect(steppedForward(startHistory)).toBe(startHistory);
  });

  it('drops the forward steps when another place is opened', () => {
    const there = opened(steppedBack([uploads, batch].reduce(opened, startHistory)), settings);
    expect(there.forward).toEqual([]);
    expect(steppedBack(there).place).toBe(uploads);
  });

  it('adds no step for the current place', () => {
    const once = opened(startHistory, uploads);
    expect(opened(once, { name: 'uploads' }).back).toHaveLength(1);
  });

  it('keeps the nearest places, each once, in an order that navigation does not change', () => {
    const there = [uploads, batch, settings, uploads].reduce(opened, startHistory);
    const names = (count: number, from = there) => keptPlaces(from, count).map(({ name }) => name);
    expect(names(8)).toEqual(['batch', 'protocols', 'settings', 'uploads']);
    expect(names(8, steppedBack(there))).toEqual(names(8));
    expect(names(2)).toEqual(['settings', 'uploads']);
  });
});

const at = (host: string) => ({ baseUrl: host, authUrl: host, clientId: 'c', sample: false });
const here = at('https://one.example');

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

it.each<Place>([
  { name: 'overview' },
  { name: 'protocols', text: 'Harbour' },
  { name: 'assignments', group: 'overdue', projects: true },
  protocol('Harbour Road 1'),
  { name: 'assignment', AssignmentId: 'a' },
  { name: 'batch', batch: 'b' },
])('comes back: %o', (place) => {
  expect(readLastPlace(toLastPlace(place, here), here)).toEqual(JSON.parse(JSON.stringify(place)));
});

it('is dropped at another service', () => {
  expect(readLastPlace(toLastPlace({ name: 'overview' }, here), at('https://two.example'))).toBeUndefined();
});

it('falls back to the list if the place is too large', () => {
  expect(readLastPlace(toLastPlace(protocol('x'.repeat(10_000)), here), here)).toEqual({ name: 'protocols' });
});

it('ignores what does not parse', () => {
  expect(readLastPlace(undefined, here)).toBeUndefined();
  expect(readLastPlace({ service: 'x', place: { name: 'nowhere' } }, here)).toBeUndefined();
});
