import type { reach as english } from '../../english/window/reach.ts';
import type { Translation } from '../../translation.ts';

export const reach = {
  service: 'Der Dienst',
  storage: 'Der Dateispeicher {{host}}',
  proxy: 'Der Proxy {{proxy}}',
  someStorage: 'Der Server',
  unreachable: '{{who}} ist seit {{at}} nicht erreichbar.',
  unreachableTodo: 'Uploads werden automatisch fortgesetzt, sobald die Verbindung wieder besteht.',
  interrupted: '{{who}} unterbricht Uploads seit {{at}}.',
  interruptedTodo:
    'Uploads werden automatisch erneut versucht. Vielleicht beendet eine Firewall oder ein Sicherheitsprogramm die Verbindungen: Wenn das Problem weiterhin besteht, fragen Sie Ihre IT-Abteilung.',
  held: '{{who}} nimmt bis {{at}} keine Anfragen an.',
  heldTodo: 'Uploads werden danach automatisch fortgesetzt.',
  tryNow: 'Jetzt versuchen',
  doctor: 'Ursache suchen',
  pausedUntil: 'Angehalten bis {{at}}',
  storageOffline: 'Dateispeicher offline seit {{at}}',
  storagePaused: 'Dateispeicher angehalten bis {{at}}',
} as const satisfies Translation<typeof english>;
