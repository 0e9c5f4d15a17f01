import type { codes as english } from '../../english/window/codes.ts';
import type { Translation } from '../../translation.ts';

export const codes = {
  PENDING: 'Väntar',
  PLANNED: 'Planerat',
  IN_PROGRESS: 'Pågår',
  COMPLETED: 'Slutfört',
  CANCELLED: 'Avbrutet',
  CLOSED: 'Stängt',
  REJECTED: 'Avvisat',
  CRITICAL: 'Kritisk',
  HIGH: 'Hög',
  MEDIUM: 'Medel',
  LOW: 'Låg',
  INFO: 'Information',
  NONE: 'Ingen',
  CONTRACTOR: 'Entreprenör',
  CUSTOMER: 'Kund',
} as const satisfies Translation<typeof english>;
