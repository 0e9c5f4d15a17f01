/**
 * Compares a path with one assignment. The assignment explains words and numbers of the path: street, number, flat,
 * town, postcode, people, ids and dates. Work words and filling words say nothing about a place. An unexplained word
 * speaks against the assignment if it stands where a flat, a kind of street or a town would be. The result is a list of
 * features for certainty.ts, with the words of the path that users see as reasons.
 */
import type { MatchReason, MatchSignal } from '../../contract/drafts.ts';
import {
  type Address,
  type House,
  housesBeside,
  housesOf,
  type Item,
  isCountAt,
  isHouseAt,
  type Reader,
} from './addresses.ts';
import { type Evidence, type Feature, type Found, isAgainst, WEIGHTS } from './certainty.ts';
import {
  dayOfTime,
  foldedWords,
  isShortFor,
  isSkeleton,
  mistakesIn,
  remembered,
  type Segment,
  type Span,
  segmentOf,
} from './names.ts';
import type { Hit, Phrases } from './streets.ts';
import { type Office, type ReadTarget, type Rule, type Street, shapeOf } from './targets.ts';
import { isFilling, isWorkWord } from './words.ts';

const meet = (one: Span, other: Span): boolean => one.from < other.to && one.to > other.from;
const at1 = (at: number): Span => ({ from: at, to: at + 1 });
/** Reads one name, independently of the other names of the path. */
export const readName = (name: string, office: Office) => {
  const segment = segmentOf(name);
  return {
    segment,
    cities: [...citiesIn(segment, office.towns), ...districtsIn(segment, office)],
    codes: codesIn(segment, office.shapes),
    ids: office.idsIn(segment),
    performers: [...segment.spanOf]
      .filter(([text]) => office.performers.has(text))
      .map(([text, span]) => ({ ...span, performer: office.performers.get(text) })),
    /**
     * For each token, whether it says nothing about a place on its own. That is the case for numbers, dates, single
     * letters, filling words and work words.
     */
    neutral: segment.tokens.map(
      ({ text, isNumber, isDate }) => isNumber || isDate || text.length < 2 || isFilling(text) || isWorkWord(text),
    ),
    streetsOf: remembered((isMisspelt: boolean) => office.streets.find(segment, isMisspelt)),
  };
};
type ReadName = ReturnType<typeof readName>;

/**
 * Joins the names of a path into one sequence of tokens. The spans in the result are ranges of indexes in this
 * sequence.
 */
export const readPath = (names: readonly ReadName[], { conventions, codes: known, streets, places }: Office) => {
  const segments = names.map(({ segment }) => segment);
  const tokens = segments.flatMap((segment) => segment.tokens);
  const depths = segments.flatMap((segment, depth) => segment.tokens.map(() => depth));
  const all = <One extends Span>(of: (name: ReadName) => readonly One[]): readonly One[] =>
    names.flatMap((name, depth) => {
      const before = depths.indexOf(depth);
      return of(name).map((one) => ({ ...one, from: one.from + before, to: one.to + before }));
    });
  const [cities, codes, ids] = [all((name) => name.cities), all((name) => name.codes), all((name) => name.ids)];
  const isTownAt = (at: number): boolean =>
    cities.some(({ from, to, isWhole, isDistrict, mistakes }) => {
      const end = isDistrict ? to - 1 : to;
      return (isWhole || isDistrict) && mistakes === 0 && from <= at && at < end;
    });
  const isMixed = segments.map(({ name }) => /\p{Ll}/u.test(name));
  const reader: Reader = {
    tokens,
    conventions,
    isAddress: false,
    isOfStreet: streets.has,
    isPlace: (word) => places.has(word),
    isTownAt,
    isCodeAt: (at) =>
      codes.some(
        ({ from, to, code }) =>
          at < to && (/\D/.test(code) ? from <= at : from === at && (known.has(code) || isTownAt(to))),
      ),
    isMixedAt: (at) => isMixed[depths[at] ?? 0] === true,
  };
  return {
    ...reader,
    segments,
    cities,
    codes,
    ids,
    depthAt: (at: number): number => depths[at] ?? -1,
    streets: all((name) => name.streetsOf(false)),
    misspelt: () => all((name) => name.streetsOf(true)),
    performers: all((name) => name.performers),
    days: all(({ segment }) => segment.days),
    neutral: names.flatMap(({ neutral }) => neutral),
    placeOf: (text: string, isWanted: (place: Span) => boolean = () => true): Span | undefined => {
      if (text.length < 2 || !segments.some(({ spanOf }) => spanOf.has(text))) return undefined;
      const spans = all(({ segment }) => [segment.spanOf.get(text) ?? []].flat());
      return spans.findLast(isWanted);
    },
    /**
     * Returns the house numbers next to a street. They are cached, because all assignments in the street are compared
     * with them.
     */
    housesOf: remembered((street: Hit<Street>): readonly House[] =>
      housesBeside(reader, street, (number) => street.phrase.byNumber.has(number)),
    ),
  };
};
export type Path = ReturnType<typeof readPath>;
type CodeMention = Span & { readonly code: string; readonly shape: string };

