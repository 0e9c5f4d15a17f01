import type { common as english } from '../../english/window/common.ts';
import type { Translation } from '../../translation.ts';

export const common = {
  address: 'Adress',
  cancel: 'Avbryt',
  city: 'Ort',
  clearFilters: 'Rensa filter',
  clearSearch: 'Rensa sökningen',
  copy: 'Kopiera {{name}}',
  close: 'Stäng',
  dismiss: 'Stäng',
  dismissAll: 'Stäng alla',
  facility: 'Anläggning',
  moreFiles_one: 'Och {{count, number}} fil till.',
  moreFiles_other: 'Och {{count, number}} filer till.',
  refresh: 'Uppdatera',
  columns: 'Kolumner',
  hiddenColumns: 'Kolumner. Dolda: {{columns}}',
  usualColumns: 'Vanliga kolumner',
  resizeColumn: 'Dra för att ändra bredden, eller klicka, flytta och klicka igen. Dubbelklicka för att återställa den.',
  tryAgain: 'Försök igen',
  rawTime: 'Värde från tjänsten: {{raw}}',
  unnamed: 'Utan namn',
  unreadable_one: '{{count, number}} post kunde inte läsas.',
  unreadable_other: '{{count, number}} poster kunde inte läsas.',
  unreadableItem: 'Posten kunde inte läsas: tjänsten skickade den i ett oväntat format.',
  fromCache: 'Offlinedata, uppdaterade {{age}} ({{at}}).',
} as const satisfies Translation<typeof english>;
