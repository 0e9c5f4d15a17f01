/** Names that every file system and storage takes: no character, word or length that one of them refuses. */

/** What Windows refuses in a name, and what could end a line in a header or a listing. */
const FORBIDDEN = /[\p{Cc}\p{Zl}\p{Zp}<>:"/\\|?*]/gu;

/** Devices of Windows, which takes no file called so, whatever its extension. */
const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$) *(?:\.|$)/i;

/** What Windows drops from the end of a name. */
const TRAILING = /[. ]+$/;

/** As file systems and storages count a name's length. */
const LONGEST_BYTES = 255;

/** An ending longer than this is no extension but a part of the name with a dot in it. */
const LONGEST_EXTENSION_BYTES = 32;

const lengthBytes = (text: string): number => Buffer.byteLength(text);

/** Whether Windows reads the name as a device. */
export const isReserved = (name: string): boolean => DEVICE.test(name);
/** Whether the name has more than 255 bytes of UTF-8. */
export const isTooLong = (name: string): boolean => lengthBytes(name) > LONGEST_BYTES;

/** `text`, a name or a part of one, in NFC and without characters that may be refused. */
export const safeCharacters = (text: string): string => text.toWellFormed().normalize('NFC').replaceAll(FORBIDDEN, '_');

/** A base name as stem and extension (with its dot; empty where there is none). */
export const splitExtension = (base: string): readonly [stem: string, extension: string] => {
  const trimmed = base.replace(TRAILING, '');
  const dot = trimmed.lastIndexOf('.');
  const extension = trimmed.slice(dot);
  return dot > 0 && lengthBytes(extension) <= LONGEST_EXTENSION_BYTES
    ? [trimmed.slice(0, dot), extension]
    : [trimmed, ''];
};

/**
 * `stem` and `tail` (a number, an extension) as one name. What is too long is cut from the stem, between letters as
 * people see them, so that the tail stays.
 */
export const joinName = (stem: string, tail: string): string => {
  const device = DEVICE.exec(`${stem}${tail}`)?.[1];
  const allowed = device === undefined ? stem : `${device}_${stem.slice(device.length)}`;
  const name = `${shorten(allowed, LONGEST_BYTES - lengthBytes(tail))}${tail}`.replace(TRAILING, '');
  return name === tail ? `_${tail}` : name;
};

const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });

const shorten = (text: string, roomBytes: number): string => {
  if (lengthBytes(text) <= roomBytes) return text;
  const cut = fitting(
    Array.from(letters.segment(text), ({ segment }) => segment),
    roomBytes,
  );
  // A letter may be longer than a name, with as many accents.
  return cut === '' ? fitting(text, roomBytes) : cut;
};

/** As many of `parts`, from the first on, as there is room for. */
const fitting = (parts: Iterable<string>, roomBytes: number): string => {
  let text = '';
  let room = roomBytes;
  for (const part of parts) {
    room -= lengthBytes(part);
    if (room < 0) break;
    text += part;
  }
  return text;
};
