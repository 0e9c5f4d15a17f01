/** For tests: files as a scan finds them, with their FileNames. */

import type { NamedFile } from '../file-names.ts';
import { fileNameCandidates } from '../file-names.ts';

/** The best FileName of a path. */
export const bestNameOf = (path: string): string => fileNameCandidates(path).next().value;

/** Creates a file that has the first of its possible names. */
export const scanned = (path: string, sizeBytes = 10): NamedFile => ({
  path,
  fileName: bestNameOf(path),
  sizeBytes,
  modifiedMs: 1000.5,
});
