import type { cli as english } from '../../english/host/cli.ts';
import type { Translation } from '../../translation.ts';

export const cli: Translation<typeof english> = {
  error: 'Fehler: {{text}} ({{code}})',
  hint: {
    connection: 'In der Befehlszeile: --base-url, --auth-url und --client-id verwenden.',
    scope: 'In der Befehlszeile: den Bereich (Scope) mit --scope angeben.',
    tokenStore: 'In der Befehlszeile: mit --token-store memory nur für einen Befehl anmelden.',
    proxyPassword:
      'In der Befehlszeile: beide in der Umgebungsvariablen angeben, die den Proxy nennt: http://user:password@proxy:8080.',
  },
  signIn: {
    openAddress: 'Öffnen Sie zum Anmelden diese Adresse in einem Browser:',
    inBrowser:
      'Melden Sie sich im Browserfenster an, das sich öffnet. Mit --no-browser wird stattdessen die Adresse ausgegeben.',
    in: 'Angemeldet.',
    inAs: 'Angemeldet als {{subject}}.',
    out: 'Nicht angemeldet.',
  },
  service: 'Dienst: {{address}}',
  managed: 'Von Ihrer Organisation festgelegt: {{keys}}',
  ignored: 'Ihre Organisation hat Folgendes festgelegt, andere Werte gelten nicht: {{fields}}',
  noService: 'Es ist kein Dienst eingerichtet.',
  notOffline_one:
    'Nicht offline verfügbar: {{count, number}} Protokoll. Der Dienst hat keine brauchbaren Daten gesendet.',
  notOffline_other:
    'Nicht offline verfügbar: {{count, number}} Protokolle. Der Dienst hat keine brauchbaren Daten gesendet.',
  warning: {
    past: 'Warnung: {{at}} ist bereits vergangen.',
    status: 'Warnung: Dieser Auftrag hat den Status {{status}}.',
    other: 'Warnung: „{{folder}}“ enthält {{found}}, das gehört zu {{name}}.',
  },
  mapProblem: {
    columns: 'Zeile {{line}}: Pfad und Auftrag werden erwartet: {{text}}',
    quote: 'Zeile {{line}}: Ein Anführungszeichen ist nicht geschlossen oder steht an der falschen Stelle: {{text}}',
    'cell-long': 'Zeile {{line}}: Eine Zelle ist zu lang: {{text}}',
    'lines-many': 'Zeile {{line}}: Eine Zuordnungsdatei hat höchstens {{text}} Zeilen',
    'patterns-much':
      'Zeile {{line}}: Die Muster passen zu zu vielen Ordnern; schreiben Sie weniger, oder beginnen Sie sie mit einem Ordner: {{text}}',
    'assignment-unknown': 'Zeile {{line}}: unbekannter Auftrag {{text}}',
    'path-outside': 'Zeile {{line}}: {{text}} liegt außerhalb des Ordners',
    'path-unmatched': 'Zeile {{line}}: nichts passt zu {{text}}',
    'folder-twice': 'Zeile {{line}}: {{text}} hat bereits einen Auftrag',
  },
  match: {
    updating: 'Aufträge werden gelesen: {{read, number}} von {{total, number}} Listen',
    matching: 'Ordner werden zugeordnet',
    closed: 'Warnung: „{{folder}}“ gehört zu einem Auftrag mit dem Status {{status}}.',
    left_one:
      '{{count, number}} Ordner hat keinen sicheren Auftrag. Entscheiden Sie in der App, oder nennen Sie ihn in einer Zuordnungsdatei.',
    left_other:
      '{{count, number}} Ordner haben keinen sicheren Auftrag. Entscheiden Sie in der App, oder nennen Sie sie in einer Zuordnungsdatei.',
  },
  planAfter: {
    cleared: 'Das Datum „Einplanen nach“ wurde gelöscht.',
    set: 'Einplanen nach: {{value}} ({{at}}).',
  },
  files: {
    found: '{{shown, number}} von {{files}}',
    removedOf: '{{done, number}} von {{files}} entfernt.',
    foundMore: '{{shown, number}} von mehr als {{files}}',
    none: 'Keine Dateien. Die Liste enthält Dateien, die von diesem Computer hochgeladen wurden, und Dateien, die der Dienst beim Entfernen einer Datei gemeldet hat.',
    removed_one: 'Entfernt. Der Auftrag hat jetzt {{count, number}} Datei.',
    removed_other: 'Entfernt. Der Auftrag hat jetzt {{count, number}} Dateien.',
  },
  list: {
    page: '{{count, number}} von {{total, number}}, Seite {{page}}',
    offline: 'Offlinedaten, aktualisiert {{at}}.',
    unreadable_one: '{{count, number}} Eintrag konnte nicht gelesen werden.',
    unreadable_other: '{{count, number}} Einträge konnten nicht gelesen werden.',
  },
  upload: {
    planned: '{{files}}, {{size}}, {{renamed, number}} umbenannt{{leftOut}}. Es wurde nichts gesendet.',
    noRecord: 'Die Aufzeichnung früherer Uploads kann nicht gelesen werden. Die Namen können daher abweichen.',
    scanning: 'Ordner wird durchsucht: {{files}} gefunden, {{settled, number}} verarbeitet{{wait}}',
    of: '{{done}} von {{all}}',
    failed: '{{count, number}} fehlgeschlagen',
    skipped: '{{count, number}} übersprungen',
    resent_one: '{{count, number}} erneut gesendet, weil sie nicht angekommen war',
    resent_other: '{{count, number}} erneut gesendet, weil sie nicht angekommen waren',
    removed: '{{count, number}} nicht mehr beim Auftrag',
    notReplaced_one: '{{count, number}} frühere Datei nicht entfernt',
    notReplaced_other: '{{count, number}} frühere Dateien nicht entfernt',
    waiting: 'wartet: {{reason}}',
    nextAttempt: 'Nächster Versuch um {{at}}.',
    later: 'Geplant für {{at}}. Drücken Sie Strg-C, um ihn der App oder „uploads resume“ zu überlassen.',
    kept: 'Bleibt geplant für {{at}}. Jetzt senden mit: uploads resume {{id}}',
    stopped: 'Angehalten. Fortsetzen mit: uploads resume {{id}}',
    cancelled: 'Abgebrochen.',
    cancelledStay_one: 'Abgebrochen. {{count, number}} hochgeladene Datei bleibt beim Auftrag.',
    cancelledStay_other: 'Abgebrochen. {{count, number}} hochgeladene Dateien bleiben beim Auftrag.',
    summary:
      '{{done, number}} von {{files}} hochgeladen{{skipped}}, {{failed, number}} fehlgeschlagen, {{size}} in {{seconds}} s{{leftOut}}',
    next: 'Alle anzeigen: uploads show {{id}} --failed   Wiederholen: uploads retry {{id}}',
    leftOut:
      '; ausgelassen: {{hidden, number}} versteckt, {{system, number}} Systemdateien, {{links, number}} Verknüpfungen, {{special, number}} Pipes, Sockets oder Geräte, {{unreadable, number}} nicht lesbar',
    none: 'Noch keine Uploads.',
    noneUnfinished: 'Keine unvollständigen Uploads.',
    noneFailed: 'Keine fehlgeschlagenen Dateien.',
    receiptSaved: 'Beleg wurde in {{path}} gespeichert.',
    receipt: 'Beleg für {{files}} wurde in {{path}} gespeichert.',
    report: 'Bericht über {{files}} wurde in {{path}} gespeichert.',
  },
  watch: {
    none: 'Keine überwachten Ordner.',
    removed: '{{path}} wird nicht mehr überwacht.',
    matched: 'nach Namen',
    hours: 'Zeiten',
    state: {
      scanning: 'wird durchsucht',
      watching: 'wird überwacht',
      signedOut: 'wartet auf die Anmeldung',
      missing: 'fehlt',
      unreadable: 'nicht lesbar',
    },
    settling_one: '{{count, number}} Datei wird noch geschrieben',
    settling_other: '{{count, number}} Dateien werden noch geschrieben',
    waiting_one: '{{count, number}} Datei wartet',
    waiting_other: '{{count, number}} Dateien warten',
    toMatch_one: '{{count, number}} Datei ohne sicheren Auftrag',
    toMatch_other: '{{count, number}} Dateien ohne sicheren Auftrag',
    opens: 'nächste Upload-Zeiten ab {{at}}',
  },
  verify: {
    progress: '{{done, number}} von {{files}} verglichen',
    verdict: {
      changed: 'geändert',
      missing: 'fehlt',
      unreadable: 'nicht lesbar',
      notUploaded: 'nicht hochgeladen',
      removed: 'nicht mehr beim Auftrag',
    },
    summary: '{{same, number}} von {{files}} unverändert',
  },
  file_one: '{{count, number}} Datei',
  file_other: '{{count, number}} Dateien',
};
