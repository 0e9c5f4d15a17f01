/**
 * Folders that were once sent to a wrong assignment, because a part of their names or of an address was misread, and
 * similar ones that are sent.
 */
import { describe, expect, test } from 'vitest';
import { createMatchIndex } from './match-index.ts';
import { segmentOf } from './names.ts';
import { idOf, targetAt } from './testing/sample-targets.ts';

type Places = readonly (readonly [Address: string, City: string])[];

const matchIn = (places: Places, path: string) =>
  createMatchIndex(places.map(([Address, City], at) => targetAt(at + 1, Address, City))).match({ path });
const decisionIn = (places: Places, path: string): string => matchIn(places, path).decision;

describe('where either of two numbers finds a house', () => {
  const names = ['Lipová', 'Polní', 'Zahradní', 'Krátká', 'Nová', 'Školní', 'Dlouhá', 'Hlavní', 'Lesní', 'Luční'];
  const brno = names.flatMap((name, at) => [
    [`${name} ${1510 + at}/${at + 20}`, 'Brno'] as const,
    [`${name} ${820 + 3 * at}/${at + 41}`, 'Brno'] as const,
    [`${name} ${415 + 7 * at}/${at + 61}`, 'Brno'] as const,
  ]);

  test('the number of a flat that a word announces is none of them', () => {
    const all = [...brno, ['Uránová 26, byt 9', 'Brno'] as const];
    expect(decisionIn(all, 'Lipová 20')).toBe('send');
    expect(decisionIn(all, 'Uránová 26 byt 9')).toBe('send');
    expect(decisionIn(all, 'Uránová 9')).not.toBe('send');
  });
});

test('an article with an apostrophe is a word of its own, also in small letters', () => {
  const barcelona = [
    ["Avinguda d'Icaria, 137, 1-2", 'Barcelona'],
    ["Av. d'Icaria 137, 1º 2ª", 'Barcelona'],
    ['Avinguda Diagonal 3', 'Barcelona'],
    ['Avinguda Roma 5', 'Barcelona'],
  ] as const;
  expect(decisionIn(barcelona, "avinguda d'icaria 137 1o 2a")).not.toBe('send');
});

test('an unknown town is noticed behind a letter and a hyphen', () => {
  const amsterdam = [
    ['Prins Hendrikkade 100H', 'Amsterdam'],
    ['Damrak 3', 'Amsterdam'],
  ] as const;
  expect(decisionIn(amsterdam, 'Prins Hendrikkade 100H')).toBe('send');
  expect(decisionIn(amsterdam, "Jobs/'s-Gravenhage/Prins Hendrikkade 100H")).not.toBe('send');
});

test('an unknown town is no kind of street, whatever letters it shares with the usual one', () => {
  const melbourne = [
    ['23 Corkery Run', 'Melbourne'],
    ['4 Mill Dr', 'Melbourne'],
    ['5 Hill Dr', 'Melbourne'],
    ['6 Lake Dr', 'Melbourne'],
    ['7 Park Dr', 'Melbourne'],
  ] as const;
  expect(decisionIn(melbourne, 'Corkery Run, 23')).toBe('send');
  expect(decisionIn(melbourne, 'Jobs/Devonport/Corkery Run, 23')).not.toBe('send');
});

test('of two numbers beside a street the one with a # is that of a flat', () => {
  const ottawa = [
    ['6 Cedar Lane', 'Ottawa'],
    ['40 Maple Lane', 'Ottawa'],
    ['1205-15 Nickel Mill', 'Ottawa'],
    ['15 Nickel Mill', 'Ottawa'],
  ] as const;
  expect(decisionIn(ottawa, '6 Cedar Lane')).toBe('send');
  expect(decisionIn(ottawa, '40 Cedar Lane #6')).not.toBe('send');
  expect(matchIn(ottawa, '15 Nickel Mill').best?.AssignmentId).toBe(idOf(4));
  expect(matchIn(ottawa, '#1205 15 Nickel Mill').best?.AssignmentId).toBe(idOf(3));
});

test('the sign for a number in an address is no letter of a house', () => {
  const brno = [
    ['Uránová 21 byt č. 3', 'Brno'],
    ['Lipová 5', 'Brno'],
  ] as const;
  expect(decisionIn(brno, 'Uránová 21 byt č. 3')).toBe('send');
  expect(decisionIn(brno, 'Uránová 21C')).not.toBe('send');
});

test('a longer town that contains the name of another one, and another district, are other towns', () => {
  const towns = [
    ['5 Mill Lane', 'Stratford'],
    ['8 High Street', 'Stratford-upon-Avon'],
    ['Vesterbrogade 12', 'København V'],
    ['Vesterbrogade 14', 'København K'],
    ['Kongensgade 5', 'Odense V'],
    ['Lipová 12', 'Praha 5'],
    ['Lipová 5', 'Praha 5'],
    ['Storgatan 5', 'Lund'],
    ['Storgatan 6', 'Malmö'],
  ] as const;
  expect(decisionIn(towns, '5 Mill Lane, Stratford')).toBe('send');
  expect(decisionIn(towns, 'Kongensgade 5, Odense V')).toBe('send');
  for (const path of [
    '5 Mill Lane, Stratford-upon-Avon',
    'Vesterbrogade 12, København K',
    'Praha 5, Lipová',
    'Storgatan 5 mallmö',
  ])
    expect(decisionIn(towns, path), path).not.toBe('send');
});

test('a short part that no address of the list has is a flat', () => {
  const aarhus = [
    ['Østergade 8', 'Aarhus'],
    ['Østergade 8, 1. sal', 'Aarhus'],
  ] as const;
  for (const path of ['Østergade 8 tv', 'Østergade 8 stth', 'Østergade 8 st tv'])
    expect(decisionIn(aarhus, path), path).not.toBe('send');
});

test('the number of a flat is not the start of a range', () => {
  const york = [
    ['Flat 3-31 Priory Close', 'York'],
    ['Flat 4, 31 Priory Close', 'York'],
  ] as const;
  expect(decisionIn(york, 'Flat 3, 31 Priory Close')).toBe('send');
  expect(decisionIn(york, 'Flat 4-31 Priory Close')).toBe('send');
});

test('two numbers with a spaced dash before the street are a range of houses', () => {
  const newham = [
    ['117 - 125 Freemasons Road, Canning Town', 'London'],
    ['8 Mill Lane', 'London'],
    ['12 Mill Lane', 'London'],
    ['14 Mill Lane', 'London'],
  ] as const;
  for (const path of ['117 - 125 Freemasons Road', '117-125 Freemasons Road', '07 - 14 Mill Lane'])
    expect(decisionIn(newham, path), path).toBe('send');
  for (const path of ['116 - 125 Freemasons Road', '125 Freemasons Road', '8 - 12 Mill Lane'])
    expect(decisionIn(newham, path), path).toBe('ask');
});

test('a kind of street before the number of a flat does not announce the flat', () => {
  const fremont = [
    ['39150 Sundale Dr #72', 'Fremont'],
    ['12 Mission Dr', 'Fremont'],
    ['14 Walnut Dr', 'Fremont'],
    ['7 Paseo Dr #3', 'Fremont'],
  ] as const;
  expect(decisionIn(fremont, '39150 Sundale Dr. #72')).toBe('send');
  expect(decisionIn(fremont, '39150 Sundale #72')).toBe('send');
  expect(decisionIn(fremont, '39150 Sundale Rd. #72')).not.toBe('send');
});

