import type { notice as english } from '../../english/host/notice.ts';
import type { Translation } from '../../translation.ts';

export const notice: Translation<typeof english> = {
  finished: 'Uppladdning slutförd: {{name}}',
  paused: 'Uppladdning pausad: {{name}}',
  folders_one: '{{count, number}} mapp',
  folders_other: '{{count, number}} mappar',
  assignments_one: '{{count, number}} uppdrag',
  assignments_other: '{{count, number}} uppdrag',
  assignment: 'uppdrag {{id}}',
  outcome_one: '{{done, number}} av {{count, number}} fil uppladdad till {{target}}',
  outcome_other: '{{done, number}} av {{count, number}} filer uppladdade till {{target}}',
  notReplaced_one: '{{count, number}} tidigare fil togs inte bort',
  notReplaced_other: '{{count, number}} tidigare filer togs inte bort',
  failed: '{{count, number}} misslyckades',
  more: '{{names}} och {{count, number}} till',
};
