/** Folders as users name them, each with the assignment that it belongs to. */
import { createRandom, type Random } from '../../src/sandbox/sample/sample-data.ts';
import { abbreviated, flatWritten, mistyped, withoutAccents } from './spellings.ts';
import { type House, houseIn, type Job, type World, zipOf } from './world.ts';

export type Folder = {
  readonly path: string;
  /** The assignment that the folder belongs to, if any. */
  readonly truth: string | undefined;
  /** Whether the path distinguishes that assignment from all others. */
  readonly isDeterminable: boolean;
  /** The changes that were made to the name. */
  readonly kinds: readonly string[];
  readonly country: string;
};

const NOISE = [
  ...[
    'bilder',
    'Bilder',
    'foto',
    'dokumentasjon',
    'FDV',
    'befaring',
    'ferdig',
    'samsvar',
    'rapport',
    'kunde',
    'tak',
    'bad',
    'elektro',
  ],
  ...[
    'photos',
    'Photos',
    'docs',
    'inspection',
    'final',
    'roof',
    'kitchen',
    'before',
    'after',
    'ny',
    'kopi',
    'Bilder tak',
    'kuvat',
  ],
  ...[
    'Fotos',
    'Abnahme',
    'Dach',
    'Heizung',
    'projekt',
    'handlingar',
    'besiktning',
    'plåt',
    'ventilation',
    'billeder',
    'tilsyn',
  ],
  ...[
    'IMG',
    '(2)',
    'v2',
    '- kopi',
    'reklamasjon',
    'lekkasje',
    'sikringsskap',
    'boiler',
    'stairwell',
    'terrasse',
    'gutters',
  ],
];
const SEPARATORS = [' ', ' ', ' ', ', ', ' - ', '_', ' – '];
const FAMILY = [
  ...[
    'Invoices',
    'Old',
    'Misc',
    'Diverse',
    'Fakturaer',
    'Arkiv',
    'Tilbud',
    'Bilder',
    '2026',
    '2025',
    'Week 12',
    'Uke 14',
    'Mai',
    'KW 23',
  ],
  ...[
    'Templates',
    'Maler',
    'Personal',
    'Kunder',
    'HMS',
    'New folder',
    'Ny mappe',
    'Untitled',
    'tmp',
    'Kontrakter',
    'Rechnungen',
    'a',
    '1',
    '0412',
  ],
  ...[
    'Jobs',
    'Møter',
    'Kurs',
    'Lager',
    'Biler',
    'Photos 2026',
    'Scan',
    '📁',
    'Prosjekt 14',
    'IMG_0123',
    'DSC00231',
    'Vakt',
    'Urlaub',
  ],
];

/** Which details of an assignment a name contains. */
type Told = {
  readonly street: boolean;
  readonly number: boolean;
  readonly letter: boolean;
  readonly city: boolean;
  readonly person: boolean;
  readonly date: boolean;
  readonly performer: boolean;
  readonly unit: boolean;
};

const pad = (value: number): string => String(value).padStart(2, '0');
const dateIn = (random: Random, time: number): string => {
  const date = new Date(time * 1000);
  const [year, month, day] = [date.getUTCFullYear(), pad(date.getUTCMonth() + 1), pad(date.getUTCDate())];
  return random.pick([
    `${year}-${month}-${day}`,
    `${year}${month}${day}`,
    `${day}.${month}.${year}`,
    `${day}.${month}.${String(year).slice(2)}`,
  ]);
};

const changed = (random: Random, house: House, kinds: string[]): { readonly street: string; readonly city: string } => {
  let { street, city } = house;
  const maybe = (chance: number, kind: string, change: () => string): void => {
    if (!random.chance(chance)) return;
    const next = change();
    if (next !== street) kinds.push(kind);
    street = next;
  };
  maybe(0.2, 'abbreviation', () => abbreviated(random, street));
  maybe(0.12, 'typo', () => mistyped(random, street));
  maybe(0.02, 'two typos', () => mistyped(random, mistyped(random, street)));
  maybe(0.15, 'accents', () => withoutAccents(random, street));
  maybe(0.08, 'case', () => (random.chance(0.5) ? street.toUpperCase() : street.toLowerCase()));
  if (random.chance(0.04)) {
    city = mistyped(random, city);
    kinds.push('typo in the city');
  }
  return { street, city };
};

/** Street and number in one of the usual orders. */
const streetWithNumber = (random: Random, house: House, street: string, told: Told, kinds: string[]): string => {
  if (!told.number) return street;
  const letter = told.letter ? (random.chance(0.3) ? house.letter.toLowerCase() : house.letter) : '';
  const gap = letter !== '' && random.chance(0.25) ? ' ' : '';
  const number = `${house.number}${gap}${letter}`;
  const isFront = house.lists.isNumberFirst !== random.chance(0.08);
  if (isFront !== house.lists.isNumberFirst) kinds.push('order');
  if (random.chance(0.04) && !isFront) {
    kinds.push('glued');
    return `${street}${number}`;
  }
  if (random.chance(0.03)) return isFront ? `nr ${number} ${street}` : `${street} nr ${number}`;
  return isFront ? `${number} ${street}` : `${street} ${number}`;
};

