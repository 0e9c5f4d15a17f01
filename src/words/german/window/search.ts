import type { search as english } from '../../english/window/search.ts';
import type { Translation } from '../../translation.ts';

export const search = {
  everywhere: 'Überall suchen',
  label: 'Protokolle, Aufträge, Uploads und Dateien durchsuchen',
  hint: 'Suchen Sie nach Adresse, Ort, Anlage, Kunde, ID, Ordner oder Dateiname. Legen Sie eine Datei ab, um zu sehen, ob sie hochgeladen wurde.',
  nothing: 'Nichts entspricht „{{text}}“.',
  nothingHint:
    'Aufträge, Uploads und Dateien werden nur auf diesem Computer gesucht: was Sie geöffnet oder offline verfügbar gemacht haben.',
  scope: {
    asking: '{{protocols}} auf diesem Computer durchsucht. Der Dienst wird gefragt…',
    complete: 'Enthält alle passenden Protokolle des Dienstes.',
    part: '{{protocols}} auf diesem Computer durchsucht. Der Dienst hat möglicherweise mehr.',
    offline: 'Nur {{protocols}} auf diesem Computer durchsucht: Der Dienst ist nicht erreichbar.',
    failed: 'Nur {{protocols}} auf diesem Computer durchsucht: Der Dienst hat nicht geantwortet.',
    more: 'Anzeigen',
  },
  all_one: '{{count, number}} Treffer anzeigen',
  all_other: 'Alle {{count, number}} Treffer anzeigen',
  results_one: '{{count, number}} Treffer',
  results_other: '{{count, number}} Treffer',
  protocols: 'Protokolle',
  assignments: 'Aufträge',
  uploads: 'Uploads',
  files: 'Dateien',
  more: 'Mehr',
  page: {
    title: 'Suchergebnisse',
    kind: '{{name}} ({{count, number}})',
    kinds: 'Arten von Treffern',
    found_one: '{{count, number}} Treffer für „{{text}}“',
    found_other: '{{count, number}} Treffer für „{{text}}“',
    loading: 'Suche läuft',
    folder: 'Ordner',
    assignment: 'Auftrag',
    started: 'Gestartet',
  },
} as const satisfies Translation<typeof english>;
