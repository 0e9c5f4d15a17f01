import { expect, test } from 'vitest';
import { pictureSize, thumbnailIn } from './picture.ts';
import { jpeg, png, withExif } from './testing/pictures.ts';

test('a picture is a PNG or JPEG file, by its content', () => {
  expect(pictureSize(png(300, 200))).toEqual({ type: 'image/png', width: 300, height: 200 });
  expect(pictureSize(jpeg(300, 200))).toEqual({ type: 'image/jpeg', width: 300, height: 200 });
  for (const bytes of [Buffer.from('<svg onload="x">'), Buffer.from('GIF89a'), png(0, 1), png(3, 2).subarray(0, 20)])
    expect(pictureSize(bytes)).toBeUndefined();
  for (let length = 0; length < 16; length += 1) expect(pictureSize(jpeg(3, 2).subarray(0, length))).toBeUndefined();
});

test('the thumbnail of a JPEG has the orientation of the picture', () => {
  const thumbnail = jpeg(160, 120);
  for (const isLittle of [true, false]) {
    const found = thumbnailIn(withExif(jpeg(4_000, 3_000), { isLittle, orientation: 6, thumbnail }));
    expect(found).toEqual(withExif(thumbnail, { isLittle: false, orientation: 6 }));
  }
});

test('a JPEG without a thumbnail has none, and of Exif data that is cut off or wrong nothing but a JPEG is taken', () => {
  const whole = withExif(jpeg(4_000, 3_000), { isLittle: true, orientation: 1, thumbnail: jpeg(160, 120) });
  for (const bytes of [png(3, 2), jpeg(3, 2), withExif(jpeg(3, 2), { isLittle: true, orientation: 1 })])
    expect(thumbnailIn(bytes)).toBeUndefined();
  for (let at = 0; at < 92; at += 1) {
    const wrong = Buffer.from(whole);
    wrong[at] = 255;
    for (const bytes of [whole.subarray(0, at), wrong]) {
      const found = thumbnailIn(bytes);
      if (found) expect(pictureSize(found)?.type).toBe('image/jpeg');
    }
  }
  expect(thumbnailIn(whole.subarray(0, 60))).toBeUndefined();
});
