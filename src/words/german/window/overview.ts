import type { overview as english } from '../../english/window/overview.ts';
import type { Translation } from '../../translation.ts';

export const overview = {
  title: 'Übersicht',
  statuses: 'Projektaufträge nach Status',
  noAssignments: 'Es gibt keine Projektaufträge.',
  severities: 'Prüfpunkte nach Schweregrad',
  noPoints:
    'Noch sind keine Prüfpunkte offline verfügbar. Sie erscheinen hier, wenn Sie Protokolle öffnen oder alles offline verfügbar machen.',
  months: 'Protokolle nach Prüfmonat',
  noProtocols:
    'Noch sind keine Protokolle offline verfügbar. Sie erscheinen hier, wenn Sie die Liste der Protokolle öffnen.',
  loading: 'Wird gezählt',
  age: 'Offlinedaten: {{protocols}}, ältester Stand {{age}}',
  changes: 'Ausstehende Änderungen',
  changesOf: 'Auftrag {{id}}',
  sendChanges: 'Jetzt senden',
  uploads: 'Uploads',
  allUploads: 'Alle Uploads',
  noUploads: 'Kein Upload läuft, und keiner ist fehlgeschlagen.',
} as const satisfies Translation<typeof english>;
