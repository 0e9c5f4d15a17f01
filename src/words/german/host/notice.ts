import type { notice as english } from '../../english/host/notice.ts';
import type { Translation } from '../../translation.ts';

export const notice: Translation<typeof english> = {
  finished: 'Upload abgeschlossen: {{name}}',
  paused: 'Upload angehalten: {{name}}',
  folders_one: '{{count, number}} Ordner',
  folders_other: '{{count, number}} Ordner',
  assignments_one: '{{count, number}} Auftrag',
  assignments_other: '{{count, number}} Aufträge',
  assignment: 'Auftrag {{id}}',
  outcome_one: '{{done, number}} von {{count, number}} Datei hochgeladen zu: {{target}}',
  outcome_other: '{{done, number}} von {{count, number}} Dateien hochgeladen zu: {{target}}',
  notReplaced_one: '{{count, number}} frühere Datei nicht entfernt',
  notReplaced_other: '{{count, number}} frühere Dateien nicht entfernt',
  failed: '{{count, number}} fehlgeschlagen',
  more: '{{names}} und {{count, number}} weitere',
};
