import { expect, it } from 'vitest';
import { linePath } from './sparkline.tsx';

it('puts the newest value at the right and the greatest at the top', () => {
  expect(linePath([0, 10, 5], 3, 100, 24)).toBe('M0.0 22.0L50.0 2.0L100.0 12.0');
  expect(linePath([0, 10], 3, 100, 24)).toBe('M50.0 22.0L100.0 2.0');
});

it('draws no line for one value, and zeros at the bottom', () => {
  expect(linePath([7], 60, 100, 24)).toBe('');
  expect(linePath([0, 0], 2, 100, 24)).toBe('M0.0 22.0L100.0 22.0');
});
