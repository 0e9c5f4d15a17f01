/** The countries that matching may be adjusted to. */
import type { Convention } from './conventions.ts';
import {
  COMPASS,
  DAY_FIRST,
  DUTCH,
  england,
  FLAT_IN_ENGLISH,
  FRENCH,
  french,
  GERMAN,
  german,
  ISO,
  ITALIAN,
  ONE,
  PERFORMERS_IN_ENGLISH,
  spanish,
} from './languages.ts';

export const FITTED: Readonly<Record<string, Convention>> = {
  us: {
    ...england,
    dropsKind: 0.1,
    shortKind: 0.5,
    directions: COMPASS,
    dates: `${ISO}|M-D-Y|M-D-y|M.D.y`,
    performers: 'Lone Star Roofing LLC|Cascade Electric Inc|Summit Home Services|Delgado Plumbing',
    flats: [
      {
        read: FLAT_IN_ENGLISH,
        address: '{n} {s}, Unit {1}|{n} {s} Apt {1}|{n} {s} #{1}',
        names:
          '{n} {s} #{1}|{n} {s} Apt. {1}|{n} {s} apt {1}|{n} {s} Unit {1}|{n} {s}, {1}|{s} {n} #{1}|Unit {1} {n} {s}|{n} {s}/Apt {1}',
        invent: ['1|2|3|4|5|6|7|8|11|12|14|21|22|31|101|102|204|B|C'],
      },
    ],
    towns: 'Fresno|Boise|Albany|Duluth|Toledo|Mobile|Lubbock|Topeka|Yonkers|Reno|Tacoma|Peoria|Macon|Provo',
  },
  ie: {
    ...england,
    dropsKind: 0.08,
    shortKind: 0.15,
    particles: 'na|an|The',
    performers: PERFORMERS_IN_ENGLISH,
    dates: DAY_FIRST,
    directions: 'Lower=Lr,Lwr|Upper=Upr,Up.|North=Nth,N|South=Sth,S|East=E|West=W',
    flats: [
      {
        read: FLAT_IN_ENGLISH,
        address: 'Apartment {1}, {n} {s}|Apt {1}, {n} {s}|Flat {1}, {n} {s}',
        names: 'Apt {1} {n} {s}|Apt. {1}, {n} {s}|{n} {s} Apt {1}|Flat {1} {n} {s}|{n} {s} flat {1}|{n} {s}/Apt {1}',
        invent: ['1|2|3|4|5|6|7|8|9|10|11|12'],
      },
    ],
    towns: 'Tralee|Sligo|Athlone|Ennis|Carlow|Mallow|Navan|Naas|Wexford|Clonmel|Letterkenny|Tuam|Castlebar|Youghal',
    first: 'Niamh|Cian|Aoife|Declan|Siobhán|Eoin|Gráinne|Padraig|Orla|Ronan|Sinéad|Fergal',
    last: "Kavanagh|O'Sullivan|Brennan|Ní Bhriain|Costello|McGrath|Gallagher|Devlin|Tierney|O'Dwyer|Hennessy|Quigley|Furlong|Nagle",
  },
  es: {
    ...spanish,
    dropsKind: 0.25,
    shortKind: 0.3,
    address: '{s} {n}|{s}, {n}|{s}, Nº {n}',
    names: '{s} {n}|{s} {n}|{s}, {n}|{s} nº {n}|{s} nº{n}',
    flats: [
      {
        read: /^esc(?:alera)?\.? ?(\w+)[ ,]+(\d+)[ºª°o]?[ ,-]*(?:p(?:ta|uerta)?\.? ?)?(\d+)[ªºa]?$/i,
        address: '{s} {n}, Esc. {1}, {2}º {3}ª|{s}, {n}, escalera {1}, {2}-{3}',
        names: '{s} {n} Esc. {1} {2}º {3}ª|{s} {n} esc {1} {2}º {3}ª|{s} {n}, esc. {1}, {2} {3}|{s} {n} esc{1} {2}-{3}',
        invent: ['A|B|C', '1|2|3|4|5|6', '1|2|3|4'],
      },
      {
        read: /^(?:piso |planta )?(\d+)[ºª°o.]?[ ,-]*(?:p(?:ta|uerta)?\.? ?)?(\d+)[ªºa]?$/i,
        address: '{s} {n}, {1}º {2}ª|{s}, {n}, {1}-{2}',
        names: '{s} {n} {1}º {2}ª|{s} {n}, {1}º {2}ª|{s} {n} {1}-{2}|{s} {n} {1}o {2}a|{s} {n}/{1}º {2}ª',
        invent: ['1|2|3|4|5|6|7', '1|2|3|4'],
      },
      {
        read: /^(?:piso |planta )?(\d+)[ºª°o.]?[ ,-]*(?:p(?:ta|uerta)?\.? ?)?([a-z]|izq|dcha|izda|dch)\.?$/i,
        address: '{s} {n}, {1}º {2}|{s}, {n}, {1} {2}',
        names: '{s} {n} {1}º {2}|{s} {n}, {1}º {2}|{s} {n} {1}{2}|{s} {n} {1} {2}|{s} {n}, {1}-{2}',
        invent: ['1|2|3|4|5|6|7', 'A|B|C|D|Izq|Dcha'],
      },
    ],
    towns: 'Soria|Lugo|Cuenca|Teruel|Mérida|Jaca|Zamora|Huelva|Almería|Burgos|Reus|Gandía|Ronda|Avilés',
  },
  pl: {
    kinds: [['before', 'ul./ulica=ul|al./aleja/aleje=al|pl./plac=pl|os./osiedle=os|Rondo|Skwer|Bulwar|Droga|Trakt']],
    dropsKind: 0.5,
    usualKind: 'ul.',
    kindless: 'Rynek|Stary Rynek|Nowy Rynek|Rynek Główny',
    titles:
      'Świętego=Św.|Świętej=Św.|Generała=Gen.|Księdza=Ks.|Profesora=Prof.|Doktora=Dr|Marszałka=Marsz.|Jana Pawła II=JP2',
    address: '{s} {n}',
    names: '{s} {n}|{s} {n}|{s} {n}|{s}, {n}|{s} nr {n}',
    flats: [
      {
        read: ONE,
        address: '{s} {n}/{1}|{s} {n} m. {1}|{s} {n} lok. {1}',
        names:
          '{s} {n} m. {1}|{s} {n} m {1}|{s} {n}m{1}|{s} {n} m{1}|{s} {n}-{1}|{s} {n}_{1}|{s} {n} lok {1}|{s} {n}/{1}|{s} {n}/m. {1}',
        invent: ['1|2|3|4|5|6|7|8|9|10|11|12|14|17|20|23|31|45'],
      },
    ],
    towns: 'Elbląg|Ostrołęka|Łomża|Krosno|Zgierz|Świdnica|Płock|Chełm|Sopot|Puławy|Żory|Nysa|Leszno|Mielec',
    first: 'Jan|Agnieszka|Paweł|Katarzyna|Łukasz|Małgorzata|Michał|Zofia|Wojciech|Ewa|Grzegorz|Hanna',
    last: 'Kowalczyk|Wiśniewska|Zieliński|Wójcik|Szymańska|Dąbrowski|Krawczyk|Pawlak|Jabłońska|Sikora|Ostrowski|Gąsior|Żurek|Mazurek',
    performers: 'Budmax Sp. z o.o.|Elektro-Serwis|Dachy Nowak|Hydro Instal',
    words: 'odbiór|zdjęcia|przed|po|protokół|oferta|faktura|dach|piec|przegląd|remont|gotowe|wycena|inwentaryzacja',
    family:
      'Faktury 2025|Urlop|Szablony|Różne|Archiwum|Szkolenia|Samochody|Oferty 2026|Nowy folder|Magazyn|Prywatne|Umowy',
    jobs: 'Z-#####|zlec. #####|26-####|2026-###',
    dates: `${ISO}|D.M.Y|D-M-Y|D.M.y`,
    root: 'Zlecenia',
  },
  be: {
    ...french,
    kinds: [
      // "Ch." can be a chaussée or a chemin.
      ['before', FRENCH.replace('Chemin=Ch.,Che', 'Chemin')],
      ['glued', DUTCH],
    ],
    shortKind: 0.15,
    address: '{s} {n}|{s}, {n}',
    names: '{s} {n}|{s} {n}|{s}, {n}|{n} {s}|{s} n° {n}',
    flats: [
      {
        read: /^(?:bus|b)\.? ?(\w+)$/i,
        address: '{s} {n} bus {1}|{s} {n} b{1}',
        names: '{s} {n} bus {1}|{s} {n} bus{1}|{s} {n} b{1}|{s} {n} b {1}|{s} {n}/bus {1}',
        invent: ['1|2|3|4|5|6|8|11|12|101|201|302'],
        on: /(straat|laan|weg|plein|dreef|lei|baan|markt|kaai|berg)$/i,
      },
      {
        read: /^(?:bo[iî]te|bte|bt)?\.? ?(\w+)$/i,
        address: '{s} {n} boîte {1}|{s} {n} bte {1}|{s} {n}/{1}',
        names:
          '{s} {n} bte {1}|{s} {n} b{1}|{s} {n} boite {1}|{s} {n} boîte {1}|{s} {n} bt {1}|{s} {n} bte{1}|{n} {s} bte {1}',
        invent: ['1|2|3|4|5|6|8|11|12|21|32'],
        on: /^(rue|avenue|boulevard|place|chemin|route|impasse|allée|square|chaussée|quai|clos|drève)/i,
      },
    ],
    towns: 'Arlon|Bastogne|Binche|Dinant|Eupen|Geel|Genk|Ieper|Lier|Menen|Tielt|Verviers|Wavre|Zottegem',
    first: 'Camille|Pieter|Fatima|Hugo|Lotte|Antoine|Margaux|Wouter|Inès|Benoît|An-Sofie|Yves',
    last: 'Vandenberghe|Lambert|Benali|Peeters|Dubois|De Smet|Claessens|Lejeune|Marchal|Van Damme|Hermans|Delvaux|Wouters|Gillain',
    words:
      'photos|avant|après|oplevering|foto’s|voor|na|visite|réception|devis|keuring|dak|chaudière|rapport|chantier|werf',
    dates: `${ISO}|D-M-Y|D.M.Y|D-M-y`,
  },
  at: {
    ...german,
    kinds: [['glued', `${GERMAN}|kai|siedlung|gürtel`]],
    flats: [
      {
        read: /^(?:stiege|stg\.?)?\s*(\w+)\s*(?:[/,;]|\s|-)\s*(?:top|tür|t)?\.?\s*(\d+\w?)$/i,
        address: '{s} {n}/{1}/{2}|{s} {n} Stiege {1} Top {2}|{s} {n}, Stg. {1}, Tür {2}',
        names:
          '{s} {n} Stg {1} Top {2}|{s} {n} Stiege {1} Top {2}|{s} {n}-{1}-{2}|{s} {n}_{1}_{2}|{s} {n} Stg. {1} Tür {2}|{s} {n} {1}-{2}|{s} {n}/Stg {1} Top {2}',
        invent: ['1|2|3|4', '1|2|3|4|5|6|7|8|9|12|14|17|21'],
      },
      {
        read: /^(?:top|tür|t|wohnung|whg)?\.?\s*(\d+\w?)$/i,
        address: '{s} {n}/{1}|{s} {n} Top {1}|{s} {n}, Tür {1}',
        names: '{s} {n} Top {1}|{s} {n} top{1}|{s} {n}-{1}|{s} {n}_{1}|{s} {n} Tür {1}|{s} {n} Top{1}|{s} {n}/Top {1}',
        invent: ['1|2|3|4|5|6|7|8|9|10|11|12|14|17|21'],
      },
    ],
    towns: 'Villach|Wels|Steyr|Bregenz|Leoben|Krems|Zwettl|Lienz|Kufstein|Bludenz|Tulln|Mödling|Feldkirch|Ried',
  },
  lv: {
    kinds: [
      [
        'after',
        'iela|bulvāris=bulv.|gatve|prospekts=prosp.,pr.|šoseja=šos.|laukums=lauk.|aleja|dambis|ceļš|līnija|šķērsiela=šķ.|krastmala',
      ],
    ],
    dropsKind: 0.35,
    address: '{s} {n}',
    names: '{s} {n}|{s} {n}|{s} {n}|{s}, {n}',
    directions: 'Lielā=L.|Mazā=M.|Augšējā|Apakšējā',
    flats: [
      {
        read: ONE,
        address: '{s} {n} - {1}|{s} {n}-{1}|{s} {n} dz. {1}',
        names: '{s} {n}-{1}|{s} {n} - {1}|{s} {n} dz {1}|{s} {n} dz. {1}|{s} {n} dzīv. {1}|{s} {n}_{1}|{s} {n}/dz {1}',
        invent: ['1|2|3|4|5|6|7|8|9|10|12|15|18|21|27|34|46'],
      },
    ],
    towns: 'Cēsis|Talsi|Kuldīga|Ogre|Limbaži|Madona|Bauska|Dobele|Saldus|Preiļi|Ludza|Alūksne|Gulbene|Smiltene',
    first: 'Jānis|Līga|Mārtiņš|Ilze|Edgars|Zane|Kaspars|Dace|Andris|Kristīne|Raivis|Inga',
    last: 'Bērziņš|Kalniņa|Ozols|Liepiņa|Zariņš|Vītola|Krūmiņš|Jansone|Eglītis|Pētersone|Balodis|Grīnberga|Šmits|Dreimane',
    performers: 'SIA Jumti un Sienas|Elektro Serviss SIA|Rīgas Santehnika|Būve Plus',
    words: 'foto|pirms|pēc|pieņemšana|tāme|rēķins|jumts|apkure|apskate|remonts|gatavs|akts|defekti',
    family: 'Rēķini 2025|Atvaļinājums|Veidnes|Dažādi|Arhīvs|Apmācības|Auto|Tāmes 2026|Jauna mape|Noliktava|Līgumi',
    jobs: 'P-#####|pas. #####|26-####|2026-###',
    dates: `${ISO}|D.M.Y|D.M.y`,
    root: 'Objekti',
  },
  dk: {
    kinds: [
      [
        'glued',
        'vej=v.|gade=g.,gd.|allé/alle=all.|stræde=str.|plads=pl.|vænge/vænget|parken|stien|bakken|toften|torv|marken|haven|kær|boulevard=blvd.',
      ],
    ],
    titles: 'Gammel=Gl.|Nørre=Nr.|Sankt=Skt.|Store=St.|Lille=Ll.|Sønder=Sdr.|Vester=V.|Øster=Ø.|Søndre=Sdr.|Doktor=Dr.',
    letters: 'æ=ae|ø=oe,o|å=aa,a',
    address: '{s} {n}',
    names: '{s} {n}|{s} {n}|{s} {n}|{s}, {n}|{s} nr. {n}',
    flats: [
      {
        read: /^(kl|st|\d+)\.?\s*(?:sal)?,?\s*(tv|th|mf|\d+)\.?$/i,
        address: '{s} {n}, {1}. {2}|{s} {n}, {1} {2}|{s} {n} {1}.{2}.',
        names: '{s} {n} {1}. {2}|{s} {n} {1}{2}|{s} {n}, {1} {2}|{s} {n}, {1}.{2}|{s} {n}, {1}. {2}|{s} {n}/{1}. {2}',
        invent: ['st|1|2|3|4', 'tv|th|mf'],
      },
      {
        read: /^(kl|st|\d+)\.?\s*(?:sal)?\.?$/i,
        address: '{s} {n}, {1}.|{s} {n}, {1}. sal',
        names: '{s} {n}, {1}. sal|{s} {n} {1}. sal|{s} {n}, {1}sal',
      },
    ],
    towns: 'Skagen|Ribe|Nakskov|Struer|Lemvig|Ebeltoft|Kalundborg|Ringsted|Middelfart|Faaborg|Hobro|Grenaa|Maribo|Køge',
    first: 'Mads|Freja|Søren|Ida|Rasmus|Kirsten|Jørgen|Maja|Anders|Birthe|Emil|Signe',
    last: 'Kjærgaard|Thomsen|Bech|Østergaard|Lauridsen|Winther|Nørgaard|Skov|Dahl|Mortensen|Holm|Bruun|Fogh|Ravn',
    performers: 'Nørregaard VVS ApS|Tagmester Holm|Fyns El A/S|Byg & Bo',
    words: 'billeder|før|efter|besigtigelse|tilbud|faktura|tag|fyr|aflevering|færdig|rapport|mangler|tilsyn',
    family: 'Fakturaer 2025|Ferie|Skabeloner|Diverse|Arkiv|Kurser|Biler|Tilbud 2026|Ny mappe|Lager|Privat|Forsikring',
    jobs: 'S-#####|Sag #####|26-####|2026-###',
    dates: `${ISO}|D-M-Y|D.M.Y|D-M-y`,
    root: 'Sager',
  },
  fr: {
    ...french,
    kinds: [['before', FRENCH]],
    shortKind: 0.25,
    address: '{n} {s}|{n}, {s}',
    names: '{n} {s}|{n} {s}|{s} {n}|{n}, {s}|{s}, {n}',
    flats: [
      {
        read: /^b[âa]t(?:iment)?\.? ?(\w+)[ ,-]+(?:appartement|appt|apt|app|logt?)?\.? ?(\w+)$/i,
        address: '{n} {s}, Bât {1} Apt {2}|{n} {s} Bâtiment {1} Appt {2}',
        names: '{n} {s} bat {1} apt {2}|{n} {s} Bât. {1} Appt {2}|{n} {s}, bât {1}, appt {2}|{s} {n} Bat{1} Apt{2}',
        invent: ['A|B|C', '1|2|3|4|11|12|21|22|31|32'],
      },
      {
        read: /^(?:appartement|appt|apt|app|logement|logt|lgt)?\.?\s*(\w+)$/i,
        address: '{n} {s}, Apt {1}|{n} {s} Appt {1}|Appartement {1}, {n} {s}',
        names:
          '{n} {s} appt {1}|{n} {s} apt {1}|{n} {s} Appt. {1}|{n} {s} app {1}|{s} {n} appt {1}|Apt {1} {n} {s}|{n} {s}/Appt {1}',
        invent: ['1|2|3|4|5|6|7|8|12|14|21|22|31'],
      },
    ],
    towns: 'Guéret|Dax|Vesoul|Rodez|Mende|Saumur|Redon|Vichy|Laon|Nevers|Aubenas|Gap|Cognac|Sète',
    dates: `${ISO}|D-M-Y|D.M.Y|D-M-y`,
  },
  nl: {
    kinds: [['glued', DUTCH]],
    titles: 'Burgemeester=Burg.|Prins=Pr.|Prinses=Pr.|Sint=St.|Professor=Prof.|Doctor=Dr.|Meester=Mr.',
    address: '{s} {n}',
    names: '{s} {n}|{s} {n}|{s} {n}|{s}, {n}|{s} nr {n}',
    flats: [
      {
        read: /^[-/]?\s*(\w+)$/,
        address: '{s} {n}-{1}|{s} {n} {1}',
        names: '{s} {n}-{1}|{s} {n} {1}|{s} {n}_{1}|{s} {n} - {1}',
        invent: ['1|2|3|4|hs|II|III|101|102'],
      },
    ],
    towns: 'Assen|Sneek|Zutphen|Hulst|Weert|Tiel|Urk|Meppel|Goes|Drachten|Oss|Katwijk|Hoorn|Veghel',
    first: 'Daan|Sanne|Bram|Femke|Jeroen|Fatima|Ruben|Anouk|Pieter|Marijke|Thijs|Lieke',
    last: 'Van der Meer|De Boer|Hoekstra|Bouwman|El Amrani|Verhoeven|Dijkstra|Kuipers|Van Leeuwen|Schouten|Postma|Willems|Brouwer|Terpstra',
    performers: 'Dakwerken De Wit BV|Installatiebedrijf Smit|Bouwgroep Noord|Elektro Vos',
    words: 'oplevering|foto’s|voor|na|keuring|offerte|factuur|dak|cv-ketel|opname|rapport|klaar|schouw|fotos',
    family:
      'Facturen 2025|Vakantie|Sjablonen|Diversen|Archief|Cursus|Bussen|Offertes 2026|Nieuwe map|Magazijn|Privé|Verzekering',
    jobs: 'W-#####|Order #####|26-####|2026-###',
    dates: `${ISO}|D-M-Y|D-M-y|D.M.Y`,
    root: 'Projecten',
  },
  gb: {
    ...england,
    dropsKind: 0.08,
    shortKind: 0.15,
    particles: 'The',
    performers: PERFORMERS_IN_ENGLISH,
    dates: DAY_FIRST,
    directions: 'North=N,Nth|South=S,Sth|East=E|West=W|Upper=Upr|Lower=Lr,Lwr',
    flats: [
      {
        read: FLAT_IN_ENGLISH,
        address: 'Flat {1}, {n} {s}|Flat {1} {n} {s}|Apartment {1}, {n} {s}',
        names:
          'Flat {1} {n} {s}|Flat {1}, {n} {s}|{n} {s} Flat {1}|{n} {s} flat{1}|F{1} {n} {s}|Apt {1}, {n} {s}|{n} {s}/Flat {1}',
        invent: ['1|2|3|4|5|6|7|8|9|10|A|B'],
      },
    ],
    towns: 'Whitby|Ludlow|Thurso|Oban|Buxton|Kendal|Frome|Diss|Rugby|Crewe|Hexham|Brecon|Ripon|Bude',
  },
  no: {
    kinds: [
      [
        'glued',
        'veien/vegen/vei/veg=v.,vn.,v|gata/gate/gaten=gt.,gt,g.|plass/plassen=pl.|allé/alleen|stien/sti|bakken/bakke|svingen|tunet|kroken|faret|lia|haugen|åsen|torg|ringen',
      ],
    ],
    titles: 'Gamle=Gml.|Nedre=Ndr.|Øvre=Ø.|Nordre=N.|Søndre=S.|Store=St.|Sankt=St.|Doktor=Dr.|Professor=Prof.',
    letters: 'æ=ae|ø=oe,o|å=aa,a',
    address: '{s} {n}',
    names: '{s} {n}|{s} {n}|{s} {n}|{s}, {n}|{s} nr {n}',
    flats: [
      {
        read: /^H0?(\d)0?(\d)$/i,
        address: '{s} {n}, H0{1}0{2}|{s} {n} H0{1}0{2}',
        names:
          '{s} {n} H0{1}0{2}|{s} {n} h0{1}0{2}|{s} {n}, leil. H0{1}0{2}|{s} {n} leilighet H0{1}0{2}|{s} {n}/H0{1}0{2}',
        invent: ['1|2|3|4|5', '1|2|3|4'],
      },
    ],
    towns: 'Mosjøen|Rjukan|Vadsø|Namsos|Florø|Levanger|Egersund|Tvedestrand|Kirkenes|Svolvær|Otta|Volda|Odda|Risør',
    first: 'Ola|Kari|Sindre|Ingrid|Håkon|Marit|Bjørn|Silje|Eirik|Åse|Magnus|Turid',
    last: 'Haugland|Bakke|Solheim|Nygård|Lien|Moe|Bråten|Strand|Halvorsen|Øyen|Tangen|Sæther|Rønning|Myhre',
    performers: 'Nordlys Elektro AS|Fjord Bygg|Vik & Sønn|Takmester Øst',
    words: 'bilder|før|etter|befaring|tilbud|faktura|tak|bad|overtakelse|ferdig|rapport|samsvar|FDV|reklamasjon',
    family: 'Fakturaer 2025|Ferie|Maler|Diverse|Arkiv|Kurs|Biler|Tilbud 2026|Ny mappe|Lager|Privat|HMS',
    jobs: 'O-#####|Ordre #####|26-####|2026-###',
    dates: `${ISO}|D.M.Y|D.M.y`,
    root: 'Oppdrag',
  },
  fi: {
    kinds: [
      [
        'glued',
        'katu/gatan=k.|tie/vägen=t.|kuja/gränden|polku/stigen|kaari/bågen|raitti/stråket|aukio|ranta|rinne|mäki|tori',
      ],
    ],
    titles: 'Iso=I.|Vanha=Vnh.',
    letters: 'ä=a|ö=o|å=a',
    address: '{s} {n}',
    names: '{s} {n}|{s} {n}|{s} {n}|{s}, {n}',
    flats: [
      {
        read: /^(?:rappu )?([a-z])\s*(?:as\.?)?\s*(\d+)$/i,
        address: '{s} {n} {1} {2}|{s} {n} {1}{2}|{s} {n} {1} as. {2}',
        names: '{s} {n} {1} {2}|{s} {n} {1}{2}|{s} {n}{1} {2}|{s} {n}{1}{2}|{s} {n} {1} as {2}|{s} {n}/{1} {2}',
        invent: ['A|B|C|D', '1|2|3|4|5|6|8|11|14|17|23|31|42'],
      },
    ],
    towns:
      'Iisalmi|Ylivieska|Kemi|Savonlinna|Pieksämäki|Loviisa|Hanko|Kitee|Nivala|Huittinen|Lieksa|Kuhmo|Uusikaupunki|Heinola',
    first: 'Matti|Aino|Juhani|Elina|Antti|Päivi|Ville|Kaisa|Timo|Sanna|Eero|Hilkka',
    last: 'Virtanen|Mäkelä|Koskinen|Hämäläinen|Lindström|Heikkinen|Järvinen|Salonen|Rantanen|Nyman|Laaksonen|Väisänen|Ahonen|Kivelä',
    performers: 'Talotekniikka Oy|Kattomestarit Oy|Sähkötyö Laine|Putkipalvelu Niemi',
    words: 'kuvat|ennen|jälkeen|tarkastus|tarjous|lasku|katto|lämmitys|katselmus|valmis|raportti|remontti|vastaanotto',
    family: 'Laskut 2025|Loma|Mallit|Sekalaiset|Arkisto|Koulutus|Autot|Tarjoukset 2026|Uusi kansio|Varasto|Sopimukset',
    jobs: 'T-#####|työ #####|26-####|2026-###',
    dates: `${ISO}|D.M.Y|D.M.y`,
    root: 'Kohteet',
  },
  de: {
    ...german,
    flats: [
      {
        read: /^(\d+)\.? ?OG,? ?(links|rechts|mitte)$/i,
        address: '{s} {n}, {1}. OG {2}|{s} {n} {1}.OG {2}',
        names: '{s} {n} {1}. OG {2}|{s} {n} {1}.OG {2}|{s} {n} {1}OG {2}|{s} {n}, {1}. OG {2}|{s} {n}/{1}. OG {2}',
        invent: ['1|2|3|4|5', 'links|rechts|mitte'],
      },
      {
        read: ONE,
        address: '{s} {n}, Whg. {1}|{s} {n}, WE {1}|{s} {n} Wohnung {1}',
        names: '{s} {n} Whg {1}|{s} {n} Whg. {1}|{s} {n} WE {1}|{s} {n} WE{1}|{s} {n} Wohnung {1}|{s} {n}/Whg {1}',
        invent: ['1|2|3|4|5|6|7|8|9|10|12|14'],
      },
    ],
    towns: 'Celle|Hof|Husum|Soest|Apolda|Bautzen|Kleve|Lindau|Eutin|Torgau|Wismar|Rastatt|Biberach|Melle',
  },
  it: {
    kinds: [['before', ITALIAN]],
    dropsKind: 0.15,
    shortKind: 0.1,
    particles: "della|dello|delle|degli|dell'|del|dei|di|d'",
    titles: 'San=S.|Santa=S.|Santo=S.|Giuseppe=G.|Giacomo=G.|Generale=Gen.|Dottor=Dott.|Don=D.',
    address: '{s} {n}|{s}, {n}|{s} n. {n}',
    names: '{s} {n}|{s} {n}|{s}, {n}|{s} n. {n}|{s} n {n}',
    flats: [
      {
        read: /^sc(?:ala)?\.? ?(\w+)[ ,]+int(?:erno)?\.? ?(\w+)$/i,
        address: '{s} {n}, Scala {1} int. {2}|{s}, {n} sc. {1} int. {2}',
        names: '{s} {n} sc. {1} int. {2}|{s} {n} scala {1} int {2}|{s} {n} sc {1} int {2}|{s} {n} Sc.{1} Int.{2}',
        invent: ['A|B|C', '1|2|3|4|5|6|7|8|12'],
      },
      {
        read: /^(?:int|interno)\.? ?(\w+)$/i,
        address: '{s} {n}, int. {1}|{s}, {n} int. {1}',
        names: '{s} {n} int. {1}|{s} {n} int {1}|{s} {n} int{1}|{s} {n} interno {1}|{s} {n}/int. {1}',
        invent: ['1|2|3|4|5|6|7|8|12'],
      },
    ],
    towns: 'Enna|Asti|Rieti|Biella|Nuoro|Crotone|Belluno|Sulmona|Matera|Rovigo|Imola|Fano|Trani|Oristano',
    first: 'Giulia|Marco|Chiara|Lorenzo|Francesca|Matteo|Elisa|Davide|Paola|Niccolò|Sara|Enzo',
    last: 'Esposito|Ferrari|De Luca|Bianchini|Caputo|Marchetti|Fontana|Sorrentino|Galli|Pellegrini|Serra|Conti|Rinaldi|Barbieri',
    performers: 'Edil Nord Srl|Impianti Rossi|Coperture Sud|Idraulica Centro',
    words: 'foto|prima|dopo|sopralluogo|preventivo|fattura|tetto|caldaia|collaudo|lavori|relazione|finito|consegna',
    family:
      'Fatture 2025|Ferie|Modelli|Varie|Archivio|Corsi|Furgoni|Preventivi 2026|Nuova cartella|Magazzino|Personale|Contratti',
    jobs: 'C-#####|Comm. #####|26-####|2026-###',
    dates: `${ISO}|D-M-Y|D.M.Y|D-M-y`,
    root: 'Cantieri',
  },
};
