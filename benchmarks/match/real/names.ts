/** Writes fields as the names of folders, as office workers in the country write them. */
import type { Random } from '../../../src/sandbox/sample/sample-data.ts';
import { mistyped } from '../spellings.ts';
import type { Flats } from './conventions.ts';
import {
  directionsOf,
  filled,
  folded,
  type Kind,
  listed,
  type Numbered,
  type Office,
  type Street,
  withoutAccents,
  withoutParticles,
} from './office.ts';
import type { Told } from './oracle.ts';

/** The number of edits, including swaps of neighbours, that change `one` into `other`. */
export const distance = (one: string, other: string): number => {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let y = 1; y <= one.length; y += 1) {
    const row = [y];
    for (let x = 1; x <= other.length; x += 1) {
      const same = one[y - 1] === other[x - 1] ? 0 : 1;
      let best = Math.min((rows[y - 1]?.[x] ?? 0) + 1, (row[x - 1] ?? 0) + 1, (rows[y - 1]?.[x - 1] ?? 0) + same);
      if (x > 1 && y > 1 && one[y - 1] === other[x - 2] && one[y - 2] === other[x - 1])
        best = Math.min(best, (rows[y - 2]?.[x - 2] ?? 0) + 1);
      row.push(best);
    }
    rows.push(row);
  }
  return rows[one.length]?.[other.length] ?? 0;
};

const pad = (value: number): string => String(value).padStart(2, '0');
const dateIn = (random: Random, { convention }: Office, time: number): string => {
  const date = new Date(time * 1000);
  const [Y, M, D] = [String(date.getUTCFullYear()), pad(date.getUTCMonth() + 1), pad(date.getUTCDate())];
  const parts: Readonly<Record<string, string>> = { Y, M, D, y: Y.slice(2) };
  return random.pick(listed(convention.dates)).replace(/[YMDy]/g, (sign) => parts[sign] ?? '');
};

/** Replaces the country's own letters, in the same way for the whole name, and removes all accents. */
const plainly = (random: Random, { convention }: Office, text: string): string => {
  const way = random.integer(0, 1);
  const own = new Map(
    listed(convention.letters).map((entry) => [entry.split('=')[0] ?? '', entry.split('=')[1]?.split(',') ?? []]),
  );
  const replaced = text.replace(/\p{L}/gu, (letter) => {
    const ways = own.get(letter.toLowerCase());
    const plain = ways?.[Math.min(way, ways.length - 1)];
    if (plain === undefined) return letter;
    return letter === letter.toLowerCase() ? plain : plain.slice(0, 1).toUpperCase() + plain.slice(1);
  });
  return withoutAccents(replaced);
};

