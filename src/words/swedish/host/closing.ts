import type { closing as english } from '../../english/host/closing.ts';
import type { Translation } from '../../translation.ts';

export const closing: Translation<typeof english> = {
  continues: 'Uppladdningar fortsätter i bakgrunden',
  background: '{{app}} fortsätter utan fönster och meddelar dig när de är klara. Du kan ändra detta i inställningarna.',
  minimised:
    'Det här skrivbordet har inget meddelandefält. Fönstret minimeras därför, och {{app}} meddelar dig när de är klara. Du kan ändra detta i inställningarna.',
  ok: 'OK',
  cancel: 'Avbryt',
  quit: 'Avsluta',
  quitQuestion: 'Avsluta {{app}}?',
  quitExplained_one: '{{count, number}} uppladdning är inte slutförd. Den fortsätter när du öppnar appen igen.',
  quitExplained_other: '{{count, number}} uppladdningar är inte slutförda. De fortsätter när du öppnar appen igen.',
};
