import type { shortcuts as english } from '../../english/window/shortcuts.ts';
import type { Translation } from '../../translation.ts';

export const shortcuts = {
  title: 'Kortkommandon',
  everywhere: 'Överallt',
  inTables: 'I tabeller',
  search: 'Sök överallt',
  find: 'Sök eller filtrera på sidan',
  intoTable: 'Gå från sökningen till resultaten',
  readAgain: 'Uppdatera sidan',
  rows: 'Föregående eller nästa rad',
  pageOfRows: 'Tio rader upp eller ned',
  ends: 'Första eller sista raden',
  headings: 'Föregående eller nästa rubrik',
  width: 'Smalare eller bredare kolumn',
  openRow: 'Öppna raden',
  sort: 'Sortera efter rubriken',
  select: 'Markera raden',
  selectMore: 'Markera raderna intill',
  selectAll: 'Markera alla rader',
  close: 'Stäng en dialogruta eller detaljerna',
  show: 'Visa kortkommandon',
} as const satisfies Translation<typeof english>;
