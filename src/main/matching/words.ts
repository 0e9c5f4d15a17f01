/**
 * Word lists for matching, with words that cannot be learnt from the office's addresses. If a word is missing, the app
 * usually asks about a folder that it could have matched.
 */
import { folded, monthOf, remembered } from './names.ts';

const set = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/).map(folded));

/** Words that can be between a street and its number. */
export const NUMBER_SIGNS = set('nr no num nummer number numero numéro hus house haus hausnr hnr husnr n nº cp čp');

/** Words before or after the number of a flat, a floor or a staircase. Further words are learnt from the addresses. */
export const FLAT_WORDS =
  set(`flat apt apartment unit suite ste leil leilighet lgh lejl lejlighed whg wohnung asunto as appt bolig
  oppgang inngang trapp porras krs floor stiege stg top tür lok mieszkanie ap apto piso puerta esc casa bte boite bus box bloco unidade
  etg etage sal og eg dg ug we int sc scala interno bat bât app appart våning room dz kv but byt`);

/** Common endings of street names. `learnEndings` adds those that many of the office's names share. */
export const ENDINGS = set(
  'gatan gata gate gaten veien vegen vei veg vägen väg vej gade strasse gasse weg straat laan katu',
);

export const AND_WORDS = set('og och and und ja en et e y i a oraz ir un ja és és');

/** Legal forms of companies, which do not tell companies apart. */
export const COMPANY_FORMS = set(
  'as ab oy oyj ltd limited gmbh ag kg aps a s inc llc plc bv nv sa sarl srl spa co company sønn og and und hb enk ans da lda sro',
);

const FILLING = set(
  'della dei delle degli del dello dal nel las los el les lo im am the a an of and for to from in at on by with og i på av til fra ved och med från till en et ja und von bei mit der die das de la le du des den del da do dos das no na w z u ze za do per con il lo di v ve na k s a o para com em por',
);

/**
 * Words of offices and trades: parts of buildings, kinds of work, documents, weekdays, titles of people and the like.
 */
