/** Whether the service and the file storage can be reached. */
export const reach = {
  service: 'The service',
  storage: 'The file storage {{host}}',
  proxy: 'The proxy {{proxy}}',
  someStorage: 'The server',
  unreachable: '{{who}} has been unreachable since {{at}}.',
  unreachableTodo: 'Uploads continue automatically when the connection is back.',
  interrupted: '{{who}} has been interrupting uploads since {{at}}.',
  interruptedTodo:
    'Uploads try again automatically. A firewall or a security program may be ending the connections: if this persists, ask your IT department.',
  held: '{{who}} is not accepting requests until {{at}}.',
  heldTodo: 'Uploads continue automatically after that.',
  tryNow: 'Try again now',
  doctor: 'Find the cause',
  pausedUntil: 'Paused until {{at}}',
  storageOffline: 'Storage offline since {{at}}',
  storagePaused: 'Storage paused until {{at}}',
} as const;
