/**
 * Reads a path for one assignment. Each word and number is explained by the assignment (street, number, flat, town, postcode, people, ids,
 * dates), or by the office (words that say nothing of a place), or it is left over. What is left over where a flat, a kind of street or a
 * town stands speaks against the assignment. The result is a list of features for certainty.ts, with the words of the path for people.
 */
import type { MatchReason, MatchSignal } from '../../contract/drafts.ts';
import {
  type Address,
  AND,
  type Conventions,
  type House,
  housesBeside,
  type Item,
  isCountAt,
  type Reader,
} from './addresses.ts';
import { type Evidence, type Feature, type Found, isAgainst, WEIGHTS } from './certainty.ts';
import {
  dayOfTime,
  foldedWords,
  isShortFor,
  mistakesAllowed,
  mistakesBetween,
  remembered,
  type Segment,
  type Span,
  segmentOf,
} from './names.ts';
import { costOf, type Hit, nameOf, type Phrase, type Phrases } from './streets.ts';
import type { IdMention, ReadTarget, Rule } from './targets.ts';
import { isFilling, isWorkWord, NUMBER_SIGNS } from './words.ts';

/** A street of the assignments. */
export type Street = Phrase & {
  /** The positions of its assignments by their numbers; those without a number have an empty one. */
  readonly byNumber: Map<string, number[]>;
};

/** What is known of the list of assignments. */
export type Office = {
  readonly conventions: Conventions;
  readonly streets: Phrases<Street>;
  readonly towns: Phrases;
  /** The cities of each postcode, and how most of the codes are written. */
  readonly codes: ReadonlyMap<string, ReadonlySet<string>>;
  readonly shapes: ReadonlySet<string>;
  /** The names of performers, with the form of their company and without, and the name without. */
  readonly performers: ReadonlyMap<string, string>;
  readonly idsIn: (segment: Segment) => readonly IdMention[];
  readonly isLastName: (word: string) => boolean;
  readonly isPerson: (word: string) => boolean;
  /** How many of the assignments would have this person's name by chance. */
  readonly namesakes: (target: ReadTarget) => number;
};

/** Whether two spans share a word. */
const meet = (one: Span, other: Span): boolean => one.from < other.to && one.to > other.from;
const at1 = (at: number): Span => ({ from: at, to: at + 1 });
/** What is found in one name, without regard to the others of a path and to any assignment. */
export const readName = (name: string, office: Office) => {
  const segment = segmentOf(name);
  return {
    segment,
    cities: citiesIn(segment, office.towns),
    codes: codesIn(segment, office.shapes),
    ids: office.idsIn(segment),
    performers: [...segment.spanOf]
      .filter(([text]) => office.performers.has(text))
      .map(([text, span]) => ({ ...span, performer: office.performers.get(text) })),
    /** For each word, whether it may stand anywhere, and says nothing of a place. */
    neutral: segment.tokens.map((_, at) => isNeutralAt(segment, at)),
    /** Streets as they are written, or with those that are misspelt. */
    streetsOf: remembered((isMisspelt: boolean) => streetsIn(segment, office.streets, isMisspelt)),
  };
};
export type ReadName = ReturnType<typeof readName>;

const lifted = <One extends Span>(one: One, by: number): One =>
  by === 0 ? one : { ...one, from: one.from + by, to: one.to + by };