const citiesIn = (segment: Segment, towns: Phrases) => {
  const hits = towns.find(segment, true).filter(({ mistakes }) => mistakes < 2);
  return hits.flatMap((hit) => {
    const { phrase, from, to, missing, mistakes } = hit;
    /**
     * Whether `other` fits the words better than `hit`. The words "Bentleigh East" do not mean the town Bentleigh. The
     * word "Bentleigh" does not mean Bentleigh East if there is a town Bentleigh.
     */
    const isIn = (other: Hit): boolean => {
      if (other.missing.length > 0 || !meet(other, hit)) return false;
      const more = other.to - other.from - (to - from);
      return more > 0 || (more === 0 && missing.length > 0 && other.mistakes === 0);
    };
    if (hits.some(isIn)) return [];
    // A number alone is not a town: the 4 in "Apt 4" is not Dublin 4.
    if (missing.length > 0 && segment.tokens.slice(from, to).every(({ isNumber }) => isNumber)) return [];
    const next = segment.tokens[to];
    // "Praha 4" is not Praha 5, and "Odense NV" is not Odense V.
    const isOtherDistrict =
      missing.some((at) => (phrase.words[at] ?? '').length < 3) &&
      next !== undefined &&
      /^[\s-]*$/.test(next.gap) &&
      next.written.length < 3 &&
      !isWorkWord(next.text);
    if (isOtherDistrict) return [];
    return [{ from, to, city: phrase.words.join(''), mistakes, isWhole: missing.length === 0, isDistrict: false }];
  });
};

/**
 * Finds towns with a number, whether or not the office has assignments there: "Dublin 18" if the office only knows
 * Dublin 4.
 */
const districtsIn = ({ tokens, joined }: Segment, { districts, conventions }: Office) =>
  tokens.flatMap(({ isNumber, isDate, written, gap }, at) => {
    const isDistrict = isNumber && !isDate && written.length < 3 && /^[\s-]+$/.test(gap);
    if (!isDistrict || isCountAt(tokens, at, conventions)) return [];
    return [1, 2, 3].flatMap((count) => {
      const [from, to, words] = [at - count, at + 1, joined[at - count]];
      if (!districts.has(words?.[count - 1] ?? '')) return [];
      return [{ from, to, city: words?.[count] ?? '', mistakes: 0, isWhole: false, isDistrict }];
    });
  });

/**
 * Returns the text of a span if it can be a postcode; otherwise an empty text. A postcode is one or two groups of
 * capitals and digits, separated from other words, with three to ten characters and at least one digit. In a name
 * without capitals, small letters count as capitals.
 */
const groupsAt = ({ tokens, name }: Segment, { from, to }: Span): string => {
  const [first, last] = [tokens[from], tokens[to - 1]];
  if (first === undefined || last === undefined || first.gap === '' || tokens[to]?.gap === '') return '';
  if (first.isDate && (to === from + 1 || last.isNumber)) return '';
  const written = name.slice(first.start, last.start + last.written.length).replaceAll('_', ' ');
  const text = /\p{Lu}/u.test(name) ? written : written.toUpperCase();
  return /^(?=.*\d)(?=.{3,10}$)[\p{Lu}\p{N}]+([ -][\p{Lu}\p{N}]+)?$/u.test(text) ? text : '';
};

const codesIn = (segment: Segment, shapes: ReadonlySet<string>): readonly CodeMention[] =>
  segment.tokens.flatMap((_, from) =>
    [1, 2, 3, 4, 5, 6].flatMap((count) => {
      const span = { from, to: from + count };
      const text = groupsAt(segment, span);
      const shape = text === '' ? '' : shapeOf(text);
      return shapes.has(shape) ? [{ ...span, shape, code: segment.joined[from]?.[count - 1] ?? '' }] : [];
    }),
  );

/**
 * The result of comparing a house in a path with an address. `flat`: where the path has the house's letter and flat.
 */
type Fit = { readonly features: readonly Feature[]; readonly flat: readonly number[] };

const sureIn = (items: readonly Item[]): readonly string[] =>
  items.flatMap(({ kind, text }) => (kind === 'sure' ? text : []));

/**
 * Compares the items next to a number with those of an address (`own`), in order. `flat`: the places of the items that
 * are part of the flat; `left`: the index in `own` after the last equal item; `isOther`: whether an item that tells
 * flats apart differs. A count that equals the first part of a flat is explained by that part, but does not show that
 * the flat is meant.
 */
const aligned = (items: readonly Item[], own: readonly Item[], hasSuffix: boolean) => {
  let left = 0;
  let isOther = false;
  const flat: number[] = [];
  for (const { text, kind, at } of items) {
    const isCount = kind === 'aside' && /^\d/.test(text) && left <= Number(hasSuffix);
    const next = own.findIndex(
      (part, place) => place >= left && ((part.kind === 'sure' && !isCount) || (part.text === text && kind !== 'sure')),
    );
    const isSame = own[next]?.text === text;
    if (isSame && !isCount) left = next + 1;
    if (isSame || kind !== 'aside') flat.push(at);
    isOther ||= !isSame && kind === 'sure';
  }
  return { flat, left, isOther };
};

