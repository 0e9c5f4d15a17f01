import { describe, expect, onTestFinished, test } from 'vitest';
import { createMatchIndex } from './match-index.ts';
import { idOf, rulesFor, SAMPLE, targetAt } from './testing/sample-targets.ts';

const index = createMatchIndex(SAMPLE);
const best = (path: string, fileNames?: readonly string[]) => {
  const { decision, candidates } = index.match({ path, ...(fileNames && { fileNames }) });
  return [decision, candidates[0]?.AssignmentId] as const;
};

describe('flats of one house are told apart, however they are written', () => {
  const flats = createMatchIndex([
    targetAt(1, 'Storgatan 12 lgh 1101', 'Umeå', { ZipCode: '903 26' }),
    targetAt(2, 'Storgatan 12 lgh 1102', 'Umeå', { ZipCode: '903 26' }),
    targetAt(3, 'Øster Boulevard 27, 3. tv', 'Aarhus'),
    targetAt(4, 'Øster Boulevard 27, 3. th', 'Aarhus'),
    targetAt(5, 'Puistokatu 4 B 17', 'Tampere'),
    targetAt(6, 'Puistokatu 4 A 2', 'Tampere'),
    targetAt(7, 'Kerkstraat 12-II', 'Amsterdam'),
    targetAt(8, 'Kerkstraat 12-III', 'Amsterdam'),
    targetAt(9, '12 bis avenue Victor Hugo', 'Lyon'),
    targetAt(10, '12 avenue Victor Hugo', 'Lyon'),
    targetAt(11, 'Flat 3 31 Priory Close', 'Bristol'),
    targetAt(12, '31 Priory Close Flat 4', 'Bristol'),
    targetAt(13, 'Lange Gasse 71/1/12', 'Wien'),
    targetAt(14, 'Viale Europa 33/B', 'Bologna'),
    targetAt(15, 'Gl. Kongevej 5', 'Frederiksberg'),
    targetAt(16, 'Kongevej 5', 'Frederiksberg'),
    targetAt(17, 'Bergsgatan 8 lgh 1001', 'Umeå'),
    targetAt(18, 'Corso Europa 135', 'Torino', { ZipCode: '10121' }),
    targetAt(19, 'Parkgatan 7 lgh 1', 'Umeå'),
    targetAt(20, 'Parkgatan 7 lgh 9', 'Umeå'),
    targetAt(21, 'Elveveien 97 A', 'Bergen'),
    targetAt(22, 'Elveveien 97 B', 'Bergen'),
    targetAt(23, 'Moldegata 3 A-B', 'Bergen'),
    targetAt(24, 'Ny Strandvej 7', 'Frederiksberg'),
    targetAt(25, 'Strandvej 7', 'Frederiksberg'),
  ]);

  test.each([
    ['Storgatan 12 1101 Umeå', 1],
    ['Storg. 12 lgh1102', 2],
    ['Storgatan 12_1102_903 26 Umeå', 2],
    ['Øster Boulevard 27 3tv', 3],
    ['Oester Blvd. 27, 3. th.', 4],
    ['Øster Boulevard 27 3. sal tv', 3],
    ['Puistokatu 4 B17', 5],
    ['Puistokatu 4A2', 6],
    ['Kerkstr. 12 II', 7],
    ['12bis av. V. Hugo', 9],
    ['12 av Victor Hugo', 10],
    ['31 Priory Close Apt 3', 11],
    ['Priory Close 31 #4', 12],
    ['Lange Gasse 71-1-12', 13],
    ['V.le Europa 33B', 14],
    ['Gml Kongevej 5', 15],
    ['Kongevej 5', 16],
    ['Ny Strandvej 7', 24],
    ['Strandvej 7', 25],
    ['Bergsgatan 8, 903 26 Umeå', 17],
    ['Parkgatan 7 9 1.5.2026', 20],
    ['Storgatan 12 1102 bilder', 2],
    ['Elveveien 97 A - K Hansen', 21],
    ['Moldegata 3 A-B', 23],
  ])('%s', (path, number) => {
    const { decision, candidates } = flats.match({ path });
    expect([decision, candidates[0]?.AssignmentId]).toEqual(['send', idOf(number)]);
  });

  test.each([
    ['Storgatan 12', 'no flat'],
    ['Bergsgatan 8 1002', 'another flat'],
    ['Kerkstraat 12-3', 'another way to write III'],
    ['Avenue Victor Hugo 12 B', 'another way to write bis'],
    ['Gamle Kongevej 5', 'an office word, where the list has “Gl.”'],
    ['Parkgatan 7 I', 'another way to write 1'],
    ['Puistokatu 4 C 17', 'another staircase'],
    ['12 ter avenue Victor Hugo', 'another house'],
    ['Gamle Kongevej 5 og 7', 'two houses'],
    ['Kerkstraat 12, 2 foton', 'a count of pictures'],
    ['Kongevej 5, 7', 'two houses'],
    ['Kongevej 5 & 9', 'two houses'],
    ['Corso Europa 135 - 51417 Pandino', 'the ZIP code of another town'],
    ['Parkgatan 7 1.5.2026', 'a date'],
    ['Parkgatan 7 9 maj 2026', 'a date'],
    ['Priory Close 31 3-5-26', 'a date'],
    ['Parkgatan 7-9', 'two houses'],
    ['Parkgatan 7, 9', 'two houses'],
    ['Parkgatan 7 og 9', 'two houses'],
    ['Parkgatan 7 i Umeå', 'no flat'],
    ['Parkgatan 7 9 bilder', 'a count'],
    ['Parkgatan 7, 1 av 9', 'a count'],
    ['31 Priory Close Flat 3-4', 'two flats'],
    ['Flat 3 & 4 31 Priory Close', 'two flats'],
    ['Elveveien 97 A, H0201', 'a flat that no assignment has'],
    ['Elveveien 97 A og B', 'two houses'],
    ['Elveveien 97 A-B', 'two houses'],
    ['Elveveien 97 A + B', 'two houses'],
    ['Elveveien 97A, 97B', 'two houses'],
  ])('%s is not sent: %s', (path) => {
    expect(flats.match({ path }).decision).not.toBe('send');
  });
});