test('a day that its month does not have is no date', () => {
  const daysIn = (name: string): number => segmentOf(name).days.length;
  for (const name of ['2026-02-31', '31.02.2026', '20260431', '29.2.2026', '31 April 2026'])
    expect(daysIn(name), name).toBe(0);
  for (const name of ['2026-02-28', '29.2.2028', '20260430', '30 April 2026']) expect(daysIn(name), name).toBe(1);
});

test('the parts of a date are not one number', () => {
  const bogota = [
    ['Diagonal 113 No 55', 'Suba'],
    ['Diagonal Mayor 9', 'Suba'],
    ['Diagonal Norte 5', 'Suba'],
  ] as const;
  const all = bogota.map(([Address, City], at) => targetAt(at + 1, Address, City, { LastName: 'Gaitán' }));
  expect(createMatchIndex(all).match({ path: 'Gaitán 2026-11-03' }).decision).not.toBe('send');
});

test('a small word with a dot or a capital may be the abbreviation of a kind', () => {
  const porto = [
    ['Rua da República 12', 'Porto'],
    ['Rua Direita 5', 'Porto'],
    ['Rua Nova 7', 'Porto'],
  ] as const;
  expect(decisionIn(porto, 'R. da República 12')).toBe('send');
  expect(decisionIn(porto, 'da República 12')).toBe('send');
  for (const path of ['Av. da República 12', 'av. da república 12', 'Av da República 12'])
    expect(decisionIn(porto, path), path).not.toBe('send');
});

test('the letter of a house is no preposition before the town', () => {
  const bursa = [
    ['Ulu Cad. No:14/A', 'Nilüfer'],
    ['Ulu Cad. No:14/A, Nilüfer', 'Nilüfer'],
    ['Mill Lane 3 A Leeds', 'Leeds'],
    ['Mill Lane 3 A', 'Leeds'],
  ] as const;
  expect(decisionIn(bursa, 'Ulu Cad. 14-A')).not.toBe('send');
  expect(decisionIn(bursa, 'Mill Lane 3 A')).not.toBe('send');
});

describe('an assignment is a rival however the list writes its street', () => {
  const bucharest = [
    ['Bulevardul Independenței nr. 39', 'Brașov'],
    ['B-dul Independenței nr. 39', 'Brașov'],
    ['B-dul Traian 5', 'Brașov'],
    ['Bulevardul Traian 7', 'Brașov'],
    ['B-dul Carol 11', 'Brașov'],
    ['Bulevardul Unirii 13', 'Brașov'],
    ['B-dul Unirii 15', 'Brașov'],
    ['Strada Unirii 15', 'Brașov'],
  ] as const;

  test('with a hyphen in the kind', () => {
    for (const path of ['Bulevardul Independenței 39', 'B-dul Independenței 39', 'b-dul independentei nr 39'])
      expect(decisionIn(bucharest, path), path).not.toBe('send');
    for (const path of [
      'B-dul Carol 11',
      'Bdul Carol 11',
      'Bulevardul Carol 11',
      'B-dul Unirii 13',
      'Bulevardul Unirii 15',
    ])
      expect(decisionIn(bucharest, path), path).toBe('send');
    expect(decisionIn([...bucharest, ['B-dul Sale 21', 'Brașov']], 'B. Independenței Sale 21')).not.toBe('send');
    expect(matchIn(bucharest, 'Strada Unirii 15').best?.AssignmentId).toBe(idOf(8));
  });

  test('with a letter for the direction', () => {
    const chicago = [
      ['230 S. Dearborn St., Suite 3892', 'Chicago'],
      ['230 South Dearborn Street, Suite 3900', 'Chicago'],
      ['12 South Main Street', 'Chicago'],
      ['14 S. Oak Street', 'Chicago'],
      ['16 S. Elm Street', 'Chicago'],
      ['3 South Lake Avenue', 'Chicago'],
      ['5 Park Street', 'Chicago'],
    ] as const;
    for (const path of ['230 S. Dearborn St.', '230 South Dearborn St'])
      expect(decisionIn(chicago, path), path).toBe('ask');
    for (const path of ['12 S Main St', '14 South Oak Street']) expect(decisionIn(chicago, path), path).toBe('send');
    const letters = [
      ...['Columbus', 'Kedzie', 'Pulaski', 'Union'].map((name, at) => [`${20 + at} N ${name} Ave`, '']),
      ['20 Union Ave', ''],
    ] as const;
    expect(matchIn(letters as Places, '20 North Columbus Ave')).toMatchObject({
      decision: 'ask',
      best: { AssignmentId: idOf(1) },
    });
  });

  test('if the street has a number for its name', () => {
    const bogota = [
      ['Calle 74A # 73A-85', 'Kennedy'],
      ['Cl. 74A # 73A-85', 'Kennedy'],
      ['Carrera 91 # 130C-41', 'Kennedy'],
      ['Cra. 91 # 82-20', 'Kennedy'],
      ['Cra. 104 # 140-05', 'Kennedy'],
      ['Calle 104 # 140-05', 'Kennedy'],
      ['Cl. 5 # 7-11', 'Kennedy'],
      ['Cl. 9 # 3-01', 'Kennedy'],
      ['Calle 12 # 2-35', 'Kennedy'],
      ['Carrera 15 # 1-10', 'Kennedy'],
      ['Carrera 16 # 1-12', 'Kennedy'],
      ['Cra. 17 # 1-14', 'Kennedy'],
    ] as const;
    for (const path of ['Cl. 74A # 73A-85', 'Calle 74A No. 73A-85', 'Carrera 91', 'Cra. 91'])
      expect(decisionIn(bogota, path), path).not.toBe('send');
    for (const path of ['Cra 91 # 82-20', 'Carrera 104 # 140-05', 'Calle 104 # 140-05'])
      expect(decisionIn(bogota, path), path).toBe('send');
  });
});

test('a letter that the list writes with a colon announces a number', () => {
  const istanbul = [
    ['Ulu Cad. No:10 D:1', 'Bursa'],
    ['Ulu Cad. No:10/1', 'Bursa'],
    ['Şenlik Sokak No:7 D:1', 'Bursa'],
    ['Şenlik Sokak No: 7 Daire: 1', 'Bursa'],
    ['Baraj Sokak No:22 D:4', 'Bursa'],
    ['Yeni Sokak No:3 Daire: 4', 'Bursa'],
    ['Okul Sokak No:14 D', 'Bursa'],
    ['Okul Sokak No:15 D', 'Bursa'],
    ['Park Sokak No:8/D', 'Bursa'],
    ['Yeni Sokak No:9/D', 'Bursa'],
  ] as const;
  for (const path of ['Ulu Cad. 10 D1', 'Ulu Cad. No 10 D 1', 'Şenlik Sokak 7, D 1'])
    expect(decisionIn(istanbul, path), path).not.toBe('send');
  for (const path of ['Baraj Sokak 22 D4', 'Baraj Sokak 22 daire 4', 'Yeni Sokak 3 D 4', 'Okul Sokak 14 D'])
    expect(decisionIn(istanbul, path), path).toBe('send');
});

test('the month of a street that is named after a date announces no flat', () => {
  const brasov = [
    ['Strada 1 Decembrie 1918, nr. 4', 'Brașov'],
    ['Str. 1 Decembrie 1918, 7', 'Brașov'],
    ['Bulevardul 16 Decembrie 1989, nr. 42', 'Brașov'],
    ['B-dul 22 Decembrie 1989, nr. 3', 'Brașov'],
    ['Strada Traian nr. 5, ap. 2', 'Brașov'],
    ['Strada Horea nr. 6, ap. 1', 'Brașov'],
    ['Bulevardul Carol nr. 6, ap. 12', 'Brașov'],
  ] as const;
  expect(decisionIn(brasov, 'Strada 1 Decembrie 1918 nr 4')).toBe('send');
  expect(decisionIn(brasov, 'Bulevardul 16 Decembrie 1989 42')).toBe('send');
  for (const path of ['Strada 1 Decembrie 1918 12', 'Strada 1 Mai 1918 nr. 4', 'Strada 1 Decembrie 1918'])
    expect(decisionIn(brasov, path), path).not.toBe('send');
});

