import type { codes as english } from '../../english/window/codes.ts';
import type { Translation } from '../../translation.ts';

export const codes = {
  PENDING: 'Ausstehend',
  PLANNED: 'Geplant',
  IN_PROGRESS: 'In Bearbeitung',
  COMPLETED: 'Abgeschlossen',
  CANCELLED: 'Abgebrochen',
  CLOSED: 'Geschlossen',
  REJECTED: 'Abgelehnt',
  CRITICAL: 'Kritisch',
  HIGH: 'Hoch',
  MEDIUM: 'Mittel',
  LOW: 'Niedrig',
  INFO: 'Hinweis',
  NONE: 'Keiner',
  CONTRACTOR: 'Auftragnehmer',
  CUSTOMER: 'Kunde',
} as const satisfies Translation<typeof english>;
