import { expect, test } from 'vitest';
import { createGathering } from './gathering.ts';

const gather = () => {
  const given: (readonly number[])[] = [];
  return { ...createGathering<number>((all) => given.push(all)), given };
};
const turn = () => new Promise(setImmediate);

test('what comes in one turn is given away together, in order, and once', async () => {
  const { soon, along, given } = gather();
  along(1);
  soon(2);
  along(3);
  soon(4);
  expect(given).toEqual([]);
  await turn();
  expect(given).toEqual([[1, 2, 3, 4]]);
  soon(5);
  await turn();
  expect(given).toEqual([[1, 2, 3, 4], [5]]);
});

test('what may go along waits for the next that comes soon, or a moment', async () => {
  const { soon, along, given } = gather();
  along(1);
  await turn();
  expect(given).toEqual([]);
  soon(2);
  await turn();
  expect(given).toEqual([[1, 2]]);
  along(3);
  await expect.poll(() => given).toEqual([[1, 2], [3]]);
});
