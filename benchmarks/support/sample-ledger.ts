/**
 * Writes a ledger of many uploads, as an office has after years: one folder of 60 to 300 files for each upload. Some
 * files have failed.
 */
import { createHash } from 'node:crypto';
import type { Ledger } from '../../src/main/uploads/ledger/ledger.ts';

const rooms = ['kitchen', 'bathroom', 'roof', 'attic', 'cellar', 'stairs', 'facade', 'balcony', 'garage', 'garden'];
const kinds = ['photos', 'certificates', 'reports', 'invoices'];
const streets = [
  'Mill Street',
  'Station Road',
  'Elveveien',
  'Åkergatan',
  'Bahnhofstraße',
  'Church Lane',
  'Skogsvägen',
  'High Street',
];
const cities = ['York', 'Bergen', 'Malmö', 'Köln', 'Leeds', 'Oslo'];
const ASSIGNMENTS = 5_000;
const beganMs = 1_600_000_000_000;

export const assignmentAt = (index: number): string =>
  `00000000-0000-4000-8000-${String(index % ASSIGNMENTS).padStart(12, '0')}`;

export const sampleName = (AssignmentId: string): string => {
  const index = Number(AssignmentId.slice(-12));
  return `${1 + (index % 120)} ${streets[index % streets.length]}, ${cities[index % cities.length]}`;
};

export const hashAt = (index: number): string => createHash('sha256').update(String(index)).digest('hex');

const pathAt = (index: number): string => {
  const number = String(index % 10_000).padStart(4, '0');
  const room = rooms[(index >> 2) % rooms.length];
  const folder = `${room}/${kinds[(index >> 4) % kinds.length]}`;
  const day = `${String(1 + (index % 12)).padStart(2, '0')}-${String(1 + (index % 28)).padStart(2, '0')}`;
  if (index % 3 === 0) return `${folder}/IMG_${number}.jpg`;
  return index % 3 === 1 ? `${folder}/Scan 2024-${day} ${room} ${number}.pdf` : `${folder}/DSC${number}.JPG`;
};

/** Fills `ledger` with `files` files of finished uploads. Every 200th file has failed. */
export const fillLedger = async (
  { batches, items, commitUnsynced }: Ledger,
  connectionId: string,
  files: number,
): Promise<{ readonly batches: number }> => {
  let added = 0;
  for (let made = 0; made < files; added += 1) {
    const size = Math.min(files - made, 60 + ((added * 37) % 241));
    const createdAtMs = beganMs + added * 3_600_000;
    const id = `00000000-0000-4000-9000-${String(added).padStart(12, '0')}`;
    const assignmentId = assignmentAt(added * 31);
    const root = `/jobs/${sampleName(assignmentId)} ${added}`;
    const first = made;
    await commitUnsynced(() => {
      batches.insert({ id, connectionId, subject: undefined, assignmentId, root, nameTemplate: '{name}', createdAtMs });
      const paths = Array.from({ length: size }, (_, offset) => pathAt(first + offset));
      items.add(
        id,
        paths.map((path, offset) => ({
          path,
          fileName: `${offset} ${path.slice(path.lastIndexOf('/') + 1)}`,
          sizeBytes: 100_000 + offset,
          modifiedMs: createdAtMs,
        })),
      );
      for (const { id: item } of items.after(id, { afterId: 0, limit: size })) {
        const index = first + (item % 2 ** 32);
        if (index % 200 === 0) {
          const error = { code: 'upload/file-locked', message: 'locked', retry: 'later', details: {} } as const;
          items.failed(item, { state: 'failed', error, unclear: false }, createdAtMs + index);
        } else {
          items.sending(item, `key-${index}`, '', createdAtMs);
          items.done(item, hashAt(index), undefined, createdAtMs + 1_000);
        }
      }
      batches.setScanned(id, { hidden: 0, system: 0, links: 0, special: 0, unreadable: 0 });
      batches.setFinished(id, createdAtMs + 60_000);
    });
    made += size;
  }
  return { batches: added };
};
