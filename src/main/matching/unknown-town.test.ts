import { describe, expect, test } from 'vitest';
import { createMatchIndex, finished } from './match-index.ts';
import { idOf, targetAt } from './testing/sample-targets.ts';

const index = createMatchIndex([
  targetAt(1, 'Via Garibaldi 19', 'Parma', { FirstName: 'Marco', LastName: 'Bassi', Performer: 'Idraulica Ferri srl' }),
  targetAt(2, 'Åsveien 14B', 'Ski', { FirstName: 'Reidun', LastName: 'Nybråten', ZipCode: '1400' }),
  targetAt(3, 'Ludwigstraße 8', 'Rosenheim', { FirstName: 'Petra', LastName: 'Stadler' }),
  targetAt(4, 'Lilla Nygatan 4', 'Stockholm', { FirstName: 'Ulf', LastName: 'Brandt' }),
  targetAt(5, '40 avenue Foch', 'La Seyne-sur-Mer', { FirstName: 'Nadia', LastName: 'Colin' }),
  targetAt(6, 'Solbakken 3', 'Halden', { FirstName: 'Berit', LastName: 'Lie' }),
  targetAt(7, 'Via Manzoni 7', 'Fidenza', { FirstName: 'Carla', LastName: 'Neri' }),
  targetAt(8, 'Mill Lane 5', 'Newbridge', { FirstName: 'Ann', LastName: 'Kavanagh' }),
  // Streets of these names are in several towns.
  ...['Via Garibaldi 2', 'Åsveien 6', 'Ludwigstraße 9', 'Lilla Nygatan 6', '4 avenue Foch'].map((address, at) =>
    targetAt(10 + at, address, `Elsewhere ${at}`, { FirstName: 'Otto', LastName: `Only${at}` }),
  ),
]);

describe('a name beside the address that nothing known explains may be another town', () => {
  test.each([
    'Via Garibaldi 19 Cantalupo',
    'Via Garibaldi 19, Cantalupo',
    'Via Garibaldi 19 - Colorno',
    'Via Garibaldi 19 43052 Colorno',
    'Via Garibaldi 19 foto Cantalupo',
    'Via Garibaldi 19 (Cantalupo)',
    'Cantalupo, Via Garibaldi 19',
    'Cantalupo - Via Garibaldi 19',
    'via_garibaldi_19_cantalupo',
    'VIA GARIBALDI 19 CANTALUPO',
    'Åsveien 14B Drøbak',
    'Åsveien 14B Ås',
    'Åsveien 14B FDV Drøbak',
    'Åsveien 14 B Drøbak',
    'Jobs/Drøbak/Åsveien/14B',
    'Via Garibaldi 19 Castelguidone',
    'Via Garibaldi 19 Colorno Bassi',
    'Åsveien 14B Elnesvågen',
    'Nordre Vang - Åsveien 14B',
    'Ludwigstr. 8 Traunstein',
    '40 av Foch Le Pradet',
    'Offenburg, Ludwigstr. 8',
    'Jobs/4305 Colorno/Via Garibaldi 19',
    'Mill Lane 5, Celbridge',
    'Mill Lane 5, Bridgewater',
    'Ludwigstr. 8 Weingarten',
    'Åsveien 14B, Lysaker',
    'Jobs/Boden/Lilla Nygatan 4',
  ])('%s', (path) => {
    const { decision, candidates } = index.match({ path });
    expect(decision).toBe('ask');
    expect(candidates[0]?.reasons).toContainEqual(expect.objectContaining({ signal: 'city', against: true }));
  });
});

test('so it is where only one town has a street of this name, and where the name is that of another customer', () => {
  for (const path of ['Solbakken 3 Tistedal', 'Via Manzoni 7 Colorno', 'Petra Stadler Drøbak Åsveien 14B'])
    expect(index.match({ path }).decision, path).toBe('ask');
});

test('the name of one town is not a part of the name of another one', () => {
  const towns = createMatchIndex([
    targetAt(1, '24 Elphin Street', 'Bentleigh East'),
    targetAt(2, '9 Orr Street', 'Bentleigh'),
    targetAt(3, '7 Kay Street', 'Malvern East'),
    targetAt(4, '5 Bay Street', 'Brighton East'),
  ]);
  for (const path of ['24 Elphin Street, Bentleigh', 'Bentleigh/24 Elphin Street', '9 Orr Street, Bentleigh East'])
    expect(towns.match({ path }).decision, path).toBe('ask');
  for (const path of ['24 Elphin Street, Bentleigh East', '9 Orr Street, Bentleigh', '7 Kay Street, Malvern'])
    expect(towns.match({ path }).decision, path).toBe('send');
});