/**
 * Compares the items next to a number with those of an address (`own`). `hasSuffix`: whether `own` begins with the
 * letter of the house or the last number of a range.
 */
const fitItems = (items: readonly Item[], own: readonly Item[], hasSuffix: boolean): Fit => {
  const { flat, left, isOther } = aligned(items, own, hasSuffix);
  const [said, sure, missing] = [sureIn(items), sureIn(own), sureIn(own.slice(left)).length];
  const hasFlat = sure.length > Number(hasSuffix);
  const isAll = (!isOther && missing === 0) || (said.length > 0 && said.join('') === sure.join(''));
  if (isAll) return { features: hasFlat ? ['unit'] : [], flat };
  if (isOther || sure.length - missing > Number(hasSuffix)) {
    const isLetter = said.length === 1 && /^\p{L}$/u.test(said[0] ?? '') && !hasFlat;
    return { features: [isLetter ? 'house-letter-other' : 'unit-other'], flat };
  }
  const letter: readonly Feature[] = hasSuffix && missing === sure.length ? ['house-letter-missing'] : [];
  return { features: hasFlat ? [...letter, 'unit-missing'] : letter, flat };
};

const fitHouse = ({ number, items, isRange }: House, address: Address, isSecondHouse: boolean): Fit => {
  const { number: own, items: ownItems, hasSuffix, isLabelled } = address;
  const part = ownItems[0]?.text ?? '';
  const isPair = isSecondHouse && !isLabelled && /^\d/.test(part);
  // In "1510/48", each of the numbers identifies the house.
  const isEither = isPair && (number === part || (number === own && sureIn(items)[0] !== part));
  const end = isRange ? (items[0]?.text ?? '') : number;
  const isOtherRange = isRange && (isLabelled || end !== part);
  if ((number !== own && !isEither) || isOtherRange) {
    // "12" and "12-14" both include house 12, so they do not exclude each other.
    const ownEnd = hasSuffix && housesOf(own, part).length > 0 ? part : own;
    const isShared = Number(number) <= Number(ownEnd) && Number(end) >= Number(own);
    return { features: [isShared ? 'house-unknown' : 'house-other'], flat: items.map(({ at }) => at) };
  }
  const { features, flat } = isEither
    ? fitItems(items, ownItems.slice(1), /^\p{L}$/u.test(ownItems[1]?.text ?? ''))
    : fitItems(items, ownItems, hasSuffix);
  return { features: ['house', ...features], flat };
};

type Case = {
  readonly path: Path;
  readonly office: Office;
  readonly rule: Rule | undefined;
  readonly position: number;
  readonly read: ReadTarget;
  readonly notTowns: NotTowns | undefined;
};

/** Where a word stands: before the street and its number, or anywhere else. */
type Side = 'before' | 'behind';

/** For each side of the address, the words that do not name a town if they stand there. */
export type NotTowns = Readonly<Record<Side, ReadonlySet<string>>>;

export const sideOf = (at: number, address: Span): Side => (at < address.from ? 'before' : 'behind');

/**
 * The comparison of a path with an assignment, while the words of the path are being explained. `isMarked`: whether the
 * word at `at` already has a meaning, such as the name of the customer or of another city.
 */
type Held = Case & { readonly isMarked: (at: number) => boolean; readonly street?: StreetEvidence | undefined };

type StreetEvidence = {
  readonly mention: Hit<Street>;
  readonly house: House | undefined;
  readonly found: readonly Found[];
  readonly places: readonly Span[];
};

const around = (places: readonly Span[]): Span => ({
  from: Math.min(...places.map(({ from }) => from)),
  to: Math.max(...places.map(({ to }) => to)),
});

const addressOf = ({ mention, house }: StreetEvidence): Span =>
  around([mention, ...(house === undefined ? [] : [at1(house.at)])]);

const streetFeature = ({ phrase, missing, mistakes }: Hit<Street>): Feature => {
  if (missing.some((at) => phrase.roles[at] === 'core')) return 'street-part';
  if (missing.length > 0) return 'street-kind-missing';
  return mistakes > 0 ? 'street-typo' : 'street';
};

/**
 * Whether a mention that lacks a direction, or another word before the street's name, is the whole name of another
 * street: "Broadway" is not East Broadway.
 */
const isOtherStreet = ({ phrase, missing, from, to }: Hit<Street>, { streets }: Path, office: Office): boolean => {
  const start = phrase.roles.indexOf('core');
  const isLacking = missing.some((at) => at < start && !office.streets.isUsualKind(phrase.words[at] ?? ''));
  return (
    isLacking &&
    streets.some((one) => one.from === from && one.to === to && one.missing.length === 0 && one.mistakes === 0)
  );
};

