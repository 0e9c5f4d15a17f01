/** Creates the first bytes of picture files, which contain the size of the picture. */

/** Returns a PNG file of this size without its data. */
export const png = (width: number, height: number): Buffer => {
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR', 'latin1'), size]);
};
/** Returns a JPEG file of this size without its data, with a segment and a fill byte before its frame header. */
export const jpeg = (width: number, height: number): Buffer =>
  Buffer.from([
    ...[0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2],
    ...[0xff, 0xff, 0xc2, 0, 11, 8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0],
  ]);

/**
 * Returns the JPEG `bytes` with Exif data of either byte order, which has an `orientation` (Exif 2.3, 4.6.4) and, if it
 * is given, `thumbnail`.
 */
export const withExif = (
  bytes: Buffer,
  { isLittle, orientation, thumbnail }: { isLittle: boolean; orientation: number; thumbnail?: Buffer },
): Buffer => {
  const number = (value: number, size: 2 | 4): Buffer => {
    const part = Buffer.alloc(size);
    if (isLittle) part.writeUIntLE(value, 0, size);
    else part.writeUIntBE(value, 0, size);
    return part;
  };
  const entry = (tag: number, type: number, value: Buffer): Buffer[] => [
    ...[number(tag, 2), number(type, 2), number(1, 4), value, Buffer.alloc(4 - value.length)],
  ];
  // The first directory, with one entry, has 18 bytes, and the second, with two entries, 30.
  const first = [number(1, 2), ...entry(0x0112, 3, number(orientation, 2)), number(thumbnail ? 26 : 0, 4)];
  const second = thumbnail && [
    ...[
      number(2, 2),
      ...entry(0x0201, 4, number(56, 4)),
      ...entry(0x0202, 4, number(thumbnail.length, 4)),
      number(0, 4),
    ],
    thumbnail,
  ];
  const start = [Buffer.from(`Exif\0\0${isLittle ? 'II' : 'MM'}`, 'latin1'), number(42, 2), number(8, 4)];
  const content = Buffer.concat([...start, ...first, ...(second ?? [])]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(content.length + 2);
  return Buffer.concat([bytes.subarray(0, 2), Buffer.from([0xff, 0xe1]), length, content, bytes.subarray(2)]);
};
