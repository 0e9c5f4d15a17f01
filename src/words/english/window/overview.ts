/** What needs doing, at a glance. */
export const overview = {
  title: 'Overview',
  statuses: 'Assignments for projects by status',
  noAssignments: 'There are no assignments for projects.',
  severities: 'Inspection points by severity',
  noPoints: 'No inspection point has been read on this computer yet.',
  months: 'Protocols by month of inspection',
  noProtocols: 'No protocol has been read on this computer yet.',
  loading: 'Counting',
  age: '{{protocols}} in offline data, the oldest updated {{age}}',
  changes: 'Changes to send',
  changesOf: 'Assignment {{id}}',
  sendChanges: 'Send now',
  uploads: 'Uploads',
  allUploads: 'All uploads',
  noUploads: 'No upload is in progress and none has failed.',
} as const;
