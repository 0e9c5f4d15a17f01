import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ProtocolTableQuery } from '../../contract/protocols.ts';
import type { AssignmentSummary, ProtocolSummary } from '../../contract/resources.ts';
import { type Cache, openCache } from './cache.ts';

let home: string;
let path: string;
let cache: Cache;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cache-'));
  path = join(home, 'cache.sqlite');
  cache = openCache(path);
});
afterEach(() => {
  cache.close();
  rmSync(home, { recursive: true });
});

const id = (digit: string): string => `${digit.repeat(8)}-1111-4222-8333-444444444444`;

const protocol = (InspectionProtocolId: string, Address: string, City = 'York'): ProtocolSummary => ({
  Address,
  City,
  ZipCode: 'YO1 7AB',
  FacilityId: 'FAC-123456',
  InspectionProtocolId,
  InspectionDate: 0,
  Points: 0,
});

const assignment = (AssignmentId: string, fields: Partial<AssignmentSummary> = {}): AssignmentSummary => ({
  AssignmentId,
  FacilityId: 'FAC-9',
  AssignmentStatus: 'PENDING',
  FirstName: 'Anna',
  LastName: 'Lindqvist',
  Address: '109 Station Road',
  City: 'Leeds',
  Performer: 'Fjord Bygg',
  StartTime: 0,
  ...fields,
});

const put = (Items: ProtocolSummary[], Query?: string, connectionId = 'c') =>
  cache.putProtocols(
    cache.beginRequest(connectionId),
    { Items, Count: Items.length, TotalCount: Items.length, CurrentPage: 1 },
    { Query },
    1,
  );
const putAssignments = (Items: AssignmentSummary[]) =>
  cache.putResponse(cache.beginRequest('c'), 'projects/', {
    value: { Items, Count: Items.length, TotalCount: Items.length },
    unreadable: 0,
    source: 'service',
    fetchedAtMs: 1,
  });
const addresses = (text: string, connectionId = 'c') =>
  cache.find(connectionId, text, 10).protocols.map(({ Address }) => Address);
const assignmentIds = (text: string) => cache.find('c', text, 10).assignments.map(({ AssignmentId }) => AssignmentId);

describe('words in any order', () => {
  test.each([
    '109 station',
    'station road 109',
    'york road 109',
    'ROAD 1 stat',
    'leeds lindqvist 109',
    '109 bygg anna',
  ])('finds “%s”', async (text) => {
    await put([protocol(id('a'), '109 Station Road'), protocol(id('b'), '5 Mill Lane')]);
    await putAssignments([assignment(id('c'))]);
    const { protocols, assignments } = cache.find('c', text, 10);
    expect([...protocols, ...assignments].every(({ Address }) => Address === '109 Station Road')).toBe(true);
    expect(protocols.length + assignments.length).toBeGreaterThan(0);
  });
});

describe('ids', () => {
  beforeEach(async () => {
    await put([protocol(id('a'), '1 Mill Lane'), protocol(id('b'), '2 Mill Lane')]);
    await putAssignments([assignment(id('c')), assignment(id('d'))]);
  });

  test.each([
    ['whole', id('c')],
    ['its beginning', 'cccccccc-11'],
    ['four characters', 'cccc'],
    ['in capitals', id('c').toUpperCase()],
    ['in braces', `{${id('c')}}`],
    ['in quotes, with a space at its end', `"${id('c')}" `],
    ['broken by spaces', `cccccccc-1111 -4222-8333- 444444444444`],
    ['with dashes of a word processor', id('c').replaceAll('-', '–')],
    ['without dashes', id('c').replaceAll('-', '')],
    ['without dashes, its beginning', 'cccccccc11114'],
  ])('finds an assignment by its id, %s', (_how, text) => {
    expect(assignmentIds(text)).toEqual([id('c')]);
    expect(addresses(text)).toEqual([]);
  });

  test('finds a protocol by its id, and by its facility', async () => {
    expect(addresses(id('b'))).toEqual(['2 Mill Lane']);
    expect(addresses('bbbbb')).toEqual(['2 Mill Lane']);
    expect(addresses('{FAC-123456}')).toHaveLength(2);
    expect(addresses('fac-1234')).toHaveLength(2);
  });

  test('does not search by parts of an id that are too short, or by other characters in it', async () => {
    expect(assignmentIds('ccc')).toEqual([]);
    expect(assignmentIds('cccc%')).toEqual([]);
    expect(assignmentIds('1111-4222')).toEqual([]);
    expect(assignmentIds(' {} ')).toEqual([]);
  });

  test('lists records with the id first, and once', async () => {
    await put([protocol('mill', '9 Other Street')]);
    expect(addresses('mill')).toEqual(['9 Other Street', '1 Mill Lane', '2 Mill Lane']);
    await put([protocol('mill', '9 Mill Street')]);
    expect(addresses('mill')).toEqual(['9 Mill Street', '1 Mill Lane', '2 Mill Lane']);
    expect(cache.find('c', 'mill', 10).protocolTotal).toBe(3);
  });
});