const nameFor = (random: Random, { target, house }: Job, told: Told, kinds: string[]): readonly string[] => {
  const { street, city } = changed(random, house, kinds);
  const first = random.chance(0.15) ? `${target.FirstName[0]}.` : target.FirstName;
  const isLastOnly = told.street && random.chance(0.4);
  const person = isLastOnly
    ? target.LastName
    : random.chance(0.5)
      ? `${first} ${target.LastName}`
      : `${target.LastName} ${target.FirstName}`;
  const told_: string[] = [];
  if (told.street) told_.push(streetWithNumber(random, house, street, told, kinds));
  if (told.unit && house.unit !== '') {
    kinds.push('flat');
    told_.push(flatWritten(random, house.unit));
  }
  const where = told.city ? (random.chance(0.2) && target.ZipCode ? `${house.zip} ${city}` : city) : '';
  const isHierarchy = told.city && told.street && random.chance(0.25);
  if (where !== '' && !isHierarchy) random.chance(0.75) ? told_.push(where) : told_.unshift(where);
  if (told.person) random.chance(0.5) ? told_.push(person) : told_.unshift(person);
  if (told.performer) told_.push(target.Performer);
  if (told.date) told_.unshift(dateIn(random, target.StartTime));
  if (random.chance(0.35)) {
    kinds.push('noise');
    random.chance(0.75) ? told_.push(random.pick(NOISE)) : told_.unshift(random.pick(NOISE));
  }
  if (random.chance(0.08)) {
    kinds.push('job number');
    told_.unshift(
      String(random.chance(0.5) ? random.integer(10_000, 99_999) : random.integer(1000, 4999)) +
        random.pick([' -', '_', '']),
    );
  }
  if (!told.date && random.chance(0.1)) {
    kinds.push('date');
    told_.unshift(dateIn(random, target.StartTime + random.integer(-9, 90) * 86_400));
  }
  const name = told_.filter((part) => part !== '').join(random.pick(SEPARATORS));
  if (!isHierarchy) return [random.chance(0.06) ? name.replaceAll(' ', '_') : name];
  kinds.push('hierarchy');
  const saysMore = told.person || told.date || told.performer || house.unit !== '';
  if (told.number && !saysMore && random.chance(0.4) && !house.lists.isNumberFirst)
    return [where, street, `${house.number}${told.letter ? house.letter : ''}`];
  return [where, name];
};

const isToldBy = (told: Told, one: Job, other: Job): boolean => {
  const [a, b] = [one.house, other.house];
  const [x, y] = [one.target, other.target];
  const day = (time: number): number => Math.floor(time / 86_400);
  return (
    (!told.street || a.street === b.street) &&
    (!told.number || a.number === b.number) &&
    (!told.letter || a.letter === b.letter) &&
    (!told.city || a.city === b.city) &&
    (!told.unit || a.unit === b.unit) &&
    (!told.person || x.LastName === y.LastName) &&
    (!told.performer || x.Performer === y.Performer) &&
    (!told.date || day(x.StartTime) === day(y.StartTime))
  );
};

const toldIn = (random: Random): Told => {
  const street = random.chance(0.97);
  const number = street && random.chance(0.95);
  return {
    street,
    number,
    letter: number && random.chance(0.96),
    city: random.chance(0.4),
    person: !street || random.chance(0.2),
    date: random.chance(0.12),
    performer: random.chance(0.08),
    unit: random.chance(0.8),
  };
};

const idFolder = (random: Random, { target }: Job, kinds: string[]): string => {
  kinds.push('id');
  const noise = random.chance(0.5) ? ` ${random.pick(NOISE)}` : '';
  const id = random.pick([target.AssignmentId, target.AssignmentId.slice(0, 8), target.FacilityId, target.FacilityId]);
  const written = random.pick([id, id.toUpperCase(), id.replaceAll('-', ''), id.replaceAll('-', '_')]);
  return random.chance(0.3) ? `${random.pick(NOISE)} ${written}` : `${written}${noise}`;
};

