/**
 * Creates the office of one country: its assignments at real addresses, part by part, and addresses and towns without
 * an assignment.
 */
import { existsSync, readFileSync } from 'node:fs';
import type { MatchTarget } from '../../../src/main/matching/targets.ts';
import { createRandom, type Random } from '../../../src/sandbox/sample/sample-data.ts';
import { CONVENTIONS, type Convention, type Flats, type Place } from './conventions.ts';

/** A kind of street, with its full and its short forms. */
export type Kind = { readonly place: Place; readonly forms: readonly string[]; readonly short: readonly string[] };

/** `stem`: the name without its kind and directions. `key`: the stem, folded and without particles. */
export type Street = {
  readonly source: string;
  readonly stem: string;
  readonly key: string;
  readonly kind: Kind | undefined;
  readonly ownKind: string;
  /** The directions before and after the name, as listed in `directions`. */
  readonly before: string;
  readonly after: string;
};

/** `letter`: can also be bis or ter. `parts`: the parts of a number such as 1510/48. */
export type Numbered = {
  readonly text: string;
  readonly key: string;
  readonly letter: string;
  readonly parts: readonly string[];
};

/** `streets`: the street in each language of the data. `flat`: the parts of the flat, as `flats` defines them. */
export type House = {
  readonly streets: readonly Street[];
  readonly number: Numbered;
  readonly flat: readonly string[];
  readonly flats: Flats | undefined;
  readonly code: string;
  readonly city: string;
};

/** `isBilingual`: the service has the street's name in both languages. */
export type Job = { readonly target: MatchTarget; readonly house: House; readonly isBilingual: boolean };

export type Office = {
  readonly country: string;
  readonly convention: Convention;
  readonly jobs: readonly Job[];
  readonly houses: readonly House[];
  readonly towns: readonly string[];
  /** Towns of the country that have no assignment. */
  readonly otherTowns: readonly string[];
  readonly kinds: readonly Kind[];
};

export const listed = (text = ''): readonly string[] => text.split('|').filter((one) => one !== '');

