/**
 * Words of offices and trades, and others whose meaning no list of addresses shows. A missing word causes a question, never a mistake. A
 * word too many does not hide the address or city of an assignment.
 */
import { folded, MONTH_OF, remembered } from './names.ts';

const set = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/).map(folded));

/** Stand between a street and its number. */
export const NUMBER_SIGNS = set('nr no num nummer number numero numéro hus house haus hausnr hnr husnr n nº cp čp');

/** Stand before or behind the number of a flat, a floor or a staircase. Others are learnt from the addresses. */
export const FLAT_WORDS =
  set(`flat apt apartment unit suite ste leil leilighet lgh lejl lejlighed whg wohnung asunto as appt bolig
  oppgang inngang trapp porras krs floor stiege stg top tür lok mieszkanie ap apto piso puerta esc casa bte boite bus box bloco unidade
  etg etage sal og eg dg ug we int sc scala interno bat bât app appart våning room dz kv but byt`);

/** Ends of streets' names, for lists that are too short to learn them from. */
export const ENDINGS = set(
  'gatan gata gate gaten veien vegen vei veg vägen väg vej gade strasse gasse weg straat laan katu',
);

/** Join two houses or flats. */
export const AND_WORDS = set('og och and und ja en et e y i a oraz ir un ja és és');

/** Legal forms of companies, which do not tell companies apart. */
export const COMPANY_FORMS = set(
  'as ab oy oyj ltd limited gmbh ag kg aps a s inc llc plc bv nv sa sarl srl spa co company sønn og and und hb enk ans da lda sro',
);

/** Small words between others. */
const FILLING = set(
  'della dei delle degli del dello dal nel las los el les lo im am the a an of and for to from in at on by with og i på av til fra ved och med från till en et ja und von bei mit der die das de la le du des den del da do dos das no na w z u ze za do per con il lo di v ve na k s a o para com em por',
);

