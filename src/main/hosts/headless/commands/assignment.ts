/** The commands `plan-after` and `files`: the actions on one assignment. */
import { identity } from 'es-toolkit/function/identity';
import { pick } from 'es-toolkit/object/pick';
import { type DeskError, onDeskError, toErrorData } from '../../../../contract/errors.ts';
import type { RemovableFile } from '../../../../contract/offline.ts';
import { type AssignmentFiles, serviceTimeMs } from '../../../../contract/resources.ts';
import type { KnownFile } from '../../../../contract/uploads.ts';
import type { Speech } from '../../../../words/speech.ts';
import { wallNow } from '../../../async/clock.ts';
import { filesToRemove, type RemovalWanted } from '../../../core/handlers/handlers.ts';
import type { SettledFile } from '../../../outbox/outbox.ts';
import type { RemoteUploads } from '../../../uploads/engine/start-engine.ts';
import { EXIT, exitCodeOf } from '../../shared/exit-codes.ts';
import {
  type Column,
  describeError,
  formatBytes,
  formatServiceTime,
  formatTable,
  formatTime,
  type Output,
} from '../support/output.ts';
import { assignmentIdOf, type CliContext, ensureSignedIn, withDesk } from '../support/with-desk.ts';

/** Sets the plan-after value of an assignment, in the service's unit; without a value, clears it. */
export const planAfter = (context: CliContext, typed: string, PlanAfter: number | undefined): Promise<number> =>
  withDesk(context, async (desk) => {
    const { output, signal } = context;
    const { t } = output.speech;
    const AssignmentId = assignmentIdOf(desk, typed);
    await ensureSignedIn(desk, context);
    const { timeBase } = desk.snapshot().preferences;
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
export const files = (context: CliContext, typed: string): Promise<number> =>
  withDesk(context, async (desk) => {
    const { result, speech } = context.output;
    const AssignmentId = assignmentIdOf(desk, typed);
    const Files = await desk.connected().uploads.knownFiles(AssignmentId);
    const words = () => formatTable(Files, fileColumns(speech), speech.t('cli.files.none'));
    result({ AssignmentId, Files: Files.map(fileRow) }, words);
    return EXIT.done;
  });

/**
 * Removes files from an assignment as the window does, but nothing stays pending. For a single key, prints the files
 * that remain; otherwise prints what became of each file, even if an error ends the removal early.
 */
export const removeFiles = (context: CliContext, wanted: RemovalWanted): Promise<number> =>
  withDesk(context, async (desk) => {
    const { output, signal } = context;
    const { t } = output.speech;
    const spelled = 'Keys' in wanted ? { ...wanted, AssignmentId: assignmentIdOf(desk, wanted.AssignmentId) } : wanted;
    await ensureSignedIn(desk, context);
    const { uploads, outbox } = desk.connected();
    const { AssignmentId, files } = await filesToRemove(uploads, spelled);
    const settled = new Map<string, SettledFile>();
    const onSettled = (file: SettledFile): void => {
      settled.set(file.Key, file);
      output.status(t('cli.upload.of', { done: settled.size, all: files.length }));
    };
    const removal = files.length > 0 && outbox.removeNow(AssignmentId, files, onSettled, signal);
    const stop = await Promise.resolve(removal).then(() => undefined, onDeskError(identity));
    output.status('');
    if (!('Keys' in wanted) || files.length !== 1) return printRemoval(output, { AssignmentId, files, settled }, stop);
    const [{ error = stop, response } = {}] = settled.values();
    if (error) throw error;
    const left = response ?? (await knownLeft(uploads, AssignmentId));
    output.result(left, () => t('cli.files.removed', { count: left.Files.length }));
    return EXIT.done;
  });

const knownLeft = async (uploads: RemoteUploads, assignmentId: string): Promise<AssignmentFiles> => ({
  AssignmentId: assignmentId,
  FacilityId: '',
  Files: (await uploads.knownFiles(assignmentId)).map((file) => pick(file, ['Key', 'FileName', 'UploadedBy'])),
});

type Outcome = {
  readonly AssignmentId: string;
  readonly files: readonly RemovableFile[];
  readonly settled: ReadonlyMap<string, SettledFile>;
};

/** Prints what became of the files, and the error that ended the removal, if any. Returns the exit code. */
const printRemoval = (output: Output, { AssignmentId, files, settled }: Outcome, stop?: DeskError): number => {
  const { t, errorText } = output.speech;
  const row = (file: RemovableFile) => pick(file, ['Key', 'FileName', 'folder']);
  const removed = files.filter(({ Key }) => settled.get(Key)?.isRemoved);
  const failed = files.flatMap((file) => {
    const { isRemoved, error } = settled.get(file.Key) ?? {};
    return error && !isRemoved ? [{ ...row(file), error: toErrorData(error) }] : [];
  });
  output.result(
    {
      ...(stop && { type: 'error', error: toErrorData(stop) }),
      AssignmentId,
      removed: removed.map(row),
      failed,
      waiting: files.filter(({ Key }) => !settled.has(Key)).map(row),
    },
    () => [
      ...failed.map(({ FileName, error }) => `${FileName}: ${errorText(error).title} (${error.code})`),
      t('cli.files.removedOf', { done: removed.length, count: files.length }),
    ],
  );
  if (!stop) return failed.length > 0 ? EXIT.failures : EXIT.done;
  output.say(describeError(stop, output.speech));
  return exitCodeOf(stop.code);
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
