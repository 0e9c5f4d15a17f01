import { describe, expect, test } from 'vitest';
import { createMatchIndex } from './match-index.ts';
import { idOf, targetAt } from './testing/sample-targets.ts';

const index = createMatchIndex([
  targetAt(1, 'Molenweg 6a', 'Ede', { LastName: 'Visser' }),
  targetAt(2, 'Molenweg 6', 'Ede', { LastName: 'Bakker' }),
  targetAt(3, '2A Upper Bridge Street', 'Canterbury', { ZipCode: 'CT1 2NA' }),
  targetAt(4, '24 bis rue des Trois Frères', 'Lyon'),
  targetAt(5, 'Via Giuseppe Garibaldi 19', 'Parma', { LastName: 'Bassi' }),
  targetAt(6, '40 avenue Victor Hugo', 'Lyon'),
  targetAt(7, 'ul. Mickiewicza 14/3', 'Poznań', { ZipCode: '60-834' }),
  targetAt(8, 'ul. Mickiewicza 14 m. 8', 'Poznań', { ZipCode: '60-834' }),
  targetAt(9, 'ul. 3 Maja 18', 'Rzeszów'),
  targetAt(17, 'ul. Długa 2', 'Rzeszów'),
  targetAt(18, 'ul. Krótka 5', 'Rzeszów'),
  targetAt(10, '2210 E 14th St', 'Des Moines'),
  targetAt(11, '2210 W 14th St', 'Des Moines'),
  targetAt(12, 'Bergsgatan 9', 'Östersund', { ZipCode: '831 30' }),
  targetAt(13, '14 Albion Crescent', 'Leeds', { ZipCode: 'LS9 8PH' }),
  targetAt(14, '14 Magnolia Avenue', 'Leeds'),
  targetAt(16, 'Ratapihantie 11', 'Helsinki', { ZipCode: '00520' }),
  targetAt(15, 'The Old Rectory, Church Lane', 'Thornham', { LastName: 'Fanshawe' }),
]);

describe('streets are known in the ways that people of their country write them', () => {
  test.each([
    ['Via G. Garibaldi 19', 5],
    ['Via Garibaldi 19 Bassi', 5],
    ['40 av. V. Hugo', 6],
    ['Mickiewicza 14_3', 7],
    ['ul. Mickiewicza 14 m 3', 7],
    ['Mickiewicza 14-8', 8],
    ['3 Maja 18', 9],
    ['2210 West 14th Street', 11],
    ['14 Albion Cr, LS9 8PH', 13],
    ['Bergsgatan 9, 831 30 Östersund', 12],
    ['The Old Rectory, Church Lane', 15],
    ['Old Rectory Church Ln Thornham', 15],
    ['Molenweg 6 Bakker', 2],
    ['Ratapihantie 11, 00520 Helsinki', 16],
    ['Molenweg 6, 2 foto', 2],
  ])('%s', (path, number) => {
    const { decision, candidates } = index.match({ path });
    expect([decision, candidates[0]?.AssignmentId]).toEqual(['send', idOf(number)]);
  });
});

describe('a folder of two houses, of a part of a street, or with another ZIP code is left to a person', () => {
  test.each([
    'Molenweg 6 en 6a',
    'Molenweg 6, 6a',
    'Molenweg 6 8',
    'Molenweg_6_&_8',
    'Molenweg 6, 4',
    '2 & 2A Upper Bridge St',
    '2 and 2A Upper Bridge St',
    '24 et 24 bis rue des Trois Frères',
    'Via Garibaldi 19',
    '2210 14th St',
    'Bergsgatan 9, 903 26',
    '14 Albion Crescent LS12 3AB',
    'Mickiewicza 14_3 61-001',
    'Ratapihantie 11, 00100 Helsinki',
    '14 Magnolia',
    'Old Rectory Thornham',
    'Church Lane',
    'The Old Rectory, Church Lane, Burnham',
  ])('%s', (path) => {
    const { decision, candidates } = index.match({ path });
    expect(decision).toBe('ask');
    expect(candidates.length).toBeGreaterThan(0);
  });
});

test('a house of another name in the street is none of the assignments', () => {
  expect(index.match({ path: 'Holly Cottage, Church Lane' }).decision).not.toBe('send');
});

