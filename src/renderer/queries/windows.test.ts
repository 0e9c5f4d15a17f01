import { expect, it } from 'vitest';
import type { UploadFile } from '../../contract/upload-files.ts';
import { inWindows, noWindows, rowIn, windowLength, windowsOf, withWindows } from './windows.ts';

const files = (from: number, count: number): readonly UploadFile[] =>
  Array.from({ length: count }, (_, step) => ({
    id: from + step,
    path: `${from + step}.pdf`,
    FileName: `${from + step}.pdf`,
    sizeBytes: 1,
    state: 'queued',
    attempts: 0,
  }));

const windowOf = (number: number) => [number, files(number * windowLength, windowLength)] as const;

it('names the windows that hold what is in view, and what comes into it next', () => {
  expect(windowsOf(0, 0)).toEqual([0]);
  expect(windowsOf(windowLength - 1, windowLength)).toEqual([0, 1]);
  expect(windowsOf(5 * windowLength + 22, 5 * windowLength + 28)).toEqual([5]);
  expect(windowsOf(5 * windowLength, 6 * windowLength - 1)).toEqual([4, 5, 6]);
});

it('cuts what was read at once into its windows', () => {
  const read = files(2 * windowLength, windowLength + 1);
  expect([...inWindows(2, read)]).toEqual([
    [2, read.slice(0, windowLength)],
    [3, read.slice(windowLength)],
  ]);
  expect([...inWindows(2, [])]).toEqual([[2, []]]);
});

it('finds a file in its window, and none where the window is on its way', () => {
  const held = withWindows(noWindows, new Map([windowOf(2)]), 1000);
  expect(rowIn(held, 2 * windowLength + 7)?.id).toBe(2 * windowLength + 7);
  expect(rowIn(held, 0)).toBeUndefined();
});

it('keeps the neighbours of what was answered and lets the others go', () => {
  const all = withWindows(noWindows, new Map([windowOf(0), windowOf(1), windowOf(4)]), 1000);
  const moved = withWindows(all, new Map([windowOf(2)]), 900);
  expect([...moved.windows.keys()].sort()).toEqual([1, 2]);
  expect(moved.total).toBe(900);
});
