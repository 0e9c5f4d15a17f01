import type { offline as english } from '../../english/window/offline.ts';
import type { Translation } from '../../translation.ts';

export const offline = {
  title: 'Tillgängligt offline',
  explained:
    'Allt du öppnar är tillgängligt offline. Du kan även göra alla protokoll tillgängliga, med uppdrag och besiktningspunkter.',
  makeAvailable: 'Gör allt tillgängligt offline',
  refreshAll: 'Uppdatera allt',
  pause: 'Pausa',
  continue: 'Fortsätt',
  completed: 'Allt är tillgängligt offline, uppdaterat {{age}} ({{at}}). {{size}} på disken.',
  completedInPart: 'Uppdaterat {{age}} ({{at}}). {{size}} på disken.',
  skipped_one: '{{count, number}} protokoll är inte tillgängligt: tjänsten skickade inga användbara data.',
  skipped_other: '{{count, number}} protokoll är inte tillgängliga: tjänsten skickade inga användbara data.',
  progressLabel: 'Allt görs tillgängligt offline',
  beginning: 'Protokollistan läses in…',
  listing: 'Listan läses in: {{listed, number}} av {{total}}',
  available: '{{available, number}} av {{total}} tillgängliga offline',
  size: '{{size}} på disken',
  paused: 'Pausat: {{available}}.',
} as const satisfies Translation<typeof english>;