/** The names of a path as one sequence of words. The numbers beside a street are read once for all assignments. */
export const readPath = (names: readonly ReadName[], { conventions, codes: known }: Office) => {
  const segments = names.map(({ segment }) => segment);
  const tokens = segments.flatMap((segment) => segment.tokens);
  const depths = segments.flatMap((segment, depth) => segment.tokens.map(() => depth));
  const all = <One extends Span>(of: (name: ReadName) => readonly One[]): readonly One[] =>
    names.flatMap((name, depth) => of(name).map((one) => lifted(one, depths.indexOf(depth))));
  const [cities, codes, ids] = [all((name) => name.cities), all((name) => name.codes), all((name) => name.ids)];
  // Digits alone are no id where a whole one stands.
  const whole = ids.filter(({ feature }) => feature !== 'id-part');
  const [towns, places] = [tokens.map(() => false), tokens.map(() => false)];
  for (const { from, to, isWhole, mistakes } of cities) if (isWhole && mistakes === 0) towns.fill(true, from, to);
  for (const { from, to, code } of codes)
    if (known.has(code) || towns[to] || (/\D/.test(code) && code.length > 4)) places[from] = true;
  const isMixed = segments.map(({ name }) => /\p{Ll}/u.test(name));
  const reader: Reader = {
    ...{ tokens, conventions, isAddress: false },
    isTownAt: (at) => towns[at] === true,
    isCodeAt: (at) => places[at] === true,
    isMixedAt: (at) => isMixed[depths[at] ?? 0] === true,
  };
  return {
    ...{ ...reader, segments, cities, codes },
    hasWholeId: whole.length > 0,
    /** The ids by the positions of their targets. */
    ids: Map.groupBy(whole.length > 0 ? whole : ids, ({ position }) => position),
    /** In which of the names the word at `at` stands. */
    depthAt: (at: number): number => depths[at] ?? -1,
    streets: all((name) => name.streetsOf(false)),
    misspelt: () => all((name) => name.streetsOf(true)),
    performers: all((name) => name.performers),
    days: all(({ segment }) => segment.days),
    neutral: names.flatMap(({ neutral }) => neutral),
    /** The deepest place of `text`, all words in one, that `isWanted`. */
    placeOf: (text: string, isWanted: (place: Span) => boolean = () => true): Span | undefined => {
      if (text.length < 2 || !segments.some(({ spanOf }) => spanOf.has(text))) return undefined;
      const spans = all(({ segment }) => [segment.spanOf.get(text) ?? []].flat());
      return spans.findLast(isWanted);
    },
    /** The numbers beside a street, read once for all its assignments. */
    housesOf: remembered((street: Hit<Street>): readonly House[] =>
      housesBeside(reader, { ...street, isKindMissing: street.missing.length > 0 }, (number) =>
        street.phrase.byNumber.has(number),
      ),
    ),
  };
};
export type Path = ReturnType<typeof readPath>;
type CityMention = Path['cities'][number];
/** What is written like a postcode of the list. */
type CodeMention = Span & { readonly code: string; readonly shape: string };

const lengthOf = ({ from, to }: Span): number => to - from;

/** The streets in a name, but "Gamle Kongevej" is not Kongevej. */
const streetsIn = (segment: Segment, streets: Phrases<Street>, isMisspelt: boolean): readonly Hit<Street>[] => {
  const hits = streets.find(segment, isMisspelt);
  const exact = hits.filter((hit) => costOf(hit) === 0);
  return hits.filter((one) =>
    exact.every((other) => {
      const isLonger = lengthOf(other) > lengthOf(one) && nameOf(other.phrase) !== nameOf(one.phrase);
      return !(meet(other, one) && (isLonger || (one.mistakes > 0 && lengthOf(other) === lengthOf(one))));
    }),
  );
};

const citiesIn = (segment: Segment, towns: Phrases) =>
  towns.find(segment, true).flatMap(({ phrase, from, to, missing, mistakes }) => {
    const span = { from, to };
    if (mistakes > 1) return [];
    // "Praha 4" is not Praha 5, and "Odense NV" not Odense V.
    const district = missing.some((at) => (phrase.words[at] ?? '').length < 3) ? segment.tokens[to] : undefined;
    const isOtherDistrict =
      district !== undefined &&
      /^[\s-]*$/.test(district.gap) &&
      district.written.length < 3 &&
      !isWorkWord(district.text);
    return isOtherDistrict ? [] : [{ ...span, city: phrase.words.join(''), mistakes, isWhole: missing.length === 0 }];
  });

/** Digits and letters of a code; of one that begins with letters and digits their number does not matter ("LS9 8PH", "M1 3AB"). */
export const shapeOf = (code: string): string => {
  const bare = code.replaceAll(/[^\p{L}\p{N}]/gu, '');
  if (/^\d+$/.test(bare)) return '9'.repeat(bare.length);
  return bare
    .replaceAll(/\p{L}/gu, 'a')
    .replaceAll(/\d/g, '9')
    .replace(/^a+9+(?=9a)/, 'a');
};

/** What stands at a span, if it is one or two groups of capitals and digits, apart from other words. */
const groupsAt = ({ tokens, name }: Segment, { from, to }: Span): string => {
  const [first, last] = [tokens[from], tokens[to - 1]];
  if (first === undefined || last === undefined || first.gap === '' || tokens[to]?.gap === '') return '';
  if (first.isDate && (to === from + 1 || last.isNumber)) return '';
  const written = name.slice(first.start, last.start + last.written.length).replaceAll('_', ' ');
  const text = /\p{Lu}/u.test(name) ? written : written.toUpperCase();
  return /^(?=.*\d)(?=.{3,10}$)[\p{Lu}\p{N}]+([ -][\p{Lu}\p{N}]+)?$/u.test(text) ? text : '';
};

