/** The conventions that countries with the same language have in common. */
export const ENGLISH =
  'Street=St,St.|Road=Rd,Rd.|Avenue=Ave,Ave.,Av|Drive=Dr,Dr.|Lane=Ln|Court=Ct,Crt|Place=Pl|Close=Cl|Crescent=Cres|' +
  'Terrace=Tce,Terr|Boulevard=Blvd|Parade=Pde|Parkway=Pkwy|Circle=Cir|Square=Sq|Gardens=Gdns|Grove=Gv,Grv|Highway=Hwy|Trail=Trl|' +
  'Esplanade=Esp|Circuit=Cct|Heights=Hts|Way|Loop|Park|Hill|Walk|View|Promenade|Mews|Row|Quay|Rise|Green|Alley|Rue';
export const FRENCH =
  'Rue=R.,r|Avenue=Av.,Av|Boulevard=Bd,Bvd,Bld|Place=Pl.,Pl|Chemin=Ch.,Che|Route=Rte|Impasse=Imp.,Imp|Allée=All.|Allées|' +
  'Square=Sq.|Passage=Pass.|Résidence=Rés.|Chaussée=Chée|Quai|Cours|Sentier|Montée|Ruelle|Venelle|Voie|Clos|Drève|Côte|Rang';
export const GERMAN =
  'straße/strasse/Straße/Strasse=str.,str|platz=pl.|weg|gasse|allee|ring|damm|ufer|steig|hof|graben|zeile|rain|park';
export const DUTCH =
  'straat=str.,str|laan=ln|steenweg=stwg,stwg.|plein=pln|weg|kade|gracht|dreef|hof|singel|dijk|pad|baan|lei|markt|steeg|park';
export const SPANISH =
  'Calle/Carrer=C.,C,Cl.|Avenida/Avinguda=Av.,Avda.,Avda|Plaza/Plaça=Pl.,Pza.,Pza|Paseo/Passeig=Pº,Pso.|Carretera=Ctra.,Ctra|' +
  'Camino/Camí=Cno.|Ronda=Rda.|Travesía=Trav.|Pasaje/Passatge=Pje.|Boulevard=Blvd.,Blvd|Calzada=Calz.|Privada=Priv.|' +
  'Cerrada=Cda.|Circuito=Cto.|Andador=And.|Callejón=Cjón.|Prolongación=Prol.|Rambla|Glorieta|Costanilla|Cuesta';
export const PORTUGUESE =
  'Rua=R.,R|Avenida=Av.,Av|Travessa=Tv.,Trav.|Praça=Pç.,Pça|Praceta=Pct.,Pcta|Largo=Lg.,Lgo|Estrada=Estr.|Alameda=Al.|' +
  'Calçada=Cç.|Rodovia=Rod.|Beco|Ladeira|Viela|Vila|Rotunda|Escadas|Caminho|Quinta';
export const ITALIAN =
  'Via=V.|Viale=V.le|Piazza=P.za,P.zza|Corso=C.so|Vicolo=V.lo|Largo=L.go|Piazzale=P.le|Strada=Str.|Contrada=C.da|Località=Loc.|' +
  'Borgo|Vico|Salita|Lungomare|Traversa=Trav.|Galleria';
export const COMPASS = 'North=N,N.|South=S,S.|East=E,E.|West=W,W.|Northeast=NE|Southwest=SW|Northwest=NW|Southeast=SE';
export const ISO = 'Y-M-D|YMD';

export const FLAT_IN_ENGLISH = /^(?:apartment|apt|flat|unit|suite|ste|no|app|shop|u|f)?\.?\s*#?\s*([\w-]+)$/i;
export const ONE = /^(?:[\p{L}]+\.?\s*)?(?:č\.?\s*|nr\.?\s*)?#?-?\s*(\d+\w?)$/iu;

export const england = {
  kinds: [['after', ENGLISH]],
  titles: 'Saint=St|Mount=Mt',
  address: '{n} {s}',
  names: '{n} {s}|{n} {s}|{s} {n}|{s}, {n}',
  first: 'Oliver|Amelia|Harriet|Callum|Niamh|George|Priya|Megan|Declan|Ruth|Thomas|Fiona',
  last: 'Whitcombe|Okafor|Hargreaves|Fenwick|Doyle|Prescott|Lindqvist|Mehta|Sutcliffe|Kavanagh|Tanner|Abbott|Marlowe|Pryce',
  words: 'photos|before|after|inspection|final|snags|invoice|quote|roof|boiler|survey|site visit|completed|report',
  family: 'Invoices 2025|Holiday|Timesheets|Templates|Misc|Old|Training|Vans|Quotes 2026|New folder|Insurance|Scans',
  jobs: 'J-#####|Job #####|26-####|2026-###',
  root: 'Jobs',
} as const;

