import { expect, test } from 'vitest';
import { formatSize } from './size.ts';

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [980, '980 bytes'],
  [999, '999 bytes'],
  [1_000, '1 kB'],
  [1_449, '1.4 kB'],
  [999_499, '999 kB'],
  [999_500, '1 MB'],
  [23_400_000_000, '23 GB'],
  [5_000_000_000_000_000, '5,000 TB'],
])('%i bytes are %s', (bytes, words) => expect(formatSize(bytes, 'en')).toBe(words));

test('a size is written as its locale writes it', () => {
  expect(formatSize(1_449, 'sv').replace('\u00a0', ' ')).toBe('1,4 kB');
  expect(formatSize(980, 'de')).toBe('980 Byte');
});