describe('a folder is sent to the assignment that its name tells from all others', () => {
  test.each([
    // Several spellings of the address, and dates and other words around it.
    ['Elveveien 97', 1],
    ['elveveien 97', 1],
    ['ELVEVEIEN 97', 1],
    ['2026-05-12 Elveveien 97, bilder', 1],
    ['12.05.26 Elveveien 97', 1],
    ['20260512_Elveveien_97', 1],
    ['Elveveien 97 12. mai 2026', 1],
    ['Elveveien 97 mai 2026', 1],
    ['Elveveien 97, May 12, 2026', 1],
    ['12 05 2026 Elveveien 97', 1],
    ['Elveveien 97 2026-05', 1],
    ['24117 - Elveveien 97', 1],
    ['Elveveien 97 (ferdig)', 1],
    ['Elveveien 97 – FDV-dokumentasjon', 1],
    ['Elveveien 97 tak v2', 1],
    ['Kunde Elveveien 97 kopi', 1],
    ['003_Elveveien 97', 1],
    ['Elveveien 97, 5003 Bergen', 1],
    ['5003 Bergen Elveveien 97', 1],
    // Another order, and words that are joined.
    ['97 Elveveien', 1],
    ['Bergen, Elveveien 97', 1],
    ['Elveveien97', 1],
    ['Elveveien nr. 97', 1],
    ['ElveVeien97Bilder', 1],
    ['Station Road 109', 2],
    ['109_station_road_photos', 2],
    ['York - 109 Station Road', 2],
    // Abbreviations and other forms.
    ['Elvevn 97', 1],
    ['Elvevn. 97', 1],
    ['Elvev. 97', 1],
    ['Elve vei 97', 1],
    ['Elvevegen 97', 1],
    ['109 Station Rd', 2],
    ['109 Station Rd. - inspection', 2],
    ['5 Mill Ln', 9],
    ['Hauptstr. 45', 10],
    ['Hauptstrasse 45 Köln', 10],
    ['Haupt-Str. 45', 10],
    ['N. Hamngatan 12 C', 4],
    ['N Hamngatan 12c', 4],
    ['Chr. Michelsens gt 4', 19],
    ['C. Michelsens gate 4', 19],
    ['Prins Hendrik kade 33', 18],
    ['Prins Hendrikkade 33 1012 TM Amsterdam', 18],
    ['Rue du Faubourg St-Honoré 14 Paris', 16],
    ['14 r. du Faubourg Saint Honore', 16],
    ['Via G. Garibaldi 21', 17],
    // Letters with accents, without accents, and in other spellings.
    ['Bjornstads vei 59', 3],
    ['Bjoernstadsvei 59', 3],
    ['Itainen Pitkakatu 5', 6],
    ['Angsvagen 33', 13],
    ['Aengsvaegen 33', 13],
    ['A\u0308ngsva\u0308gen 33', 13],
    ['Ostergade 8, Århus', 15],
    ['Oestergade 8', 15],
    ['Höhenstr. 2', 33],
    ['Hoehenstrasse 2', 33],
    ['St Marys Walk 12', 12],
    ["St. Mary's Walk 12", 12],
    // Typing mistakes.
    ['Elveveeien 97', 1],
    ['Elevveien 97', 1],
    ['Stograta 12, Bergen', 7],
    ['Drotninggatan 55', 26],
    ['Drottninggtan 55 Malmö', 26],
    ['109 Staton Road', 2],
    ['Trädgårsgatan 7', 34],
    ['Am Ketnersbusch 29', 30],
    // Letters, ranges, numbers in names, flats, a house without a number, and a person's name.
    ['Mäkelänkatu 129C', 14],
    ['Mäkelänkatu 129 c', 14],
    ['Nygårdsgaten 97-99', 24],
    ['17. mai gate 8', 25],
    ['17 mai gt. 8 Drammen', 25],
    ['Flat 3, 31 Priory Close', 27],
    ['31 Priory Cl flat 4', 28],
    ['Solbakken Voss', 29],
    ['Elveveien 97 K. Hansen', 1],
    // The address, or parts of it, are in the names of the folders above, and towns tell two streets apart.
    ['Bergen/Elveveien/97', 1],
    ['Bergen/Elveveien/97 bilder', 1],
    ['Kunder 2026/Bergen/Storgata 12', 7],
    ['2026/Uke 12/Elveveien 97', 1],
    ['Oslo/Storgata/12', 8],
    ['Elveveien 97/Bilder/Stue', 1],
    ['Storgata 12 Oslo', 8],
    ['Storgt. 12, Bergen', 7],
    // Ids.
    [idOf(9), 9],
    [idOf(9).toUpperCase(), 9],
    [idOf(9).replaceAll('-', ''), 9],
    ['a0000009 bilder', 9],
    ['FAC-100013', 13],
    ['fac100013 photos', 13],
    ['fac_100013', 13],
    ['b0000030-2222-4222-8222-222222222222', 30],
    // Ids in a folder whose own name is the address of another assignment, or in another city.
    [`Elveveien 97/${idOf(9)}`, 9],
    ['Elveveien 97/FAC-100013 bilder', 13],
    ['Storgata 12 Oslo/FAC-100013/Bilder', 13],
    ['Tromsø 2026/b0000030-2222-4222-8222-222222222222', 30],
    // A customer, performer or date tells assignments at one address apart, and a customer makes up for a missing
    // number.
    ['Kirkegata 3 Ingrid Haugen', 20],
    ['Haugen - Kirkegata 3', 20],
    ['Kirkegata 3, Fjord Bygg', 21],
    ['2026-08-20 Kirkegata 3', 21],
    ['Nordmann, Kari - Elveveien', 1],
  ])('%s', (path, number) => {
    expect(best(path)).toEqual(['send', idOf(number)]);
  });
});

