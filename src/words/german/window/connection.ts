import type { connection as english } from '../../english/window/connection.ts';
import type { Translation } from '../../translation.ts';

export const connection = {
  welcome: 'Willkommen bei Inspection Desk',
  lead: 'Prüfprotokolle und Aufträge durchsuchen, online oder offline, und ganze Ordner mit Dokumenten hochladen.',
  sample: 'Mit Beispieldaten ausprobieren',
  sampleNote:
    'Beispieldaten bleiben auf diesem Computer. Sie können die Verbindung zu Ihrem Dienst später in den Einstellungen einrichten.',
  sampleOff: 'Ihre Organisation hat die Beispieldaten ausgeschaltet.',
  title: 'Mit einem Dienst verbinden',
  values: 'Diese drei Werte erhalten Sie vom Administrator Ihres Dienstes.',
  connect: 'Verbinden',
  anyway: 'Trotzdem speichern',
  checking: 'Adressen werden geprüft…',
  advanced: 'Erweitert',
  field: {
    baseUrl: 'Adresse des Dienstes',
    authUrl: 'Anmeldeadresse',
    clientId: 'Client-ID',
    scope: 'Bereich (Scope)',
  },
  scopeHint: 'Nur wenn Ihr Dienst dies verlangt. Gilt ab der nächsten Anmeldung.',
  clientIdOnRefresh: 'Client-ID beim Erneuern der Anmeldung senden',
  clientIdOnRefreshHint: 'Wenn dies ausgeschaltet ist, wird die Client-ID nur gesendet, wenn der Dienst sie verlangt.',
  found: {
    answers: 'Der Dienst antwortet unter dieser Adresse.',
    unreachable: 'Diese Adresse ist nicht erreichbar.',
    noHost: 'Server nicht gefunden. Prüfen Sie die Adresse und Ihre Netzwerkverbindung.',
    refused: 'Der Server hat die Verbindung abgelehnt. Prüfen Sie Hostname und Port.',
    noWay: 'Diese Adresse ist aus Ihrem Netzwerk nicht erreichbar.',
    silent: 'Keine Antwort von dieser Adresse. Prüfen Sie die Adresse und Ihre Netzwerkverbindung.',
  },
  wrong: {
    baseUrl: 'Geben Sie die vollständige Adresse des Dienstes ein, beginnend mit https://.',
    authUrl: 'Geben Sie die vollständige Anmeldeadresse ein, beginnend mit https://.',
    clientId: 'Geben Sie die Client-ID ein, die Sie für diese App erhalten haben.',
    scope:
      'Geben Sie Wörter ein, durch je ein Leerzeichen getrennt, ohne Anführungszeichen und umgekehrte Schrägstriche.',
  },
} as const satisfies Translation<typeof english>;