describe('what the rest of the list shows', () => {
  const office = createMatchIndex([
    ...['Roma', 'Verdi', 'Dante', 'Mazzini', 'Cavour'].flatMap((name, at) => [
      targetAt(100 + at, `Via ${name} ${at + 3}`, 'Parma'),
      targetAt(110 + at, `Viale ${name} ${at + 20}`, 'Parma'),
    ]),
    targetAt(120, 'Jan Luykenstraat 8', 'Ridderkerk'),
    targetAt(121, 'Kerkweg 3', 'Ridderkerk', { ZipCode: '2984 AB' }),
    targetAt(122, 'Kerkweg 5', 'Houten', { ZipCode: '3994 VT' }),
    targetAt(123, '36 rue Léon Blum, apt 6', 'Lyon'),
    targetAt(124, '3 rue Haute', 'Apt'),
    targetAt(125, 'Calle la Paz 2, 4º 2ª', 'Navarrete'),
    targetAt(126, 'Calle la Paz 2, 1º 2ª', 'Navarrete'),
    targetAt(127, 'Sjøtoppen 57', 'Bodø'),
    targetAt(128, 'Kirketoppen 5', 'Bodø'),
    targetAt(129, 'Solvangtoppen 7', 'Bodø'),
    targetAt(130, 'Vordernberger Straße 42', 'Leoben', { LastName: 'Ziegler' }),
    targetAt(131, 'Vordernbergerstraße 42', 'Leoben', { LastName: 'Wiesinger' }),
    ...[1, 2, 3, 5].map((flat) => targetAt(133 + flat, `Rue du Remblai 26 boîte ${flat}`, 'Ixelles')),
    targetAt(140, 'Rue du Remblai 28', 'Ixelles', { LastName: 'Benali' }),
    targetAt(141, 'Kapteinveien 9', 'Bodø'),
    targetAt(142, 'Kirkeveien 9', 'Bodø'),
    targetAt(143, 'Solveien 9', 'Dachau'),
    targetAt(144, 'Solveien 3', 'Bodø'),
    targetAt(145, 'Korte gracht 42A', 'Venlo', { FirstName: 'Carmen' }),
    targetAt(146, 'Korte gracht 42A', 'Venlo', { FirstName: 'Alex' }),
    targetAt(147, 'Calle la Posada 23', 'Leiva', { ZipCode: '26213' }),
    targetAt(132, '12 Mount Street', 'Leeds'),
    targetAt(133, '12 Mount Street, Unit PARKG', 'Leeds'),
  ]);

  test.each([
    ['Jan Luykenstraat 8, 2985 BV Ridderkerk', 120],
    ['36 rue Leon Blum apt 6', 123],
    ['C. la Paz 2 4o 2a', 125],
    ['Sjøoppen 57', 127],
    ['Vordernbergerstr 42 Wiesinger', 131],
    ['R. du Remblai 26 bt 2', 135],
    ['Rue du Remblai, Benali', 140],
    ['Solveien 3 Dach', 144],
    ['12 Mount Street, PARKG_photos', 133],
  ])('%s', (path, number) => {
    const { decision, candidates } = office.match({ path });
    expect([decision, candidates[0]?.AssignmentId]).toEqual(['send', idOf(number)]);
  });

  test.each([
    'Viale Roma 3',
    'Via Verdi 21',
    'Vordernbergerstr 42',
    'Korte gracht 42 A_Harbour_foto',
    'la-Posada-nº-23-26500',
    'Rue du Remblai 26 B bte 2',
    // A typing mistake in an abbreviation.
    'Kapteunv 9',
  ])('%s is a question', (path) => {
    expect(office.match({ path }).decision).not.toBe('send');
  });
});