test('a date in a name is a local day, as the window shows the times of the service', () => {
  const before = process.env.TZ;
  onTestFinished(() => {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  });
  process.env.TZ = 'Europe/Oslo';
  const midnightOf = (day: number): number => new Date(2026, 4, day).getTime() / 1000;
  const days = createMatchIndex(
    [1, 2].map((day) => targetAt(day, 'Kirkegata 3', 'Oslo', { StartTime: midnightOf(day) })),
  );
  expect(days.match({ path: '2026-05-01 Kirkegata 3' }).candidates[0]).toMatchObject({ AssignmentId: idOf(1) });
  expect(days.match({ path: '2026-05-02 Kirkegata 3' }).candidates[0]?.AssignmentId).toBe(idOf(2));
});

describe('a folder is left to a person where its name can mean another place', () => {
  test.each([
    // Several assignments fit.
    'Storgata 12',
    'Kirkegata 3',
    'Skovvej 70',
    'Elveveien',
    '31 Priory Close',
    'Storgata 12 og Elveveien 97',
    // No assignment has this number, letter, street and town together.
    'Elveveien 79',
    'Elveveien 98',
    'Elveveien 97B',
    'Elveveien 97 B',
    'Mäkelänkatu 129',
    'Mäkelänkatu 129 D',
    'Nygårdsgaten 97',
    'Oslo - Elveveien 97',
    'Elveveien 97 Tromsø',
    'Elveveien 97 Trondhiem',
    '5 Mill Street',
    'Norra Hamngatan 14',
    'Hamngatan 14',
    'Old Station Road 109',
    '1090 Station Road',
    'Elveveien 12.05.26',
    // Two assignments are named.
    'FAC-100001 Storgata 12',
    'Elveveien 97/Storgata 5',
    'FAC-100001/FAC-100013',
    `${idOf(1)}/${idOf(13)}`,
    'FAC-100013/Elveveien 97',
    // Only a customer's name.
    'Kari Nordmann',
    'Whitaker',
  ])('%s', (path) => {
    expect(index.match({ path }).decision).not.toBe('send');
  });
});

