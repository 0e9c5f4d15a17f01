/**
 * Recognises pictures and PDFs by their headers, without decoding them. Decoding hostile files is left to Chromium's
 * sandbox and to viewers.
 */

export type PictureType = 'image/png' | 'image/jpeg';

export const dataUrl = (type: PictureType, bytes: Buffer): string => `data:${type};base64,${bytes.toString('base64')}`;

/** PDF viewers accept the header of a PDF anywhere in this number of bytes at the start of a file. */
const PDF_START_BYTES = 1_024;

export const isPdf = (bytes: Buffer): boolean => bytes.subarray(0, PDF_START_BYTES).includes('%PDF-');

/** Reads the type, and the size in pixels, from the header of a PNG or JPEG; undefined if the header is not valid. */
export const pictureSize = (
  bytes: Buffer,
): { readonly type: PictureType; readonly width: number; readonly height: number } | undefined =>
  bytes.subarray(0, PNG_START.length).equals(PNG_START) ? pngSize(bytes) : jpegSize(bytes);

/** The signature of a PNG file, and the length and type of its first chunk (PNG specification, 5.2, 5.3 and 11.2.1). */
const PNG_START = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR', 'latin1');

const pngSize = (bytes: Buffer) => {
  if (bytes.length < PNG_START.length + 8) return undefined;
  const [width, height] = [bytes.readUInt32BE(PNG_START.length), bytes.readUInt32BE(PNG_START.length + 4)];
  return width > 0 && height > 0 ? { type: 'image/png' as const, width, height } : undefined;
};

/**
 * Whether a marker starts a frame header: SOF0 to SOF15 (ITU-T T.81, table B.1), without the three markers in that
 * range that mean something else.
 */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

const jpegSize = (bytes: Buffer) => {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  // Each segment has a marker of two bytes, a length of two bytes that does not count the marker, and its content.
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    // Any number of fill bytes can precede a marker (ITU-T T.81, B.1.1.2).
    while (bytes[at + 1] === 0xff) at += 1;
    if (at + 9 > bytes.length) return undefined;
    if (!isFrame(bytes[at + 1] ?? 0)) continue;
    const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)];
    return width > 0 && height > 0 ? { type: 'image/jpeg' as const, width, height } : undefined;
  }
  return undefined;
};
