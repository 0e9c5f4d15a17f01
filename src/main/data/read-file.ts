/** Reads files that others wrote: regular ones only, a bounded amount, in the encodings that programs of an office write. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { codeOf } from '../async/error-code.ts';

/** Windows has no such flag. */
const NON_BLOCKING = constants.O_NONBLOCK ?? 0;

/**
 * The content of the file at `path`; undefined if there is none. A pipe that nobody writes to, a device or a folder is
 * refused, and so is a file that grows beyond the limit while it is read.
 * @throws Error with the code `ENOTFILE` or `EFBIG`, or the system's
 */
export const readBounded = (path: string, maxBytes: number): Uint8Array<ArrayBuffer> | undefined => {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | NON_BLOCKING);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const found = fstatSync(fd);
    if (!found.isFile()) throw refusal('ENOTFILE', 'not a regular file');
    if (found.size > maxBytes) throw refusal('EFBIG', 'too large');
    const bytes = new Uint8Array(found.size + 1);
    let length = 0;
    for (;;) {
      const read = readSync(fd, bytes, length, bytes.length - length, null);
      length += read;
      if (read === 0) return bytes.subarray(0, length);
      if (length === bytes.length) throw refusal('EFBIG', 'it grew while it was read');
    }
  } finally {
    closeSync(fd);
  }
};

const refusal = (code: string, message: string): Error => Object.assign(new Error(message), { code });

const UTF_16_LE = [0xff, 0xfe];
const UTF_16_BE = [0xfe, 0xff];

/**
 * The text of a file as spreadsheets, editors and PowerShell save it, without its byte order mark: UTF-8, UTF-16 with such a
 * mark, or else in the code page of western Windows.
 */
export const decodeText = (bytes: Uint8Array): string => {
  const startsWith = (mark: readonly number[]): boolean => mark.every((byte, at) => bytes[at] === byte);
  if (startsWith(UTF_16_LE)) return new TextDecoder('utf-16le').decode(bytes);
  if (startsWith(UTF_16_BE)) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
};

/** Where the JSON in `text` first has more than `most` levels; undefined if it never has. Takes no stack, unlike what reads it. */
export const beyondLevel = (text: string, most: number): number | undefined => {
  let levels = 0;
  let isText = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (isText && sign === '\\') at += 1;
    else if (sign === '"') isText = !isText;
    else if (isText) continue;
    else if (sign === '{' || sign === '[') levels += 1;
    else if (sign === '}' || sign === ']') levels -= 1;
    if (levels > most) return at;
  }
  return undefined;
};
