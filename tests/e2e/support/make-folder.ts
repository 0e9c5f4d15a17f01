import { createHash, randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const names = ['photo', 'certificate å', 'rapport no. 1', 'façade 🏠', 'Überblick'];
const folders = ['', 'floor 1', 'floor 1/kitchen', 'fløy B'];

/** Writes `count` different files into `folder` and its subfolders, and returns their sorted SHA-256 hashes. */
export const makeFolder = async (folder: string, count: number): Promise<readonly string[]> => {
  const hashes: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const path = join(folder, folders[index % folders.length] ?? '', `${names[index % names.length]} ${index}.jpg`);
    // Never a single byte: of two folders, one file in 256 would be the same, and is not sent a second time.
    const bytes = randomBytes(16 + ((index * 997) % 40_000));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
    hashes.push(createHash('sha256').update(bytes).digest('hex'));
  }
  return hashes.sort();
};
