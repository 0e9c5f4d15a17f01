/** The work list and the table of assignments: their columns, groups and filters in words. */
import { makeStyles, tokens } from '@fluentui/react-components';
import { CalendarClock16Regular, ErrorCircle16Filled, HourglassHalf16Regular } from '@fluentui/react-icons';
import { AssignmentColumn, type AssignmentRow, type WorkGroup } from '../../../contract/assignments.ts';
import { customerName } from '../../../contract/resources.ts';
import { TwoLines } from '../../ui/data-table/cells.tsx';
import type { Column, Sort } from '../../ui/data-table/columns.tsx';
import { formatDay, formatMoment, toMilliseconds } from '../../words/dates.ts';
import { t } from '../../words/words.ts';
import { addressOf, serviceTimeCell, serviceTimeText } from '../texts.tsx';
import { address, city, customer, performer, start, status } from './assignments.tsx';

const useStyles = makeStyles({
  marked: { display: 'inline-flex', alignItems: 'center', gap: tokens.spacingHorizontalXS },
  failed: { color: tokens.colorStatusDangerForeground1 },
});

/** How many documents were sent, and how many failed or wait. */
const documentTexts = (row: AssignmentRow): readonly string[] =>
  (['sent', 'failed', 'waiting'] as const).flatMap((name) =>
    row[name] > 0 ? [t(`work.${name}`, { count: row[name] })] : [],
  );

const Documents = ({ row }: { readonly row: AssignmentRow }) => {
  const styles = useStyles();
  const { failed, waiting } = row;
  const text = documentTexts(row).join(', ');
  if (failed === 0 && waiting === 0) return text || '–';
  const Icon = failed > 0 ? ErrorCircle16Filled : HourglassHalf16Regular;
  return (
    <span className={styles.marked} title={text}>
      <Icon className={failed > 0 ? styles.failed : ''} aria-hidden="true" /> {text}
    </span>
  );
};

const planText = ({ PlanAfter, isPlanPending }: AssignmentRow): string => {
  const at = PlanAfter === undefined ? '–' : formatDay(toMilliseconds(PlanAfter));
  return isPlanPending ? t('work.pending', { at }) : at;
};

const PlanAfter = ({ row }: { readonly row: AssignmentRow }) => {
  const styles = useStyles();
  const title = row.PlanAfter === undefined ? undefined : formatMoment(toMilliseconds(row.PlanAfter));
  return (
    <span className={styles.marked} title={title}>
      {row.isPlanPending && <CalendarClock16Regular aria-hidden="true" />} {planText(row)}
    </span>
  );
};

/** What the week is planned by. */
const rest: readonly Column<AssignmentRow>[] = [
  {
    ...start,
    width: '128px',
    cell: ({ StartTime }) => (
      <span title={serviceTimeText(StartTime, 'moment')}>{serviceTimeText(StartTime, 'day')}</span>
    ),
  },
  {
    id: 'Plan after',
    header: () => t('work.planAfter'),
    width: '160px',
    sort: 'PlanAfter',
    cell: (row) => <PlanAfter row={row} />,
    text: planText,
    value: ({ PlanAfter }) => (PlanAfter === undefined ? '' : serviceTimeCell(PlanAfter, 'moment')),
  },
  {
    id: 'Documents',
    header: () => t('work.documents'),
    width: '144px',
    sort: 'Documents',
    cell: (row) => <Documents row={row} />,
    text: (row) => documentTexts(row).join(', '),
  },
  { ...status, width: '148px' },
];

const place = (row: AssignmentRow): string => [row.City, customerName(row)].filter(Boolean).join(' · ');

/** The rows of the work list have two lines. */
export const WORK_ROW_HEIGHT = 52;

/** Columns that have no value in nearly all rows of a group: the table shows them when it is asked to. */
const emptyIn: Readonly<Partial<Record<WorkGroup, readonly string[]>>> = {
  overdue: ['Plan after', 'Documents'],
  planAfterPassed: ['Documents'],
  withoutDocuments: ['Documents'],
};

/** For a group of the work list, or for any assignments, where one is recognised rather than compared. */
export const workColumns = (group: WorkGroup | undefined): readonly Column<AssignmentRow>[] =>
  columns.map((column) => (group && emptyIn[group]?.includes(column.id) ? { ...column, rare: true } : column));

const columns: readonly Column<AssignmentRow>[] = [
  {
    ...address,
    cell: (row) => <TwoLines first={addressOf(row)} second={place(row)} look="name" />,
    text: (row) => [addressOf(row), place(row)].join(' · '),
  },
  { ...performer, width: '16%' },
  ...rest,
];

/** For the table of all assignments: one column for each value. */
export const tableColumns: readonly Column<AssignmentRow>[] = [
  address,
  { ...city, width: '104px' },
  { ...customer, width: '14%', minor: true },
  // The filter of contractors is above; the address needs the room.
  { ...performer, width: '16%', rare: true },
  ...rest,
  {
    id: 'Last upload',
    header: () => t('work.lastUpload'),
    width: '128px',
    rare: true,
    sort: 'LastUpload',
    cell: ({ lastUpload }) => (lastUpload ? formatDay(lastUpload.atMs) : '–'),
    value: ({ lastUpload }) => (lastUpload ? { ms: lastUpload.atMs, day: false } : ''),
  },
  {
    id: 'Inspected',
    header: () => t('protocols.column.InspectionDate'),
    width: '128px',
    rare: true,
    cell: ({ protocol }) => (protocol ? serviceTimeText(protocol.InspectionDate, 'day') : '–'),
    value: ({ protocol }) => (protocol ? serviceTimeCell(protocol.InspectionDate, 'day') : ''),
  },
];

/** The order of a table of these columns, as main is asked for it. */
export const orderOf = (
  sort: Sort | undefined,
): { readonly sort?: AssignmentColumn; readonly descending?: boolean } => {
  const column = AssignmentColumn.safeParse(sort?.by).data;
  return column === undefined ? {} : { sort: column, descending: sort?.descending === true };
};
