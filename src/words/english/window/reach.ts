/** Whether the service and the file storage can be reached. */
export const reach = {
  service: 'The service',
  storage: 'The file storage {{host}}',
  someStorage: 'The server',
  unreachable: '{{who}} has not been reachable since {{at}}.',
  unreachableTodo: 'Uploads continue automatically when it is back.',
  held: '{{who}} asked for a pause until {{at}}.',
  heldTodo: 'Work continues automatically then.',
  tryNow: 'Try again now',
  pausedUntil: 'Paused until {{at}}',
  storageOffline: 'Storage offline since {{at}}',
  storagePaused: 'Storage paused until {{at}}',
} as const;
