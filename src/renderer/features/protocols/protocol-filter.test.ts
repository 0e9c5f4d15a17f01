import { expect, it } from 'vitest';
import { countFilters, narrowing, noFilter } from './protocol-filter.ts';

it('a range of days begins at the start of the first and ends with the last, in local time', () => {
  const { fromMs, beforeMs } = narrowing('', { ...noFilter, fromDay: '2026-03-28', toDay: '2026-03-31' });
  expect(fromMs).toBe(new Date(2026, 2, 28).getTime());
  expect(beforeMs).toBe(new Date(2026, 3, 1).getTime());
  expect(narrowing('', { ...noFilter, fromDay: '2026-03-28' })).not.toHaveProperty('beforeMs');
});

it('counts active filters: blank text is none, two days are one range', () => {
  expect(countFilters({ ...noFilter, City: ' ' })).toBe(0);
  const filter = { ...noFilter, City: 'York', fromDay: '2026-03-28', toDay: '2026-03-29', availableOffline: true };
  expect(countFilters(filter)).toBe(3);
});
