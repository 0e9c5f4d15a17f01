/** Notifications of the system about uploads. */
export const notice = {
  finished: 'Upload finished: {{name}}',
  paused: 'Upload paused: {{name}}',
  folders_one: '{{count, number}} folder',
  folders_other: '{{count, number}} folders',
  assignments_one: '{{count, number}} assignment',
  assignments_other: '{{count, number}} assignments',
  assignment: 'assignment {{id}}',
  outcome_one: '{{done, number}} of {{count, number}} file uploaded to {{target}}',
  outcome_other: '{{done, number}} of {{count, number}} files uploaded to {{target}}',
  notReplaced_one: '{{count, number}} earlier file not removed',
  notReplaced_other: '{{count, number}} earlier files not removed',
  failed: '{{count, number}} failed',
  more: '{{names}} and {{count, number}} more',
} as const;
