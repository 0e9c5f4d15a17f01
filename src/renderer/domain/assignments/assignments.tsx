/** Assignments in tables and forms. */

import { Clock16Regular } from '@fluentui/react-icons';
import { type AssignmentSummary, customerName, isClosed } from '../../../contract/resources.ts';
import type { Column } from '../../ui/data-table/columns.tsx';
import { TextBadge } from '../../ui/text-badge.tsx';
import { t } from '../../words/words.ts';
import { addressOf, codeWords, ServiceTime, serviceTimeCell, serviceTimeText } from '../texts.tsx';

/** A status in the service's own words. */
export const statusName = (status: string): string => codeWords(status) || t('assignment.noStatus');

/** The status of an assignment: those that are done stand back. PENDING is the only value that the interface names. */
export const StatusBadge = ({ status }: { readonly status: string }) =>
  status === 'PENDING' ? (
    <TextBadge text={statusName(status)} color="warning" Icon={Clock16Regular} />
  ) : (
    <TextBadge text={statusName(status)} color={isClosed(status) ? 'subtle' : 'brand'} />
  );

// Columns that tables of assignments share; those that need the room of others get a width in each.

export const address: Column<AssignmentSummary> = {
  id: 'Address',
  header: () => t('common.address'),
  sort: 'Address',
  cell: addressOf,
};

export const city: Column<AssignmentSummary> = {
  id: 'City',
  header: () => t('common.city'),
  sort: 'City',
  cell: (row) => row.City,
};

export const customer: Column<AssignmentSummary> = {
  id: 'Customer',
  header: () => t('assignment.customer'),
  sort: 'Customer',
  cell: customerName,
};

export const performer: Column<AssignmentSummary> = {
  id: 'Performer',
  header: () => t('assignment.performer'),
  minor: true,
  sort: 'Performer',
  cell: (row) => row.Performer,
};

export const start: Column<AssignmentSummary> = {
  id: 'Start',
  header: () => t('assignment.start'),
  width: '188px',
  sort: 'StartTime',
  cell: (row) => <ServiceTime raw={row.StartTime} show="moment" />,
  text: (row) => serviceTimeText(row.StartTime, 'moment'),
  value: (row) => serviceTimeCell(row.StartTime, 'moment'),
};

export const status: Column<AssignmentSummary> = {
  id: 'Status',
  header: () => t('assignment.status'),
  width: '132px',
  sort: 'AssignmentStatus',
  cell: (row) => <StatusBadge status={row.AssignmentStatus} />,
  text: (row) => statusName(row.AssignmentStatus),
};

const rest: readonly Column<AssignmentSummary>[] = [
  { ...performer, width: '15%' },
  start,
  status,
  { id: 'Facility', header: () => t('common.facility'), width: '14%', rare: true, cell: (row) => row.FacilityId },
  { id: 'ID', header: () => t('assignment.id'), width: '18%', rare: true, cell: (row) => row.AssignmentId },
];

/** For assignments in many places, identified by their addresses. */
export const assignmentColumns: readonly Column<AssignmentSummary>[] = [
  address,
  { ...city, width: '14%', minor: true },
  { ...customer, width: '18%' },
  ...rest,
];

/** For the assignments of one protocol, which mostly share its address and are identified by the customer. They are not sorted. */
export const protocolAssignmentColumns: readonly Column<AssignmentSummary>[] = [
  { ...customer, cell: (row) => customerName(row) || row.FacilityId },
  { ...address, width: '24%', cell: (row) => row.Address },
  { ...city, width: '14%', minor: true },
  ...rest,
];
