/** Resumes a batch of many files that is nearly done. Measures the time until the first byte of the rest is sent. */
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { ownNameTemplate } from '../../src/contract/uploads.ts';
import { connectionIdOf } from '../../src/main/settings/resolve-connection.ts';
import { openLedger } from '../../src/main/uploads/ledger/ledger.ts';
import { runApp } from '../support/app.ts';
import { writeFiles } from '../support/files.ts';
import { type CaseResult, figure } from '../support/measure.ts';
import { inDirectory, type Service, withService } from '../support/rig.ts';
import type { Scale } from '../support/scale.ts';
import { startWatchingStorage } from '../support/watching-storage.ts';

const SIZE_BYTES = 20_000;
const TO_GO = 1_000;

/** Resumes a batch of 100,000 files (10,000 with `quick`), 1,000 of which are left. */
export const resume = ({ rounds, quick }: Scale): Promise<CaseResult> =>
  inDirectory(async (dir) => {
    const count = quick ? 10_000 : 100_000;
    const root = join(dir, 'folder');
    const files = writeFiles(root, TO_GO, SIZE_BYTES);
    const storage = await startWatchingStorage();
    try {
      return await withService(['--storage-base-url', storage.baseUrl], async (service) => {
        const fromStart: number[] = [];
        const fromSignIn: number[] = [];
        for (let round = 0; round < rounds; round += 1) {
          const home = join(dir, 'home');
          await makeBatch({ home, root, files, done: count - TO_GO, service });
          storage.reset();
          const { startedMs, startSeconds } = await runApp({
            command: ['uploads', 'resume'],
            sandbox: service.sandbox,
            home,
          });
          const seconds = ((storage.arrivals()[0]?.atMs ?? Number.NaN) - startedMs) / 1000;
          fromStart.push(seconds);
          fromSignIn.push(seconds - startSeconds);
          rmSync(home, { recursive: true });
        }
        return {
          name: 'resume',
          title: `resume of ${count} files with ${count - TO_GO} done`,
          figures: [
            figure('first byte sent after start of the process', 's', fromStart, 1),
            figure('first byte sent after the sign-in', 's', fromSignIn),
          ],
        };
      });
    } finally {
      storage.close();
    }
  });

type Made = {
  readonly home: string;
  readonly root: string;
  readonly files: readonly string[];
  readonly done: number;
  readonly service: Service;
};

/** Writes the ledger of an upload that was stopped after `done` files. */
const makeBatch = async ({ home, root, files, done, service }: Made): Promise<void> => {
  mkdirSync(home);
  const { batches, items, commit, close, checkpoint } = openLedger(join(home, 'ledger.sqlite'));
  const modifiedMs = 1_700_000_000_000;
  const batch = {
    id: 'interrupted',
    connectionId: connectionIdOf(service.sandbox),
    subject: undefined,
    assignmentId: service.newAssignment(),
    root,
    nameTemplate: ownNameTemplate,
    createdAtMs: modifiedMs,
  };
  await commit(() => batches.insert(batch));
  const gone = Array.from({ length: done }, (_, index) => `gone/file-${index}.jpg`);
  await commit(() => {
    items.add(
      batch.id,
      gone.map((path) => ({ path, fileName: basename(path), sizeBytes: SIZE_BYTES, modifiedMs })),
    );
    for (const { id } of items.after(batch.id, { afterId: 0, limit: done })) {
      items.sending(id, `key of ${id}`, '', modifiedMs);
      items.done(id, `${id}`.padStart(64, '0'), undefined, modifiedMs);
    }
    const scanned = files.map((path) => ({
      path: relative(root, path),
      fileName: basename(path),
      sizeBytes: SIZE_BYTES,
      modifiedMs: statSync(path).mtimeMs,
    }));
    items.add(batch.id, scanned);
    batches.setScanned(batch.id, { hidden: 0, system: 0, links: 0, special: 0, unreadable: 0 });
    batches.setState(batch.id, 'paused');
  });
  checkpoint();
  close();
};