test('two capitals behind the number of a flat are a part of it', () => {
  const rosario = [
    ['Córdoba 341 Dto. 1', 'Rosario'],
    ['Córdoba 341 1° D', 'Rosario'],
    ['Mitre 8 piso 2', 'Rosario'],
  ] as const;
  expect(decisionIn(rosario, 'Mitre 8 P2, KH')).toBe('send');
  for (const path of ['Córdoba 341 P1 DD', 'Mitre 8 piso 2 DE', 'Mitre 8 2 TV'])
    expect(decisionIn(rosario, path), path).not.toBe('send');
});

test('a letter behind a number in the name of a street is no small word', () => {
  const singapore = [
    ['Blk 605 Ang Mo Kio Avenue 5', 'Ang Mo Kio'],
    ['Blk 520B Tampines Central 8', 'Tampines'],
    ['Blk 12 Bedok Road 3', 'Bedok'],
  ] as const;
  for (const path of ['Blk 605 Ang Mo Kio Ave 5', 'Blk 520B Tampines Central 8', 'Blk 520 b Tampines Central 8'])
    expect(decisionIn(singapore, path), path).toBe('send');
  for (const path of ['Blk 605A Ang Mo Kio Ave 5', 'Blk 605 a Ang Mo Kio Ave 5', 'Blk 520 Tampines Central 8'])
    expect(decisionIn(singapore, path), path).not.toBe('send');
});

test('a letter behind the number is the letter of the house, in any script', () => {
  const sofia = [
    ['ул. Гео Милев 20Б', 'София'],
    ['ул. Народно Хоро 15', 'София'],
  ] as const;
  for (const path of ['ул. Гео Милев 20Б', 'ул. Гео Милев 20 Б', 'ул. Народно Хоро 15'])
    expect(decisionIn(sofia, path), path).toBe('send');
  for (const path of ['ул. Гео Милев 20', 'ул. Гео Милев 20В', 'ул. Народно Хоро 15А'])
    expect(decisionIn(sofia, path), path).not.toBe('send');
});

test('a word for a part of the house announces the house where nothing else does', () => {
  const burgas = [
    ['ул. Шейново 4, вх. Б, ап. 2', 'Бургас'],
    ['ул. Шейново 6 бл. 3, вх. А, ап. 5', 'Бургас'],
    ['ж.к. Лазур, бл. 61, вх. А, ап. 12', 'Бургас'],
    ['ж.к. Лазур бл. 62 вх. Б ап. 7', 'Бургас'],
    ['ж.к. Изгрев бл. 17 бл. 2, вх. Г, ап. 12', 'Бургас'],
    ['ж.к. Рудник, бл. 515, вх. Б, ап. 12', 'Бургас'],
    ['ж.к. Рудник бл. 515, вх. Б, ап. 12', 'Бургас'],
    ['ж.к. Славейков, бл. 113, вх. В, ап. 9', 'Бургас'],
    ['ул. Калофер 13 бл. 1, вх. В, ап. 3', 'Бургас'],
    ['ул. Лозенец 8 бл. 2, вх. Г, ап. 1', 'Бургас'],
  ] as const;
  for (const path of ['Лазур бл 61 вх А ап 12', 'ж.к. Славейков бл.113, вх.В, ап.9'])
    expect(decisionIn(burgas, path), path).toBe('send');
  for (const path of ['Рудник бл. 515 вх. Б ап. 12', 'Рудниик бл. 515 вх. Б ап. 12', 'ул. Лазур бл. 62 вх. Б ап. 9'])
    expect(decisionIn(burgas, path), path).not.toBe('send');
});

test('another number before the house number, and a word that announces that, are no street', () => {
  const singapore = [
    ...['Bedok', 'Hougang', 'Yishun', 'Simei', 'Tampines'].flatMap((name, at) => [
      [`Blk ${at + 1} ${name} Road`, 'Bedok'] as const,
      [`${at + 11} ${name} Road`, 'Bedok'] as const,
      [`Blk ${at + 21} ${name} Road`, 'Bedok'] as const,
    ]),
    ['Blk 46-1 Queens Drive', 'Queenstown'],
  ] as const;
  expect(matchIn(singapore, '46-1 Queens Drive').best?.AssignmentId).toBe(idOf(16));
  expect(decisionIn(singapore, 'Blk 46')).toBe('none');
});

test('the letter of a word for a flat before its number stands for the word', () => {
  const melbourne = [
    ['Unit 1/308 Canterbury Rd', 'Kew'],
    ['U1/308 Canterbury Road', 'Kew'],
    ['Unit 2, 19 Robe St', 'Kew'],
    ['Unit 7/5 Dow St', 'Kew'],
    ['U4/43 Clifton Rd', 'Kew'],
    ['6/12 Bay St', 'Kew'],
    ['B3/8 Bank St', 'Kew'],
  ] as const;
  for (const path of ['Unit 4, 43 Clifton Rd', 'U2 19 Robe St', 'U6 12 Bay St', 'B3, 8 Bank St'])
    expect(decisionIn(melbourne, path), path).toBe('send');
  for (const path of [
    'Unit 1, 308 Canterbury Rd',
    'U1 308 Canterbury Rd',
    'U4 12 Bay St',
    'B6, 12 Bay St',
    'U3, 8 Bank St',
  ])
    expect(decisionIn(melbourne, path), path).not.toBe('send');
});

test('a part of a postcode before the number is no flat', () => {
  const ottawa = [
    ['403 Cumberland Ave', 'Ottawa', 'P6C 2B6'],
    ['403 Cumberland Ave', 'Ottawa', ''],
    ['3-603 Queen St', 'Ottawa', ''],
    ['12 Queen St', 'Ottawa', 'P6A 1B1'],
  ] as const;
  const index = createMatchIndex(
    ottawa.map(([Address, City, ZipCode], at) => targetAt(at + 1, Address, City, { ZipCode })),
  );
  expect(index.match({ path: 'Ottawa P6C 2B6_403 Cumberland Ave' }).decision).toBe('ask');
  expect(index.match({ path: 'Ottawa P6A 1B1_603 Queen St/Unit 3' }).decision).toBe('send');
});

test('a small letter with a dot is a part of the abbreviation, as a capital is', () => {
  const alessandria = [
    ['Via Carlo Rossi 6', 'Alessandria'],
    ['Via Dante 3', 'Alessandria'],
    ['Via Verdi 5', 'Alessandria'],
    ['Viale Milite Ignoto 8', 'Alessandria'],
    ['V.le Medaglie 9', 'Alessandria'],
    ['Viale Brigata 7', 'Alessandria'],
  ] as const;
  expect(decisionIn(alessandria, 'v.le carlo rossi 6')).not.toBe('send');
});

test('vowels are known in every script', () => {
  const athens = [
    ['Δωδεκανήσου 1', 'Αθήνα'],
    ['Ερμού 5', 'Αθήνα'],
  ] as const;
  const index = createMatchIndex(
    athens.map(([Address, City], at) => targetAt(at + 1, Address, City, { FirstName: 'Κώστας' })),
  );
  expect(index.match({ path: 'Δωδεκανήσου 1, Αθήνα' }).decision).toBe('send');
  // "Κως" is not a short form of the first name "Κώστας".
  expect(index.match({ path: 'Δωδεκανήσου 1, Κως' }).decision).not.toBe('send');
});

