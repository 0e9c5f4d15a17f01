/**
 * Reads a path for one assignment. Each word and number is explained by the assignment (street, number, flat, town, postcode, people, ids,
 * dates), or by the office (words that say nothing of a place), or it is left over. What is left over where a flat, a kind of street or a
 * town stands speaks against the assignment. The result is a list of features for certainty.ts, with the words of the path for people.
 */

import type { MatchReason, MatchSignal } from '../../contract/drafts.ts';
import type { AssignmentSummary } from '../../contract/resources.ts';
import type { Address, Conventions } from './addresses.ts';
import { fitHouse, type House, isCountAt, type Place, placeAt, type Reader } from './houses.ts';
import {
  type DateMention,
  type Day,
  dateFit,
  dayOfTime,
  foldedWords,
  remembered,
  type Segment,
  type Span,
  wordsOfSpan,
} from './names.ts';
import type { Rule } from './rules.ts';
import { isShortFor, mistakesAllowed, mistakesBetween } from './spelling.ts';
import type { Hit, Phrase, Phrases } from './streets.ts';
import { type Feature, WEIGHTS } from './weights.ts';
import { COMPANY_FORMS, isFilling, isWorkWord, NUMBER_SIGNS } from './words.ts';

/** An assignment, with what its protocol adds. `InspectionDate` and `StartTime`: seconds below 1e11, else milliseconds. */
export type MatchTarget = AssignmentSummary & {
  readonly InspectionProtocolId?: string;
  readonly ZipCode?: string;
  readonly InspectionDate?: number;
};

/** An assignment, or the place of a protocol that was not read, taken apart. Names are folded and written as one word. */
export type ReadTarget = {
  readonly target: MatchTarget;
  readonly address: Address | undefined;
  readonly city: string;
  readonly zip: string;
  readonly first: string;
  readonly last: string;
  /** The performer's name, without the form of the company and with it. */
  readonly performer: string;
  readonly performerWhole: string;
};

/** A street of the assignments. */
export type Street = Phrase & {
  /** The positions of its assignments by their numbers; those without a number have an empty one. */
  readonly byNumber: Map<string, number[]>;
  readonly cities: Set<string>;
};

export type StreetMention = Place & { readonly hit: Hit<Street> };
export type CityMention = Place & { readonly city: string; readonly mistakes: number; readonly isWhole: boolean };
export type PerformerMention = Place & { readonly performer: string };
/** What is written like a postcode of the list. */
export type CodeMention = Place & { readonly code: string; readonly shape: string };
export type IdMention = Place & { readonly feature: Feature };

/** What a path says, as far as it does not depend on an assignment. */
export type Path = Reader & {
  readonly streets: readonly StreetMention[];
  readonly cities: readonly CityMention[];
  readonly performers: readonly PerformerMention[];
  readonly codes: readonly CodeMention[];
  /** The words of each name that the office explains, a bit for each: they say nothing of a place. */
  readonly neutral: readonly number[];
  /** The numbers beside a street, read once for all its assignments. */
  readonly housesOf: (mention: StreetMention) => readonly House[];
};

/** What is known of the list that the assignment is in. */
export type Surroundings = {
  readonly conventions: Conventions;
  readonly streets: Pick<Phrases<Street>, 'has' | 'isKind' | 'isUsualKind'>;
  /** How many of the assignments would have this person's name by chance. */
  readonly namesakes: (target: ReadTarget) => number;
  readonly isLastName: (word: string) => boolean;
  readonly isPerson: (word: string) => boolean;
  readonly isCode: (code: string) => boolean;
  /** The codes of a city, without blanks. */
  readonly codesOf: (city: string) => ReadonlySet<string>;
  /** How most codes are written. */
  readonly shapes: ReadonlySet<string>;
  readonly ids: ReadonlyMap<number, readonly IdMention[]>;
  readonly rule: Rule | undefined;
};

/** A feature with the words of the path that say so. */
export type Found = {
  readonly feature: Feature;
  readonly place?: Place;
  readonly words?: string;
  readonly atMs?: number | undefined;
};

export type Evidence = {
  readonly features: readonly Feature[];
  readonly found: readonly Found[];
  /** The words and numbers of each name that the assignment explains, a bit for each. */
  readonly explained: readonly number[];
  /** The deepest name of the path that points to the assignment; -1 for none. */
  readonly deepest: number;
};

const AGAINST = new Set(Object.keys(WEIGHTS).filter((name) => /-(other|other-typo|unknown|longer|left)$/.test(name)));
/** Whether a feature speaks against an assignment. */
export const isAgainst = (feature: Feature): boolean => AGAINST.has(feature);

