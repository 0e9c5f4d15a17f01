/**
 * Reads a path through the eyes of one assignment: each word and number of the names is explained by its street, number, flat, town,
 * code, people, ids or dates, or it says nothing of a place, or it is left over. What is left over where a flat, a kind of street or a
 * town stands speaks against the assignment. The result are features for certainty.ts, with the words of the path for people.
 */

import type { MatchReason, MatchSignal } from '../../contract/drafts.ts';
import type { AssignmentSummary } from '../../contract/resources.ts';
import type { Address, Conventions } from './addresses.ts';
import { fitHouse, type House, isCountAt, isHouseAt, type Place, placeAt, type Reader } from './houses.ts';
import { dateFit, dayOfTime, foldedWords, remembered, type Segment, type Span, wordsOfSpan } from './names.ts';
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

/** An assignment, or the place of a protocol that was not read, taken apart. */
export type ReadTarget = {
  readonly target: MatchTarget;
  readonly address: Address | undefined;
  /** Folded and in one word, like all names here. */
  readonly city: string;
  readonly zip: string;
  readonly first: string;
  readonly last: string;
  /** The performer's name without the form of the company; its first word alone, and all words. */
  readonly performer: string;
  readonly performerFirst: string;
  readonly performerWhole: string;
};

/** A street of the assignments. */
export type Street = Phrase & {
  /** The positions of its targets by their numbers; under an empty one those without. */
  readonly byNumber: Map<string, number[]>;
  /** The numbers of `targets`; 0 without one. */
  readonly numbers: number[];
  readonly cities: Set<string>;
};

export type StreetMention = Place & { readonly hit: Hit<Street> };
export type CityMention = Place & { readonly city: string; readonly mistakes: number; readonly isWhole: boolean };
export type PerformerMention = Place & { readonly performer: string };
/** What is written like a postcode of the list. */
export type CodeMention = Place & { readonly code: string; readonly shape: string };
export type IdMention = Place & { readonly feature: Feature };

/** What a path says, as far as it does not depend on an assignment. `from`: the names before it are not read. */
export type Path = Reader & {
  readonly from: number;
  readonly streets: readonly StreetMention[];
  readonly cities: readonly CityMention[];
  readonly performers: readonly PerformerMention[];
  readonly codes: readonly CodeMention[];
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
  /** The codes of a city, as they are written, without blanks; how codes are written. */
  readonly codesOf: (city: string) => ReadonlySet<string>;
  readonly shapes: ReadonlySet<string>;
  readonly ids: ReadonlyMap<number, readonly IdMention[]>;
  readonly rule: { readonly name: string; readonly AssignmentId: string } | undefined;
};

/** A feature with the words of the path that say so. */
export type Found = { readonly feature: Feature; readonly place?: Place; readonly words?: string };

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
/** Whether two places share a word. */
const overlap = (one: Place, other: Place): boolean => one.depth === other.depth && meet(one.span, other.span);

/** The words and numbers of `span`, a bit for each. */
export const bitsOf = ({ from, to }: Span): number => {
  let bits = 0;
  for (let at = from; at < to; at += 1) bits |= 1 << at;
  return bits;
};