describe('a town with a number', () => {
  const districts = createMatchIndex([
    targetAt(1, '18 Lansdowne Park', 'Dublin 4'),
    targetAt(2, 'Apt 4, 18 Lansdowne Park', 'Dublin 4'),
    targetAt(3, '7 Orwell Road', 'Dublin 12'),
    targetAt(4, '9 Mill Lane', 'Dublin 14'),
    targetAt(5, '4 Herbert Park', 'Dublin 4'),
  ]);

  test.each([
    ['18 Lansdowne Park/Apt 4', 2],
    ['18 Lansdowne Park, Apt 4', 2],
    ['4 Herbert Park', 5],
    ['9 Mill Lane, Dublin 14', 4],
    ['Dublin 7 Orwell Road', 3],
    ['7 Orwell Road, Dublin 3 photos', 3],
  ])('is not told by a number alone: %s', (path, number) => {
    const { decision, candidates } = districts.match({ path });
    expect([decision, candidates[0]?.AssignmentId]).toEqual(['send', idOf(number)]);
  });

  test.each(['7 Orwell Road, Dublin 18', 'Dublin 18/7 Orwell Road', '9 Mill Lane, Dublin 6'])(
    'is no other district of it: %s',
    (path) => {
      const { decision, candidates } = districts.match({ path });
      expect(decision).toBe('ask');
      expect(candidates[0]?.reasons).toContainEqual(expect.objectContaining({ signal: 'city', against: true }));
    },
  );
});

describe('what offices write beside an address is no town', () => {
  test.each([
    ['Via Garibaldi 19 caldaia', 1],
    ['Via Garibaldi 19 Condominio', 1],
    ['Via Garibaldi 19 sifone', 1],
    ['Via Garibaldi 19 Parma Duomo', 1],
    ['Via Garibaldi 19 Basssi', 1],
    ['Via Garibaldi 19 Idraulica', 1],
    ['Åsveien 14B Sluttbefaring', 2],
    ['Åsveien 14B FDV', 2],
    ['Åsveien 14B Jordfeil', 2],
    ['Åsveien 14B K. Hansen', 2],
    ['Åsveien 14B 1400 Langhus', 2],
    ['Befaring Åsveien 14B', 2],
    ['Ludwigstr 8 Dachboden', 3],
    ['ludwigstr 8 heizungsrechnung', 3],
    ['Lilla Nygatan 4 Sthlm', 4],
    ['40 avenue Foch La Seyne', 5],
    ['Mill Lane 5, Newbrigde', 8],
  ])('%s', (path, number) => {
    const { decision, candidates } = index.match({ path });
    expect([decision, candidates[0]?.AssignmentId]).toEqual(['send', idOf(number)]);
  });
});

describe('where a town is read as a street, and the customer is a namesake', () => {
  const namesakes = createMatchIndex([
    targetAt(1, 'Via Alessandria 7', 'Lobbi', { FirstName: 'Martina', LastName: 'Gatti' }),
    targetAt(2, 'Via Roma 3', 'Asti', { FirstName: 'Carlo', LastName: 'Neri' }),
    targetAt(3, 'Via Verdi 5', 'Asti', { FirstName: 'Rosa', LastName: 'Lolli' }),
    targetAt(4, 'Via Dante 5', 'Asti', { FirstName: 'Anna', LastName: 'Sala' }),
  ]);

  test.each(['Alessandria/V Fiume 33 interno 5_Gatti', 'Alessandria/Gatti, Fiume civ. 33'])(
    'an address that the list does not have is a question: %s',
    (path) => {
      expect(namesakes.match({ path }).decision).toBe('ask');
    },
  );

  test.each([
    ['Via Alessandria Gatti', 1],
    ['2026-05-12 Via Alessandria Gatti, 3 foto', 1],
  ])('the street and its customer are enough: %s', (path, number) => {
    const { decision, candidates } = namesakes.match({ path });
    expect([decision, candidates[0]?.AssignmentId]).toEqual(['send', idOf(number)]);
  });
});

