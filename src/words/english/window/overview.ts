/** What needs doing, at a glance. */
export const overview = {
  title: 'Overview',
  statuses: 'Assignments for projects by status',
  noAssignments: 'There are no assignments for projects.',
  severities: 'Inspection points by severity',
  noPoints:
    'No inspection points are available offline yet. They appear here when you open protocols or make everything available offline.',
  months: 'Protocols by month of inspection',
  noProtocols: 'No protocols are available offline yet. They appear here when you open the list of protocols.',
  loading: 'Counting',
  age: 'Offline data: {{protocols}}, oldest updated {{age}}',
  changes: 'Pending changes',
  changesOf: 'Assignment {{id}}',
  sendChanges: 'Send now',
  uploads: 'Uploads',
  allUploads: 'All uploads',
  noUploads: 'No upload is in progress and none has failed.',
} as const;
