import type { tray as english } from '../../english/host/tray.ts';
import type { Translation } from '../../translation.ts';

export const tray: Translation<typeof english> = {
  open: '{{app}} öffnen',
  pause: 'Uploads anhalten',
  resume: 'Uploads fortsetzen',
  idle: 'Keine laufenden Uploads',
  watching: 'Ordner werden überwacht',
  uploading_one: '{{count, number}} Upload läuft, {{percent}} %',
  uploading_other: '{{count, number}} Uploads laufen, {{percent}} %',
  waiting_one: '{{count, number}} Upload wartet auf den Dienst',
  waiting_other: '{{count, number}} Uploads warten auf den Dienst',
  paused_one: '{{count, number}} Upload angehalten',
  paused_other: '{{count, number}} Uploads angehalten',
  stopped_one: '{{count, number}} Upload erfordert Ihre Aufmerksamkeit',
  stopped_other: '{{count, number}} Uploads erfordern Ihre Aufmerksamkeit',
  scheduled_one: '{{count, number}} Upload geplant',
  scheduled_other: '{{count, number}} Uploads geplant',
};