describe('what a path says beside a street is read in the same way for every assignment', () => {
  const office = createMatchIndex([
    targetAt(1, 'Messepromenaden 10', 'Oslo', { LastName: 'Tveit' }),
    targetAt(2, 'Messepromenaden 10, H0105', 'Oslo', { LastName: 'Aasen' }),
    targetAt(3, 'Groenhoven 358', 'Amsterdam', { LastName: 'Zijlstra' }),
    targetAt(4, 'Calle Reforma Norte 60', 'Puebla', { LastName: 'Rivas' }),
    targetAt(5, 'Kerkweg 40', 'Tilburg', { LastName: 'Bakker' }),
    targetAt(6, 'Pāce 5', 'Pāce', { LastName: 'Kalniņa' }),
    targetAt(7, 'Lipová 12', 'Brno', { LastName: 'Horák' }),
    targetAt(8, 'Lipovská 12', 'Brno', { LastName: 'Fiala' }),
    targetAt(9, 'Avenue Jean Volders 31', 'Ixelles', { LastName: 'Maes' }),
    targetAt(10, '83 Moorgate', 'London', { ZipCode: 'EC2M 6SA' }),
    targetAt(11, '17 Merton Road', 'Leeds', { ZipCode: 'LS9 8PH' }),
    targetAt(12, 'Flat 3, 19 Merton Road', 'Leeds'),
  ]);

  test.each([
    ['Messepromenaden 10/H0105 - Oslo', 2],
    ['Messepromenaden 10 (H0105)', 2],
    ['Calle Reforma Norte no 60', 4],
    ['Pāce - Pāce 5', 6],
    ['Lipová 12', 7],
    ['Lipovská č. 12', 8],
    ['2026-346, 17 Merton Road', 11],
    ['2026-333, Flat 3 19 Merton Road', 12],
  ])('%s', (path, number) => {
    const { decision, candidates } = office.match({ path });
    expect([decision, candidates[0]?.AssignmentId]).toEqual(['send', idOf(number)]);
  });

  test.each([
    ['GROENHOVEN 358 B OFFERTE', 'the letter of another house, not an initial'],
    ['Kerkweg 40 A Tiburg', 'the letter of another house before a town'],
    ['Jean Voldersstraat 31', 'a longer word than that of the list'],
    ['M33 7EP - 83 Moorgate', 'a code of another shape'],
    ['83 Moorgate/Flat 2 - M33 7EP', 'another flat in the folder below'],
  ])('%s is a question: %s', (path) => {
    expect(office.match({ path }).decision).not.toBe('send');
  });
});

describe('a number without a letter, where other towns have the house with one', () => {
  const towns = createMatchIndex([
    targetAt(1, 'Kerkweg 25', 'Helmond'),
    targetAt(2, 'Kerkweg 25B', 'Hoorn'),
    targetAt(3, 'Lindenplein 5', 'Hoorn'),
    targetAt(4, 'Lindenplein 5A', 'Hoorn'),
  ]);

  test('is a question without a town', () => {
    expect(towns.match({ path: 'Jobs/Kerkweg 25' }).decision).toBe('ask');
  });

  test.each([
    ['Kerkweg 25, Helmond', 1],
    ['Lindenplein 5', 3],
  ])('is that house with its town, or where the letter is in the same one: %s', (path, number) => {
    const { decision, candidates } = towns.match({ path });
    expect([decision, candidates[0]?.AssignmentId]).toEqual(['send', idOf(number)]);
  });
});

describe('a compound whose end is cut', () => {
  const streets = ['Yrjönkatu', 'Mikonkatu', 'Kasarminkatu', 'Hämeentie', 'Kaarelantie', 'Malmintie', 'Turuntie'];
  const helsinki = createMatchIndex(streets.map((name, index) => targetAt(index + 1, `${name} 26`, 'Helsinki')));

  test.each([
    ['Mikonk. 26 Helsinki', 2],
    ['Malmint. 26 Helsinki', 6],
  ])('%s', (path, number) => {
    const { decision, candidates } = helsinki.match({ path });
    expect([decision, candidates[0]?.AssignmentId]).toEqual(['send', idOf(number)]);
  });

  test('is that of another kind of street, if it begins like one', () => {
    expect(helsinki.match({ path: 'Mikont. 26 Helsinki' }).decision).not.toBe('send');
  });
});

