import type { closing as english } from '../../english/host/closing.ts';
import type { Translation } from '../../translation.ts';

export const closing: Translation<typeof english> = {
  continues: 'Uploads laufen im Hintergrund weiter',
  background:
    '{{app}} läuft ohne Fenster weiter und benachrichtigt Sie, wenn sie abgeschlossen sind. Sie können das in den Einstellungen ändern.',
  minimised:
    'Dieser Desktop hat keinen Infobereich. Das Fenster wird deshalb minimiert, und {{app}} benachrichtigt Sie, wenn sie abgeschlossen sind. Sie können das in den Einstellungen ändern.',
  ok: 'OK',
  cancel: 'Abbrechen',
  quit: 'Beenden',
  quitQuestion: '{{app}} beenden?',
  quitExplained_one:
    '{{count, number}} Upload ist nicht abgeschlossen. Er wird fortgesetzt, wenn Sie die App wieder öffnen.',
  quitExplained_other:
    '{{count, number}} Uploads sind nicht abgeschlossen. Sie werden fortgesetzt, wenn Sie die App wieder öffnen.',
};
