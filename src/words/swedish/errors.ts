import type { errors as english } from '../english/errors.ts';
import type { Translation } from '../translation.ts';
import { uploadErrors } from './upload-errors.ts';

export const errors = {
  code: {
    'input/invalid': { title: 'Ett värde är inte giltigt.', todo: 'Rätta det och försök igen.' },
    'connection/missing': {
      title: 'Ingen tjänst har angetts ännu.',
      todo: 'Ange adresserna till din besiktningstjänst, eller utforska med exempeldata.',
    },
    'connection/insecure': {
      title: 'Tjänstens adress är inte säker.',
      todo: 'Använd en adress som börjar med https://.',
    },
    'connection/address': {
      title: 'Tjänstens adress innehåller en del som inte är tillåten.',
      todo: 'Ange adressen utan användarnamn, fråga eller fragment.',
    },
    'connection/sample-off': {
      title: 'Exempeldata är avstängda.',
      todo: 'Din organisation tillåter dem inte. Anslut till er tjänst i stället.',
    },
    'connection/unexpected': {
      title: 'Servern på den här adressen svarar inte som förväntat: {{answer}}.',
      todo: 'Kontrollera adressen. En del av sökvägen kanske saknas. I ett gästnätverk öppnar du först nätverkets inloggningssida i en webbläsare.',
    },
    'auth/required': { title: 'Du är inte inloggad.', todo: 'Logga in för att fortsätta.' },
    'auth/expired': {
      title: 'Din inloggning har upphört att gälla.',
      todo: 'Logga in igen. Uppladdningar fortsätter automatiskt.',
    },
    'auth/denied': {
      title: 'Inloggningen nekades.',
      todo: 'Kontrollera att du använde rätt konto och att omfånget stämmer, eller be tjänstens administratör om åtkomst.',
    },
    'auth/failed': {
      title: 'Inloggningen misslyckades: {{error}}.',
      todo: 'Försök igen. Om problemet kvarstår kontrollerar du inloggningsadressen, klient-id och omfånget.',
    },
    'auth/timeout': {
      title: 'Inloggningen tog för lång tid.',
      todo: 'Försök igen och slutför inloggningen i webbläsaren inom 10 minuter.',
    },
    'auth/cancelled': { title: 'Inloggningen avbröts.', todo: 'Logga in när du vill.' },
    'auth/browser': {
      title: 'Webbläsaren kunde inte öppnas.',
      todo: 'Ange en standardwebbläsare på den här datorn och försök igen.',
    },
    'auth/refresh-refused': {
      title: 'Tjänsten förnyade inte din inloggning: {{error}}.',
      todo: 'Försök igen senare. Om problemet kvarstår loggar du ut och in igen, eller kontaktar tjänstens administratör.',
    },
    'auth/no-refresh-token': {
      title: 'Du kan inte förbli inloggad: tjänsten utfärdade ingen uppdateringstoken (refresh token).',
      todo: 'Lägg till offline_access i anslutningens omfång (under Avancerat), eller be tjänstens administratör att tillåta uppdateringstoken för det här klient-id:t.',
    },
    'auth/token-type': {
      title: 'Tjänsten utfärdade en token av en typ som inte stöds: {{type}}.',
      todo: 'Be tjänstens administratör att utfärda Bearer-token för det här klient-id:t.',
    },
    'auth/token-invalid': {
      title: 'Tjänsten utfärdade en ogiltig token.',
      todo: 'Försök igen. Om problemet kvarstår kontaktar du tjänstens administratör.',
    },
    'keychain/unavailable': {
      title: 'Datorns lösenordslager är inte tillgängligt.',
      todo: 'Lås upp det och försök igen. Inspection Desk behöver det för att lagra din inloggning säkert.',
    },
    'vault/unreadable': {
      title: 'Den sparade inloggningen kunde inte läsas.',
      todo: 'Logga in igen.',
    },
    'service/unreachable': {
      title: 'Tjänsten kan inte nås.',
      todo: 'Kontrollera nätverksanslutningen. Allt du har öppnat tidigare är tillgängligt offline.',
    },
    'service/timeout': { title: 'Tjänsten svarade inte i tid.', todo: 'Försök igen om en stund.' },
    'service/certificate-untrusted': {
      title: 'Certifikatet för servern {{host}} är inte betrott.',
      todo: 'Ingenting skickades. Om ditt företag granskar nätverkstrafiken frågar du IT-avdelningen. Kontakta annars tjänstens administratör.',
    },
    'service/certificate-expired': {
      title: 'Certifikatet för servern {{host}} har upphört att gälla.',
      todo: 'Ingenting skickades. Kontrollera datorns datum. Om det stämmer kontaktar du tjänstens administratör.',
    },
    'service/certificate-not-yet-valid': {
      title: 'Certifikatet för servern {{host}} är inte giltigt ännu.',
      todo: 'Ingenting skickades. Kontrollera datorns datum och tid. Om de stämmer kontaktar du tjänstens administratör.',
    },
    'service/certificate-wrong-name': {
      title: 'Certifikatet för servern {{host}} gäller ett annat namn.',
      todo: 'Ingenting skickades. Kontrollera adressen. I ett gästnätverk öppnar du först nätverkets inloggningssida i en webbläsare.',
    },
    'service/tls-outdated': {
      title: 'Servern {{host}} erbjuder bara föråldrad kryptering.',
      todo: 'Ingenting skickades. Inspection Desk kräver TLS 1.2 eller nyare. Be serverns administratör att aktivera det.',
    },
    'service/tls-missing': {
      title: 'Servern {{host}} använder ingen kryptering.',
      todo: 'Ingenting skickades. Kontrollera adressen och porten. Om det är en proxyservers adress kan den behöva börja med http:// i stället för https://.',
    },
    'network/interrupted': {
      title: 'Servern {{host}} avbryter varje uppladdning.',
      todo: 'En brandvägg eller ett säkerhetsprogram kan avsluta anslutningarna. Återuppta uppladdningen senare, eller fråga er IT-avdelning.',
    },
    'service/busy': { title: 'Tjänsten är upptagen.', todo: 'Vänta en stund och försök igen.' },
    'service/failed': {
      title: 'Tjänsten rapporterade ett fel.',
      todo: 'Försök igen senare. Om problemet kvarstår kontaktar du tjänstens administratör.',
    },
    'service/forbidden': {
      title: 'Du har inte behörighet att göra detta.',
      todo: 'Be tjänstens administratör om åtkomst.',
    },
    'service/not-found': {
      title: 'Tjänsten kunde inte hitta posten.',
      todo: 'Den kan ha tagits bort. Gå tillbaka och uppdatera listan.',
    },
    'service/refused': {
      title: 'Tjänsten avvisade begäran.',
      todo: 'Kontrollera det du har angett och försök igen. Om problemet kvarstår kontaktar du tjänstens administratör.',
    },
    'service/malformed': {
      title: 'Tjänsten skickade ett oväntat svar.',
      todo: 'Försök igen. Om problemet kvarstår kontrollerar du tjänstens adress eller kontaktar tjänstens administratör.',
    },
    'service/too-large': {
      title: 'Tjänstens svar är för stort.',
      todo: 'Begränsa sökningen eller välj ett län. Om det inte hjälper kontaktar du tjänstens administratör.',
    },
    'service/endless': {
      title: 'Tjänsten skickade upprepade eller för många sidor, så listan är ofullständig.',
      todo: 'Du kan använda den del som lästes in. Kontakta tjänstens administratör.',
    },
    'network/proxy-address': {
      title: 'Proxyserverns adress är inte giltig: {{field}}.',
      todo: 'Ange schema, värd och port, till exempel http://proxy.example.com:8080. Om namnet på en miljövariabel visas rättar du dess värde.',
    },
    'network/proxy-unreachable': {
      title: 'Proxyservern {{proxy}} kan inte nås.',
      todo: 'Kontrollera nätverksanslutningen. Kontrollera att proxyservern fortfarande stämmer där den angavs: i inställningarna (under Nätverk), av IT-avdelningen eller i en miljövariabel.',
    },
    'network/proxy-password': {
      title: 'Proxyservern {{proxy}} kräver användarnamn och lösenord.',
      todo: 'Försök igen och ange ditt användarnamn och lösenord för proxyservern när du tillfrågas.',
    },
    'network/proxy-password-wrong': {
      title: 'Proxyservern {{proxy}} godtog inte användarnamnet och lösenordet.',
      todo: 'Försök igen och rätta dem. Flera felaktiga försök kan låsa ditt konto.',
    },
    'network/proxy-scheme': {
      title: 'Proxyservern {{proxy}} kräver en typ av inloggning som Inspection Desk inte stöder: {{schemes}}.',
      todo: 'Be IT-avdelningen att låta den här datorn nå tjänsten utan inloggning i proxyservern, eller att installera en lokal proxyserver som loggar in åt den.',
    },
    'network/proxy-refused': {
      title: 'Proxyservern {{proxy}} tillåter inte anslutningar till {{host}}.',
      todo: 'Be IT-avdelningen att tillåta den här servern.',
    },
    'network/ca-file': {
      title: 'Filen med certifikatutfärdare kan inte användas: {{path}}.',
      todo: 'Kontrollera att den finns och innehåller certifikat i PEM-format, eller ta bort den från inställningarna (under Nätverk).',
    },
    'network/captive-portal': {
      title: 'En webbsida svarar i stället för servern {{host}}.',
      todo: 'I ett gästnätverk öppnar du nätverkets inloggningssida i en webbläsare. Kontrollera annars adressen. Uppladdningar fortsätter automatiskt.',
    },
    'cache/missing': {
      title: 'Detta är inte tillgängligt offline eftersom det inte har öppnats på den här datorn.',
      todo: 'Öppna det en gång när du är online.',
    },
    'cache/full': {
      title: 'Offlinedata har nått sin maximala storlek, så allt är inte tillgängligt offline.',
      todo: 'Öka den maximala storleken i inställningarna (under Lagring) och fortsätt sedan.',
    },
    ...uploadErrors,
    'settings/managed': {
      title: 'Din organisation har ställt in det här.',
      todo: 'Kontakta IT-avdelningen om det behöver ändras.',
    },
    'policy/syntax': {
      title: 'Organisationens princip kan inte läsas. Fel per fil och rad: {{faults}}.',
      todo: 'Be IT-avdelningen rätta den.',
    },
    'policy/unknown-key': {
      title:
        'Organisationens princip innehåller en okänd nyckel. Alla fel, med fil, rad, nyckel och vad som är tillåtet där: {{faults}}.',
      todo: 'Be IT-avdelningen rätta den.',
    },
    'policy/invalid': {
      title:
        'Organisationens princip innehåller ett ogiltigt värde. Alla fel, med fil, rad, nyckel och vad som är tillåtet där: {{faults}}.',
      todo: 'Be IT-avdelningen rätta den.',
    },
    'policy/unsafe': {
      title: 'Organisationens princip är inte skyddad: {{path}}.',
      todo: 'Be IT-avdelningen se till att bara administratörer kan ändra den.',
    },
    'policy/unreadable': {
      title: 'Organisationens princip kan inte öppnas: {{path}}.',
      todo: 'Be IT-avdelningen kontrollera den: den måste vara en vanlig fil på högst 1 MB som alla användare av datorn får läsa.',
    },
    'update/unreachable': {
      title: 'Servern för uppdateringar kan inte nås.',
      todo: 'Appen försöker igen senare. Om problemet kvarstår frågar du er IT-avdelning.',
    },
    'update/damaged': {
      title: 'Uppdateringen var skadad.',
      todo: 'Den installerades inte. Appen hämtar den igen senare.',
    },
    'update/untrusted': {
      title: 'Uppdateringen är inte signerad av appens utgivare, eller så är det inte den version som meddelades.',
      todo: 'Den installerades inte. Meddela er IT-avdelning.',
    },
    'update/missing': {
      title: 'Det finns ingen uppdatering att installera.',
      todo: 'Sök efter uppdateringar först.',
    },
    'update/busy': {
      title: 'En uppladdning pågår.',
      todo: 'Uppdateringen installeras när appen avslutas. Du kan också vänta tills uppladdningen är klar.',
    },
    'data/in-use': {
      title: 'Inspection Desk körs redan med dessa data.',
      todo: 'Använd det öppna fönstret, eller stäng det först.',
    },
    'data/newer': {
      title: 'Data på den här datorn har skrivits av en nyare version av Inspection Desk.',
      todo: 'Uppdatera appen.',
    },
    'data/corrupt': {
      title: 'Sparade data är skadade: {{file}}.',
      todo: 'Behåll filen och kontakta supporten.',
    },
    'data/moved-aside': {
      title: 'En skadad fil har ersatts med en ny: {{file}}.',
      todo: 'Kontrollera dina inställningar. Den skadade filen finns kvar.',
    },
    'data/left-out': {
      title: 'En del sparade data kunde inte läsas: {{part}}.',
      todo: 'Allt annat fungerar som tidigare. Om en uppladdning eller en ändring saknas kontaktar du supporten.',
    },
    'data/unwritable': {
      title: 'Inspection Desk kan inte skriva till sin mapp {{path}}.',
      todo: 'Kontrollera att disken har ledigt utrymme och att du har skrivbehörighet.',
    },
    'data/unsynced': {
      title: 'Inspection Desk kunde inte spara sina data på disken.',
      todo: 'Kontrollera disken och dess lediga utrymme och starta sedan om appen: uppladdningarna fortsätter där de slutade.',
    },
    'data/unsafe': {
      title: 'Inspection Desk kan inte använda {{path}}: {{reason}}.',
      todo: 'Ta bort den, eller välj en datamapp som bara du har åtkomst till (--home).',
    },
    'output/not-a-file': {
      title: 'Det finns något annat än en fil på {{path}}.',
      todo: 'Välj ett annat namn: en mapp, en enhet eller ett rör ersätts aldrig.',
    },
    'output/data-directory': {
      title: 'Det går inte att spara i Inspection Desks egen mapp: {{path}}.',
      todo: 'Välj en annan mapp.',
    },
    'preview/too-large': {
      title: 'Förhandsversionen tar inte emot {{limit}}.',
      todo: 'Välj färre filer, eller använd skrivbordsappen.',
    },
    'app/unsupported': {
      title: 'Detta är inte tillgängligt här.',
      todo: 'Använd skrivbordsappen.',
    },
    'app/cancelled': { title: 'Åtgärden avbröts.', todo: 'Du kan starta den igen när du vill.' },
    'app/bug': {
      title: 'Ett fel uppstod i Inspection Desk.',
      todo: 'Försök igen. Om problemet kvarstår kopierar du detaljerna och skickar dem till supporten.',
    },
  },
  file: {
    'service/unreachable': {
      title: 'Tjänsten kan inte nås.',
      todo: 'Kontrollera nätverksanslutningen och försök igen.',
    },
    'service/not-found': {
      title: 'Tjänsten kunde inte hitta uppdraget.',
      todo: 'Det kan ha tagits bort. Fråga tjänstens administratör.',
    },
    'service/refused': {
      title: 'Tjänsten avvisade filen.',
      todo: 'Försök igen. Om problemet kvarstår kontaktar du tjänstens administratör.',
    },
  },
  host: {
    'service/unreachable': { title: 'Servern {{host}} kan inte nås.', todo: 'Kontrollera nätverksanslutningen.' },
    'service/timeout': { title: 'Servern {{host}} svarade inte i tid.', todo: 'Kontrollera nätverksanslutningen.' },
    'service/busy': { title: 'Servern {{host}} är upptagen.', todo: 'Vänta en stund och försök igen.' },
  },
  name: {
    host: {
      title: 'Servernamnet {{host}} hittades inte.',
      todo: 'Kontrollera adressen och nätverksanslutningen. Om andra webbplatser går att öppna frågar du er IT-avdelning om namnservern (DNS).',
    },
    proxy: {
      title: 'Proxyserverns namn {{proxy}} hittades inte.',
      todo: 'Kontrollera nätverksanslutningen. Om du inte är på kontoret ansluter du först till kontorets nätverk (VPN). Kontrollera annars att proxyservern fortfarande stämmer där den angavs.',
    },
  },
  fieldName: {
    baseUrl: 'Tjänstens adress',
    authUrl: 'Inloggningsadress',
    clientId: 'Klient-id',
    scope: 'Omfång (scope)',
    redirectUri: 'Omdirigeringsadress',
    PlanAfter: 'Planera efter',
    AssignmentId: 'Uppdrags-id',
    path: 'Filnamnet',
  },
  field: {
    invalid: '{{name}}: värdet är inte giltigt.',
    insecure: '{{name}}: adressen är inte säker.',
    userinfo: {
      title: '{{name}} får inte innehålla användarnamn eller lösenord.',
      todo: 'Ta bort delen mellan // och @, och själva @.',
    },
    query: { title: '{{name}} får inte innehålla en fråga.', todo: 'Ta bort ? och allt som följer.' },
    fragment: { title: '{{name}} får inte innehålla ett fragment.', todo: 'Ta bort # och allt som följer.' },
  },
  issuedBy: 'Det utfärdades av {{issuer}}.',
  validity: 'Det gäller från {{validFrom}} till {{validTo}}; den här datorns klocka visar {{clock}}.',
  clockOff: 'Den skiljer sig från serverns klocka med {{minutes}} min.',
  retryInSeconds_one: 'Försök igen om {{count, number}} sekund.',
  retryInSeconds_other: 'Försök igen om {{count, number}} sekunder.',
  retryInMinutes_one: 'Försök igen om {{count, number}} minut.',
  retryInMinutes_other: 'Försök igen om {{count, number}} minuter.',
} as const satisfies Translation<typeof english>;
