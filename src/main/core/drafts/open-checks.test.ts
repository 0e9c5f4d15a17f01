import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createOpenChecks, MOST_ROWS } from './open-checks.ts';

/** Nobody can open a link to itself. */
const unopenable = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'inspection-desk-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  symlinkSync('locked.pdf', join(folder, 'locked.pdf'));
  return join(folder, 'locked.pdf');
};

const rowsFrom = (first: number, count: number) => Array.from({ length: count }, (_, at) => ({ rowId: first + at }));

test('rows that were scrolled past are checked when they are looked at again', async () => {
  const locked = unopenable();
  const inView = 50;
  const all = 20 * inView;
  const looked: number[] = [];
  const found = new Map<number, () => void>();
  const checks = createOpenChecks<{ readonly rowId: number }>({
    pathsOf: ({ rowId }) => {
      looked.push(rowId);
      return found.has(rowId) ? [locked] : [];
    },
    onFound: (rowId) => found.get(rowId)?.(),
    onBug: (error) => expect.fail(String(error)),
    signal: new AbortController().signal,
  });
  const whenFound = (rowId: number) => new Promise<void>((resolve) => found.set(rowId, resolve));

  // The row that is checked last: the rows looked at last come first.
  const last = whenFound(all - MOST_ROWS + inView - 1);
  for (let first = 0; first < all; first += inView) checks.look(rowsFrom(first, inView));
  await last;
  expect(looked[0]).toBe(all - inView);
  expect(looked.toSorted((a, b) => a - b)).toEqual(rowsFrom(all - MOST_ROWS, MOST_ROWS).map(({ rowId }) => rowId));
  expect(checks.refusedOf(all - MOST_ROWS + inView - 1)).toBe(1);

  const first = whenFound(0);
  checks.look(rowsFrom(0, inView));
  checks.look(rowsFrom(all - inView, inView));
  await first;
  expect(checks.refusedOf(0)).toBe(1);
  // Nothing is checked twice.
  expect(new Set(looked).size).toBe(looked.length);
});