/** What in a name is written like one of `shapes`. */
const codesIn = (segment: Segment, shapes: ReadonlySet<string>): readonly CodeMention[] =>
  segment.tokens.flatMap((_, from) =>
    [1, 2, 3, 4].flatMap((count) => {
      const span = { from, to: from + count };
      const text = groupsAt(segment, span);
      const shape = text === '' ? '' : shapeOf(text);
      return shapes.has(shape) ? [{ ...span, shape, code: segment.joined[from]?.[count - 1] ?? '' }] : [];
    }),
  );

/** Whether the word at `at` may stand anywhere, and says nothing of a place. */
const isNeutralAt = ({ tokens }: Segment, at: number): boolean => {
  const [token, next] = [tokens[at], tokens[at + 1]];
  if (token === undefined || token.isNumber || token.isDate) return true;
  if (token.text.length < 2 || isFilling(token.text) || isWorkWord(token.text)) return true;
  // "Comm. 28388", "nr 12"
  return next?.isNumber === true && (/^\.\s*$/.test(next.gap) || NUMBER_SIGNS.has(token.text));
};

const isEqual = (one: readonly string[], other: readonly string[]): boolean =>
  one === other || (one.length === other.length && one.every((word, at) => word === other[at]));

/** How a house that a path has fits an address. `house`: the places of its number, with its letter; `flat`: those of the flat. */
type Fit = {
  readonly features: readonly Feature[];
  readonly house: readonly number[];
  readonly flat: readonly number[];
};

const sureIn = (items: readonly Item[]): readonly string[] =>
  items.flatMap(({ kind, text }) => (kind === 'sure' ? text : []));

/** Compares what stands beside a number with the parts of an address, in their order. `left`: the parts from there on are missing. */
const aligned = (items: readonly Item[], own: readonly Item[]) => {
  let left = 0;
  const fits = items.map(({ text, kind, at }) => {
    const next = own.findIndex(
      (part, place) => place >= left && (part.kind === 'sure' || (part.text === text && kind !== 'sure')),
    );
    const isSame = own[next]?.text === text;
    if (isSame) left = next + 1;
    return { at, isUsed: isSame || kind !== 'aside', isOther: !isSame && kind === 'sure' };
  });
  const flat = fits.flatMap(({ at, isUsed }) => (isUsed ? at : []));
  return { flat, left, isOther: fits.some(({ isOther }) => isOther) };
};

/** How the items beside a number fit those of an address. */
const fitItems = (items: readonly Item[], own: readonly Item[], hasLetter: boolean): Omit<Fit, 'house'> => {
  const { flat, left, isOther } = aligned(items, own);
  const [said, sure, missing] = [sureIn(items), sureIn(own), sureIn(own.slice(left)).length];
  const hasFlat = sure.length > Number(hasLetter);
  const isAll = (!isOther && missing === 0) || (said.length > 0 && said.join('') === sure.join(''));
  if (isAll) return { features: hasFlat ? ['unit'] : [], flat };
  if (isOther || sure.length - missing > Number(hasLetter)) {
    const isLetter = said.length === 1 && /^[a-z]$/.test(said[0] ?? '') && !hasFlat;
    return { features: [isLetter ? 'house-letter-other' : 'unit-other'], flat };
  }
  const letter: readonly Feature[] = hasLetter && missing === sure.length ? ['house-letter-missing'] : [];
  return { features: hasFlat ? [...letter, 'unit-missing'] : letter, flat };
};