describe('a folder that names no place belongs nowhere', () => {
  test.each([
    ...[
      'Bilder',
      'Invoices',
      'Old',
      'Misc',
      '2026',
      'Uke 12',
      'Week 12',
      'Mai',
      'IMG_0123',
      'DSC00231',
      'Ny mappe (2)',
    ],
    ...[
      '',
      '/',
      'x',
      '7',
      '97',
      '📁',
      '🏠 97',
      'שלום 97',
      '东京 5',
      '....',
      '- - -',
      ' ',
      'a'.repeat(1000),
      '9'.repeat(1000),
    ],
    ...['Kirkevegen 5', 'Ukjentveien 12', '5 Nowhere Lane', 'Bergen', 'FAC-1', '2026/05/12', 'Jobs/Archive/Old'],
  ])('%s', (path) => {
    expect(index.match({ path })).toMatchObject({ decision: 'none', candidates: [] });
  });
});

test('says which words of the path are for and against', () => {
  expect(index.match({ path: 'Oslo - Elveveien 97' }).candidates[0]?.reasons).toEqual([
    { signal: 'address', found: 'Elveveien 97' },
    { signal: 'city', found: 'Oslo', against: true },
  ]);
  expect(index.match({ path: 'Bergen/Elveveien/97' }).candidates[0]?.reasons).toEqual([
    { signal: 'address', found: 'Elveveien/97' },
    { signal: 'city', found: 'Bergen' },
  ]);
  expect(index.match({ path: 'Elveveien 98' }).candidates[0]?.reasons).toContainEqual({
    signal: 'house-number',
    found: '98',
    against: true,
  });
  const inFlats = createMatchIndex([targetAt(1, 'Carrer de Moianes 73-75, 1º 2ª', 'Barcelona')]);
  const reasonsIn = (path: string) => inFlats.match({ path }).candidates[0]?.reasons;
  expect(reasonsIn('Carrer de Moianes 73-75, 1º 2ª')).toEqual([
    { signal: 'address', found: 'Carrer de Moianes 73-75' },
    { signal: 'flat', found: '1º 2ª' },
  ]);
  // A whole id is one reason, and no part of the id is a second reason.
  const id = '4acc9d20-7691-4e35-ab90-e5dab971fa2d';
  const named = createMatchIndex([{ ...targetAt(1, 'Elveveien 97', 'Oslo'), AssignmentId: id }]);
  expect(named.match({ path: `bilder ${id}_ferdig` }).candidates[0]?.reasons).toEqual([
    { signal: 'assignment-id', found: id },
  ]);
});

