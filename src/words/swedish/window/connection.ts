import type { connection as english } from '../../english/window/connection.ts';
import type { Translation } from '../../translation.ts';

export const connection = {
  welcome: 'Välkommen till Inspection Desk',
  lead: 'Bläddra bland besiktningsprotokoll och uppdrag, online eller offline, och ladda upp hela mappar med dokument.',
  sample: 'Utforska med exempeldata',
  sampleNote: 'Exempeldata stannar på den här datorn. Du kan ansluta till din tjänst senare under Inställningar.',
  sampleOff: 'Din organisation har stängt av exempeldata.',
  title: 'Anslut till en tjänst',
  values: 'Du kan få de här tre värdena av tjänstens administratör.',
  connect: 'Anslut',
  anyway: 'Spara ändå',
  checking: 'Adresserna kontrolleras…',
  advanced: 'Avancerat',
  field: { baseUrl: 'Tjänstens adress', authUrl: 'Inloggningsadress', clientId: 'Klient-id', scope: 'Omfång (scope)' },
  scopeHint: 'Endast om din tjänst kräver det. Börjar gälla nästa gång du loggar in.',
  clientIdOnRefresh: 'Skicka klient-id när inloggningen förnyas',
  clientIdOnRefreshHint: 'Om detta är av skickas klient-id bara när tjänsten kräver det.',
  found: {
    answers: 'Tjänsten svarar på den här adressen.',
    unreachable: 'Adressen kan inte nås.',
    noHost: 'Servern hittades inte. Kontrollera adressen och nätverksanslutningen.',
    refused: 'Servern nekade anslutningen. Kontrollera värdnamn och port.',
    noWay: 'Adressen kan inte nås från ditt nätverk.',
    silent: 'Inget svar från adressen. Kontrollera adressen och nätverksanslutningen.',
  },
  wrong: {
    baseUrl: 'Ange tjänstens fullständiga adress, med https:// i början.',
    authUrl: 'Ange den fullständiga inloggningsadressen, med https:// i början.',
    clientId: 'Ange det klient-id som du har fått för appen.',
    scope: 'Ange ord åtskilda av ett blanksteg, utan citattecken och omvända snedstreck.',
  },
} as const satisfies Translation<typeof english>;