/** `isOwn`: whether something else of the assignment explains the word there. */
const fitHouse = (
  house: House,
  { number: own, to: ownTo, items: ownItems, hasLetter, isLabelled }: Address,
  { isSecondHouse }: Conventions,
  isOwn: (at: number) => boolean,
): Fit => {
  const { number, at, to } = house;
  const items = house.items.filter((item) => item.text === AND || !isOwn(item.at));
  /** Another house, or a range that only contains the one. */
  const other = (): Fit => {
    const last = ownTo === '' ? own : ownTo;
    const isIn = Number(number) <= Number(last) && Number(to === '' ? number : to) >= Number(own);
    return { features: [isIn ? 'house-range' : 'house-other'], house: [at], flat: items.map((item) => item.at) };
  };
  const fit = (parts: readonly Item[], isLettered: boolean, ends = 0): Fit => {
    const { features, flat } = fitItems(items.slice(ends), parts, isLettered);
    return { features: ['house', ...features], house: [at, ...items.slice(0, ends).map((item) => item.at)], flat };
  };
  const [first, part] = [items.find(({ kind }) => kind === 'sure')?.text, ownItems[0]?.text];
  if (ownTo !== '') {
    const isBoth = (number === own && first === ownTo) || (number === ownTo && first === own);
    return isBoth ? fit(ownItems, hasLetter, 1) : other();
  }
  // "1510/48": either number tells the house.
  if (isSecondHouse && !isLabelled && /^\d/.test(part ?? '') && (number === part || (number === own && first !== part)))
    return fit(ownItems.slice(1), /^[a-z]$/.test(ownItems[1]?.text ?? ''));
  // "12-16" are houses, and 12 is only one of them.
  const isRange = to !== '' && (to !== part || isLabelled);
  return number !== own || isRange ? other() : fit(ownItems, hasLetter);
};

/** An assignment that is held against a path. */
export type Case = {
  readonly path: Path;
  readonly office: Office;
  readonly rule: Rule | undefined;
  readonly position: number;
  readonly read: ReadTarget;
};

/** `isMarked`: whether something else of the assignment explains the word there. */
type Held = Case & { readonly isMarked: (at: number) => boolean; readonly street?: StreetEvidence | undefined };

/** What the path says of the street, the house and the flat of an assignment. */
type StreetEvidence = {
  readonly mention: Hit<Street>;
  readonly house: House | undefined;
  readonly found: readonly Found[];
  /** The words of the number and the flat. */
  readonly places: readonly Span[];
  /** Whether the house is the one that is meant. */
  readonly isHere: boolean;
};

/** From the first to the last of `places`. */
const around = (places: readonly Span[]): Span => ({
  from: Math.min(...places.map(({ from }) => from)),
  to: Math.max(...places.map(({ to }) => to)),
});

const streetFeature = ({ phrase, missing, mistakes, initials }: Hit<Street>): Feature => {
  if (missing.some((at) => phrase.roles[at] === 'core')) return 'street-part';
  if (missing.length > 0) return 'street-kind-missing';
  if (mistakes > 0) return mistakes > 1 ? 'street-two-typos' : 'street-typo';
  return initials > 0 ? 'street-initials' : 'street';
};

const houseFound = (
  { path, isMarked }: Held,
  address: Address,
  mention: Hit<Street>,
): Omit<StreetEvidence, 'mention'> => {
  const houses = path.housesOf(mention).filter(({ at }) => !isMarked(at));
  const { names, number: own } = address;
  const house = houses.find(({ number }) => number === own) ?? houses[0];
  if (house === undefined) {
    // A house that has a name instead of a number, or nothing but a street.
    const isSaid = (words: readonly string[]): boolean =>
      path.streets.some(({ missing, phrase }) => missing.length === 0 && isEqual(phrase.words, words));
    const feature =
      own !== '' ? 'house-missing' : names.length < 2 ? 'no-house' : names.every(isSaid) ? 'house' : 'house-missing';
    return { house, places: [], isHere: feature !== 'house-missing', found: [{ feature, place: mention }] };
  }
  const place = at1(house.at);
  if (own === '') return { house, places: [place], isHere: false, found: [{ feature: 'house-unknown', place }] };
  const fit = fitHouse(house, address, path.conventions, isMarked);
  const number = around(fit.house.map(at1));
  const flat = fit.flat.length === 0 ? number : around(fit.flat.map(at1));
  // "97 B": people read the letter as a part of the number.
  const isLetter =
    flat.from === number.to && flat.to === flat.from + 1 && /^[a-z]$/.test(path.tokens[flat.from]?.text ?? '');
  const whole = isLetter ? { from: number.from, to: flat.to } : number;
  return {
    house,
    isHere: fit.features[0] !== 'house-other',
    places: [...fit.house, ...house.sign, ...fit.flat].map(at1),
    found: fit.features.map((feature) => ({ feature, place: /^(unit|house-letter)/.test(feature) ? flat : whole })),
  };
};