describe('a word that stands beside right towns in several folders of a drop', () => {
  const streets = ['Liepų', 'Kalno', 'Parko', 'Tilto'];
  const vilnius = createMatchIndex(
    streets.map((name, at) =>
      targetAt(at + 1, `${name} gatvė ${at + 3}`, 'Vilnius', { FirstName: 'Rasa', LastName: 'Butkus' }),
    ),
  );
  const decisionIn = (drop: readonly string[], path: string): string =>
    vilnius.match({ path }, { notTowns: finished(vilnius.notTownsIn(drop.map((one) => ({ path: one })))) }).decision;
  const placed = streets.map((name, at) => `Vilnius, ${name} gatvė ${at + 3}, Baigta`);

  test('names no town', () => {
    expect(decisionIn(placed, 'Vilnius, Tilto gatvė 6, Baigta')).toBe('send');
    const behind = streets.map((name, at) => `${name} gatvė ${at + 3}, Vilnius, Baigta`);
    expect(decisionIn(behind, 'Tilto gatvė 6, Baigta')).toBe('send');
    expect(decisionIn(behind, 'Baigta, Tilto gatvė 6')).toBe('ask');
    expect(decisionIn(behind, 'Baigta/Tilto gatvė 6')).toBe(decisionIn([], 'Baigta/Tilto gatvė 6'));
  });

  test('may name a town if fewer assignments have it, or if the right town is not there', () => {
    const behind = streets.map((name, at) => `${name} gatvė ${at + 3}, Vilnius, Baigta`);
    const one = behind[0] ?? '';
    const path = 'Tilto gatvė 6, Baigta';
    expect(decisionIn([...behind.slice(0, 2), one, one], path)).toBe('ask');
    const unplaced = streets.map((name, at) => `${name} gatvė ${at + 3}, Baigta`);
    expect(decisionIn(unplaced, path)).toBe('ask');
    expect(
      decisionIn(
        unplaced.map((one) => `${one}, Rasa Butkus`),
        path,
      ),
    ).toBe('ask');
    expect(
      decisionIn(
        unplaced.map((one) => `Vilnius/${one}`),
        path,
      ),
    ).toBe('ask');
    expect(decisionIn(placed, path)).toBe('ask');
    expect(decisionIn(behind, `${path}, Kaunas`)).toBe('ask');
  });
});

describe('a town in several folders of a drop, each with its right town', () => {
  const places = ['Storgata 5', 'Kirkegata 3', 'Skolegata 7', 'Parkveien 9', 'Elveveien 11'] as const;
  const people = [
    { FirstName: 'Kari', LastName: 'Nordmann' },
    { FirstName: 'Ola', LastName: 'Olsen' },
    { FirstName: 'Per', LastName: 'Berg' },
    { FirstName: 'Siri', LastName: 'Lund' },
    { FirstName: 'Jan', LastName: 'Hansen' },
  ];
  const zips = ['0155', '0153', '0152', '0350', '0351'];
  const oslo = createMatchIndex(
    places.map((place, at) => targetAt(at + 1, place, 'Oslo', { ZipCode: zips[at] ?? '', ...people[at] })),
  );
  const matched = (names: (place: string, zip: string) => string, path: string) => {
    const drop = [...places.slice(0, 3).map((place, at) => names(place, zips[at] ?? '')), path];
    return oslo.match({ path }, { notTowns: finished(oslo.notTownsIn(drop.map((one) => ({ path: one })))) });
  };

  test.each(['Avd Drammen', 'Drammen', 'Drammen/Jobber', 'Drammen/Uke 12', 'Kontor Drammen/2026/Rapporter'])(
    'is another town in the root %s',
    (root) => {
      for (const path of [`${root}/Parkveien 9, Drammen`, `${root}/Parkveien 9 Drammen`]) {
        expect(matched((place, zip) => `${root}/${place}, ${zip} Oslo`, path).decision).toBe('ask');
        expect(matched((place) => `${root}/${place} Oslo`, path).decision).toBe('ask');
      }
    },
  );

  test('is another town where it stands beside a postcode', () => {
    expect(matched((place, zip) => `${place}, ${zip} Drammen`, 'Parkveien 9, Drammen').decision).toBe('ask');
  });

  test('is another town where it names a folder below each job', () => {
    const path = 'Jobber/Parkveien 9 Drammen';
    expect(matched((place) => `Jobber/${place} Oslo/Drammen kontor`, path).decision).toBe('ask');
  });

  test.each(['Parkveien 9, Drammen', 'Drammen - Parkveien 9', 'Drammen/Parkveien 9, 2026'])(
    'is another town where it stands before each street: %s',
    (name) => {
      expect(matched((place) => `J/Drammen - ${place}, Oslo`, `J/${name}`).decision).toBe('ask');
    },
  );

  test.each(['Hansen', 'Hansen/Uke 12', 'Hansen/2026/Rapporter'])(
    'does not excuse the last name of another customer: %s',
    (root) => {
      const { decision, candidates } = matched((place) => `${root}/${place} Oslo`, `${root}/Parkveien 9 Hansen`);
      expect([decision, (candidates[0]?.certainty ?? 0) < 0.9]).toEqual(['ask', true]);
      expect(matched((place) => `${place} Oslo Hansen`, 'Parkveien 9 Hansen').decision).toBe('ask');
    },
  );
});
