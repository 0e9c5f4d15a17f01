import { expect, test } from 'vitest';
import { serviceTimeMs, timeUnitOf } from './service-time.ts';

test.each([
  [1_735_689_600, 'auto', 1_735_689_600_000],
  [1_735_689_600_000, 'auto', 1_735_689_600_000],
  [-86_400, 'auto', -86_400_000],
  [1_735_689_600, 'milliseconds', 1_735_689_600],
  [173_568_960_000, 'seconds', 173_568_960_000_000],
] as const)('%d, read as %s, is %d ms', (raw, base, ms) => {
  expect(serviceTimeMs(raw, base)).toBe(ms);
});

test('tells seconds from milliseconds at 1e11', () => {
  expect(timeUnitOf(1e11 - 1, 'auto')).toBe('seconds');
  expect(timeUnitOf(1e11, 'auto')).toBe('milliseconds');
});
