// @vitest-environment happy-dom
import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Sparkline } from './sparkline.tsx';

/** Returns the line of `values` as it is drawn. */
const line = (values: readonly number[], length: number) => {
  const { container } = render(<Sparkline values={values} length={length} label="speed" />);
  return container.querySelector('path:last-child')?.getAttribute('d');
};

it('puts the newest value at the right and the greatest at the top', () => {
  expect(line([0, 10, 5], 3)).toBe('M0.0 26.0L60.0 2.0L120.0 14.0');
  expect(line([0, 10], 3)).toBe('M60.0 26.0L120.0 2.0');
});

it('draws no line for one value, and zeros at the bottom', () => {
  expect(line([7], 60)).toBe('');
  expect(line([0, 0], 2)).toBe('M0.0 26.0L120.0 26.0');
});
