/** files find: files of all uploads, by what is remembered of them. */
import { FileQuery, type FoundFile } from '../../../../contract/files.ts';
import type { Speech } from '../../../../words/speech.ts';
import { EXIT } from '../../shared/exit-codes.ts';
import { type Column, formatBytes, formatTable, formatTime } from '../support/table.ts';
import { type CliContext, withDesk } from '../support/with-desk.ts';

/** The most files of one window. */
const STEP = 1000;

type Wanted = Pick<FileQuery, 'text' | 'limit'> & { readonly sha256?: string };

/** Lists files that match, the newest uploads first; exits with 1 if there are none. */
export const find = (context: CliContext, { limit, ...query }: Wanted): Promise<number> =>
  withDesk(context, async ({ handlers }) => {
    const { output } = context;
    const window = (offset: number) =>
      handlers.files.find({
        ...FileQuery.parse({ ...query, offset, limit: Math.min(STEP, limit - offset) }),
        complete: true,
      });
    const first = await window(0);
    const { total, isMore } = first;
    const files = [...first.files];
    while (files.length < Math.min(limit, total)) {
      const { files: next } = await window(files.length);
      if (next.length === 0) break;
      files.push(...next);
    }
    output.result({ files: files.map(fileRow), total, isMore }, () => [
      ...formatTable(files, columns(output.speech)),
      output.speech.t(isMore ? 'cli.files.foundMore' : 'cli.files.found', {
        shown: files.length,
        count: total,
      }),
    ]);
    return total === 0 ? EXIT.failures : EXIT.done;
  });

const fileRow = ({ sizeBytes, AssignmentId, title, batchId, addedAtMs, ...file }: FoundFile) => ({
  ...file,
  ...(sizeBytes !== undefined && { size: sizeBytes }),
  assignment: AssignmentId,
  ...(title !== undefined && { name: title }),
  ...(batchId !== undefined && { batch: batchId }),
  at: new Date(addedAtMs).toISOString(),
});

const columns = ({ t, locale }: Speech<'host'>): readonly Column<FoundFile>[] => [
  { title: t('table.title.state'), cell: ({ state }) => t(`table.fileState.${state}`) },
  { title: 'FileName', cell: ({ FileName }) => FileName },
  { title: t('table.title.folder'), cell: ({ folder }) => folder ?? '' },
  { title: t('table.title.assignment'), cell: ({ title, AssignmentId }) => title ?? AssignmentId },
  {
    title: t('table.title.size'),
    cell: ({ sizeBytes }) => (sizeBytes === undefined ? '' : formatBytes(sizeBytes, { locale })),
  },
  { title: t('table.title.added'), cell: ({ addedAtMs }) => formatTime(addedAtMs) },
];
