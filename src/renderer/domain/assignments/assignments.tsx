import { makeStyles, tokens } from '@fluentui/react-components';
import {
  CalendarClock16Regular,
  Clock16Regular,
  ErrorCircle16Filled,
  HourglassHalf16Regular,
} from '@fluentui/react-icons';
import { AssignmentColumn, type AssignmentRow, type WorkGroup } from '../../../contract/assignments.ts';
import { type AssignmentSummary, customerName, isClosed } from '../../../contract/resources.ts';
import { useWindowQuery, useWorkDays } from '../../queries/query.tsx';
import type { PlaceProps } from '../../state/store.tsx';
import { type Column, type Sort, TwoLines, timeCells } from '../../ui/data-table/columns.tsx';
import { TextBadge } from '../../ui/text-badge.tsx';
import { formatDay, formatMoment, toMilliseconds } from '../../words/dates.ts';
import { t } from '../../words/words.ts';
import { addressOf, codeWords, serviceTimeCells, serviceTimeText } from '../texts.tsx';

export const statusName = (status: string): string => codeWords(status) || t('assignment.noStatus');

export const assignmentDay = ({ StartTime }: AssignmentSummary): string =>
  StartTime === 0 ? '' : formatDay(toMilliseconds(StartTime));

/**
 * Returns the texts that distinguish assignments at one address: customer, day, performer and status. Only the status
 * is never empty.
 */
export const assignmentParts = (assignment: AssignmentSummary): readonly string[] => [
  customerName(assignment),
  // The day precedes the performer, so that a narrow column does not cut off the day's year.
  assignmentDay(assignment),
  assignment.Performer,
  statusName(assignment.AssignmentStatus),
];

/**
 * Shows the status of an assignment. A closed status has a subdued colour. `PENDING` is the only value that the API
 * defines.
 */
export const StatusBadge = ({ status }: { readonly status: string }) =>
  status === 'PENDING' ? (
    <TextBadge text={statusName(status)} color="warning" Icon={Clock16Regular} />
  ) : (
    <TextBadge text={statusName(status)} color={isClosed(status) ? 'subtle' : 'brand'} />
  );

// Columns that the tables of assignments share. Most widths depend on the other columns of a table, so each table sets
// them.

const address: Column<AssignmentSummary> = {
  id: 'Address',
  header: 'common.address',
  sort: 'Address',
  cell: addressOf,
};

const city: Column<AssignmentSummary> = { id: 'City', header: 'common.city', sort: 'City', cell: (row) => row.City };

const customer: Column<AssignmentSummary> = {
  id: 'Customer',
  header: 'assignment.customer',
  sort: 'Customer',
  cell: customerName,
};

const performer: Column<AssignmentSummary> = {
  id: 'Performer',
  header: 'assignment.performer',
  minor: true,
  sort: 'Performer',
  cell: (row) => row.Performer,
};

const start: Column<AssignmentSummary> = {
  id: 'Start',
  header: 'assignment.start',
  width: '188px',
  sort: 'StartTime',
  ...serviceTimeCells((row) => row.StartTime, 'moment'),
};

const status: Column<AssignmentSummary> = {
  id: 'Status',
  header: 'assignment.status',
  width: '132px',
  sort: 'AssignmentStatus',
  cell: (row) => <StatusBadge status={row.AssignmentStatus} />,
  text: (row) => statusName(row.AssignmentStatus),
};

const rest: readonly Column<AssignmentSummary>[] = [
  { ...performer, width: '15%' },
  start,
  status,
  { id: 'Facility', header: 'common.facility', width: '14%', rare: true, cell: (row) => row.FacilityId },
  { id: 'ID', header: 'assignment.id', width: '18%', rare: true, cell: (row) => row.AssignmentId },
];

/** Columns for assignments at different addresses. The address identifies an assignment. */
export const assignmentColumns: readonly Column<AssignmentSummary>[] = [
  address,
  { ...city, width: '14%', minor: true },
  { ...customer, width: '18%' },
  ...rest,
];

/**
 * Columns for the assignments of one protocol. Most of these assignments have the protocol's address, so the customer
 * identifies them. The table of these assignments cannot be sorted.
 */
export const protocolAssignmentColumns: readonly Column<AssignmentSummary>[] = [
  { ...customer, cell: (row) => customerName(row) || row.FacilityId },
  { ...address, width: '24%', cell: (row) => row.Address },
  { ...city, width: '14%', minor: true },
  ...rest,
];

const useStyles = makeStyles({
  marked: { '& > svg': { verticalAlign: 'text-bottom' } },
  failed: { color: tokens.colorStatusDangerForeground1 },
});

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

