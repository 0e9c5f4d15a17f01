/** The commands `plan-after` and `files`: the actions on one assignment. */
import { DeskError, type ErrorData, toErrorData } from '../../../../contract/errors.ts';
import type { RemovableFile } from '../../../../contract/offline.ts';
import { type AssignmentFiles, serviceTimeMs } from '../../../../contract/resources.ts';
import type { KnownFile } from '../../../../contract/uploads.ts';
import type { Speech } from '../../../../words/speech.ts';
import { wallNow } from '../../../async/clock.ts';
import type { Desk } from '../../../core/desk.ts';
import { removableFiles } from '../../../core/handlers/handlers.ts';
import type { RemoteUploads } from '../../../uploads/engine/start-engine.ts';
import { EXIT } from '../../shared/exit-codes.ts';
import { type Column, formatBytes, formatServiceTime, formatTable, formatTime } from '../support/output.ts';
import { assertAssignmentId, type CliContext, ensureSignedIn, timeBaseOf, withDesk } from '../support/with-desk.ts';

/** Sets the plan-after value of an assignment, in the service's unit; without a value, clears it. */
export const planAfter = (context: CliContext, AssignmentId: string, PlanAfter: number | undefined): Promise<number> =>
  withDesk(context, async (desk) => {
    const { output, signal } = context;
    const { t } = output.speech;
    assertAssignmentId(AssignmentId);
    await ensureSignedIn(desk, context);
    const timeBase = await timeBaseOf(desk);
    if (PlanAfter !== undefined && serviceTimeMs(PlanAfter, timeBase) < wallNow())
      output.say(t('cli.warning.past', { at: formatServiceTime(PlanAfter, timeBase) }));
    const response = await desk.connected().outbox.planAfterNow({ AssignmentId, PlanAfter }, signal);
    output.result(response, () =>
      PlanAfter === undefined
        ? t('cli.planAfter.cleared')
        : t('cli.planAfter.set', { value: response.PlanAfter, at: formatServiceTime(response.PlanAfter, timeBase) }),
    );
    return EXIT.done;
  });

/** Lists the files known to be on the assignment, from the ledger. No operation of the API lists them. */
export const files = (context: CliContext, AssignmentId: string): Promise<number> =>
  withDesk(context, async (desk) => {
    assertAssignmentId(AssignmentId);
    const Files = await desk.connected().uploads.knownFiles(AssignmentId);
    context.output.result({ AssignmentId, Files: Files.map(fileRow) }, () =>
      Files.length === 0
        ? context.output.speech.t('cli.files.none')
        : formatTable(Files, fileColumns(context.output.speech)),
    );
    return EXIT.done;
  });

/** Removes files from an assignment. For a single key, prints the files that remain. */
export const removeFiles = (context: CliContext, AssignmentId: string, Keys: readonly string[]): Promise<number> =>
  withDesk(context, async (desk) => {
    const { output, signal } = context;
    assertAssignmentId(AssignmentId);
    await ensureSignedIn(desk, context);
    const { uploads } = desk.connected();
    const [Key] = Keys;
    if (Key === undefined || Keys.length > 1) {
      const known = new Map((await uploads.knownFiles(AssignmentId)).map((file) => [file.Key, file]));
      return removeAll(
        context,
        desk,
        AssignmentId,
        Keys.map((one) => known.get(one) ?? { Key: one, FileName: one }),
      );
    }
    const response =
      (await uploads.removeFile({ AssignmentId, Key }, signal)) ?? (await knownLeft(uploads, AssignmentId));
    output.result(response, () => output.speech.t('cli.files.removed', { count: response.Files.length }));
    return EXIT.done;
  });

const knownLeft = async (uploads: RemoteUploads, assignmentId: string): Promise<AssignmentFiles> => ({
  AssignmentId: assignmentId,
  FacilityId: '',
  Files: (await uploads.knownFiles(assignmentId)).map(({ Key, FileName, UploadedBy }) => ({
    Key,
    FileName,
    UploadedBy,
  })),
});

/** Removes the uploaded files of a batch, with `folder` only those of that folder, from its assignment. */
export const removeBatch = (context: CliContext, batch: string, folder: string): Promise<number> =>
  withDesk(context, async (desk) => {
    await ensureSignedIn(desk, context);
    const { uploads } = desk.connected();
    const { AssignmentId } = await uploads.get(batch);
    const files = await removableFiles(uploads, batch, folder.replace(/\/+$/, ''));
    return removeAll(context, desk, AssignmentId, files);
  });

const AT_ONCE = 4;

/** Removes files, and lists those that the service refuses to remove. Rejects with other errors. */
const removeAll = async (
  { output, signal }: CliContext,
  desk: Desk,
  AssignmentId: string,
  files: readonly RemovableFile[],
): Promise<number> => {
  const { t, errorText } = output.speech;
  const removed: RemovableFile[] = [];
  const failed: (RemovableFile & { readonly error: ErrorData })[] = [];
  const left = files.values();
  const work = async (): Promise<void> => {
    for (const file of left) {
      try {
        await desk.connected().uploads.removeFile({ AssignmentId, Key: file.Key }, signal);
        removed.push(file);
      } catch (error) {
        const isRejected = error instanceof DeskError && error.retry === 'never' && error.code.startsWith('service/');
        if (!isRejected) throw error;
        if (error.code === 'service/not-found') removed.push(file);
        else failed.push({ ...file, error: toErrorData(error) });
      }
      output.status(t('cli.upload.of', { done: removed.length + failed.length, all: files.length }));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  output.status('');
  const row = ({ Key, FileName, folder }: RemovableFile) => ({
    Key,
    FileName,
    ...(folder !== undefined && { folder }),
  });
  output.result(
    {
      AssignmentId,
      removed: removed.map(row),
      failed: failed.map((file) => ({ ...row(file), error: file.error })),
    },
    () => [
      ...failed.map((file) => `${file.FileName}: ${errorText(file.error).title} (${file.error.code})`),
      t('cli.files.removedOf', { done: removed.length, count: files.length }),
    ],
  );
  return failed.length > 0 ? EXIT.failures : EXIT.done;
};

const fileRow = ({ addedAtMs, ...file }: KnownFile) => ({ ...file, at: addedAtMs });

const fileColumns = ({ t, locale }: Speech<'host'>): readonly Column<KnownFile>[] => [
  { title: 'FileName', cell: ({ FileName }) => FileName },
  { title: t('table.title.folder'), cell: ({ folder }) => folder ?? '' },
  { title: t('table.title.size'), cell: ({ sizeBytes }) => formatBytes(sizeBytes, { locale }) },
  {
    title: t('table.title.added'),
    cell: ({ source, addedAtMs }) =>
      t(source === 'uploaded-here' ? 'table.uploadedHere' : 'table.reported', { at: formatTime(addedAtMs) }),
  },
  { title: 'UploadedBy', cell: ({ UploadedBy }) => UploadedBy },
  { title: 'Key', cell: ({ Key }) => Key, whole: true },
];
