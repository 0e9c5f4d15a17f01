import type { overview as english } from '../../english/window/overview.ts';
import type { Translation } from '../../translation.ts';

export const overview = {
  title: 'Übersicht',
  statuses: 'Projektaufträge nach Status',
  noAssignments: 'Es gibt keine Projektaufträge.',
  severities: 'Prüfpunkte nach Schweregrad',
  noPoints: 'Die Offlinedaten enthalten noch keine Prüfpunkte.',
  months: 'Protokolle nach Prüfmonat',
  noProtocols: 'Die Offlinedaten enthalten noch keine Protokolle.',
  loading: 'Wird gezählt',
  age: 'Offlinedaten: {{protocols}}, ältester Stand {{age}}',
  changes: 'Ausstehende Änderungen',
  changesOf: 'Auftrag {{id}}',
  sendChanges: 'Jetzt senden',
  uploads: 'Uploads',
  allUploads: 'Alle Uploads',
  noUploads: 'Kein Upload läuft, und keiner ist fehlgeschlagen.',
} as const satisfies Translation<typeof english>;
