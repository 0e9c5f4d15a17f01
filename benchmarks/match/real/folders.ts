/**
 * Creates the folders of an office. First draws the fields that a name contains. Then the oracle decides which
 * assignments these fields can refer to. Only then are the fields written as a name.
 */
import { createRandom } from '../../../src/sandbox/sample/sample-data.ts';
import type { Folder } from '../folders.ts';
import { createWriter } from './names.ts';
import {
  directionsOf,
  type House,
  type Job,
  listed,
  type Numbered,
  numberRead,
  type Office,
  type Street,
} from './office.ts';
import { codeKey, dayOf, judge, type Told, type Verdict } from './oracle.ts';

/** `meant`: the assignment that the name was made from. */
export type RealFolder = Folder & {
  readonly outcome: Verdict['outcome'];
  readonly meant: string | undefined;
  readonly told: Told;
};

/** A change of a field: its name, how often it is drawn, and the change itself. */
type Change = readonly [kind: string, weight: number, change: (told: Told, job: Job) => Told | undefined];

/**
 * Creates `count` folders of an office, or fewer for a small office. Of 20 folders, six are foreign, one belongs to no
 * assignment at all (such as "Holiday"), and one has an id.
 */
export const createFolders = (seed: string, count: number, office: Office): readonly RealFolder[] => {
  const random = createRandom('real folders', seed, office.country);
  const { convention, country, jobs } = office;
  const { canDropKind, pathOf } = createWriter(office, random);
  const directions = directionsOf(convention);
  const byKey = new Map<string, Job[]>();
  for (const job of jobs)
    for (const key of new Set(job.house.streets.map((street) => street.key)))
      byKey.set(key, [...(byKey.get(key) ?? []), job]);
  const verdictOf = (told: Told): Verdict =>
    judge(office, told, told.street ? (byKey.get(told.street.key) ?? []) : jobs);
  const hasHouse = ({ streets, number, city }: House): boolean =>
    (byKey.get(streets[0]?.key ?? '') ?? []).some(
      ({ house }) => house.city === city && house.number.key === number.key,
    );

  const kindTold = (street: Street): boolean => !(canDropKind(street) && random.chance(convention.dropsKind ?? 0));
  const numberTold = (number: Numbered): Numbered => {
    const part = random.chance(0.8) ? number.parts.at(-1) : number.parts[0];
    return convention.hasTwoNumbers && part !== undefined && random.chance(0.5) ? numberRead(part) : number;
  };

  const toldOf = ({ house, target, isBilingual }: Job): Told => {
    const street = random.pick(house.streets.slice(0, isBilingual ? 2 : 1));
    const isPersonOnly = random.chance(0.02);
    const person = isPersonOnly || random.chance(0.15) ? { last: target.LastName } : {};
    const first = isPersonOnly || ('last' in person && random.chance(0.4)) ? { first: target.FirstName } : {};
    if (isPersonOnly) return { ...person, ...first };
    const [hasCity, hasNumber] = [random.chance(0.5), random.chance(0.96)];
    return {
      street,
      hasKind: kindTold(street),
      ...person,
      ...first,
      ...(hasNumber ? { number: numberTold(house.number) } : {}),
      ...(hasNumber && house.flat.length > 0 && random.chance(0.88)
        ? { flat: { flat: house.flat, flats: house.flats } }
        : {}),
      ...(hasCity ? { city: house.city } : {}),
      ...(house.code !== '' && random.chance(hasCity ? 0.2 : 0.04) ? { code: house.code } : {}),
      ...(random.chance(0.1) ? { date: target.StartTime } : {}),
    };
  };

  /** Draws a date on which no assignment of the street starts. */
  const otherDay = (told: Told): number | undefined => {
    if (told.date !== undefined || !random.chance(0.12)) return undefined;
    const near = told.street ? (byKey.get(told.street.key) ?? []) : [];
    const time = Date.UTC(2026, 0, 5) / 1000 + random.integer(0, 320) * 86_400;
    return near.some(({ target }) => Math.abs(dayOf(target.StartTime) - dayOf(time)) < 2) ? undefined : time;
  };

  const written = (
    told: Told,
    kinds: readonly string[],
  ): { readonly path: string; readonly kinds: readonly string[] } | undefined => {
    const all = [...kinds];
    const path = pathOf(told, otherDay(told), all);
    return path === undefined ? undefined : { path, kinds: [...new Set(all)] };
  };

  /** The changes that make a folder foreign, each of one field. */
  const changes: readonly Change[] = [
    [
      'other town',
      24,
      ({ code: _, ...told }, { house }) => {
        const known = office.towns.filter((town) => town !== house.city);
        const list = random.chance(0.5) && known.length > 0 ? known : office.otherTowns;
        return list.length === 0 ? undefined : { ...told, city: random.pick(list) };
      },
    ],
    [
      'other number',
      24,
      (told, { house }) => {
        const real = office.houses.filter(
          (one) => one.streets[0] === house.streets[0] && one.city === house.city && !hasHouse(one),
        );
        if (real.length > 0 && random.chance(0.7)) return { ...told, number: random.pick(real).number };
        const value = Number.parseInt(house.number.key, 10) + 2 * random.pick([-4, -3, -2, -1, 1, 2, 3, 4, 5, 6]);
        return value > 0 && house.number.parts.length === 0
          ? { ...told, number: numberRead(String(value)) }
          : undefined;
      },
    ],
    [
      'other letter',
      12,
      (told, { house }) => {
        const { letter, parts, key } = house.number;
        if (parts.length > 0 || letter.length > 1 || (country === 'fi' && told.flat)) return undefined;
        const next =
          letter === ''
            ? random.pick(['A', 'B', 'C'])
            : random.pick(['', String.fromCharCode(letter.charCodeAt(0) + 1)]);
        return /^[a-h]?$/i.test(next)
          ? { ...told, number: numberRead(`${Number.parseInt(key, 10)}${next}`) }
          : undefined;
      },
    ],
    [
      'other flat',
      14,
      (told, { house }) => {
        if (house.flat.length === 0 || !house.flats) return undefined;
        const invented = house.flats.invent?.length === house.flat.length ? house.flats.invent : undefined;
        const at = random.integer(0, house.flat.length - 1);
        const part = house.flat[at] ?? '';
        const other = invented
          ? random.pick(listed(invented[at]))
          : /^\d+$/.test(part)
            ? String(Number(part) + random.integer(1, 6))
            : undefined;
        return other === undefined
          ? undefined
          : { ...told, flat: { flats: house.flats, flat: house.flat.with(at, other) } };
      },
    ],
    [
      'other kind of street',
      14,
      (told) => {
        const { street } = told;
        if (!street?.kind || street.ownKind === '') return undefined;
        const own = street.ownKind.trim();
        const list = office.kinds.filter((kind) => kind !== street.kind && kind.place === street.kind?.place);
        const isShort = street.kind.short.some((form) => form.toLowerCase() === own.toLowerCase());
        const kind = list.length === 0 ? undefined : random.pick(list);
        const form = isShort ? (kind?.short[0] ?? kind?.forms[0]) : kind?.forms[0];
        if (!kind || form === undefined) return undefined;
        const cased = own[0] === own[0]?.toUpperCase() ? form[0]?.toUpperCase() + form.slice(1) : form.toLowerCase();
        return {
          ...told,
          hasKind: true,
          street: { ...street, kind, ownKind: street.ownKind.replace(own, () => cased) },
        };
      },
    ],
    [
      'other direction',
      6,
      (told) => {
        const { street } = told;
        if (!street || street.before + street.after === '') return undefined;
        const opposite = (direction: string): string => {
          const at = directions.findIndex(({ forms }) => forms[0] === direction);
          return at < 0 ? '' : (directions[at ^ 1]?.forms[0] ?? '');
        };
        const other = { ...street, before: opposite(street.before), after: opposite(street.after) };
        return { ...told, street: other };
      },
    ],
    [
      'other code',
      8,
      ({ city: _, ...told }, { house }) => {
        const other = random.pick(office.houses);
        const isOther = other.code !== '' && house.code !== '' && other.city !== house.city;
        const isOfTown = office.houses.some(
          ({ city, code }) => city === house.city && codeKey(code) === codeKey(other.code),
        );
        return isOther && !isOfTown ? { ...told, code: other.code } : undefined;
      },
    ],
  ];

  const weighted = changes.flatMap((change) => Array.from({ length: change[1] }, () => change));

  const foreignIn = (drawn: Change): RealFolder | undefined => {
    const job = random.pick(jobs);
    const { first: _first, last: _last, date: _date, ...real } = toldOf(job);
    if (!real.street || !real.number) return undefined;
    const told = drawn[2]({ ...real, number: job.house.number, hasKind: real.hasKind ?? true }, job);
    // The change has to be the reason why the folder is foreign.
    if (!told || verdictOf(told).outcome !== 'foreign') return undefined;
    // Before the change, the name has to refer to an assignment.
    if (verdictOf(real).outcome === 'foreign') return undefined;
    const stranger = random.chance(0.1) ? random.pick(listed(convention.last)) : undefined;
    const isStranger =
      stranger !== undefined &&
      !(byKey.get(told.street?.key ?? '') ?? []).some(({ target }) => target.LastName === stranger);
    const name = written({ ...told, ...(isStranger ? { last: stranger } : {}) }, [`foreign: ${drawn[0]}`]);
    const first = name?.kinds[0];
    return name && first
      ? {
          path: name.path,
          kinds: [first],
          country,
          told,
          truth: undefined,
          meant: undefined,
          isDeterminable: false,
          outcome: 'foreign',
        }
      : undefined;
  };

  /**
   * Creates a foreign folder. The change is drawn before the folder, so that a change that suits few folders is as
   * frequent as others.
   */
  const foreign = (): RealFolder | undefined => {
    const change = random.pick(weighted);
    for (let attempt = 0; attempt < 60; attempt += 1) {
      const folder = foreignIn(change);
      if (folder) return folder;
    }
    return undefined;
  };

  const ofJob = (): RealFolder | undefined => {
    const job = random.pick(jobs);
    const told = toldOf(job);
    const { outcome, truth } = verdictOf(told);
    if (outcome === 'foreign' || outcome === 'unclear') return undefined;
    // The name leaves out the flat, and the house has its own assignment: nobody would name the flat's folder in this
    // way.
    if (truth && truth !== job) return undefined;
    const kinds: string[] = [];
    if (!told.street) kinds.push('person only');
    else if (!told.number) kinds.push('no number');
    else if (told.flat) kinds.push('flat');
    else if (job.house.flat.length > 0) kinds.push('flat not told');
    if (outcome === 'several') kinds.push('several fit');
    if (outcome === 'allowed') kinds.push('may be asked');
    if (job.isBilingual) kinds.push('one of two languages');
    const name = written(told, kinds);
    if (!name) return undefined;
    const meant = job.target.AssignmentId;
    return {
      ...name,
      country,
      told,
      meant,
      outcome,
      isDeterminable: outcome === 'decidable',
      truth: truth ? meant : 'several',
    };
  };

  const byId = (): RealFolder => {
    const job = random.pick(jobs);
    const { AssignmentId, FacilityId } = job.target;
    const isShared = verdictOf({ id: FacilityId }).outcome === 'several' && random.chance(0.7);
    const id = isShared ? AssignmentId : random.pick([AssignmentId, FacilityId]);
    const told = { id };
    const { outcome } = verdictOf(told);
    const text = random.pick([id, id.toUpperCase(), id.replaceAll('-', ''), id.toLowerCase()]);
    const word = random.pick(listed(convention.words));
    const path = random.pick([text, `${text} ${word}`, `${word} ${text}`, `${text}_${word}`]);
    const meant = job.target.AssignmentId;
    return {
      path,
      country,
      told,
      meant,
      outcome,
      kinds: ['id', ...(outcome === 'several' ? ['several fit'] : [])],
      truth: outcome === 'several' ? 'several' : meant,
      isDeterminable: outcome === 'decidable',
    };
  };

  const family = (): RealFolder => {
    const names = listed(
      `${convention.family}|${random.chance(0.5) ? convention.words : 'Scan|IMG_0123|2025|DCIM|tmp'}`,
    );
    const path = random.chance(0.25)
      ? `${random.pick(listed(convention.family))}/${random.pick(names)}`
      : random.pick(names);
    return {
      path,
      kinds: ['family folder'],
      country,
      told: {},
      truth: undefined,
      meant: undefined,
      isDeterminable: false,
      outcome: 'foreign',
    };
  };

  const drawn = (make: () => RealFolder | undefined): RealFolder => {
    for (let attempt = 0; attempt < 2000; attempt += 1) {
      const folder = make();
      if (folder) return folder;
    }
    return family();
  };

  return Array.from({ length: Math.min(count, jobs.length * 3) }, (_, at) => {
    const folder = at % 20 < 6 ? drawn(foreign) : at % 20 === 6 ? family() : at % 20 === 7 ? byId() : drawn(ofJob);
    return { ...folder, path: `${convention.root}/${folder.path.replaceAll('’', "'")}` };
  });
};
