import type { search as english } from '../../english/window/search.ts';
import type { Translation } from '../../translation.ts';

export const search = {
  everywhere: 'Überall suchen',
  label: 'Protokolle, Aufträge, Uploads und Dateien durchsuchen',
  hint: 'Suchen Sie nach Adresse, Ort, Anlage, Kunde, ID, Ordner oder Dateiname. Legen Sie eine Datei ab, um zu sehen, ob sie hochgeladen wurde.',
  nothing: 'Nichts auf diesem Computer entspricht „{{text}}“.',
  nothingHint: 'Die Suche umfasst, was Sie geöffnet oder offline verfügbar gemacht haben. Sie findet Wortanfänge.',
  askService: 'Im Dienst suchen',
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
    found_one: '{{count, number}} Treffer für „{{text}}“ auf diesem Computer',
    found_other: '{{count, number}} Treffer für „{{text}}“ auf diesem Computer',
    loading: 'Suche läuft',
    folder: 'Ordner',
    assignment: 'Auftrag',
    started: 'Gestartet',
  },
} as const satisfies Translation<typeof english>;