/** The words and numbers of a path that something explains. */
const createMarks = (segments: readonly Segment[]) => {
  // A name has 32 tokens at most: a bit for each.
  const marked = segments.map(() => 0);
  return {
    mark: ({ depth, span }: Place): void => {
      marked[depth] = (marked[depth] ?? 0) | bitsOf(span);
    },
    has: (depth: number, place: number): boolean => place >= 0 && (((marked[depth] ?? 0) >>> place) & 1) === 1,
    all: marked,
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
  if (missing.some((place) => phrase.roles[place] === 'core')) return 'street-part';
  if (missing.length > 0) return 'street-kind-missing';
  if (mistakes > 1) return 'street-two-typos';
  if (mistakes > 0) return 'street-typo';
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

const houseFound = (
  path: Path,
  address: Address,
  mention: StreetMention,
  marks: Marks,
  conventions: Conventions,
): Omit<StreetEvidence, 'mention'> => {
  const isFree = ({ depth, span }: Place): boolean => !marks.has(depth, span.from);
  const house = chosenHouse(
    path.housesOf(mention).filter(({ place }) => isFree(place)),
    address,
  );
  const none = { house, places: [], isHere: false };
  if (house === undefined && address.number === '') {
    const isNamed = address.names.length > 1;
    const isSaid = (words: readonly string[]): boolean =>
      path.streets.some(({ hit }) => hit.missing.length === 0 && isEqual(hit.phrase.words, words));
    const isAll = isNamed && address.names.every(isSaid);
    const feature = isAll ? 'house' : isNamed ? 'house-missing' : 'no-house';
    return { ...none, isHere: !isNamed || isAll, found: [{ feature, place: mention }] };
  }
  if (house === undefined) {
    const segment = path.segments[mention.depth];
    const far = (segment?.tokens ?? []).findIndex(
      ({ text }, at) =>
        text === address.number &&
        segment !== undefined &&
        isHouseAt(segment, at) &&
        !isCountAt(segment, at, conventions) &&
        isFree(placeAt(mention.depth, at)) &&
        !meet(placeAt(mention.depth, at).span, mention.span),
    );
    if (far < 0) return { ...none, found: [{ feature: 'house-missing', place: mention }] };
    const place = placeAt(mention.depth, far);
    return { ...none, isHere: true, found: [{ feature: 'house-detached', place }], places: [place] };
  }
  if (address.number === '') {
    return { ...none, found: [{ feature: 'house-unknown', place: house.place }], places: [house.place] };
  }
  const { features, used } = fitHouse(house, address, conventions, (place) => !isFree(place));
  // "73-75, 1º 2ª": both numbers are the house's.
  const ends = address.to !== '' && features[0] === 'house' ? used.slice(0, 1) : [];
  const own = around([house.place, ...ends]) ?? house.place;
  const flat = around(used.slice(ends.length)) ?? own;
  const isBehind = flat.depth === own.depth && flat.span.from === own.span.to;
  const letter = house.items[ends.length]?.text ?? '';
  const isLetter = isBehind && flat.span.to === flat.span.from + 1 && /^[a-z]$/.test(letter);
  const number = isLetter ? around([own, flat]) : own;
  return {
    house,
    isHere: features[0] !== 'house-other',
    places: [house.place, ...house.sign, ...used],
    found: features.map(
      (feature): Found => ({ feature, place: /^(unit|house-letter)/.test(feature) ? flat : (number ?? flat) }),
    ),
  };
};

/** The mention of the address's street that says most, with the number that is taken for the house's. */
const streetEvidence = (
  path: Path,
  { address }: ReadTarget,
  marks: Marks,
  { conventions }: Surroundings,
  weights: Readonly<Record<Feature, number>>,
): StreetEvidence | undefined => {
  let best: { readonly evidence: StreetEvidence; readonly sum: number } | undefined;
  for (const mention of path.streets) {
    if (address?.names.some((words) => isEqual(words, mention.hit.phrase.words)) !== true) continue;
    const house = houseFound(path, address, mention, marks, conventions);
    const found = [{ feature: streetFeature(mention), place: mention }, ...house.found];
    const sum = found.reduce((total, { feature }) => total + weights[feature], mention.depth / 1000);
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
  const said = path.cities.filter((one) => {
    if (street !== undefined && overlap(one, street.mention)) return false;
    if (one.city === read.city) return true;
    // "apt 4" is no Apt, and "Moreau" no Moréac.
    if (street?.places.some((place) => overlap(place, one))) return false;
    if (one.mistakes > 0 && marks.has(one.depth, one.span.from)) return false;
    // "van der Berg" is a person, and "Berg" may be one.
    const before = path.segments[one.depth]?.tokens[one.span.from - 1]?.text ?? '';
    return (
      one.isWhole && one.city !== read.last && one.city !== read.first && !/^(van|von|der|den|af|av)$/.test(before)
    );
  });
  const deepest = Math.max(-1, ...said.map(({ depth }) => depth));
  const here = said.filter(({ depth }) => depth === deepest);
  const own = here.find(({ city }) => city === read.city);
  const isLonger = (one: Place): boolean =>
    own === undefined || (overlap(one, own) && one.span.to - one.span.from > own.span.to - own.span.from);
  const other = here.find((one) => one.city !== read.city && one.isWhole && isLonger(one));
  // The name of the folder that was chosen says what is in it, and decides nothing between two.
  const isChosen = deepest === 0 && path.segments.length > 1;
  if (own !== undefined && other === undefined)
    return [{ feature: isChosen ? 'city-above' : own.mistakes > 0 ? 'city-typo' : 'city', place: own }];
  if (other === undefined || read.city === '') return [];
  return [{ feature: other.mistakes > 0 ? 'city-other-typo' : 'city-other', place: other }];
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

/** What in the names is written like one of `shapes`: a number, or up to four words and numbers of capitals and digits. */
export const codesIn = (
  { tokens, isDate, name }: Segment,
  shapes: ReadonlySet<string>,
): readonly Omit<CodeMention, 'depth'>[] =>
  tokens.flatMap((first, from) =>
    [1, 2, 3, 4].flatMap((count) => {
      const to = from + count;
      const last = tokens[to - 1];
      if (last === undefined || (isDate[from] && (count === 1 || last.isNumber))) return [];
      if ((from > 0 && first.gap === '') || tokens[to]?.gap === '') return [];
      const written = name.slice(first.start, last.end).replaceAll('_', ' ');
      const text = /\p{Lu}/u.test(name) ? written : written.toUpperCase();
      if (text.length < 3 || text.length > 10 || !/\d/.test(text)) return [];
      if (!/^[\p{Lu}\p{N}]+([ -][\p{Lu}\p{N}]+)?$/u.test(text)) return [];
      const shape = shapeOf(text);
      const words = tokens.slice(from, to).map((one) => one.text);
      return shapes.has(shape) ? [{ span: { from, to }, shape, code: words.join('') }] : [];
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
  /** "26-2385" is the number of a job, and no postcode, unless 26 is the house. */
  const isSecondOfTwo = ({ depth, span: { from, to } }: Place): boolean => {
    const { tokens = [] } = path.segments[depth] ?? {};
    return (
      to - from === 1 &&
      tokens[from]?.gap === '-' &&
      tokens[from - 1]?.isNumber === true &&
      !isOfAddress(placeAt(depth, from - 1))
    );
  };
  for (let depth = path.segments.length - 1; zip.length > 2 && depth >= 0; depth -= 1) {
    const span = path.segments[depth]?.spanOf.get(zip);
    if (span !== undefined && !isOfAddress({ depth, span }) && !isSecondOfTwo({ depth, span }))
      return [{ feature: 'zip', place: { depth, span } }];
  }
  const own = zip.length > 2 ? shapeOf(target.ZipCode ?? '') : undefined;
  const at = street?.house?.place;
  for (const place of path.codes) {
    const { depth, span, code, shape } = place;
    const isAlike = own === undefined || shape === own || (/a/.test(own) && /a/.test(shape));
    if (!isAlike || marks.has(depth, span.from) || isSecondOfTwo(place)) continue;
    if (street !== undefined && (overlap(place, street.mention) || (span.to - span.from === 1 && isOfAddress(place))))
      continue;
    if (own === undefined && codesOf(city).has(code)) return [{ feature: 'zip', place }];
    const isBeside = (one: Place): boolean =>
      one.depth === depth && (one.span.from === span.to || one.span.to === span.from);
    // Nothing is known of the code that stands beside the city itself.
    if (own === undefined && path.cities.some((one) => one.city === city && isBeside(one))) continue;
    const { tokens = [] } = path.segments[depth] ?? {};
    const isTight = (one: Place): boolean =>
      isBeside(one) && /^[\s,_.]*$/.test(tokens[one.span.from === span.to ? span.to : span.from]?.gap ?? '');
    const isPlaced =
      path.cities.some((one) => isTight(one) && (street === undefined || !overlap(one, street.mention))) ||
      (at !== undefined && (depth > at.depth || (depth === at.depth && span.from > at.span.from)) && code.length > 3) ||
      (street !== undefined && isTight(street.mention) && /^\s+$/.test(tokens[span.to]?.gap ?? ''));
    if (/\D/.test(code) || span.to - span.from > 1 || isCode(code) || isPlaced)
      return [{ feature: 'zip-other', place }];
  }
  return [];
};

/** The deepest place of the word `text`, beside `except`. */
const wordIn = ({ segments }: Path, text: string, except?: Place): Place | undefined => {
  if (text.length < 2) return undefined;
  for (let depth = segments.length - 1; depth >= 0; depth -= 1) {
    const span = segments[depth]?.spanOf.get(text);
    if (span !== undefined && (except === undefined || !overlap({ depth, span }, except))) return { depth, span };
  }
  return undefined;
};

/** A word with one mistake in `text`. */
const nearWord = ({ segments }: Path, text: string, except: Place | undefined): Place | undefined => {
  for (const [depth, { tokens }] of segments.entries())
    for (const [from, { text: word }] of tokens.entries()) {
      const isNear = word[0] === text[0] && mistakesBetween(word, text, 1) <= 1;
      if (isNear && (except === undefined || !overlap(placeAt(depth, from), except))) return placeAt(depth, from);
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
  const [family, given] = [wordIn(path, last, street), wordIn(path, first, street)];
  if (family !== undefined && given !== undefined && family.depth === given.depth) {
    const place = around([family, given]) ?? family;
    return [{ feature: namesakes(read) < 0.2 ? 'person-rare' : 'person', place }];
  }
  if (family !== undefined) {
    const tokens = path.segments[family.depth]?.tokens ?? [];
    const isInitial = [family.span.from - 1, family.span.to].some((place) => tokens[place]?.text === first[0]);
    return [{ feature: isInitial ? 'person-initial' : 'person-last', place: family }];
  }
  const typo = last.length < 6 ? undefined : nearWord(path, last, street);
  if (given !== undefined) return [{ feature: typo === undefined ? 'person-first' : 'person', place: given }];
  return typo === undefined ? [] : [{ feature: 'person-typo', place: typo }];
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
  if (segments.every(({ dates }) => dates.length === 0)) return [];
  const days = [target.StartTime, target.InspectionDate ?? 0].flatMap((time) => dayOfTime(time) ?? []);
  let best: { readonly rank: number; readonly place: Place } | undefined;
  for (const [depth, { dates, tokens }] of segments.entries())
    for (const mention of dates)
      for (const [which, day] of days.entries()) {
        const fit = dateFit(mention, day);
        // The day of an inspection says something, its month does not.
        const rank = which > 0 && fit !== 'day' && fit !== 'near' ? DATE_FITS.length - 1 : DATE_FITS.indexOf(fit);
        if (best !== undefined && rank >= best.rank) continue;
        const from = Math.max(
          0,
          tokens.findIndex(({ end }) => end > mention.start),
        );
        best = { rank, place: placeAt(depth, from, tokens.findLastIndex(({ start }) => start < mention.end) + 1) };
      }
  return best === undefined ? [] : [{ feature: `date-${DATE_FITS[best.rank] ?? 'other'}`, place: best.place }];
};

const writtenAt = ({ name, tokens }: Segment, place: number): string =>
  name.slice(tokens[place]?.start, tokens[place]?.end);
/** "FDV" and "EICR": capitals in a name that has small letters as well. */
const isAbbreviation = (segment: Segment, place: number): boolean =>
  /\p{Ll}/u.test(segment.name) && !/\p{Ll}/u.test(writtenAt(segment, place));

/** Whether the word has a capital letter; where no word has one, or has nothing else, that tells nothing. */
const isLikeName = (segment: Segment, place: number): boolean =>
  !/\p{Lu}/u.test(segment.name) || !/\p{Ll}/u.test(segment.name) || /^\p{Lu}/u.test(writtenAt(segment, place));

const wordsOf = remembered(foldedWords);

/** Whether `word` is, shortened or misspelt, a word of what is known of the assignment. */
const isOf = ({ target, city, first, last, performer, performerWhole }: ReadTarget, word: string): boolean => {
  const isShort = word.length > 2 && word.length < 6 && !/[aeiouy]/.test(word.slice(1));
  const isNear = (known: string): boolean => {
    const most = mistakesAllowed(known.length);
    return (
      known === word || (isShort && isShortFor(word, known)) || (most > 0 && mistakesBetween(word, known, most) <= most)
    );
  };
  return (
    [city, first, last, performer, performerWhole].some((known) => known !== '' && isNear(known)) ||
    (word.length > 3 && [city, performer, performerWhole].some((known) => known.includes(word))) ||
    wordsOf(`${target.Address} ${target.City}`).includes(word)
  );
};

/** Whether the word or number at `place` may stand anywhere, and says nothing of a place. */
const isNeutral = ({ tokens, isDate }: Segment, place: number): boolean => {
  const [token, next] = [tokens[place], tokens[place + 1]];
  if (token === undefined || token.isNumber || isDate[place]) return true;
  if (token.text.length < 2 || isFilling(token.text) || isWorkWord(token.text)) return true;
  // "Comm. 28388"
  if (next?.isNumber && /^\.\s*$/.test(next.gap)) return true;
  return NUMBER_SIGNS.has(token.text) && next?.isNumber === true;
};

/** What nothing explains, where it speaks against the assignment. */
const leftOver = (
  path: Path,
  read: ReadTarget,
  { mention, house, isHere }: StreetEvidence,
  isPlaced: boolean,
  marks: Marks,
  { streets, isLastName, isPerson, shapes, conventions }: Surroundings,
): readonly Found[] => {
  const found: Found[] = [];
  const { depth, span } = mention;
  const isKindMissing = mention.hit.missing.length > 0;
  const at = house?.place;
  /** Whether `place` is where the kind of the street or a direction stands: beside its name, or between it and the number. */
  const isInSlot = (segment: Segment, place: number): boolean => {
    const { tokens } = segment;
    const isLeft = place === span.from - 1 && /^([\s._ºª]*|\.?-)$/.test(tokens[place + 1]?.gap ?? '');
    const isRight = place === span.to && /^([\s._]*|-)$/.test(tokens[place]?.gap ?? '');
    return (
      isLeft || isRight || (house?.side === 'left' && at?.depth === depth && place >= at.span.to && place < span.from)
    );
  };
  /** What a word in the slot says: another kind, or one more word. */
  const inSlot = (segment: Segment, place: number): Feature | undefined => {
    const token = segment.tokens[place];
    if (token === undefined || token.isNumber || segment.isDate[place]) return undefined;
    const { text } = token;
    const isKind = streets.isKind(text);
    const isBetween = at?.depth === depth && house?.side === 'left' && place >= at.span.to && place < span.from;
    // "Av. da República" is not Rua da República, although "av" is a small word elsewhere.
    const isDotted =
      segment.tokens[place + 1]?.gap.startsWith('.') === true && isKindMissing && !NUMBER_SIGNS.has(text);
    // "L. Rencēnu", "E Market St": a letter of the name itself.
    const isLetter = text.length === 1 && place === span.from - 1 && !isWordLetter(segment, place);
    if (!isKind && !isDotted && !isLetter && isNeutral(segment, place) && !(isBetween && !isFilling(text)))
      return undefined;
    if (COMPANY_FORMS.has(text) && isAbbreviation(segment, place)) return undefined;
    if (isKindMissing && (isKind || !isFilling(text))) return 'street-kind-other';
    const isOfStreets = isKind || (streets.has(text) && !isPerson(text) && !isOf(read, text));
    return isBetween || isLetter || isOfStreets ? 'street-longer' : undefined;
  };
  const isWordLetter = ({ tokens }: Segment, place: number): boolean =>
    tokens[place - 1]?.isNumber === true && tokens[place]?.gap === '';
  const depths = new Set([depth, at?.depth ?? depth]);
  const above = Math.min(...depths) - 1;
  for (const one of above > 0 ? [...depths, above] : depths) {
    const segment = path.segments[one];
    if (segment === undefined || one < path.from) continue;
    const { tokens } = segment;
    const left = tokens.flatMap((_, place) => (isNeutral(segment, place) || marks.has(one, place) ? [] : [place]));
    if (one === depth)
      for (const [place] of tokens.entries()) {
        const feature = isInSlot(segment, place) && !marks.has(one, place) ? inSlot(segment, place) : undefined;
        if (feature === undefined) continue;
        found.push({ feature, place: placeAt(one, place) });
        if (left.includes(place)) left.splice(left.indexOf(place), 1);
      }
    // A folder above with numbers, or many words, is no town; "29403 Battipaglia" is.
    const isTown = (place: number): boolean =>
      shapes.has('9'.repeat(tokens[place]?.text.length ?? 0)) && left.includes(place + 1);
    const isNumbered = tokens.some(
      ({ isNumber, text }, place) =>
        isNumber && text.length > 1 && !segment.isDate[place] && !marks.has(one, place) && !isTown(place),
    );
    if (one === above && one !== depth && (left.length > 4 || isNumbered)) continue;
    for (const place of left) {
      const { text } = tokens[place] ?? { text: '' };
      if (isAbbreviation(segment, place) || isOf(read, text)) continue;
      if (isLastName(text)) found.push({ feature: 'person-other', place: placeAt(one, place) });
      else if (
        !isPlaced &&
        !isPerson(text) &&
        isLikeName(segment, place) &&
        !isBehindInitial(segment, place, marks.has(one, place - 1))
      )
        found.push({ feature: 'city-unknown', place: placeAt(one, place) });
    }
  }
  // A short number behind the address is another flat or house.
  const segment = path.segments[depth];
  if (isHere && segment !== undefined && at?.depth === depth)
    for (const [place, { isNumber, text }] of segment.tokens.entries()) {
      const before = segment.tokens[place - 1];
      if (place < Math.max(span.to, at.span.to) || !isNumber || text.length > 3 || marks.has(depth, place)) continue;
      if (
        segment.isDate[place] ||
        isCountAt(segment, place, conventions) ||
        before?.isNumber ||
        isWorkWord(before?.text ?? '')
      )
        continue;
      if (/^(v|h|rev|ver)$/.test(before?.text ?? '') && segment.tokens[place]?.gap === '') continue;
      found.push({ feature: 'number-left', place: placeAt(depth, place) });
    }
  return found;
};

/** "K. Hansen" is a person, "97 A Hansen" may be a town: there the letter is the house's. */
const isBehindInitial = ({ tokens }: Segment, place: number, isMarked: boolean): boolean => {
  const initial = tokens[place - 1];
  return initial !== undefined && !isMarked && !initial.isNumber && initial.text.length === 1 && initial.gap !== '';
};

/** Another address in the path than that of the assignment, as deep as it or deeper. */
const otherAddress = (
  path: Path,
  street: StreetEvidence | undefined,
  marks: Marks,
  { conventions }: Surroundings,
): readonly Found[] => {
  const deepest = street?.isHere ? Math.max(street.mention.depth, street.house?.place.depth ?? 0) : -1;
  const other = path.streets.findLast((one) => {
    if (one.hit.missing.length > 0 || one.depth < deepest || (street !== undefined && overlap(one, street.mention)))
      return false;
    if (street?.isHere && one.hit.mistakes > 0) return false;
    if (one.depth === deepest && one.hit.phrase === street?.mention.hit.phrase) return false;
    return path.housesOf(one).some(({ place }) => !marks.has(place.depth, place.span.from));
  });
  if (other !== undefined) return [{ feature: 'address-other', place: other }];
  // Words with a number in a folder below: "Elveveien 97/Ukjentveien 3".
  for (let depth = deepest + 1; deepest >= 0 && depth < path.segments.length; depth += 1) {
    const segment = path.segments[depth];
    if (segment === undefined || segment.guids.length > 0) continue;
    const place = segment.tokens.findIndex(
      ({ text, isNumber }, one) =>
        !isNumber &&
        text.length > 3 &&
        !isNeutral(segment, one) &&
        !marks.has(depth, one) &&
        !marks.has(depth, one + 1) &&
        isHouseAt(segment, one + 1) &&
        !isCountAt(segment, one + 1, conventions) &&
        segment.tokens[one + 1]?.gap !== '',
    );
    if (place >= 0 && isLikeName(segment, place) && !isAbbreviation(segment, place))
      return [{ feature: 'address-other', place: placeAt(depth, place, place + 2) }];
  }
  return [];
};

const foundIn = (
  path: Path,
  read: ReadTarget,
  position: number,
  surroundings: Surroundings,
  weights: Readonly<Record<Feature, number>>,
): Pick<Evidence, 'found' | 'explained'> => {
  const { ids, rule } = surroundings;
  const marks = createMarks(path.segments);
  const mentions = (ids.get(position) ?? []).filter(({ depth }) => depth >= path.from);
  for (const mention of mentions) marks.mark(mention);
  // What is something else than the house: the code of the assignment, its town, and its person.
  const code = read.zip.length > 3 && read.zip !== read.address?.number ? wordIn(path, read.zip) : undefined;
  for (const place of [code, wordIn(path, read.last), wordIn(path, read.first)])
    if (place !== undefined) marks.mark(place);
  for (const place of path.cities) if (place.city === read.city && place.mistakes === 0) marks.mark(place);
  const street = streetEvidence(path, read, marks, surroundings, weights);
  const mention = street?.mention;
  for (const place of street === undefined ? [] : [street.mention, ...street.places]) marks.mark(place);
  // "ul. Korczaka 1" where the address is "Korczaka 1".
  const kind = mention && placeAt(mention.depth, mention.span.from - 1);
  const isBare = mention?.hit.missing.length === 0 && !mention.hit.phrase.words.some(surroundings.streets.isUsualKind);
  if (kind && isBare && surroundings.streets.isUsualKind(path.segments[kind.depth]?.tokens[kind.span.from]?.text ?? ''))
    marks.mark(kind);
  const zip = zipFound(path, read, street, marks, surroundings);
  const city = cityFound(path, read, marks, street);
  const person = personFound(path, read, mention, surroundings);
  const performer = performerFound(path, read, mention);
  const date = dateFound(path, read);
  const named = [...zip, ...city, ...person, ...performer, ...date.filter(({ feature }) => feature === 'date-day')];
  for (const { feature, place } of named) if (place !== undefined && !isAgainst(feature)) marks.mark(place);
  const explained = [...marks.all];
  for (const { place } of named) if (place !== undefined) marks.mark(place);
  for (const place of path.performers) marks.mark(place);
  const isPlaced =
    read.city === '' ||
    [...zip, ...city].some(({ feature }) =>
      ['zip', 'city', 'city-typo', 'city-other', 'city-other-typo'].includes(feature),
    );
  const found: Found[] = mentions.map((one) => ({ feature: one.feature, place: one }));
  if (ids.size > 0 && !ids.has(position)) found.push({ feature: 'id-other' });
  if (rule?.AssignmentId === read.target.AssignmentId) found.push({ feature: 'confirmed', words: rule.name });
  else if (rule !== undefined) found.push({ feature: 'confirmed-other' });
  if (street !== undefined) found.push(...street.found);
  found.push(...otherAddress(path, street, marks, surroundings), ...city);
  if (city.length === 0 && mention !== undefined)
    found.push({ feature: mention.hit.phrase.cities.size < 2 ? 'city-missing' : 'city-missing-common' });
  found.push(...zip, ...person, ...performer, ...date);
  if (street !== undefined) found.push(...leftOver(path, read, street, isPlaced, marks, surroundings));
  return { found, explained };
};
const WHOLE_IDS: ReadonlySet<Feature> = new Set<Feature>(['assignment-id', 'protocol-id', 'facility-id']);

/** Whether `feature` is that of a whole id. */
export const isWholeId = (feature: Feature): boolean => WHOLE_IDS.has(feature);

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
const TELLING: ReadonlySet<Feature> = new Set<Feature>([
  ...([
    'assignment-id',
    'assignment-id-part',
    'protocol-id',
    'protocol-id-part',
    'facility-id',
    'facility-id-part',
  ] as const),
  ...([
    'street',
    'street-typo',
    'street-initials',
    'street-kind-missing',
    'house',
    'house-detached',
    'house-letter-missing',
    'house-range',
    'no-house',
    'person',
    'person-rare',
  ] as const),
]);

/**
 * Weighs `path` for the target at `position`. `below`: the path from the deepest unmistakable id on. What stands above that can speak
 * for the target of an id, and says nothing else: the folder around it may have any name.
 */
export const evidenceFor = (
  path: Path,
  below: Path,
  read: ReadTarget,
  position: number,
  surroundings: Surroundings,
  weights: Readonly<Record<Feature, number>>,
): Evidence => {
  const here = foundIn(below, read, position, surroundings, weights);
  const hasId = surroundings.ids.get(position)?.some((mention) => isUnmistakable(path.segments, mention)) === true;
  const own =
    path === below || !hasId
      ? here.found
      : [
          ...foundIn(path, read, position, surroundings, weights).found.filter(({ feature }) => !isAgainst(feature)),
          ...here.found.filter(({ feature }) => isAgainst(feature)),
        ];
  return {
    found: own,
    explained: here.explained,
    features: [...new Set(own.map(({ feature }) => feature))],
    deepest: Math.max(-1, ...own.map(({ feature, place }) => (place && TELLING.has(feature) ? place.depth : -1))),
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
  const addressText = (): string => {
    const [one, other] = [street?.place, house?.place];
    if (one === undefined || other === undefined || one.depth !== other.depth)
      return one === undefined || other === undefined ? textOf(one ?? other) : `${textOf(one)}/${textOf(other)}`;
    return textOf(placeAt(one.depth, Math.min(one.span.from, other.span.from), Math.max(one.span.to, other.span.to)));
  };
  const reasons = all.flatMap((one): readonly MatchReason[] => {
    if (street !== undefined && house !== undefined && one === street)
      return [{ signal: 'address', found: addressText() }];
    if (street !== undefined && one === house) return [];
    const signal = SIGNALS.find(([start]) => one.feature.startsWith(start))?.[1];
    const found = one.words ?? textOf(one.place);
    if (signal === undefined || found === '' || /missing|date-(year|other)|confirmed-other/.test(one.feature))
      return [];
    return [{ signal, found, ...(isAgainst(one.feature) && { against: true }) }];
  });
  const isSame = (one: MatchReason, other: MatchReason): boolean =>
    one.signal === other.signal && one.found === other.found;
  return reasons
    .filter((one, place) => reasons.findIndex((other) => isSame(one, other)) === place)
    .sort((one, other) => Number(one.against ?? false) - Number(other.against ?? false));
};
