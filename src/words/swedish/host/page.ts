import type { page as english } from '../../english/host/page.ts';
import type { Translation } from '../../translation.ts';

export const page: Translation<typeof english> = {
  accepted: {
    title: 'Inloggad',
    text: 'Du är inloggad. Du kan stänga fönstret.',
  },
  refused: {
    title: 'Inte inloggad',
    text: 'Inloggningen slutfördes inte. Du kan stänga fönstret.',
  },
  unknown: {
    title: 'Hittades inte',
    text: 'Sidan finns inte.',
  },
};
