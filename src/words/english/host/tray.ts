/** The tray icon's menu, and the same text elsewhere. */
export const tray = {
  open: 'Open {{app}}',
  pause: 'Pause Uploads',
  resume: 'Resume Uploads',
  idle: 'No uploads in progress',
  watching: 'Watching folders',
  uploading_one: '{{count, number}} upload in progress, {{percent}}%',
  uploading_other: '{{count, number}} uploads in progress, {{percent}}%',
  waiting_one: '{{count, number}} upload waiting for the service',
  waiting_other: '{{count, number}} uploads waiting for the service',
  paused_one: '{{count, number}} upload paused',
  paused_other: '{{count, number}} uploads paused',
  stopped_one: '{{count, number}} upload needs attention',
  stopped_other: '{{count, number}} uploads need attention',
  scheduled_one: '{{count, number}} upload scheduled',
  scheduled_other: '{{count, number}} uploads scheduled',
} as const;
