/**
 * What is worked on and how, in a dozen languages and in the order of the alphabet. These words say nothing of a place, but may be a
 * part of a street's name.
 */
export const WORK_WORDS = `
abfluss abril abschnitt acqua afgerond aflevering afløb aflyst aftale afvoer agosto agreement agua alarm allegati
allekirjoitettu altan amiante ancien anhang anneks annulato annulé anstrich août appendix approved aprile arbeid arbetsorder
armaturen asbestos asennus assicurazione assurance åtgärder ático attachments attestation attic aufmaß aufnahme aufzug augusti
aurinkopaneelit ausbau austausch avain avbokad avlyst avril avtal avtale awaria badkamer badrum bagno bain balcon balcone
balcony balkon balkong baño basement bathroom bedroom beställning bestilling bijlage bijlagen bilag bilaga bilagor blandebatteri
boden boiler boletín bollette borne brådskande brandlarm brandschutz brannvarsling brief byggetrinn caldaia caldera calefacción
callout canceled cancelled cantina cargador carpet carport cave cellar cert certificado certificato certs charger chaudière
chauffage checklist checklista chiavi chimney clé clearance clés climatisation climatizzatore cocina collaudo colonnina
commissioning complaint compteur comunidad condominio conformità conservatory consuel consumer contador container contatore
contrat contratto copia copie correspondence costings courriel cuadro cubierta cucina cuisine cv dach dachboden dachu dak damage
dämmung damp danno daño décembre decorating defects dégât dépose deposit desagüe deur deuren dhr diagnostic dicembre diciembre
dienstag dokumenty donnerstag door doors dør døre dörr downlights dræn drain drainage drains dränering drenering dringend
driveway druckprobe drzwi dusche dusj eau eaux efter eftersyn egenmelding einbau einfahrt eingang el elbillader elcentral
eléctrica electrical électricité elektrik elektryka elettrico elewacja eltavle email emails emergency energideklaration enero
entretien entsorgung epost erdung eristys erledigt escaneo essai essais estimate estrich etterisolering extension facade
facciata fachada factura facturas faktury fam famiglia familia familie familien famille family fasad fasade fassade febbraio
febrero februari fellesareal fence fencing fenêtre fenêtres fenster février finale finestra finestre fini finito fire firmado
firmato fliesen floor flur fönster före försäkring forsikring fotovoltaico fotowoltaika frau fredag freitag friday fru fuga
fuite fuseboard fyring gamla gamle gammal gammel garage garanti garantía garantie garanzia garasje gård garden garten gas gaz
genehmigung gennaio gerüst gevel gewährleistung giardino giugno godkänd godkendt godkjent golvbrunn grenier groepenkast
gutachten gutter gwarancja hallway handover haster heating heizkörper heizung herr hr humedad huolto hus ikkuna ikkunat
ilmanvaihto impianto important inbetriebnahme incomplete infissi informe informes innregulering inspección inspectie instalación
instalacja install installation insulation insurance intervention intervento isolatie isolation isolering januari janvier jardin
jointes jordfeil jordfel juillet juin julio junio kælder kalkulation källare kamin kattila katto käyttöönotto kedel keittiö
kelder kellari keller ketel keuken key keyholder keys kiire kitchen kjeller kjøkken klimatyzacja kocioł kök køkken kontrol kopi
kopia kopie kopio korjaus kosten küche kuchnia kuitti kvittering kvitto kylpyhuone laadpaal läcka laddbox ladeboks ladestander
lækage lämmitys lämpöpumppu landlord latausasema lavori lawn łazienka leak leck legionella lekkage lekkasje letters licznik
lieferung lift lighting liite liitteet lijst lista liste lock locks loft lørdag lounge lüftung luglio luovutus lys maart madame
maggio mahnung mail mails maintenance målebrev maler malerarbeiten målerbytte måling mandag mangel mangler manutenzione marzo
mätarbyte materiaali material materiale materialer materials matériel materiell mätning mayo mei mejl membran memo messung meter
meterkast method metingen mevr mevrouw missing mister mittaus mittwoch mme monday monsieur montag montage montaggio montering mr
mrs ms muffa müll naboklage nachher nachtrag nameting neu neubau nieuw nøgle nøkkel notes notizen nouveau nouvelle novembre nowa
nowy nueva nuevo nuova nuovo nybygg nybygge nyckel nye obra obras octobre octubre odbiór oferta offen ogród ogrzewanie okna okno
onderhoud ondertekend onsdag oppussing ordered ottobre oud överlämning overlevering overview ovet ovi paint pan panel pani
panneaux parkett parveke patio payment pendiente pending perdita permit piec pièces piha piirustukset pipe piwnica planimetria
planlagt planned planos plaster plastering plomb plomberie plumbing podpisane pomiar pomiary porch porta porte portes pose
pratica presupuesto presupuestos pricing protokół prova prove provning przegląd puerta putz quadro raam radiator radiators
radonmätning ramen ramonage rams raport rasen rauchmelder receipt receipts réception reforma refurb refurbishment rehabilitering
rejected rekkverk reklamation relining remedial remedials remont remontti removal remplacement renovatie renovation renovering
renovierung repair repairs reparación reparatie réparation reparatur replacement réserves restarbeid results rewire riool
riparazione riscaldamento risk ristrutturazione rodzina roof roofing rubbish rubinetto rundgang rysunki safety sähkö salaoja
salle samstag sanierung saturday scaffold scaffolding scarico schade schaden scheduled schimmel schlafzimmer schloss schlüssel
schoorsteen schornstein schriftverkehr schuppen section señor señora septembre septiembre settembre shed shower sicherung sig
signé signed signerad signert signor signora sikringsskap sinistre sink sjekk sjekkliste skada skade skan skann skimmel skip
skorsten sleutel sluk sluttkontroll smoke snagging snags soffitta solar solceller søndag sønn sonntag sopimus sopralluogo
sostituzione sótano sotning speil spoed sprinkler sr sra stage stairs stambyte stammar stary statement statik steckdose
stikkontakt storniert strych stue stundenzettel summary sunday survey syn szkoda tag tagrender taket takrenner taktekking takuu
taps tarkistuslista tätskikt tavle tejado tenant teppich termin terminado terminé termografi terrasse test tests tetto thursday
tidrapport tilbygg tiles tiling tillbyggnad timeliste timer timeseddel timesheet tirsdag tisdag tjekliste toalett toilet
toilette toit toiture torsdag travaux trees treppe trockenbau trykktest tuesday tuin tunnit tür türen übergabe übersicht
udluftning udskiftning ullakko umbau umowa underhåll underskrevet unit unsigned unterschrieben upgrade urgent urgente utbyte
utelys uthus utskifting uusi vahinko vaihto vakuutus vand vanha vann variation varme värmepump varmepumpe vask våtrom våtrum
vatten vecchio vedlegg vedligehold vedlikehold ventana ventanas ventil ventilasjon ventilatie ventilation ventilazione verbale
verbouwing versicherung verteiler vertrag vervanging verwarming verzekering vesi viejo viemäri viktig vind vindu vinduer visit
visite vochtprobleem void vorher vuoto walkthrough wall wallbox wärmepumpe warmtepomp warranty waschbecken wasser waste water
wednesday wentylacja wilgoć window windows wintergarten wiring woda wohnzimmer works zähler zahlung zaun zdjęcia zeichnungen
zolder zonnepanelen zusammenfassung
`;