/** Letters that Unicode does not decompose into a letter and an accent. */
const PLAIN: Readonly<Record<string, string>> = {
  ł: 'l',
  ø: 'o',
  æ: 'ae',
  ß: 'ss',
  œ: 'oe',
  đ: 'd',
  ı: 'i',
  Ł: 'L',
  Ø: 'O',
  Æ: 'Ae',
  Œ: 'Oe',
  Đ: 'D',
};
export const withoutAccents = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[łøæßœđıŁØÆŒĐ]/g, (letter) => PLAIN[letter] ?? letter);
export const folded = (text: string): string =>
  withoutAccents(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** Parses entries such as `Full=short,short|…`. */
const entries = (text: string): readonly { readonly forms: readonly string[]; readonly short: readonly string[] }[] =>
  listed(text).map((entry) => {
    const [full = '', short = ''] = entry.split('=');
    return { forms: full.split('/'), short: short.split(',').filter((one) => one !== '') };
  });

export const kindsOf = ({ kinds }: Convention): readonly Kind[] =>
  kinds.flatMap(([place, text]) => entries(text).map((entry) => ({ place, ...entry })));

/** Returns each direction with its forms. A direction and its opposite are next to each other. */
export const directionsOf = ({ directions }: Convention) => entries(directions ?? '');

/** `text` without particles such as "de la". */
export const withoutParticles = ({ particles }: Convention, text: string): string =>
  listed(particles)
    .reduce(
      (name, particle) =>
        name.replace(new RegExp(`(^|\\s)${escaped(particle)}${/'$/.test(particle) ? '' : '(?=\\s)'}`, 'giu'), '$1'),
      text.replaceAll('’', "'"),
    )
    .replace(/\s+/g, ' ')
    .trim();

type StreetReader = (source: string) => Street;
export const createStreetReader = (convention: Convention): StreetReader => {
  const kinds = kindsOf(convention);
  const directions = directionsOf(convention);
  const directionOf = (word = ''): string =>
    directions.find(({ forms, short }) => [...forms, ...short].some((one) => one.toLowerCase() === word.toLowerCase()))
      ?.forms[0] ?? '';
  const isForm = (kind: Kind, word: string): boolean =>
    [...kind.forms, ...kind.short].some((form) => folded(form) === folded(word));
  const findKind = (
    words: readonly string[],
  ): { readonly kind: Kind; readonly own: string; readonly rest: string } | undefined => {
    const [first = '', last = ''] = [words[0], words.at(-1)];
    for (const kind of kinds) {
      if (words.length > 1 && kind.place === 'before' && isForm(kind, first))
        return { kind, own: `${first} `, rest: words.slice(1).join(' ') };
      if (words.length > 1 && kind.place !== 'before' && isForm(kind, last))
        return { kind, own: ` ${last}`, rest: words.slice(0, -1).join(' ') };
    }
    for (const kind of kinds.filter(({ place }) => place === 'glued'))
      for (const form of [...kind.forms, ...kind.short].toSorted((one, other) => other.length - one.length))
        if (form.length > 2 && last.toLowerCase().endsWith(form.toLowerCase()) && last.length > form.length + 1) {
          const rest = words.join(' ').slice(0, -form.length);
          return { kind, own: last.slice(-form.length), rest };
        }
    return undefined;
  };
  const cache = new Map<string, Street>();
  return (source) => {
    const known = cache.get(source);
    if (known) return known;
    let words = source.split(/\s+/).filter((word) => word !== '');
    let [before, after] = ['', ''];
    if (directionOf(words.at(-1)) !== '' && findKind(words.slice(0, -1))) {
      after = directionOf(words.at(-1));
      words = words.slice(0, -1);
    }
    if (words.length > 1 && directionOf(words[0]) !== '' && findKind(words.slice(1))) {
      before = directionOf(words[0]);
      words = words.slice(1);
    }
    const found = findKind(words);
    const usual = kinds.find(
      ({ forms }) =>
        convention.usualKind !== undefined &&
        forms.includes(convention.usualKind) &&
        !listed(convention.kindless).includes(source),
    );
    const stem = found?.rest ?? words.join(' ');
    const street = {
      source,
      stem,
      before,
      after,
      key: folded(withoutParticles(convention, stem)) || folded(stem),
      kind: found?.kind ?? usual,
      ownKind: found?.own ?? '',
    };
    cache.set(source, street);
    return street;
  };
};

const SIMPLE = /^(\d+)\s*-?(bis|ter|quater|[a-z])?\.?$/i;
export const numberRead = (text: string): Numbered => {
  const [, digits, letter = ''] = SIMPLE.exec(text.trim()) ?? [];
  const parts =
    digits === undefined
      ? text
          .toLowerCase()
          .split(/[^0-9a-z]+/)
          .filter((one) => one !== '')
      : [];
  const tidy = text.trim().replace(/\.$/, '').replace(/\s+/g, ' ');
  return {
    text:
      digits === undefined ? tidy : digits + (letter.length > 1 ? ` ${letter.toLowerCase()}` : letter.toUpperCase()),
    key: digits === undefined ? parts.join('/') : digits + letter.toLowerCase(),
    letter: letter.toLowerCase(),
    parts,
  };
};

const flatRead = (convention: Convention, text: string): Pick<House, 'flat' | 'flats'> => {
  if (text === '') return { flat: [], flats: undefined };
  for (const flats of convention.flats) {
    const found = flats.read.exec(text);
    if (found) return { flat: found.slice(1).map((one) => (/^0+\d/.test(one) ? one.replace(/^0+/, '') : one)), flats };
  }
  const [address = '', names = ''] = [convention.address, convention.names].map((one) => one.split('|')[0] ?? '');
  return { flat: [text], flats: { read: /^$/, address: `${address}, {1}`, names: `${names} {1}|${names}, {1}` } };
};

const dataOf = (country: string, directory: URL): readonly string[] => {
  const file = new URL(`${country}.tsv`, directory);
  return existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => /\t.*\d/.test(line))
    : [];
};

