/**
 * Makes a screenshot smaller: a palette of its most frequent colours, and the strongest compression without filters.
 */
import { crc32, deflateSync, inflateSync } from 'node:zlib';

type Image = {
  readonly width: number;
  readonly height: number;
  /** The colour of each pixel as 0xRRGGBB. */
  readonly pixels: Uint32Array;
};

const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);

const chunksOf = (png: Buffer): ReadonlyMap<string, Buffer> => {
  const chunks = new Map<string, Buffer>();
  for (let at = signature.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const data = png.subarray(at + 8, at + 8 + length);
    chunks.set(type, Buffer.concat([chunks.get(type) ?? Buffer.alloc(0), data]));
    at += length + 12;
  }
  return chunks;
};

const paeth = (left: number, up: number, corner: number): number => {
  const guess = left + up - corner;
  const [toLeft, toUp, toCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
};

/**
 * Returns the bytes of the pixels, line by line. In `raw`, each line is filtered, and begins with the number of its
 * filter (PNG, section 9).
 */
const unfilter = (
  raw: Buffer,
  { stride, height, channels }: { readonly stride: number; readonly height: number; readonly channels: number },
): Buffer => {
  const lines = Buffer.alloc(stride * height);
  const at = (x: number, y: number): number => (x < 0 || y < 0 ? 0 : (lines[y * stride + x] ?? 0));
  for (let y = 0; y < height; y += 1) {
    const start = y * (stride + 1);
    for (let x = 0; x < stride; x += 1) {
      const [left, up, corner] = [at(x - channels, y), at(x, y - 1), at(x - channels, y - 1)];
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][raw[start] ?? 0] ?? 0;
      lines[y * stride + x] = (raw[start + 1 + x] ?? 0) + predicted;
    }
  }
  return lines;
};

/** Reads a PNG as Chromium writes it: 8 bits per channel, with or without alpha, not interlaced (PNG, section 11). */
const decode = (png: Buffer): Image => {
  const chunks = chunksOf(png);
  const header = chunks.get('IHDR');
  if (header === undefined) throw new Error('not a PNG');
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const channels = header[9] === 6 ? 4 : 3;
  const raw = inflateSync(chunks.get('IDAT') ?? Buffer.alloc(0));
  const bytes = unfilter(raw, { stride: width * channels, height, channels });
  const pixels = Uint32Array.from({ length: width * height }, (_, pixel) => bytes.readUIntBE(pixel * channels, 3));
  return { width, height, pixels };
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

/** Returns the picture with at most 256 colours. */
export const toSmallPng = (png: Buffer): Buffer => {
  const image = decode(png);
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