/** Creates the functions that write names for an office. */
export const createWriter = (office: Office, random: Random) => {
  const { convention } = office;
  const streets = [...new Set(office.jobs.flatMap(({ house }) => house.streets))];
  const kindsByStem = new Map<string, Set<Kind | undefined>>();
  const stemOf = (street: Street): string => `${street.before}|${street.key}|${street.after}`;
  for (const street of streets)
    kindsByStem.set(stemOf(street), (kindsByStem.get(stemOf(street)) ?? new Set()).add(street.kind));
  const towns = new Set([...office.towns, ...office.otherTowns, ...office.houses.map(({ city }) => city)].map(folded));
  const directions = directionsOf(convention);
  const allKeys = [...new Set(streets.map(({ key }) => key))];

  const isDirection = (word: string): boolean =>
    directions.some(({ forms, short }) => [...forms, ...short].some((one) => folded(one) === folded(word)));

  /**
   * Whether a name can leave out the kind of the street: the rest is neither the name of another street of the office
   * nor that of a town.
   */
  const canDropKind = (street: Street): boolean =>
    street.kind !== undefined &&
    street.kind.place !== 'glued' &&
    (kindsByStem.get(stemOf(street))?.size ?? 1) === 1 &&
    street.key.length > 3 &&
    !isDirection(street.stem) &&
    /^\p{L}/u.test(street.stem) &&
    ![...towns].some((town) => street.key === town);

  const kindWritten = (street: Street, kinds: string[]): string => {
    const { kind, ownKind } = street;
    if (!kind) return '';
    const isGlued = !/\s/.test(ownKind) && kind.place === 'glued';
    if (ownKind === '' && !isGlued)
      return convention.usualKind && random.chance(0.6) ? `${random.pick([convention.usualKind, ...kind.short])} ` : '';
    const short = kind.short.filter((form) => form.toLowerCase() !== ownKind.trim().toLowerCase());
    if (short.length === 0 || !random.chance(0.4)) return ownKind;
    kinds.push('abbreviation');
    const form = random.pick(short);
    const isCapital = /^\s*\p{Lu}/u.test(ownKind);
    return ownKind.replace(ownKind.trim(), isCapital ? form[0]?.toUpperCase() + form.slice(1) : form);
  };

  const directionWritten = (direction: string, kinds: string[]): string => {
    const entry = directions.find(({ forms }) => forms[0] === direction);
    if (!entry || direction === '') return '';
    kinds.push('direction');
    return random.pick([direction, ...entry.short]);
  };

  const streetWritten = (told: Told, street: Street, kinds: string[]): string | undefined => {
    let { stem } = street;
    for (const entry of listed(convention.titles)) {
      const [full = '', short = ''] = entry.split('=');
      const pattern = new RegExp(`(^|\\s)${full}(?=[\\s-])`, 'u');
      if (pattern.test(stem) && random.chance(0.4)) {
        stem = stem.replace(pattern, `$1${random.pick(short.split(','))}`);
        kinds.push('abbreviation');
      }
    }
    const bare = withoutParticles(convention, stem);
    if (bare !== stem && bare.length > 2 && random.chance(0.25)) {
      stem = bare;
      kinds.push('particle dropped');
    }
    if (random.chance(0.1)) {
      const wrong = mistyped(random, stem);
      const key = folded(withoutParticles(convention, wrong));
      if (wrong !== stem && street.key.length > 4) {
        const own = distance(key, street.key);
        const limit = own + 1;
        const isOwn = allKeys.every(
          (other) => other === street.key || Math.abs(other.length - key.length) > limit || distance(key, other) > own,
        );
        // Another street is as similar to the misspelt name, so nobody can say which street is meant.
        if (!isOwn || own === 0) return undefined;
        stem = wrong;
        kinds.push('typo');
      }
    }
    const kind = told.hasKind ? kindWritten(street, kinds) : '';
    if (!told.hasKind && street.kind && street.ownKind !== '') kinds.push('kind dropped');
    const core = street.kind?.place === 'before' ? kind + stem : stem + kind;
    return [directionWritten(street.before, kinds), core, directionWritten(street.after, kinds)]
      .filter((one) => one !== '')
      .join(' ')
      .trim();
  };

  const numberWritten = (number: Numbered): string => {
    const { text, letter } = number;
    if (letter === '') return text;
    return random.pick([text, text, text.toLowerCase(), text.replace(/(\d)\s?([a-z])/i, '$1 $2')]);
  };

  /**
   * Writes street, number and flat. Several results are a folder and its subfolders. Returns undefined if the drawn
   * parts make no sense together.
   */
  const addressWritten = (told: Told, kinds: string[]): readonly string[] | undefined => {
    if (!told.street) return [];
    const street = streetWritten(told, told.street, kinds);
    if (street === undefined) return undefined;
    if (!told.number) return [street];
    // In a bilingual house, the flat is written in the language of the street.
    const { flat: parts = [], flats: own } = told.flat ?? {};
    const suits = (one: Flats | undefined): boolean => one?.on?.test(told.street?.source ?? '') ?? true;
    const flats = suits(own) ? own : (convention.flats.find((one) => one.on && suits(one)) ?? own);
    const templates = (flats?.names ?? convention.names).split('|');
    const template = random.pick(templates);
    const number = numberWritten(told.number);
    const flat = parts.map((part) => part.replace('/', ''));
    // "12-14" is a range of houses, unless the country writes flats in this way.
    const isRange =
      template.includes('{n}-{1}') && !convention.flats.some(({ address }) => /\{n\} ?- ?\{1\}/.test(address));
    if (isRange && Number.parseInt(flat[0] ?? '', 10) > Number.parseInt(number, 10)) return undefined;
    if (/[-/]/.test(number) && /\{[n1]\}[-_]\{/.test(template)) return undefined;
    if (/ \{1\}$/.test(template) && /^[a-z]$/i.test(flat[0] ?? '') && /\{n\}[, ]*\{1\}/.test(template))
      return undefined;
    if (/^(st|kl)$/.test(flat[0] ?? '') && /sal/.test(template)) return undefined;
    // A letter of the template may only precede a digit: "U3" is possible, "UG1" is not.
    if (/\p{L}\{1\}/u.test(template) && !/^\d/.test(flat[0] ?? '')) return undefined;
    if (/\{n\}.*\{s\}/.test(template) !== /\{n\}.*\{s\}/.test(convention.names.split('|')[0] ?? ''))
      kinds.push('other order');
    const slash = random.pick(['-', '-', '_']);
    return template.split('/').map((part) => filled(part, street, number.replaceAll('/', slash), flat));
  };

  const jobNumber = (): string =>
    random.pick(convention.jobs.split('|')).replace(/#/g, () => String(random.integer(1, 9)));

  /** The path of the folder, from the root on. */
  const pathOf = (told: Told, anyDay: number | undefined, kinds: string[]): string | undefined => {
    const address = addressWritten(told, kinds);
    if (!address) return undefined;
    const [head = '', ...below] = address;
    const [before, after]: [string[], string[]] = [[], []];
    if (head !== '') before.push(head);
    if (below.length > 0) kinds.push('flat in a folder');
    const person = [told.first, told.last].filter((one) => one !== undefined);
    if (person.length > 0) {
      if (head !== '') kinds.push('person');
      const name = random.chance(0.4) ? person.toReversed().join(' ') : person.join(' ');
      random.chance(0.5) ? before.unshift(name) : after.push(name);
    }
    const isParent = told.city !== undefined && random.chance(0.25);
    const code = told.code ?? '';
    const shortCode = random.chance(0.15) ? code.replace(' ', '') : code;
    const isCodeBehind = /^(us|ca|au|nz|gb|ie)$/.test(office.country);
    const town = (isCodeBehind ? [told.city, shortCode] : [shortCode, told.city])
      .filter((one) => one !== undefined && one !== '')
      .join(' ');
    if (told.city !== undefined) kinds.push(isParent ? 'town above' : 'town');
    if (code !== '') kinds.push('code');
    if (town !== '' && !isParent)
      random.chance(0.75) || told.city === undefined ? after.unshift(town) : before.unshift(town);
    const time = told.date ?? anyDay;
    if (time !== undefined) {
      kinds.push('date');
      random.chance(0.75) ? before.unshift(dateIn(random, office, time)) : after.push(dateIn(random, office, time));
    }
    if (random.chance(0.3)) {
      kinds.push('work word');
      const word = random.pick(listed(convention.words));
      random.chance(0.7) ? after.push(word) : before.unshift(word);
    }
    if (random.chance(0.1)) {
      kinds.push('job number');
      before.unshift(jobNumber());
    }
    // With only a space between them, two numbers, or a person and a street, would read as one.
    const needsSign = person.length > 0 || code !== '' || kinds.includes('job number');
    const separator = random.pick(
      needsSign ? [', ', ' - ', ' - ', '_', ' – '] : [' ', ' ', ' ', ', ', ' - ', '_', ' – '],
    );
    let name = [...before, ...after].join(below.length > 0 && after.length > 0 ? ' - ' : separator);
    if (random.chance(0.08)) {
      kinds.push('underscores');
      name = name.replace(/[, ]+/g, '_');
    } else if (random.chance(0.03) && !/\d-\d/.test(name) && !/\d \d/.test(name)) {
      kinds.push('dashes');
      name = name.replace(/[, ]+/g, '-').replace(/-+/g, '-');
    }
    let path = [...(isParent ? [town] : []), name, ...below].join('/');
    if (random.chance(0.2)) {
      const plain = plainly(random, office, path);
      if (plain !== path) kinds.push('accents');
      path = plain;
    }
    if (random.chance(0.12)) {
      kinds.push('case');
      path = random.chance(0.6) ? path.toLowerCase() : path.toUpperCase();
    }
    if (told.number && !told.flat && kinds.length === 0) kinds.push('as it is');
    return path.replace(/[<>:"|?*\\]/g, '');
  };

  return { canDropKind, pathOf };
};
