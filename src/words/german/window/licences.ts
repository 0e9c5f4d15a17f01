import type { licences as english } from '../../english/window/licences.ts';
import type { Translation } from '../../translation.ts';

export const licences = {
  title: 'Lizenzen',
  search: 'Pakete durchsuchen',
  loading: 'Lizenzen werden geladen',
  count_one: 'Inspection Desk enthält {{count, number}} Paket von Dritten.',
  count_other: 'Inspection Desk enthält {{count, number}} Pakete von Dritten.',
  none: 'Die Liste entsteht, wenn die App gebaut wird: npm run build.',
  noMatch: 'Kein Paket entspricht „{{text}}“.',
} as const satisfies Translation<typeof english>;
