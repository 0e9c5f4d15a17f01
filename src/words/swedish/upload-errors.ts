import type { uploadErrors as english } from '../english/upload-errors.ts';
import type { Translation } from '../translation.ts';

export const uploadErrors = {
  'upload/folder-missing': {
    title: 'Mappen {{path}} finns inte längre.',
    todo: 'Lägg tillbaka den, eller välj mappen igen.',
  },
  'upload/folder-replaced': {
    title: 'Mappen {{path}} har flyttats eller ersatts sedan genomgången.',
    todo: 'Välj mappen igen för att gå igenom vad den innehåller nu, eller lägg tillbaka originalet och försök igen.',
  },
  'upload/folder-unreadable': {
    title: 'Mappen {{path}} kan inte läsas.',
    todo: 'Kontrollera att du har åtkomst till den och försök igen.',
  },
  'upload/not-a-folder': {
    title: 'Detta är en fil, inte en mapp.',
    todo: 'Lägg filen i en mapp och ladda upp mappen.',
  },
  'upload/file-missing': {
    title: 'Filen {{path}} finns inte längre.',
    todo: 'Lägg tillbaka den och försök igen.',
  },
  'upload/file-unreadable': {
    title: 'Filen {{path}} kan inte läsas.',
    todo: 'Kontrollera att du har åtkomst till den och försök igen.',
  },
  'upload/file-locked': {
    title: 'Filen {{path}} används av ett annat program.',
    todo: 'Stäng den i det programmet och försök igen.',
  },
  'upload/file-changed': {
    title: 'Filen {{path}} ändrades efter att mappen lästes.',
    todo: 'Avsluta redigeringen och försök igen. Då laddas den aktuella versionen upp.',
  },
  'upload/file-linked': {
    title: 'Filen {{path}} eller dess mapp har ersatts av en länk.',
    todo: 'Lägg tillbaka originalet och försök igen. Länkar följs inte eftersom de kan leda ut ur mappen.',
  },
  'upload/interrupted': {
    title: 'Uppladdningen avbröts oväntat.',
    todo: 'Återuppta den. Uppladdade filer skickas inte igen.',
  },
  'upload/stalled': {
    title: 'Uppladdningen stannade av.',
    todo: 'Kontrollera nätverksanslutningen och enheten som filen ligger på, och försök igen.',
  },
  'upload/unanswered': {
    title: 'Fillagringen bekräftade inte att den tog emot filen.',
    todo: 'Försök igen. Filen lagras aldrig två gånger.',
  },
  'upload/unproven': {
    title: 'Fillagringen bekräftade inte uppladdningen: något annat svarade i dess ställe.',
    todo: 'En proxyserver, en brandvägg eller ett virusskydd mellan datorn och lagringen kan ha tagit filen. Kontakta IT-avdelningen och försök sedan igen. Filen lagras aldrig två gånger.',
  },
  'upload/not-arrived': {
    title: 'Filen finns inte på uppdraget, trots att uppladdningen bekräftades.',
    todo: 'Försök igen. Om problemet kvarstår kan något mellan datorn och fillagringen svara i dess ställe: kontakta IT-avdelningen.',
  },
  'upload/insecure-url': {
    title: 'Tjänsten angav en uppladdningsadress som inte är säker: {{host}}.',
    todo: 'Ingenting skickades. Kontakta tjänstens administratör.',
  },
  'upload/url-expired': {
    title: 'Tillståndet att ladda upp filen upphörde innan uppladdningen var klar.',
    todo: 'Försök igen. Om problemet kvarstår är din anslutning kanske för långsam för filen.',
  },
  'upload/not-yet-valid': {
    title: 'Tillståndet att ladda upp filen gäller inte ännu.',
    todo: 'Tjänstens och fillagringens klockor går olika. Försök igen senare, eller kontakta tjänstens administratör.',
  },
  'upload/clock-wrong': {
    title: 'Datorns klocka går fel.',
    todo: 'Ställ in datorns datum och tid och försök igen.',
  },
  'upload/denied': {
    title: 'Fillagringen nekade åtkomst.',
    todo: 'Försök igen. Om problemet kvarstår kontaktar du tjänstens administratör.',
  },
  'upload/refused': {
    title: 'Fillagringen avvisade filen.',
    todo: 'Försök igen. Om problemet kvarstår kontaktar du tjänstens administratör.',
  },
  'upload/too-large': {
    title: 'Filen {{path}} är för stor för tjänsten.',
    todo: 'Gör den mindre, till exempel genom att dela upp eller komprimera den, och ladda upp den igen.',
  },
  'upload/damaged': {
    title: 'Filens kontrollsumma stämde inte vid upprepade försök.',
    todo: 'Försök igen. Om problemet kvarstår kontaktar du tjänstens administratör.',
  },
  'upload/storage-failed': {
    title: 'Fillagringen rapporterade ett fel.',
    todo: 'Försök igen senare. Uppladdade filer skickas inte igen.',
  },
  'upload/uncertain': {
    title: 'Det är okänt om filen laddades upp.',
    todo: 'Kontrollera uppdraget i tjänsten. Försök igen om filen saknas.',
  },
  'upload/name-taken': {
    title: 'En annan fil på uppdraget har samma namn.',
    todo: 'Ladda upp filen igen och välj att den ska få ett nytt namn eller ersätta den andra filen.',
  },
  'upload/batch-unknown': {
    title: 'Uppladdningen hittades inte på den här datorn.',
    todo: 'Titta i listan över uppladdningar.',
  },
  'upload/batch-state': {
    title: 'Detta går inte i uppladdningens nuvarande tillstånd.',
    todo: 'Kontrollera uppladdningen: den kan ha slutförts eller avbrutits.',
  },
  'upload/cancelling': {
    title: 'Uppladdningen håller på att avbrytas.',
    todo: 'För att avbryta krävs tjänsten och kontot som startade uppladdningen. Om det inte hinner bli klart fortsätter det efter nästa inloggning.',
  },
  'upload/other-session': {
    title: 'Uppladdningen hör till ett annat konto eller en annan tjänst.',
    todo: 'Logga in med kontot som startade den.',
  },
  'upload/map-invalid': {
    title: 'Mappningsfilen har fel på dessa rader: {{lines}}.',
    todo: 'Rätta dem och börja om. Ingenting skickades.',
  },
  'upload/hashing-stopped': {
    title: 'Filen kunde inte läsas på grund av ett fel i appen.',
    todo: 'Försök igen. Om problemet kvarstår skickar du loggen till supporten.',
  },
  'upload/engine-stopped': {
    title: 'Uppladdningen har stoppats på grund av ett fel i appen.',
    todo: 'Starta om appen: uppladdningarna fortsätter där de slutade. Om problemet kvarstår skickar du loggen till supporten.',
  },
  'draft/missing': {
    title: 'Ingen uppladdning förbereds.',
    todo: 'Välj mapparna igen.',
  },
  'draft/stopped': {
    title: 'Uppladdningen som du förberedde gick förlorad.',
    todo: 'Ingenting laddades upp. Välj mapparna igen. Om problemet kvarstår skickar du loggen till supporten.',
  },
  'draft/changed': {
    title: 'Listan med mappar har ändrats under tiden.',
    todo: 'Ingenting laddades upp. Fler mappar har matchats sedan dess. Gå igenom den igen och starta sedan uppladdningen.',
  },
  'upload/scheduled': {
    title: 'Uppladdningen är schemalagd till senare.',
    todo: 'Den skickas automatiskt när det är dags. Återuppta den om den ska skickas nu.',
  },
  'watch/limit': {
    title: 'Systemet kan inte meddela ändringar i så många mappar.',
    todo: 'Mappen läses i stället med jämna mellanrum, så nya filer hittas senare. Bevaka en mindre mapp, eller be administratören att höja gränsen (fs.inotify.max_user_watches i Linux).',
  },
  'watch/overlaps': {
    title: 'Mappen bevakas redan, eller överlappar en bevakad mapp.',
    todo: 'Välj en annan mapp, eller ta först bort den andra från de bevakade mapparna.',
  },
  'watch/unknown': {
    title: 'Mappen bevakas inte längre.',
    todo: 'Se listan över bevakade mappar.',
  },
} as const satisfies Translation<typeof english>;
