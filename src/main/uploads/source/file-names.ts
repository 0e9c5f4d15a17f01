/** Proposes FileNames that file systems and storages accept. */
import { createHash } from 'node:crypto';
import { once } from 'es-toolkit/function/once';
import {
  type NameTemplate,
  nameSeparator,
  type OnClash,
  ownNameTemplate,
  type RenameReason,
} from '../../../contract/uploads.ts';
import { baseName } from './paths.ts';
import type { ScannedFile } from './scan.ts';

/**
 * A file with its FileName on the assignment. `isThere`: the file will be skipped, because the assignment has the same
 * content under that name, or will get it from a running upload. `clash`: the name that the file should have is taken
 * by other content. Unless the file is renamed, `fileName` is then the taken name.
 */
export type NamedFile = ScannedFile & { readonly fileName: string; readonly isThere?: true; readonly clash?: Clash };

/** A clash of FileNames. `with`: `this-upload` if the file that has the name belongs to this upload, else `earlier`. */
export type Clash = {
  readonly fileName: string;
  readonly with: 'this-upload' | 'earlier';
  /** The location of the file that has the name, if known. */
  readonly place?: Place | undefined;
  /** When the file that has the name was added to the assignment, in ms since 1970. */
  readonly addedAtMs?: number | undefined;
  /**
   * What happens to the file whose name is taken. It is `replace` only if all files with the name were on the
   * assignment before this upload.
   */
  readonly onClash: OnClash;
};

/** A file on disk: the folder as the user chose it, and the file's path below that folder. */
type Place = { readonly root: string; readonly path: string };

/**
 * The last number that is tried before a hash. With numbers alone, the thousandth file of a name would take a thousand
 * attempts.
 */
const LAST_NUMBER = 20;

/**
 * Yields the names that a file may get, best first: by `template`, with the file's folder (`inside - photo.jpg`), with
 * more of its path, with a number, with a hash of its path, and with a hash of `root` and its path. `path`: below the
 * upload's `root`, with `/` between names.
 */
export function* fileNameCandidates(
  path: string,
  template: NameTemplate = ownNameTemplate,
  root = '',
): Generator<string, never> {
  const folders = path.split('/').filter(Boolean).map(safeCharacters);
  const [stem, extension] = splitExtension(folders.pop() ?? '');
  for (let more = 0; more <= folders.length; more += 1)
    yield joinName(expand(template, folders, stem, more), extension);
  const numbered = (number: number | string): string =>
    joinName(expand(template, folders, stem, 0), ` (${number})${extension}`);
  for (let number = 2; number <= LAST_NUMBER; number += 1) yield numbered(number);
  for (const place of [path, `${root}//${path}`]) {
    const hash = createHash('sha256').update(place).digest('hex');
    yield numbered(hash.slice(0, 8));
    yield numbered(hash);
  }
  // Reached only if other files have all of the names above.
  for (let number = LAST_NUMBER + 1; ; number += 1) yield numbered(number);
}

/** Fills in the template. `more`: how many folders are added to those that the template contains. */
const expand = (template: NameTemplate, folders: readonly string[], name: string, more: number): string => {
  const inFolder = template.includes('{folder}');
  if (inFolder && folders.length === 0) return name;
  const join = (count: number, ...rest: readonly string[]): string =>
    [...folders.slice(folders.length - Math.min(count, folders.length)), ...rest].join(nameSeparator);
  const values: Readonly<Record<string, string>> = {
    path: join(folders.length, name),
    name: inFolder ? name : join(more, name),
    folder: join(1 + more),
  };
  return template.replaceAll(/\{(\w+)\}/g, (text, value: string) => values[value] ?? text);
};

/** A key that is equal for FileNames that differ only in case, or in the Unicode form of letters with accents. */
export const fileNameKey = (fileName: string): string =>
  fileName.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');

/** Why the FileName of the file at `path` differs from its name on disk; undefined if the names are equal. */
export const renameReason = (
  path: string,
  fileName: string,
  template: NameTemplate = ownNameTemplate,
): RenameReason | undefined => {
  const own = baseName(path);
  if (fileName === own) return undefined;
  if (fileName !== best(path, template)) return 'taken';
  if (fileName !== best(path, ownNameTemplate)) return 'template';
  if (fileName === own.normalize('NFC')) return 'composed';
  if (isReserved(own)) return 'reserved';
  return isTooLong(own) ? 'length' : 'characters';
};

const best = (path: string, template: NameTemplate): string => fileNameCandidates(path, template).next().value;

/** Characters that Windows refuses in a name, all control characters, and separators of lines and paragraphs. */
const FORBIDDEN = /[\p{Cc}\p{Zl}\p{Zp}<>:"/\\|?*]/gu;

/** Device names of Windows, which refuses them for files, whatever the extension. */
const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$) *(?:\.|$)/i;

/** Characters that Windows removes from the end of a name. */
const TRAILING = /[. ]+$/;

/** The maximum length of a name in common file systems. */
const LONGEST_BYTES = 255;

/** The maximum length of an extension. A longer ending is part of a name that contains a dot. */
const LONGEST_EXTENSION_BYTES = 32;

const lengthBytes = (text: string): number => Buffer.byteLength(text);

const isReserved = (name: string): boolean => DEVICE.test(name);
export const isTooLong = (name: string): boolean => lengthBytes(name) > LONGEST_BYTES;

/** Converts `text` to NFC, with `_` for each character that file systems may refuse. */
const safeCharacters = (text: string): string => text.toWellFormed().normalize('NFC').replaceAll(FORBIDDEN, '_');

/** Splits a base name into its stem and its extension (with the dot; may be empty). */
const splitExtension = (base: string): readonly [stem: string, extension: string] => {
  const trimmed = base.replace(TRAILING, '');
  const dot = trimmed.lastIndexOf('.');
  const extension = trimmed.slice(dot);
  return dot > 0 && lengthBytes(extension) <= LONGEST_EXTENSION_BYTES
    ? [trimmed.slice(0, dot), extension]
    : [trimmed, ''];
};

/**
 * Joins `stem` and `tail` (a number, an extension) into an allowed name: adds `_` or shortens the stem if necessary.
 */
const joinName = (stem: string, tail: string): string => {
  const device = DEVICE.exec(`${stem}${tail}`)?.[1];
  const allowed = device === undefined ? stem : `${device}_${stem.slice(device.length)}`;
  const name = `${shorten(allowed, LONGEST_BYTES - lengthBytes(tail))}${tail}`.replace(TRAILING, '');
  return name === tail ? `_${tail}` : name;
};

/** Returns the segmenter. It is created on demand: loading ICU's rules takes a few ms, and few names are too long. */
const letters = once(() => new Intl.Segmenter('en', { granularity: 'grapheme' }));

const shorten = (text: string, roomBytes: number): string => {
  if (lengthBytes(text) <= roomBytes) return text;
  const cut = fitting(
    Array.from(letters().segment(text), ({ segment }) => segment),
    roomBytes,
  );
  // A single letter with very many accents may exceed the limit.
  return cut === '' ? fitting(text, roomBytes) : cut;
};

/** Returns as many of the first `parts` as fit into `roomBytes`. */
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
