import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AssignmentSummary, ProtocolSummary } from '../../contract/resources.ts';
import { openDatabase } from '../data/sqlite.ts';
import { type Cache, openCache } from './cache.ts';
import { cacheMigrations } from './migrations.ts';

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
    connectionId,
    { Items, Count: Items.length, TotalCount: Items.length, CurrentPage: 1 },
    { Query },
    1,
  );
const putAssignments = (Items: AssignmentSummary[]) =>
  cache.putAnswer('c', 'projects/', {
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
    cache.clear('c');
    expect(addresses('staton')).toEqual([]);
    expect(addresses('staton', 'other')).toEqual(['109 Station Road']);
    await put([protocol(id('b'), '1 Mill Lane')]);
    expect(addresses('staton')).toEqual([]);
    expect(addresses('mlil')).toEqual(['1 Mill Lane']);
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

test('searches the cache of an older version by ids and with mistakes too', async () => {
  cache.close();
  rmSync(path);
  const old = openDatabase({ path, migrations: cacheMigrations.slice(0, 3), durability: 'normal' });
  old.exec(`
    INSERT INTO connection (no, key) VALUES (1, 'c'), (2, 'other');
    INSERT INTO protocol (row, connection, id, Address, City, ZipCode, FacilityId, InspectionDate, Points, place, fetched_ms, pass)
    VALUES (4294967296, 1, 'protocol-1', '109 Station Road', 'York', 'YO1', 'F1', 0, 0, 0, 1, 0),
      (8589934592, 2, 'protocol-2', '5 Mill Lane', 'York', 'YO1', 'F2', 0, 0, 0, 1, 0);
    INSERT INTO assignment VALUES (4294967296, 1, 'assignment-1', 'PENDING', '${JSON.stringify(assignment('assignment-1'))}', 1);
  `);
  old.close();
  const notices: unknown[] = [];
  cache = openCache(path, { onNotice: (notice) => notices.push(notice) });
  expect(notices).toEqual([]);
  expect(addresses('staton')).toEqual(['109 Station Road']);
  expect(addresses('protocol-1')).toEqual(['109 Station Road']);
  expect(assignmentIds('lindqist')).toEqual(['assignment-1']);
  expect(assignmentIds('ASSIGNMENT')).toEqual(['assignment-1']);
  expect(addresses('mlil')).toEqual([]);
  expect(addresses('mlil', 'other')).toEqual(['5 Mill Lane']);
});
