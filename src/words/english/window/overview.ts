/** What needs doing, at a glance. */
export const overview = {
  title: 'Overview',
  statuses: 'Assignments for projects by status',
  noAssignments: 'There are no assignments for projects.',
  severities: 'Inspection points by severity',
  noPoints: 'The offline data has no inspection points yet.',
  months: 'Protocols by month of inspection',
  noProtocols: 'The offline data has no protocols yet.',
  loading: 'Counting',
  age: 'Offline data: {{protocols}}, oldest updated {{age}}',
  changes: 'Pending changes',
  changesOf: 'Assignment {{id}}',
  sendChanges: 'Send now',
  uploads: 'Uploads',
  allUploads: 'All uploads',
  noUploads: 'No upload is in progress and none has failed.',
} as const;
