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
    'connection.baseUrl': ['Adresse des Dienstes', 'Die Adresse des Prüfdienstes, mit https.'],
    'connection.authUrl': ['Anmeldeadresse', 'Die Adresse, bei der man sich anmeldet, mit https.'],
    'connection.clientId': ['Client-ID', 'Die Client-ID, die der Dienst dieser App gegeben hat.'],
    'connection.redirectUri': [
      'Umleitungsadresse',
      'Die Umleitungsadresse, die für die Client-ID registriert ist, wenn es nicht die der App ist.',
    ],
    'connection.scope': [
      'Bereich (Scope)',
      'Was die Anmeldung anfordert, als Wörter mit einzelnen Leerzeichen. Nur wenn der Dienst es verlangt.',
    ],
    'connection.sendClientIdOnRefresh': [
      'Client-ID beim Erneuern der Anmeldung senden',
      'Wenn dies nicht festgelegt ist, sendet die App sie, sobald sich zeigt, dass der Dienst sie braucht.',
    ],
    'network.proxy.mode': [
      'Proxy',
      'system: wie im System eingestellt, was üblich ist. none: ohne Proxy. manual: der Proxy unten. Zusammen mit jedem anderen Schlüssel des Proxys festzulegen.',
    ],
    'network.proxy.address': [
      'Adresse des Proxys',
      'Die Adresse des von Hand eingestellten Proxys: http://host:port, https://host:port oder socks5://host:port, ohne Kennwort.',
    ],
    'network.proxy.exceptions': [
      'Ausnahmen vom Proxy',
      'Server, die ohne Proxy erreicht werden, einer pro Zeile: *.example.com, 10.0.0.0/8, host:port.',
    ],
    'network.caFile': [
      'Zusätzlich vertrauenswürdige Zertifikate',
      'Der vollständige Pfad einer PEM-Datei mit Zertifikaten, denen neben denen des Systems vertraut wird.',
    ],
    'updates.mode': [
      'Updates',
      'automatic: Updates werden beim Beenden der App installiert. off: Die App sucht nie nach Updates.',
    ],
    'updates.channel': ['Update-Kanal', 'latest: freigegebene Versionen. beta: auch Versionen zum Testen.'],
    'updates.address': [
      'Update-Adresse',
      'Die Adresse eines Servers mit den Updates, mit https, wenn Ihre Organisation sie anbietet.',
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