describe('one reader for addresses and names', () => {
  const office = createMatchIndex([
    targetAt(1, 'Zalán u. 54. 4. emelet 4. ajtó', 'Pápa', { LastName: 'Nagy' }),
    targetAt(2, 'Zalán utca 54. 4. em. 4.', 'Pápa', { LastName: 'Szűcs' }),
    targetAt(3, 'Ulica Franca Rozmana - Staneta 2', 'Kočevje', { LastName: 'Krajnc' }),
    targetAt(4, '47 rue Merlin de Douai', 'Douai', { ZipCode: '59500' }),
    targetAt(5, 'Rue Emile Feron 19', 'Bruxelles', { LastName: 'Maes' }),
    targetAt(6, 'Kościelna 7', 'Gliwice', { LastName: 'Dąbrowski' }),
    targetAt(7, 'ul. Kościelna 6', 'Gliwice', { LastName: 'Dąbrowski' }),
    ...['Polna', 'Lipowa', 'Krótka'].map((name, at) => targetAt(10 + at, `ul. ${name} 3`, 'Gliwice')),
    ...Array.from({ length: 13 }, (_, at) =>
      targetAt(20 + at, `Lipowa ${at + 20}`, 'Gliwice', { LastName: 'Dąbrowski' }),
    ),
    ...['Protea', 'Anderson', 'Hoof'].flatMap((name, at) => [
      targetAt(40 + at, `${at + 3} ${name} Ln`, 'George'),
      targetAt(50 + at, `${at + 3} ${name} Lane`, 'George', { LastName: 'Tanner' }),
      targetAt(60 + at, `${at + 30} ${name} Laan`, 'George'),
    ]),
  ]);

  test.each([
    ['zalán utca, 54', 'the flat is not told, and two houses have one'],
    ['Poljanska pot 78/stan. 2', 'a flat, not the second half of a street'],
    ['Bordeaux, 47 rue Merlin de Douai', 'another town than the one that the street is called by'],
    ['19 Emile Feronln', 'another kind of street'],
    ['Dąbrowski – Kościelna', 'two houses of customers with this name'],
    ['5 Hoof Ln', 'the same house is written in two ways'],
  ])('%s is a question: %s', (path) => {
    expect(office.match({ path: `Jobs/${path}` }).decision).not.toBe('send');
  });

  test.each([
    ['Ulica Franca Rozmana - Staneta 2', 3],
    ['47 rue Merlin de Douai, 59500 Douai', 4],
    ['30 Protea Laan', 60],
  ])('%s', (path, number) => {
    const { decision, candidates } = office.match({ path });
    expect([decision, candidates[0]?.AssignmentId]).toEqual(['send', idOf(number)]);
  });
});

describe('two ways to write a kind of street', () => {
  const passages = (facilityOf: (at: number) => string) =>
    ['Flaugier', 'Marimon', 'Concepció'].flatMap((name, at) => [
      targetAt(10 + at, `Passatge de ${name} ${at + 7}`, 'Barcelona', { FacilityId: `FAC-90000${at}` }),
      targetAt(20 + at, `Pje. de ${name} ${at + 7}`, 'Barcelona', { FacilityId: facilityOf(at), LastName: 'Núñez' }),
    ]);
  const alike = createMatchIndex(passages((at) => `FAC-90000${at}`));

  test.each(['Passatge de Flaugier 7', 'Pje. de Flaugier 7'])(
    'are one where facilities are written in both, so other assignments fit as well: %s',
    (path) => {
      const { decision, candidates } = alike.match({ path });
      expect(decision).toBe('ask');
      expect(candidates.map(({ AssignmentId }) => AssignmentId).sort()).toEqual([idOf(10), idOf(20)]);
    },
  );

  test('are two where the facilities differ', () => {
    const apart = createMatchIndex(passages((at) => `FAC-80000${at}`));
    expect(apart.match({ path: 'Passatge de Flaugier 7' }).candidates[0]?.AssignmentId).toBe(idOf(10));
    expect(apart.match({ path: 'Passatge de Flaugier 7' }).decision).toBe('send');
  });
});

