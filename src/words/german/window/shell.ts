import type { shell as english } from '../../english/window/shell.ts';
import type { Translation } from '../../translation.ts';

export const shell = {
  main: 'Hauptmenü',
  starting: 'Wird gestartet…',
  back: 'Zurück',
  help: 'Hilfe',
  forward: 'Vorwärts',
  sample: 'Beispieldaten',
  online: 'Online',
  offlineSince: 'Offline seit {{at}}',
  signedOut: 'Abgemeldet',
  notices: 'Meldungen',
  changesWaiting_one: '{{count, number}} Änderung ausstehend',
  changesWaiting_other: '{{count, number}} Änderungen ausstehend',
  changesRefused_one: '{{count, number}} Änderung abgelehnt',
  changesRefused_other: '{{count, number}} Änderungen abgelehnt',
  runningUploads: '{{count, number}} aktiv',
  uploading_one: '{{count, number}} Upload läuft',
  uploading_other: '{{count, number}} Uploads laufen',
  uploadsWaiting_one: '{{count, number}} Upload wartet',
  uploadsWaiting_other: '{{count, number}} Uploads warten',
  copyDetails: 'Details kopieren',
  copied: 'Kopiert',
  copyImpossible: 'Kopieren nicht möglich',
  versionUnknown: '(Version unbekannt)',
} as const satisfies Translation<typeof english>;
