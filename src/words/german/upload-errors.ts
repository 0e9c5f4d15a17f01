import type { uploadErrors as english } from '../english/upload-errors.ts';
import type { Translation } from '../translation.ts';

export const uploadErrors = {
  'upload/folder-missing': {
    title: 'Der Ordner {{path}} ist nicht mehr vorhanden.',
    todo: 'Legen Sie ihn zurück, oder wählen Sie den Ordner erneut aus.',
  },
  'upload/folder-replaced': {
    title: 'Der Ordner {{path}} wurde seit der Durchsicht verschoben oder ersetzt.',
    todo: 'Wählen Sie den Ordner erneut, um seinen jetzigen Inhalt durchzusehen, oder legen Sie das Original zurück, und versuchen Sie es erneut.',
  },
  'upload/folder-unreadable': {
    title: 'Der Ordner {{path}} kann nicht gelesen werden.',
    todo: 'Prüfen Sie, ob Sie darauf zugreifen können, und versuchen Sie es erneut.',
  },
  'upload/not-a-folder': {
    title: 'Dies ist eine Datei, kein Ordner.',
    todo: 'Legen Sie die Datei in einen Ordner, und laden Sie diesen hoch.',
  },
  'upload/file-missing': {
    title: 'Die Datei {{path}} ist nicht mehr vorhanden.',
    todo: 'Legen Sie sie zurück, und wiederholen Sie den Vorgang.',
  },
  'upload/file-unreadable': {
    title: 'Die Datei {{path}} kann nicht gelesen werden.',
    todo: 'Prüfen Sie, ob Sie darauf zugreifen können, und wiederholen Sie den Vorgang.',
  },
  'upload/file-locked': {
    title: 'Die Datei {{path}} wird von einem anderen Programm verwendet.',
    todo: 'Schließen Sie sie dort, und wiederholen Sie den Vorgang.',
  },
  'upload/file-changed': {
    title: 'Die Datei {{path}} wurde geändert, nachdem der Ordner gelesen wurde.',
    todo: 'Beenden Sie die Bearbeitung, und wiederholen Sie den Vorgang. Dann wird die aktuelle Fassung hochgeladen.',
  },
  'upload/file-linked': {
    title: 'Die Datei {{path}} oder ihr Ordner wurde durch eine Verknüpfung ersetzt.',
    todo: 'Legen Sie das Original zurück, und wiederholen Sie den Vorgang. Verknüpfungen werden nicht verfolgt, weil sie aus dem Ordner hinausführen können.',
  },
  'upload/interrupted': {
    title: 'Der Upload wurde unterbrochen.',
    todo: 'Setzen Sie ihn fort. Hochgeladene Dateien werden nicht erneut gesendet.',
  },
  'upload/stalled': {
    title: 'Der Upload ist ins Stocken geraten.',
    todo: 'Prüfen Sie die Netzwerkverbindung und das Laufwerk der Datei, und wiederholen Sie den Vorgang.',
  },
  'upload/unanswered': {
    title: 'Der Dateispeicher hat den Empfang der Datei nicht bestätigt.',
    todo: 'Wiederholen Sie den Vorgang. Die Datei wird nie doppelt gespeichert.',
  },
  'upload/unproven': {
    title: 'Der Dateispeicher hat den Upload nicht bestätigt: Etwas anderes hat an seiner Stelle geantwortet.',
    todo: 'Ein Proxy, eine Firewall oder ein Virenscanner zwischen diesem Computer und dem Speicher hat die Datei möglicherweise abgefangen. Wenden Sie sich an Ihre IT-Abteilung, und wiederholen Sie den Vorgang. Die Datei wird nie doppelt gespeichert.',
  },
  'upload/not-arrived': {
    title: 'Die Datei ist nicht beim Auftrag, obwohl ihr Upload bestätigt wurde.',
    todo: 'Wiederholen Sie den Vorgang. Wenn das Problem weiterhin besteht, antwortet möglicherweise etwas zwischen diesem Computer und dem Dateispeicher an dessen Stelle: Wenden Sie sich an Ihre IT-Abteilung.',
  },
  'upload/insecure-url': {
    title: 'Der Dienst hat eine Upload-Adresse angegeben, die nicht sicher ist: {{host}}.',
    todo: 'Es wurde nichts gesendet. Wenden Sie sich an den Administrator des Dienstes.',
  },
  'upload/url-expired': {
    title: 'Die Berechtigung zum Hochladen dieser Datei ist abgelaufen, bevor der Upload fertig war.',
    todo: 'Wiederholen Sie den Vorgang. Wenn das Problem weiterhin besteht, ist Ihre Verbindung möglicherweise zu langsam für diese Datei.',
  },
  'upload/not-yet-valid': {
    title: 'Die Berechtigung zum Hochladen dieser Datei ist noch nicht gültig.',
    todo: 'Die Uhren des Dienstes und seines Dateispeichers weichen voneinander ab. Wiederholen Sie den Vorgang später, oder wenden Sie sich an den Administrator des Dienstes.',
  },
  'upload/clock-wrong': {
    title: 'Die Uhr dieses Computers geht falsch.',
    todo: 'Stellen Sie Datum und Uhrzeit dieses Computers, und wiederholen Sie den Vorgang.',
  },
  'upload/denied': {
    title: 'Der Dateispeicher hat den Zugriff verweigert.',
    todo: 'Wiederholen Sie den Vorgang. Wenn das Problem weiterhin besteht, wenden Sie sich an den Administrator des Dienstes.',
  },
  'upload/refused': {
    title: 'Der Dateispeicher hat diese Datei abgelehnt.',
    todo: 'Wiederholen Sie den Vorgang. Wenn das Problem weiterhin besteht, wenden Sie sich an den Administrator des Dienstes.',
  },
  'upload/too-large': {
    title: 'Die Datei {{path}} ist zu groß für den Dienst.',
    todo: 'Verkleinern Sie sie, zum Beispiel durch Aufteilen oder Komprimieren, und laden Sie sie erneut hoch.',
  },
  'upload/damaged': {
    title: 'Die Prüfsumme der Datei war wiederholt falsch.',
    todo: 'Wiederholen Sie den Vorgang. Wenn das Problem weiterhin besteht, wenden Sie sich an den Administrator des Dienstes.',
  },
  'upload/storage-failed': {
    title: 'Der Dateispeicher hat einen Fehler gemeldet.',
    todo: 'Wiederholen Sie den Vorgang später. Hochgeladene Dateien werden nicht erneut gesendet.',
  },
  'upload/uncertain': {
    title: 'Es ist unbekannt, ob diese Datei hochgeladen wurde.',
    todo: 'Sehen Sie beim Auftrag im Dienst nach. Wenn die Datei fehlt, wiederholen Sie den Vorgang.',
  },
  'upload/name-taken': {
    title: 'Eine andere Datei des Auftrags hat diesen Namen.',
    todo: 'Laden Sie die Datei erneut hoch, und wählen Sie, dass sie umbenannt wird oder die andere Datei ersetzt.',
  },
  'upload/batch-unknown': {
    title: 'Dieser Upload wurde auf diesem Computer nicht gefunden.',
    todo: 'Sehen Sie in der Liste der Uploads nach.',
  },
  'upload/batch-state': {
    title: 'Das ist im aktuellen Zustand des Uploads nicht möglich.',
    todo: 'Prüfen Sie den Upload: Möglicherweise wurde er abgeschlossen oder abgebrochen.',
  },
  'upload/cancelling': {
    title: 'Dieser Upload wird gerade abgebrochen.',
    todo: 'Dafür werden der Dienst und das Konto gebraucht, das den Upload gestartet hat. Eine Unterbrechung wird nach der nächsten Anmeldung nachgeholt.',
  },
  'upload/other-session': {
    title: 'Dieser Upload gehört zu einem anderen Konto oder Dienst.',
    todo: 'Melden Sie sich mit dem Konto an, das ihn gestartet hat.',
  },
  'upload/map-invalid': {
    title: 'Die Zuordnungsdatei enthält Fehler in diesen Zeilen: {{lines}}.',
    todo: 'Korrigieren Sie sie, und beginnen Sie von vorn. Es wurde nichts gesendet.',
  },
  'upload/hashing-stopped': {
    title: 'Die Datei konnte wegen eines Fehlers in der App nicht gelesen werden.',
    todo: 'Wiederholen Sie den Vorgang. Wenn das Problem weiterhin besteht, senden Sie das Log an Ihren Support.',
  },
  'upload/engine-stopped': {
    title: 'Das Hochladen wurde wegen eines Fehlers in der App beendet.',
    todo: 'Starten Sie die App neu: Die Uploads werden fortgesetzt. Wenn das Problem weiterhin besteht, senden Sie das Log an Ihren Support.',
  },
  'draft/missing': {
    title: 'Es wird kein Upload vorbereitet.',
    todo: 'Wählen Sie die Ordner erneut aus.',
  },
  'draft/stopped': {
    title: 'Der Upload, den Sie vorbereitet haben, ist verloren gegangen.',
    todo: 'Es wurde nichts hochgeladen. Wählen Sie die Ordner erneut aus. Wenn das Problem weiterhin besteht, senden Sie das Log an Ihren Support.',
  },
  'draft/changed': {
    title: 'Die Liste der Ordner hat sich inzwischen geändert.',
    todo: 'Es wurde nichts hochgeladen. Seitdem wurden weitere Ordner zugeordnet. Prüfen Sie die Liste noch einmal und starten Sie dann den Upload.',
  },
  'upload/scheduled': {
    title: 'Dieser Upload ist für später geplant.',
    todo: 'Er wird zur geplanten Zeit automatisch gesendet. Setzen Sie ihn fort, um ihn sofort zu senden.',
  },
  'watch/limit': {
    title: 'Das System kann Änderungen in so vielen Ordnern nicht melden.',
    todo: 'Der Ordner wird stattdessen in Abständen gelesen, neue Dateien werden also später gefunden. Überwachen Sie einen kleineren Ordner, oder bitten Sie Ihren Administrator, die Grenze zu erhöhen (unter Linux fs.inotify.max_user_watches).',
  },
  'watch/overlaps': {
    title: 'Dieser Ordner wird bereits überwacht oder überschneidet sich mit einem überwachten Ordner.',
    todo: 'Wählen Sie einen anderen Ordner, oder entfernen Sie zuerst den anderen aus den überwachten Ordnern.',
  },
  'watch/unknown': {
    title: 'Dieser Ordner wird nicht mehr überwacht.',
    todo: 'Prüfen Sie die Liste der überwachten Ordner.',
  },
} as const satisfies Translation<typeof english>;
