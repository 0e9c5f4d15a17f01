/**
 * Judges which assignments a name can refer to, by the fields that the name was made from. It never reads the text of
 * the name, and it judges before anything is matched.
 */
import { folded, type House, type Job, type Numbered, type Office, type Street, withoutAccents } from './office.ts';

/** The fields that a name contains; fields that it does not contain are absent. */
export type Told = {
  readonly id?: string;
  readonly street?: Street;
  /** Whether the name contains the kind of the street. */
  readonly hasKind?: boolean;
  readonly number?: Numbered;
  readonly flat?: Pick<House, 'flat' | 'flats'>;
  readonly city?: string;
  readonly code?: string;
  readonly first?: string;
  readonly last?: string;
  /** A time on the day of the start, in seconds since 1970. */
  readonly date?: number;
};

export type Fit = 'sure' | 'possible' | 'none';
/**
 * `decidable`: exactly one assignment fits. `allowed`: the folder may be sent to `truth`, and the user may also be
 * asked. `several`: any assignment would be a guess. `foreign`: none fits. `unclear`: none fits completely, but one may
 * be right.
 */
export type Verdict = {
  readonly outcome: 'decidable' | 'allowed' | 'several' | 'foreign' | 'unclear';
  readonly truth?: Job;
};

const numberFit = (told: Numbered, has: Numbered, isEither: boolean): Fit => {
  if (told.key === has.key) return 'sure';
  const [one, other] = [told, has].map(({ key, parts }) => (parts.length > 0 ? parts : [key])) as [string[], string[]];
  const isPart = one.some((part) => other.includes(part));
  if (isPart && isEither && (one.length === 1 || other.length === 1)) return 'sure';
  if (isPart) return 'possible';
  const [value, from, to] = [Number.parseInt(told.key, 10), ...other.map((part) => Number.parseInt(part, 10))];
  if (from !== undefined && to !== undefined && value >= from && value <= to) return 'possible';
  // "12 bis" and "12B" may be the same number.
  const [digits, hasDigits] = [told.key, has.key].map((key) => Number.parseInt(key, 10));
  return digits === hasDigits && told.letter !== '' && has.letter !== '' && told.letter[0] === has.letter[0]
    ? 'possible'
    : 'none';
};

const ROMAN: Readonly<Record<string, string>> = { i: '1', ii: '2', iii: '3', iv: '4' };
const flatKey = (flat: readonly string[]): string => flat.map((part) => ROMAN[folded(part)] ?? folded(part)).join('/');

const houseFit = (isEither: boolean, { number, flat }: Told, house: House): Fit => {
  if (!number) return 'sure';
  const fit = numberFit(number, house.number, isEither);
  // "48B" and "Flat B, 48" may be the same flat.
  const whole = (one: Numbered, parts: readonly string[]): string => folded(one.key + parts.join(''));
  const isAlike = whole(number, flat?.flat ?? []) === whole(house.number, house.flat);
  if (fit === 'none') return isAlike ? 'possible' : 'none';
  if (!flat || flatKey(flat.flat) === flatKey(house.flat)) return fit;
  return house.flat.length === 0 || isAlike ? 'possible' : 'none';
};

/** "Krems" may be "Krems an der Donau". */
const isSameTown = (one: string, other: string): boolean => {
  const [short = '', long = ''] = [one, other]
    .map((town) => withoutAccents(town).toLowerCase())
    .toSorted((a, b) => a.length - b.length);
  return long.startsWith(short) && !/[a-z0-9]/.test(long[short.length] ?? '');
};

export const codeKey = (code: string): string => code.toLowerCase().replace(/[^a-z0-9]/g, '');

/** How well `job` fits the fields of a name. */
export const fitOf = ({ convention }: Office, told: Told, { target, house }: Job): Fit => {
  if (told.id !== undefined) return [target.AssignmentId, target.FacilityId].includes(told.id) ? 'sure' : 'none';
  const { street } = told;
  if (street) {
    const isSame = house.streets.some(
      (one) =>
        one.key === street.key &&
        one.before + one.after === street.before + street.after &&
        (told.hasKind !== true || one.kind === street.kind),
    );
    if (!isSame) return 'none';
  }
  if (told.last !== undefined && folded(told.last) !== folded(target.LastName)) return 'none';
  if (told.first !== undefined && folded(told.first) !== folded(target.FirstName)) return 'none';
  let fit = houseFit(convention.hasTwoNumbers === true, told, house);
  if (fit !== 'none' && told.code !== undefined && codeKey(told.code) !== codeKey(house.code)) fit = 'none';
  if (fit !== 'none' && told.city !== undefined && folded(told.city) !== folded(house.city))
    fit = isSameTown(told.city, house.city) ? 'possible' : 'none';
  return fit;
};

export const dayOf = (time: number): number => Math.floor(time / 86_400);

/** Judges what a name with these fields refers to in this office. */
export const judge = (office: Office, told: Told, jobs: readonly Job[] = office.jobs): Verdict => {
  const fits = jobs.map((job) => ({ job, fit: fitOf(office, told, job) })).filter(({ fit }) => fit !== 'none');
  const sure = fits.filter(({ fit }) => fit === 'sure').map(({ job }) => job);
  if (sure.length === 0) return { outcome: fits.length === 0 ? 'foreign' : 'unclear' };
  const [only] = sure;
  const isEnough =
    told.id !== undefined || (told.street !== undefined && (told.number !== undefined || told.last !== undefined));
  // Another assignment may fit as well, for example because its number is a range or its town has a longer name. A
  // house does not count if the name contains a flat.
  const isOpen = fits.some(({ job, fit }) => fit === 'possible' && !(told.flat && job.house.flat.length === 0));
  const lacksFlat =
    told.number !== undefined && !told.flat && told.last === undefined && (only?.house.flat.length ?? 0) > 0;
  if (sure.length === 1 && only)
    return { outcome: isEnough && !isOpen && !lacksFlat ? 'decidable' : 'allowed', truth: only };
  // If a house and its flats fit, a name without a flat refers to the house.
  const whole = sure.filter(({ house }) => house.flat.length === 0);
  if (told.number && !told.flat && whole.length === 1 && whole[0]) return { outcome: 'allowed', truth: whole[0] };
  const { date } = told;
  const onDay = date === undefined ? [] : sure.filter(({ target }) => dayOf(target.StartTime) === dayOf(date));
  if (onDay.length === 1 && onDay[0]) return { outcome: 'allowed', truth: onDay[0] };
  return { outcome: 'several' };
};
