import type { help as english } from '../../english/window/help.ts';
import type { Translation } from '../../translation.ts';

export const help = {
  search: 'Hilfe durchsuchen',
  contents: 'Inhalt',
  found_one: '{{count, number}} Thema',
  found_other: '{{count, number}} Themen',
  noMatch: 'Kein Hilfethema entspricht „{{text}}“.',
} as const satisfies Translation<typeof english>;
