/** The order and the choice of assignments that a person looks at. */
import type { AssignmentSummary } from '../../../contract/resources.ts';
import { type Sort, type SortValue, sortRows } from '../../ui/data-table/sort.ts';
import { customerName } from '../assignment/assignment-columns.tsx';

const values: Readonly<Record<string, (row: AssignmentSummary) => SortValue>> = {
  Address: (row) => row.Address || row.FacilityId,
  City: (row) => row.City,
  Customer: customerName,
  Performer: (row) => row.Performer,
  StartTime: (row) => row.StartTime,
  AssignmentStatus: (row) => row.AssignmentStatus,
};

/** Those of `rows` with `status`, or all; in the order of `sort`, or as the service gave them. */
export const viewProjects = (
  rows: readonly AssignmentSummary[],
  status: string | undefined,
  sort: Sort | undefined,
): readonly AssignmentSummary[] => {
  const chosen = status === undefined ? rows : rows.filter((row) => row.AssignmentStatus === status);
  const valueIn = sort && values[sort.by];
  return valueIn === undefined ? chosen : sortRows(chosen, valueIn, sort?.descending === true);
};

/** The different statuses of `rows`, in the order of the alphabet. */
export const statusesOf = (rows: readonly AssignmentSummary[]): readonly string[] =>
  [...new Set(rows.map((row) => row.AssignmentStatus))].sort();