const streetAt = (mention: Hit<Street>, address: Address, { path, office, isMarked }: Held): StreetEvidence => {
  // "Cr" can be short for Court, but it speaks against a Court, because it more likely stands for Crescent.
  const kinds = mention.otherKinds.map((at): Found => ({ feature: 'street-unknown', place: at1(mention.from + at) }));
  const other: readonly Found[] = isOtherStreet(mention, path, office)
    ? [{ feature: 'street-unknown', place: mention }]
    : [];
  const street: readonly Found[] = [{ feature: streetFeature(mention), place: mention }, ...kinds, ...other];
  const houses = path.housesOf(mention).filter(({ at }) => !isMarked(at));
  const { names, number: own } = address;
  const house = houses.find(({ number }) => number === own) ?? houses[0];
  if (house === undefined) {
    // The path has no house number. The address can have the name of a house instead, or only a street.
    const streets = path.streets
      .filter(({ missing }) => missing.length === 0)
      .map(({ phrase }) => phrase.words.join(' '));
    const isSaid = own === '' && names.every((words) => streets.includes(words.join(' ')));
    const feature = own === '' && names.length === 1 ? 'no-house' : isSaid ? 'house' : 'house-missing';
    return { mention, house, places: [], found: [...street, { feature, place: mention }] };
  }
  const place = at1(house.at);
  if (own === '') return { mention, house, places: [place], found: [...street, { feature: 'house-unknown', place }] };
  /**
   * Whether the word at `at` is in the place of the street's kind. Such a word does not announce a flat: "Rd." in "12
   * Mill Rd. #7", compared with Mill Drive.
   */
  const isSlot = (at: number): boolean => {
    const { text = '', isNumber = true } = path.tokens[at] ?? {};
    const isBehind = house.isFront && mention.missing.length > 0 && at === mention.to;
    return isBehind && !isNumber && text.length > 1 && !path.conventions.flatWords.has(text);
  };
  const items = house.items.filter(({ at }) => !isMarked(at) && !isSlot(at));
  const fit = fitHouse({ ...house, items }, address, path.conventions.isSecondHouse);
  const isSigned =
    path.conventions.signs.has(path.tokens[house.at - 1]?.text ?? '') ||
    (!house.isFront && mention.missing.length === 0 && house.at === mention.to + 1);
  // In "97 B" and "97-99", the letter and the end of the range are shown as part of the number.
  const isLetter = house.isRange || /^\p{L}$/u.test(path.tokens[place.to]?.text ?? '');
  const isOwn = isLetter && fit.flat[0] === place.to;
  const whole = isOwn ? { from: house.at, to: place.to + 1 } : place;
  const flats = fit.flat.slice(Number(isOwn));
  const flat = flats.length === 0 ? whole : around(flats.map(at1));
  const placeOf = (feature: Feature): Span => (/^(unit|house-letter)/.test(feature) ? flat : whole);
  return {
    mention,
    house,
    places: [...(isSigned ? [house.at - 1] : []), house.at, ...fit.flat].map(at1),
    found: [...street, ...fit.features.map((feature) => ({ feature, place: placeOf(feature) }))],
  };
};

/**
 * Returns the mention of the assignment's street that scores highest, with the house number next to it; undefined if
 * the path does not mention the street.
 */
const streetEvidence = (one: Held): StreetEvidence | undefined => {
  const { address, city } = one.read;
  const all = one.path.streets.flatMap((mention) => {
    if (address === undefined || !mention.phrase.targets.includes(one.position)) return [];
    const found = streetAt(mention, address, one);
    // "Partille" alone is the town, also in a list with the parcel "Partille 123:3".
    const isTown = one.path.cities.some(
      (town) => town.city === city && town.from <= mention.from && town.to >= mention.to,
    );
    return isTown && address.number !== '' && found.house === undefined ? [] : found;
  });
  const sumOf = ({ found, mention }: StreetEvidence): number =>
    found.reduce((sum, { feature }) => sum + WEIGHTS[feature], one.path.depthAt(mention.from) / 1000);
  return all.toSorted((one, other) => sumOf(other) - sumOf(one))[0];
};

const said = (feature: Feature, place: Span | undefined): readonly Found[] => (place ? [{ feature, place }] : []);

const cityFound = ({ path, read, isMarked, street }: Held): readonly Found[] => {
  const cities = path.cities.filter((one) => {
    if (street !== undefined && meet(one, street.mention)) return false;
    if (one.city === read.city) return true;
    // "apt 4" does not refer to the town Apt, and the customer "van der Berg" does not refer to Berg. In "Dublin 7
    // Orwell Road", 7 is the number of the house.
    return !(isMarked(one.from) || (one.isDistrict && isMarked(one.to - 1)));
  });
  const deepest = Math.max(...cities.map(({ from }) => path.depthAt(from)));
  const here = cities.filter(({ from }) => path.depthAt(from) === deepest);
  const own = here.find(({ city }) => city === read.city);
  const place = own ?? here[0];
  if (read.city === '' || place === undefined) return street ? [{ feature: 'city-missing' }] : [];
  return [{ feature: own ? 'city' : 'city-other', place }];
};

