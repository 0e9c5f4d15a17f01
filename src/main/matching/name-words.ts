/** Words with a meaning of their own in the names of folders. All are folded. */
import { folded } from './fold.ts';

const set = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/).map(folded));

/** Stand between a street and its number. */
export const NUMBER_SIGNS = set('nr no num nummer number numero hus house haus hausnr hnr husnr n');

/** Stand before the number of a flat, a floor or a part of a building: that number is not the house's. */
export const UNIT_WORDS =
  set(`flat apt apartment unit suite leil leilighet leilnr lgh lejl lejlighed whg wohnung asunto as asunt appt bolig seksjon
  snr oppgang inngang trapp porras rappu etg etasje etage sal vån våning krs kerros floor fl og stock zimmer room rom rum bygg building
  gebäude block blokk del part fase phase etappe tr hoog bus scala interno int piano bygning opgang h u andel flt we ap app apto m lok lokal mieszkanie`);

/** After a floor's number, or for one: left, right, middle, ground floor. */
export const SIDE_WORDS = set('th tv mf og eg ug dg links rechts li re izq dcha esq dto huis');

/** What the parts of a flat's number are also written as: "12-II" is 12-2. */
const UNIT_SPELLINGS: ReadonlyMap<string, string> = new Map([
  ...['i', 'ii', 'iii', 'iv', 'v'].map((roman, at) => [roman, String(at + 1)] as const),
  ['huis', 'hs'],
]);

/** `word` as it is compared as a part of a flat's number. */
export const unitWord = (word: string): string => UNIT_SPELLINGS.get(word) ?? word;

/** Whether `word` can only be a part of a flat's number, beside a house's. */
export const isUnitSpelling = (word: string): boolean => UNIT_SPELLINGS.has(word);

/** Tell a street from another one: "Old Station Road" is not Station Road. */
export const STREET_MODIFIERS =
  set(`old new upper lower north south east west great little high low inner outer northern southern
  øvre nedre søndre nordre østre vestre gamle nye gammel ny store lille lilla stora indre ytre midtre nord sør syd øst vest
  norra södra östra västra övre undre nedre gamla nya stora inre yttre øster vester nørre sønder gammel
  pohjoinen eteläinen itäinen läntinen vanha uusi iso pikku ylä ala alt alte alter altes neu neue neuer kleine kleiner große großer
  gl gml ndr sdr ll lla gt upr lwr kl
  obere oberer untere unterer hintere vordere mittlere nieder ober unter vieux vieille petit petite grand grande nouvelle haut bas
  oude nieuwe grote kleine noord zuid oost vecchia nuova vecchio nuovo grande piccola`);

/** Say what is in a folder, not where it belongs. */
export const NOISE = set(`
  photo photos picture pictures image images img dsc dscn dscf pic pics screenshot scan scans scanned video videos mov whatsapp camera
  document documents doc docs documentation file files folder new copy final draft version v1 v2 old misc various other archive backup temp tmp
  report reports protocol protocols inspection inspections certificate certificates invoice invoices offer offers quote quotes order orders contract
  contracts job jobs project projects work site customer customers client clients case cases task tasks assignment assignments delivered done todo
  sent ready upload uploads incoming before after during finished complete completed drawing drawings plan plans
  bilde bilder foto fotos fotoer dokument dokumenter dokumentasjon dokumentation dok fdv rapport rapporter protokoll protokoller befaring befaringer
  kontroll kontroller tilstand tilstandsrapport samsvar samsvarserklæring sertifikat faktura fakturaer tilbud ordre kontrakt jobb jobber prosjekt
  prosjekter oppdrag sak saker kunde kunder adresse adresser diverse annet gammelt arkiv ferdig ferdige levert sendt klar mappe ny før etter under
  tegning tegninger elektro bad tak vvs rør montasje service reklamasjon avvik utbedring
  bild bilden foton fotografier
  handlingar ritning ritningar besiktning besiktningar kund kunder uppdrag projekt ärende ärenden övrigt klart klara faktura fakturor
  offert offerter intyg protokoll egenkontroll mapp arkiv
  billede billeder tegning tegninger tilsyn sag sager opgave opgaver øvrigt arkiv færdig tilbud
  kuva kuvat valokuvat asiakirjat asiakas asiakkaat kohde kohteet tarkastus tarkastukset pöytäkirja raportti raportit lasku laskut tarjous työ työt
  muut vanhat valmis valmiit kansio
  bilder fotos dokumente unterlagen rechnung rechnungen angebot angebote auftrag aufträge kunde kunden projekt projekte baustelle objekt objekte
  pläne plan prüfung prüfungen prüfbericht protokolle bericht berichte sonstiges alt fertig abnahme ordner wartung
  photos dossier client clients chantier chantiers facture factures devis rapport rapports contrôle plans divers archives
  fotos documenten klant klanten project projecten opdracht opdrachten factuur facturen keuring rapport tekeningen overig map oplevering
  foto documenti cliente clienti cantiere fattura fatture preventivo relazione disegni varie
  week uke vecka uge viikko woche kw januar january februar february march mars märz april may mai maj june juni july juli august september
  oktober october november december desember dezember jan feb mar apr jun jul aug sep sept okt oct nov des dec dez
  the a an of and for to from in at on by with og i på av til fra ved och med från till at en et ja und von bei mit der die das et de la le
`);

