/** What is kept on this computer. */
export const offline = {
  title: 'Available offline',
  explained:
    'Everything you open is kept on this computer. Keep all protocols with their assignments and inspection points here to work with them without a network.',
  keepAll: 'Keep all offline',
  keepAgain: 'Refresh all',
  pause: 'Pause',
  continue: 'Continue',
  completed: 'Everything was kept {{age}} ({{at}}).',
  progressLabel: 'Progress of keeping everything offline',
  beginning: 'Reading the list of protocols…',
  progress: '{{done, number}} of {{total, number}} steps',
  paused: 'Paused at {{done, number}} of {{total, number}} steps.',
} as const;
