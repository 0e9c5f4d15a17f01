import type { policy as english } from '../english/policy.ts';
import type { PolicyWords } from '../policy-words.ts';

export const policy = {
  app: 'Inspection Desk',
  supported: 'Windows 10 oder neuer',
  group: {
    connection: 'Verbindung',
    network: 'Netzwerk',
    updates: 'Updates',
    desktop: 'Desktop',
    uploads: 'Uploads',
    cache: 'Offlinedaten',
    signOut: 'Abmeldung',
    log: 'Log',
    sampleData: 'Beispieldaten',
  },
  key: {
    'connection.baseUrl': ['Adresse des Dienstes', 'Die https-Adresse des Prüfdienstes.'],
    'connection.authUrl': ['Anmeldeadresse', 'Die https-Adresse, unter der man sich anmeldet.'],
    'connection.clientId': ['Client-ID', 'Die Client-ID, die der Dienst dieser App gegeben hat.'],
    'connection.redirectUri': [
      'Umleitungsadresse',
      'Die Umleitungsadresse, die für die Client-ID registriert ist, wenn es nicht die der App ist.',
    ],
    'connection.scope': [
      'Bereich (Scope)',
      'Der Bereich, der bei der Anmeldung angefordert wird: Wörter, durch je ein Leerzeichen getrennt. Nur wenn der Dienst es verlangt.',
    ],
    'connection.sendClientIdOnRefresh': [
      'Client-ID beim Erneuern der Anmeldung senden',
      'Wenn dies nicht festgelegt ist, sendet die App sie nur, wenn der Dienst sie verlangt.',
    ],
    'network.proxy.mode': [
      'Proxy',
      'system: die Proxyeinstellungen des Systems (üblich). none: kein Proxy. manual: der Proxy unten. Erforderlich, wenn ein anderer Schlüssel des Proxys festgelegt ist.',
    ],
    'network.proxy.address': [
      'Adresse des Proxys',
      'Die Adresse des Proxys, wenn der Modus manual ist: http://host:port, https://host:port oder socks5://host:port, ohne Kennwort.',
    ],
    'network.proxy.exceptions': [
      'Ausnahmen vom Proxy',
      'Server, die ohne Proxy erreicht werden, einer pro Zeile: *.example.com, 10.0.0.0/8, host:port.',
    ],
    'network.caFile': [
      'Zusätzlich vertrauenswürdige Zertifikate',
      'Der vollständige Pfad einer PEM-Datei mit Zertifikaten, denen zusätzlich zu denen des Systems vertraut wird.',
    ],
    'updates.mode': [
      'Updates',
      'automatic: Updates werden beim Beenden der App installiert. off: Die App sucht nie nach Updates.',
    ],
    'updates.channel': ['Update-Kanal', 'latest: freigegebene Versionen. beta: auch Vorabversionen.'],
    'updates.address': [
      'Update-Adresse',
      'Die https-Adresse eines Servers für Updates, wenn Ihre Organisation sie bereitstellt.',
    ],
    'desktop.tray': ['Symbol im Infobereich', 'Zeigt den Stand der Uploads im Infobereich oder in der Menüleiste an.'],
    'desktop.keepUploading': [
      'Weiter hochladen, wenn das Fenster geschlossen wird',
      'Wenn dies ausgeschaltet ist, beendet das Schließen des Fensters die App.',
    ],
    'desktop.startAtSignIn': [
      'Beim Anmelden am Computer starten',
      'Startet die App ohne Fenster, wenn sich jemand anmeldet.',
    ],
    'uploads.limit.bytesPerSecond': [
      'Upload-Geschwindigkeit',
      'Die Grenze für alle Uploads der App, in Byte pro Sekunde.',
    ],
    'uploads.limit.schedule': [
      'Upload-Geschwindigkeit nach Tageszeit',
      'Zeiträume mit eigenen Grenzen, einer pro Zeile als JSON. Der erste passende gilt. Tage: 0 ist Sonntag.',
    ],
    'uploads.leaveRoom': [
      'Bandbreite für andere freihalten',
      'Wann Uploads anderem Datenverkehr den Vorrang lassen: während der Arbeitszeit (Montag bis Freitag, 7 bis 18 Uhr), immer oder nie.',
    ],
    'uploads.concurrency': ['Gleichzeitig hochgeladene Dateien', 'Eine Zahl von 1 bis 64 oder auto.'],
    'uploads.hours': [
      'Upload-Zeiten',
      'Wann Uploads laufen dürfen, ein Zeitraum pro Zeile als JSON; er darf über Mitternacht gehen. Tage: 0 ist Sonntag.',
    ],
    'cache.limitMegabytes': [
      'Maximale Größe der Offlinedaten',
      'So viel belegen Offlinedaten pro Benutzer höchstens, in Megabyte. Was am längsten nicht verwendet wurde, wird zuerst entfernt.',
    ],
    'signOut.erases': [
      'Was eine Abmeldung löscht',
      'session: die Anmeldung. offline-data: auch die Offlinedaten des Dienstes auf diesem Computer.',
    ],
    'log.level': ['Logstufe', 'Die unwichtigsten Meldungen, die in das Log geschrieben werden.'],
    sampleData: ['Beispieldaten', 'Wenn dies ausgeschaltet ist, kann die App nicht mit Beispieldaten erkundet werden.'],
  },
} as const satisfies PolicyWords<typeof english>;
