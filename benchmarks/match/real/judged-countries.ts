/** The countries that are only measured. */
import type { Convention } from './conventions.ts';
import {
  COMPASS,
  DAY_FIRST,
  ENGLISH,
  england,
  FLAT_IN_ENGLISH,
  FRENCH,
  GERMAN,
  german,
  ISO,
  ONE,
  PERFORMERS_IN_ENGLISH,
  portuguese,
  spanish,
} from './languages.ts';

export const JUDGED: Readonly<Record<string, Convention>> = {
  ca: {
    ...england,
    kinds: [
      ['before', 'Rue=R.|Avenue=Av.|Boulevard=Boul.,Bd|Chemin=Ch.|Place=Pl.|Montée|Rang|Route=Rte|Impasse|Côte|Allée'],
      ['after', ENGLISH],
    ],
    dropsKind: 0.08,
    shortKind: 0.5,
    performers: PERFORMERS_IN_ENGLISH,
    dates: `${ISO}|M-D-Y|D-M-Y`,
    directions: `${COMPASS}|Nord|Sud|Est|Ouest=O`,
    particles: "de la|de l'|de|du|des|d'",
    flats: [
      {
        read: FLAT_IN_ENGLISH,
        address: '{1}-{n} {s}|{n} {s}, Unit {1}|{n} {s} Apt {1}|{n} {s}, Suite {1}',
        names:
          '{1}-{n} {s}|{n} {s} #{1}|Unit {1} {n} {s}|{n} {s} unit {1}|{n} {s} apt {1}|#{1} {n} {s}|#{1}-{n} {s}|{n} {s}/Unit {1}',
        invent: ['1|2|3|4|5|6|8|12|101|102|104|203|207|304|1205'],
      },
    ],
    towns:
      'Moncton|Brandon|Red Deer|Kelowna|Sudbury|Saint John|Lethbridge|Timmins|Nanaimo|Moose Jaw|Truro|Gander|Granby|Prince Albert',
  },
  au: {
    ...england,
    dropsKind: 0.08,
    shortKind: 0.4,
    directions: 'North=N,Nth|South=S,Sth|East=E|West=W',
    dates: DAY_FIRST,
    performers: 'Outback Roofing Pty Ltd|Harbour Electrical|Southern Cross Plumbing|Coastal Maintenance',
    flats: [
      {
        read: FLAT_IN_ENGLISH,
        address: '{1}/{n} {s}|Unit {1}, {n} {s}|Unit {1}/{n} {s}|U{1}/{n} {s}',
        names:
          'Unit {1}, {n} {s}|U{1} {n} {s}|{1}_{n} {s}|Unit {1} {n} {s}|{n} {s} Unit {1}|{n} {s} U{1}|Flat {1} {n} {s}|{n} {s}/Unit {1}',
        invent: ['1|2|3|4|5|6|7|8|9|10|12|15|21'],
      },
    ],
    towns:
      'Dubbo|Mildura|Ballarat|Cairns|Tamworth|Bunbury|Geraldton|Orange|Wagga Wagga|Warrnambool|Mount Isa|Devonport|Whyalla|Bega',
  },
  nz: {
    ...england,
    dropsKind: 0.08,
    shortKind: 0.35,
    directions: 'North=N,Nth|South=S,Sth|East=E|West=W',
    dates: DAY_FIRST,
    performers: 'Kiwi Roofing Ltd|Aoraki Electrical|Tasman Plumbing|Harbour Maintenance',
    flats: [
      {
        read: FLAT_IN_ENGLISH,
        address: '{1}/{n} {s}|Flat {1}, {n} {s}|Unit {1}, {n} {s}',
        names:
          'Flat {1} {n} {s}|Unit {1}, {n} {s}|{1}_{n} {s}|U{1} {n} {s}|{n} {s} Flat {1}|{n} {s} unit {1}|F{1} {n} {s}',
        invent: ['1|2|3|4|5|6|7|8'],
      },
    ],
    towns:
      'Timaru|Whanganui|Gisborne|Oamaru|Levin|Taupō|Invercargill|Blenheim|Greymouth|Masterton|Thames|Hāwera|Ashburton|Kaitaia',
  },
  pt: {
    ...portuguese,
    address: '{s}, {n}|{s} {n}|{s} nº {n}',
    names: '{s} {n}|{s} {n}|{s}, {n}|{s} nº {n}|{s} n {n}',
    flats: [
      {
        read: /^(\d+|r\/?c|cv)[ºª°o.]*\s*-?\s*(esq|dto|dt|frt|fte|esquerdo|direito|frente|[a-z])\.?$/i,
        address: '{s}, {n}, {1}º {2}|{s} {n} {1}º {2}.|{s}, {n} - {1} {2}',
        names: '{s} {n} {1}º {2}|{s} {n}, {1}º {2}|{s} {n} {1}{2}|{s} {n} {1} {2}|{s} {n} {1}o {2}|{s} {n}/{1}º {2}',
        invent: ['1|2|3|4|5|6|7', 'Esq|Dto|Frt'],
      },
    ],
    towns: 'Beja|Évora|Tomar|Guarda|Chaves|Elvas|Lagos|Peniche|Bragança|Covilhã|Silves|Fafe|Amarante|Caldas da Rainha',
    family:
      'Faturas 2025|Férias|Modelos|Diversos|Arquivo|Formação|Carrinhas|Orçamentos 2026|Nova pasta|Seguros|Pessoal',
  },
  br: {
    ...portuguese,
    address: '{s}, {n}|{s} {n}|{s}, nº {n}',
    names: '{s} {n}|{s} {n}|{s}, {n}|{s} nº {n}|{s} n {n}',
    flats: [
      {
        read: /^bl(?:oco)?\.? ?(\w+)[ ,-]+(?:apartamento|apto|apt|ap)\.? ?(\w+)$/i,
        address: '{s}, {n}, Bloco {1} Ap {2}|{s}, {n} - Bl {1} Apto {2}',
        names:
          '{s} {n} bl {1} ap {2}|{s} {n} Bloco {1} Ap {2}|{s} {n} bl{1} apto {2}|{s}, {n}, Bl. {1}, Ap. {2}|{s} {n}/bl {1} ap {2}',
        invent: ['A|B|C|1|2', '11|12|21|22|31|101|102|201|302|404'],
      },
      {
        read: /^(?:apartamento|apto|apt|ap|casa|sala)?\.?\s*(\w+)$/i,
        address: '{s}, {n}, Ap {1}|{s}, {n} - Apto {1}|{s} {n} ap {1}',
        names:
          '{s} {n} ap {1}|{s} {n} ap{1}|{s} {n} apto {1}|{s}, {n}, Ap. {1}|{s} {n} apt {1}|{s} {n} - {1}|{s} {n}/ap {1}',
        invent: ['11|12|21|22|31|41|101|102|201|302|404|501|703|1102'],
      },
    ],
    towns: 'Sobral|Ilhéus|Jataí|Lages|Bagé|Patos|Barretos|Picos|Caruaru|Macaé|Araxá|Itabuna|Cáceres|Tefé',
    family:
      'Faturas 2025|Férias|Modelos|Diversos|Arquivo|Treinamento|Veículos|Orçamentos 2026|Nova pasta|Estoque|Pessoal',
  },
  cz: {
    kinds: [
      ['before', 'náměstí=nám.,nám|třída=tř.|nábřeží=nábř.|sídliště=sídl.'],
      ['after', 'náměstí=nám.|třída=tř.|nábřeží=nábř.'],
    ],
    hasTwoNumbers: true,
    address: '{s} {n}',
    names: '{s} {n}|{s} {n}|{s} {n}|{s}, {n}|{s} č. {n}|{s} čp. {n}',
    titles: 'Generála=Gen.|Doktora=Dr.|Svatého=Sv.|Profesora=Prof.|Maršála=Marš.',
    flats: [
      {
        read: ONE,
        address: '{s} {n}, byt {1}|{s} {n} byt č. {1}',
        names: '{s} {n} byt {1}|{s} {n} byt č. {1}|{s} {n} b. {1}|{s} {n} byt{1}|{s} {n}/byt {1}',
        invent: ['1|2|3|4|5|6|7|8|9|12|14|21'],
      },
    ],
    towns: 'Písek|Tábor|Kolín|Znojmo|Cheb|Náchod|Beroun|Šumperk|Třebíč|Louny|Rakovník|Vsetín|Trutnov|Prachatice',
    first: 'Petr|Jana|Tomáš|Lenka|Jiří|Markéta|Ondřej|Hana|Václav|Zuzana|Filip|Alena',
    last: 'Dvořák|Procházková|Kučera|Veselá|Horák|Němcová|Marek|Pospíšilová|Hájek|Králová|Růžička|Benešová|Fiala|Šťastný',
    performers: 'Střechy Morava s.r.o.|Elektro Dolák|Vodo-topo Brno|Stavby Plus',
    words: 'předání|fotky|před|po|revize|nabídka|faktura|střecha|kotel|prohlídka|hotovo|závady|posudek',
    family: 'Faktury 2025|Dovolená|Šablony|Různé|Archiv|Školení|Auta|Nabídky 2026|Nová složka|Sklad|Soukromé|Smlouvy',
    jobs: 'Z-#####|zak. #####|26-####|2026-###',
    dates: `${ISO}|D.M.Y|D.M.y`,
    root: 'Zakázky',
  },
  ch: {
    ...german,
    kinds: [
      ['before', `${FRENCH}|Via=V.|Viale=V.le|Piazza=P.za|Vicolo|Strada|Contrada`],
      ['glued', `${GERMAN}|matte|halde|rain`],
    ],
    particles: "de la|de l'|de|du|des|d'",
    names: '{s} {n}|{s} {n}|{s} {n}|{s}, {n}|{s} Nr. {n}',
    flats: [
      {
        read: ONE,
        address: '{s} {n}, Whg. {1}|{s} {n} Wohnung {1}',
        names: '{s} {n} Whg {1}|{s} {n} Wohnung {1}|{s} {n} Whg. {1}|{s} {n} Whg{1}|{s} {n}/Whg {1}',
        invent: ['1|2|3|4|5|6|7|11|12|21|22'],
        on: /(str\.|strasse|weg|platz|gasse|allee|ring|hof|rain|halde|matte)$/i,
      },
      {
        read: /^app(?:t|artement)?\.? ?(\w+)$/i,
        address: '{s} {n}, appt {1}|{s} {n} app. {1}',
        names: '{s} {n} appt {1}|{s} {n} app. {1}|{s} {n} app {1}',
        invent: ['1|2|3|4|5|6|7|11|12|21|22'],
        on: /^(rue|avenue|chemin|route|place|impasse|via|viale|piazza|vicolo|quai|boulevard)/i,
      },
    ],
    towns: 'Chur|Aarau|Olten|Visp|Brig|Frauenfeld|Wil|Thun|Nyon|Locarno|Delémont|Glarus|Zofingen|Payerne',
  },
  lt: {
    kinds: [
      [
        'after',
        'gatvė/g.=g,gatv.|prospektas/pr.=pr,prosp.|alėja/al.=al|plentas/pl.=pl|skersgatvis/skg.|aikštė/a.|takas/tak.|kelias/kel.|krantinė/krant.|bulvaras',
      ],
    ],
    dropsKind: 0.35,
    address: '{s} {n}',
    names: '{s} {n}|{s} {n}|{s} {n}|{s}, {n}',
    flats: [
      {
        read: ONE,
        address: '{s} {n}-{1}|{s} {n} - {1}|{s} {n}, bt. {1}',
        names: '{s} {n}-{1}|{s} {n} - {1}|{s} {n} bt. {1}|{s} {n} bt {1}|{s} {n} butas {1}|{s} {n}_{1}|{s} {n}/bt {1}',
        invent: ['1|2|3|4|5|6|7|8|9|10|12|15|18|21|27|34|46'],
      },
    ],
    towns:
      'Utena|Telšiai|Tauragė|Kėdainiai|Zarasai|Biržai|Plungė|Šilutė|Varėna|Rokiškis|Jonava|Molėtai|Kretinga|Druskininkai',
    first: 'Jonas|Rasa|Mindaugas|Eglė|Tomas|Jurgita|Darius|Ieva|Vytautas|Daiva|Lukas|Aušra',
    last: 'Kazlauskas|Petrauskienė|Jankauskas|Stankevičiūtė|Žukauskas|Butkienė|Paulauskas|Urbonas|Navickas|Šimkutė|Mažeika|Vaitkus|Rimkus|Česnauskas',
    performers: 'UAB Stogai|Elektros darbai|Vandens sistemos UAB|Statyba Plius',
    words: 'nuotraukos|prieš|po|priėmimas|sąmata|sąskaita|stogas|šildymas|apžiūra|remontas|baigta|aktas|defektai',
    family:
      'Sąskaitos 2025|Atostogos|Šablonai|Įvairūs|Archyvas|Mokymai|Automobiliai|Sąmatos 2026|Naujas aplankas|Sandėlis|Sutartys',
    jobs: 'U-#####|užs. #####|26-####|2026-###',
    dates: `${ISO}|Y.M.D|Y M D`,
    root: 'Objektai',
  },
  ee: {
    kinds: [['after', 'tänav/tn=tn.|tee|puiestee/pst=pst.|maantee/mnt=mnt.|põik|allee|väljak|plats|rada|käik']],
    dropsKind: 0.35,
    address: '{s} {n}',
    names: '{s} {n}|{s} {n}|{s} {n}|{s}, {n}',
    directions: 'Suur=S.|Väike=V.|Uus|Vana',
    flats: [
      {
        read: ONE,
        address: '{s} {n}-{1}|{s} {n} - {1}|{s} {n}, krt {1}',
        names:
          '{s} {n}-{1}|{s} {n} - {1}|{s} {n} krt {1}|{s} {n} krt. {1}|{s} {n} korter {1}|{s} {n}_{1}|{s} {n}/krt {1}',
        invent: ['1|2|3|4|5|6|7|8|9|10|12|15|18|21|27|34|46'],
      },
    ],
    towns: 'Põlva|Paide|Rapla|Jõgeva|Võru|Valga|Haapsalu|Türi|Elva|Tapa|Kunda|Otepää|Keila|Kärdla',
    first: 'Mart|Kadri|Tõnu|Liis|Jaan|Kristiina|Priit|Ülle|Rein|Maarja|Siim|Õie',
    last: 'Tamm|Saar|Sepp|Mägi|Kask|Kukk|Rebane|Ilves|Pärn|Koppel|Lõhmus|Põder|Oja|Raudsepp',
    performers: 'Katus OÜ|Elektritööd AS|Toru ja Vesi OÜ|Ehitus Pluss',
    words: 'pildid|enne|pärast|ülevaatus|pakkumine|arve|katus|küte|vastuvõtt|remont|valmis|akt|fotod',
    family: 'Arved 2025|Puhkus|Mallid|Muu|Arhiiv|Koolitus|Autod|Pakkumised 2026|Uus kaust|Ladu|Lepingud',
    jobs: 'T-#####|töö #####|26-####|2026-###',
    dates: `${ISO}|D.M.Y|D.M.y`,
    root: 'Objektid',
  },
  sk: {
    kinds: [
      ['before', 'námestie/nám.=nám|sídlisko=sídl.|nábrežie=nábr.|ulica=ul.,ul'],
      ['after', 'ulica/ul.=ul|námestie=nám.|cesta|trieda=tr.|nábrežie=nábr.'],
    ],
    hasTwoNumbers: true,
    dropsKind: 0.4,
    address: '{s} {n}',
    names: '{s} {n}|{s} {n}|{s} {n}|{s}, {n}|{s} č. {n}',
    titles: 'Generála=Gen.|Doktora=Dr.|Svätého=Sv.',
    flats: [
      {
        read: ONE,
        address: '{s} {n}, byt {1}|{s} {n} byt č. {1}',
        names: '{s} {n} byt {1}|{s} {n} byt č. {1}|{s} {n} b. {1}|{s} {n} byt{1}|{s} {n}/byt {1}',
        invent: ['1|2|3|4|5|6|7|8|9|12|14|21'],
      },
    ],
    towns: 'Levice|Zvolen|Snina|Poprad|Myjava|Čadca|Humenné|Senica|Martin|Šaľa|Brezno|Bardejov|Skalica|Rožňava',
    first: 'Peter|Zuzana|Marek|Katarína|Ján|Lucia|Juraj|Mária|Michal|Eva|Tomáš|Ľubica',
    last: 'Kováč|Horváthová|Varga|Tóthová|Baláž|Lukáčová|Polák|Krajčí|Hudák|Šimková|Oravec|Gregorová|Mináč|Sloboda',
    performers: 'Strechy Tatry s.r.o.|Elektro Hron|Voda-kúrenie|Stavby Plus',
    words: 'odovzdanie|fotky|pred|po|revízia|ponuka|faktúra|strecha|kotol|obhliadka|hotovo|závady|posudok',
    family: 'Faktúry 2025|Dovolenka|Šablóny|Rôzne|Archív|Školenia|Autá|Ponuky 2026|Nový priečinok|Sklad|Zmluvy',
    jobs: 'Z-#####|zák. #####|26-####|2026-###',
    dates: `${ISO}|D.M.Y|D.M.y`,
    root: 'Zákazky',
  },
  hu: {
    kinds: [
      [
        'after',
        'utca=u.,u|út|útja|tér=t.|körút=krt.,krt|köz|sor|sétány|fasor|dűlő|park|rakpart=rkp.|tere|lejtő|lépcső',
      ],
    ],
    dropsKind: 0.15,
    shortKind: 0.4,
    address: '{s} {n}.|{s} {n}',
    names: '{s} {n}|{s} {n}|{s} {n}.|{s}, {n}',
    flats: [
      {
        read: /^(\d+)\.? ?(?:em(?:elet)?\.?)?\s*[/ ,]\s*(\d+)\.?(?: ?ajtó)?$/i,
        address: '{s} {n}. {1}/{2}|{s} {n}. {1}. em. {2}.|{s} {n}. {1}. emelet {2}. ajtó',
        names: '{s} {n} {1}. em. {2}|{s} {n} {1}em {2}|{s} {n}. {1}-{2}|{s} {n} {1}.em. {2}.ajtó|{s} {n}. {1}_{2}',
        invent: ['1|2|3|4|5', '1|2|3|4|11|12'],
      },
    ],
    towns: 'Pápa|Baja|Ajka|Gyula|Makó|Tata|Mohács|Szolnok|Vác|Siófok|Orosháza|Kalocsa|Sárvár|Tapolca',
    first: 'Zoltán|Katalin|Gábor|Ágnes|László|Eszter|Péter|Zsófia|István|Judit|Bence|Réka',
    last: 'Szabó|Kovács|Tóth|Horváth|Nagy|Varga|Molnár|Németh|Farkas|Balogh|Lakatos|Szűcs|Fekete|Győri',
    performers: 'Tető Kft.|Villanyszerelő Bt.|Vízmester Kft.|Építő Plusz',
    words: 'fotók|előtte|utána|felmérés|ajánlat|számla|tető|kazán|átadás|felújítás|kész|jegyzőkönyv|hibák',
    family: 'Számlák 2025|Szabadság|Sablonok|Egyéb|Archívum|Oktatás|Autók|Ajánlatok 2026|Új mappa|Raktár|Szerződések',
    jobs: 'M-#####|munka #####|26-####|2026-###',
    dates: `${ISO}|Y.M.D|Y.M.D.`,
    root: 'Munkák',
  },
  mx: {
    ...spanish,
    dropsKind: 0.3,
    shortKind: 0.3,
    address: '{s} {n}|{s} #{n}|{s} No. {n}',
    names: '{s} {n}|{s} {n}|{s} #{n}|{s} no. {n}|{s} no {n}',
    directions: 'Norte=Nte,Nte.,N|Sur=S|Oriente=Ote,Ote.|Poniente=Pte,Pte.',
    flats: [
      {
        read: /^(?:int(?:erior)?|depto|dpto|departamento|casa|local)?\.? ?(\w+)$/i,
        address: '{s} {n} Int. {1}|{s} {n}, Depto. {1}|{s} #{n} Int. {1}',
        names:
          '{s} {n} int {1}|{s} {n} Int. {1}|{s} {n} depto {1}|{s} {n} dpto. {1}|{s} #{n} int {1}|{s} {n} int{1}|{s} {n}/int {1}',
        invent: ['1|2|3|4|5|6|7|8|12|101|102|201|A|B'],
      },
    ],
    towns:
      'Tepic|Colima|Taxco|Zamora|Delicias|Matehuala|Tuxtepec|Uruapan|Guaymas|Xalapa|Parral|Campeche|Tecate|Apizaco',
  },
};
