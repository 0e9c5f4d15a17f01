import type { errors as english } from '../english/errors.ts';
import type { Translation } from '../translation.ts';
import { uploadErrors } from './upload-errors.ts';

export const errors = {
  code: {
    'input/invalid': { title: 'Ein Wert ist ungültig.', todo: 'Korrigieren Sie ihn, und versuchen Sie es erneut.' },
    'connection/missing': {
      title: 'Es ist noch kein Dienst eingerichtet.',
      todo: 'Geben Sie die Adressen Ihres Prüfdienstes ein, oder probieren Sie die App mit Beispieldaten aus.',
    },
    'connection/insecure': {
      title: 'Die Adresse des Dienstes ist nicht sicher.',
      todo: 'Verwenden Sie eine Adresse, die mit https:// beginnt.',
    },
    'connection/address': {
      title: 'Die Adresse des Dienstes enthält einen unzulässigen Teil.',
      todo: 'Geben Sie die Adresse ohne Benutzernamen, Abfrage oder Fragment ein.',
    },
    'connection/sample-off': {
      title: 'Beispieldaten sind ausgeschaltet.',
      todo: 'Ihre Organisation lässt sie nicht zu. Verbinden Sie sich stattdessen mit Ihrem Dienst.',
    },
    'connection/unexpected': {
      title: 'Der Server unter dieser Adresse antwortet nicht wie erwartet: {{answer}}.',
      todo: 'Prüfen Sie die Adresse. Möglicherweise fehlt ein Teil des Pfads. Öffnen Sie in einem Gastnetzwerk zuerst dessen Anmeldeseite in einem Browser.',
    },
    'auth/required': { title: 'Sie sind nicht angemeldet.', todo: 'Melden Sie sich an, um fortzufahren.' },
    'auth/expired': {
      title: 'Ihre Anmeldung ist abgelaufen.',
      todo: 'Melden Sie sich erneut an. Uploads werden automatisch fortgesetzt.',
    },
    'auth/denied': {
      title: 'Die Anmeldung wurde verweigert.',
      todo: 'Prüfen Sie, ob Sie das richtige Konto verwendet haben und ob der Bereich stimmt, oder bitten Sie den Administrator des Dienstes um Zugriff.',
    },
    'auth/failed': {
      title: 'Die Anmeldung ist fehlgeschlagen: {{error}}.',
      todo: 'Versuchen Sie es erneut. Wenn das Problem weiterhin besteht, prüfen Sie Anmeldeadresse, Client-ID und Bereich.',
    },
    'auth/timeout': {
      title: 'Die Anmeldung hat zu lange gedauert.',
      todo: 'Versuchen Sie es erneut, und schließen Sie die Anmeldung im Browser innerhalb von 10 Minuten ab.',
    },
    'auth/cancelled': { title: 'Die Anmeldung wurde abgebrochen.', todo: 'Sie können sich jederzeit anmelden.' },
    'auth/browser': {
      title: 'Der Browser konnte nicht geöffnet werden.',
      todo: 'Legen Sie auf diesem Computer einen Standardbrowser fest, und versuchen Sie es erneut.',
    },
    'auth/refresh-refused': {
      title: 'Der Dienst hat Ihre Anmeldung nicht erneuert: {{error}}.',
      todo: 'Versuchen Sie es später erneut. Wenn das Problem weiterhin besteht, melden Sie sich ab und wieder an, oder wenden Sie sich an den Administrator des Dienstes.',
    },
    'auth/no-refresh-token': {
      title:
        'Sie können nicht angemeldet bleiben: Der Dienst hat kein Aktualisierungstoken (Refresh Token) ausgestellt.',
      todo: 'Ergänzen Sie offline_access im Bereich der Verbindung (unter „Erweitert“), oder bitten Sie den Administrator des Dienstes, Aktualisierungstoken für diese Client-ID zuzulassen.',
    },
    'auth/token-type': {
      title: 'Der Dienst hat ein Token eines nicht unterstützten Typs ausgestellt: {{type}}.',
      todo: 'Bitten Sie den Administrator des Dienstes, für diese Client-ID Bearer-Token auszustellen.',
    },
    'auth/token-invalid': {
      title: 'Der Dienst hat ein ungültiges Token ausgestellt.',
      todo: 'Versuchen Sie es erneut. Wenn das Problem weiterhin besteht, wenden Sie sich an den Administrator des Dienstes.',
    },
    'keychain/unavailable': {
      title: 'Der Kennwortspeicher dieses Computers ist nicht verfügbar.',
      todo: 'Entsperren Sie ihn, und versuchen Sie es erneut. Inspection Desk braucht ihn, um Ihre Anmeldung sicher zu speichern.',
    },
    'vault/unreadable': {
      title: 'Die gespeicherte Anmeldung konnte nicht gelesen werden.',
      todo: 'Melden Sie sich erneut an.',
    },
    'service/unreachable': {
      title: 'Der Dienst ist nicht erreichbar.',
      todo: 'Prüfen Sie die Netzwerkverbindung. Was Sie schon einmal geöffnet haben, ist offline verfügbar.',
    },
    'service/timeout': {
      title: 'Der Dienst hat nicht rechtzeitig geantwortet.',
      todo: 'Versuchen Sie es gleich noch einmal.',
    },
    'service/certificate-untrusted': {
      title: 'Das Zertifikat des Servers {{host}} ist nicht vertrauenswürdig.',
      todo: 'Es wurde nichts gesendet. Wenn Ihre Firma den Netzwerkverkehr prüft, fragen Sie die IT-Abteilung. Wenden Sie sich sonst an den Administrator des Dienstes.',
    },
    'service/certificate-expired': {
      title: 'Das Zertifikat des Servers {{host}} ist abgelaufen.',
      todo: 'Es wurde nichts gesendet. Prüfen Sie das Datum dieses Computers. Wenn es stimmt, wenden Sie sich an den Administrator des Dienstes.',
    },
    'service/certificate-not-yet-valid': {
      title: 'Das Zertifikat des Servers {{host}} ist noch nicht gültig.',
      todo: 'Es wurde nichts gesendet. Prüfen Sie Datum und Uhrzeit dieses Computers. Wenn sie stimmen, wenden Sie sich an den Administrator des Dienstes.',
    },
    'service/certificate-wrong-name': {
      title: 'Das Zertifikat des Servers {{host}} gilt für einen anderen Namen.',
      todo: 'Es wurde nichts gesendet. Prüfen Sie die Adresse. Öffnen Sie in einem Gastnetzwerk zuerst dessen Anmeldeseite in einem Browser.',
    },
    'service/tls-outdated': {
      title: 'Der Server {{host}} bietet nur veraltete Verschlüsselung an.',
      todo: 'Es wurde nichts gesendet. Inspection Desk benötigt TLS 1.2 oder neuer. Bitten Sie den Administrator dieses Servers, es zu aktivieren.',
    },
    'service/tls-missing': {
      title: 'Der Server {{host}} verwendet keine Verschlüsselung.',
      todo: 'Es wurde nichts gesendet. Prüfen Sie die Adresse und den Port. Wenn es die Adresse eines Proxys ist, muss sie vielleicht mit http:// statt mit https:// beginnen.',
    },
    'network/interrupted': {
      title: 'Der Server {{host}} unterbricht jeden Upload.',
      todo: 'Vielleicht beendet eine Firewall oder ein Sicherheitsprogramm die Verbindungen. Setzen Sie den Upload später fort, oder fragen Sie Ihre IT-Abteilung.',
    },
    'service/busy': {
      title: 'Der Dienst ist ausgelastet.',
      todo: 'Warten Sie einen Moment, und versuchen Sie es erneut.',
    },
    'service/failed': {
      title: 'Der Dienst hat einen Fehler gemeldet.',
      todo: 'Versuchen Sie es später erneut. Wenn das Problem weiterhin besteht, wenden Sie sich an den Administrator des Dienstes.',
    },
    'service/forbidden': {
      title: 'Dazu fehlt Ihnen die Berechtigung.',
      todo: 'Bitten Sie den Administrator des Dienstes um Zugriff.',
    },
    'service/not-found': {
      title: 'Der Dienst konnte diesen Eintrag nicht finden.',
      todo: 'Möglicherweise wurde er entfernt. Gehen Sie zurück, und aktualisieren Sie die Liste.',
    },
    'service/refused': {
      title: 'Der Dienst hat die Anfrage abgelehnt.',
      todo: 'Prüfen Sie Ihre Eingaben, und versuchen Sie es erneut. Wenn das Problem weiterhin besteht, wenden Sie sich an den Administrator des Dienstes.',
    },
    'service/malformed': {
      title: 'Der Dienst hat eine unerwartete Antwort gesendet.',
      todo: 'Versuchen Sie es erneut. Wenn das Problem weiterhin besteht, prüfen Sie die Adresse des Dienstes, oder wenden Sie sich an dessen Administrator.',
    },
    'service/too-large': {
      title: 'Die Antwort des Dienstes ist zu groß.',
      todo: 'Grenzen Sie die Suche ein, oder wählen Sie einen Bezirk. Wenn das nicht hilft, wenden Sie sich an den Administrator des Dienstes.',
    },
    'service/endless': {
      title: 'Der Dienst hat Seiten wiederholt oder zu viele gesendet; die Liste ist deshalb unvollständig.',
      todo: 'Der geladene Teil ist verfügbar. Wenden Sie sich an den Administrator des Dienstes.',
    },
    'network/proxy-address': {
      title: 'Die Proxyadresse ist nicht gültig: {{field}}.',
      todo: 'Geben Sie Schema, Host und Port an, zum Beispiel http://proxy.example.com:8080. Wenn der Name einer Umgebungsvariablen angezeigt wird, korrigieren Sie deren Wert.',
    },
    'network/proxy-unreachable': {
      title: 'Der Proxy {{proxy}} ist nicht erreichbar.',
      todo: 'Prüfen Sie die Netzwerkverbindung. Prüfen Sie, ob der Proxy noch stimmt, wo er festgelegt wurde: in den Einstellungen (unter Netzwerk), von der IT-Abteilung oder in einer Umgebungsvariablen.',
    },
    'network/proxy-password': {
      title: 'Der Proxy {{proxy}} verlangt einen Benutzernamen und ein Kennwort.',
      todo: 'Versuchen Sie es erneut, und geben Sie Benutzernamen und Kennwort für den Proxy ein, wenn Sie danach gefragt werden.',
    },
    'network/proxy-password-wrong': {
      title: 'Der Proxy {{proxy}} hat den Benutzernamen und das Kennwort abgelehnt.',
      todo: 'Versuchen Sie es erneut, und korrigieren Sie beides. Mehrere falsche Versuche können Ihr Konto sperren.',
    },
    'network/proxy-scheme': {
      title: 'Der Proxy {{proxy}} verlangt eine Art der Anmeldung, die Inspection Desk nicht unterstützt: {{schemes}}.',
      todo: 'Bitten Sie die IT-Abteilung, diesem Computer den Zugriff auf den Dienst ohne Anmeldung am Proxy zu erlauben oder einen lokalen Proxy zu installieren, der sich für ihn anmeldet.',
    },
    'network/proxy-refused': {
      title: 'Der Proxy {{proxy}} erlaubt keine Verbindungen zu {{host}}.',
      todo: 'Bitten Sie die IT-Abteilung, diesen Server zu erlauben.',
    },
    'network/ca-file': {
      title: 'Die Datei mit Zertifizierungsstellen kann nicht verwendet werden: {{path}}.',
      todo: 'Prüfen Sie, ob sie vorhanden ist und Zertifikate im PEM-Format enthält, oder entfernen Sie sie aus den Einstellungen (unter Netzwerk).',
    },
    'network/captive-portal': {
      title: 'Statt des Servers {{host}} antwortet eine Webseite.',
      todo: 'Öffnen Sie in einem Gastnetzwerk dessen Anmeldeseite in einem Browser. Prüfen Sie sonst die Adresse. Uploads werden automatisch fortgesetzt.',
    },
    'cache/missing': {
      title: 'Dies ist offline nicht verfügbar, weil es auf diesem Computer noch nicht geöffnet wurde.',
      todo: 'Öffnen Sie es einmal, während Sie online sind.',
    },
    'cache/full': {
      title: 'Die Offlinedaten haben ihre maximale Größe erreicht, daher ist nicht alles offline verfügbar.',
      todo: 'Erhöhen Sie in den Einstellungen (unter Speicher) die maximale Größe, und setzen Sie dann fort.',
    },
    ...uploadErrors,
    'settings/managed': {
      title: 'Ihre Organisation hat dies festgelegt.',
      todo: 'Wenden Sie sich an Ihre IT-Abteilung, wenn es geändert werden muss.',
    },
    'policy/syntax': {
      title: 'Die Richtlinie Ihrer Organisation kann nicht gelesen werden. Fehler nach Datei und Zeile: {{faults}}.',
      todo: 'Bitten Sie Ihre IT-Abteilung, sie zu korrigieren.',
    },
    'policy/unknown-key': {
      title:
        'Die Richtlinie Ihrer Organisation enthält einen unbekannten Schlüssel. Alle Fehler mit Datei, Zeile, Schlüssel und dem, was dort zulässig ist: {{faults}}.',
      todo: 'Bitten Sie Ihre IT-Abteilung, sie zu korrigieren.',
    },
    'policy/invalid': {
      title:
        'Die Richtlinie Ihrer Organisation enthält einen ungültigen Wert. Alle Fehler mit Datei, Zeile, Schlüssel und dem, was dort zulässig ist: {{faults}}.',
      todo: 'Bitten Sie Ihre IT-Abteilung, sie zu korrigieren.',
    },
    'policy/unsafe': {
      title: 'Die Richtlinie Ihrer Organisation ist nicht geschützt: {{path}}.',
      todo: 'Bitten Sie Ihre IT-Abteilung, sie nur durch Administratoren ändern zu lassen.',
    },
    'policy/unreadable': {
      title: 'Die Richtlinie Ihrer Organisation kann nicht geöffnet werden: {{path}}.',
      todo: 'Bitten Sie Ihre IT-Abteilung, sie zu prüfen: Sie muss eine gewöhnliche Datei von höchstens 1 MB sein, die alle Benutzer dieses Computers lesen dürfen.',
    },
    'update/unreachable': {
      title: 'Der Server für Updates ist nicht erreichbar.',
      todo: 'Die App versucht es später erneut. Wenn das Problem weiterhin besteht, fragen Sie Ihre IT-Abteilung.',
    },
    'update/damaged': {
      title: 'Das Update war beschädigt.',
      todo: 'Es wurde nicht installiert. Die App lädt es später erneut herunter.',
    },
    'update/untrusted': {
      title: 'Das Update ist nicht vom Herausgeber dieser App signiert, oder es ist nicht die angekündigte Version.',
      todo: 'Es wurde nicht installiert. Informieren Sie Ihre IT-Abteilung.',
    },
    'update/missing': {
      title: 'Es gibt kein Update, das installiert werden kann.',
      todo: 'Suchen Sie zuerst nach Updates.',
    },
    'update/busy': {
      title: 'Ein Upload läuft.',
      todo: 'Das Update wird installiert, wenn die App beendet wird. Sie können auch warten, bis der Upload abgeschlossen ist.',
    },
    'data/in-use': {
      title: 'Inspection Desk läuft bereits mit diesen Daten.',
      todo: 'Verwenden Sie das offene Fenster, oder schließen Sie es zuerst.',
    },
    'data/newer': {
      title: 'Die Daten auf diesem Computer stammen von einer neueren Version von Inspection Desk.',
      todo: 'Aktualisieren Sie die App.',
    },
    'data/corrupt': {
      title: 'Gespeicherte Daten sind beschädigt: {{file}}.',
      todo: 'Bewahren Sie die Datei auf, und wenden Sie sich an Ihren Support.',
    },
    'data/moved-aside': {
      title: 'Eine beschädigte Datei wurde durch eine neue ersetzt: {{file}}.',
      todo: 'Prüfen Sie Ihre Einstellungen. Die beschädigte Datei wurde aufbewahrt.',
    },
    'data/left-out': {
      title: 'Ein Teil der gespeicherten Daten konnte nicht gelesen werden: {{part}}.',
      todo: 'Alles andere funktioniert wie bisher. Wenn ein Upload oder eine Änderung fehlt, wenden Sie sich an Ihren Support.',
    },
    'data/unwritable': {
      title: 'Inspection Desk kann nicht in seinen Ordner {{path}} schreiben.',
      todo: 'Prüfen Sie, ob auf der Festplatte Platz frei ist und ob Sie Schreibzugriff haben.',
    },
    'data/unsynced': {
      title: 'Inspection Desk konnte seine Daten nicht auf der Festplatte speichern.',
      todo: 'Prüfen Sie die Festplatte und ihren freien Platz, und starten Sie die App dann neu: Die Uploads werden fortgesetzt.',
    },
    'data/unsafe': {
      title: 'Inspection Desk kann {{path}} nicht verwenden: {{reason}}.',
      todo: 'Entfernen Sie es, oder wählen Sie einen Datenordner, auf den nur Sie Zugriff haben (--home).',
    },
    'output/not-a-file': {
      title: 'Unter {{path}} liegt etwas anderes als eine Datei.',
      todo: 'Wählen Sie einen anderen Namen: Ein Ordner, ein Gerät oder eine Pipe wird nie ersetzt.',
    },
    'output/data-directory': {
      title: 'Im eigenen Ordner von Inspection Desk kann nichts gespeichert werden: {{path}}.',
      todo: 'Wählen Sie einen anderen Ordner.',
    },
    'preview/too-large': {
      title: 'Die Vorschau nimmt dies nicht an: {{limit}}.',
      todo: 'Wählen Sie weniger Dateien aus, oder verwenden Sie die Desktop-App.',
    },
    'app/unsupported': {
      title: 'Das ist hier nicht verfügbar.',
      todo: 'Verwenden Sie die Desktop-App.',
    },
    'app/cancelled': { title: 'Der Vorgang wurde abgebrochen.', todo: 'Sie können ihn jederzeit neu starten.' },
    'app/bug': {
      title: 'In Inspection Desk ist ein Fehler aufgetreten.',
      todo: 'Versuchen Sie es erneut. Wenn das Problem weiterhin besteht, kopieren Sie die Details, und senden Sie sie an Ihren Support.',
    },
  },
  file: {
    'service/unreachable': {
      title: 'Der Dienst ist nicht erreichbar.',
      todo: 'Prüfen Sie die Netzwerkverbindung, und wiederholen Sie den Vorgang.',
    },
    'service/not-found': {
      title: 'Der Dienst konnte diesen Auftrag nicht finden.',
      todo: 'Möglicherweise wurde er entfernt. Fragen Sie den Administrator des Dienstes.',
    },
    'service/refused': {
      title: 'Der Dienst hat diese Datei abgelehnt.',
      todo: 'Wiederholen Sie den Vorgang. Wenn das Problem weiterhin besteht, wenden Sie sich an den Administrator des Dienstes.',
    },
  },
  host: {
    'service/unreachable': {
      title: 'Der Server {{host}} ist nicht erreichbar.',
      todo: 'Prüfen Sie die Netzwerkverbindung.',
    },
    'service/timeout': {
      title: 'Der Server {{host}} hat nicht rechtzeitig geantwortet.',
      todo: 'Prüfen Sie die Netzwerkverbindung.',
    },
    'service/busy': {
      title: 'Der Server {{host}} ist ausgelastet.',
      todo: 'Warten Sie einen Moment, und versuchen Sie es erneut.',
    },
  },
  name: {
    host: {
      title: 'Der Name des Servers {{host}} wurde nicht gefunden.',
      todo: 'Prüfen Sie die Adresse und die Netzwerkverbindung. Wenn sich andere Websites öffnen lassen, fragen Sie Ihre IT-Abteilung nach dem Namensserver (DNS).',
    },
    proxy: {
      title: 'Der Name des Proxys {{proxy}} wurde nicht gefunden.',
      todo: 'Prüfen Sie die Netzwerkverbindung. Wenn Sie nicht im Büro sind, verbinden Sie sich zuerst mit dessen Netzwerk (VPN). Prüfen Sie sonst, ob der Proxy noch stimmt, wo er festgelegt wurde.',
    },
  },
  fieldName: {
    baseUrl: 'Adresse des Dienstes',
    authUrl: 'Anmeldeadresse',
    clientId: 'Client-ID',
    scope: 'Bereich (Scope)',
    redirectUri: 'Umleitungsadresse',
    PlanAfter: 'Einplanen nach',
    AssignmentId: 'Auftrags-ID',
    path: 'Dateiname',
  },
  field: {
    invalid: '{{name}}: Der Wert ist ungültig.',
    insecure: '{{name}}: Die Adresse ist nicht sicher.',
    userinfo: {
      title: '{{name}}: Benutzername und Kennwort sind nicht erlaubt.',
      todo: 'Entfernen Sie den Teil zwischen // und @ sowie das @ selbst.',
    },
    query: { title: '{{name}}: Eine Abfrage ist nicht erlaubt.', todo: 'Entfernen Sie das ? und alles danach.' },
    fragment: { title: '{{name}}: Ein Fragment ist nicht erlaubt.', todo: 'Entfernen Sie das # und alles danach.' },
  },
  issuedBy: 'Es wurde ausgestellt von {{issuer}}.',
  validity: 'Es gilt vom {{validFrom}} bis zum {{validTo}}; die Uhr dieses Computers zeigt {{clock}}.',
  clockOff: 'Sie weicht um {{minutes}} min von der Uhr des Servers ab.',
  retryInSeconds_one: 'Versuchen Sie es in {{count, number}} Sekunde erneut.',
  retryInSeconds_other: 'Versuchen Sie es in {{count, number}} Sekunden erneut.',
  retryInMinutes_one: 'Versuchen Sie es in {{count, number}} Minute erneut.',
  retryInMinutes_other: 'Versuchen Sie es in {{count, number}} Minuten erneut.',
} as const satisfies Translation<typeof english>;
