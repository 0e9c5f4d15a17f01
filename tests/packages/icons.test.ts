/** The icons for each system, in the sizes that it needs. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { icnsTypes, icoSizesPx } from '../../scripts/icon-files.mjs';

const read = (name: string): Buffer => readFileSync(new URL(`../../build/${name}`, import.meta.url));

/** Returns the width and the height in the header of a PNG. */
const sizeOf = (png: Buffer): readonly number[] => {
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
};

test('icon.ico has each size of Windows', () => {
  const ico = read('icon.ico');
  const sizes = Array.from({ length: ico.readUInt16LE(4) }, (_, index) => {
    const entry = ico.subarray(6 + index * 16);
    const start = entry.readUInt32LE(12);
    return sizeOf(ico.subarray(start, start + entry.readUInt32LE(8)));
  });
  expect(sizes).toEqual(icoSizesPx.map((size) => [size, size]));
});

test('icon.icns has each type of macOS', () => {
  const icns = read('icon.icns');
  expect(icns.readUInt32BE(4)).toBe(icns.length);
  const sizes: Record<string, readonly number[]> = {};
  for (let at = 8; at < icns.length; at += icns.readUInt32BE(at + 4))
    sizes[icns.subarray(at, at + 4).toString()] = sizeOf(icns.subarray(at + 8));
  expect(sizes).toEqual(Object.fromEntries(Object.entries(icnsTypes).map(([type, size]) => [type, [size, size]])));
});