/** The mention of the address's street that says most, with the number that is taken for the house's. */
const streetEvidence = (one: Held): StreetEvidence | undefined => {
  const {
    path,
    read: { address },
  } = one;
  let best: { readonly evidence: StreetEvidence; readonly sum: number } | undefined;
  for (const mention of path.streets) {
    if (address?.names.some((words) => isEqual(words, mention.phrase.words)) !== true) continue;
    const house = houseFound(one, address, mention);
    const found = [{ feature: streetFeature(mention), place: mention }, ...house.found];
    const sum = found.reduce((total, { feature }) => total + WEIGHTS[feature], path.depthAt(mention.from) / 1000);
    if (best === undefined || sum > best.sum) best = { evidence: { ...house, mention, found }, sum };
  }
  return best?.evidence;
};

/** The city of the assignment in the path, or another one. */
const cityFound = ({ path, read, isMarked, street }: Held) => {
  const isSaid = (one: CityMention): boolean => {
    if (street !== undefined && meet(one, street.mention)) return false;
    if (one.city === read.city) return true;
    // "apt 4" is no Apt, "Moreau" no Moréac, and "van der Berg" a person.
    if (street?.places.some((place) => meet(place, one)) || (one.mistakes > 0 && isMarked(one.from))) return false;
    const before = path.tokens[one.from - 1]?.text ?? '';
    const isPerson = one.city === read.last || one.city === read.first || /^(van|von|der|den|af|av)$/.test(before);
    return one.isWhole && !isPerson;
  };
  const said = path.cities.filter(isSaid);
  const deepest = Math.max(-1, ...said.map(({ from }) => path.depthAt(from)));
  const here = said.filter(({ from }) => path.depthAt(from) === deepest);
  const own = here.find(({ city }) => city === read.city);
  const isLonger = (one: Span): boolean =>
    own === undefined || (meet(one, own) && one.to - one.from > own.to - own.from);
  const other = here.find((one) => one.city !== read.city && one.isWhole && isLonger(one));
  if (other !== undefined)
    return { city: read.city === '' ? [] : [{ feature: 'city-other' as const, place: other }], mistakes: 0 };
  return { city: own === undefined ? [] : [{ feature: 'city' as const, place: own }], mistakes: own?.mistakes ?? 0 };
};

/** The postcode of the assignment in the path, or another one: what is written like the codes of the list, beside the address or a city. */
const zipFound = ({ path, read, office: { codes }, isMarked, street }: Held): readonly Found[] => {
  const { tokens, cities } = path;
  const { zip, city, target } = read;
  const isOfAddress = (place: Span): boolean => street?.places.some((one) => meet(one, place)) === true;
  /** "26-2385" is the number of a job, and no postcode, unless 26 is the house. */
  const isSecondOfTwo = ({ from, to }: Span): boolean =>
    to - from === 1 && tokens[from]?.gap === '-' && tokens[from - 1]?.isNumber === true && !isOfAddress(at1(from - 1));
  const isApart = (place: Span): boolean => !isOfAddress(place) && !isSecondOfTwo(place);
  const isOfCity = (one: CodeMention): boolean => codes.get(one.code)?.has(city) === true && !isMarked(one.from);
  const own = zip.length > 2 ? path.placeOf(zip, isApart) : path.codes.find(isOfCity);
  if (own !== undefined) return [{ feature: 'zip', place: own }];
  const shape = zip.length > 2 ? shapeOf(target.ZipCode ?? '') : undefined;
  const isOther = (place: CodeMention): boolean => {
    const { from, to, code } = place;
    const isAlike = shape === undefined || shape === place.shape || (/a/.test(shape) && /a/.test(place.shape));
    if (!isAlike || isMarked(from) || isSecondOfTwo(place)) return false;
    const beside = cities.filter((one) => one.from === to || one.to === from);
    // Nothing is known of the code that stands beside the city itself.
    if (shape === undefined && beside.some((one) => one.city === city)) return false;
    const isPlaced = beside.length > 0 || (street?.house !== undefined && from > street.house.at);
    return /\D/.test(code) || to - from > 1 || codes.has(code) || isPlaced;
  };
  const other = path.codes.find(isOther);
  return other === undefined ? [] : [{ feature: 'zip-other', place: other }];
};