test('lists assignments that still expect files before closed ones, but is no more certain of them', () => {
  const { decision, candidates } = index.match({ path: 'Skovvej 70 Odense' });
  expect(decision).toBe('ask');
  expect(candidates.map(({ AssignmentId }) => AssignmentId)).toEqual([idOf(23), idOf(22)]);
  expect(candidates[0]?.certainty).toBeCloseTo(candidates[1]?.certainty ?? 0, 9);
  expect(candidates[1]?.reasons).toContainEqual({ signal: 'status', found: 'CANCELLED', against: true });
});

test('tells a performer from a street of the same name, and names from each other', () => {
  const harbour = { Performer: 'Harbour Maintenance Ltd' };
  const same = createMatchIndex([
    targetAt(1, '12 Harbour Street', 'York', { ...harbour, LastName: "O'Neill" }),
    targetAt(2, '12 Harbour Street', 'York', { LastName: 'Dahl' }),
    targetAt(3, '12 Harbour Street', 'York', { LastName: 'Whitaker' }),
  ]);
  const sent = (path: string) => {
    const { decision, candidates } = same.match({ path });
    return decision === 'send' ? candidates[0]?.AssignmentId : decision;
  };
  expect(sent('12 Harbour Street')).toBe('ask');
  expect(sent('12 Harbour Street Harbour Maintenance')).toBe(idOf(1));
  expect(sent("12 Harbour Street O'Neill")).toBe(idOf(1));
  expect(sent('12 Harbour Street, Dahl')).toBe(idOf(2));
  expect(sent('FAC-100003 Whitaker')).toBe(idOf(3));
});

test('reads the names of files where they say more than the folder', () => {
  expect(best('Bilder', ['IMG_1.jpg', 'Elveveien 97 kjøkken.jpg'])).toEqual(['send', idOf(1)]);
  expect(best('Bilder', ['Elveveien 97.jpg', '109 Station Road.pdf'])[0]).toBe('ask');
  expect(best('Kirkegata 3', ['FAC-100020 rapport.pdf'])).toEqual(['send', idOf(20)]);
  expect(best('Elveveien 97', ['109 Station Road.pdf'])).toEqual(['send', idOf(1)]);
  // An id in the name of a file decides nothing about a folder of another address.
  expect(best('Storgata 12', ['FAC-100013 invoice.pdf'])[0]).toBe('ask');
});

test('an id of digits alone, which may be the number of a job, says nothing against the folder around it', () => {
  const numbered = createMatchIndex([...SAMPLE, targetAt(40, '8 Mill Lane', 'Leeds', { FacilityId: '1000040' })]);
  expect(numbered.match({ path: '1000040 bilder' })).toMatchObject({ decision: 'send' });
  expect(numbered.match({ path: 'Elveveien 97/1000040 bilder' }).decision).not.toBe('send');
});

test('a choice that was confirmed before decides between those that fit', () => {
  const rules = rulesFor({ path: 'Jobs/Storgata 12', AssignmentId: idOf(8) });
  const { decision, candidates } = index.match({ path: '2026-03-01 storgata_12 bilder' }, { rules });
  expect(decision).toBe('send');
  expect(candidates[0]?.AssignmentId).toBe(idOf(8));
  expect(candidates[0]?.reasons.map(({ signal }) => signal)).toContain('confirmed');
  expect(index.match({ path: 'Storgata 14' }, { rules }).decision).not.toBe('send');
});

