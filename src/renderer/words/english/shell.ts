/** The frame around every screen. */
export const shell = {
  main: 'Main',
  starting: 'Starting…',
  back: 'Back',
  forward: 'Forward',
  sample: 'Sample data',
  online: 'Online',
  offlineSince: 'Offline since {{at}}',
  signedOut: 'Signed out',
  notices: 'Notices',
  runningUploads: '{{count, number}} running',
  uploading_one: '{{count, number}} upload under way',
  uploading_other: '{{count, number}} uploads under way',
  copyDetails: 'Copy details',
  copied: 'Copied',
  copyImpossible: 'Copying is not possible',
  versionUnknown: '(version unknown)',
} as const;