/** The customer, the performer and the day of the assignment in the path. */
const othersFound = ({ path, read, office, street }: Held): readonly Found[] => {
  const isApart = (place: Span): boolean => street === undefined || !meet(place, street.mention);
  const found: Found[] = [];
  const [family, given] = [path.placeOf(read.last, isApart), path.placeOf(read.first, isApart)];
  if (family !== undefined) {
    const isBoth = given !== undefined && path.depthAt(family.from) === path.depthAt(given.from);
    const feature = isBoth ? (office.namesakes(read) < 0.2 ? 'person-rare' : 'person') : 'person-last';
    found.push({ feature, place: isBoth ? around([family, given]) : family });
  }
  const performer = path.performers.find((place) => place.performer === read.performer && isApart(place));
  if (performer !== undefined) found.push({ feature: 'performer', place: performer });
  const days = [read.target.StartTime, read.target.InspectionDate ?? 0].map(dayOfTime);
  const date = path.days.find(({ day }) => days.includes(day));
  if (date !== undefined) found.push({ feature: 'date', place: date });
  return found;
};

/** "FDV" and "EICR": capitals in a name that has small letters too. */
const isAbbreviation = ({ tokens, isMixedAt }: Path, at: number): boolean =>
  isMixedAt(at) && !/\p{Ll}/u.test(tokens[at]?.written ?? '');

const wordsOf = remembered(foldedWords);

/** Whether `word` is, shortened or misspelt, a word of what is known of the assignment. */
const isOf = ({ target, city, first, last, performer, performerWhole }: ReadTarget, word: string): boolean => {
  const isShort = word.length > 2 && word.length < 6 && !/[aeiouy]/.test(word.slice(1));
  const isNear = (known: string): boolean => {
    const most = mistakesAllowed(known.length);
    return known !== '' && (mistakesBetween(word, known, most) <= most || (isShort && isShortFor(word, known)));
  };
  return (
    [city, first, last, performer, performerWhole].some(isNear) ||
    (word.length > 3 && [city, performerWhole].some((known) => known.includes(word))) ||
    wordsOf(`${target.Address} ${target.City}`).includes(word)
  );
};

/** What nothing explains, where it speaks against the assignment. */
const leftOver = (one: Held, street: StreetEvidence, isPlaced: boolean): readonly Found[] => {
  const { path, read, isMarked, office } = one;
  const { tokens, neutral, depthAt, isMixedAt } = path;
  const depths = new Set([street.mention, ...street.places].map(({ from }) => depthAt(from)));
  const above = Math.min(...depths) - 1;
  if (above > 0) depths.add(above);
  /** "Hansen" in "K. Hansen" is a person, in "97 A Hansen" maybe a town: there the letter is the house's. */
  const isBehindInitial = (at: number): boolean => {
    const initial = tokens[at - 1];
    const isInitial = initial?.text.length === 1 && !initial.isNumber && initial.gap !== '' && !isMarked(at - 1);
    return isInitial && /^[.\s]/.test(tokens[at]?.gap ?? '');
  };
  const wordAt = (at: number): Feature | undefined => {
    const { text = '', written = '' } = tokens[at] ?? {};
    if (neutral[at] || isAbbreviation(path, at) || isOf(read, text)) return undefined;
    if (office.isLastName(text)) return 'person-other';
    const isLikeName =
      !isMixedAt(at) || !/\p{Lu}/u.test(path.segments[depthAt(at)]?.name ?? '') || /^\p{Lu}/u.test(written);
    return !isPlaced && !office.isPerson(text) && isLikeName && !isBehindInitial(at) ? 'city-unknown' : undefined;
  };
  return [...tokens.keys()].flatMap((at) => {
    if (isMarked(at) || !depths.has(depthAt(at))) return [];
    const feature = !tokens[at]?.isNumber
      ? (besideStreet(one, street, at) ?? wordAt(at))
      : isNumberLeft(path, at, street)
        ? 'number-left'
        : undefined;
    return feature === undefined ? [] : [{ feature, place: at1(at) }];
  });
};

/** Whether a number that nothing explains is another flat or house: a short one behind the address. */
const isNumberLeft = (path: Path, at: number, { mention, house, isHere }: StreetEvidence): boolean => {
  const { tokens, depthAt, conventions } = path;
  const [before, token] = [tokens[at - 1], tokens[at]];
  const depth = depthAt(at);
  if (!isHere || depth !== depthAt(mention.from) || house === undefined || depthAt(house.at) !== depth) return false;
  if (token === undefined || at < Math.max(mention.to, house.at + 1) || token.text.length > 3 || token.isDate)
    return false;
  return !before?.isNumber && !isCountAt(tokens, at, conventions);
};

