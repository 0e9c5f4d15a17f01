/** For tests: ledgers in temporary folders, with batches and files. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { NamedFile } from '../../source/file-names.ts';
import type { ScannedFile } from '../../source/scan.ts';
import { bestNameOf } from '../../source/testing/scanned.ts';
import type { Item } from '../items.ts';
import type { AssignmentRef } from '../known-files.ts';
import { type Ledger, openLedger } from '../ledger.ts';

/** Returns a path for a ledger in a folder that is removed when the test has ended. */
export const newLedgerPath = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'ledger-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'ledger.sqlite');
};

/** Opens a ledger that is closed when the test has ended. */
export const openTestLedger = (path = newLedgerPath()): Ledger => {
  const ledger = openLedger(path);
  let open = true;
  const close = (): void => {
    if (open) ledger.close();
    open = false;
  };
  onTestFinished(close);
  return { ...ledger, close };
};

export const addBatch = async (
  { batches, items, commit }: Ledger,
  files: readonly (ScannedFile & Partial<NamedFile>)[],
  batch: Partial<Parameters<Ledger['batches']['insert']>[0]> = {},
): Promise<{ readonly batch: string; readonly files: readonly Item[] }> => {
  const id = randomUUID();
  await commit(() => {
    batches.insert({
      id,
      connectionId: 'connection',
      subject: undefined,
      assignmentId: 'assignment',
      root: '/folder',
      nameTemplate: '{name}',
      createdAtMs: 1,
      ...batch,
    });
    items.add(
      id,
      files.map((file) => ({ fileName: bestNameOf(file.path), ...file })),
    );
  });
  return { batch: id, files: items.list(id, { offset: 0, limit: 10_000 }).items };
};

type UploadedFile = Pick<NamedFile, 'fileName' | 'sizeBytes' | 'modifiedMs'> & {
  readonly key: string;
  readonly place: { readonly root: string; readonly path: string };
  /** In hex. */
  readonly sha256: string;
  readonly atMs: number;
};

/**
 * Adds a batch with one file, which was uploaded. To be called in a commit. Returns the ids of the items that the file
 * overwrote.
 */
export const addUploaded = (
  { batches, items, knownFiles }: Ledger,
  assignment: AssignmentRef,
  { key, place, sha256, atMs, ...file }: UploadedFile,
): readonly number[] => {
  const id = randomUUID();
  const { root, path } = place;
  batches.insert({ id, ...assignment, subject: undefined, root, nameTemplate: '{name}', createdAtMs: 1 });
  items.add(id, [{ ...file, path }]);
  const [item] = items.after(id, { afterId: 0, limit: 1 });
  if (!item) throw new Error('the file was not added');
  items.sending(item.id, key, 'url', atMs);
  items.done(item.id, sha256, undefined, atMs);
  return knownFiles.overwritten(assignment, item, key, atMs);
};
