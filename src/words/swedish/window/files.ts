import type { files as english } from '../../english/window/files.ts';
import type { Translation } from '../../translation.ts';

export const files = {
  title: 'Filer',
  search: 'Sök filer',
  all_one: 'Visa {{count, number}} fil',
  all_other: 'Visa alla {{count, number}} filer',
  more: 'fler än {{files}}',
  indexing: 'Filer från tidigare uppladdningar läggs fortfarande till i sökningen: {{done}} av {{all}} hittills.',
  everyState: 'Alla tillstånd',
  fromDay: 'Tillagd från',
  toDay: 'Tillagd till',
  only: 'Filer på {{name}}',
  ofAssignment: 'Sök bland dess filer',
  loading: 'Filerna genomsöks',
  empty: 'Inga filer ännu.',
  emptyHint: 'Här visas filer som du laddar upp från den här datorn och filer som tjänsten rapporterar.',
  nothing: 'Inga filer matchar.',
  nothingHint:
    'Sökningen matchar början av ord och tal, i valfri ordning. Du kan också släppa en fil här för att se om den har laddats upp.',
  assignment: 'Uppdrag',
  removed: 'Borttagen',
  reported: 'Rapporterad',
  dropHere: 'Släpp filer för att se om de har laddats upp',
  reading: 'De släppta filerna läses in',
  sent_one: '”{{name}}” har laddats upp.',
  sent_other: '”{{name}}” har laddats upp {{count, number}} gånger.',
  found: '”{{name}}” har laddats upp eller rapporterats tidigare, men finns inte på något uppdrag nu.',
  notSent: '”{{name}}” har inte laddats upp från den här datorn.',
  alike: 'Andra filer med det namnet:',
  inFolders: 'Filer från mappar med det namnet:',
  stop: 'Stoppa',
} as const satisfies Translation<typeof english>;
