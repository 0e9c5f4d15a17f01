/** Writes a ledger with one finished upload of very many files. */
import type { Ledger } from '../../src/main/uploads/ledger/ledger.ts';
import { hashAt } from './sample-ledger.ts';

/** The name of the folder of the upload. */
export const SAMPLE_FOLDER = 'Archive';

const FOLDER_FILES = 1_000;
const BEGAN_MS = 1_700_000_000_000;
const NOTHING = { hidden: 0, system: 0, links: 0, special: 0, unreadable: 0 };

/** Adds an upload of `files` files to `ledger`. Every 1,000th file has failed. */
export const addSampleBatch = async (
  { batches, items, commitUnsynced }: Ledger,
  connectionId: string,
  files: number,
): Promise<void> => {
  const id = '00000000-0000-4000-a000-000000000000';
  const assignmentId = '00000000-0000-4000-8000-000000000000';
  const root = `/jobs/${SAMPLE_FOLDER}`;
  const rules = { subject: undefined, nameTemplate: '{name}', createdAtMs: BEGAN_MS } as const;
  await commitUnsynced(() => batches.insert({ id, connectionId, assignmentId, root, ...rules }));
  let lastId = 0;
  for (let first = 0; first < files; first += FOLDER_FILES) {
    const some = Array.from({ length: Math.min(FOLDER_FILES, files - first) }, (_, offset) => {
      const fileName = `IMG_${String(first + offset).padStart(7, '0')}.jpg`;
      return { path: `day ${first / FOLDER_FILES}/${fileName}`, fileName, sizeBytes: 300, modifiedMs: BEGAN_MS };
    });
    await commitUnsynced(() => {
      items.add(id, some);
      for (const { id: item, fileName } of items.after(id, { afterId: lastId, limit: FOLDER_FILES })) {
        lastId = item;
        const atMs = BEGAN_MS + first;
        if (fileName.endsWith('500.jpg')) {
          const error = { code: 'upload/file-locked', message: 'locked', retry: 'later', details: {} } as const;
          items.failed(item, { state: 'failed', error, unclear: false }, atMs);
          continue;
        }
        items.sending(item, `key of ${fileName}`, '', atMs);
        items.done(item, hashAt(first), undefined, atMs);
      }
    });
  }
  await commitUnsynced(() => {
    batches.setScanned(id, NOTHING);
    batches.setFinished(id, BEGAN_MS + files);
  });
};
