/** What each folder was matched with, for scripts and for people. */
import { resolve } from 'node:path';
import type { DraftRow } from '../../../../contract/drafts.ts';
import { assignmentName } from '../../../../contract/resources.ts';
import { visibleText } from '../../../../contract/text.ts';
import type { Speech } from '../../../../words/speech/speech.ts';
import type { RowMatch } from '../../../core/drafts/draft-calls.ts';
import type { Output } from './output.ts';
import { type Column, formatTable } from './table.ts';
import { formatBytes } from './units.ts';

/** A line of JSON for each folder, or a table. `folders`: those that were given, as they were. */
export const showMatches = async (
  output: Output,
  matches: readonly RowMatch[],
  folders: readonly string[],
): Promise<void> => {
  if (!output.json) return output.result(undefined, () => formatTable(matches, columns(output.speech)));
  await output.events(async function* () {
    for (const match of matches) yield matchEvent(match, folders);
  });
};

const matchEvent = (
  { source, path, fileNames, files, bytes, certainty, reasons, decision, candidates, AssignmentId }: RowMatch,
  folders: readonly string[],
) => ({
  type: 'match',
  folder: path,
  assignment: decision === 'send' ? AssignmentId : null,
  certainty: rounded(certainty),
  reasons,
  decision,
  candidates: candidates.map((one) => ({ assignment: one.AssignmentId, certainty: rounded(one.certainty) })),
  root: resolve(folders[source] ?? ''),
  files,
  bytes,
  ...(fileNames && { fileNames }),
});

/** More digits say nothing. */
const rounded = (certainty: number): number => Math.round(certainty * 10_000) / 10_000;

const columns = ({ t, locale }: Speech<'host'>): readonly Column<RowMatch>[] => [
  {
    title: t('table.title.folder'),
    cell: ({ path, fileNames }) =>
      fileNames
        ? `${visibleText(path) || '.'} (${t('cli.file', { count: fileNames.length })})`
        : visibleText(path) || '.',
    whole: true,
  },
  { title: t('table.title.decision'), cell: ({ decision }) => t(`table.decision.${decision}`) },
  {
    title: t('table.title.certainty'),
    cell: ({ certainty }) => (certainty === 0 ? '' : `${Math.floor(certainty * 100)} %`),
  },
  { title: t('table.title.assignment'), cell: ({ assignment }) => (assignment ? assignmentName(assignment) : '') },
  { title: t('table.title.files'), cell: ({ files }) => files },
  { title: t('table.title.size'), cell: ({ bytes }) => formatBytes(bytes, { locale }) },
];

/** A script cannot ask: reasons against what is sent go to standard error, and the upload continues. */
export const sayWarnings = ({ say, speech: { t } }: Output, rows: readonly DraftRow[]): void => {
  for (const { path, choice, warnings } of rows) {
    if (choice !== 'assignment') continue;
    for (const warning of warnings)
      if (warning.kind === 'status') say(t('cli.match.closed', { folder: path, status: warning.AssignmentStatus }));
  }
};
