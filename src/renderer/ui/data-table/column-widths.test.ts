import { expect, it } from 'vitest';
import { withBoundaryMoved, withoutWidths } from './column-widths.ts';

const fixed = (id: string, px: number) => ({ id, px, flexible: false });
const flexible = (id: string, px: number) => ({ id, px, flexible: true });

it('takes from one column what it gives to the other', () => {
  const widths = withBoundaryMoved({ Points: 10 }, fixed('City', 200), fixed('Facility', 100), 1000, 30);
  expect(widths).toEqual({ Points: 10, City: 23, Facility: 7 });
});

it('keeps a flexible column flexible', () => {
  expect(withBoundaryMoved({}, flexible('Address', 400), fixed('City', 200), 1000, -50)).toEqual({ City: 25 });
  expect(withBoundaryMoved({}, flexible('Address', 400), flexible('City', 200), 1000, -50)).toEqual({
    Address: 35,
    City: 25,
  });
});

it('keeps both columns wide enough to be read', () => {
  expect(withBoundaryMoved({}, fixed('City', 200), fixed('Facility', 100), 1000, 500).Facility).toBe(6.4);
  expect(withBoundaryMoved({}, fixed('City', 200), fixed('Facility', 100), 1000, -500).City).toBe(6.4);
});

it('lets a column that is too narrow grow but not shrink', () => {
  expect(withBoundaryMoved({}, fixed('City', 40), fixed('Facility', 100), 1000, -10).City).toBe(4);
  expect(withBoundaryMoved({}, fixed('City', 40), fixed('Facility', 100), 1000, 10).City).toBe(5);
});

it('forgets widths', () => {
  expect(withoutWidths({ City: 20, Points: 5 }, ['City', 'Address'])).toEqual({ Points: 5 });
});
