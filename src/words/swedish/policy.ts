import type { policy as english } from '../english/policy.ts';
import type { PolicyWords } from '../policy-words.ts';

export const policy = {
  app: 'Inspection Desk',
  supported: 'Windows 10 eller senare',
  group: {
    connection: 'Anslutning',
    network: 'Nätverk',
    updates: 'Uppdateringar',
    desktop: 'Skrivbord',
    uploads: 'Uppladdningar',
    cache: 'Offlinedata',
    signOut: 'Utloggning',
    log: 'Logg',
    sampleData: 'Exempeldata',
  },
  key: {
    'connection.baseUrl': ['Tjänstens adress', 'Besiktningstjänstens https-adress.'],
    'connection.authUrl': ['Inloggningsadress', 'Den https-adress där man loggar in.'],
    'connection.clientId': ['Klient-id', 'Det klient-id som tjänsten har gett appen.'],
    'connection.redirectUri': [
      'Omdirigeringsadress',
      'Den omdirigeringsadress som är registrerad för klient-id:t, om det inte är appens.',
    ],
    'connection.scope': [
      'Omfång (scope)',
      'Det omfång som begärs vid inloggningen: ord åtskilda av ett blanksteg. Bara om tjänsten kräver det.',
    ],
    'connection.sendClientIdOnRefresh': [
      'Skicka klient-id när inloggningen förnyas',
      'Om detta inte är inställt skickar appen det bara när tjänsten kräver det.',
    ],
    'network.proxy.mode': [
      'Proxyserver',
      'system: systemets proxyinställningar (vanligast). none: ingen proxyserver. manual: proxyservern nedan. Krävs om någon annan nyckel för proxyservern är inställd.',
    ],
    'network.proxy.address': [
      'Proxyserverns adress',
      'Adressen till proxyservern om läget är manual: http://host:port, https://host:port eller socks5://host:port, utan lösenord.',
    ],
    'network.proxy.exceptions': [
      'Undantag från proxyservern',
      'Servrar som nås utan proxyserver, en per rad: *.example.com, 10.0.0.0/8, host:port.',
    ],
    'network.caFile': [
      'Ytterligare betrodda certifikat',
      'Fullständig sökväg till en PEM-fil med certifikat som är betrodda utöver systemets.',
    ],
    'updates.mode': [
      'Uppdateringar',
      'automatic: uppdateringar installeras när appen avslutas. off: appen letar aldrig efter uppdateringar.',
    ],
    'updates.channel': ['Uppdateringskanal', 'latest: släppta versioner. beta: även förhandsversioner.'],
    'updates.address': [
      'Uppdateringsadress',
      'Https-adressen till en server för uppdateringar, om organisationen tillhandahåller dem.',
    ],
    'desktop.tray': ['Ikon i meddelandefältet', 'Visar läget för uppladdningar i meddelandefältet eller menyraden.'],
    'desktop.keepUploading': [
      'Fortsätt ladda upp när fönstret stängs',
      'Om detta är av avslutas appen när fönstret stängs.',
    ],
    'desktop.startAtSignIn': ['Starta vid inloggning på datorn', 'Startar appen, utan fönster, när någon loggar in.'],
    'uploads.limit.bytesPerSecond': [
      'Uppladdningshastighet',
      'Gränsen för appens alla uppladdningar, i byte per sekund.',
    ],
    'uploads.limit.schedule': [
      'Uppladdningshastighet efter tid på dagen',
      'Perioder med egna gränser, en per rad som JSON. Den första som passar gäller. Dagar: 0 är söndag.',
    ],
    'uploads.leaveRoom': [
      'Lämna bandbredd åt andra',
      'När uppladdningar ger företräde åt annan trafik: under arbetstid (måndag till fredag 7.00–18.00), alltid eller aldrig.',
    ],
    'uploads.concurrency': ['Filer som laddas upp samtidigt', 'Ett tal från 1 till 64, eller auto.'],
    'uploads.hours': [
      'Uppladdningstider',
      'När uppladdningar får pågå, en period per rad som JSON; en period får gå över midnatt. Dagar: 0 är söndag.',
    ],
    'cache.limitMegabytes': [
      'Maximal storlek för offlinedata',
      'Så mycket offlinedata får högst ta på disken för varje användare, i megabyte. Det som inte har använts på längst tid tas bort först.',
    ],
    'signOut.erases': [
      'Vad en utloggning raderar',
      'session: inloggningen. offline-data: även tjänstens offlinedata på datorn.',
    ],
    'log.level': ['Loggnivå', 'De minst viktiga meddelandena som loggas.'],
    sampleData: ['Exempeldata', 'Om detta är av kan man inte utforska appen med exempeldata.'],
  },
} as const satisfies PolicyWords<typeof english>;