const WORK = set(`
abfluss abnahme abschnitt acqua adresse afgerond aflevering afløb aflyst aftale after afvoer agreement agua aken akt aktai aktas akts alarm
allegati allekirjoitettu alt altan amiante ancien angebot anhang anneks annet annulato annulé anstrich antes apkure appendix approved après
apskate apžiūra arbeid archive ärende arkiv armaturen arve asbestos asennus asiakas asiakirjat asiakkaat assicurazione assignment assurance
átadás åtgärder ático attachments attestation attic aufmaß aufnahme auftrag aufzug aurinkopaneelit ausbau austausch avain avant avbokad
avería avlyst avtal avvik awaria azulejo backup bad badkamer badrum bagno bain balcon balkon banheiro baño basement bathroom baustelle
bedroom befaring before begehung bericht besiktning beställning bestilling bijlage bilag bild bilde billede blandebatteri boiler
boletín bollette borne brådskande brandlarm brandschutz brannvarsling brief byggetrinn caldaia caldeira caldera calefacción callout camera
canceled cancelled cantiere cantina cargador carpet carport case cases cave cellar cert certificado certificate certificato certs chantier
charger chaudière chauffage chaves checklist chiavi chimney clé clearance clés client climatisation climatizzatore cocina colonnina
commissioning complaint complete compteur comunidad condominio conformità conservatory consuel consumer contador container contatore
contract contrat contrôle copia copie copy correspondence costings courriel cozinha cuadro cubierta cucina cuisine customer cv dach dachboden dachu
dak damage dämmung damp danno daño dcim decorating defect defektai defekti dégât delivered depois dépose deposit desagüe deur deuren devis
dhr diagnostic dienstag disegni divers doc docs document dok dokumendid dokument done donnerstag dør døre dörr dossier downlights draft
drain dræn dränering drawing drenering dringend driveway druckprobe drzwi dsc dscf dscn during dusche dusj eau eaux efter egenmelding einbau
einfahrt eingang elbillader elcentral eléctrica électricité elektrik elektro elektryka elétrica elétrico elettrico elewacja ellenőrzés előtt
email emergency energideklaration enne entrega entretien entsorgung epost erdung eristys erledigt escaneo esgoto essai estimate estrich etat
etter exp extension facade facciata fachada factura facture factuur faktura fakturor faktury fam famiglia familia familie famille family
færdig fasad fassade fattura fatture fatura fdv fellesareal felújítás fence fencing fenêtre fenster ferdig fertig file files final finestra
finestre fini finished finito fire firmado firmato fiscal fliesen floor flur folder fönster för före försäkring forsikring fotky foto fotod
fotografia fotografie fotogrāfijas fotók foton fotoer fotos fotovoltaico fotowoltaika frau fredag freitag friday fru fuga fuite fürdőszoba
fuseboard fußboden fűtés fyr fyring gamla gamle gammal gammel garage garanti garanzia garasje gård garden garten gas gáz genehmigung gerüst gesso
gevel gewährleistung giardino godkänd godkendt godkjent golvbrunn grenier groepenkast gutachten gutter gwarancja hallway handlingar handover
haster heating heizkörper heizung herr hiba hidráulica hr humedad huolto hus hvac iekārta ikkuna image img impianto important inbetriebnahme
incoming infissi informe innregulering inspeção inspección inspectie inspection instalação instalación instalacja install insulation
insurance intervention intervento intyg invoice isolatie isolation isolering istaba janela jardin jegyzőkönyv job jobb jobber jobs jointes
jordfeil jordfel jumts kælder kalkulation källare kamin kansio kate katilas kattila katto katus käyttöönotto kazán kedel keittiö kelder
kellari keller képek ketel keuken keuring key keyholder keys kiire kitchen kjeller kjøkken klant klar klara klart klienci klient
klimatyzacja kocioł kohde kohteet kök køkken kontrakt kontrol konyha köök kopi kopia kopie kopio korjaus kosten kotel koupelna küche kuchnia
kuchyň kuitti kund kunde kúpeľňa küte kuva kuvat kvittering kvitto kw kylpyhuone läcka laddbox ladeboks ladestander laadpaal lækage lämmitys
lämpöpumppu landlord langai lasku latausasema laudo lavori lawn łazienka łazienki leak leck legionella lekkage lekkasje leping letters
levert licznik lieferung lieux lift lighting līgums liite liitteet lijst lista liste lock locks loft lørdag lounge lüftung luovutus lys
madame mahnung mail mails maintenance målebrev maler målerbytte måling mandag mangel mangler mantenimiento manutenção manutenzione map mapp
mappe maart mätarbyte material matériel mätning megrendelés mejl membran memo messung meter method metingen mevr mevrouw misc missing mister
mittaus mittwoch mme monday monsieur montag montasje montering mov mr mrs ms muffa müll muut na naboklage nach nachher nachtrag nameting neu
neubau nieuw nodošana nøgle nøkkel nota notas notes notizen nouveau nouvelle nowa nowy nr nuotraukos nuova nuovo nueva nuevo ny nybygg
nyckel nye objekt obra obras odbiór odovzdanie oferta offen offer ogród ogrzewanie okna okno onderhoud ondertekend onsdag opdracht opgave
oplevering opname oppdrag oppussing oprava opravy orçamento ord orden order ordine ordner ordre other oud overig överlämning overlevering
overview ovet ovi övrigt paint pan panel pani panneaux pärast pārbaude parkett parveke pasūtījums patikra patio payment pēc pendiente
pending perdita permit photo pic pics picture piec piha piirustukset pintura pipe pirms piwnica plan pläne planimetria planlagt planned
planos plans plaster plomb plumbing plyn po podpisane pomiar porch porta porte pose pöytäkirja pratica pred předání presupuesto preventivo
prevzatie převzetí pricing prieš project projekt projeto prosjekt protocol protokol prova prove provning prüfung przed przegląd puerta putz
puudused quadro quote radiator rakennus raam ramen ramonage rams raport rapport rasen rauchmelder ready receipt réception rechnung recibo
reclamación ref reforma refurb rehabilitering rejected rēķins rekkverk reklamace reklamacja reklamasjon reklamation relatório relazione
relining remedial remont removal remplacement renovatie renovation renovering renovierung repair reparación reparatie réparation reparatur
replacement report réserves results revize revízia rewire riool riparazione riscaldamento risk ristrutturazione ritning rodzina rohbau roof
roofing rør rubbish rubinetto rundgang rysunki safety sag sager sähkö sak saker salaoja samstag samsvar sanierung sąskaita saturday scaffold
scan scanned scans scarico schade scheduled schimmel schlafzimmer schloss schlüssel schoorsteen schornstein schriftverkehr schuppen
screenshot sendt señor sent sertifikat service shed shower sicherung sig signé signerad signert signor sikringsskap šildymas siltums
sinistre sink site sjekk skada skade skan skann skimmel skip skorsten sleutel sluk smlouva smoke snag snagging snags soffitta solar
solceller søndag sønn sonntag sonstiges sopimus sopralluoghi sopralluogo sostituzione sótano sotning speil spoed sprinkler sr sra stage
stairs stairwell stambyte stammar stary statement statik steckdose stikkontakt stogas storniert strecha strych stue stundenzettel summary
sunday survey sutartis syn számla szerződés szkoda tag tagrender tak taket takrenner taktekking takuu taps tarjous tarkastukset tarkastus
task tasks tätskikt tavle tegning tejado tekeningen telha telhado tellimus temp tenant teppich termin termografi terrasse test tests tető
tetto thursday tilbud tilbygg tiles tiling tillbyggnad tilstand tilsyn timer timeseddel timesheet tirsdag tisdag tmp toalett todo toilet
toit toiture topení torsdag travaux trees treppe trockenbau trykktest tuin tunnit tuesday työ työt übergabe übersicht udluftning udskiftning
uge uke ülevaatus ullakko umbau umowa umowy under unterlagen unterschrieben upgrade upload uppdrag urgent usterka usterki után utbedring
utbyte utelys uthus utskifting uusi užsakymas v1 v2 vahinko vaihto vakuutus valmiit valmis vand vanha vann vannituba variation varie
various varme värmepump vask våtrom våtrum vatten vazamento vazio vecchio vecka vedlegg vedligehold vedlikehold ventana ventil verbale
verbouwing version verteiler vertrag vervanging verwarming verzekering vesi video viejo viemäri viikko viktig vind vindu virtuve visit
vistoria vivienda vochtprobleem void vonia voor vor vorher vuoto vvs walkthrough wall wallbox wärmepumpe warmtepomp warranty wartung
waschbecken wasser waste water wednesday week wentylacja whatsapp wilgoć window wiring woche woda wohnzimmer work works wycena zähler
zahlung zakázka zakázky zaun závady zdjęcia zeichnungen zlec zlecenia zlecenie zmluva zolder zonnepanelen zusammenfassung
`);