test('a short form with a hyphen is one word', () => {
  const moscow = [
    ['Огородный пр-д, 4', 'Москва'],
    ['Мурманский пр-д, 20А', 'Москва'],
    ['Мурманский проезд, 20А', 'Москва'],
    ['Прудовой пр-д, 7', 'Москва'],
    ['Звёздный бульвар, 2', 'Москва'],
    ['Садовый переулок, 5', 'Москва'],
  ] as const;
  for (const path of ['Огородный пр-д 4', 'огородный проезд 4', 'ОГОРОДНЫЙ ПР-Д 4'])
    expect(decisionIn(moscow, path), path).toBe('send');
  for (const path of ['Огородный проспект 4', 'Огородный переулок 4', 'Мурманский пр-д 20А'])
    expect(decisionIn(moscow, path), path).not.toBe('send');
});

test('a short word before a number of the street announces it, if the name has the kind of the street', () => {
  const santiago = [
    ['Av. Valparaíso 532', 'Viña del Mar'],
    ['Av. Libertad 7', 'Viña del Mar'],
    ['Av. España 12', 'Viña del Mar'],
    ['Condell 1343', 'Valparaíso'],
  ] as const;
  for (const path of ['Av. Valparaíso Nro 532', 'condell nro 1343', 'Condell, nro 1343'])
    expect(decisionIn(santiago, path), path).toBe('send');
  for (const path of ['Valparaíso psj 532', 'Av. Valparaíso Nro 533', 'Condell dep 4'])
    expect(decisionIn(santiago, path), path).not.toBe('send');
});

describe('a flat that a word announces which no address has', () => {
  const santiago = [
    ['Ohiggins 640, Local 4', 'Pucón'],
    ['Ohiggins 640', 'Pucón'],
    ['La Tirana 3745, Local 19', 'Iquique'],
    ['Brasil 853, Local 2', 'Rancagua'],
    ['Recoleta 2774, Local 12', 'Recoleta'],
    ['Portugal 628, Local 9', 'Santiago'],
  ] as const;

  test('is the one with its number', () => {
    for (const path of [
      'Depto 4 Ohiggins 640',
      'Ohiggins 640/Depto 4',
      'La Tirana 3745 of 19',
      'Portugal 628 D9',
      'Recoleta 2774 Dpto 12',
    ])
      expect(decisionIn(santiago, path), path).toBe('send');
  });

  test('is no other one, and not the house', () => {
    for (const path of [
      'La Tirana 3745/Depto 7',
      'Brasil 853 of 4 planos',
      'Depto 7 Ohiggins 640',
      'Portugal 628 D8',
      'Recoleta 2774 Depto 1',
    ])
      expect(decisionIn(santiago, path), path).not.toBe('send');
    expect(matchIn(santiago, 'Depto 4 Ohiggins 640').best?.AssignmentId).toBe(idOf(1));
  });
});

test('the word before a number that is too long for a house is no town', () => {
  const moscow = [
    ['ул. Гончарова, 9А', 'Москва'],
    ['ул. Руставели, 14', 'Москва'],
  ] as const;
  expect(decisionIn(moscow, 'заказ 7262 - ул. гончарова 9а')).toBe('send');
  expect(decisionIn(moscow, 'химки - ул. гончарова 9а')).not.toBe('send');
});

describe('a name behind the house', () => {
  const places = (ends: readonly string[]): Places =>
    ['Zhongxiao', 'Minquan', 'Xinzhan', 'Nanjing'].flatMap((name, at) => [
      [`12 ${name} Road, ${ends[at] ?? ''}`, 'Taipei'] as const,
      [`14 ${name} Road, ${ends[at + 1] ?? ''}`, 'Taipei'] as const,
    ]);

  test('may be left out', () => {
    const all = ['Songshan', 'Banqiao', 'Xinyi', 'Datong'].flatMap((end, at) =>
      places(Array(5).fill(end)).slice(2 * at, 2 * at + 2),
    );
    expect(decisionIn(all, '12 Xinzhan Road')).toBe('send');
    expect(decisionIn([...all, ['14 Xinzhan Road', 'Taipei']], '14 Xinzhan Road')).not.toBe('send');
  });

  test('may be left out also before a flat', () => {
    const all = ['Songshan', 'Banqiao', 'Xinyi', 'Datong'].flatMap((end, at) =>
      places(Array(5).fill(end)).slice(2 * at, 2 * at + 2),
    );
    const flat = ['16 Xinzhan Road, Xinyi, 2F', 'Taipei'] as const;
    expect(decisionIn([...all, flat], '16 Xinzhan Road 2F')).toBe('send');
    expect(decisionIn([...all, flat], '16 Xinzhan Road 3F')).not.toBe('send');
  });

  test('tells houses of one number apart', () => {
    const all = [...places(['Garden', 'Rear', 'Garden', 'Rear', 'Garden']), ['14 Xinzhan Road', 'Taipei']] as const;
    expect(decisionIn(all, '14 Xinzhan Road Rear')).toBe('send');
    for (const path of ['14 Xinzhan Road', '12 Xinzhan Road Rear'])
      expect(decisionIn(all, path), path).not.toBe('send');
  });

  test('is another place than that of another address, although the town is the same', () => {
    const bordon = [
      ['45 Liphook Road, Whitehill', 'Bordon'],
      ['31 Liphook Road, Lindford', 'Bordon'],
      ...[2, 4, 6, 8, 10, 12].map((house) => [`${house} Elm Close, Lindford`, 'Bordon'] as const),
      ...[2, 4, 6, 8, 10, 12].map((house) => [`${house} Forest Way, Whitehill`, 'Bordon'] as const),
    ] as const;
    expect(decisionIn(bordon, 'Bordon/45 Liphook Road, Whitehill')).toBe('send');
    expect(decisionIn(bordon, 'Bordon/45 Liphook Road')).toBe('send');
    expect(decisionIn(bordon, 'Bordon/45 Liphook Road, Lindford')).not.toBe('send');
    expect(decisionIn(bordon, 'Whitehill/45 Liphook Road')).toBe('send');
    for (const path of ['Lindford/45 Liphook Road', 'Bordon/Lindford 2026/45 Liphook Road'])
      expect(decisionIn(bordon, path), path).not.toBe('send');
  });

  test('is no flat, whatever the names of other streets', () => {
    const villages = [
      ['5 Arundel Close, Passfield', 'Liphook'],
      ['2 Firs Cottages, Passfield Road, Saltburn-by-Sea', 'Liphook'],
      ['12 Oak Way, Passfield, GU30 7RW', 'Liphook'],
      ['14 Oak Way, Passfield, GU30 7RX', 'Liphook'],
    ] as const;
    for (const path of [
      '5 Arundel Close Passfield',
      '2 Firs Cottages - Passfield Road',
      '2 Firs Cottages, Saltburn-by-Sea',
      '12 Oak Way, Passfield, GU30 7RW',
    ])
      expect(decisionIn(villages, path), path).toBe('send');
    expect(decisionIn(villages, '12 Oak Way, Passfield, GU30 7RX')).not.toBe('send');
  });
});

