/**
 * Makes a screenshot smaller, with a palette of its most frequent colours and the strongest compression, without
 * filters.
 */
import { crc32, deflateSync } from 'node:zlib';
import type { Page } from '@playwright/test';

type Image = {
  readonly width: number;
  readonly height: number;
  /** The colour of each pixel as 0xRRGGBB. */
  readonly pixels: Uint32Array;
};

const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);

/** Reads a picture with the decoder of the page's browser. */
const decode = async (page: Page, png: Buffer): Promise<Image> => {
  const { width, height, data } = await page.evaluate(async (bytes) => {
    const bitmap = await createImageBitmap(new Blob([bytes]));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    context?.drawImage(bitmap, 0, 0);
    const image = context?.getImageData(0, 0, bitmap.width, bitmap.height);
    return { width: bitmap.width, height: bitmap.height, data: new Uint8Array(image?.data ?? []) };
  }, new Uint8Array(png));
  const bytes = Buffer.from(data);
  return {
    width,
    height,
    pixels: Uint32Array.from({ length: width * height }, (_, at) => bytes.readUIntBE(at * 4, 3)),
  };
};

const distance = (one: number, other: number): number => {
  const part = (shift: number): number => ((one >> shift) & 255) - ((other >> shift) & 255);
  return part(16) ** 2 + part(8) ** 2 + part(0) ** 2;
};

const withPalette = ({ pixels }: Image): { readonly palette: readonly number[]; readonly numbers: Uint8Array } => {
  const counts = new Map<number, number>();
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const palette = [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 256)
    .map(([colour]) => colour);
  const numberOf = new Map(palette.map((colour, number) => [colour, number]));
  for (const colour of counts.keys()) {
    if (numberOf.has(colour)) continue;
    const nearest = palette.reduce(
      (best, other, number) => (distance(colour, other) < distance(colour, palette[best] ?? 0) ? number : best),
      0,
    );
    numberOf.set(colour, nearest);
  }
  return { palette, numbers: Uint8Array.from(pixels, (colour) => numberOf.get(colour) ?? 0) };
};

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
};

/** Resolves to the picture of the page with at most 256 colours. */
export const takeSmallPng = async (page: Page): Promise<Buffer> => {
  const image = await decode(page, await page.screenshot({ animations: 'disabled', caret: 'hide' }));
  const { width, height } = image;
  const { palette, numbers } = withPalette(image);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits per pixel, which are the number of a colour in the palette (colour type 3).
  header.set([8, 3], 8);
  const colours = Buffer.alloc(palette.length * 3);
  for (const [number, colour] of palette.entries()) colours.writeUIntBE(colour, number * 3, 3);
  const lines = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) lines.set(numbers.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  const data = deflateSync(lines, { level: 9, memLevel: 9 });
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', colours),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};
