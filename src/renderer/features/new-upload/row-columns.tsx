import { makeStyles } from '@fluentui/react-components';
import { Warning16Regular } from '@fluentui/react-icons';
import type { DraftRow } from '../../../contract/drafts.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { TwoLines } from '../../ui/data-table/two-lines.tsx';
import { MiddleCut } from '../../ui/middle-cut.tsx';
import { TextBadge } from '../../ui/text-badge.tsx';
import { unseen } from '../../ui/unseen.ts';
import { formatBytes } from '../../words/amounts.ts';
import { t } from '../../words/words.ts';
import { CertaintyBadge } from './certainty-badge.tsx';
import {
  assignmentLines,
  certaintyName,
  parentOf,
  rowCertainty,
  rowName,
  rowReasons,
  targetText,
  warningName,
  warningText,
} from './row-words.ts';

const useStyles = makeStyles({ unseen });

const Target = ({ row }: { readonly row: DraftRow }) => {
  const { assignment, choice } = row;
  if (choice === 'left-out') return null;
  if (assignment === undefined) {
    return <TwoLines first={targetText(row) || t('newUpload.row.none')} second="" look="proposed" />;
  }
  const { place, detail } = assignmentLines(assignment);
  return (
    <TwoLines
      first={place}
      second={detail}
      title={[place, detail].join('\n')}
      look={choice === 'undecided' ? 'proposed' : undefined}
    />
  );
};

/** The id of the element that says why a row has its assignment. */
export const whyId = ({ rowId }: DraftRow): string => `why-${rowId}`;

const Why = ({ row, isMatched }: { readonly row: DraftRow; readonly isMatched: boolean }) => {
  const styles = useStyles();
  const reasons = rowReasons(row);
  const certainty = rowCertainty(row);
  return (
    <div>
      {(isMatched || certainty !== 'none') && <CertaintyBadge certainty={certainty} reasons={reasons} />}
      <span id={whyId(row)} className={styles.unseen}>
        {[targetText(row), ...reasons].join('. ')}
      </span>
    </div>
  );
};

const Warnings = ({ row: { warnings } }: { readonly row: DraftRow }) => {
  const [first, ...others] = warnings;
  if (first === undefined) return null;
  const badge = warningName(first);
  return (
    <TextBadge
      text={others.length === 0 ? badge : t('newUpload.badge.more', { badge, count: others.length })}
      title={warnings.map(warningText).join('\n')}
      color={first.kind === 'clash' ? 'informative' : 'warning'}
      Icon={Warning16Regular}
    />
  );
};

const folder: Column<DraftRow> = {
  id: 'Folder',
  header: () => t('newUpload.row.folder'),
  width: '28%',
  sort: 'path',
  cell: (row) => (
    <TwoLines
      first={<MiddleCut name={rowName(row)} title={row.path} />}
      second={parentOf(row) && <MiddleCut name={parentOf(row)} title={row.path} />}
      look="name"
    />
  ),
  text: ({ path }) => path,
};

const files: Column<DraftRow> = {
  id: 'Files',
  header: () => t('newUpload.row.files'),
  width: '92px',
  align: 'end',
  // The room is for the assignment.
  minor: true,
  sort: 'files',
  cell: ({ files, bytes }) => <TwoLines first={t('count.file', { count: files })} second={formatBytes(bytes)} />,
  text: ({ files, bytes }) => `${t('count.file', { count: files })}, ${formatBytes(bytes)}`,
};

const assignment: Column<DraftRow> = {
  id: 'Assignment',
  header: () => t('newUpload.row.assignment'),
  sort: 'assignment',
  cell: (row) => <Target row={row} />,
  text: ({ choice, assignment }) =>
    choice === 'left-out' || assignment === undefined ? '' : Object.values(assignmentLines(assignment)).join(' · '),
};

const matchWhere = (isMatched: boolean): Column<DraftRow> => ({
  id: 'Match',
  header: () => t('newUpload.row.certainty'),
  width: '156px',
  sort: 'certainty',
  cell: (row) => <Why row={row} isMatched={isMatched} />,
  text: (row) => certaintyName(rowCertainty(row)),
});

const problems: Column<DraftRow> = {
  id: 'Problems',
  header: () => t('newUpload.row.problems'),
  width: '150px',
  cell: (row) => <Warnings row={row} />,
  text: ({ warnings }) => warnings.map(warningText).join(' '),
};

const columnsWith = (match: Column<DraftRow>) => ({
  wide: [folder, files, assignment, match, problems],
  // The panel beside it shows the rest of the row that is looked at.
  besidePanel: [{ ...folder, width: '36%' }, assignment, match],
});

/**
 * The columns of the review; until the folders have been matched, none of them is called unmatched. `sort`: those of
 * `drafts.rows`.
 */
export const rowColumns = { matched: columnsWith(matchWhere(true)), before: columnsWith(matchWhere(false)) } as const;
