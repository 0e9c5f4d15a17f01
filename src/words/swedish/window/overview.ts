import type { overview as english } from '../../english/window/overview.ts';
import type { Translation } from '../../translation.ts';

export const overview = {
  title: 'Översikt',
  statuses: 'Projektuppdrag efter status',
  noAssignments: 'Det finns inga projektuppdrag.',
  severities: 'Besiktningspunkter efter allvarlighetsgrad',
  noPoints:
    'Inga besiktningspunkter är tillgängliga offline ännu. De visas här när du öppnar protokoll eller gör allt tillgängligt offline.',
  months: 'Protokoll efter besiktningsmånad',
  noProtocols: 'Inga protokoll är tillgängliga offline ännu. De visas här när du öppnar listan över protokoll.',
  loading: 'Räknar',
  age: 'Offlinedata: {{protocols}}, det äldsta uppdaterat {{age}}',
  changes: 'Väntande ändringar',
  changesOf: 'Uppdrag {{id}}',
  sendChanges: 'Skicka nu',
  uploads: 'Uppladdningar',
  allUploads: 'Alla uppladdningar',
  noUploads: 'Ingen uppladdning pågår och ingen har misslyckats.',
} as const satisfies Translation<typeof english>;