/** Whether two spans of a name share a word. */
export const meet = (one: Span, other: Span): boolean => one.from < other.to && one.to > other.from;
const overlap = (one: Place, other: Place): boolean => one.depth === other.depth && meet(one.span, other.span);

/** The words and numbers of `span`, a bit for each: a name has 32 at most. */
export const bitsOf = ({ from, to }: Span): number => {
  let bits = 0;
  for (let at = from; at < to; at += 1) bits |= 1 << at;
  return bits;
};
export const hasBit = (bits: number | undefined, at: number): boolean => at >= 0 && (((bits ?? 0) >>> at) & 1) === 1;

/** The words and numbers of a path that something explains. */
const createMarks = (names: number) => {
  const all = new Array<number>(names).fill(0);
  return {
    all,
    mark: (places: readonly (Place | undefined)[]): void => {
      for (const place of places) if (place) all[place.depth] = (all[place.depth] ?? 0) | bitsOf(place.span);
    },
    has: (depth: number, at: number): boolean => hasBit(all[depth], at),
  };
};
type Marks = ReturnType<typeof createMarks>;

/** What the path says of the street, the house and the flat of an assignment. */
type StreetEvidence = {
  readonly mention: StreetMention;
  readonly house: House | undefined;
  readonly found: readonly Found[];
  /** The words of the number and the flat. */
  readonly places: readonly Place[];
  /** Whether the house is the one that is meant. */
  readonly isHere: boolean;
};

const streetFeature = ({ hit: { phrase, missing, mistakes, initials } }: StreetMention): Feature => {
  if (missing.some((at) => phrase.roles[at] === 'core')) return 'street-part';
  if (missing.length > 0) return 'street-kind-missing';
  if (mistakes > 0) return mistakes > 1 ? 'street-two-typos' : 'street-typo';
  return initials > 0 ? 'street-initials' : 'street';
};

const isEqual = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((word, at) => word === other[at]);

/** Chooses between two numbers beside a street: the address's own, else the closer one, else the one on the usual side. */
const chosenHouse = (houses: readonly House[], { number, isFront }: Address): House | undefined => {
  const [one, other] = houses;
  if (one === undefined || other === undefined) return one;
  const own = houses.filter((house) => house.number === number);
  if (own.length === 1) return own[0];
  if (one.isTight !== other.isTight) return one.isTight ? one : other;
  return houses.find(({ side }) => side === (isFront ? 'left' : 'right'));
};

/** The place from the first to the last of `places` in the name of the first one. */
const around = (places: readonly Place[]): Place | undefined => {
  const depth = places[0]?.depth;
  if (depth === undefined) return undefined;
  const spans = places.filter((place) => place.depth === depth).map(({ span }) => span);
  return placeAt(depth, Math.min(...spans.map(({ from }) => from)), Math.max(...spans.map(({ to }) => to)));
};

/** A house that has a name instead of a number, or nothing but a street. */
const houseWithoutNumber = ({ names }: Address, { streets }: Path): Feature => {
  if (names.length < 2) return 'no-house';
  const isSaid = (words: readonly string[]): boolean =>
    streets.some(({ hit }) => hit.missing.length === 0 && isEqual(hit.phrase.words, words));
  return names.every(isSaid) ? 'house' : 'house-missing';
};

const houseFound = (
  path: Path,
  address: Address,
  mention: StreetMention,
  marks: Marks,
  conventions: Conventions,
): Omit<StreetEvidence, 'mention'> => {
  const isFree = ({ depth, span }: Place): boolean => !marks.has(depth, span.from);
  const houses = path.housesOf(mention).filter(({ place }) => isFree(place));
  const house = chosenHouse(houses, address);
  if (house === undefined) {
    const feature = address.number === '' ? houseWithoutNumber(address, path) : 'house-missing';
    return { house, places: [], isHere: feature !== 'house-missing', found: [{ feature, place: mention }] };
  }
  const { place, sign } = house;
  if (address.number === '')
    return { house, places: [place], isHere: false, found: [{ feature: 'house-unknown', place }] };
  const fit = fitHouse(house, address, conventions, (one) => !isFree(one));
  const number = around(fit.house) ?? place;
  const flat = around(fit.flat) ?? number;
  // "97 B": people read the letter as a part of the number.
  const { tokens = [] } = path.segments[flat.depth] ?? {};
  const isLetter = flat.span.to - flat.span.from === 1 && /^[a-z]$/.test(tokens[flat.span.from]?.text ?? '');
  const isBehind = flat.depth === number.depth && flat.span.from === number.span.to;
  const whole = isLetter && isBehind ? placeAt(number.depth, number.span.from, flat.span.to) : number;
  const isOfFlat = (feature: Feature): boolean => /^(unit|house-letter)/.test(feature);
  return {
    house,
    isHere: fit.features[0] !== 'house-other',
    places: [...fit.house, ...sign, ...fit.flat],
    found: fit.features.map((feature) => ({ feature, place: isOfFlat(feature) ? flat : whole })),
  };
};