test('a choice that was confirmed before decides between the assignments of the facility that a name tells', () => {
  const facility = { FacilityId: 'FAC-215253' };
  const office = createMatchIndex([1, 2, 3].map((at) => targetAt(at, 'Vasagatan 78', 'Göteborg', facility)));
  const path = 'Jobs/FAC-215253 Vasagatan 78';
  expect(office.match({ path }).decision).toBe('ask');
  const { decision, candidates } = office.match({ path }, { rules: rulesFor({ path, AssignmentId: idOf(2) }) });
  expect([decision, candidates[0]?.AssignmentId]).toEqual(['send', idOf(2)]);
});

test('tells how certain any one assignment is, whether the name points to it or not', () => {
  expect(index.certaintyOf({ path: 'Elveveien 97' }, idOf(1))?.certainty).toBeGreaterThan(0.95);
  expect(index.certaintyOf({ path: 'Elveveien 97' }, idOf(2))?.certainty).toBeLessThan(0.01);
  expect(index.certaintyOf({ path: 'Elveveien 97' }, idOf(999))).toBeUndefined();
});

test('asks where a person wants more certainty', () => {
  expect(index.match({ path: 'Elveveien 97' }, { minCertainty: 0.9999 }).decision).toBe('ask');
});

test('the number of a job is not taken for a postcode', () => {
  const office = createMatchIndex([
    targetAt(1, 'Houmsvegen 77', 'Brumunddal', { ZipCode: '2385' }),
    targetAt(2, 'Skogveien 5', 'Hamar', { ZipCode: '2317' }),
  ]);
  expect(office.match({ path: '26-1234 Houmsvegen 77' }).decision).toBe('send');
  expect(office.match({ path: 'Jobs/Larkollen/26-2385 – Houmsvegen 77' }).decision).toBe('ask');
});

test('works without any assignment, and with addresses that say nothing', () => {
  expect(createMatchIndex([]).match({ path: 'Elveveien 97' })).toMatchObject({ decision: 'none' });
  const odd = ['', ',', '12', 'C 4', '—', '🏠'].map((Address, at) => targetAt(at, Address, '', { LastName: '' }));
  expect(createMatchIndex(odd).match({ path: 'C 4 12' }).decision).not.toBe('send');
});

describe('a folder is asked about if another assignment explains as much of its name', () => {
  const office = createMatchIndex([
    ...Array.from({ length: 80 }, (_, at) =>
      targetAt(100 + at, `ul. Nowa${'abcdefghijklmnopqrst'[at % 20]}ska ${at + 20}`, 'Lublin'),
    ),
    ...Array.from({ length: 12 }, (_, at) =>
      targetAt(200 + at, `${at + 40} Mill${'abcdefghijkl'[at]}ton Street`, 'Oakland'),
    ),
    targetAt(1, 'Stepinska 19/25', 'Mokotow', { LastName: 'Kowalczyk' }),
    targetAt(2, 'ul. Stepinska 19/25', 'Mokotow', { LastName: 'Sikora' }),
    targetAt(3, '2362 Bancroft Street', 'Berkeley', { LastName: 'Mehta' }),
    targetAt(4, '2362 Bancroft St, Unit PARKG', 'Berkeley', { LastName: 'Pryce' }),
    targetAt(5, 'ul. Fontowa 10', 'Lublin', { LastName: 'Dubois' }),
    targetAt(6, 'ul. Fontowa 10 m. 3', 'Lublin', { LastName: 'Van Damme' }),
    targetAt(7, 'ul. Wschodnia 29 m. 4', 'Lublin', { LastName: 'Zamorano' }),
    targetAt(8, 'ul. Zielona 31', 'Lublin'),
    targetAt(9, 'ul. Polna 29 m. 4D', 'Lublin'),
    targetAt(10, '2016 Hawthorne Street', 'Evanston'),
    targetAt(11, '2016 Hawthorne St', 'Evanston'),
    targetAt(12, 'Vordernberger Straße 42', 'Leoben'),
    targetAt(13, 'Vordernbergerstraße 42', 'Leoben'),
  ]);
  const decision = (path: string) => {
    const { decision: made, candidates } = office.match({ path });
    return made === 'send' ? candidates[0]?.AssignmentId : made;
  };

  test.each([
    ['ul. Stepinska 19/25', 'ask'],
    ['Stepinska 19/25', 'ask'],
    ['Sikora, Stepinska 19/25', idOf(2)],
    ['2362 Bancroft Street, PARKG', idOf(4)],
    ['Van Damme, ul. Fontowa 10', 'ask'],
    ['Hawthorne 2016, Evanston', 'ask'],
    ['Vordernbergerstr 42', 'ask'],
    ['ul. Fontowa 10', idOf(5)],
    ['ul. Fontowa 10 m. 3', idOf(6)],
  ])('%s: %s', (path, expected) => expect(decision(path)).toBe(expected));

  test.each([
    ['ul. Wschodnia 29 m. 4', idOf(7)],
    // An unknown name after a flat is a town, not a person with an initial, and not a part of a customer's name.
    ['ul. Polna 29 m. 4D Soria', 'ask'],
    ['ul. Wschodnia 29 m. 4, Zamora', 'ask'],
    ['Zielona 31', idOf(8)],
    // A town that begins with a word that offices use ("offen").
    ['ul. Zielona 31 Offenburg', 'ask'],
    // Next to the street's name, an abbreviation that is a small word in other languages.
    ['po. Zielona 31', 'ask'],
    ['Pº Zielona 31', 'ask'],
  ])('what no assignment explains: %s: %s', (path, expected) => expect(decision(path)).toBe(expected));
});

