/** plan-after and files: what is done to one assignment. */

import { serviceTimeMs } from '../../../../contract/service-time.ts';
import type { KnownFile } from '../../../../contract/upload-files.ts';
import type { Speech } from '../../../../words/speech/speech.ts';
import { knownLeft } from '../../../core/handlers/known-left.ts';
import { EXIT } from '../../shared/exit-codes.ts';
import { assertAssignmentId } from '../support/assert-assignment-id.ts';
import { type Column, formatTable } from '../support/table.ts';
import { formatBytes, formatServiceTime, formatTime } from '../support/units.ts';
import { type CliContext, ensureSignedIn, timeBaseOf, withDesk } from '../support/with-desk.ts';

/** Sets the plan-after value (in the service's time base), or clears it without one. */
export const planAfter = (context: CliContext, AssignmentId: string, PlanAfter: number | undefined): Promise<number> =>
  withDesk(context, async (desk) => {
    const { output, signal } = context;
    const { t } = output.speech;
    assertAssignmentId(AssignmentId);
    await ensureSignedIn(desk, signal);
    const timeBase = await timeBaseOf(desk);
    if (PlanAfter !== undefined && serviceTimeMs(PlanAfter, timeBase) < Date.now())
      output.say(t('cli.warning.past', { at: formatServiceTime(PlanAfter, timeBase) }));
    const answer = await desk.connected().service.updatePlanAfter({ AssignmentId, PlanAfter }, { signal });
    output.result(answer, () =>
      PlanAfter === undefined
        ? t('cli.planAfter.cleared')
        : t('cli.planAfter.set', { value: answer.PlanAfter, at: formatServiceTime(answer.PlanAfter, timeBase) }),
    );
    return EXIT.done;
  });

/** The files known to be on the assignment; no operation of the interface lists them. */
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

/** Removes a file from an assignment at the service, and prints the remaining ones. */
export const removeFile = (context: CliContext, AssignmentId: string, Key: string): Promise<number> =>
  withDesk(context, async (desk) => {
    const { output, signal } = context;
    assertAssignmentId(AssignmentId);
    await ensureSignedIn(desk, signal);
    const { uploads } = desk.connected();
    const answer =
      (await uploads.removeFile({ AssignmentId, Key }, signal)) ?? (await knownLeft(uploads, AssignmentId));
    output.result(answer, () => output.speech.t('cli.files.removed', { count: answer.Files.length }));
    return EXIT.done;
  });

const fileRow = ({ addedAtMs, ...file }: KnownFile) => ({ ...file, at: addedAtMs });

const fileColumns = ({ t, locale }: Speech<'host'>): readonly Column<KnownFile>[] => [
  { title: 'FileName', cell: ({ FileName }) => FileName },
  { title: t('table.title.folder'), cell: ({ folder }) => folder ?? '' },
  {
    title: t('table.title.size'),
    cell: ({ sizeBytes }) => (sizeBytes === undefined ? '' : formatBytes(sizeBytes, { locale })),
  },
  {
    title: t('table.title.added'),
    cell: ({ source, addedAtMs }) =>
      t(source === 'uploaded-here' ? 'table.uploadedHere' : 'table.reported', { at: formatTime(addedAtMs) }),
  },
  { title: 'UploadedBy', cell: ({ UploadedBy }) => UploadedBy },
  { title: 'Key', cell: ({ Key }) => Key, whole: true },
];
