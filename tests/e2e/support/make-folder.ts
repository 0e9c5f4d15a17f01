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
    // Every file has several bytes. A file with a single byte would often be the same in two folders, and would not be
    // sent again.
    const bytes = randomBytes(16 + ((index * 997) % 40_000));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
    hashes.push(createHash('sha256').update(bytes).digest('hex'));
  }
  return hashes.sort();
};