/**
 * Whether two patterns of postcodes can be from one country. Codes with letters, such as British ones, have several
 * patterns.
 */
const isAlike = (one: string, other: string): boolean => one === other || (/a/.test(one) && /a/.test(other));

/** Whether a postcode is that of the assignment or, if the assignment has none, a postcode of its town. */
const isOwnCode =
  ({ zip, city }: ReadTarget, { codes }: Office) =>
  ({ code }: CodeMention): boolean =>
    zip === '' ? codes.get(code)?.some((one) => one.city === city) === true : code === zip;

/**
 * Finds the assignment's postcode in the path, or else another postcode. The other one counts only if it has a letter,
 * if the office knows it, or if it is next to a city or after the house number.
 */
const zipFound = ({ path, read, office, isMarked, street }: Held): readonly Found[] => {
  const { zip, city, target } = read;
  const { house, places = [] } = street ?? {};
  /** Whether the span is the second half of a job number such as "26-2385", where 26 is not the house number. */
  const isOfJob = ({ from, to }: Span): boolean =>
    to - from === 1 &&
    path.tokens[from]?.gap === '-' &&
    path.tokens[from - 1]?.isNumber === true &&
    !places.some((place) => place.from === from - 1);
  const mentions = path.codes.filter((one) => !isOfJob(one));
  const own = mentions.find(isOwnCode(read, office));
  if (own !== undefined) return said('zip', own);
  const other = mentions.find(({ from, to, code, shape }) => {
    if (isMarked(from) || (zip !== '' && !isAlike(shape, shapeOf(target.ZipCode ?? '')))) return false;
    const beside = path.cities.filter((one) => one.from === to || one.to === from);
    // If the assignment has no postcode, a code next to its city can be its postcode.
    if (zip === '' && beside.some((one) => one.city === city)) return false;
    const isBehind = house !== undefined && from > house.at;
    return /\D/.test(code) || office.codes.has(code) || beside.length > 0 || isBehind;
  });
  return said('zip-other', other);
};

const othersFound = ({ path, read, office, street }: Held): readonly Found[] => {
  const isApart = (place: Span): boolean => street === undefined || !meet(place, street.mention);
  const [family, given] = [path.placeOf(read.last, isApart), path.placeOf(read.first, isApart)];
  const isBoth = family && given && path.depthAt(family.from) === path.depthAt(given.from);
  const performer = path.performers.find((place) => place.performer === read.performer && isApart(place));
  const times = [read.target.StartTime, read.target.InspectionDate ?? 0];
  const date = path.days.find(({ day }) => times.some((time) => dayOfTime(time) === day));
  const person = office.namesakes(read) < 0.2 ? 'person-rare' : 'person';
  return [
    ...(isBoth ? said(person, around([family, given])) : said('person-last', family)),
    ...said('performer', performer),
    ...said('date', date),
  ];
};

const wordsOf = remembered(foldedWords);

const isOf = ({ target, city, first, last, performer, performerWhole }: ReadTarget, word: string): boolean => {
  // Whether the word is an abbreviation without vowels, such as "Sthlm".
  const isShort = word.length > 2 && isSkeleton(word.replaceAll('y', 'i'));
  // A word with two wrong letters is more likely another town: "Celbridge" is not Newbridge.
  const isNear = (known: string): boolean => (mistakesIn(word, known) ?? 2) < 2 || (isShort && isShortFor(word, known));
  const names = [city, first, last, performer, performerWhole];
  const isIn = word.length > 3 && [city, performerWhole].some((known) => known.includes(word));
  return isIn || names.some(isNear) || wordsOf(`${target.Address} ${target.City}`).includes(word);
};

/**
 * Finds the unexplained words and numbers that speak against the assignment. Words count only in names that contain the
 * assignment's street or house, and in the name above these names, unless it is the first name of the path.
 */
