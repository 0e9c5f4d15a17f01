/** What is available offline. */
export const offline = {
  title: 'Available offline',
  explained:
    'Everything you open is available offline. You can also make all protocols available, with their assignments and inspection points.',
  makeAvailable: 'Make everything available offline',
  refreshAll: 'Refresh all',
  pause: 'Pause',
  continue: 'Continue',
  completed: 'Everything is available offline, updated {{age}} ({{at}}). {{size}} on disk.',
  completedInPart: 'Updated {{age}} ({{at}}). {{size}} on disk.',
  skipped_one: '{{count, number}} protocol is not available: the service returned no usable data for it.',
  skipped_other: '{{count, number}} protocols are not available: the service returned no usable data for them.',
  progressLabel: 'Making everything available offline',
  beginning: 'Loading the list of protocols…',
  listing: 'Loading the list: {{listed, number}} of {{total}}',
  available: '{{available, number}} of {{total}} available offline',
  size: '{{size}} on disk',
  paused: 'Paused: {{available}}.',
} as const;