test('the number and the letter of a flat before the house are read together', () => {
  const taipei = [
    ['2F., No. 28, Xinzhan Rd', 'Taipei'],
    ['No. 30, Xinzhan Rd, 5F', 'Taipei'],
    ['No. 22, Sec. 3, Minquan E. Road', 'Taipei'],
    ['No. 24, Sec. 2, Minquan E. Road', 'Taipei'],
    ['12 Nanjing Rd', 'Taipei'],
  ] as const;
  for (const path of ['2F 28 Xinzhan Road', '28 Xinzhan Rd 2F', '5F, 30 Xinzhan Rd', '22 Sec. 3, Minquan E. Rd'])
    expect(decisionIn(taipei, path), path).toBe('send');
  for (const path of ['8F 28 Xinzhan Road', '24 Sec. 3, Minquan E. Rd', '2F 30 Xinzhan Rd'])
    expect(decisionIn(taipei, path), path).not.toBe('send');
});

test('joined numbers are read in the order of the list on both sides of the street', () => {
  const suwon = [
    ['322-3, Mangpo-dong', 'Suwon'],
    ['3-322, Mangpo-dong', 'Suwon'],
    ['1044-8, Hogye-dong', 'Suwon'],
    ['Ingye-dong 1038-2', 'Suwon'],
    ['302F, 203-14, Bupyung-dong', 'Suwon'],
    ['405F, 203-14, Bupyung-dong', 'Suwon'],
  ] as const;
  for (const [path, at] of [
    ['Mangpo-dong 322-3', 1],
    ['Mangpo-dong 3-322', 2],
    ['Hogye-dong 1044-8', 3],
    ['1038-2 Ingye-dong', 4],
    ['Bupyung-dong 203-14 302F', 5],
  ] as const) {
    const { decision, best } = matchIn(suwon, path);
    expect({ path, decision, id: best?.AssignmentId }).toEqual({ path, decision: 'send', id: idOf(at) });
  }
  for (const path of ['Hogye-dong 8-1044', '2-1038 Ingye-dong', 'Bupyung-dong 203-14'])
    expect(decisionIn(suwon, path), path).not.toBe('send');
});

test('a word between a word for a flat and its number announces any number', () => {
  const bratislava = [
    ['Bratská 17, byt č. 6', 'Bratislava'],
    ['Limbová 14, byt č. 3', 'Bratislava'],
    ['Klenová 1, byt č. 5', 'Bratislava'],
    ['Winterova č. 66', 'Bratislava'],
    ['Antolská 11', 'Bratislava'],
    ...Array.from({ length: 40 }, (_, at) => [`Dlhá ${at + 1}`, 'Bratislava'] as const),
  ] as const;
  expect(decisionIn(bratislava, 'Antolská č. 11')).toBe('send');
  expect(decisionIn(bratislava, 'winterova c. 66')).toBe('send');
  expect(decisionIn([...bratislava, ['Winterova 66', 'Bratislava']], 'winterova c. 66')).not.toBe('send');
  expect(decisionIn(bratislava, 'Bratská 17 byt 6')).toBe('send');
  expect(decisionIn(bratislava, 'Bratská 17 byt č. 8')).not.toBe('send');
});

test('the flat of a deeper folder speaks against a house without flats', () => {
  const house = [['Storgatan 12', 'Umeå']] as const;
  expect(decisionIn(house, 'Jobs/Storgatan 12/Bilder')).toBe('send');
  expect(decisionIn(house, 'Jobs/Storgatan 12/Bilder/lgh 4')).not.toBe('send');
});

test('a word behind the number of every flat tells none apart', () => {
  const athens = [
    ['Κνωσσού 4, 2ος όροφος', 'Αθήνα'],
    ['Λαγκαδά 196, 1ος όροφος', 'Αθήνα'],
    ['Ερμού 10, 3ος όροφος', 'Αθήνα'],
    ['Μεσογείων 152', 'Αθήνα'],
  ] as const;
  for (const path of ['Κνωσσού 4 όροφος 2', 'Λαγκαδά 196, 1ος', 'Ερμού 10/3ος όροφος', 'ΕΡΜΟΥ 10, 3ΟΣ ΟΡΟΦΟΣ'])
    expect(decisionIn(athens, path), path).toBe('send');
  for (const path of ['Κνωσσού 4 όροφος 3', 'Λαγκαδά 196, 2ος', 'Μεσογείων 152, 3ος όροφος'])
    expect(decisionIn(athens, path), path).not.toBe('send');
});

test('a word before a separator and a job number may be a town', () => {
  const umea = [['Storgatan 6', 'Umeå']] as const;
  expect(decisionIn(umea, 'Jobs/storgatan 6 - ordersedel 35581')).toBe('send');
  expect(decisionIn(umea, 'Jobs/storgatan 6 - falun - 35581')).not.toBe('send');
});

test('a word that the list writes with a dot is a short form', () => {
  const names = ['Recoleta', 'Libertad', 'Brasil', 'Colón', 'Argentina', 'Valparaíso'];
  const santiago = [
    ...names.map((name, at) => [`Av. ${name} ${at + 10}`, 'Santiago'] as const),
    ...names.map((name, at) => [`Avenida ${name} ${at + 50}`, 'Santiago'] as const).slice(0, 1),
    ['Nám. Svobodu 4', 'Santiago'],
  ] as const;
  for (const path of ['Avda Libertad 11', 'Avda. Brasil 12', 'Avenida Colón 13', 'Námestie Svobodu 4'])
    expect(decisionIn(santiago, path), path).toBe('send');
  expect(decisionIn(santiago, 'Calle Libertad 11')).not.toBe('send');
});

test('a number sign before the number is no street', () => {
  const ipoh = [
    ['No. 85, Jalan Loke Yew', 'Ipoh'],
    ['No. 2, Jalan Merdeka', 'Ipoh'],
    ['No. 6, Jalan Barat', 'Ipoh'],
    ['No. 6-2, Jalan Barat', 'Ipoh'],
  ] as const;
  for (const path of ['85 Jalan Loke Yew', 'Jalan Loke Yew 85', 'No 2 Jalan Merdeka'])
    expect(decisionIn(ipoh, path), path).toBe('send');
  for (const path of ['No 2', 'No. 85', '86 Jalan Loke Yew']) expect(decisionIn(ipoh, path), path).not.toBe('send');
});

test('the postcode of the town is no house number of an assignment that lacks it', () => {
  const faure = { LastName: 'Faure' };
  const { match } = createMatchIndex([
    targetAt(1, '6 Boulevard Laplace', 'Luçon', { ...faure, ZipCode: '85400' }),
    targetAt(2, '8 Boulevard Laplace', 'Luçon', faure),
  ]);
  expect(match({ path: 'Boulevard Laplace, 85400, Faure' }).decision).not.toBe('send');
  expect(match({ path: 'Boulevard Laplace 8, 85400' }).best?.AssignmentId).toBe(idOf(2));
});

test('a house number that is also a postcode of the town is a house number', () => {
  const { match } = createMatchIndex([
    targetAt(1, 'Nangang Road 114', 'Taipei', { ZipCode: '115' }),
    targetAt(2, 'Nangang Road 114', 'Taipei'),
    targetAt(3, 'Mill Road 5', 'Taipei', { ZipCode: '114' }),
  ]);
  const [one, other] = match({ path: 'Nangang Road 114' }).candidates;
  expect(one?.certainty).toBeCloseTo(other?.certainty ?? 0);
});

test('a letter that is written onto the number is no short form of a kind of street', () => {
  const livry = [
    ['135 Av. Vauban', 'Livry'],
    ['4 Av. Turgot', 'Livry'],
    ['6 Avenue Turgot', 'Livry'],
    ['8 Avenue Sully', 'Livry'],
    ['9 Avenue Colbert', 'Livry'],
  ] as const;
  expect(decisionIn(livry, '135 A. Vauban')).toBe('send');
  expect(decisionIn(livry, '135A Vauban')).not.toBe('send');
});