/** The mention of the address's street that says most, with the number that is taken for the house's. */
const streetEvidence = (
  path: Path,
  { address }: ReadTarget,
  marks: Marks,
  { conventions }: Surroundings,
): StreetEvidence | undefined => {
  let best: { readonly evidence: StreetEvidence; readonly sum: number } | undefined;
  for (const mention of path.streets) {
    if (address?.names.some((words) => isEqual(words, mention.hit.phrase.words)) !== true) continue;
    const house = houseFound(path, address, mention, marks, conventions);
    const found = [{ feature: streetFeature(mention), place: mention }, ...house.found];
    const sum = found.reduce((total, { feature }) => total + WEIGHTS[feature], mention.depth / 1000);
    if (best === undefined || sum > best.sum) best = { evidence: { ...house, mention, found }, sum };
  }
  return best?.evidence;
};

/** The city of the assignment in the path, or another one. */
const cityFound = (
  path: Path,
  read: ReadTarget,
  marks: Marks,
  street: StreetEvidence | undefined,
): readonly Found[] => {
  const isSaid = (one: CityMention): boolean => {
    if (street !== undefined && overlap(one, street.mention)) return false;
    if (one.city === read.city) return true;
    // "apt 4" is no Apt, "Moreau" no Moréac, and "van der Berg" a person.
    if (street?.places.some((place) => overlap(place, one))) return false;
    if (one.mistakes > 0 && marks.has(one.depth, one.span.from)) return false;
    const before = path.segments[one.depth]?.tokens[one.span.from - 1]?.text ?? '';
    const isPerson = one.city === read.last || one.city === read.first || /^(van|von|der|den|af|av)$/.test(before);
    return one.isWhole && !isPerson;
  };
  const said = path.cities.filter(isSaid);
  const deepest = Math.max(-1, ...said.map(({ depth }) => depth));
  const here = said.filter(({ depth }) => depth === deepest);
  const own = here.find(({ city }) => city === read.city);
  const isLonger = (one: Place): boolean =>
    own === undefined || (overlap(one, own) && one.span.to - one.span.from > own.span.to - own.span.from);
  const other = here.find((one) => one.city !== read.city && one.isWhole && isLonger(one));
  if (other !== undefined)
    return read.city === '' ? [] : [{ feature: other.mistakes > 0 ? 'city-other-typo' : 'city-other', place: other }];
  if (own === undefined) return [];
  // The name of the folder that was chosen says what is in it, and decides nothing between two.
  const isChosen = deepest === 0 && path.segments.length > 1;
  return [{ feature: isChosen ? 'city-above' : own.mistakes > 0 ? 'city-typo' : 'city', place: own }];
};

/** Digits and letters of a code; of one that begins with letters and digits their number does not matter ("LS9 8PH", "M1 3AB"). */
export const shapeOf = (code: string): string => {
  const bare = code.replaceAll(/[^\p{L}\p{N}]/gu, '');
  if (/^\d+$/.test(bare)) return '9'.repeat(bare.length);
  return bare
    .replaceAll(/\p{L}/gu, 'a')
    .replaceAll(/\d/g, '9')
    .replace(/^a+9+(?=9a)/, 'a');
};

/** What stands at `span`, if it is one or two groups of capitals and digits, apart from other words. */
const groupsAt = ({ tokens, isDate, name }: Segment, { from, to }: Span): string => {
  const [first, last] = [tokens[from], tokens[to - 1]];
  if (first === undefined || last === undefined || (isDate[from] && (to === from + 1 || last.isNumber))) return '';
  if ((from > 0 && first.gap === '') || tokens[to]?.gap === '') return '';
  const written = name.slice(first.start, last.end).replaceAll('_', ' ');
  const text = /\p{Lu}/u.test(name) ? written : written.toUpperCase();
  return text.length > 2 && text.length < 11 && /^[\p{Lu}\p{N}]+([ -][\p{Lu}\p{N}]+)?$/u.test(text) ? text : '';
};

/** What in a name is written like one of `shapes`. */
export const codesIn = (segment: Segment, shapes: ReadonlySet<string>): readonly Omit<CodeMention, 'depth'>[] =>
  segment.tokens.flatMap((_, from) =>
    [1, 2, 3, 4].flatMap((count) => {
      const span = { from, to: from + count };
      const text = groupsAt(segment, span);
      const shape = /\d/.test(text) ? shapeOf(text) : '';
      return shapes.has(shape) ? [{ span, shape, code: segment.joined[from]?.[count - 1] ?? '' }] : [];
    }),
  );

