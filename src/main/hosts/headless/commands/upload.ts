/** upload: folders to an assignment. */

import { basename, resolve } from 'node:path';
import type { Batch } from '../../../../contract/uploads.ts';
import type { Speech } from '../../../../words/speech.ts';
import type { UploadDoubt } from '../../../core/drafts/upload-doubts.ts';
import { assertFolder } from '../../../uploads/source/scan.ts';
import { EXIT } from '../../shared/exit-codes.ts';
import { followBatch, tellFile } from '../support/follow.ts';
import { scheduleOf } from '../support/options.ts';
import { assertAssignmentId, type CliContext, ensureSignedIn, withDesk } from '../support/with-desk.ts';
import { dryRun } from './dry-run.ts';
import { type MatchOptions, matchUpload } from './match-upload.ts';

type UploadOptions = MatchOptions & {
  /** Everything goes there. Absent: each folder has an assignment of its own. */
  readonly assignment?: string;
};

/** Uploads folders, to one assignment or each to its own. */
export const upload = async (
  context: CliContext,
  folders: readonly string[],
  options: UploadOptions,
): Promise<number> => {
  const { assignment } = options;
  if (assignment !== undefined) assertAssignmentId(assignment);
  for (const folder of folders) await assertFolder({ root: folder });
  return assignment === undefined
    ? matchUpload(context, folders, options)
    : uploadToOne(context, folders, { ...options, assignment });
};

/** Uploads each folder as its own batch, one after another. Returns the worst of their exit codes. */
const uploadToOne = async (
  context: CliContext,
  folders: readonly string[],
  { assignment, nameTemplate, onClash, dryRun: isDryRun, ...options }: UploadOptions & { readonly assignment: string },
): Promise<number> => {
  const { output, signal } = context;
  if (isDryRun) return dryRun(context, { folders, assignmentId: assignment, nameTemplate, onClash });
  return withDesk(
    context,
    async (desk) => {
      await ensureSignedIn(desk, signal);
      const rules = desk.uploadRules({ schedule: scheduleOf(options), receipt: options.receipt });
      const start = async (root: string): Promise<Batch> => {
        const folder = basename(resolve(root));
        // A script cannot ask: reasons against the upload go to standard error, and the upload continues.
        for (const doubt of desk.doubtsOf({ folder, AssignmentId: assignment }))
          output.say(doubtText(folder, doubt, output.speech));
        const upload = { root, assignmentId: assignment, nameTemplate, onClash, ...rules };
        return desk.connected().uploads.start(upload);
      };
      const scheduled: Batch[] = [];
      // All of them are recorded before the first one waits for its time.
      if (rules.isHeldBack) for (const root of folders) scheduled.push(await start(root));
      let exitCode: number = EXIT.done;
      for (const [index, root] of folders.entries()) {
        if (signal.aborted) break;
        const { batchId } = scheduled[index] ?? (await start(root));
        exitCode = Math.max(exitCode, await followBatch(desk, context, batchId));
      }
      return exitCode;
    },
    {
      concurrency: options.concurrency,
      bytesPerSecond: options.limitRate,
      leaveRoom: options.leaveRoom,
      onFile: tellFile(output),
    },
  );
};

const doubtText = (folder: string, doubt: UploadDoubt, { t }: Speech<'host'>): string =>
  doubt.kind === 'status'
    ? t('cli.warning.status', { status: doubt.AssignmentStatus })
    : t('cli.warning.other', { folder, found: doubt.found, name: doubt.name });
