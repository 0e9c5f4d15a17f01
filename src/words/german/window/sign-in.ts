import type { signIn as english } from '../../english/window/sign-in.ts';
import type { Translation } from '../../translation.ts';

export const signIn = {
  title: 'Anmelden',
  sample: 'Ihr Browser öffnet die Anmeldeseite des Beispieldienstes auf diesem Computer. Sie brauchen kein Kennwort.',
  service: 'Ihr Browser öffnet die Anmeldeseite Ihres Dienstes. Inspection Desk sieht Ihr Kennwort nie.',
  browseOffline: 'Offlinedaten ansehen',
  offline: 'Sie sehen Offlinedaten.',
  waiting: 'Warten auf den Browser…',
  openAgain: 'Erneut öffnen',
  copyAddress: 'Adresse kopieren',
  copied: 'Adresse kopiert. Fügen Sie sie in den gewünschten Browser ein.',
  notOpened:
    'Wenn sich keine Seite geöffnet hat, öffnen Sie sie erneut oder kopieren Sie ihre Adresse in einen anderen Browser auf diesem Computer.',
  finish:
    'Schließen Sie die Anmeldung im Browser ab, und kehren Sie dann zu diesem Fenster zurück. Sie haben noch {{minutes}} Zeit.',
} as const satisfies Translation<typeof english>;