describe('a flat that a house without flats does not have', () => {
  const floors = ['Direita', 'Nova', 'Velha', 'Flores'].flatMap((name, at) => [
    targetAt(10 + at, `Rua ${name}, 3, R/C Esq`, 'Faro'),
    targetAt(20 + at, `Rua ${name}, 9, R/C Dto`, 'Faro'),
    targetAt(30 + at, `Rua ${name} 7`, 'Faro'),
    targetAt(40 + at, `Rua ${name} 8`, 'Faro'),
    targetAt(50 + at, `Rua ${name} 18`, 'Faro'),
  ]);
  const portuguese = createMatchIndex([
    ...floors,
    targetAt(1, 'Rua Alta 11', 'Faro'),
    targetAt(2, 'Rua Alta, 11, R/C Dto', 'Faro'),
    targetAt(3, 'Rua Baixa 5', 'Faro'),
  ]);
  const irish = createMatchIndex([
    targetAt(1, '1 Castle Park', 'Dundalk'),
    targetAt(2, '7 Sundays Well', 'Tralee'),
    targetAt(3, 'Apt 7, 7 Sundays Well', 'Tralee'),
    targetAt(4, '9 Sundays Well', 'Tralee'),
  ]);

  test.each(['Rua Baixa 5 RC Esq', 'Rua Baixa 5, RCEsq', 'Rua Baixa 5/RC Dto', 'Rua Alta 11 R/C Esq'])(
    'is not sent there, in whatever form: %s',
    (path) => {
      expect(portuguese.match({ path }).decision).not.toBe('send');
    },
  );

  test.each(['Apt No B 1 Castle Park', 'Flat 5 photos 1 Castle Park', '7 Sundays Well, Apt. 9'])(
    'is not sent there, before and behind the street: %s',
    (path) => {
      expect(irish.match({ path }).decision).not.toBe('send');
    },
  );

  test('is told from the house, in whatever form', () => {
    for (const [path, number] of [
      ['Rua Alta 11 RC Dto', 2],
      ['Rua Alta 11, RCDto', 2],
      ['Rua Alta 11', 1],
      ['Rua Baixa 5', 3],
    ] as const)
      expect(portuguese.match({ path }).candidates[0]?.AssignmentId, path).toBe(idOf(number));
    expect(irish.match({ path: '7 Sundays Well, Apt. 7' }).candidates[0]?.AssignmentId).toBe(idOf(3));
  });
});
