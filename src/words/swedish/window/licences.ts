import type { licences as english } from '../../english/window/licences.ts';
import type { Translation } from '../../translation.ts';

export const licences = {
  title: 'Licenser',
  search: 'Sök paket',
  loading: 'Licenserna läses in',
  count_one: 'Inspection Desk innehåller {{count, number}} paket från andra.',
  count_other: 'Inspection Desk innehåller {{count, number}} paket från andra.',
  none: 'Listan skapas när appen byggs: npm run build.',
  noMatch: 'Inget paket matchar ”{{text}}”.',
} as const satisfies Translation<typeof english>;
