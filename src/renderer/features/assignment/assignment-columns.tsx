import type { AssignmentSummary } from '../../../contract/resources.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { ServiceTime } from '../../ui/service-time.tsx';
import { StatusBadge } from './status-badge.tsx';

/** The customer's name as one reads it. */
export const customerName = ({ FirstName, LastName }: AssignmentSummary): string =>
  [FirstName, LastName].filter(Boolean).join(' ');

const rest: readonly Column<AssignmentSummary>[] = [
  { header: 'Performer', width: '15%', minor: true, cell: (row) => row.Performer },
  { header: 'Start', width: '188px', cell: (row) => <ServiceTime raw={row.StartTime} show="moment" /> },
  { header: 'Status', width: '132px', cell: (row) => <StatusBadge status={row.AssignmentStatus} /> },
];

/** Assignments of many places, told apart by their addresses. */
export const assignmentColumns: readonly Column<AssignmentSummary>[] = [
  { header: 'Address', cell: (row) => row.Address || row.FacilityId },
  { header: 'City', width: '14%', cell: (row) => row.City },
  { header: 'Customer', width: '18%', cell: customerName },
  ...rest,
];

/** Assignments of one protocol, which mostly share its address: they are told apart by the customer. */
export const protocolAssignmentColumns: readonly Column<AssignmentSummary>[] = [
  { header: 'Customer', cell: (row) => customerName(row) || row.FacilityId },
  { header: 'Address', width: '24%', cell: (row) => row.Address },
  { header: 'City', width: '14%', minor: true, cell: (row) => row.City },
  ...rest,
];