describe('a kind of street', () => {
  const others = ['Fox', 'Fir', 'Kew', 'Rye'].flatMap((name, at) => [
    targetAt(20 + at, `${at + 3} ${name} Court`, 'Naas'),
    targetAt(30 + at, `${at + 3} ${name} Ct`, 'Naas'),
    targetAt(40 + at, `${at + 3} ${name} Lane`, 'Naas'),
    targetAt(50 + at, `${at + 3} ${name} Ln`, 'Naas'),
  ]);
  const crescents = ['Pine', 'Ash', 'Elm'].map((name, at) => targetAt(60 + at, `${at + 3} ${name} Crescent`, 'Naas'));
  const own = [targetAt(1, '7 Heidi Court', 'Naas'), targetAt(2, '98 Creekside Lane', 'Naas')];
  const some = createMatchIndex([...own, ...others]);
  const all = createMatchIndex([...own, ...others, ...crescents]);

  test('is no other one that has the same short form', () => {
    for (const office of [some, all])
      for (const path of ['7 Heidi Crescent', 'Heidi Crescent 7', '98 Creekside Line'])
        expect(office.match({ path }).decision, path).not.toBe('send');
  });

  test('is another one if its short form begins that one', () => {
    expect(all.match({ path: '7 Heidi Cr' }).decision).toBe('ask');
  });

  test('is no form of one that begins like it, if hardly any street is written with both', () => {
    const names = [
      'Kapa',
      'Csata',
      'Ali',
      'Eper',
      'Rezeda',
      'Szamos',
      'Béke',
      'Haraszt',
      'Lakatos',
      'Fenyves',
      'Munka',
    ];
    const written = names.flatMap((name, at) =>
      [1, 2, 3].map((more) => {
        const kind = at % 3 === 0 ? 'út' : (at + more) % 2 === 0 ? 'u.' : 'utca';
        return targetAt(10 * at + more, `${name} ${kind} ${10 * at + more}`, 'Budapest');
      }),
    );
    const budapest = createMatchIndex(written);
    for (const path of ['Kapa út 1', 'Csata utca 12', 'Csata u 13', 'Eper út 32'])
      expect(budapest.match({ path }).decision, path).toBe('send');
    for (const path of ['Csata út 12', 'Ali út 22', 'Kapa utca 1', 'Béke utca 62'])
      expect(budapest.match({ path }).decision, path).not.toBe('send');
  });

  test('that is the name of a street is known by its other forms', () => {
    const kinds = ['Close', 'Park', 'Lane', 'Walk', 'Mews', 'Row', 'Green', 'Rise', 'Way', 'View', 'Court'];
    const office = createMatchIndex([
      ...others,
      ...kinds.map((kind, at) => targetAt(70 + at, `${at + 3} The ${kind}`, 'Naas')),
      ...['Fox', 'Fir', 'Kew'].flatMap((name, at) => [
        targetAt(90 + at, `${at + 3} ${name} Drive`, 'Naas'),
        targetAt(95 + at, `${at + 13} ${name} Dr`, 'Naas'),
      ]),
      targetAt(3, '3 The Dr', 'Naas'),
      targetAt(4, '14 The Drive', 'Naas'),
    ]);
    for (const [path, number] of [
      ['3 The Drive', 3],
      ['14 The Dr.', 4],
      ['5 The Ln', 72],
    ] as const)
      expect(office.match({ path }).best?.AssignmentId, path).toBe(idOf(number));
    expect(office.match({ path: '3 The Drive' }).decision).toBe('send');
  });

  test('has no two forms that are different names before it', () => {
    const names = [
      'Tähe',
      'Tähtvere',
      ...Array.from({ length: 30 }, (_, at) => `${'LMRSTV'[at % 6]}${'aeiou'[at % 5]}na`),
    ];
    const tartu = createMatchIndex(names.map((name, at) => targetAt(at + 1, `${name} tn ${at + 3}`, 'Tartu')));
    expect(tartu.match({ path: 'Tähe 4' }).best?.AssignmentId).not.toBe(idOf(2));
  });

  test('is known by a short form of it that the list has', () => {
    for (const path of ['7 Heidi Ct', '7 Heidi Crt', '98 Creekside Ln', '3 Pine Cr', '3 Pine Cres.'])
      expect(all.match({ path }).decision, path).toBe('send');
  });
});

