import { expect, it } from 'vitest';
import { readLastPlace, toLastPlace } from './last-place.ts';
import type { Place } from './places.ts';

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
  { name: 'protocols', month: { value: '2026-03', from: 1, before: 2 } },
  { name: 'projects', status: undefined },
  protocol('Harbour Road 1'),
  { name: 'assignment', AssignmentId: 'a', section: 'uploads' },
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