test('an unknown word announces no house number if there is one on the other side of the street', () => {
  const chalons = [
    ['3 Rue Saint Joseph, Apt 12', 'Châlons'],
    ['5 Rue Saint Joseph, Apt 4', 'Châlons'],
  ] as const;
  expect(decisionIn(chalons, '5 Rue Saint Joseph log 4')).toBe('send');
  expect(decisionIn(chalons, '3 Rue Saint Joseph log 3')).not.toBe('send');
  expect(decisionIn(chalons, '3 Rue Saint Joseph log. 3')).not.toBe('send');
  expect(decisionIn(chalons, '3 Rue Saint Joseph n° 3')).not.toBe('send');
});

test('a number that does not begin a name leaves the one behind the street as that of the house', () => {
  const taipei = [
    ['No. 5, Sec. 1, Xinzhan Rd', 'Taipei'],
    ['No. 8, Sec. 2, Xinzhan Rd', 'Taipei'],
    ['No. 9, Mill Rd', 'Taipei'],
  ] as const;
  expect(matchIn(taipei, 'Part 7 Mill Rd No. 9').best?.AssignmentId).toBe(idOf(3));
});

test('a letter is no short form of a kind that the list abbreviates in another way', () => {
  const names = ['Delacroix', 'Pasteur', 'Molière', 'Voltaire', 'Verlaine', 'Rimbaud'];
  const draveil = [
    ...names.map((name, at) => [`${at + 1} R. ${name}`, 'Draveil'] as const),
    ...names.map((name, at) => [`${at + 11} Rte ${name}`, 'Draveil'] as const).slice(3),
  ];
  expect(decisionIn(draveil, '1 Rue Delacroix')).toBe('send');
  expect(decisionIn(draveil, '14 Rte Voltaire')).toBe('send');
  expect(decisionIn(draveil, '1 Route Delacroix')).not.toBe('send');
});

test('a capital O behind a number is a letter, and no sign of an ordinal', () => {
  const queens = [
    ['10 Mill Avenue #3O', 'Queens'],
    ['10 Mill Avenue #5L', 'Queens'],
  ] as const;
  expect(decisionIn(queens, '10 Mill Avenue 3O')).toBe('send');
  expect(decisionIn(queens, '10 Mill Avenue 3')).not.toBe('send');
});

test('a capital O behind a number is the sign of an ordinal where all letters are capitals', () => {
  const names = (one: string) => [
    `Rua Augusta 12, 4${one} dto`,
    `Rua Augusta 12, 3${one} esq`,
    `Rua Garrett 5, 1${one}`,
  ];
  const [capitals, small] = [names('O').map((name) => name.toUpperCase()), names('º')];
  for (const [list, paths] of [
    [capitals, small],
    [small, capitals],
  ] as const) {
    const lisboa = list.map((address) => [address, 'Lisboa'] as const);
    for (const path of paths) expect(decisionIn(lisboa, path), path).toBe('send');
  }
});

test('a town can have the name that the street has', () => {
  const oxford = [
    ['271 Abingdon Road', 'Oxford'],
    ['12 Mill Road', 'Oxford'],
  ] as const;
  for (const path of [
    '271 Abingdon Road',
    'Abingdon Road/271 Abingdon Road',
    '271 Abingdon Road, Oxford, Abingdon Road',
  ])
    expect(decisionIn(oxford, path), path).toBe('send');
  expect(decisionIn(oxford, '271 Abingdon Road, Abingdon')).not.toBe('send');
});

test('a word before a job number is no part of it if fields are separated as they are', () => {
  const stavanger = [['Lagårdsveien 91', 'Stavanger']] as const;
  expect(decisionIn(stavanger, 'Lagårdsveien 91_ordersedel 35581')).toBe('send');
  expect(decisionIn(stavanger, 'Lagårdsveien_91_ordersedel_35581')).toBe('send');
  expect(decisionIn(stavanger, 'Lagårdsveien 91_Farsund_35581')).not.toBe('send');
});

test('a house has all names of its street that its assignments have in longer and in shorter forms', () => {
  const narlidere = (FacilityId: string) =>
    createMatchIndex([
      targetAt(1, 'Ilıca Mahallesi Mithatpaşa Caddesi 28/B', 'Narlıdere', { FacilityId: 'F733267' }),
      targetAt(2, 'Mithatpaşa Caddesi 28/B', 'Narlıdere', { FacilityId }),
      targetAt(3, 'Atatürk Caddesi 5', 'Narlıdere', { FacilityId: 'F733268' }),
    ]);
  for (const path of ['Mithatpaşa Caddesi 28-B', 'Ilıca Mahallesi Mithatpaşa Caddesi 28-B']) {
    expect(narlidere('F733267').match({ path }).decision, path).toBe('ask');
    expect(narlidere('F733269').match({ path }).decision, path).toBe('send');
  }
});

describe('a number that may be a count', () => {
  const solna = [
    ['Plogvägen 7', 'Solna'],
    ['Plogvägen 7, 4 tr', 'Solna'],
    ['Storgatan 76C, 8 tr', 'Solna'],
    ['Idungatan 5', 'Solna'],
    ['Idungatan 9, 2 tr', 'Solna'],
    ['Stadionvägen 61, 2 tr', 'Solna'],
  ] as const;

  test.each([
    'Plogvägen 7 plan 4',
    'Plogvägen 7 bilder 4',
    'Storgatan 76C plan 1',
    'Storgatan 76C, 3 tak',
    'Stadionvägen 61_3 tak',
  ])('may be a flat of a house that has some: %s', (path) => expect(decisionIn(solna, path)).not.toBe('send'));

  test.each([
    'Plogvägen 7',
    'Plogvägen 7 plan 3',
    'Idungatan 5 plan 4',
    'Plogvägen 7, 4 tr, bilder 2',
    'Idungatan 9 plan 2',
  ])('is none where no flat has it, or another one is named: %s', (path) =>
    expect(decisionIn(solna, path)).toBe('send'),
  );
});

test('a number before a street that has a number for its name is a part of the house', () => {
  const names = ['144', '9', '12', '23', '35'];
  const queens = names.map((name, at) => [`171-0${at} ${name} Ave`, 'Queens'] as const);
  expect(decisionIn(queens, '171-00 144 Ave')).toBe('send');
  expect(decisionIn(queens, '181-36, 144 Ave')).not.toBe('send');
});

test('a letter that is written onto the number of every flat tells none apart', () => {
  const melbourne = [
    ['U13/44 Burwood Rd', 'Hawthorn'],
    ['13/44 Burwood Rd', 'Hawthorn'],
    ['U4/43 Clifton Rd', 'Hawthorn'],
    ['U7/2 Mill Rd', 'Hawthorn'],
    ['8/5 Hill Rd', 'Hawthorn'],
  ] as const;
  for (const path of ['Unit 4, 43 Clifton Rd', 'U8-5 Hill Rd']) expect(decisionIn(melbourne, path), path).toBe('send');
  for (const path of ['Unit 13, 44 Burwood Rd', 'B4-43 Clifton Rd'])
    expect(decisionIn(melbourne, path), path).not.toBe('send');
});