describe('a number beside the words of a street', () => {
  const at = (Address: string, FacilityId: string, City = 'Bergen'): ProtocolSummary => ({
    ...protocol(`${Address} ${FacilityId}`, Address, City),
    ZipCode: '5003',
    FacilityId,
  });
  const found = (text: string) => {
    const table = cache.protocolTable('c', ProtocolTableQuery.parse({ text }));
    expect(cache.find('c', text, 100).protocols.map(({ Address }) => Address)).toEqual(
      table.Items.map(({ Address }) => Address),
    );
    expect(table.total).toBe(table.Items.length);
    return table.Items.map(({ Address, FacilityId }) => `${Address} ${FacilityId}`);
  };
  beforeEach(async () => {
    await put([
      at('Storgata 104', 'FAC-241187'),
      at('Nedre Storgata 24', 'FAC-5'),
      at('Storgata 241', 'FAC-6'),
      at('Storgata 24B', 'FAC-7'),
      at('Storgata 24', 'FAC-8'),
      at('Storgata 24 C', 'FAC-9'),
      at('Storgata 7', 'FAC-24'),
    ]);
  });

  test('is that of the house, and no beginning of a facility', () => {
    const exact = ['Storgata 24 FAC-8', 'Storgata 24 C FAC-9'];
    const others = ['Storgata 241 FAC-6', 'Storgata 24B FAC-7'];
    expect(found('storgata 24')).toEqual([...exact, 'Nedre Storgata 24 FAC-5', ...others]);
    expect(found('Storgata 24 Bergen')).toEqual([...exact, 'Nedre Storgata 24 FAC-5', ...others]);
    expect(found('24 storgata')).toEqual(expect.arrayContaining([...exact, ...others]));
    expect(found('24 storgata')).toHaveLength(5);
  });

  test('is a whole number before a comma, with any letter of the house', () => {
    expect(found('Storgata 24, Bergen')).toEqual([
      'Storgata 24 FAC-8',
      'Storgata 24 C FAC-9',
      'Nedre Storgata 24 FAC-5',
      'Storgata 24B FAC-7',
    ]);
  });

  test('with a letter is found however that is spelled', () => {
    expect(found('Storgata 24B')).toEqual(['Storgata 24B FAC-7']);
    expect(found('storgata 24c')).toEqual(['Storgata 24 C FAC-9']);
    expect(found('Storgata 24 C')).toEqual(['Storgata 24 C FAC-9']);
    expect(found('Storgata 24 b')).toContain('Storgata 24B FAC-7');
  });

  test.each([
    ['5003 Bergen', 7],
    ['Bergen 5003', 7],
    ['Storgata 24, 5003 Bergen', 4],
    ['storgata 5003', 7],
    ['FAC-24', 2],
    ['fac 241187', 1],
    ['241187', 1],
    ['bergen 241187', 1],
    ['Storgata FAC-24', 2],
  ])('elsewhere finds what it begins: “%s”', (text, count) => {
    expect(found(text)).toHaveLength(count);
  });

  test('is compared after a mistyped street is corrected, too', () => {
    expect(cache.find('c', 'strogata 104', 10).protocols.map(({ Address }) => Address)).toEqual(['Storgata 104']);
    expect(cache.find('c', 'strogata 241', 10).protocols.map(({ Address }) => Address)).toEqual(['Storgata 241']);
  });

  test('is that of the house of an assignment, too', async () => {
    await putAssignments([
      assignment('a', { Address: 'Storgata 104', FacilityId: 'FAC-24' }),
      assignment('b', { Address: 'Storgata 24B', FacilityId: 'FAC-1' }),
      assignment('c', { Address: 'Storgata 24', FacilityId: 'FAC-2' }),
    ]);
    expect(assignmentIds('storgata 24 leeds')).toEqual(['c', 'b']);
    expect(assignmentIds('storgata fac-24 pending')).toEqual(['a']);
    expect(assignmentIds('lindqvist 24')).toEqual(['a', 'c', 'b']);
  });

  test('does not become a match because the service returns such a record', async () => {
    await put([at('Storgata 104', 'FAC-241187'), at('Apalveien 3', 'FAC-2')], 'storgata 24');
    expect(found('storgata 24')).not.toContain('Storgata 104 FAC-241187');
    expect(found('storgata 24')).toContain('Apalveien 3 FAC-2');
  });
});

