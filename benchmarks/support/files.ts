/** Writes folders to upload. */
import { randomFillSync } from 'node:crypto';
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** The number of files in a folder; real folders have some hundreds, too. */
const FOLDER_FILES = 500;
const PART_BYTES = 4 * 1024 * 1024;

/** Writes `count` files of `sizeBytes` below `root`, each with different content. Returns their paths. */
export const writeFiles = (root: string, count: number, sizeBytes: number): readonly string[] => {
  const part = randomFillSync(Buffer.allocUnsafe(Math.min(PART_BYTES, sizeBytes)));
  return Array.from({ length: count }, (_, index) => {
    const folder = join(root, `folder ${Math.floor(index / FOLDER_FILES)}`);
    if (index % FOLDER_FILES === 0) mkdirSync(folder, { recursive: true });
    const path = join(folder, `file-${String(index).padStart(6, '0')}.jpg`);
    const file = openSync(path, 'wx');
    for (let written = 0; written < sizeBytes; written += part.length) {
      part.writeUInt32LE(index);
      part.writeUInt32LE(written / part.length, 4);
      writeSync(file, part, 0, Math.min(part.length, sizeBytes - written));
    }
    closeSync(file);
    return path;
  });
};
