import { expect, it } from 'vitest';
import { windowAround } from './window.ts';

it('holds the rows in view and those near them, in whole steps', () => {
  expect(windowAround(0, 0)).toEqual({ offset: 0, limit: 50 });
  expect(windowAround(0, 29)).toEqual({ offset: 0, limit: 50 });
  expect(windowAround(0, 30)).toEqual({ offset: 0, limit: 100 });
  expect(windowAround(70, 120)).toEqual({ offset: 50, limit: 100 });
  expect(windowAround(69, 90)).toEqual({ offset: 0, limit: 150 });
  expect(windowAround(420, 440)).toEqual({ offset: 400, limit: 100 });
});

it('is the same while a few rows are scrolled', () => {
  expect(windowAround(75, 100)).toEqual(windowAround(85, 110));
});
