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

/** Adds a batch with `files`. */
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
