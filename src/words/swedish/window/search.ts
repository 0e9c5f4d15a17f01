import type { search as english } from '../../english/window/search.ts';
import type { Translation } from '../../translation.ts';

export const search = {
  everywhere: 'Sök överallt',
  label: 'Sök protokoll, uppdrag, uppladdningar och filer',
  hint: 'Sök på adress, ort, anläggning, kund, id, mapp eller filnamn. Släpp en fil för att se om den har laddats upp.',
  nothing: 'Inget matchar ”{{text}}”.',
  nothingHint:
    'Uppdrag, uppladdningar och filer söks bara på den här datorn: det du har öppnat eller gjort tillgängligt offline.',
  scope: {
    asking: 'Sökte i {{protocols}} på den här datorn. Frågar tjänsten…',
    complete: 'Omfattar alla protokoll hos tjänsten som matchar.',
    part: 'Sökte i {{protocols}} på den här datorn. Tjänsten kan ha fler.',
    offline: 'Sökte bara i {{protocols}} på den här datorn: tjänsten kan inte nås.',
    failed: 'Sökte bara i {{protocols}} på den här datorn: tjänsten svarade inte.',
    more: 'Visa dem',
  },
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
    found_one: '{{count, number}} träff för ”{{text}}”',
    found_other: '{{count, number}} träffar för ”{{text}}”',
    loading: 'Söker',
    folder: 'Mapp',
    assignment: 'Uppdrag',
    started: 'Startad',
  },
} as const satisfies Translation<typeof english>;