export const german = {
  kinds: [['glued', GERMAN]],
  titles: 'Sankt=St.|Doktor=Dr.|Professor=Prof.|Bürgermeister=Bgm.',
  letters: 'ä=ae,a|ö=oe,o|ü=ue,u|ß=ss',
  address: '{s} {n}',
  names: '{s} {n}|{s} {n}|{s} {n}|{s}, {n}|{s} Nr. {n}',
  first: 'Lukas|Anna|Johannes|Katharina|Stefan|Elif|Markus|Birgit|Tobias|Miriam|Florian|Renate',
  last: 'Huber|Schönberger|Yilmaz|Kranzl|Oberhofer|Petersen|Wiesinger|Brandt|Novak|Ziegler|Hartmann|Lechner|Köhler|Maurer',
  performers: 'Berger Haustechnik GmbH|Elektro Kraus|Dachbau Winkler KG|Sanitär Lang',
  words: 'Abnahme|vorher|nachher|Fotos|Bilder|Rechnung|Angebot|Dach|Heizung|Begehung|Protokoll|fertig|Mängel|Aufmaß',
  family:
    'Urlaub|Rechnungen 2025|Vorlagen|Diverses|Alt|Schulung|Fuhrpark|Angebote 2026|Neuer Ordner|Lager|Weihnachtsfeier|Privat',
  jobs: 'A-#####|Auftrag #####|26-####|2026-###',
  dates: `${ISO}|D.M.Y|D.M.y`,
  root: 'Projekte',
} as const;

export const french = {
  particles: "de la|de l'|de|du|des|d'|le|la|les|aux|au",
  titles: 'Saint=St|Sainte=Ste|Général=Gal,Gén.|Docteur=Dr|Président=Pdt|Maréchal=Mal|Professeur=Pr|Notre-Dame=ND',
  dropsKind: 0.12,
  first: 'Camille|Julien|Fatima|Hugo|Élodie|Antoine|Margaux|Nicolas|Inès|Benoît|Chloé|Yves',
  last: 'Lefebvre|Moreau|Benali|Dubreuil|Fontenay|Rousseau|Girard|Kone|Marchal|Delacroix|Perrot|Vasseur|Lambin|Gauthier',
  performers: 'Toitures Morvan|Électricité Rapide SARL|Plomberie du Centre|Bâti Plus',
  words:
    'photos|avant|après|visite|réception|devis|facture|toiture|chaudière|travaux|rapport|état des lieux|terminé|chantier',
  family:
    'Factures 2025|Vacances|Modèles|Divers|Archives|Formation|Véhicules|Devis 2026|Nouveau dossier|Assurance|Perso|Stock',
  jobs: 'D-#####|Dossier #####|26-####|2026-###',
  root: 'Chantiers',
} as const;

export const spanish = {
  kinds: [['before', SPANISH]],
  particles: 'de la|de los|de las|del|de|la|el|los|las',
  titles: 'Doctor=Dr.|General=Gral.|Santa=Sta.|Santo=Sto.|San=S.|Nuestra Señora=Ntra. Sra.|Profesor=Prof.',
  first: 'Lucía|Javier|Carmen|Íñigo|Marta|Andrés|Beatriz|Rubén|Elena|Tomás|Noelia|Ramón',
  last: 'Ibáñez|Cordero|Villanueva|Peña|Echeverría|Montalbán|Quintero|Salgado|Zamorano|Carrasco|Núñez|Bermejo|Olmedo|Rivas',
  performers: 'Reformas Sur SL|Electricidad Marín|Fontanería Rápida|Cubiertas Norte',
  words: 'fotos|antes|después|visita|inspección|presupuesto|factura|tejado|caldera|obra|informe|terminado|entrega',
  family:
    'Facturas 2025|Vacaciones|Plantillas|Varios|Archivo|Formación|Furgonetas|Presupuestos 2026|Nueva carpeta|Seguros|Personal',
  jobs: 'P-#####|Exp #####|26-####|2026-###',
  dates: `${ISO}|D-M-Y|D.M.Y|D-M-y`,
  root: 'Obras',
} as const;

export const portuguese = {
  kinds: [['before', PORTUGUESE]],
  dropsKind: 0.15,
  shortKind: 0.3,
  particles: 'da|de|do|das|dos',
  titles:
    'Doutor=Dr.|Dom=D.|São=S.|Santo=Sto.|Santa=Sta.|Engenheiro=Eng.|Professor=Prof.|General=Gen.|Padre=Pe.|Coronel=Cel.',
  first: 'João|Beatriz|Tiago|Inês|Rafael|Luísa|Caio|Mariana|Gonçalo|Patrícia|Vítor|Helena',
  last: 'Figueiredo|Sampaio|Noronha|Brandão|Teixeira|Guimarães|Peixoto|Lacerda|Queirós|Assunção|Valadares|Moutinho|Bastos|Leitão',
  performers: 'Obras & Cia Lda|Elétrica Rápida|Telhados do Sul|Hidráulica Central',
  words: 'fotos|antes|depois|vistoria|orçamento|fatura|telhado|obra|relatório|concluído|entrega|visita|reparação',
  jobs: 'P-#####|OS #####|26-####|2026-###',
  dates: `${ISO}|D-M-Y|D.M.Y|D-M-y`,
  root: 'Obras',
} as const;

export const PERFORMERS_IN_ENGLISH =
  'Harbour Maintenance Ltd|Pennine Electrical|Cole & Sons Roofing|Bright Spark Services';
export const DAY_FIRST = `${ISO}|D-M-Y|D.M.Y|D-M-y`;
