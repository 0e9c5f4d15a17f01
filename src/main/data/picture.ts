/**
 * Recognises pictures and PDFs by their headers, and finds thumbnails, without decoding them. Decoding hostile files is
 * left to Chromium's sandbox and to viewers.
 */

export type PictureType = 'image/png' | 'image/jpeg';

export const dataUrl = (type: PictureType, bytes: Buffer): string => `data:${type};base64,${bytes.toString('base64')}`;

/** PDF viewers accept the header of a PDF anywhere in this number of bytes at the start of a file. */
export const PDF_START_BYTES = 1_024;

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
  for (const { marker, content } of jpegSegments(bytes)) {
    if (!isFrame(marker)) continue;
    if (content.length < 5) return undefined;
    const [height, width] = [content.readUInt16BE(1), content.readUInt16BE(3)];
    return width > 0 && height > 0 ? { type: 'image/jpeg' as const, width, height } : undefined;
  }
  return undefined;
};

/** Yields the segments of a JPEG before its first scan, and nothing of another file. */
function* jpegSegments(bytes: Buffer): Generator<{ readonly marker: number; readonly content: Buffer }, void> {
  if (bytes.length < 2 || bytes.readUInt16BE(0) !== 0xffd8) return;
  // Each segment has a marker of two bytes, a length of two bytes that does not count the marker, and its content.
  for (let at = 2; bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    // Any number of fill bytes can precede a marker (ITU-T T.81, B.1.1.2).
    while (bytes[at + 1] === 0xff) at += 1;
    if (at + 4 > bytes.length) return;
    yield { marker: bytes[at + 1] ?? 0, content: bytes.subarray(at + 4, at + 2 + bytes.readUInt16BE(at + 2)) };
  }
}

/** The number of bytes at the start of a JPEG in which its thumbnail is, if there is one. */
export const THUMBNAIL_WITHIN_BYTES = 128 * 1024;

const EXIF_START = Buffer.from('Exif\0\0', 'latin1');
const EXIF_MARKER = 0xe1;

/**
 * Returns the thumbnail that a camera has stored in a JPEG, as a JPEG that is shown as upright as the picture;
 * undefined if there is none. `bytes`: the start of the picture. Source: Exif 2.3, 4.5.5 and 4.6.
 */
export const thumbnailIn = (bytes: Buffer): Buffer | undefined => {
  for (const { marker, content } of jpegSegments(bytes)) {
    if (marker === EXIF_MARKER && content.subarray(0, EXIF_START.length).equals(EXIF_START))
      return thumbnailOf(content.subarray(EXIF_START.length));
  }
  return undefined;
};

const ORIENTATION = 0x0112;
const THUMBNAIL_START = 0x0201;
const THUMBNAIL_LENGTH = 0x0202;

/** An Exif segment with an orientation of 0, and the position of the orientation in it. */
const ORIENTATION_SEGMENT = Buffer.from(
  'ffe10022457869660000 4d4d002a00000008 0001 0112000300000001 00000000 00000000'.replaceAll(' ', ''),
  'hex',
);
const ORIENTATION_AT = 28;

/**
 * `exif`: a TIFF file (TIFF 6.0, section 2), whose first directory is of the picture, and the second of the thumbnail.
 */
const thumbnailOf = (exif: Buffer): Buffer | undefined => {
  const isLittle = exif[0] === 'I'.charCodeAt(0);
  const numberAt = (at: number, size: 2 | 4): number => {
    if (at + size > exif.length) return 0;
    return isLittle ? exif.readUIntLE(at, size) : exif.readUIntBE(at, size);
  };
  /**
   * Returns the value of an entry of the directory at `directory`; 0 without the entry. Its entries have 12 bytes, the
   * last 4 the value.
   */
  const entryOf = (directory: number, tag: number, size: 2 | 4): number => {
    const end = afterEntries(directory);
    for (let entry = directory + 2; entry < end; entry += 12)
      if (numberAt(entry, 2) === tag) return numberAt(entry + 8, size);
    return 0;
  };
  const afterEntries = (directory: number): number => directory + 2 + 12 * numberAt(directory, 2);
  const first = numberAt(4, 4);
  const second = numberAt(afterEntries(first), 4);
  const start = entryOf(second, THUMBNAIL_START, 4);
  const thumbnail = exif.subarray(start, start + entryOf(second, THUMBNAIL_LENGTH, 4));
  if (second === 0 || jpegSize(thumbnail) === undefined) return undefined;
  const orientation = Buffer.from(ORIENTATION_SEGMENT);
  orientation.writeUInt16BE(entryOf(first, ORIENTATION, 2), ORIENTATION_AT);
  return Buffer.concat([thumbnail.subarray(0, 2), orientation, thumbnail.subarray(2)]);
};
