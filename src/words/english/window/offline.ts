/** What is available offline. */
export const offline = {
  title: 'Available offline',
  explained:
    'Everything you open stays available offline. Make all protocols available with their assignments and inspection points to work with them without a network.',
  keepAll: 'Make everything available offline',
  keepAgain: 'Refresh all',
  pause: 'Pause',
  continue: 'Continue',
  completed: 'Everything is available offline, updated {{age}} ({{at}}). {{size}} on disk.',
  progressLabel: 'Progress of making everything available offline',
  beginning: 'Reading the list of protocols…',
  listing: 'Reading the list: {{listed, number}} of {{total}}',
  available: '{{kept, number}} of {{total}} available offline',
  size: '{{size}} on disk',
  paused: 'Paused: {{available}}.',
} as const;
