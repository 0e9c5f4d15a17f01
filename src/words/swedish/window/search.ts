import type { search as english } from '../../english/window/search.ts';
import type { Translation } from '../../translation.ts';

export const search = {
  everywhere: 'Sök överallt',
  label: 'Sök protokoll, uppdrag, uppladdningar och filer',
  hint: 'Sök på adress, ort, anläggning, kund, id, mapp eller filnamn. Släpp en fil för att se om den har laddats upp.',
  nothing: 'Inget på den här datorn matchar ”{{text}}”.',
  nothingHint: 'Sökningen omfattar det du har öppnat eller gjort tillgängligt offline. Den matchar början av ord.',
  askService: 'Sök i tjänsten',
  all_one: 'Visa {{count, number}} träff',
  all_other: 'Visa alla {{count, number}} träffar',
  results_one: '{{count, number}} träff',
  results_other: '{{count, number}} träffar',
  protocols: 'Protokoll',
  assignments: 'Uppdrag',
  uploads: 'Uppladdningar',
  files: 'Filer',
  more: 'Mer',
  page: {
    title: 'Sökresultat',
    kind: '{{name}} ({{count, number}})',
    kinds: 'Typer av träffar',
    found_one: '{{count, number}} träff för ”{{text}}” på den här datorn',
    found_other: '{{count, number}} träffar för ”{{text}}” på den här datorn',
    loading: 'Söker',
    folder: 'Mapp',
    assignment: 'Uppdrag',
    started: 'Startad',
  },
} as const satisfies Translation<typeof english>;
