import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const places = ['Kitchen', 'Roof', 'Basement', 'Stairwell', 'Technical room'];
const kinds = [
  { name: 'Photo', extension: 'jpg' },
  { name: 'Photo', extension: 'jpg' },
  { name: 'Certificate', extension: 'pdf' },
  { name: 'Report', extension: 'docx' },
] as const;

/** Writes `count` files below `root`, with names as in an inspection. The same count always gives the same names. */
export const writeInspection = async (root: string, count: number): Promise<void> => {
  for (let index = 0; index < count; index += 1) {
    const { name, extension } = kinds[index % kinds.length] ?? kinds[0];
    const number = String(1 + (index % (count - 8))).padStart(3, '0');
    const path = join(root, places[index % places.length] ?? '', `${name} ${number}.${extension}`);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, randomBytes(20_000 + ((index * 7_919) % 400_000)));
  }
};
