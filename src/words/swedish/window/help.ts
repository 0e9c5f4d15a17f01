import type { help as english } from '../../english/window/help.ts';
import type { Translation } from '../../translation.ts';

export const help = {
  search: 'Sök i hjälpen',
  contents: 'Innehåll',
  found_one: '{{count, number}} avsnitt',
  found_other: '{{count, number}} avsnitt',
  noMatch: 'Inget hjälpavsnitt matchar ”{{text}}”.',
} as const satisfies Translation<typeof english>;
