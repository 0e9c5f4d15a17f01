import { expect, it } from 'vitest';
import { hoursChoice, withChoice } from './hours-choice.tsx';

const times = { from: '20:00', to: '06:00' };
const days = [5, 4, 3, 2, 1];

it.each([
  { hours: [], choice: 'always' },
  { hours: [times], choice: 'between' },
  { hours: [{ ...times, days }], choice: 'workingDays' },
  { hours: [{ ...times, days: [6] }], choice: 'special' },
  { hours: [times, { from: '12:00', to: '13:00' }], choice: 'special' },
])('shows $hours as "$choice"', ({ hours, choice }) => expect(hoursChoice(hours)).toBe(choice));

it('keeps the times from choice to choice, and offers the evening where there are none', () => {
  expect(withChoice([times], 'workingDays')).toEqual([{ ...times, days: [1, 2, 3, 4, 5] }]);
  expect(withChoice([{ ...times, days }], 'between')).toEqual([times]);
  expect(withChoice([], 'between')).toEqual([{ from: '18:00', to: '07:00' }]);
  expect(withChoice([times], 'always')).toEqual([]);
});

it('keeps hours that it cannot show until another choice is made', () => {
  const special = [{ ...times, days: [6] }, times];
  expect(withChoice(special, 'special')).toBe(special);
  expect(withChoice(special, 'between')).toEqual([times]);
});