/** Parts of buildings, kinds of work and names of documents. */
const WORK = set(`
stairwell stairwells fyr oferta wycena piec apkure iekārta jumts siltums tetto caldaia kotel plyn okna topení kazán gáz fűtés katilas šildymas langai kate küte aken caldeira janela telha gesso azulejo esgoto hidráulica elétrico vazio chaves zlec exp ref réf nr ord ordre ordine orden auftrag projekt dossier tarjous rakennus boiler roofing gutters wiring damp hvac permit quote estimate
abfluss abnahme abril abschnitt acqua adresse adresser afgerond aflevering aflyst afløb aftale after afvoer agosto agreement agua akt
aktai aktas akts alarm allegati allekirjoitettu alt altan amiante ancien angebot angebote anhang anneks annet annulato annulé anstrich
antes août appendix approved apr april aprile après apskate apžiūra arbeid archive archives arkiv armaturen arve asbestos asennus
asiakas asiakirjat asiakkaat assicurazione assignment assignments assurance attachments attestation attic aufmaß aufnahme auftrag
aufträge aufzug aug august augusti aurinkopaneelit ausbau austausch avain avant avbokad avería avlyst avril avtal avtale avvik awaria
backup bad badkamer badrum bagno bain balcon balcone balcony balkon balkong banheiro basement bathroom baustelle baño bedroom befaring
before begehung bericht berichte besiktning bestilling beställning bijlage bijlagen bilag bilaga bild bilde bilden bilder billede
billeder blandebatteri boden boiler boletín bollette borne brandlarm brandschutz brannvarsling brief brådskande byggetrinn caldaia
caldera calefacción callout camera canceled cancelled cantiere cantina cargador carpet carport case cases cave cellar cert certificado
certificate certificates certificato certs chantier chantiers charger chaudière chauffage checklist chiavi chimney clearance client
cliente clienti clients climatisation climatizzatore clé clés cocina colonnina commissioning complaint complete completed compteur
comunidad condominio conformità conservatory consuel consumer contador container contatore contract contracts contrat contrato
contrôle copia copie copy correspondence costings courriel cozinha cuadro cubierta cucina cuisine customer customers cv dach dachu dak
damage damp danno daño dcim dec december decorating defect defects defektai defekti delivered depois deposit des desagüe desember deur
deuren devis dez dezember dhr diagnostic dicembre diciembre dienstag disegni divers diverse doc docs document documenti documento
documents dok dokumendid dokument dokumente dokumenti dokumenty done donnerstag dossier downlights draft drain drains
drawing drawings drenering dringend driveway druckprobe drzwi dränering dræn dsc dscf dscn during dusche dusj dämmung décembre dégât
dépose dörr dør døre eau eaux efter egenmelding einbau einfahrt eingang elbillader elcentral electrical elektrik elektro elektryka
elettrico elewacja ellenőrzés eléctrica elétrica előtt email emails emergency energideklaration enero enne entrega entretien
entsorgung epost erdung eristys erledigt escaneo essai essais estimate estrich etat etter extension facade facciata fachada factura
facturas facture facturen factures factuur faktura fakturor faktury fam famiglia familia familie familien famille family fasad fasade
fassade fattura fatture fatura faturas fdv feb febbraio febrero februar februari february fellesareal felújítás fence fencing fenster
fenêtre fenêtres ferdig ferdige fertig file files final finale finestra finestre fini finished finito fire firmado firmato fiscal
fliesen floor flur folder forsikring fotky foto fotod fotoer fotografia fotografias fotografie fotografier fotografía fotogrāfijas
foton fotos fotovoltaico fotowoltaika fotók frau fredag freitag friday fru fuga fuite fuseboard fyring færdig février fönster för före
försäkring før fürdőszoba gamla gamle gammal gammel gammelt garage garanti garantia garantie garantía garanzia garasje garden garten
gas gaz genehmigung gennaio gerüst gevel gewährleistung giardino giugno godkendt godkjent godkänd golvbrunn grenier groepenkast
gutachten gutter gwarancja gård hallway handlingar handover haster heating heizkörper heizung herr hiba hr humedad huolto hus ikkuna
ikkunat image images img impianto important inbetriebnahme incoming infissi informe informes innregulering inspección inspectie
inspecties inspection inspections inspeção instalación instalacja instalação install insulation insurance intervention intervento
intyg invoice invoices isolatie isolation isolering istaba jan januar januari january janvier jardin jegyzőkönyv job jobb jobber jobs
jointes jordfeil jordfel juillet juin jul juli julio july jumts jun june juni junio kalkulation kamin kansio kattila katto katus kedel
keittiö kelder kellari keller ketel keuken keuring key keyholder keys kiire kitchen kjeller kjøkken klant klar klara klart klienci
klient klimatyzacja kocioł kohde kohteet kontrakt kontrol kontrola kontroll konyha kopi kopia kopie kopio korjaus kosten koupelna
kuchnia kuchyň kuchyňa kuitti kund kunde kunden kunder kuva kuvat kvittering kvitto kw kylpyhuone källare käyttöönotto kælder képek
kök köök køkken kúpeľňa küche laadpaal laddbox ladeboks ladestander landlord lasku laskut latausasema laudo lavori lawn leak leck
legionella lekkage lekkasje leping letters levert licznik lieferung lieux lift lighting liite liitteet lijst lista liste lock locks
loft lounge luglio luovutus lys läcka lämmitys lämpöpumppu lækage lørdag lüftung līgums maart madame maggio mahnung mai mail mails
maintenance maj maler mandag mangel mangler mantenimiento manutenzione manutenção map mapp mappe mar march mars marzo materiaali
material materiale materials materiell matériel may mayo megrendelés mei mejl membran memo messung meter method metingen mevr mevrouw
misc missing mister mittaus mittwoch mme monday monsieur montag montage montasje montering mov mr mrs ms muffa muut mängel märz
mätarbyte mätning målebrev målerbytte måling müll na naboklage nach nachher nachtrag nameting neu neubau nieuw nodošana nota notas
notes notizen nouveau nouvelle nov november novembre nowa nowy nueva nuevo nuotraukos nuova nuovo ny nybygg nybygge nyckel nye nøgle
nøkkel objekt objekte obra obras oct october octobre octubre odbiory odbiór odovzdanie oferta offen offer offers offert ogrzewanie
ogród okna okno okt oktober onderhoud ondertekend onsdag opdracht opgave opgaver oplevering opname oppdrag oppussing oprava opravy
order orders ordner ordre orçamento other ottobre oud overig overlevering overview ovet ovi paint pan panel pani panneaux parkett
parveke pasūtījums patikra patio payment pendiente pending perdita permit photo photos pic pics picture pictures piec piha
piirustukset pintura pipe pirms piwnica plan planimetria planlagt planned planos plans plaster plomb plumbing pläne po
podpisane pomiar pomiary porch porta porte portes pose pratica pred presupuesto presupuestos preventivo prevzatie pricing prieš
project projects projekt projekte projeto projetos prosjekt protocol protocols protokol protokoll protokoły protokół prova prove
provning przed przegląd przeglądy prüfung puerta putz puudused pärast pöytäkirja pārbaude pēc před předání převzetí quadro quote
quotes raam radiator radiators ramen ramonage rams raport rapport rapports rasen rauchmelder ready receipt receipts rechnung recibo
reclamación reforma refurb rehabilitering rejected rekkverk reklamace reklamacja reklamasjon reklamation relatório relatórios
relazione relining remedial remedials remont remonts remonty removal remplacement renovatie renovation renovering renovierung repair
repairs reparación reparatie reparatur replacement report reports results revize revízia rewire riool riparazione riscaldamento risk
ristrutturazione ritning rodzina rohbau roof roofing rubbish rubinetto rundgang rysunki réception réparation réserves rør rēķins
safety sag sager sak saker salaoja samstag samsvar sanierung saturday scaffold scan scanned scans scarico schade schaden
scheduled schimmel schlafzimmer schloss schlüssel schoorsteen schornstein schriftverkehr schuppen screenshot sendt sent sep sept
september septembre septiembre sertifikat service settembre señor señora shed shower sicherung sig signed signerad signert signor
signora signé sikringsskap sinistre sink site sjekk skada skade skan skann skimmel skip skorsten sleutel sluk smlouva smoke snag
snagging snags soffitta solar solceller sonntag sonstiges sopimus sopralluoghi sopralluogo sostituzione sotning speil spoed sprinkler
sr sra stage stairs stambyte stammar stary statement statik steckdose stikkontakt stogas storniert strecha strych stue stundenzettel
střecha summary sunday survey surveys sutartis syn szerződés szkoda számla sähkö sótano søndag sønn sąskaita tag tagrender tak taket
takrenner taktekking takuu taps tarjous tarkastukset tarkastus task tasks tavle tegning tejado tekeningen telhado tellimus temp tenant
teppich termin terminé termografi terrasse test tests tetto tető thursday tilbud tilbygg tiles tiling tillbyggnad tilstand tilsyn
timer timeseddel timesheet tirsdag tisdag tmp toalett todo toilet toit toiture torsdag travaux trees treppe trockenbau trykktest
tuesday tuin tunnit työ työt tätskikt udluftning udskiftning uge uke ullakko umbau umowa umowy under unterlagen
unterschrieben upgrade upload uploads uppdrag urgent urgente usterka usterki utbedring utbyte utelys uthus utskifting után uusi
užsakymas v1 v2 vahinko vaihto vakuutus valmiit valmis vand vanha vanhat vann vannas vannituba variation varie various varme vask
vatten vazamento vecchio vecka vedlegg vedligehold vedlikehold ventana ventanas ventil verbale verbouwing version verteiler vertrag
vervanging verwarming verzekering vesi video videos viejo viemäri viikko viktig vind vindu virtuve virtuvė visit visita visite
vistoria vistorias vivienda vochtprobleem void vonia voor vor vorher vuoto vvs värmepump våtrom våtrum walkthrough wall wallbox
warmtepomp warranty wartung waschbecken wasser waste water wednesday week wentylacja whatsapp wilgoć window windows wiring woche woda
wohnzimmer work works wärmepumpe zahlung zakázka zakázky zaun zdjęcia zeichnungen zlecenia zlecenie zmluva zolder zonnepanelen
zusammenfassung zákazka závady zähler átadás ático ärende ärenden åtgärder électricité överlämning övrigt øvrigt übergabe übersicht
ülevaatus łazienka łazienki
`);

/**
 * Whether `word` is one of offices and trades, or ends with one as "slutbesiktning" and "Rechnungskopie" do. Not what begins with one:
 * "Offenburg" and "Bagnolet" are towns.
 */
export const isWorkWord = remembered((word: string): boolean => {
  if (WORK.has(word) || MONTH_OF.has(word)) return true;
  for (let length = 5; length < word.length - 1; length += 1) if (WORK.has(word.slice(-length))) return true;
  return false;
});

/** Whether `word` is a small word such as "of". */
export const isFilling = (word: string): boolean => FILLING.has(word);
