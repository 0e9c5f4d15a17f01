import type { reach as english } from '../../english/window/reach.ts';
import type { Translation } from '../../translation.ts';

export const reach = {
  service: 'Tjänsten',
  storage: 'Fillagringen {{host}}',
  proxy: 'Proxyservern {{proxy}}',
  someStorage: 'Servern',
  unreachable: '{{who}} har inte kunnat nås sedan {{at}}.',
  unreachableTodo: 'Uppladdningar fortsätter automatiskt när anslutningen är tillbaka.',
  interrupted: '{{who}} har avbrutit uppladdningar sedan {{at}}.',
  interruptedTodo:
    'Uppladdningar försöker igen automatiskt. En brandvägg eller ett säkerhetsprogram kan avsluta anslutningarna: fråga er IT-avdelning om det fortsätter.',
  held: '{{who}} tar inte emot anrop förrän {{at}}.',
  heldTodo: 'Uppladdningar fortsätter automatiskt därefter.',
  tryNow: 'Försök igen nu',
  doctor: 'Hitta orsaken',
  pausedUntil: 'Pausad till {{at}}',
  storageOffline: 'Fillagringen offline sedan {{at}}',
  storagePaused: 'Fillagringen pausad till {{at}}',
} as const satisfies Translation<typeof english>;
