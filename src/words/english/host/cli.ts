/** What the command line says. */
export const cli = {
  error: 'error: {{text}} ({{code}})',
  hint: {
    connection: 'On the command line, use --base-url, --auth-url and --client-id.',
    scope: 'On the command line, set the scope with --scope.',
    tokenStore: 'On the command line, use --token-store memory to sign in for one command only.',
  },
  signIn: {
    openAddress: 'To sign in, open this address in a browser:',
    inBrowser: 'Sign in using the browser window that opens. Use --no-browser to print the address instead.',
    in: 'Signed in.',
    inAs: 'Signed in as {{subject}}.',
    out: 'Not signed in.',
  },
  service: 'Service: {{address}}',
  noService: 'No service is set up.',
  notOffline_one: 'Not available offline: {{count, number}} protocol. The service returned no usable data.',
  notOffline_other: 'Not available offline: {{count, number}} protocols. The service returned no usable data.',
  warning: {
    past: 'warning: {{at}} has already passed.',
    status: 'warning: the status of this assignment is {{status}}.',
    other: 'warning: “{{folder}}” contains {{found}}, which belongs to {{name}}.',
  },
  mapProblem: {
    columns: 'line {{line}}: a path and an assignment are expected: {{text}}',
    'assignment-unknown': 'line {{line}}: unknown assignment {{text}}',
    'path-outside': 'line {{line}}: {{text}} is outside the folder',
    'path-unmatched': 'line {{line}}: nothing matches {{text}}',
    'folder-twice': 'line {{line}}: {{text}} already has an assignment',
  },
  match: {
    updating: 'Reading the assignments: {{read, number}} of {{total, number}} lists',
    matching: 'Matching the folders',
    closed: 'warning: “{{folder}}” goes to an assignment with the status {{status}}.',
    left_one:
      '{{count, number}} folder has no certain assignment. Decide about it in the app, or name it in a map file.',
    left_other:
      '{{count, number}} folders have no certain assignment. Decide about them in the app, or name them in a map file.',
  },
  planAfter: {
    cleared: 'Plan-after cleared.',
    set: 'Plan-after is {{value}} ({{at}}).',
  },
  files: {
    found: '{{shown, number}} of {{files}}',
    removedOf: '{{done, number}} of {{files}} removed.',
    foundMore: '{{shown, number}} of more than {{files}}',
    none: 'No files. The list has files uploaded from this computer and files the service reported when a file was removed.',
    removed_one: 'Removed. The assignment now has {{count, number}} file.',
    removed_other: 'Removed. The assignment now has {{count, number}} files.',
  },
  list: {
    page: '{{count, number}} of {{total, number}}, page {{page}}',
    offline: 'Offline data, updated {{at}}.',
    unreadable_one: '{{count, number}} item could not be read.',
    unreadable_other: '{{count, number}} items could not be read.',
  },
  upload: {
    planned: '{{files}}, {{size}}, {{renamed, number}} renamed{{leftOut}}. Nothing was sent.',
    noRecord: 'The record of earlier uploads cannot be read, so the names may differ.',
    scanning: 'Scanning the folder: {{files}} found, {{settled, number}} processed{{wait}}',
    of: '{{done}} of {{all}}',
    failed: '{{count, number}} failed',
    skipped: '{{count, number}} skipped',
    waiting: 'waiting: {{reason}}',
    nextAttempt: 'Next attempt at {{at}}.',
    stopped: 'Stopped. To continue: uploads resume {{id}}',
    cancelled: 'Cancelled.',
    cancelledStay_one: 'Cancelled. {{count, number}} uploaded file stays on the assignment.',
    cancelledStay_other: 'Cancelled. {{count, number}} uploaded files stay on the assignment.',
    summary:
      '{{done, number}} of {{files}} uploaded{{skipped}}, {{failed, number}} failed, {{size}} in {{seconds}} s{{leftOut}}',
    next: 'List all: uploads show {{id}} --failed   Retry: uploads retry {{id}}',
    leftOut:
      '; left out: {{hidden, number}} hidden, {{system, number}} system, {{links, number}} links, {{special, number}} pipes, sockets or devices, {{unreadable, number}} unreadable',
    none: 'No uploads yet.',
    noneUnfinished: 'No unfinished uploads.',
    noneFailed: 'No failed files.',
    receipt: 'Receipt for {{files}} saved to {{path}}.',
  },
  verify: {
    progress: '{{done, number}} of {{files}} compared',
    verdict: {
      changed: 'changed',
      missing: 'missing',
      unreadable: 'unreadable',
      notUploaded: 'not uploaded',
    },
    summary: '{{same, number}} of {{files}} unchanged',
  },
  file_one: '{{count, number}} file',
  file_other: '{{count, number}} files',
} as const;