/** The postcode of the assignment in the path, or another one: what is written like the codes of the list, beside the address or a city. */
const zipFound = (
  path: Path,
  { zip, city, target }: ReadTarget,
  street: StreetEvidence | undefined,
  marks: Marks,
  { isCode, codesOf }: Surroundings,
): readonly Found[] => {
  const isOfAddress = (place: Place): boolean => street?.places.some((one) => overlap(one, place)) === true;
  const gapAt = (depth: number, at: number): string => path.segments[depth]?.tokens[at]?.gap ?? '';
  /** "26-2385" is the number of a job, and no postcode, unless 26 is the house. */
  const isSecondOfTwo = ({ depth, span: { from, to } }: Place): boolean =>
    to - from === 1 &&
    gapAt(depth, from) === '-' &&
    path.segments[depth]?.tokens[from - 1]?.isNumber === true &&
    !isOfAddress(placeAt(depth, from - 1));
  const own = wordIn(path, zip.length > 2 ? zip : '', (place) => !isOfAddress(place) && !isSecondOfTwo(place));
  if (own !== undefined) return [{ feature: 'zip', place: own }];
  const shape = zip.length > 2 ? shapeOf(target.ZipCode ?? '') : undefined;
  const at = street?.house?.place;
  const isBeside = (one: Place, place: Place, isBetween = /^[\s,.]*$/): boolean =>
    one.depth === place.depth &&
    (one.span.from === place.span.to || one.span.to === place.span.from) &&
    isBetween.test(gapAt(one.depth, Math.max(one.span.from, place.span.from)));
  /** Whether a number stands where a code does: beside a town or the address, or behind the number. */
  const isPlaced = (place: Place): boolean =>
    path.cities.some((one) => isBeside(one, place) && !(street && overlap(one, street.mention))) ||
    (at !== undefined && (place.depth > at.depth || (place.depth === at.depth && place.span.from > at.span.from))) ||
    (street !== undefined && [street.mention, ...street.places].some((one) => isBeside(one, place, /^\s$/)));
  const isOther = (place: CodeMention): boolean => {
    const { depth, span, code } = place;
    const isAlike = shape === undefined || shape === place.shape || (/a/.test(shape) && /a/.test(place.shape));
    if (!isAlike || marks.has(depth, span.from) || isSecondOfTwo(place)) return false;
    const isLong = span.to - span.from > 1;
    if (street !== undefined && (overlap(place, street.mention) || (!isLong && isOfAddress(place)))) return false;
    // Nothing is known of the code that stands beside the city itself.
    if (shape === undefined && path.cities.some((one) => one.city === city && isBeside(one, place, /./))) return false;
    return /\D/.test(code) || isLong || isCode(code) || isPlaced(place);
  };
  const isOfCity = ({ code, depth, span }: CodeMention): boolean =>
    codesOf(city).has(code) && !marks.has(depth, span.from);
  const sure = shape === undefined ? path.codes.find(isOfCity) : undefined;
  if (sure !== undefined) return [{ feature: 'zip', place: sure }];
  const other = path.codes.find(isOther);
  return other === undefined ? [] : [{ feature: 'zip-other', place: other }];
};

/** The deepest place of the word `text` that `isWanted`. */
const wordIn = (
  { segments }: Path,
  text: string,
  isWanted: (place: Place) => boolean = () => true,
): Place | undefined => {
  if (text.length < 2) return undefined;
  for (let depth = segments.length - 1; depth >= 0; depth -= 1) {
    const span = segments[depth]?.spanOf.get(text);
    if (span !== undefined && isWanted({ depth, span })) return { depth, span };
  }
  return undefined;
};

const personFound = (
  path: Path,
  read: ReadTarget,
  street: Place | undefined,
  { namesakes }: Surroundings,
): readonly Found[] => {
  const { first, last } = read;
  const isApart = (place: Place): boolean => street === undefined || !overlap(place, street);
  const [family, given] = [wordIn(path, last, isApart), wordIn(path, first, isApart)];
  if (family !== undefined && given !== undefined && family.depth === given.depth)
    return [{ feature: namesakes(read) < 0.2 ? 'person-rare' : 'person', place: around([family, given]) ?? family }];
  if (family !== undefined) {
    const tokens = path.segments[family.depth]?.tokens ?? [];
    const isInitial = [family.span.from - 1, family.span.to].some((at) => tokens[at]?.text === first[0]);
    return [{ feature: isInitial ? 'person-initial' : 'person-last', place: family }];
  }
  return given === undefined ? [] : [{ feature: 'person-first', place: given }];
};

