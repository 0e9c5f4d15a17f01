/**
 * Creates the assignments of an invented contractor: a few towns, streets with several houses, houses with several
 * assignments.
 */

import type { UnreadProtocol } from '../../src/main/matching/match-index.ts';
import type { MatchTarget } from '../../src/main/matching/targets.ts';
import { createRandom, type Random } from '../../src/sandbox/sample/sample-data.ts';
import { type Country, type Lists, listsOf } from './lists.ts';

/** The address of a house, part by part. `unit`: its flat, or empty. */
export type House = {
  readonly lists: Lists;
  readonly street: string;
  readonly number: number;
  readonly letter: string;
  readonly unit: string;
  readonly city: string;
  readonly zip: string;
};

export type Job = { readonly target: MatchTarget; readonly house: House };

export type World = {
  readonly jobs: readonly Job[];
  readonly countries: readonly Lists[];
  readonly cities: readonly string[];
};

const PERFORMERS = [
  ...[
    'Nordlys Elektro AS',
    'Fjord Bygg',
    'Vik & Sønn',
    'Harbour Maintenance Ltd',
    'Talotekniikka Oy',
    'Berger Haustechnik GmbH',
  ],
  ...['Sydkustens El AB', 'Tak & Plåt i Väst AB', 'Nørregaard VVS ApS', 'Pennine Electrical'],
];
/** All assignments are open: matching asks the user about closed ones, however well they fit. */
const STATUSES = ['PENDING', 'PENDING', 'PLANNED', 'IN_PROGRESS', 'PLANNED', 'PENDING'];
const DAY_S = 86_400;
const START_S = Date.UTC(2026, 0, 5) / 1000;

const hex = (random: Random, digits: number): string =>
  Array.from({ length: digits }, () => random.integer(0, 15).toString(16)).join('');

const guid = (random: Random): string =>
  `${hex(random, 8)}-${hex(random, 4)}-4${hex(random, 3)}-a${hex(random, 3)}-${hex(random, 12)}`;

export const zipOf = (random: Random, pattern: string): string =>
  pattern.replace(/[#@]/g, (sign) =>
    sign === '#' ? String(random.integer(0, 9)) : random.pick([...'ABDEFHJLNPRSTUW']),
  );

/** The text between the number of a house and that of a flat. */
const UNIT_GAPS: Partial<Record<Country, string>> = { fi: ' ', nl: '-' };

export const addressOf = ({ lists, street, number, letter, unit }: House): string =>
  (lists.isNumberFirst ? `${number}${letter} ${street}` : `${street} ${number}${letter}`) +
  (unit === '' ? '' : `${UNIT_GAPS[lists.country] ?? ', '}${unit}`);

const unitIn = (random: Random, country: Country): string => {
  const number = random.integer(1, 6);
  switch (country) {
    case 'no':
      return `H0${random.integer(1, 4)}0${number}`;
    case 'se':
      return `lgh ${random.integer(1, 4)}${random.pick(['0', '1', '2'])}0${number}`;
    case 'gb':
      return `Flat ${number}`;
    case 'dk':
      return `${random.integer(1, 4)}. ${random.pick(['tv', 'th', 'mf'])}`;
    case 'fi':
      return `${random.pick(['A', 'B', 'C'])} ${random.integer(1, 40)}`;
    case 'nl':
      return random.pick(['1', '2', '3', 'II', 'III', 'hs']);
    default:
      return '';
  }
};

/** Draws a house in one of `cities`. Four of five numbers are at most 60, and one of five has a letter. */
export const houseIn = (random: Random, lists: Lists, cities: readonly string[], streets = lists.streets): House => {
  const unit = random.chance(0.05) ? unitIn(random, lists.country) : '';
  const hasLetter = random.chance(0.2) && !(lists.country === 'fi' && unit !== '');
  return {
    lists,
    unit,
    street: random.pick(streets),
    number: random.chance(0.8) ? random.integer(1, 60) : random.integer(61, 240),
    letter: hasLetter ? random.pick(['A', 'B', 'C', 'D']) : '',
    city: random.pick(cities),
    zip: zipOf(random, lists.zip),
  };
};

const jobsAt = (random: Random, house: House, facility: number): readonly Job[] => {
  const { lists } = house;
  const FacilityId = `FAC-${facility}`;
  const ofProtocol = random.chance(0.75)
    ? {
        InspectionProtocolId: guid(random),
        ZipCode: house.zip,
        InspectionDate: START_S + random.integer(-200, 100) * DAY_S,
      }
    : {};
  const count = random.chance(0.82) ? 1 : random.integer(2, 3);
  const person = () => ({ FirstName: random.pick(lists.first), LastName: random.pick(lists.last) });
  const owner = person();
  return Array.from({ length: count }, () => ({
    house,
    target: {
      AssignmentId: guid(random),
      FacilityId,
      AssignmentStatus: random.pick(STATUSES),
      ...(random.chance(0.6) ? owner : person()),
      Address: addressOf(house),
      City: house.city,
      Performer: random.pick(PERFORMERS),
      StartTime: START_S + random.integer(-150, 300) * DAY_S + random.integer(14, 30) * 1800,
      ...ofProtocol,
    },
  }));
};

/** The protocol of an assignment, as the list of protocols has it. */
export const protocolOf = (target: MatchTarget): UnreadProtocol => {
  const { InspectionProtocolId = '', Address, City, ZipCode = '', FacilityId } = target;
  return { InspectionProtocolId, Address, City, ZipCode, FacilityId };
};

/** Creates about `count` assignments in `countries`. The same seed gives the same assignments. */
export const createWorld = (seed: string, count: number, countries: readonly Country[]): World => {
  const random = createRandom('world', seed);
  const lists = countries.map(listsOf);
  const places = lists.map((one) => {
    const cities = Array.from({ length: Math.max(3, Math.round(Math.sqrt(count) / 4)) }, () => random.pick(one.cities));
    return { lists: one, cities };
  });
  const jobs: Job[] = [];
  for (let facility = 100_000 + random.integer(0, 9999); jobs.length < count; facility += random.integer(1, 40)) {
    const place = random.pick(places);
    const house = houseIn(random, place.lists, place.cities);
    jobs.push(...jobsAt(random, house, facility));
    // Sometimes there is also an assignment for another flat of the same house.
    if (house.unit !== '' && random.chance(0.5)) {
      const unit = unitIn(random, place.lists.country);
      if (unit !== house.unit) jobs.push(...jobsAt(random, { ...house, unit }, facility + 2));
    }
    // A neighbour: another house of the same street.
    if (random.chance(0.3)) {
      const neighbour = { ...house, number: house.number + random.integer(1, 9), letter: '', unit: '' };
      jobs.push(...jobsAt(random, neighbour, facility + 1));
    }
  }
  return { jobs, countries: lists, cities: places.flatMap(({ cities }) => cities) };
};
