import type { signIn as english } from '../../english/window/sign-in.ts';
import type { Translation } from '../../translation.ts';

export const signIn = {
  title: 'Logga in',
  sample: 'Webbläsaren öppnar exempeltjänstens inloggningssida på den här datorn. Du behöver inget lösenord.',
  service: 'Webbläsaren öppnar din tjänsts inloggningssida. Inspection Desk ser aldrig ditt lösenord.',
  browseOffline: 'Bläddra i offlinedata',
  offline: 'Du ser offlinedata.',
  waiting: 'Väntar på webbläsaren…',
  openAgain: 'Öppna igen',
  copyAddress: 'Kopiera adress',
  copied: 'Adressen har kopierats. Klistra in den i den webbläsare du vill använda.',
  notOpened:
    'Om ingen sida har öppnats kan du öppna den igen eller kopiera adressen till en annan webbläsare på den här datorn.',
  finish: 'Slutför inloggningen i webbläsaren och gå sedan tillbaka till det här fönstret. Du har {{minutes}} kvar.',
} as const satisfies Translation<typeof english>;