const performerFound = (
  { performers }: Path,
  { performer }: ReadTarget,
  street: Place | undefined,
): readonly Found[] => {
  // "Harbour" in Harbour Street is not Harbour Maintenance.
  const said = performers.filter((place) => street === undefined || !overlap(place, street));
  const same = said.find((place) => place.performer === performer);
  if (same !== undefined) return [{ feature: 'performer', place: same }];
  return performer === '' ? [] : said.slice(0, 1).map((place) => ({ feature: 'performer-other', place }));
};

const DATE_FITS = ['day', 'near', 'month', 'year', 'other'] as const;

const dateFound = ({ segments }: Path, { target }: ReadTarget): readonly Found[] => {
  const mentions = segments.flatMap(({ dates }, depth) => dates.map((date) => ({ date, depth })));
  if (mentions.length === 0) return [];
  const [start, inspection] = [dayOfTime(target.StartTime), dayOfTime(target.InspectionDate ?? 0)];
  if (start === undefined && inspection === undefined) return [];
  const other = DATE_FITS.length - 1;
  const rankOf = (date: DateMention, day: Day | undefined): number =>
    day === undefined ? other : DATE_FITS.indexOf(dateFit(date, day));
  const [best] = mentions
    .map(({ date, depth }) => {
      // The day of an inspection says something, its month does not.
      const near = rankOf(date, inspection);
      return { rank: Math.min(rankOf(date, start), near > 1 ? other : near), place: { depth, span: date.span } };
    })
    .sort((one, two) => one.rank - two.rank);
  return best === undefined ? [] : [{ feature: `date-${DATE_FITS[best.rank] ?? 'other'}`, place: best.place }];
};

const writtenAt = (segment: Segment, at: number): string => wordsOfSpan(segment, { from: at, to: at + 1 });
/** "FDV" and "EICR": capitals in a name that has small letters too. */
const isAbbreviation = (segment: Segment, at: number): boolean =>
  /\p{Ll}/u.test(segment.name) && !/\p{Ll}/u.test(writtenAt(segment, at));

/** Whether the word has a capital letter, if capitals tell anything in this name. */
const isLikeName = (segment: Segment, at: number): boolean =>
  !/\p{Lu}/u.test(segment.name) || !/\p{Ll}/u.test(segment.name) || /^\p{Lu}/u.test(writtenAt(segment, at));

const wordsOf = remembered(foldedWords);

/** Whether `word` is, shortened or misspelt, a word of what is known of the assignment. */
const isOf = ({ target, city, first, last, performer, performerWhole }: ReadTarget, word: string): boolean => {
  const isShort = word.length > 2 && word.length < 6 && !/[aeiouy]/.test(word.slice(1));
  const isNear = (known: string): boolean => {
    const most = mistakesAllowed(known.length);
    const isMisspelt = most > 0 && mistakesBetween(word, known, most) <= most;
    return known === word || (isShort && isShortFor(word, known)) || isMisspelt;
  };
  const isIn = (known: string): boolean => word.length > 3 && known.includes(word);
  return (
    [city, first, last, performer, performerWhole].some((known) => known !== '' && isNear(known)) ||
    [city, performer, performerWhole].some(isIn) ||
    wordsOf(`${target.Address} ${target.City}`).includes(word)
  );
};

/** The words and numbers of a name that may stand anywhere, and say nothing of a place, a bit for each. */
export const neutralIn = ({ tokens, isDate }: Segment): number => {
  const isNeutral = (at: number): boolean => {
    const [token, next] = [tokens[at], tokens[at + 1]];
    if (token === undefined || token.isNumber || isDate[at]) return true;
    if (token.text.length < 2 || isFilling(token.text) || isWorkWord(token.text)) return true;
    // "Comm. 28388", "nr 12"
    return next?.isNumber === true && (/^\.\s*$/.test(next.gap) || NUMBER_SIGNS.has(token.text));
  };
  return tokens.reduce((bits, _, at) => (isNeutral(at) ? bits | (1 << at) : bits), 0);
};