const planText = ({ PlanAfter, isPlanPending }: AssignmentRow, format = formatDay): string => {
  const at = PlanAfter === undefined ? '–' : format(toMilliseconds(PlanAfter));
  return isPlanPending ? t('work.pending', { at }) : at;
};

const PlanAfter = ({ row }: { readonly row: AssignmentRow }) => {
  const styles = useStyles();
  const title = row.PlanAfter === undefined ? undefined : planText(row, formatMoment);
  return (
    <span className={styles.marked} title={title}>
      {row.isPlanPending && <CalendarClock16Regular aria-hidden="true" />} {planText(row)}
    </span>
  );
};

const planned: readonly Column<AssignmentRow>[] = [
  {
    ...start,
    width: '120px',
    cell: ({ StartTime }) => (
      <span title={serviceTimeText(StartTime, 'moment')}>{serviceTimeText(StartTime, 'day')}</span>
    ),
  },
  {
    id: 'Plan after',
    header: 'work.planAfter',
    width: '160px',
    sort: 'PlanAfter',
    ...timeCells(({ PlanAfter }) => PlanAfter && toMilliseconds(PlanAfter), 'moment'),
    cell: (row) => <PlanAfter row={row} />,
    text: (row) => planText(row),
  },
  {
    id: 'Documents',
    header: 'work.documents',
    width: '144px',
    sort: 'Documents',
    cell: (row) => <Documents row={row} />,
    text: (row) => documentTexts(row).join(', '),
  },
  status,
];

const place = (row: AssignmentRow): string => [row.City, customerName(row)].filter(Boolean).join(' · ');

/**
 * The ids of the columns that are empty in most rows of a group. They are hidden unless the user chooses to show them.
 */
const emptyIn: Readonly<Partial<Record<WorkGroup, readonly string[]>>> = {
  overdue: ['Plan after', 'Documents'],
  planAfterPassed: ['Documents'],
  withoutDocuments: ['Documents'],
};

/** Returns the columns of the work list for a group or, if `group` is undefined, for the assignments of a day. */
export const workColumns = (group: WorkGroup | undefined): readonly Column<AssignmentRow>[] =>
  workList.map((column) => (group && emptyIn[group]?.includes(column.id) ? { ...column, rare: true } : column));

const workList: readonly Column<AssignmentRow>[] = [
  {
    ...address,
    cell: (row) => <TwoLines first={addressOf(row)} second={place(row)} look="name" />,
    text: (row) => [addressOf(row), place(row)].join(' · '),
  },
  { ...performer, width: '20%' },
  ...planned,
];

/**
 * The columns of the table of all assignments. Unlike in the work list, address, city and customer have a column each.
 */
export const tableColumns: readonly Column<AssignmentRow>[] = [
  address,
  { ...city, width: '104px' },
  { ...customer, width: '14%', minor: true },
  // The contractor is hidden at first, because the address needs the room. The table can be filtered by contractor
  // anyway.
  { ...performer, width: '16%', rare: true },
  // The column of documents is hidden in a window of the default size, so that the address has room.
  ...planned.map((column) => (column.id === 'Documents' ? { ...column, minor: 'first' as const } : column)),
  {
    id: 'Last upload',
    header: 'work.lastUpload',
    width: '128px',
    rare: true,
    sort: 'LastUpload',
    cell: ({ lastUpload }) => (lastUpload ? formatDay(lastUpload.atMs) : '–'),
    value: ({ lastUpload }) => (lastUpload ? { ms: lastUpload.atMs, day: false } : ''),
  },
  {
    id: 'Inspected',
    header: 'protocols.column.InspectionDate',
    width: '128px',
    rare: true,
    ...timeCells(({ protocol }) => protocol && toMilliseconds(protocol.InspectionDate), 'day'),
  },
];

export type WorkFilter = NonNullable<PlaceProps<'assignments'>['filter']>;

/**
 * The filter of the table of assignments when its page is opened: only open assignments, because closed ones need no
 * documents.
 */
export const usualFilter: WorkFilter = { open: true };

/**
 * Queries the assignments that match `filter`, in the order of `sort`; by start time if `sort` names no column that can
 * be sorted.
 */
export const useAssignmentTable = (filter: WorkFilter, sort: Sort | undefined) => {
  const days = useWorkDays();
  const column = AssignmentColumn.safeParse(sort?.by).data;
  const order = column && { sort: column, descending: sort?.descending === true };
  return useWindowQuery('Items', ({ assignments }, window) =>
    assignments.table({ ...filter, ...order, days, ...window }),
  );
};
