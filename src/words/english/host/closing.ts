/** What is asked and said when the window closes or the app quits. */
export const closing = {
  continues: 'Uploads continue in the background',
  background:
    '{{app}} keeps running without its window and notifies you when they are done. You can change this in the settings.',
  minimised:
    'This desktop has no notification area, so the window is minimised and {{app}} notifies you when they are done. You can change this in the settings.',
  ok: 'OK',
  cancel: 'Cancel',
  quit: 'Quit',
  quitQuestion: 'Quit {{app}}?',
  quitExplained_one: '{{count, number}} upload is not finished. It continues when you open the app again.',
  quitExplained_other: '{{count, number}} uploads are not finished. They continue when you open the app again.',
} as const;
