/** upload: folders to an assignment. */

import { EXIT } from '../../exit-codes.ts';
import { dryRun } from '../../uploads/plan-batch.ts';
import { assertFolder } from '../../uploads/scan.ts';
import { assertAssignmentId } from '../assert-assignment-id.ts';
import { followBatch, tellFile } from '../follow-batch.ts';
import { formatTable } from '../table.ts';
import { formatBytes } from '../units.ts';
import { type CliContext, ensureSignedIn, withDesk } from '../with-desk.ts';

export type UploadOptions = {
  readonly assignment: string;
  readonly dryRun?: boolean;
  /** Files on their way at once; absent or `auto`: the setting. */
  readonly concurrency?: number | 'auto';
  readonly limitRate?: number;
};

/** Uploads each folder as a batch of its own, one after another. The exit code is the worst of theirs. */
export const upload = async (
  context: CliContext,
  folders: readonly string[],
  options: UploadOptions,
): Promise<number> => {
  const { output, signal } = context;
  assertAssignmentId(options.assignment);
  for (const folder of folders) await assertFolder(folder);
  const concurrency = options.concurrency === 'auto' ? undefined : options.concurrency;
  if (options.dryRun) return planOnly(context, folders, options.assignment);

  return withDesk(
    context,
    async (desk) => {
      await ensureSignedIn(desk, signal);
      let exitCode: number = EXIT.done;
      for (const root of folders) {
        if (signal.aborted) break;
        const { batch } = await desk.connected().uploads.start({ root, assignmentId: options.assignment });
        exitCode = Math.max(exitCode, await followBatch(desk, context, batch));
      }
      return exitCode;
    },
    { concurrency, bytesPerSecond: options.limitRate, onFile: tellFile(output) },
  );
};

const planOnly = async (
  { output, signal }: CliContext,
  folders: readonly string[],
  assignment: string,
): Promise<number> => {
  for (const root of folders) {
    const { items, leftOut } = await dryRun(root, assignment, signal);
    const files = items.map(({ path, fileName, sizeBytes }) => ({ path, FileName: fileName, size: sizeBytes }));
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    for (const file of files) output.event({ type: 'file', state: 'planned', ...file });
    output.event({
      type: 'summary',
      batch: null,
      files: files.length,
      uploaded: 0,
      skipped: 0,
      failed: 0,
      bytes,
      seconds: 0,
      leftOut,
    });
    if (output.json) continue;
    const columns = [
      { title: 'File', cell: ({ path }: (typeof files)[number]) => path },
      { title: 'FileName', cell: ({ FileName }: (typeof files)[number]) => FileName },
      { title: 'Size', cell: ({ size }: (typeof files)[number]) => formatBytes(size) },
    ];
    output.result(
      undefined,
      () => `${formatTable(files, columns)}\n${files.length} files, ${formatBytes(bytes)}. Nothing was sent.`,
    );
  }
  return EXIT.done;
};
