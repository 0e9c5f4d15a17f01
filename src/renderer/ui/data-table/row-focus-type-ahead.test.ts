import { expect, it } from 'vitest';
import { findName, typedOn } from './row-focus.ts';
import { listed } from './use-selection.ts';

const names = ['Alby 1', 'Bro 1', 'Bro 2', 'Alby 2', 'Örby 1'];

const find = (typed: string, from: number, loaded = names.length, isWanted = () => true) =>
  findName(
    typed,
    from,
    {
      rows: { ...listed(names), rowAt: (index) => (index < loaded ? names[index] : undefined) },
      nameOf: (name) => name,
    },
    isWanted,
  );

it('finds the next row whose name begins with what was typed, and goes on at the first after the last', async () => {
  expect(await find('b', 0)).toBe(1);
  expect(await find('b', 1)).toBe(2);
  expect(await find('b', 2)).toBe(1);
  expect(await find('ö', 0)).toBe(4);
  expect(await find('x', 0)).toBeUndefined();
});

it('stays on the row while more of its name is typed', async () => {
  expect(await find('bro', 1)).toBe(1);
  expect(await find('bro 2', 1)).toBe(2);
});

it('reads rows that are not in view', async () => {
  expect(await find('örby', 0, 1)).toBe(4);
  expect(await find('alby 2', 4, 1)).toBe(3);
});

it('stops when another key was pressed', async () => {
  expect(await find('b', 0, names.length, () => false)).toBeUndefined();
});

it('takes the same letter again for the next name with it', () => {
  expect(typedOn('', 'b')).toBe('b');
  expect(typedOn('b', 'b')).toBe('b');
  expect(typedOn('b', 'r')).toBe('br');
});