describe('a word that announces the number, or stands behind it, in a part of the addresses', () => {
  const names = ['Rasinska', 'Topolska', 'Zelena', 'Ribarska', 'Mlinska', 'Kovačka'];
  const written = (write: (name: string, at: number, isSigned: boolean) => string, facilityOf = (at: number) => at) =>
    names.flatMap((name, at) =>
      [true, false].map((isSigned) => {
        const number = 10 * at + 10 + Number(isSigned);
        const FacilityId = `FAC-${facilityOf(number)}`;
        return targetAt(number, write(name, at, isSigned), 'Brus', {
          FacilityId,
          LastName: isSigned ? 'Lazić' : 'Ilić',
        });
      }),
    );
  const behind = createMatchIndex([
    ...written((name, at, isSigned) => `${name} ${isSigned ? `br. ${at + 4}` : at + 24}`),
    targetAt(1, 'Rasinska br. 9C', 'Brus'),
    targetAt(2, 'Rasinska 9', 'Brus'),
    targetAt(3, 'Zelena br. 63', 'Brus', { FacilityId: 'FAC-1' }),
    targetAt(4, 'Zelena 63', 'Brus', { FacilityId: 'FAC-1', LastName: 'Popov' }),
  ]);
  const before = createMatchIndex([
    ...written((name, at, isSigned) => `${isSigned ? 'Blk ' : ''}${isSigned ? at + 4 : at + 24} ${name} Street`),
    targetAt(1, 'Blk 135 Lipova Avenue 3 #05-101', 'Brus'),
    targetAt(2, '135 Lipova Avenue 3 #05-112', 'Brus', { LastName: 'Popov' }),
    targetAt(3, 'Blk 160 Lipova Avenue 4', 'Brus', { FacilityId: 'FAC-1' }),
    targetAt(4, '160 Lipova Avenue 4', 'Brus', { FacilityId: 'FAC-1', LastName: 'Popov' }),
  ]);

  const last = createMatchIndex([
    ...written((name, at, isSigned) => `${name} ${isSigned ? `${at + 4}. szám` : at + 24}`),
    targetAt(1, 'Rasinska 9/A. szám', 'Brus', { FacilityId: 'FAC-1' }),
    targetAt(2, 'Rasinska 9/A', 'Brus', { FacilityId: 'FAC-1', LastName: 'Popov' }),
    targetAt(3, 'Zelena 63 szám', 'Brus'),
    targetAt(4, 'Zelena 60', 'Brus'),
  ]);

  test.each([
    ['Zelena 63', last, 3],
    ['Zelena 63 szám', last, 3],
    ['Zelena 60. szám - fotók', last, 4],
    ['Rasinska br. 9C', behind, 1],
    ['Rasinska 9C', behind, 1],
    ['Rasinska br 9', behind, 2],
    ['Topolska br. 25', behind, 20],
    ['Topolska 5', behind, 21],
    ['#05-112 Blk 135 Lipova Avenue 3', before, 2],
    ['Blk 135 Lipova Avenue 3 #05-112', before, 2],
    ['Lipova Avenue 3 Blk 135 #05-101', before, 1],
  ])('is no part of the street: %s', (path, office, number) => {
    const { decision, candidates } = office.match({ path });
    expect([decision, candidates[0]?.AssignmentId]).toEqual(['send', idOf(number)]);
  });

  test.each([
    ['Rasinska 9A', last],
    ['Rasinska 9/A. szám', last],
    ['Zelena br. 63', behind],
    ['Zelena 63', behind],
    ['Blk 160 Lipova Avenue 4', before],
    ['160 Lipova Avenue 4', before],
    ['Blk 135 Lipova Avenue 3', before],
  ])('makes no difference between two assignments: %s', (path, office) => {
    expect(office.match({ path }).decision).toBe('ask');
  });

  test.each([
    ['a direction, if another facility has the number without it', (at: number) => at, 'Norte'],
    ['a direction, if it stands elsewhere too', () => 1, 'Sur'],
  ])('is %s', (_, facilityOf, word) => {
    const office = createMatchIndex([
      ...written((name, at, isSigned) => `${name} ${isSigned ? `${word} ` : ''}${at + 4}`, facilityOf),
      targetAt(1, 'Avenida Sur Grande 9', 'Brus'),
      targetAt(2, 'Sur Chica 9', 'Brus'),
    ]);
    for (const [path, number] of [
      [`Rasinska ${word} 4`, 11],
      [`Zelena ${word} 6`, 31],
    ] as const)
      expect([office.match({ path }).decision, office.match({ path }).candidates[0]?.AssignmentId]).toEqual([
        'send',
        idOf(number),
      ]);
  });

  test('is a kind, if some streets have it in all of their addresses', () => {
    const kinds = names.flatMap((name, at) =>
      [1, 2, 3, 4].map((more) =>
        targetAt(
          10 * at + 10 + more,
          `${name} ${at < 3 && more === 1 ? '' : at < 5 ? 'trg ' : ''}${more + 10}`,
          'Brus',
        ),
      ),
    );
    const others = names.flatMap((name, at) =>
      [1, 2, 3, 4].map((more) => targetAt(100 + 10 * at + more, `Nova ${name} ${more + 10}`, 'Brus')),
    );
    const office = createMatchIndex([...kinds, ...others]);
    expect(office.match({ path: 'Rasinska trg 11' }).decision).not.toBe('send');
  });
});

test('a part of a street with its number is no other street', () => {
  const places = [
    '43 East Broadway',
    '909 Broadway',
    '12 East Houston Street',
    '14 East Union Street',
    '16 East Elm Street',
  ];
  const manhattan = createMatchIndex(places.map((place, at) => targetAt(at + 1, place, 'Manhattan')));
  const { decision, best } = manhattan.match({ path: '43 East Broadway' });
  expect([decision, best?.AssignmentId]).toEqual(['send', idOf(1)]);
});