const readHouses = (country: string, convention: Convention, directory: URL): readonly House[] => {
  const streetOf = createStreetReader(convention);
  const seen = new Set<string>();
  return dataOf(country, directory).flatMap((line) => {
    const [street = '', number = '', flat = '', code = '', city = '', other = ''] = line
      .split('\t')
      .map((one) => one.trim());
    // Leaves out a house without a number, and an entry whose number is not that of a house.
    if (street === '' || city === '' || !/^\d/.test(number) || number.length > 12) return [];
    const isLetter = country === 'nl' && /^[a-z]$/i.test(flat) && /^\d+$/.test(number);
    const house: House = {
      streets: [street, other].filter((one) => one !== '').map(streetOf),
      number: numberRead(isLetter ? number + flat : number),
      ...flatRead(convention, isLetter ? '' : flat),
      code,
      city,
    };
    const key = [house.streets[0]?.source, house.number.key, house.flat.join('/'), city].join('\t').toLowerCase();
    if (seen.has(key)) return [];
    seen.add(key);
    return [house];
  });
};

export const pickFlat = (random: Random, convention: Convention, house: House): Pick<House, 'flat' | 'flats'> => {
  const usable = convention.flats.filter(
    ({ invent, on }) => invent && (on?.test(house.streets[0]?.source ?? '') ?? true),
  );
  const isLettered = /[a-z]/i.test(house.number.text);
  if (usable.length === 0 || isLettered) return { flat: [], flats: undefined };
  const flats = random.pick(usable);
  return { flats, flat: (flats.invent ?? []).map((values) => random.pick(listed(values))) };
};

export const filled = (template: string, street: string, number: string, flat: readonly string[]): string =>
  template
    .replace(/\{(\d)\}([º.o]?)/g, (_, at: string, sign: string) => {
      const part = flat[Number(at) - 1] ?? '';
      // "R/C" and "A" have no ordinal sign; "3º" has one.
      return part + (sign === '.' || /^\d+$/.test(part) ? sign : '');
    })
    .replaceAll('{s}', () => street)
    .replaceAll('{n}', () => number);

const DAY_S = 86_400;
const START_S = Date.UTC(2026, 0, 5) / 1000;
const hex = (random: Random, digits: number): string =>
  Array.from({ length: digits }, () => random.integer(0, 15).toString(16)).join('');
const guid = (random: Random): string =>
  `${hex(random, 8)}-${hex(random, 4)}-4${hex(random, 3)}-a${hex(random, 3)}-${hex(random, 12)}`;

/**
 * The street as the service writes it: with its kind as in the source or abbreviated. If the source has no kind, the
 * usual kind may be added.
 */
const serviceStreet = (random: Random, convention: Convention, street: Street): string => {
  const { kind, ownKind, source } = street;
  if (ownKind === '' && convention.usualKind && kind && random.chance(0.5)) return `${convention.usualKind} ${source}`;
  if (!kind || kind.place === 'glued' || !random.chance(convention.shortKind ?? 0)) return source;
  const short = kind.short[0];
  return short === undefined || ownKind === ''
    ? source
    : source.replace(ownKind, ownKind.replace(ownKind.trim(), short));
};

const OPEN = ['PENDING', 'PLANNED', 'IN_PROGRESS'];