/** What nothing explains, where it speaks against the assignment. */
const leftOver = (
  path: Path,
  read: ReadTarget,
  street: StreetEvidence,
  isPlaced: boolean,
  marks: Marks,
  known: Surroundings,
): readonly Found[] => {
  const depths = new Set([street.mention, ...street.places].map(({ depth }) => depth));
  const above = Math.min(...depths) - 1;
  if (above > 0 && isLikePlace(path, above, marks, known)) depths.add(above);
  const slotAt = createSlotReader(path, read, street, known);
  const isPerson = (segment: Segment, depth: number, at: number): boolean => {
    // "K. Hansen" is a person, "97 A Hansen" may be a town: there the letter is the house's.
    const initial = segment.tokens[at - 1];
    const isInitial = initial?.text.length === 1 && !initial.isNumber && initial.gap !== '';
    return isInitial && !marks.has(depth, at - 1);
  };
  const wordAt = (segment: Segment, depth: number, at: number): Feature | undefined => {
    const text = segment.tokens[at]?.text ?? '';
    if (hasBit(path.neutral[depth], at) || isAbbreviation(segment, at) || isOf(read, text)) return undefined;
    if (known.isLastName(text)) return 'person-other';
    const isTown = !isPlaced && !known.isPerson(text) && isLikeName(segment, at) && !isPerson(segment, depth, at);
    return isTown ? 'city-unknown' : undefined;
  };
  const featureAt = (segment: Segment, depth: number, at: number): Feature | undefined => {
    if (!segment.tokens[at]?.isNumber) return slotAt(depth, at) ?? wordAt(segment, depth, at);
    return isNumberLeft(segment, placeAt(depth, at), street, known) ? 'number-left' : undefined;
  };
  return [...depths].flatMap((depth) => {
    const segment = path.segments[depth];
    const places = [...(segment?.tokens.keys() ?? [])].filter((at) => !marks.has(depth, at));
    return places.flatMap((at) => {
      const feature = segment && featureAt(segment, depth, at);
      return feature === undefined ? [] : [{ feature, place: placeAt(depth, at) }];
    });
  });
};

/** Whether the name of a folder above can be a place: one with numbers, or many words, is none; "29403 Battipaglia" is. */
const isLikePlace = (path: Path, depth: number, marks: Marks, { shapes }: Surroundings): boolean => {
  const { tokens, isDate } = path.segments[depth] ?? { tokens: [], isDate: [] };
  const isLeft = (at: number): boolean => !hasBit(path.neutral[depth], at) && !marks.has(depth, at);
  const isNumbered = tokens.some(
    ({ isNumber, text }, at) =>
      isNumber &&
      text.length > 1 &&
      !isDate[at] &&
      !marks.has(depth, at) &&
      !(shapes.has('9'.repeat(text.length)) && at + 1 < tokens.length && isLeft(at + 1)),
  );
  return !isNumbered && tokens.filter((_, at) => isLeft(at)).length < 5;
};

/** Whether a number that nothing explains is another flat or house: a short one behind the address. */
const isNumberLeft = (
  segment: Segment,
  { depth, span: { from: at } }: Place,
  { mention, house, isHere }: StreetEvidence,
  { conventions }: Surroundings,
): boolean => {
  const [before, token] = [segment.tokens[at - 1], segment.tokens[at]];
  if (!isHere || depth !== mention.depth || house?.place.depth !== depth || token === undefined) return false;
  if (at < Math.max(mention.span.to, house.place.span.to) || token.text.length > 3 || segment.isDate[at]) return false;
  const isVersion = /^(v|h|rev|ver)$/.test(before?.text ?? '') && token.gap === '';
  return !isVersion && !before?.isNumber && !isWorkWord(before?.text ?? '') && !isCountAt(segment, at, conventions);
};

/** Reads what stands where the kind of a street or a direction does: beside its name, or between it and the number. */
const createSlotReader = (
  path: Path,
  read: ReadTarget,
  { mention, house }: StreetEvidence,
  { streets, isPerson }: Surroundings,
) => {
  const { depth, span, hit } = mention;
  const { tokens = [], isDate = [] } = path.segments[depth] ?? {};
  const isKindMissing = hit.missing.length > 0;
  const end = house?.side === 'left' && house.place.depth === depth ? house.place.span.to : span.from;
  const isBetween = (at: number): boolean => at >= end && at < span.from;
  const isBeside = (at: number): boolean =>
    (at === span.from - 1 && /^([\s.ºª]*|\.?-)$/.test(tokens[at + 1]?.gap ?? '')) ||
    (at === span.to && /^([\s.]*|-)$/.test(tokens[at]?.gap ?? ''));
  /** "L. Rencēnu", "E Market St": a letter of the name itself, or a direction behind it. */
  const isLetter = (at: number): boolean => {
    const isOfNumber = tokens[at - 1]?.isNumber === true && tokens[at]?.gap === '';
    return tokens[at]?.text.length === 1 && (at < span.from || isKindMissing) && !isOfNumber;
  };
  /** Whether the word there is one that may stand anywhere. */
  const isNeutral = (segment: Segment, at: number, text: string, isKind: boolean): boolean => {
    // "Av. da República" is not Rua da República, although "av" is a filling word elsewhere.
    const isDotted = tokens[at + 1]?.gap.startsWith('.') === true && isKindMissing && !NUMBER_SIGNS.has(text);
    const isSaid = isKind || isDotted || isLetter(at) || (isBetween(at) && !isFilling(text));
    return (
      (!isSaid && hasBit(path.neutral[depth], at)) ||
      (text.length > 1 && COMPANY_FORMS.has(text) && isAbbreviation(segment, at))
    );
  };
  /** Another kind, or one more word of the name. */
  return (one: number, at: number): Feature | undefined => {
    const [segment, text] = [path.segments[depth], tokens[at]?.text ?? ''];
    if (segment === undefined || one !== depth || isDate[at] || !(isBeside(at) || isBetween(at))) return undefined;
    const isKind = streets.isKind(text);
    if (isNeutral(segment, at, text, isKind)) return undefined;
    if (isKindMissing && (isKind || !isFilling(text))) return 'street-kind-other';
    const isOfStreets = isKind || (streets.has(text) && !isPerson(text) && !isOf(read, text));
    return isBetween(at) || isLetter(at) || isOfStreets ? 'street-longer' : undefined;
  };
};

