import { expect, test } from 'vitest';
import { pictureSize } from './picture.ts';
import { jpeg, png } from './testing/pictures.ts';

test('a picture is a PNG or JPEG file, by its content', () => {
  expect(pictureSize(png(300, 200))).toEqual({ type: 'image/png', width: 300, height: 200 });
  expect(pictureSize(jpeg(300, 200))).toEqual({ type: 'image/jpeg', width: 300, height: 200 });
  for (const bytes of [Buffer.from('<svg onload="x">'), Buffer.from('GIF89a'), png(0, 1), png(3, 2).subarray(0, 20)])
    expect(pictureSize(bytes)).toBeUndefined();
  for (let length = 0; length < 16; length += 1) expect(pictureSize(jpeg(3, 2).subarray(0, length))).toBeUndefined();
});
