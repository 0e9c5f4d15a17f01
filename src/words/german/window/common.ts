import type { common as english } from '../../english/window/common.ts';
import type { Translation } from '../../translation.ts';

export const common = {
  address: 'Adresse',
  cancel: 'Abbrechen',
  city: 'Ort',
  clearFilters: 'Filter zurücksetzen',
  clearSearch: 'Suche zurücksetzen',
  copy: '{{name}} kopieren',
  close: 'Schließen',
  dismiss: 'Schließen',
  dismissAll: 'Alle schließen',
  facility: 'Anlage',
  moreFiles_one: 'Und {{count, number}} weitere Datei.',
  moreFiles_other: 'Und {{count, number}} weitere Dateien.',
  refresh: 'Aktualisieren',
  columns: 'Spalten',
  hiddenColumns: 'Spalten. Ausgeblendet: {{columns}}',
  usualColumns: 'Übliche Spalten',
  resizeColumn:
    'Ziehen ändert die Breite, ebenso Klicken, Bewegen und erneutes Klicken. Ein Doppelklick setzt sie zurück.',
  tryAgain: 'Erneut versuchen',
  rawTime: 'Wert des Dienstes: {{raw}}',
  unnamed: 'Ohne Namen',
  unreadable_one: '{{count, number}} Eintrag konnte nicht gelesen werden.',
  unreadable_other: '{{count, number}} Einträge konnten nicht gelesen werden.',
  unreadableItem:
    'Dieser Eintrag konnte nicht gelesen werden: Der Dienst hat ihn in einem unerwarteten Format gesendet.',
  fromCache: 'Offlinedaten, aktualisiert {{age}} ({{at}}).',
} as const satisfies Translation<typeof english>;