test('a letter and a slash before a street are a short form of its kind', () => {
  const mutxamel = [
    ['C/ Ponent, 15', 'Mutxamel'],
    ['C/ Major, 3', 'Mutxamel'],
    ['C/ Nou, 7', 'Mutxamel'],
    ['C/ Dolores Ibárruri 1', 'Mutxamel'],
    ['Avenida Roma, 9', 'Mutxamel'],
    ['Avenida Denia, 12', 'Mutxamel'],
    ['Avenida Elche, 14', 'Mutxamel'],
  ] as const;
  for (const path of ['C Ponent 15', 'Calle Ponent 15', 'Dolores Ibarruri 1', 'Avenida Roma 9'])
    expect(decisionIn(mutxamel, path), path).toBe('send');
  for (const path of ['Avenida Ponent 15', 'Dolores Ibarruri n1c'])
    expect(decisionIn(mutxamel, path), path).not.toBe('send');
});

test('a letter can end the name of a street in one of two languages', () => {
  const brussels = [
    ['Quai B - Kaai B 6', 'Brussels'],
    ['Rue Neuve - Nieuwstraat 8', 'Brussels'],
  ] as const;
  for (const path of ['Quai B 6', 'Kaai B 6']) expect(decisionIn(brussels, path), path).toBe('send');
});

test('a flat that is joined to the number of a house is read as one before it, also with a letter or a range', () => {
  const manly = [
    ['19-23 The Corso', 'Manly'],
    ['Unit 12, 19-23 The Corso', 'Manly'],
    ['Unit 5, 7 Mill Road', 'Manly'],
    ['Unit 3, 9 Hill Road', 'Manly'],
    ['U8/19-23 The Corso', 'Manly'],
    ['9/19-23 The Corso', 'Manly'],
    ['Unit 2, 460A Great Western Road', 'Manly'],
    ['U2/460A Great Western Road', 'Manly'],
    ['U4/460A Great Western Road', 'Manly'],
  ] as const;
  for (const path of ['Unit 8, 19-23 The Corso', 'U8 19-23 The Corso', 'Unit 4, 460A Great Western Road'])
    expect(decisionIn(manly, path), path).toBe('send');
  expect(matchIn(manly, 'U8 19-23 The Corso').best?.AssignmentId).toBe(idOf(5));
  for (const path of ['Unit 2, 460A Great Western Road', 'U2 460A Great Western Road', 'U7 19-23 The Corso'])
    expect(decisionIn(manly, path), path).not.toBe('send');
});

test('the name of the town is no street without its kind if the name of the street stands elsewhere', () => {
  const brooklyn = [
    ['1181 Bushwick Ave', 'Bushwick'],
    ['12 Mill Ave', 'Bushwick'],
    ['14 Hill Ave', 'Bushwick'],
    ['3 Lake Street', 'Bushwick'],
    ['5 Park Street', 'Bushwick'],
    ['7 Wood Street', 'Bushwick'],
  ] as const;
  for (const path of ['1181 Bushwick', 'Bushwick Ave 1181, Bushwick'])
    expect(decisionIn(brooklyn, path), path).toBe('send');
  expect(decisionIn(brooklyn, 'Bushwick Street 1181 Bushwick')).not.toBe('send');
});

test('a number with as many digits as the missing part of the house is another part', () => {
  const surrey = ['56', '24', '12', '9'].map((name, at) => [`1745${at} ${name} Ave`, 'Surrey'] as const);
  expect(decisionIn(surrey, '17450 56 Ave')).toBe('send');
  for (const path of ['Surrey 56 Ave 17465', '15361 24 Ave, Surrey'])
    expect(decisionIn(surrey, path), path).not.toBe('send');
});

test('a job number with as many digits as a flat that is announced by a word is no other flat', () => {
  const koping = [
    ['Norra Järnvägsgatan 42, lgh 3103', 'Köping'],
    ['Norra Järnvägsgatan 44, lgh 1101', 'Köping'],
    ['Storgatan 5, lgh 1203', 'Köping'],
    ['Industrigatan 12', 'Köping'],
  ] as const;
  for (const path of ['4700 - Norra Järnvägsgatan 42', 'Order 1234 Storgatan 5', 'Storgatan 5 ordre 7262'])
    expect(decisionIn(koping, path), path).toBe('send');
  expect(decisionIn(koping, 'Storgatan 5 lgh 1204')).not.toBe('send');
});

test('a job number, a version or a sequence number before the house number is no flat', () => {
  const chicago = [
    ['316 W Lake St, Suite 7', 'Chicago'],
    ['2940 N Moody Ave', 'Chicago'],
    ['5009 N Winchester Ave', 'Chicago'],
  ] as const;
  for (const path of ['#267082 - 316 W Lake St, Suite 7', 'v2_2940 N Moody Ave', '08_5009 N Winchester Ave'])
    expect(decisionIn(chicago, path), path).toBe('send');
  for (const path of ['#12 5009 N Winchester Ave', '8_5009 N Winchester Ave', '12, 2940 N Moody Ave'])
    expect(decisionIn(chicago, path), path).toBe('ask');
});

test('a street without its direction is another one if the list has that street', () => {
  const manhattan = [
    ['43 East Broadway', 'Manhattan'],
    ['909 Broadway', 'Manhattan'],
    ['12 East Houston Street', 'Manhattan'],
    ['14 East Union Street', 'Manhattan'],
    ['16 Hancock Street', 'Manhattan'],
    ['18 Bedford Street', 'Manhattan'],
  ] as const;
  for (const path of ['43 East Broadway', '43 E. Broadway', '909 Broadway', '12 Houston Street'])
    expect(decisionIn(manhattan, path), path).toBe('send');
  expect(decisionIn(manhattan, '43 Broadway')).toBe('ask');
});

test('a direction that more names have than any kind of street is no kind that people add', () => {
  const manhattan = [
    ['43 East Broadway', 'Manhattan'],
    ['909 Broadway', 'Manhattan'],
    ['12 East Houston Street', 'Manhattan'],
    ['14 East Union Street', 'Manhattan'],
    ['16 East Elm Street', 'Manhattan'],
  ] as const;
  expect(decisionIn(manhattan, 'East Broadway 43')).toBe('send');
  for (const path of ['43 Broadway', 'East Broadway 909']) expect(decisionIn(manhattan, path), path).toBe('ask');
  const lund = [
    ['Norra Storgatan 12', 'Lund'],
    ['Storgatan 14', 'Lund'],
    ['Norra Kyrkogatan 3', 'Lund'],
    ['Norra Skolgatan 5', 'Lund'],
    ['Brogatan 9', 'Lund'],
  ] as const;
  expect(decisionIn(lund, 'N Storgatan 12')).toBe('send');
  for (const path of ['Storgatan 12', 'Norra Storgatan 14']) expect(decisionIn(lund, path), path).toBe('ask');
});

test('a frequent word at the other end of names has no forms of a kind', () => {
  const streets = ['Mill', 'Oak', 'Ash', 'Elm', 'Hill', 'Park', 'Pine', 'Birch', 'Cedar', 'Maple', 'Grove', 'Lake'];
  const bayside = [
    ...streets.map((name, at) => [`${at + 20} ${name} Ln`, 'Bayside'] as const),
    ...streets.map((name, at) => [`${at + 40} S ${name} Ave`, 'Bayside'] as const),
    ...['Vista', 'Mar', 'Loma', 'Mesa', 'Verde', 'Rosa'].flatMap((name, at) => [
      [`${at + 60} Linda ${name} Ave`, 'Bayside'] as const,
      [`${at + 80} San ${name} Ave`, 'Bayside'] as const,
    ]),
  ];
  expect(decisionIn(bayside, '20 Mill Lane')).toBe('send');
  expect(matchIn(bayside, '41 South Oak Ave').candidates).toHaveLength(1);
  expect(decisionIn(bayside, '41 San Oak Ave')).not.toBe('send');
});