/**
 * Whether `word` is in `WORK`, possibly as a plural, or is the name of a month. A word of at least six letters may end
 * with one letter that the word in `WORK` lacks, and a word of at least nine letters with two.
 */
const isListed = (word: string): boolean =>
  WORK.has(word) ||
  monthOf(word) !== undefined ||
  (word.length > 5 && WORK.has(word.slice(0, -1))) ||
  (word.length > 8 && WORK.has(word.slice(0, -2)));

/**
 * Whether `word` is a listed word (`isListed`) or a compound: a listed word of at least seven letters after two letters
 * or more, such as "slutbesiktning", or two listed words, the second of at least five letters, such as
 * "Rechnungskopie". Shorter words also end the names of towns: "Bridgewater", "Weingarten", "Landvetter". A compound
 * that only begins with a listed word does not count: "Offenburg" and "Bagnolet" are towns.
 */
export const isWorkWord = remembered((word: string): boolean => {
  const isCompound = (at: number): boolean => {
    const [start, end] = [word.slice(0, at), word.slice(at)];
    return isListed(end) && (end.length > 6 || isListed(start) || isListed(start.replace(/[ens]$/, '')));
  };
  return isListed(word) || Array.from(word.slice(6), (_, at) => at + 2).some(isCompound);
});

/** Whether `word` is a small word such as "of". */
export const isFilling = (word: string): boolean => FILLING.has(word);