test('a search has each match once, in windows of any size', async () => {
  const streets = ['Storgata', 'Nedre Storgata', 'Storgatens vei', 'Kirkegata'];
  const many = Array.from({ length: 400 }, (_, index) =>
    protocol(`p${index}`, `${streets[index % 4]} ${(index * 7) % 60}${index % 5 === 0 ? 'B' : ''}`),
  );
  await put(many);
  await put([protocol('p3', many[3]?.Address ?? ''), protocol('p7', many[7]?.Address ?? '')], 'storgata 2');
  for (const text of ['storgata', 'storgata 2', 'york', 'stor 1', 'kirkegata 21, york', 'p1']) {
    for (const read of [
      (offset: number, limit: number) => cache.findProtocols('c', text, { offset, limit }),
      (offset: number, limit: number) => cache.protocolTable('c', ProtocolTableQuery.parse({ text, offset, limit })),
    ]) {
      const { Items, total } = read(0, 1000);
      const ids = Items.map(({ InspectionProtocolId }) => InspectionProtocolId);
      expect(new Set(ids).size).toBe(total);
      for (const limit of [1, 7, 50]) {
        const windows = Array.from({ length: Math.ceil(total / limit) + 1 }, (_, at) => read(at * limit, limit).Items);
        expect(windows.flat().map(({ InspectionProtocolId }) => InspectionProtocolId)).toEqual(ids);
      }
    }
  }
});

describe('a mistake in a word', () => {
  beforeEach(async () => {
    await put([
      protocol(id('a'), '109 Station Road'),
      protocol(id('b'), '12 Other Road'),
      protocol(id('c'), 'Ängsvägen 3'),
    ]);
    await putAssignments([assignment(id('d'))]);
  });

  test.each(['staton', 'statiion', 'stetion', 'statoin', '109 staton', 'raod staton'])('finds “%s”', async (text) => {
    expect(addresses(text)).toEqual(['109 Station Road']);
    expect(assignmentIds(text)).toEqual([id('d')]);
  });

  test('is corrected regardless of case and accents, in names of people too', async () => {
    expect(addresses('ANGSVAGN')).toEqual(['Ängsvägen 3']);
    expect(assignmentIds('lindkvist')).toEqual([id('d')]);
  });

  test('gives results after exact matches, and only if those are few', async () => {
    await put([protocol(id('e'), '1 Staton Close')]);
    expect(addresses('staton')).toEqual(['1 Staton Close', '109 Station Road']);
    expect(cache.find('c', 'staton', 10).protocolTotal).toBe(2);
    await put(['1', '2', '3', '4'].map((digit) => protocol(id(digit), `${digit} Staton Row`)));
    expect(addresses('staton')).not.toContain('109 Station Road');
  });

  test('is corrected with words of the same connection only, until they are cleared', async () => {
    await put([protocol(id('a'), '109 Station Road')], undefined, 'other');
    expect(addresses('staton', 'other')).toEqual(['109 Station Road']);
    await put([protocol(id('b'), '1 Mill Lane')], undefined, 'third');
    expect(addresses('staton', 'third')).toEqual([]);
    expect(addresses('mlil', 'third')).toEqual(['1 Mill Lane']);
    cache.clear();
    await put([protocol(id('c'), '1 Mill Lane')]);
    expect(addresses('staton')).toEqual([]);
  });
});