const jobFolder = (random: Random, world: World, job: Job, byStreet: ReadonlyMap<string, readonly Job[]>): Folder => {
  const kinds: string[] = [];
  const country = job.house.lists.country;
  const truth = job.target.AssignmentId;
  if (random.chance(0.07)) {
    const path = idFolder(random, job, kinds);
    const isFacility = /fac/i.test(path);
    const sharing = isFacility
      ? world.jobs.filter(({ target }) => target.FacilityId === job.target.FacilityId).length
      : 1;
    return { path, truth, isDeterminable: sharing === 1, kinds, country };
  }
  const told = toldIn(random);
  if (random.chance(0.02) && told.number && job.house.number > 11) {
    // The last two digits of the number are swapped, so only a user can decide which house is meant.
    kinds.push('moved number');
    const digits = [...String(job.house.number)];
    digits.push(digits.splice(-2, 1)[0] ?? '');
    const house = { ...job.house, number: Number(digits.join('')) };
    return {
      path: nameFor(random, { ...job, house }, told, kinds).join('/'),
      truth,
      isDeterminable: house.number === job.house.number,
      kinds,
      country,
    };
  }
  const path = nameFor(random, job, told, kinds).join('/');
  const alike = (told.street ? (byStreet.get(job.house.street) ?? []) : world.jobs).filter((other) =>
    isToldBy(told, job, other),
  );
  const saysHouse = told.number && (told.letter || job.house.letter === '');
  const isDeterminable = alike.length === 1 && told.street && (saysHouse || (told.person && !told.number));
  if (!told.number) kinds.push(told.street ? 'no number' : 'person only');
  if (alike.length > 1) kinds.push('several fit');
  return { path, truth, isDeterminable, kinds: kinds.length === 0 ? ['as it is'] : kinds, country };
};

const everything: Told = {
  street: true,
  number: true,
  letter: true,
  city: false,
  person: false,
  date: false,
  performer: false,
  unit: true,
};

const foreignFolder = (random: Random, world: World, byStreet: ReadonlyMap<string, readonly Job[]>): Folder => {
  const job = random.pick(world.jobs);
  const { house } = job;
  const { lists } = house;
  const kinds: string[] = [];
  const stranger = {
    ...job.target,
    FirstName: random.pick(lists.first),
    LastName: random.pick(lists.last),
    StartTime: job.target.StartTime + 1e7,
  };
  const told = { ...everything, city: random.chance(0.4), person: random.chance(0.2) };
  const isFree = (other: House): boolean =>
    !(byStreet.get(other.street) ?? []).some(
      (one) =>
        one.house.number === other.number &&
        one.house.letter === other.letter &&
        (!told.city || one.house.city === other.city),
    );
  const at = (kind: string, other: House, says: Told = told): Folder => ({
    path: nameFor(random, { target: stranger, house: other }, says, kinds).join('/'),
    truth: undefined,
    isDeterminable: false,
    country: lists.country,
    kinds: [`foreign: ${kind}`],
  });
  const tried = (kind: string, make: () => House, says?: Told): Folder => {
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const other = make();
      if (isFree(other)) return at(kind, other, says);
    }
    return {
      path: random.pick(FAMILY),
      truth: undefined,
      isDeterminable: false,
      kinds: ['foreign: family folder'],
      country: lists.country,
    };
  };
  const roll = random.integer(0, 99);
  if (roll < 30)
    return tried('other number', () => ({ ...house, number: random.integer(1, 120), letter: '', unit: '' }));
  if (roll < 38)
    return tried('other letter', () => ({ ...house, letter: random.pick(['A', 'B', 'E', 'F']), unit: '' }));
  if (roll < 52) return tried('other street', () => ({ ...houseIn(random, lists, [house.city]), unit: '' }));
  if (roll < 66) {
    const city = random.pick(lists.cities.filter((one) => !world.cities.includes(one)));
    return tried('other city', () => ({ ...house, city, zip: zipOf(random, lists.zip), unit: '' }), {
      ...told,
      city: true,
    });
  }
  if (roll < 80)
    return tried('far away', () => ({ ...houseIn(random, lists, lists.cities), unit: '' }), { ...told, city: true });
  return {
    path: random.chance(0.3) ? `${random.pick(FAMILY)}/${random.pick(FAMILY)}` : random.pick(FAMILY),
    truth: undefined,
    isDeterminable: false,
    kinds: ['foreign: family folder'],
    country: lists.country,
  };
};

/** Creates `count` folders, a fifth of which belong to no assignment. The same seed gives the same folders. */
export const createFolders = (seed: string, count: number, world: World): readonly Folder[] => {
  const random = createRandom('folders', seed);
  const byStreet = new Map<string, Job[]>();
  for (const job of world.jobs) byStreet.set(job.house.street, [...(byStreet.get(job.house.street) ?? []), job]);
  return Array.from({ length: count }, () => {
    const folder = random.chance(0.2)
      ? foreignFolder(random, world, byStreet)
      : jobFolder(random, world, random.pick(world.jobs), byStreet);
    return { ...folder, path: `Jobs/${folder.path.replaceAll(/[<>:"|?*]/g, '')}` };
  });
};
