import type { shortcuts as english } from '../../english/window/shortcuts.ts';
import type { Translation } from '../../translation.ts';

export const shortcuts = {
  title: 'Tastenkombinationen',
  everywhere: 'Überall',
  inTables: 'In Tabellen',
  search: 'Überall suchen',
  find: 'Auf dieser Seite suchen oder filtern',
  intoTable: 'Von der Suche zu den Treffern',
  readAgain: 'Diese Seite aktualisieren',
  rows: 'Vorherige oder nächste Zeile',
  pageOfRows: 'Zehn Zeilen nach oben oder unten',
  ends: 'Erste oder letzte Zeile',
  headings: 'Vorherige oder nächste Überschrift',
  width: 'Spalte schmaler oder breiter',
  openRow: 'Zeile öffnen',
  sort: 'Nach der Überschrift sortieren',
  select: 'Zeile markieren',
  selectMore: 'Benachbarte Zeilen markieren',
  selectAll: 'Alle Zeilen markieren',
  close: 'Dialogfeld oder Details schließen',
  show: 'Diese Tastenkombinationen anzeigen',
} as const satisfies Translation<typeof english>;
