import { expect, test } from 'vitest';
import { isOwnedBy, isSameUser } from './owner.ts';

test.each([
  ['ani', 'ani', true],
  ['ani', 'bo', false],
  ['ani', undefined, true],
  [undefined, 'bo', true],
  [undefined, undefined, true],
])('%s and %s: may be the same user: %s', (one, other, expected) => {
  expect(isSameUser({ subject: one }, { subject: other })).toBe(expected);
  expect(isSameUser({ subject: other }, { subject: one })).toBe(expected);
});

test('nothing is owned across connections', () => {
  expect(isOwnedBy({ connectionId: 'a', subject: 'ani' }, { connectionId: 'b', subject: 'ani' })).toBe(false);
  expect(isOwnedBy({ connectionId: 'a', subject: 'ani' }, { connectionId: 'a' })).toBe(true);
});
