import type { offline as english } from '../../english/window/offline.ts';
import type { Translation } from '../../translation.ts';

export const offline = {
  title: 'Offline verfügbar',
  explained:
    'Alles, was Sie öffnen, ist offline verfügbar. Sie können außerdem alle Protokolle mit ihren Aufträgen und Prüfpunkten verfügbar machen.',
  makeAvailable: 'Alles offline verfügbar machen',
  refreshAll: 'Alles aktualisieren',
  pause: 'Anhalten',
  continue: 'Fortsetzen',
  completed: 'Alles ist offline verfügbar, aktualisiert {{age}} ({{at}}). {{size}} gespeichert.',
  completedInPart: 'Aktualisiert {{age}} ({{at}}). {{size}} gespeichert.',
  skipped_one: '{{count, number}} Protokoll ist nicht verfügbar: Der Dienst hat keine brauchbaren Daten gesendet.',
  skipped_other: '{{count, number}} Protokolle sind nicht verfügbar: Der Dienst hat keine brauchbaren Daten gesendet.',
  progressLabel: 'Alles wird offline verfügbar gemacht',
  beginning: 'Protokollliste wird geladen…',
  listing: 'Liste wird geladen: {{listed, number}} von {{total}}',
  available: '{{available, number}} von {{total}} offline verfügbar',
  size: '{{size}} gespeichert',
  paused: 'Angehalten: {{available}}.',
} as const satisfies Translation<typeof english>;
