import type { shell as english } from '../../english/window/shell.ts';
import type { Translation } from '../../translation.ts';

export const shell = {
  main: 'Huvudmeny',
  starting: 'Startar…',
  back: 'Bakåt',
  help: 'Hjälp',
  forward: 'Framåt',
  sample: 'Exempeldata',
  online: 'Online',
  offlineSince: 'Offline sedan {{at}}',
  signedOut: 'Utloggad',
  notices: 'Meddelanden',
  changesWaiting_one: '{{count, number}} ändring väntar',
  changesWaiting_other: '{{count, number}} ändringar väntar',
  changesRefused_one: '{{count, number}} ändring avvisad',
  changesRefused_other: '{{count, number}} ändringar avvisade',
  runningUploads: '{{count, number}} pågår',
  uploading_one: '{{count, number}} uppladdning pågår',
  uploading_other: '{{count, number}} uppladdningar pågår',
  uploadsWaiting_one: '{{count, number}} uppladdning väntar',
  uploadsWaiting_other: '{{count, number}} uppladdningar väntar',
  copyDetails: 'Kopiera detaljer',
  copied: 'Kopierat',
  copyImpossible: 'Det gick inte att kopiera',
  versionUnknown: '(okänd version)',
} as const satisfies Translation<typeof english>;
