/** Filter and order of the assignments for projects. */
import { type AssignmentSummary, customerName } from '../../../contract/resources.ts';
import { addressOf } from '../../domain/texts.tsx';
import type { Sort } from '../../ui/data-table/columns.tsx';
import { formats } from '../../words/formats.ts';
import { t } from '../../words/words.ts';

const values: Readonly<Record<string, (row: AssignmentSummary) => SortValue>> = {
  Address: addressOf,
  City: (row) => row.City,
  Customer: customerName,
  Performer: (row) => row.Performer,
  StartTime: (row) => row.StartTime,
  AssignmentStatus: (row) => row.AssignmentStatus,
};

/** The `rows` with `status`, or all. */
const withStatus = (rows: readonly AssignmentSummary[], status: string | undefined): readonly AssignmentSummary[] =>
  status === undefined ? rows : rows.filter((row) => row.AssignmentStatus === status);

/** How many `rows` have `status`, such as "22 of 60 assignments"; without a status, such as "60 assignments". */
export const countText = (rows: readonly AssignmentSummary[], status: string | undefined): string =>
  status === undefined
    ? t('count.assignment', { count: rows.length })
    : t('protocols.projects.shown', { shown: withStatus(rows, status).length, count: rows.length });

/** The `rows` with `status`, or all, in the order of `sort` or that of the service. */
export const viewProjects = (
  rows: readonly AssignmentSummary[],
  status: string | undefined,
  sort: Sort | undefined,
): readonly AssignmentSummary[] => {
  const chosen = withStatus(rows, status);
  const valueIn = sort && values[sort.by];
  return valueIn === undefined ? chosen : sortRows(chosen, valueIn, sort?.descending === true);
};

/** The different statuses of `rows`, sorted. */
export const statusesOf = (rows: readonly AssignmentSummary[]): readonly string[] =>
  [...new Set(rows.map((row) => row.AssignmentStatus))].sort();

type SortValue = string | number;

const compare = (a: SortValue, b: SortValue): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : formats().collator.compare(String(a), String(b));

/** `rows` in the order of `valueIn`; rows without a value come last in either order. */
export const sortRows = <Row>(
  rows: readonly Row[],
  valueIn: (row: Row) => SortValue,
  descending: boolean,
): readonly Row[] => {
  const keyed = rows.map((row) => ({ row, value: valueIn(row) }));
  const sign = descending ? -1 : 1;
  return keyed
    .sort((a, b) => Number(a.value === '') - Number(b.value === '') || sign * compare(a.value, b.value))
    .map(({ row }) => row);
};