const jobAt = (random: Random, convention: Convention, house: House, facility: number, isBilingual: boolean): Job => {
  const half = (list: string): string => {
    const [usual = '', ...others] = list.split('|');
    return others.length === 0 || random.chance(0.55) ? usual : random.pick(others);
  };
  const street = house.streets
    .slice(0, isBilingual ? 2 : 1)
    .map((one) => serviceStreet(random, convention, one))
    .join(random.chance(0.7) ? ' - ' : ' / ');
  const address = filled(half(house.flats?.address ?? convention.address), street, house.number.text, house.flat);
  const StartTime = START_S + random.integer(0, 320) * DAY_S + random.integer(14, 30) * 1800;
  return {
    house,
    isBilingual,
    target: {
      AssignmentId: guid(random),
      FacilityId: `FAC-${facility}`,
      AssignmentStatus: random.pick(OPEN),
      StartTime,
      FirstName: random.pick(listed(convention.first)),
      LastName: random.pick(listed(convention.last)),
      Performer: random.pick(listed(convention.performers)),
      Address: random.chance(0.03) ? `${address}, ${house.city}` : address,
      City: house.city,
      ...(random.chance(0.75)
        ? {
            InspectionProtocolId: guid(random),
            ZipCode: random.chance(0.04) ? '' : house.code,
            InspectionDate: StartTime - random.integer(5, 60) * DAY_S,
          }
        : {}),
    },
  };
};

export const countriesIn = (directory: URL): readonly string[] =>
  Object.keys(CONVENTIONS).filter((country) => dataOf(country, directory).length > 0);

/** Creates an office with at most `size` assignments in `country`. The same seed gives the same office. */
export const createOffice = (seed: string, country: string, size: number, directory: URL): Office => {
  const convention = CONVENTIONS[country];
  if (!convention) throw new Error(`No conventions of ${country}`);
  const random = createRandom('office', seed, country);
  const houses = readHouses(country, convention, directory);
  const allTowns = [...new Set(houses.map(({ city }) => city))];
  const left = allTowns.filter(() => allTowns.length > 5 && random.chance(0.08));
  const share = Math.min(0.65, size / Math.max(1, houses.length * 1.15));
  const needsFlats = houses.filter(({ flat }) => flat.length > 0).length < houses.length * 0.03;
  const bilingual = new Map<string, boolean>();
  const facilities = new Map<string, number>();
  let facility = 100_000 + random.integer(0, 9999);
  const jobs: Job[] = [];
  const add = (house: House): void => {
    const source = house.streets[0]?.source ?? '';
    const place = `${source}|${house.number.key}|${house.city}`;
    const known = facilities.get(place);
    if (known === undefined) facility += random.integer(1, 40);
    facilities.set(place, known ?? facility);
    if (!bilingual.has(source)) bilingual.set(source, house.streets.length > 1 && random.chance(0.6));
    const count = random.chance(0.05) ? 2 : 1;
    for (let at = 0; at < count; at += 1)
      jobs.push(jobAt(random, convention, house, known ?? facility, bilingual.get(source) ?? false));
  };
  for (const house of houses) {
    if (left.includes(house.city) || !random.chance(share)) continue;
    const [hasFlats, isWhole] = [needsFlats && random.chance(0.25), random.chance(house.flat.length > 0 ? 0.06 : 0.3)];
    if (!hasFlats || isWhole) add(house);
    if (house.flat.length > 0 && isWhole) add({ ...house, flat: [], flats: undefined });
    if (!hasFlats) continue;
    const flats = Array.from({ length: random.integer(1, 3) }, () => pickFlat(random, convention, house));
    const distinct = new Map(flats.map((one) => [one.flat.join('/'), one]));
    for (const one of distinct.values()) if (one.flat.length > 0 || !isWhole) add({ ...house, ...one });
  }
  const towns = [...new Set(jobs.map(({ house }) => house.city))];
  const isNear = (one: string, other: string): boolean =>
    folded(one).includes(folded(other)) || folded(other).includes(folded(one));
  const otherTowns = [...left, ...listed(convention.towns)].filter(
    (one) => !allTowns.some((town) => !left.includes(town) && isNear(one, town)),
  );
  const used = new Map<Kind, number>();
  for (const { streets } of houses) for (const { kind } of streets) if (kind) used.set(kind, (used.get(kind) ?? 0) + 1);
  const kinds = [...used].filter(([, count]) => count > houses.length / 200).map(([kind]) => kind);
  return { country, convention, jobs, houses, towns, otherTowns, kinds };
};
