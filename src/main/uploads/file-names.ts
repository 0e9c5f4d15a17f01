/** The FileName each file gets on its assignment: NFC, and unique within a batch. */

/**
 * The names a file may get, best first: its own; then made unique by its folder (`inside - photo.jpg`), by more of
 * its path, and at last by a number. `path` is relative to the upload's root, with `/`.
 */
export function* fileNameCandidates(path: string): Generator<string, never> {
  const parts = path.normalize('NFC').split('/');
  const base = parts.at(-1) ?? '';
  yield base;
  for (let from = parts.length - 2; from >= 0; from -= 1) yield parts.slice(from).join(' - ');
  const dot = base.lastIndexOf('.');
  const [stem, extension] = dot > 0 ? [base.slice(0, dot), base.slice(dot)] : [base, ''];
  for (let number = 2; ; number += 1) yield `${stem} (${number})${extension}`;
}

/** What makes two FileNames the same for people and for file systems that ignore case. */
export const fileNameKey = (fileName: string): string => fileName.normalize('NFC').toLocaleLowerCase('en');
