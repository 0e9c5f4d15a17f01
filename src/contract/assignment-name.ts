/** What people call an assignment, in the window and wherever main speaks of one. */
import type { AssignmentSummary } from './resources.ts';

/** The customer's name as displayed; empty if there is none. */
export const customerName = ({ FirstName, LastName }: Pick<AssignmentSummary, 'FirstName' | 'LastName'>): string =>
  [FirstName, LastName].filter(Boolean).join(' ');

/**
 * Address and customer, such as "12 Mill Street, York · Anna Berg": assignments of one protocol share their address.
 * Empty if the service gives neither.
 */
export const assignmentName = (
  summary: Pick<AssignmentSummary, 'Address' | 'City' | 'FacilityId' | 'FirstName' | 'LastName'>,
): string => {
  const place = [summary.Address, summary.City].filter(Boolean).join(', ');
  return [place || summary.FacilityId, customerName(summary)].filter(Boolean).join(' · ');
};
