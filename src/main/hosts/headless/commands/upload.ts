/** upload: folders to an assignment. */

import { resolve } from 'node:path';
import type { OnClash } from '../../../../contract/names.ts';
import type { UploadDoubt } from '../../../../contract/upload-preview.ts';
import type { Speech } from '../../../../words/speech/speech.ts';
import type { Desk } from '../../../core/desk.ts';
import { assertFolder } from '../../../uploads/source/scan.ts';
import { EXIT } from '../../shared/exit-codes.ts';
import { assertAssignmentId } from '../support/assert-assignment-id.ts';
import { followBatch, tellFile } from '../support/follow-batch.ts';
import type { Output } from '../support/output.ts';
import { type CliContext, ensureSignedIn, withDesk } from '../support/with-desk.ts';
import { dryRun } from './dry-run.ts';

type UploadOptions = {
  readonly assignment: string;
  readonly dryRun?: boolean;
  /** Files uploaded at once; absent: the setting. */
  readonly concurrency?: number | 'auto';
  readonly limitRate?: number;
  /** Absent: files keep their original names. */
  readonly nameTemplate?: string;
  /** Absent: files whose name is taken are renamed. */
  readonly onClash?: OnClash;
};

/** Uploads each folder as its own batch, one after another. Returns the worst of their exit codes. */
export const upload = async (
  context: CliContext,
  folders: readonly string[],
  options: UploadOptions,
): Promise<number> => {
  const { output, signal } = context;
  const { nameTemplate, onClash } = options;
  assertAssignmentId(options.assignment);
  for (const folder of folders) await assertFolder(folder);
  if (options.dryRun) return dryRun(context, { folders, assignmentId: options.assignment, nameTemplate, onClash });

  return withDesk(
    context,
    async (desk) => {
      await ensureSignedIn(desk, signal);
      let exitCode: number = EXIT.done;
      for (const root of folders) {
        if (signal.aborted) break;
        await warnOfDoubts(desk, output, { root, AssignmentId: options.assignment });
        const { batchId } = await desk
          .connected()
          .uploads.start({ root, assignmentId: options.assignment, nameTemplate, onClash });
        exitCode = Math.max(exitCode, await followBatch(desk, context, batchId));
      }
      return exitCode;
    },
    { concurrency: options.concurrency, bytesPerSecond: options.limitRate, onFile: tellFile(output) },
  );
};

/** A script cannot ask: reasons against the upload go to standard error, and the upload continues. */
const warnOfDoubts = async (
  desk: Desk,
  output: Output,
  { root, AssignmentId }: { readonly root: string; readonly AssignmentId: string },
): Promise<void> => {
  const { folderId, name } = desk.adopt({ root: resolve(root) });
  for (const doubt of await desk.handlers.uploads.doubts({ folderId, AssignmentId }))
    output.say(doubtText(name, doubt, output.speech));
};

const doubtText = (folder: string, doubt: UploadDoubt, { t }: Speech<'host'>): string =>
  doubt.kind === 'status'
    ? t('cli.warning.status', { status: doubt.AssignmentStatus })
    : t('cli.warning.other', { folder, found: doubt.found, name: doubt.name });