/** What stands where the kind of a street or a direction does, beside its name: another kind, or one more word of the name. */
const besideStreet = (one: Held, { mention }: StreetEvidence, at: number): Feature | undefined => {
  const { path, read, office } = one;
  const { missing, from, to } = mention;
  const [before, token, next] = [path.tokens[at - 1], path.tokens[at], path.tokens[at + 1]];
  const gap = at === from - 1 ? next?.gap : at === to ? token?.gap : undefined;
  if (token === undefined || token.isDate || gap === undefined || !/^[\s.ºª-]*$/.test(gap)) return undefined;
  const { text } = token;
  const isKindMissing = missing.length > 0;
  // "L. Rencēnu", "E Market St": a letter of the name itself, or a direction behind it.
  const isOfNumber = before?.isNumber === true && token.gap === '';
  const isLetter = text.length === 1 && (at < from || isKindMissing) && !isOfNumber;
  const isKind = office.streets.isKind(text);
  // "Av. da República" is not Rua da República, although "av" is a filling word elsewhere.
  const isDotted = isKindMissing && next?.gap.startsWith('.') === true && !NUMBER_SIGNS.has(text);
  if (path.neutral[at] && !(isKind || isDotted || isLetter)) return undefined;
  const isOfStreets = isKind || (office.streets.has(text) && !office.isPerson(text) && !isOf(read, text));
  if (isLetter || isOfStreets) return 'street-other';
  return isKindMissing && !isFilling(text) ? 'street-unknown' : undefined;
};

/** Another address in the path than that of the assignment, as deep as it or deeper. */
const otherAddress = ({ path, isMarked, street }: Held): readonly Found[] => {
  const { depthAt } = path;
  const deepest = street?.isHere ? depthAt(Math.max(street.mention.from, street.house?.at ?? 0)) : -1;
  const isOther = (one: Hit<Street>): boolean => {
    const depth = depthAt(one.from);
    if (one.missing.length > 0 || depth < deepest) return false;
    if (street !== undefined && meet(one, street.mention)) return false;
    return path.housesOf(one).some(({ at }) => !isMarked(at));
  };
  return path.streets
    .filter(isOther)
    .slice(-1)
    .map((place) => ({ feature: 'address-other', place }));
};

const foundIn = (given: Case): Omit<Evidence, 'features' | 'deepest'> => {
  const { path, office, rule, position, read } = given;
  const marks: boolean[] = path.tokens.map(() => false);
  const mark = (places: readonly (Span | undefined)[]): void => {
    for (const place of places) if (place) marks.fill(true, place.from, place.to);
  };
  const isMarked = (at: number): boolean => marks[at] === true;
  const ids = path.ids.get(position) ?? [];
  mark(ids);
  // What is something else than the house: the code of the assignment, its town, and its person.
  if (read.zip.length > 3 && read.zip !== read.address?.number) mark([path.placeOf(read.zip)]);
  mark([path.placeOf(read.last), path.placeOf(read.first)]);
  mark(path.cities.filter(({ city, mistakes }) => city === read.city && mistakes === 0));
  const street = streetEvidence({ ...given, isMarked });
  const mention = street?.mention;
  if (street !== undefined && mention !== undefined) {
    mark([mention, ...street.places]);
    // "ul. Korczaka 1" where the address is "Korczaka 1".
    const isUsualKind = office.streets.isUsualKind;
    const isBare = mention.missing.length === 0 && !mention.phrase.words.some(isUsualKind);
    if (isBare && isUsualKind(path.tokens[mention.from - 1]?.text ?? '')) mark([at1(mention.from - 1)]);
  }
  const one: Held = { ...given, isMarked, street };
  const zip = zipFound(one);
  const { city, mistakes } = cityFound(one);
  const others = othersFound(one);
  const named = [...zip, ...city, ...others];
  mark(named.flatMap(({ feature, place }) => (isAgainst(feature) ? [] : [place])));
  const explained = [...marks];
  mark([...named.map(({ place }) => place), ...path.performers]);
  const found: Found[] = ids.map(({ feature, signal, ...place }) => ({ feature, signal, place }));
  if (path.ids.size > 0 && ids.length === 0) found.push({ feature: 'id-other' });
  if (rule?.AssignmentId === read.target.AssignmentId)
    found.push({ feature: 'confirmed', words: rule.name, atMs: rule.confirmedAtMs });
  else if (rule !== undefined) found.push({ feature: 'confirmed-other' });
  found.push(...(street?.found ?? []), ...otherAddress(one), ...city);
  if (city.length === 0 && mention !== undefined) found.push({ feature: 'city-missing' });
  found.push(...zip, ...others);
  const isPlaced = read.city === '' || city.length > 0 || zip.some(({ feature }) => feature === 'zip');
  if (street !== undefined) found.push(...leftOver(one, street, isPlaced));
  return { found, explained, mistakes: mistakes + (mention?.mistakes ?? 0) };
};

