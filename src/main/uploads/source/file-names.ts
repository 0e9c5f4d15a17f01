/** The FileName each file gets on its assignment: legal everywhere, and unique within a batch. */
import { createHash } from 'node:crypto';
import { type NameTemplate, nameSeparator, ownNameTemplate, type RenameReason } from '../../../contract/names.ts';
import { isReserved, isTooLong, joinName, safeCharacters, splitExtension } from './safe-name.ts';

/** Above this a name is told apart by its path's hash: counting on would take a try for each file that came before. */
const LAST_NUMBER = 20;

/**
 * The names a file may get, best first: what `template` makes of it; then made unique by its folder
 * (`inside - photo.jpg`), by more of its path, by a number, and at last by a hash of its path. `path` is relative to
 * the upload's root, with `/`. They depend on `path` and `template` alone.
 */
export function* fileNameCandidates(path: string, template: NameTemplate = ownNameTemplate): Generator<string, never> {
  const folders = path.split('/').map(safeCharacters);
  const [stem, extension] = splitExtension(folders.pop() ?? '');
  for (let more = 0; more <= folders.length; more += 1)
    yield joinName(expand(template, folders, stem, more), extension);
  const numbered = (number: number | string): string =>
    joinName(expand(template, folders, stem, 0), ` (${number})${extension}`);
  for (let number = 2; number <= LAST_NUMBER; number += 1) yield numbered(number);
  const hash = createHash('sha256').update(path).digest('hex');
  yield numbered(hash.slice(0, 8));
  yield numbered(hash);
  // Only where somebody made files that are called so.
  for (let number = LAST_NUMBER + 1; ; number += 1) yield numbered(number);
}

/** The template with its values; `more` folders than it asks for. */
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

/** What makes two FileNames the same for people and for file systems that ignore case. */
export const fileNameKey = (fileName: string): string =>
  fileName.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');

/** Why the file at `path` is not called on its assignment as it is on disk; undefined where it is. */
export const renameReason = (
  path: string,
  fileName: string,
  template: NameTemplate = ownNameTemplate,
): RenameReason | undefined => {
  const own = path.slice(path.lastIndexOf('/') + 1);
  if (fileName === own) return undefined;
  if (fileName !== best(path, template)) return 'taken';
  if (fileName !== best(path, ownNameTemplate)) return 'template';
  if (fileName === own.normalize('NFC')) return 'composed';
  if (isReserved(own)) return 'reserved';
  return isTooLong(own) ? 'length' : 'characters';
};

const best = (path: string, template: NameTemplate): string => fileNameCandidates(path, template).next().value;