const leftOver = (one: Held, street: StreetEvidence, isPlaced: boolean): readonly Found[] => {
  const { path, read, isMarked, office } = one;
  const { tokens, neutral, depthAt, isMixedAt } = path;
  const address = addressOf(street);
  const depths = new Set([street.mention, ...street.places].map(({ from }) => depthAt(from)));
  const above = Math.min(...depths) - 1;
  if (above > 0) depths.add(above);
  /**
   * Whether the number after the word is too long for a house or a flat. The word is then not a town: "ot 9648", "заказ
   * 7262".
   */
  const isBeforeJobNumber = (at: number): boolean => {
    const [word, next, name] = [tokens[at], tokens[at + 1], path.segments[depthAt(at)]?.name ?? ''];
    if (word === undefined || !next?.isNumber || next.isDate || depthAt(at + 1) !== depthAt(at)) return false;
    const isJobNumber = next.written.length > 3 && !path.isCodeAt(at + 1) && !isMarked(at + 1);
    // In a name with blanks, an underscore separates fields.
    const beside = name.includes(' ') ? /^([\s.:#№]*|-)$/ : /^([\s_.:#№]*|-)$/;
    return isJobNumber && beside.test(name.slice(word.start + word.written.length, next.start));
  };
  /** Whether the word repeats a word of the street's name, as the name of a town can: "Abingdon Road, Abingdon". */
  const isRepeated = (at: number): boolean => {
    const { text = '' } = tokens[at] ?? {};
    const isInStreet = path.streets.some((one) => one.missing.length === 0 && meet(one, at1(at)));
    const words = tokens.slice(street.mention.from, street.mention.to).map((one) => one.text);
    return !isInStreet && words.includes(text) && !office.streets.isKind(text);
  };
  /** Whether a folder above the address has the name of a place, such as a village, that other addresses have. */
  const isOtherPlace = (at: number): boolean =>
    depthAt(at) < depthAt(address.from) &&
    path.segments[depthAt(at)]?.tokens.every(({ isNumber, text }) => isNumber || office.places.has(text)) === true;
  const isLikeName = (at: number): boolean =>
    !isMixedAt(at) ||
    !/\p{Lu}/u.test(path.segments[depthAt(at)]?.name ?? '') ||
    /^\p{Lu}/u.test(tokens[at]?.written ?? '');
  const wordAt = (at: number): Feature | undefined => {
    const { text = '', written = '', gap = '' } = tokens[at] ?? {};
    // Abbreviations are in capitals in a name that also has small letters: "FDV" and "EICR".
    const isAbbreviation = isMixedAt(at) && !/\p{Ll}/u.test(written);
    const isOwn = isOf(read, text) && !isRepeated(at);
    if (neutral[at] || isAbbreviation || isOwn || isBeforeJobNumber(at)) return undefined;
    if (office.isLastName(text)) return 'person-other';
    const isBeside = depthAt(at) === depthAt(address.from);
    if (isBeside && one.notTowns?.[sideOf(at, address)].has(text)) return undefined;
    // "Hansen" in "K. Hansen" is the name of a person, not of a town.
    const initial = tokens[at - 1];
    if (initial?.text.length === 1 && !isMarked(at - 1) && !initial.isNumber && /^[.\s]/.test(gap)) return undefined;
    return (!isPlaced && isLikeName(at)) || (isBeside && office.places.has(text)) ? 'city-unknown' : undefined;
  };
  // In "Bushwick Street 1181 Bushwick", the town is a second mention of the street. Words beside any of the mentions
  // count.
  const mentions = path.streets.filter(({ phrase }) => phrase === street.mention.phrase);
  const besideAny = (at: number): Feature | undefined =>
    mentions.map((mention) => besideStreet(one, mention, at)).find((feature) => feature !== undefined);
  return [...tokens.keys()].flatMap((at) => {
    const isNumber = tokens[at]?.isNumber === true;
    if (isMarked(at)) return [];
    if (!isNumber && isOtherPlace(at)) return [{ feature: 'city-unknown', place: at1(at) }];
    if (!(isNumber || depths.has(depthAt(at)))) return [];
    const feature = isNumber ? numberAt(one, at, street) : (besideAny(at) ?? wordAt(at));
    return feature === undefined ? [] : [{ feature, place: at1(at) }];
  });
};

/**
 * Returns the feature of an unexplained number that may belong to another address. Such a number has at most three
 * digits, is not a count, does not directly follow another number, and comes after the house number in the same name,
 * or directly after a word for a flat. If the assignment has a flat that the path lacks, two more kinds of numbers
 * count:
 * - a number of at most three digits beside the house, even if it is a count
 * - a number in the same name that is as long as a part of the assignment's address with four or more digits
 */
const numberAt = ({ path, read }: Held, at: number, { house, found }: StreetEvidence) => {
  const { tokens, depthAt, conventions } = path;
  const { text = '', isDate = false } = tokens[at] ?? {};
  const isHere = house !== undefined && depthAt(house.at) === depthAt(at);
  const isFlat = conventions.flatWords.has(tokens[at - 1]?.text ?? '') && depthAt(at - 1) === depthAt(at);
  const isOther = tokens[at - 1]?.isNumber || isCountAt(tokens, at, conventions);
  const isMissing = found.some(({ feature }) => feature === 'unit-missing');
  const isPart = isMissing && house?.items.some((item) => item.at === at);
  const isAlike = ({ text: part }: Item): boolean => /^\d{4}/.test(part) && part.length === text.length;
  // If a word in the address announces the flat, as in "lgh 1203", other numbers do not look like flats: 7262 in "ordre
  // 7262" suggests no other flat.
  const { items = [], isLabelled = false } = read.address ?? {};
  const isOtherPart = isMissing && isHere && !isLabelled && !path.isCodeAt(at) && items.some(isAlike);
  const isMeant = isPart || (((isHere && at > house.at) || isFlat) && !isOther);
  return !isDate && ((isMeant && text.length < 4) || isOtherPart) ? 'number-left' : undefined;
};

/**
 * Returns the feature of a word directly next to a street's name, where a kind or a direction can be; undefined if the
 * word does not speak against the street. Another kind, or one more word of a name, suggests another street.
 */
const besideStreet = ({ path, read, office }: Held, mention: Hit<Street>, at: number): Feature | undefined => {
  const { missing, from, to } = mention;
  const [token, next] = [path.tokens[at], path.tokens[at + 1]];
  const gap = at === from - 1 ? next?.gap : at === to ? token?.gap : undefined;
  if (token === undefined || token.isDate || gap === undefined || !/^[\s.ºª-]*$/.test(gap)) return undefined;
  const { text } = token;
  const isKindMissing = missing.length > 0;
  // A letter before the name ("L. Rencēnu", "E Market St") can be part of another name. So can a letter after the name
  // if the kind is missing.
  const isLetter = text.length === 1 && (at < from || isKindMissing);
  // "Gamle Kongevej" is not Kongevej, although "gamle" is a work word in other places.
  const isStreetWord = !token.isNumber && !isFilling(text) && office.streets.has(text);
  const isWord = isStreetWord && !office.isPerson(text) && !isOf(read, text);
  if (isLetter || isWord || office.streets.isKind(text)) return 'street-other';
  // A word with a dot can abbreviate another kind of street, even if it is usually a work word. So can a filling word
  // with a capital: "Av" in "Av da República".
  const isDotted = next?.gap.startsWith('.') === true;
  const isCapital = path.isMixedAt(at) && /^\p{Lu}/u.test(token.written) && !office.streets.has(text);
  const isMeant = isDotted || (isFilling(text) ? isCapital : !path.neutral[at]);
  return isKindMissing && isMeant ? 'street-unknown' : undefined;
};

/**
 * Finds another address in the path. Only the name that contains the house number of the assignment's street, and
 * deeper names, are searched; all names if the path has no such number.
 */
const otherAddress = ({ path, isMarked, street }: Held): readonly Found[] => {
  const depth = street?.house === undefined ? 0 : path.depthAt(street.house.at);
  const place = path.streets.findLast(
    (one) =>
      one.missing.length === 0 &&
      path.depthAt(one.from) >= depth &&
      !(street !== undefined && meet(one, street.mention)) &&
      path.housesOf(one).some(({ at }) => !isMarked(at)),
  );
  return said('address-other', place);
};

/**
 * Finds an unexplained number next to an unexplained word. Together they can be an address that the office does not
 * know. They count only if the path has no house number next to the assignment's street.
 */
const unknownAddress = ({ path, office, read, isMarked, street }: Held): readonly Found[] => {
  const { tokens, neutral, conventions, depthAt, isCodeAt } = path;
  if (street?.house !== undefined || (street !== undefined && read.address?.number === '')) return [];
  const least = street === undefined ? 0 : depthAt(street.mention.from);
  const isWordAt = (at: number): boolean => {
    const { text = '', isNumber = true } = tokens[at] ?? {};
    const isOther = neutral[at] || isMarked(at) || conventions.flatWords.has(text) || office.isPerson(text);
    return !isNumber && text.length > 2 && !isOther;
  };
  const isApart = (at: number): boolean => /^[\s,.]+$/.test(tokens[at]?.gap ?? '');
  const isAddressAt = (at: number): boolean => {
    if (isMarked(at) || !isHouseAt(tokens, at) || isCodeAt(at) || isCountAt(tokens, at, conventions)) return false;
    return (isApart(at) && isWordAt(at - 1)) || (conventions.isFront && isApart(at + 1) && isWordAt(at + 1));
  };
  const at = tokens.findIndex((_, place) => depthAt(place) >= least && isAddressAt(place));
  return at < 0 ? [] : said('house-unknown', at1(at));
};

const foundIn = (given: Case): Omit<Evidence, 'features' | 'deepest'> => {
  const { path, office, rule, position, read } = given;
  const marks: boolean[] = path.tokens.map(() => false);
  const mark = (places: readonly (Span | undefined)[]): void => {
    for (const place of places) if (place) marks.fill(true, place.from, place.to);
  };
  const isMarked = (at: number): boolean => marks[at] === true;
  const ids = path.ids.filter((id) => id.position === position);
  mark(ids);
  // Postcode, customer and town are marked first, so that they are not read as the number or letter of a house. A
  // postcode that equals the house number of the assignment is not marked.
  const isCode = (code: string): boolean => code.length > 3 && code !== read.address?.number;
  if (isCode(read.zip)) mark([path.placeOf(read.zip)]);
  if (read.zip === '') mark(path.codes.filter((one) => isCode(one.code) && isOwnCode(read, office)(one)));
  mark([path.placeOf(read.last), path.placeOf(read.first)]);
  mark(path.tokens.flatMap(({ text }, at) => (read.address?.places.includes(text) ? at1(at) : [])));
  mark(path.cities.filter(({ city, mistakes }) => city === read.city && mistakes === 0));
  const street = streetEvidence({ ...given, isMarked });
  if (street !== undefined) {
    const { mention, places } = street;
    mark([mention, ...places]);
    // The address can lack the usual kind: "ul. Korczaka 1" in the path, and "Korczaka 1" in the address.
    const isUsualKind = office.streets.isUsualKind;
    const isBare = mention.missing.length === 0 && !mention.phrase.words.some(isUsualKind);
    if (isBare && isUsualKind(path.tokens[mention.from - 1]?.text ?? '')) mark([at1(mention.from - 1)]);
  }
  const one: Held = { ...given, isMarked, street };
  const named = [...cityFound(one), ...zipFound(one), ...othersFound(one)];
  mark(named.flatMap(({ feature, place }) => (isAgainst(feature) ? [] : [place])));
  const explained = [...marks];
  mark([...named.map(({ place }) => place), ...path.performers]);
  const found: Found[] = ids.map(({ feature, signal, ...place }) => ({ feature, signal, place }));
  if (path.ids.length > 0 && ids.length === 0) found.push({ feature: 'id-other' });
  if (rule?.AssignmentId === read.target.AssignmentId)
    found.push({ feature: 'confirmed', words: rule.name, atMs: rule.confirmedAtMs });
  else if (rule !== undefined) found.push({ feature: 'confirmed-other' });
  found.push(...(street?.found ?? []), ...otherAddress(one), ...unknownAddress(one), ...named);
  const isPlaced = read.city === '' || named.some(({ feature }) => /^(city|city-other|zip)$/.test(feature));
  if (street !== undefined) found.push(...leftOver(one, street, isPlaced));
  return { found, explained, address: street && addressOf(street) };
};

const TELLING =
  /^(assignment-id|place-id|street(-typo|-kind-missing)?|house(-letter-missing)?|no-house|person(-rare)?)$/;

/**
 * Compares a path with an assignment. The folders above a folder with an id in its name can have any names. Those names
 * never count against an assignment, and count for it only if the path has the id of the assignment. An id of digits
 * alone has no such effect, because it can be a job number. `folders`: the number of names in the path that are names
 * of folders.
 */
export const evidenceFor = (given: Case, folders: number): Evidence => {
  const { path, position } = given;
  const isUnmistakable = ({ from, to }: Span): boolean =>
    path.depthAt(from) < folders && path.tokens.slice(from, to).some((token) => !token.isNumber);
  const ids = path.ids.filter(isUnmistakable);
  const top = Math.max(0, ...ids.map(({ from }) => path.depthAt(from)));
  const isNamed = ids.some((id) => id.position === position);
  const evidence = foundIn(given);
  const found = evidence.found.filter(
    ({ feature, place }) => place === undefined || path.depthAt(place.from) >= top || (isNamed && !isAgainst(feature)),
  );
  const telling = found.flatMap(({ feature, place }) =>
    place && TELLING.test(feature) ? path.depthAt(place.from) : [],
  );
  const features = [...new Set(found.map(({ feature }) => feature))];
  return { ...evidence, found, features, deepest: Math.max(-1, ...telling) };
};

const SIGNALS: Readonly<Record<string, MatchSignal>> = {
  street: 'street',
  house: 'house-number',
  number: 'house-number',
  unit: 'flat',
  address: 'address',
  city: 'city',
  zip: 'zip-code',
  person: 'person',
  performer: 'performer',
  date: 'date',
  confirmed: 'confirmed',
};

/**
 * Returns the reasons for and against an assignment, in the words of the path. A street and its number are one reason:
 * the address.
 */
export const reasonsOf = (segments: readonly Segment[], { found: all }: Evidence): readonly MatchReason[] => {
  const words = segments.flatMap(({ tokens, name }, depth) =>
    tokens.map(({ start, written }) => {
      const end = start + written.length;
      // An ordinal sign after a number is not part of the number's token, but users see both together.
      return { name, depth, start, end: /[º°ª]/.test(name.charAt(end)) ? end + 1 : end };
    }),
  );
  const textOf = ({ from, to }: Span): string =>
    [...Map.groupBy(words.slice(from, to), ({ depth }) => depth).values()]
      .map((all) => all[0]?.name.slice(all[0].start, all.at(-1)?.end))
      .join('/');
  const street = all.find(({ feature }) => feature.startsWith('street') && !isAgainst(feature));
  const house = all.find(({ feature }) => feature === 'house' || feature === 'no-house');
  const reasons = all.flatMap((one): readonly MatchReason[] => {
    const { feature, place, words = place ? textOf(place) : '', atMs } = one;
    if (street?.place !== undefined && house?.place !== undefined) {
      if (one === house) return [];
      if (one === street) return [{ signal: 'address', found: textOf(around([street.place, house.place])) }];
    }
    const signal = one.signal ?? SIGNALS[feature.split('-')[0] ?? ''];
    if (signal === undefined || words === '' || /missing|confirmed-other/.test(feature)) return [];
    const more = { ...(isAgainst(feature) && { against: true }), ...(atMs !== undefined && { atMs }) };
    return [{ signal, found: words, ...more }];
  });
  return reasons
    .filter(({ signal, found }, at) => reasons.findIndex((one) => one.signal === signal && one.found === found) === at)
    .sort((one, other) => Number(one.against ?? false) - Number(other.against ?? false));
};