/** Whether it is a whole id that nothing else is written like: one of digits alone may be the number of a job. */
const isUnmistakable = ({ tokens }: Path, { feature, from, to }: IdMention): boolean =>
  feature !== 'id-part' && tokens.slice(from, to).some(({ isNumber }) => !isNumber);

/** The first of the words from which on the path counts: those of the deepest folder whose name has an unmistakable id, else all. */
export const startOf = (path: Path, folders: number): number => {
  const depths = [...path.ids.values()]
    .flat()
    .flatMap((one) => (isUnmistakable(path, one) ? path.depthAt(one.from) : []));
  const depth = Math.max(0, ...depths.filter((one) => one < folders));
  return path.tokens.findIndex((_, at) => path.depthAt(at) === depth);
};

/** Features by which a name points to an assignment. */
const TELLING =
  /^(assignment-id|place-id|id-part|street(-typo|-initials|-kind-missing)?|house(-letter-missing|-range)?|no-house|person(-rare)?)$/;

/**
 * Weighs a path for an assignment. What stands above `start`, the deepest unmistakable id, can speak for the target of that id
 * and says nothing else: the folder around it may have any name.
 */
export const evidenceFor = (given: Case, start: number): Evidence => {
  const { path, position } = given;
  const evidence = foundIn(given);
  const hasId = path.ids.get(position)?.some((mention) => isUnmistakable(path, mention)) === true;
  const found = evidence.found.filter(
    ({ feature, place }) => place === undefined || place.from >= start || (hasId && !isAgainst(feature)),
  );
  const telling = found.flatMap(({ feature, place }) =>
    place && TELLING.test(feature) ? path.depthAt(place.from) : [],
  );
  return {
    ...evidence,
    found,
    features: [...new Set(found.map(({ feature }) => feature))],
    deepest: Math.max(-1, ...telling),
  };
};

/** As what people read a feature, by its first word. */
const SIGNALS: Readonly<Record<string, MatchSignal>> = {
  ...{ street: 'street', house: 'house-number', number: 'house-number', unit: 'flat', address: 'address' },
  ...{ city: 'city', zip: 'zip-code', person: 'person', performer: 'performer', date: 'date', confirmed: 'confirmed' },
};

/** What people read: what speaks for and against, in the words of the path. A street with its number is one reason: the address. */
export const reasonsOf = (
  segments: readonly Segment[],
  { found: all }: Pick<Evidence, 'found'>,
): readonly MatchReason[] => {
  const tokens = segments.flatMap(({ tokens, name }, depth) => tokens.map((token) => ({ ...token, name, depth })));
  const textOf = ({ from, to }: Span): string => {
    const [first, last] = [tokens[from], tokens[to - 1]];
    if (first === undefined || last === undefined) return '';
    const end = last.start + last.written.length;
    // Signs behind a number are no part of its token.
    if (first.depth === last.depth)
      return last.name.slice(first.start, end) + (/^[º°ª]/.exec(last.name.slice(end))?.[0] ?? '');
    const next = tokens.findIndex(({ depth }) => depth === last.depth);
    return `${textOf({ from, to: next })}/${textOf({ from: next, to })}`;
  };
  const street = all.find(({ feature }) => feature.startsWith('street') && !isAgainst(feature));
  const house = all.find(({ feature }) => feature === 'house' || feature === 'no-house');
  const reasons = all.flatMap((one): readonly MatchReason[] => {
    if (street?.place !== undefined && house?.place !== undefined) {
      if (one === house) return [];
      if (one === street) return [{ signal: 'address', found: textOf(around([street.place, house.place])) }];
    }
    const signal = one.signal ?? SIGNALS[one.feature.split('-')[0] ?? ''];
    const found = one.words ?? (one.place && textOf(one.place)) ?? '';
    if (signal === undefined || found === '' || /missing|confirmed-other/.test(one.feature)) return [];
    return [
      {
        signal,
        found,
        ...(isAgainst(one.feature) && { against: true }),
        ...(one.atMs !== undefined && { atMs: one.atMs }),
      },
    ];
  });
  return reasons
    .filter(({ signal, found }, at) => reasons.findIndex((one) => one.signal === signal && one.found === found) === at)
    .sort((one, other) => Number(one.against ?? false) - Number(other.against ?? false));
};