test('finds what the service found for the same text', async () => {
  await put([protocol(id('a'), 'Drottninggatan 1'), protocol(id('b'), '1 Rottninggat Road')]);
  await put([protocol(id('c'), 'Drottninggatan 2')], 'rottninggat');
  expect(addresses('rottninggat')).toEqual(['1 Rottninggat Road', 'Drottninggatan 2', 'Drottninggatan 1']);
});

test('windows of a search contain each result once', async () => {
  const many = Array.from({ length: 120 }, (_, index) => protocol(`mill-${index}`, `${index} Road`));
  await put([
    ...many,
    ...many.map((one) => ({ ...one, InspectionProtocolId: `x${one.InspectionProtocolId}`, City: 'Mill' })),
  ]);
  const read = (offset: number) => cache.findProtocols('c', 'mill', { offset, limit: 50 });
  const windows = [0, 50, 100, 150, 200, 250].map(read);
  expect(new Set(windows.map(({ total }) => total))).toEqual(new Set([240]));
  const ids = windows.flatMap(({ Items }) => Items.map(({ InspectionProtocolId }) => InspectionProtocolId));
  expect(ids).toHaveLength(240);
  expect(new Set(ids).size).toBe(240);
  expect(ids.slice(0, 120).every((one) => one.startsWith('mill-'))).toBe(true);
});

describe('one mistake in a word', () => {
  test.each([
    ['a letter too few', 'staton', 'station'],
    ['a letter too many', 'statiion', 'station'],
    ['another letter', 'stetion', 'station'],
    ['two letters in the wrong order', 'statoin', 'station'],
    ['in the first letter', 'etation', 'station'],
    ['the first letter missing', 'tation', 'station'],
    ['in the last letter of the whole word', 'statiom', 'station'],
    ['a letter too many at the end', 'stations', 'station'],
    ['in the beginning of a longer word', 'drotin', 'drottninggatan'],
    ['in a beginning that is not typed to its end', 'drottnngg', 'drottninggatan'],
    ['in a word of forty letters', `${'z'.repeat(39)}x`, 'z'.repeat(40)],
  ])('is corrected, %s: %s for %s', async (_what, typed, known) => {
    await put([protocol(id('a'), `1 ${known} Road`)]);
    expect(addresses(typed)).toEqual([`1 ${known} Road`]);
  });

  test.each([
    ['at the end of a beginning, which may be another word', 'statx', 'station'],
    ['with a second one', 'sattoin', 'station'],
    ['in a number', '7109', '7108'],
    ['in a word with a digit', 'yorks1', 'yorks2'],
    ['in a word of three letters', 'zyx', 'zyv'],
    ['in a word of more than forty letters', `${'z'.repeat(40)}x`, 'z'.repeat(41)],
  ])('is not corrected %s: %s for %s', async (_what, typed, known) => {
    await put([protocol(id('a'), `1 ${known} Road`)]);
    expect(addresses(typed)).toEqual([]);
  });
});

describe('ß and ss are the same', () => {
  test.each([
    ['Hauptstraße 5', ['HAUPTSTRASSE', 'hauptstrasse 5', 'Hauptstras', 'hauptstraß', 'haupstrasse']],
    ['Hauptstrasse 5', ['Hauptstraße', 'HAUPTSTRAẞE 5', 'hauptstraß']],
    ['Schlossstraße 1', ['SCHLOSSSTRASSE', 'schloßstr', 'schlossstras']],
    ['Schloßstraße 1', ['SCHLOSSSTRASSE 1', 'schlossstrasse']],
  ])('“%s” is found', async (address, texts) => {
    await put([protocol(id('a'), address, 'Gießen'), protocol(id('b'), 'Hauptplatz 5', 'Bonn')]);
    const found = (text: string) => cache.find('c', text, 10).protocols.map(({ Address }) => Address);
    for (const text of [...texts, ...texts.map((one) => `${one}, GIESSEN`)])
      expect([text, found(text)]).toEqual([text, [address]]);
  });
});