test('a number with a dash before the house can be its flat', () => {
  const kelowna = [
    ['850 Saucier Ave', 'Kelowna'],
    ['Unit 128, 850 Saucier Ave', 'Kelowna'],
    ['12 Mill Ave', 'Kelowna'],
    ['Unit 7, 14 Mill Ave', 'Kelowna'],
  ] as const;
  for (const path of ['128 - 850 Saucier Ave', '03 - 14 Mill Ave']) expect(decisionIn(kelowna, path), path).toBe('ask');
  for (const path of ['03 - 850 Saucier Ave', '08 - 12 Mill Ave', '7 - 14 Mill Ave'])
    expect(decisionIn(kelowna, path), path).toBe('send');
});

test('a letter before the part with the flat is the letter of the house, with or without a blank', () => {
  const stockholm = [
    ['Karlaplan 21 A, 6 tr', 'Stockholm'],
    ['Karlaplan 21A, 4 tr', 'Stockholm'],
    ['Karlaplan 9, 2 tr', 'Stockholm'],
    ['Frejgatan 3, 1 tr', 'Stockholm'],
  ] as const;
  expect(decisionIn(stockholm, 'Karlaplan 21A')).toBe('ask');
  expect(matchIn(stockholm, 'Karlaplan 21A 6 tr').candidates[0]?.AssignmentId).toBe(idOf(1));
});

describe('what a part behind the house is', () => {
  test('a district, also behind a dash', () => {
    const verona = [
      ['Via Podgora 16 B - Avesa', 'Verona'],
      ['Via Stanga 4', 'Verona'],
      ['Piazza Isolo 9', 'Verona'],
      ['Via Fiume 59', 'Verona'],
    ] as const;
    expect(decisionIn(verona, 'Via Podgora 16 B')).toBe('send');
    expect(decisionIn(verona, 'Verona/Piazza Podgora 16 B')).not.toBe('send');
  });

  test('a village that has a short word in its name', () => {
    const bucks = [
      ['1 The Broadway, Chalfont St Peter', ''],
      ['1 The Broadway, Bedford', ''],
      ['4 Mill Lane, Bedford', ''],
      ['6 Oak Lane, Bedford', ''],
    ] as const;
    expect(decisionIn(bucks, '1 The Broadway')).toBe('ask');
    expect(decisionIn(bucks, '1 The Broadway Bedford')).toBe('send');
  });

  test('a flat if an office word is all of it', () => {
    const stockholm = [
      ['Ringvägen 7, 4 tr', 'Stockholm'],
      ['Ringvägen 7, vind', 'Stockholm'],
    ] as const;
    expect(decisionIn(stockholm, 'Ringvägen 7')).toBe('ask');
    expect(decisionIn(stockholm, 'Ringvägen 7 vind')).toBe('send');
  });
});

test('a flat before the street is read in the order of the list, too', () => {
  const stockholm = [
    ['Tavastgatan 13, 1 tr', 'Stockholm'],
    ['Tavastgatan 13', 'Stockholm'],
    ['Frejgatan 3, 2 tr', 'Stockholm'],
    ['Torsgatan 51, 4 tr', 'Stockholm'],
    ['Hornsgatan 9 lgh 1101', 'Stockholm'],
    ['Hornsgatan 9 lgh 1202', 'Stockholm'],
  ] as const;
  for (const [path, at] of [
    ['Stockholm/1 tr, Tavastgatan 13', 1],
    ['Stockholm/Tavastgatan 13', 2],
    ['08 lgh 1101 Hornsgatan 9', 5],
  ] as const)
    expect(matchIn(stockholm, path), path).toMatchObject({
      decision: 'send',
      candidates: [{ AssignmentId: idOf(at) }],
    });
});

test('the name of the town alone is no parcel that is named after the town', () => {
  const partille = createMatchIndex(
    ['Partille 123:3', 'Lexby 1:15', 'Mossvägen 9'].map((address, at) =>
      targetAt(at + 1, address, 'Partille', { FirstName: 'Eva', LastName: at < 2 ? 'Berg' : 'Ek' }),
    ),
  );
  expect(partille.match({ path: 'Jobs/Partille 123-3' }).decision).toBe('send');
  expect(partille.match({ path: 'Jobs/Partille/Eva Berg' }).decision).toBe('ask');
});

test('words between a flat and the house number before its street are parts of the flat', () => {
  const streets = ['Lonsdale Street', 'Collins Street', 'Elizabeth Street', 'Queen Street', 'Bourke Street'];
  const melbourne = [
    ...streets.map((street, at) => [`Level ${at + 2} ${300 + 7 * at} ${street}`, 'Melbourne'] as const),
    ...streets.flatMap((street) => [12, 40, 56].map((number) => [`${number} ${street}`, 'Melbourne'] as const)),
    ['Shop 209A, 300 Lonsdale Street', 'Melbourne'] as const,
    ['Shop 319A, Level 3 300 Lonsdale Street', 'Melbourne'] as const,
  ];
  expect(decisionIn(melbourne, '300 Lonsdale Street')).toBe('ask');
  expect(matchIn(melbourne, 'Level 3, 307 Collins Street')).toMatchObject({
    decision: 'send',
    candidates: [{ AssignmentId: idOf(2) }],
  });
  expect(decisionIn(melbourne, 'Level 4, 307 Collins Street')).toBe('ask');
});

test('a floor with an ordinal is a part of the flat on both sides of the address', () => {
  const london = createMatchIndex(
    [
      '1 Kingdom Street',
      '4th Floor 1 Kingdom Street',
      '33 Holborn',
      '6th Floor, 33 Holborn',
      '1175 Douglas Street',
      'Unit 2, 1175 Douglas Street',
      '9 Oak Street',
    ].map((address, at) => targetAt(at + 1, address, 'London')),
  );
  for (const [path, at] of [
    ['1 Kingdom Street', 1],
    ['4th Floor, 1 Kingdom St', 2],
    ['33 Holborn 6th Floor', 4],
    ['2nd FLR 1175 Douglas St', 6],
    ['2nd visit 9 Oak Street', 7],
  ] as const)
    expect(london.match({ path }), path).toMatchObject({ decision: 'send', candidates: [{ AssignmentId: idOf(at) }] });
  for (const path of ['5th Floor 1 Kingdom Street', '3rd floor 9 Oak Street'])
    expect(london.match({ path }).decision, path).toBe('ask');
});

test('a floor in words before the house is a part of the flat, and the street before a flat is not', () => {
  const streets = ['Mill Lane', 'High Street', 'Station Road'];
  const leeds = streets.flatMap((street, at) =>
    [`${10 + at} ${street}`, `First Floor ${10 + at} ${street}`, `Ground Floor ${10 + at} ${street}`].map(
      (address) => [address, 'Leeds'] as const,
    ),
  );
  for (const [at, [address]] of leeds.entries())
    expect(matchIn(leeds, address), address).toMatchObject({
      decision: 'send',
      candidates: [{ AssignmentId: idOf(at + 1) }],
    });
  expect(decisionIn(leeds, 'Lower Ground Floor 10 Mill Lane')).toBe('ask');
  const utah = ['Park City', 'West Jordan', 'Cedar Hills'].flatMap((town, at) => [
    [`12 Oak Street Unit ${4 + at} ${town}`, ''] as const,
    [`${7 + at} Elm Street Apt ${2 + at} ${town}`, ''] as const,
  ]);
  expect(matchIn(utah, '7 Elm Street Apt 2').candidates).toMatchObject([{ AssignmentId: idOf(2) }]);
});
