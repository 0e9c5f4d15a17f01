import type { page as english } from '../../english/host/page.ts';
import type { Translation } from '../../translation.ts';

export const page: Translation<typeof english> = {
  accepted: {
    title: 'Angemeldet',
    text: 'Sie sind angemeldet. Sie können dieses Fenster schließen.',
  },
  refused: {
    title: 'Nicht angemeldet',
    text: 'Die Anmeldung wurde nicht abgeschlossen. Sie können dieses Fenster schließen.',
  },
  unknown: {
    title: 'Nicht gefunden',
    text: 'Diese Seite existiert nicht.',
  },
};