/** Another address in the path than that of the assignment, as deep as it or deeper. */
const otherAddress = (path: Path, street: StreetEvidence | undefined, marks: Marks): readonly Found[] => {
  const deepest = street?.isHere ? Math.max(street.mention.depth, street.house?.place.depth ?? 0) : -1;
  const isOther = (one: StreetMention): boolean => {
    if (one.hit.missing.length > 0 || one.depth < deepest) return false;
    if (street !== undefined && overlap(one, street.mention)) return false;
    if (street?.isHere && one.hit.mistakes > 0) return false;
    if (one.depth === deepest && one.hit.phrase === street?.mention.hit.phrase) return false;
    return path.housesOf(one).some(({ place }) => !marks.has(place.depth, place.span.from));
  };
  return path.streets
    .filter(isOther)
    .slice(-1)
    .map((place) => ({ feature: 'address-other', place }));
};

/** Features that name the town: then an unknown name is no other one. */
const OF_TOWN: ReadonlySet<Feature> = new Set(['zip', 'city', 'city-typo', 'city-other', 'city-other-typo']);

const foundIn = (
  path: Path,
  read: ReadTarget,
  position: number,
  known: Surroundings,
): Pick<Evidence, 'found' | 'explained'> => {
  const { ids, rule, streets } = known;
  const marks = createMarks(path.segments.length);
  const mentions = ids.get(position) ?? [];
  marks.mark(mentions);
  // What is something else than the house: the code of the assignment, its town, and its person.
  const code = read.zip.length > 3 && read.zip !== read.address?.number ? wordIn(path, read.zip) : undefined;
  marks.mark([code, wordIn(path, read.last), wordIn(path, read.first)]);
  marks.mark(path.cities.filter(({ city, mistakes }) => city === read.city && mistakes === 0));
  const street = streetEvidence(path, read, marks, known);
  const mention = street?.mention;
  if (street !== undefined) {
    marks.mark([street.mention, ...street.places]);
    // "ul. Korczaka 1" where the address is "Korczaka 1".
    const { depth, span, hit } = street.mention;
    const isBare = hit.missing.length === 0 && !hit.phrase.words.some(streets.isUsualKind);
    if (isBare && streets.isUsualKind(path.segments[depth]?.tokens[span.from - 1]?.text ?? ''))
      marks.mark([placeAt(depth, span.from - 1)]);
  }
  const zip = zipFound(path, read, street, marks, known);
  const city = cityFound(path, read, marks, street);
  const others = [...personFound(path, read, mention, known), ...performerFound(path, read, mention)];
  const date = dateFound(path, read);
  const named = [...zip, ...city, ...others, ...date.filter(({ feature }) => feature === 'date-day')];
  marks.mark(named.flatMap(({ feature, place }) => (isAgainst(feature) ? [] : [place])));
  const explained = [...marks.all];
  marks.mark([...named.map(({ place }) => place), ...path.performers]);
  const isPlaced = read.city === '' || [...zip, ...city].some(({ feature }) => OF_TOWN.has(feature));
  const found: Found[] = mentions.map((one) => ({ feature: one.feature, place: one }));
  if (ids.size > 0 && !ids.has(position)) found.push({ feature: 'id-other' });
  if (rule?.AssignmentId === read.target.AssignmentId)
    found.push({ feature: 'confirmed', words: rule.name, atMs: rule.confirmedAtMs });
  else if (rule !== undefined) found.push({ feature: 'confirmed-other' });
  found.push(...(street?.found ?? []), ...otherAddress(path, street, marks), ...city);
  if (city.length === 0 && mention !== undefined)
    found.push({ feature: mention.hit.phrase.cities.size < 2 ? 'city-missing' : 'city-missing-common' });
  found.push(...zip, ...others, ...date);
  if (street !== undefined) found.push(...leftOver(path, read, street, isPlaced, marks, known));
  return { found, explained };
};