/** Also what is worked on and how: this too says nothing of a place, but may be a part of a street's name. */
const WORK: ReadonlySet<string> = new Set([
  ...NOISE,
  ...set(`
  roof roofing boiler heating kitchen bathroom garden garage basement cellar attic loft wiring rewire electrical gas plumbing permit survey gutter
  window windows door doors floor wall stairs facade balcony extension renovation repair repairs maintenance warranty complaint meter panel solar
  chimney drain drains drainage insulation leak damage water fire alarm lift ventilation cert certs estimate final mr mrs ms mister family fam
  kjøkken kjeller loft stue tak taket takrenner taktekking fasade vindu vinduer dør balkong terrasse sikringsskap varmepumpe fyring pipe drenering
  vann lekkasje skade garanti etterisolering ventilasjon rehabilitering sluttkontroll hr fru herr familie familien sønn gård målebrev varme solceller
  kök källare vind fasad fönster dörr balkong elcentral värmepump skorsten dränering vatten läcka skada garanti ventilation renovering solceller
  køkken kælder loft tag tagrender facade vindue vinduer dør altan el eltavle varmepumpe skorsten dræn vand skade garanti udluftning hus
  katto keittiö kylpyhuone kellari ullakko ikkuna ikkunat ovi parveke sähkö lämmitys salaoja vesi vuoto vahinko takuu ilmanvaihto remontti piha
  dach dachboden keller küche bad balkon fenster tür heizung elektrik schaden wasser garage garten fassade treppe solar wärmepumpe lüftung sanierung
  gewährleistung mangel mängel aufmaß herr frau familie kamin schornstein dämmung zähler
  dak keuken badkamer kelder zolder gevel raam ramen deur balkon cv ketel verwarming zonnepanelen warmtepomp schoorsteen riool lekkage schade garantie
  ventilatie verbouwing meterkast tuin dhr mevr mevrouw fam
  toit toiture cuisine salle bain cave grenier façade fenêtre porte balcon chauffage chaudière électricité plomberie eau fuite sinistre garantie
  travaux rénovation isolation ventilation jardin mme monsieur madame famille photo diagnostic
  tetto cucina bagno cantina soffitta facciata finestra finestre porta balcone caldaia riscaldamento impianto elettrico acqua perdita danno
  garanzia lavori ristrutturazione giardino condominio bollette finale sig signor signora famiglia collaudo sopralluogo
  tejado cubierta cocina baño sótano ático fachada ventana ventanas puerta balcón caldera calefacción instalación eléctrica agua fuga daño garantía
  obra obras reforma jardín comunidad sr sra señor señora familia factura facturas presupuesto presupuestos informe informes inspección certificado
  dach dachu kuchnia łazienka piwnica strych elewacja okno okna drzwi balkon kocioł piec ogrzewanie instalacja elektryka woda awaria szkoda
  gwarancja remont ogród pan pani rodzina odbiór zdjęcia faktura faktury oferta umowa protokół przegląd raport dokumenty
  heizkörper ventil umbau neubau renovierung zeichnungen türen verteiler brandschutz rauchmelder aufzug schimmel leck abfluss estrich trockenbau
  maler malerarbeiten fliesen wallbox nachtrag übergabe kopie eingang messung druckprobe neu unterschrieben
  målerbytte overlevering garasje stikkontakt jordfeil oppussing nybygg tilbygg gamle nye kopi skann bestilling innregulering trykktest termografi
  elbillader ladeboks våtrom sluk membran signert
  safety consumer unit fuseboard handover snagging snags remedial remedials works signed unsigned refurb refurbishment void damp smoke emergency
  lighting legionella asbestos landlord tenant charger
  badrum mätarbyte överlämning åtgärder reklamation jordfel brandlarm nybygge tillbyggnad gammal gamla kopia beställning laddbox våtrum golvbrunn
  tätskikt stambyte stammar relining radonmätning energideklaration sotning signerad
  visite amiante plomb gaz consuel réception réserves signé copie nouveau nouvelle ancien terminé fini attestation compteur dégât eaux fenêtres
  portes ramonage climatisation borne panneaux
  certificato conformità planimetria firmato copia nuovo nuova vecchio finito pratica contatore infissi porte ventilazione climatizzatore
  fotovoltaico colonnina quadro rubinetto scarico muffa
  inspectie renovatie ondertekend kopie nieuw oud isolatie deuren laadpaal vochtprobleem schimmel afvoer nameting groepenkast
  syn eftersyn kontrol tavle aflevering gammel lækage isolering døre ladestander skimmel afløb måling kedel underskrevet
  käyttöönotto luovutus piirustukset allekirjoitettu kopio uusi vanha kiire eristys ovet lämpöpumppu latausasema aurinkopaneelit viemäri mittaus
  kattila
  key keys email emails mail mails correspondence attachments timesheet materials insurance agreement payment deposit receipt receipts checklist
  risk method statement rams variation defects test tests results commissioning install installation upgrade replacement removal visit callout
  aufnahme schlüssel lieferung material stundenzettel gutachten statik genehmigung vertrag mahnung zahlung schriftverkehr termin versicherung
  einbau ausbau austausch reparatur installation inbetriebnahme nachher vorher
  kvittering nøkkel timeliste timer materiell materialer vedlikehold forsikring avtale epost vedlegg sjekkliste måling montering utskifting
  kvitto nyckel tidrapport underhåll försäkring avtal mejl bilaga bilagor checklista arbetsorder provning mätning utbyte före efter
  nøgle timeseddel vedligehold aftale bilag tjekliste måler udskiftning
  kuitti avain tunnit materiaali huolto vakuutus sopimus liite liitteet tarkistuslista asennus vaihto korjaus
  clé clés matériel entretien assurance contrat courriel pièces jointes liste essai essais pose remplacement dépose réparation intervention
  sleutel materiaal onderhoud verzekering contract bijlage bijlagen lijst metingen montage vervanging reparatie
  chiavi materiale manutenzione assicurazione contratto allegati lista prova prove montaggio sostituzione riparazione intervento verbale
  copia firmado nuevo nueva viejo terminado pendiente planos escaneo boletín contador cuadro reparación humedad cargador desagüe
  kopia podpisane nowy nowa stary skan rysunki pomiar pomiary licznik wentylacja klimatyzacja fotowoltaika wilgoć
  naboklage egenmelding sjekk restarbeid dusj toalett vask blandebatteri speil lys downlights utelys rekkverk carport uthus anneks brannvarsling
  sprinkler arbeid byggetrinn fellesareal
  hallway bedroom lounge shower toilet sink taps radiator radiators carpet tiles tiling plaster plastering decorating paint fence fencing shed
  conservatory porch driveway patio lawn trees scaffold scaffolding skip waste rubbish clearance lock locks keyholder walkthrough overview
  summary appendix notes memo letters stage section pricing costings
  flur schlafzimmer wohnzimmer dusche toilette waschbecken armaturen boden parkett teppich putz anstrich zaun schuppen wintergarten einfahrt
  rasen gerüst container müll entsorgung schloss rundgang übersicht zusammenfassung anhang notizen brief abschnitt kosten kalkulation
  steckdose sicherung erdung
  monday tuesday wednesday thursday friday saturday sunday mandag tirsdag onsdag torsdag fredag lørdag søndag måndag tisdag lördag söndag
  montag dienstag mittwoch donnerstag freitag samstag sonntag
  gennaio febbraio marzo aprile maggio giugno luglio settembre ottobre novembre dicembre enero febrero abril mayo junio julio agosto septiembre
  octubre diciembre janvier février avril juin juillet août septembre octobre décembre januari februari maart mei augusti
  pending planned scheduled ordered cancelled canceled completed approved rejected urgent important incomplete missing planlagt avlyst godkjent
  haster mangler viktig avbokad godkänd brådskande aflyst godkendt storniert dringend offen erledigt annulé annulato urgente urgent spoed afgerond
`),
]);

/** Whether `word` is one of offices and trades, or ends or begins with one as "slutbesiktning" and "Rechnungskopie" do. */
export const isWorkWord = (word: string): boolean => {
  if (WORK.has(word)) return true;
  for (let length = 5; length < word.length - 1; length += 1)
    if (WORK.has(word.slice(-length)) || WORK.has(word.slice(0, length))) return true;
  return false;
};

/** Forms of companies: they tell nobody apart. */
export const COMPANY_FORMS = set(
  'as ab oy oyj ltd limited gmbh ag kg aps a s inc llc plc bv nv sa sarl srl spa co company sønn og and und hb enk ans da',
);
