/** Codes of the service that are known: states of an assignment, severities, and who uploaded a file. */
export const codes = {
  PENDING: 'Pending',
  PLANNED: 'Planned',
  IN_PROGRESS: 'In progress',
  COMPLETED: 'Completed',
  CANCELLED: 'Cancelled',
  CLOSED: 'Closed',
  REJECTED: 'Rejected',
  CRITICAL: 'Critical',
  HIGH: 'High',
  MEDIUM: 'Medium',
  LOW: 'Low',
  INFO: 'Info',
  NONE: 'None',
  CONTRACTOR: 'Contractor',
  CUSTOMER: 'Customer',
} as const;