/** Whether `feature` is that of a whole id. */
export const isWholeId = (feature: Feature): boolean => feature.endsWith('-id');

/** Whether it is a whole id that nothing else is written like: one of digits alone may be the number of a job. */
const isUnmistakable = (segments: readonly Segment[], { feature, depth, span }: IdMention): boolean => {
  const segment = segments[depth];
  return isWholeId(feature) && segment !== undefined && /\p{L}/u.test(wordsOfSpan(segment, span));
};

/** The depth of the deepest folder whose name has an unmistakable id; -1 without one. `folders`: how many names are those of folders. */
export const idDepth = (segments: readonly Segment[], ids: Surroundings['ids'], folders: number): number => {
  const mentions = [...ids.values()]
    .flat()
    .filter((mention) => mention.depth < folders && isUnmistakable(segments, mention));
  return Math.max(-1, ...mentions.map(({ depth }) => depth));
};

/** Features by which a name points to an assignment. */
const TELLING =
  /^(assignment|protocol|facility)-id|^street(-typo|-initials|-kind-missing)?$|^house(-letter-missing|-range)?$|^no-house$|^person(-rare)?$/;

/**
 * Weighs `path` for the target at `position`. What stands above `from`, the deepest unmistakable id, can speak for the target of that id
 * and says nothing else: the folder around it may have any name.
 */
export const evidenceFor = (
  path: Path,
  from: number,
  read: ReadTarget,
  position: number,
  known: Surroundings,
): Evidence => {
  const { found: all, explained } = foundIn(path, read, position, known);
  const hasId = known.ids.get(position)?.some((mention) => isUnmistakable(path.segments, mention)) === true;
  const isRead = ({ feature, place }: Found): boolean =>
    place === undefined || place.depth >= from || (hasId && !isAgainst(feature));
  const found = from > 0 ? all.filter(isRead) : all;
  return {
    found,
    explained,
    features: [...new Set(found.map(({ feature }) => feature))],
    deepest: Math.max(-1, ...found.map(({ feature, place }) => (place && TELLING.test(feature) ? place.depth : -1))),
  };
};

const SIGNALS: readonly (readonly [start: string, signal: MatchSignal])[] = [
  ['confirmed', 'confirmed'],
  ['assignment-id', 'assignment-id'],
  ['protocol-id', 'protocol-id'],
  ['facility-id', 'facility-id'],
  ['street', 'street'],
  ['house', 'house-number'],
  ['unit', 'flat'],
  ['number-left', 'house-number'],
  ['address-other', 'address'],
  ['city', 'city'],
  ['zip', 'zip-code'],
  ['person', 'person'],
  ['performer', 'performer'],
  ['date', 'date'],
];

/** What people read: what speaks for and against, in the words of the path. A street with its number is one reason: the address. */
export const reasonsOf = (
  segments: readonly Segment[],
  { found: all }: Pick<Evidence, 'found'>,
): readonly MatchReason[] => {
  const textOf = (place: Place | undefined): string => {
    const segment = segments[place?.depth ?? -1];
    if (place === undefined || segment === undefined) return '';
    // Signs behind a number are no part of its token.
    const sign = /^[º°ª]/.exec(segment.name.slice(segment.tokens[place.span.to - 1]?.end))?.[0] ?? '';
    return wordsOfSpan(segment, place.span) + sign;
  };
  const street = all.find(({ feature }) => feature.startsWith('street') && !isAgainst(feature));
  const house = all.find(({ feature }) => feature === 'house' || feature === 'no-house');
  const addressText = (one: Place, other: Place): string =>
    one.depth === other.depth ? textOf(around([one, other])) : `${textOf(one)}/${textOf(other)}`;
  const reasons = all.flatMap((one): readonly MatchReason[] => {
    if (street?.place !== undefined && house?.place !== undefined) {
      if (one === house) return [];
      if (one === street) return [{ signal: 'address', found: addressText(street.place, house.place) }];
    }
    const signal = SIGNALS.find(([start]) => one.feature.startsWith(start))?.[1];
    const found = one.words ?? textOf(one.place);
    if (signal === undefined || found === '' || /missing|date-(year|other)|confirmed-other/.test(one.feature))
      return [];
    const atMs = one.atMs;
    return [{ signal, found, ...(isAgainst(one.feature) && { against: true }), ...(atMs !== undefined && { atMs }) }];
  });
  const isSame = (one: MatchReason, other: MatchReason): boolean =>
    one.signal === other.signal && one.found === other.found;
  return reasons
    .filter((one, at) => reasons.findIndex((other) => isSame(one, other)) === at)
    .sort((one, other) => Number(one.against ?? false) - Number(other.against ?? false));
};
