import type { tray as english } from '../../english/host/tray.ts';
import type { Translation } from '../../translation.ts';

export const tray: Translation<typeof english> = {
  open: 'Öppna {{app}}',
  pause: 'Pausa uppladdningar',
  resume: 'Återuppta uppladdningar',
  idle: 'Inga uppladdningar pågår',
  watching: 'Bevakar mappar',
  uploading_one: '{{count, number}} uppladdning pågår, {{percent}} %',
  uploading_other: '{{count, number}} uppladdningar pågår, {{percent}} %',
  waiting_one: '{{count, number}} uppladdning väntar på tjänsten',
  waiting_other: '{{count, number}} uppladdningar väntar på tjänsten',
  paused_one: '{{count, number}} uppladdning pausad',
  paused_other: '{{count, number}} uppladdningar pausade',
  stopped_one: '{{count, number}} uppladdning behöver åtgärdas',
  stopped_other: '{{count, number}} uppladdningar behöver åtgärdas',
  scheduled_one: '{{count, number}} uppladdning schemalagd',
  scheduled_other: '{{count, number}} uppladdningar schemalagda',
};
