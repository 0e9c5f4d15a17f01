/** Words with a meaning of their own in the names of folders. All are folded. */
import { folded } from './fold.ts';
import { WORK_WORDS } from './work-words.ts';

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
  photo photos picture pictures image images img dcim dsc dscn dscf pic pics screenshot scan scans scanned video videos mov whatsapp camera
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

const WORK: ReadonlySet<string> = new Set([...NOISE, ...set(WORK_WORDS)]);

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
