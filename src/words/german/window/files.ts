import type { files as english } from '../../english/window/files.ts';
import type { Translation } from '../../translation.ts';

export const files = {
  title: 'Dateien',
  search: 'Dateien suchen',
  all_one: '{{count, number}} Datei anzeigen',
  all_other: 'Alle {{count, number}} Dateien anzeigen',
  more: 'mehr als {{files}}',
  indexing: 'Dateien früherer Uploads werden noch in die Suche aufgenommen: bisher {{done}} von {{all}}.',
  everyState: 'Alle Status',
  fromDay: 'Hinzugefügt ab',
  toDay: 'Hinzugefügt bis',
  only: 'Dateien von {{name}}',
  ofAssignment: 'Dateien durchsuchen',
  loading: 'Dateien werden durchsucht',
  empty: 'Noch keine Dateien.',
  emptyHint: 'Hier erscheinen Dateien, die Sie von diesem Computer hochladen, und solche, die der Dienst meldet.',
  nothing: 'Keine passenden Dateien.',
  nothingHint:
    'Die Suche findet Anfänge von Wörtern und Zahlen in beliebiger Reihenfolge. Sie können auch eine Datei hier ablegen, um zu sehen, ob sie hochgeladen wurde.',
  assignment: 'Auftrag',
  removed: 'Entfernt',
  reported: 'Gemeldet',
  dropHere: 'Dateien ablegen, um zu sehen, ob sie hochgeladen wurden',
  reading: 'Die abgelegten Dateien werden gelesen',
  sent_one: '„{{name}}“ wurde hochgeladen.',
  sent_other: '„{{name}}“ wurde {{count, number}}-mal hochgeladen.',
  found: '„{{name}}“ wurde früher hochgeladen oder gemeldet, ist jetzt aber bei keinem Auftrag.',
  notSent: '„{{name}}“ wurde nicht von diesem Computer hochgeladen.',
  alike: 'Andere Dateien mit diesem Namen:',
  inFolders: 'Dateien aus Ordnern mit diesem Namen:',
  stop: 'Abbrechen',
} as const satisfies Translation<typeof english>;
