/**
 * Reads a path through the eyes of one assignment: each word and number of the names is explained by its street, number, flat, town,
 * code, people, ids or dates, or it says nothing of a place, or it is left over. What is left over where a flat, a kind of street or a
 * town stands speaks against the assignment. The result are features for certainty.ts, with the words of the path for people.
 */

import type { MatchReason, MatchSignal } from '../../contract/drafts.ts';
import type { AssignmentSummary } from '../../contract/resources.ts';
import { type Address, type Conventions, LONGEST_NUMBER, MOST_HOUSES, spelled } from './addresses.ts';
import { dateFit, dayOfTime, foldedWords, remembered, type Segment, type Span, wordsOfSpan } from './names.ts';
import { type Hit, isShortFor, mistakesAllowed, mistakesBetween, type Phrase, type Phrases } from './phrases.ts';
import type { Feature } from './weights.ts';
import { AND_WORDS, COMPANY_FORMS, FLAT_WORDS, isFilling, isWorkWord, NUMBER_SIGNS } from './words.ts';

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

/** A place in a path: which of its names, and the words there. */
export type Place = { readonly depth: number; readonly span: Span };

export type StreetMention = Place & { readonly hit: Hit<Street> };
export type CityMention = Place & { readonly city: string; readonly mistakes: number; readonly isWhole: boolean };
export type PerformerMention = Place & { readonly performer: string };
/** What is written like a postcode of the list. */
export type CodeMention = Place & { readonly code: string; readonly shape: string };
export type IdMention = Place & { readonly feature: Feature };

/** What a path says, as far as it does not depend on an assignment. `from`: the names before it are not read. */
export type Path = {
  readonly from: number;
  readonly segments: readonly Segment[];
  readonly streets: readonly StreetMention[];
  readonly cities: readonly CityMention[];
  readonly performers: readonly PerformerMention[];
  readonly codes: readonly CodeMention[];
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

/** Whether a feature speaks against an assignment. */
export const isAgainst = (feature: Feature): boolean => /-(other|other-typo|unknown|extra|longer|left)$/.test(feature);

/** Whether two spans of a name share a word. */
export const meet = (one: Span, other: Span): boolean => one.from < other.to && one.to > other.from;
/** Whether two places share a word. */
const overlap = (one: Place, other: Place): boolean => one.depth === other.depth && meet(one.span, other.span);
const at = (depth: number, from: number, to = from + 1): Place => ({ depth, span: { from, to } });

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

/** A number beside a street, and where it is. `side`: of the street. */
type Beside = {
  readonly depth: number;
  readonly at: number;
  readonly side: 'left' | 'right';
  readonly isTight: boolean;
};

const isHouseToken = (
  { tokens, isDate, dates }: Segment,
  place: number,
  houses?: ReadonlyMap<string, unknown>,
): boolean => {
  const token = tokens[place];
  if (token === undefined || !token.isNumber || token.text.length > LONGEST_NUMBER) return false;
  // "2037 Hearst Ave": a year, unless a house has that number.
  const isYear = dates.some(
    ({ start, end, month }) => month === undefined && start === token.start && end === token.end,
  );
  if (isDate[place] && !(isYear && houses?.has(token.text))) return false;
  return !(tokens[place + 1]?.gap === '' && /^(th|st|nd|rd)$/.test(tokens[place + 1]?.text ?? ''));
};

/** The numbers beside a street; below it, if there is none in its own name: "Elveveien/97". */
export const numbersBeside = (segments: readonly Segment[], { depth, span, hit }: StreetMention): readonly Beside[] => {
  const houses = hit.phrase.byNumber;
  const segment = segments[depth];
  if (segment === undefined) return [];
  const { tokens } = segment;
  const found: Beside[] = [];
  const isSign = NUMBER_SIGNS.has(tokens[span.to]?.text ?? '') && isHouseToken(segment, span.to + 1, houses);
  const right = isSign ? span.to + 1 : span.to;
  if (isHouseToken(segment, right, houses))
    found.push({ depth, at: right, side: 'right', isTight: isSign || /^[\s.,_]*$/.test(tokens[right]?.gap ?? '') });
  const isLetter = /^([a-z]|bis|ter|quater)$/.test(tokens[span.from - 1]?.text ?? '');
  const left = isLetter && isHouseToken(segment, span.from - 2, houses) ? span.from - 2 : span.from - 1;
  if (isHouseToken(segment, left, houses))
    found.push({ depth, at: left, side: 'left', isTight: /^[\s,_]*$/.test(tokens[span.from]?.gap ?? '') });
  if (
    found.length > 0 ||
    tokens.some((_, place) => isHouseToken(segment, place) && (place < span.from || place >= span.to))
  )
    return found;
  for (const below of [depth + 1, depth + 2]) {
    const next = segments[below];
    if (next === undefined) return [];
    const place = NUMBER_SIGNS.has(next.tokens[0]?.text ?? '') ? 1 : 0;
    if (isHouseToken(next, place)) return [{ depth: below, at: place, side: 'right', isTight: true }];
    if (next.tokens.some((_, one) => isHouseToken(next, one))) return [];
  }
  return [];
};

/** Whether the number at `place` says how many, or which of several, and no place: "3 bilder", "IMG 12", "(2)", "v2", "1 av 9". */
const isCount = ({ tokens, name }: Segment, place: number): boolean => {
  const [before, number, after] = [tokens[place - 1], tokens[place], tokens[place + 1]];
  if (number === undefined) return false;
  if (/\($/.test(number.gap) && name[number.end] === ')') return true;
  if (before !== undefined && FLAT_WORDS.has(before.text)) return false;
  if (before !== undefined && !before.isNumber && /^[\s._-]*$/.test(number.gap))
    if (
      /^(v|ver|rev|vol|nr|uke|uge|week|kw|img|dsc)$/.test(before.text) ||
      (before.text.length > 2 && isWorkWord(before.text))
    )
      return true;
  const isOf = after !== undefined && /^(av|af|of|von|van|de|di|st|stk)$/.test(after.text);
  if (before !== undefined && /^(av|af|of|von|van|di)$/.test(before.text) && tokens[place - 2]?.isNumber) return true;
  return (
    number.text.length <= 2 &&
    after !== undefined &&
    /^[ _]$/.test(after.gap) &&
    (place === 0 || /^[\s,(]+$/.test(number.gap)) &&
    (isWorkWord(after.text) || (isOf && (tokens[place + 2]?.isNumber || after.text.startsWith('st'))))
  );
};

/** What stands behind the number of a house in a name: its letter, floor and flat. */
type Behind = { readonly items: readonly string[]; readonly places: readonly Place[]; readonly isGlued: boolean };

const readBehind = (
  path: Path,
  read: ReadTarget,
  beside: Beside,
  street: Place,
  marks: Marks,
  { conventions: { flatWords, sides, labels, initials }, isCode, shapes, streets: { isKind } }: Surroundings,
): Behind => {
  const items: string[] = [];
  const places: Place[] = [];
  const isFlat = (word: string | undefined): boolean => word !== undefined && flatWords.has(word);
  /** "bt 8" where others have "boîte 8". */
  const isShortFlat = (word: string): boolean =>
    word.length > 1 &&
    !sides.has(word) &&
    !/[aeiouy]/.test(word.slice(1)) &&
    [...flatWords].some((one) => isShortFor(word, one));
  // "b8" where others have "boîte 8"; a letter that houses have is not one.
  const isLabelLetter = (letter: string, gap: string): boolean =>
    labels.has(letter) ||
    (initials.has(letter) && (gap === '' || read.address?.behind.includes(letter) !== true)) ||
    (letter > 'h' && letter !== 's');

  const isOwn = (text: string | undefined): boolean =>
    text !== undefined && read.address?.behind.includes(text) === true;

  /** Reads in one name of the path; letters that may only announce the number behind them begin with `~`. */
  const readerOf = (depth: number, segment: Segment) => {
    const { tokens, name, isDate } = segment;
    const take = (place: number, word: string, isFirst = false): void => {
      if (isFirst) items.unshift(word);
      else items.push(word);
      places.push(at(depth, place));
    };
    const isFree = (place: number): boolean =>
      tokens[place] !== undefined && !isDate[place] && !marks.has(depth, place);
    const isName = (place: number): boolean =>
      /^\p{Lu}/u.test(name.slice(tokens[place]?.start)) &&
      (tokens[place]?.text.length ?? 0) > 1 &&
      !isWorkWord(tokens[place]?.text ?? '') &&
      !isFlat(tokens[place]?.text);
    const digitsAt = (place: number): number => (tokens[place]?.end ?? 0) - (tokens[place]?.start ?? 0);
    /** Whether a code of several parts begins there: "LV-4801", "32-700". */
    const isLetterCode = (place: number): boolean =>
      path.codes.some((code) => code.depth === depth && code.span.from === place && /^9+a+$/.test(code.shape)) ||
      [2, 3, 4].some((count) => {
        const [first, last] = [tokens[place], tokens[place + count - 1]];
        if (first === undefined || last === undefined || (place > 0 && first.gap === '')) return false;
        const text = name.slice(first.start, last.end);
        return (
          /^[\p{L}\p{N}]+[ -]?[\p{L}\p{N}]+$/u.test(text) &&
          isCode(
            tokens
              .slice(place, place + count)
              .map((one) => one.text)
              .join(''),
          )
        );
      });
    const isCodeAt = (place: number): boolean => !isOwn(tokens[place]?.text) && isCodeLike(place);
    const isCodeLike = (place: number): boolean =>
      isLetterCode(place) ||
      (tokens[place]?.gap !== '' &&
        !isFlat(tokens[place - 1]?.text) &&
        digitsAt(place) > 3 &&
        shapes.has('9'.repeat(digitsAt(place))) &&
        (isCode(tokens[place]?.text ?? '') ||
          path.cities.some((city) => city.depth === depth && city.span.from === place + 1)));
    /** "4o 2a": the signs of "4º 2ª" as many keyboards have them. */
    const isOrdinalLetter = (place: number): boolean => {
      const isAt = (letters: RegExp, one: number): boolean =>
        tokens[one]?.gap === '' && tokens[one - 1]?.isNumber === true && letters.test(tokens[one]?.text ?? '');
      return isAt(/^o$/, place) || (isAt(/^a$/, place) && isAt(/^o$/, place - 2));
    };
    const isOther = (place: number): boolean =>
      tokens[place]?.isNumber === true &&
      digitsAt(place) <= 4 &&
      isFree(place) &&
      (!isCount(segment, place) || isOwn(tokens[place]?.text)) &&
      !isCodeAt(place);

    const isComplete = (): boolean => items.length > 0 && isEqual(items, read.address?.behind ?? []);

    /** Reads on from `start`; the place that is no longer of the flat. */
    const right = (start: number): number => {
      for (let place = start; ; place += 1) {
        const [token, next] = [tokens[place], tokens[place + 1]];
        if (token === undefined || !isFree(place) || isLetterCode(place)) return place;
        const { text, gap } = token;
        const isBeforeNumber = next !== undefined && isOther(place + 1) && /^[\s.:º°#_-]*$/.test(next.gap);
        const written = name.slice(token.start, token.end);
        const isBehindLabel = place > start && !tokens[place - 1]?.isNumber;
        if (token.isNumber) {
          if ((!isOther(place) && !(isBehindLabel && digitsAt(place) < 5)) || /[([{]/.test(gap)) return place;
          if (/[&+]/.test(gap)) take(place, '&');
          take(place, text);
        } else if (
          AND_WORDS.has(text) &&
          next !== undefined &&
          gap !== '' &&
          (next.isNumber || (next.text.length === 1 && !/^\p{Lu}/u.test(name.slice(tokens[place + 2]?.start))))
        ) {
          // "12 og 14", "97 A og B": two houses.
          take(place, '&');
        } else if (/^(v|ver|rev)$/.test(text) && next?.isNumber === true && !isFlat(text)) {
          return place;
        } else if (NUMBER_SIGNS.has(text) && isBeforeNumber) {
          places.push(at(depth, place));
        } else if (gap === '' && isOrdinalLetter(place)) {
          places.push(at(depth, place));
        } else if (
          (isFlat(text) || (isBeforeNumber && isShortFlat(text))) &&
          (text.length > 1 || isBeforeNumber) &&
          (isBeforeNumber || next?.text.length === 1 || tokens[place - 1]?.isNumber)
        ) {
          places.push(at(depth, place));
        } else if (text.length === 1) {
          const isInitial =
            next !== undefined &&
            !isOwn(text) &&
            !next.isNumber &&
            isName(place + 1) &&
            /^[\s._]+$/.test(next.gap) &&
            gap !== '' &&
            !marks.has(depth, place + 1) &&
            !read.city.startsWith(next.text) &&
            (next.gap.startsWith('.') || text > 'h' || /-/.test(gap) || text === read.first[0]);
          if (isInitial || /[([{]/.test(gap) || (/^[iv]$/.test(written) && /^\s+$/.test(gap) && next !== undefined))
            return place;
          const isLabel = isBeforeNumber && /^[\s.]*$/.test(next.gap) && gap !== '' && isLabelLetter(text, next.gap);
          take(place, `${isLabel ? '~' : ''}${spelled(text)}`);
        } else if (
          sides.has(text) ||
          /^(i+v?|vi*|bis|ter|quater|huis|hs)$/.test(text) ||
          (written.length === 2 &&
            !isWorkWord(text) &&
            !isFilling(text) &&
            (tokens[place - 1]?.isNumber || !isName(place)))
        ) {
          if (written.length === 2 && !sides.has(text) && /^\p{Lu}\p{Ll}$/u.test(written) && gap !== '') return place;
          take(place, spelled(text));
        } else if (
          written.length <= 4 &&
          /^[a-z]+$/.test(text) &&
          /^\p{Ll}/u.test(written) &&
          !isWorkWord(text) &&
          !isFilling(text) &&
          !isBeforeNumber &&
          !read.city.startsWith(text) &&
          !(isComplete() && text.length > 2)
        ) {
          // Whatever is short and unknown behind a number may be a flat, unless the flat has been said.
          take(place, text);
        } else if (isOwn(text)) {
          take(place, text);
        } else if (
          (isBeforeNumber || (next?.text.length === 1 && text.length <= 5 && !isName(place))) &&
          text.length <= 10 &&
          !isWorkWord(text) &&
          !isFilling(text) &&
          !(place === street.span.to && isKind(text))
        ) {
          places.push(at(depth, place));
        } else return place;
      }
    };
    const left = (start: number): void => {
      for (let place = start; isFree(place); ) {
        const [token, next] = [tokens[place], tokens[place + 1]];
        if (token === undefined || next === undefined) return;
        const isJoined = /^\s*\/\s*$|^-$/.test(next.gap);
        const label = tokens[place - 1]?.text ?? '';
        const isLabelled =
          isFree(place - 1) && (isFlat(label) || (label.length === 1 && token.gap === '' && labels.has(label)));
        if ((token.isNumber || token.text.length === 1) && isLabelled) {
          take(place, spelled(token.text), true);
          places.push(at(depth, place - 1));
          place -= 2;
        } else if (
          token.isNumber &&
          !isCount(segment, place) &&
          (isJoined || (/^[,\s&+]+$/.test(next.gap) && digitsAt(place) <= 3 && token.text.length === digitsAt(place)))
        ) {
          if (/[&+]/.test(next.gap)) take(place, '&', true);
          take(place, token.text, true);
          place -= 1;
        } else if (
          !token.isNumber &&
          token.text.length === 1 &&
          (isJoined || next.gap === '' || tokens[place - 1]?.isNumber)
        ) {
          take(place, spelled(token.text), true);
          place -= 1;
        } else if (AND_WORDS.has(token.text) && isOther(place - 1)) {
          take(place, '&', true);
          place -= 1;
        } else return;
      }
    };
    return { tokens, take, right, left, isFree };
  };

  const segment = path.segments[beside.depth];
  if (segment === undefined) return { items, places, isGlued: false };
  const { tokens, take, right, left, isFree } = readerOf(beside.depth, segment);
  if (beside.side === 'right') {
    right(beside.at + 1);
    // "Flat 3 Priory Close 31": flats before the street.
    if (beside.depth === street.depth && isFlat(tokens[street.span.from - 2]?.text)) left(street.span.from - 1);
  } else {
    for (let place = beside.at + 1; place < street.span.from; place += 1)
      if (tokens[place]?.text.length === 1 || isFree(place)) take(place, spelled(tokens[place]?.text ?? ''));
    right(street.span.to);
    left(beside.at - 1);
  }
  // "Storgatan 12/lgh 1101": a folder for each flat of the house.
  const below = path.segments[beside.depth + 1];
  if (below !== undefined && items.length < 3) {
    const [count, placed] = [items.length, places.length];
    const end = readerOf(beside.depth + 1, below).right(0);
    const isFlatAlone = below.tokens.slice(end).every(({ text, isNumber }) => !isNumber && isWorkWord(text));
    if (!isFlatAlone || items.length - count > 4) {
      items.length = count;
      places.length = placed;
    }
  }
  return { items, places, isGlued: tokens[beside.at + 1]?.gap === '' };
};

const isEqual = (one: readonly string[], other: readonly string[]): boolean => {
  if (one.length !== other.length) return false;
  for (let place = 0; place < one.length; place += 1) if (one[place] !== other[place]) return false;
  return true;
};

/** Items without letters that only announce the number behind them: "m 20", "b8". */
const unlabelled = (items: readonly string[]): readonly string[] => items.filter((item) => !item.startsWith('~'));

/** How what a name has behind the number fits what the address has. */
const compareBehind = (
  { items: said }: Behind,
  { behind, hasLetter }: Address,
  { labels, initials }: Conventions,
): readonly Feature[] => {
  const items = said.map((item) => item.replace('~', ''));
  const flat = hasLetter ? behind.slice(1) : behind;
  if (isEqual(items, behind)) return flat.length > 0 ? ['unit'] : [];
  if (behind.length > 0 && items.join('') === behind.join('')) return ['unit'];
  if (flat.length > 0 && isEqual(unlabelled(said), behind)) return ['unit'];
  // "m 8" in an address where others have "/8".
  const isLabel = (item: string, place: number): boolean =>
    /^[a-z]$/.test(item) &&
    (labels.has(item) || initials.has(item) || item > 'h') &&
    /^\d/.test(behind[place + 1] ?? '') &&
    !hasLetter;
  if (
    flat.length > 1 &&
    isEqual(
      items,
      behind.filter((item, place) => !isLabel(item, place)),
    )
  )
    return ['unit'];
  if (items.length === 0)
    return [
      ...(hasLetter ? (['house-letter-missing'] as const) : []),
      ...(flat.length > 0 ? (['unit-missing'] as const) : []),
    ];
  const saidLetter = /^[a-z]$/.test(items[0] ?? '') && !/^\d/.test(items[1] ?? '') ? items[0] : undefined;
  if (behind.length === 0)
    return [saidLetter !== undefined && items.length === 1 ? 'house-letter-extra' : 'unit-other'];
  if (hasLetter && saidLetter !== undefined && saidLetter !== behind[0]) return ['house-letter-other'];
  if (!hasLetter && saidLetter !== undefined && items.length === 1 && !behind.includes(saidLetter))
    return ['house-letter-extra'];
  const rest = hasLetter && items[0] === behind[0] ? items.slice(1) : items;
  if (hasLetter && rest === items)
    return flat.length > 0 && isEqual(items, flat) ? ['house-letter-missing', 'unit'] : ['unit-other'];
  if (rest.length === 0) return flat.length > 0 ? ['unit-missing'] : [];
  if (flat.length === 0) return ['unit-other'];
  // "Top 14" for "Stiege 2 Top 14": its last part.
  let place = 0;
  for (const item of flat) if (item === rest[place]) place += 1;
  return [place === rest.length && flat.at(-1) === rest.at(-1) ? 'unit-part' : 'unit-other'];
};

/** What the path says of the street, the house and the flat of `read`. */
type StreetEvidence = {
  readonly mention: StreetMention;
  readonly beside: Beside | undefined;
  readonly found: readonly Found[];
  readonly places: readonly Place[];
  readonly isHere: boolean;
};

const streetFeature = ({ hit: { phrase, missing, mistakes, initials } }: StreetMention): Feature => {
  if (missing.some((place) => phrase.roles[place] === 'core')) return 'street-part';
  if (missing.length > 0) return phrase.isShared ? 'street-kind-shared' : 'street-kind-missing';
  if (mistakes > 1) return 'street-two-typos';
  if (mistakes > 0) return 'street-typo';
  return initials > 0 ? 'street-initials' : 'street';
};

/** Of two numbers beside a street the one that the address has; else the one that stands closer, or on the usual side. */
const chosenNumber = (numbers: readonly Beside[], path: Path, { number, isFront }: Address): Beside | undefined => {
  const [one, other] = numbers;
  if (one === undefined || other === undefined) return one;
  const own = numbers.filter((beside) => path.segments[beside.depth]?.tokens[beside.at]?.text === number);
  if (own.length === 1) return own[0];
  if (one.isTight !== other.isTight) return one.isTight ? one : other;
  return numbers.find(({ side }) => side === (isFront ? 'left' : 'right'));
};

const houseFound = (
  path: Path,
  read: ReadTarget,
  mention: StreetMention,
  marks: Marks,
  surroundings: Surroundings,
): Omit<StreetEvidence, 'mention'> => {
  const { address } = read;
  const { conventions } = surroundings;
  const none = { beside: undefined, places: [], isHere: false };
  if (address === undefined) return { ...none, found: [] };
  const numbers = numbersBeside(path.segments, mention).filter(({ depth, at: place }) => !marks.has(depth, place));
  const beside = chosenNumber(numbers, path, address);
  const segment = path.segments[beside?.depth ?? mention.depth];
  if (segment === undefined) return { ...none, found: [] };
  if (beside === undefined) {
    if (address.number === '') {
      const isNamed = address.names.length > 1;
      const isAll =
        isNamed &&
        address.names.every((words) =>
          path.streets.some(({ hit }) => hit.missing.length === 0 && isEqual(hit.phrase.words, words)),
        );
      return {
        ...none,
        isHere: !isNamed || isAll,
        found: [{ feature: isAll ? 'house' : isNamed ? 'house-missing' : 'no-house', place: mention }],
      };
    }
    const place = segment.tokens.findIndex(
      ({ text }, token) => text === address.number && isHouseToken(segment, token) && !isCount(segment, token),
    );
    const isFar =
      place >= 0 && !marks.has(mention.depth, place) && (place < mention.span.from || place >= mention.span.to);
    if (isFar)
      return {
        ...none,
        isHere: true,
        found: [{ feature: 'house-detached', place: at(mention.depth, place) }],
        places: [at(mention.depth, place)],
      };
    return { ...none, found: [{ feature: 'house-missing', place: mention }] };
  }
  const place = at(beside.depth, beside.at);
  const lower = segment.tokens[beside.at - 1];
  const upper = segment.tokens[beside.at];
  // "355-357 Exhibition Street": the first number of a range.
  const isLeftRange =
    beside.side === 'left' &&
    address.to !== '' &&
    lower?.text === address.number &&
    upper?.text === address.to &&
    isHyphen(segment, { ...beside, at: beside.at - 1 });
  if (isLeftRange) {
    const behind = readBehind(path, read, beside, mention, marks, surroundings);
    const items = behind.items.filter(
      (item, one) => !(item === lower.text && one === behind.items.indexOf(lower.text)),
    );
    const features: readonly Feature[] = ['house', ...compareBehind({ ...behind, items }, address, conventions)];
    return {
      beside,
      isHere: true,
      places: [at(beside.depth, beside.at - 1, beside.at + 1), ...behind.places],
      found: features.map((feature): Found => ({ feature, place })),
    };
  }
  const said = upper?.text ?? '';
  if (address.number === '') return { ...none, beside, found: [{ feature: 'house-unknown', place }], places: [place] };
  const behind = readBehind(path, read, beside, mention, marks, surroundings);
  const places = [place, ...behind.places];
  // The words that say so: the number with its letter, and the flat.
  const inName = behind.places.filter(({ depth }) => depth === (behind.places[0]?.depth ?? -1));
  const flat =
    inName.length === 0
      ? place
      : {
          depth: inName[0]?.depth ?? 0,
          span: {
            from: Math.min(...inName.map(({ span }) => span.from)),
            to: Math.max(...inName.map(({ span }) => span.to)),
          },
        };
  const isLetter =
    flat.depth === place.depth && flat.span.from === place.span.to && /^[a-z]$/.test(behind.items.join(''));
  const house = isLetter ? { ...place, span: { from: place.span.from, to: flat.span.to } } : place;
  const result = (isHere: boolean, ...features: readonly Feature[]) => ({
    ...{ beside, isHere, places },
    found: features.map(
      (feature): Found => ({
        feature,
        place: feature.startsWith('unit') || feature.startsWith('house-letter') ? flat : house,
      }),
    ),
  });
  const [first] = behind.items;
  const isRising =
    /^\d+$/.test(first ?? '') && Number(first) > Number(said) && Number(first) - Number(said) <= MOST_HOUSES;
  const isRange = isRising && isHyphen(segment, beside);
  if (address.to !== '') {
    if (said === address.number && first === address.to)
      return result(true, 'house', ...compareBehind({ ...behind, items: behind.items.slice(1) }, address, conventions));
    const isIn = Number(said) <= Number(address.to) && Number(isRange ? first : said) >= Number(address.number);
    return result(isIn, isIn ? 'house-range' : 'house-other');
  }
  // "1510/48": either number tells the house.
  const isSecond = conventions.isSecondHouse && /^\d/.test(address.behind[0] ?? '');
  const withoutSecond = {
    ...address,
    behind: address.behind.slice(1),
    hasLetter: /^[a-z]$/.test(address.behind[1] ?? ''),
  };
  if (said === address.number) {
    // "12-16" are houses, and 12 is only one of them.
    const features = compareBehind(
      behind,
      isSecond && behind.items[0] !== address.behind[0] ? withoutSecond : address,
      conventions,
    );
    // "Parkgatan 7-9" and "7, 9" are two houses where flats are announced.
    const second = segment.tokens[beside.at + 1];
    const isTwo =
      address.isLabelled &&
      !conventions.isHyphenFlat &&
      behind.items.length === 1 &&
      isRising &&
      second?.isNumber === true &&
      /^\s*[-–,]\s*$/.test(second.gap);
    if ((isRange && features.includes('unit-other')) || isTwo) return result(true, 'house-range');
    return result(true, 'house', ...features);
  }
  if (isSecond && said === address.behind[0])
    return result(true, 'house', ...compareBehind(behind, withoutSecond, conventions));
  if (isRange && Number(said) < Number(address.number) && Number(first) >= Number(address.number))
    return result(true, 'house-range');
  return result(false, 'house-other');
};

const isHyphen = ({ tokens }: Segment, { at: place }: Beside): boolean =>
  tokens[place + 1]?.isNumber === true && /^\s*[-–]\s*$/.test(tokens[place + 1]?.gap ?? '');

/** The mention of the address's street that says most, with the number that is taken for the house's. */
const streetEvidence = (
  path: Path,
  read: ReadTarget,
  marks: Marks,
  surroundings: Surroundings,
  weights: Readonly<Record<Feature, number>>,
): StreetEvidence | undefined => {
  let best: { readonly evidence: StreetEvidence; readonly sum: number } | undefined;
  for (const mention of path.streets) {
    if (read.address?.names.some((words) => isEqual(words, mention.hit.phrase.words)) !== true) continue;
    const house = houseFound(path, read, mention, marks, surroundings);
    const found = [{ feature: streetFeature(mention), place: mention }, ...house.found];
    const sum = found.reduce((total, { feature }) => total + weights[feature], 0) + mention.depth / 1000;
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
  const other = here.find(
    (one) =>
      one !== own &&
      one.city !== read.city &&
      one.isWhole &&
      (own === undefined || (overlap(one, own) && one.span.to - one.span.from > own.span.to - own.span.from)),
  );
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

/** "26-2385" is the number of a job, and no postcode, unless 26 is the house. */
const isSecondOfTwo = ({ segments }: Path, { depth, span: { from, to } }: Place, street?: StreetEvidence): boolean =>
  to - from === 1 &&
  segments[depth]?.tokens[from]?.gap === '-' &&
  segments[depth]?.tokens[from - 1]?.isNumber === true &&
  street?.places.some((place) => overlap(place, at(depth, from - 1))) !== true;

/** The postcode of the assignment in the path, or another one: what is written like the codes of the list, beside the address or a city. */
const zipFound = (
  path: Path,
  { zip, city, target }: ReadTarget,
  street: StreetEvidence | undefined,
  marks: Marks,
  { isCode, codesOf }: Surroundings,
): readonly Found[] => {
  for (let depth = path.segments.length - 1; zip.length > 2 && depth >= 0; depth -= 1) {
    const span = path.segments[depth]?.spanOf.get(zip);
    if (span === undefined || street?.places.some((place) => overlap(place, { depth, span }))) continue;
    if (isSecondOfTwo(path, { depth, span }, street)) continue;
    return [{ feature: 'zip', place: { depth, span } }];
  }
  if (path.codes.length === 0) return [];
  const own = zip.length > 2 ? shapeOf(target.ZipCode ?? '') : undefined;
  for (const { depth, span, code, shape } of path.codes) {
    const { from, to } = span;
    const tokens = path.segments[depth]?.tokens ?? [];
    if ((own !== undefined && shape !== own) || marks.has(depth, from)) continue;
    if (isSecondOfTwo(path, { depth, span }, street)) continue;
    const place = at(depth, from, to);
    const isOfStreet =
      street !== undefined &&
      (overlap(place, street.mention) || (to - from === 1 && street.places.some((one) => overlap(one, place))));
    if (isOfStreet) continue;
    if (own === undefined && codesOf(city).has(code)) return [{ feature: 'zip', place }];
    const isBeside = (one: Place): boolean => one.depth === depth && (one.span.from === to || one.span.to === from);
    // Nothing is known of the code that stands beside the city itself.
    if (own === undefined && !isCode(code) && path.cities.some((one) => one.city === city && isBeside(one))) continue;
    const isTight = (one: Place): boolean =>
      isBeside(one) && /^[\s,_.]*$/.test(tokens[one.span.from === to ? to : from]?.gap ?? '');
    const isAtStreet = street !== undefined && isTight(street.mention) && /^\s+$/.test(tokens[to]?.gap ?? '');
    // A number of five digits or so at the end, or with a name behind it.
    const isBehind =
      street?.beside !== undefined && depth === street.beside.depth && from > street.beside.at && code.length > 3;
    if (!/^\d+$/.test(code) || to - from > 1 || isCode(code) || path.cities.some(isTight) || isAtStreet || isBehind)
      return [{ feature: 'zip-other', place }];
  }
  return [];
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
      if (
        last === undefined ||
        (isDate[from] && (count === 1 || last.isNumber)) ||
        (from > 0 && first.gap === '') ||
        tokens[to]?.gap === ''
      )
        return [];
      const text = name.slice(first.start, last.end);
      if (
        text.length < 3 ||
        text.length > 10 ||
        !/\d/.test(text) ||
        !/^[\p{Lu}\p{N}]+([ -][\p{Lu}\p{N}]+)?$/u.test(text)
      )
        return [];
      const shape = shapeOf(text);
      return shapes.has(shape)
        ? [
            {
              span: { from, to },
              shape,
              code: tokens
                .slice(from, to)
                .map((one) => one.text)
                .join(''),
            },
          ]
        : [];
    }),
  );

/** The deepest place of the word `text`, beside `except`. */
const wordIn = ({ segments }: Path, text: string, except: Place | undefined): Place | undefined => {
  if (text === '') return undefined;
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
      const isNear =
        word[0] === text[0] && Math.abs(word.length - text.length) < 2 && mistakesBetween(word, text, 1) <= 1;
      if (isNear && (except === undefined || !overlap(at(depth, from), except))) return at(depth, from);
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
  const family = last.length > 1 ? wordIn(path, last, street) : undefined;
  const given = first.length > 1 ? wordIn(path, first, street) : undefined;
  if (family !== undefined && given !== undefined && family.depth === given.depth) {
    const place = at(
      family.depth,
      Math.min(family.span.from, given.span.from),
      Math.max(family.span.to, given.span.to),
    );
    return [{ feature: namesakes(read) < 0.2 ? 'person-rare' : 'person', place }];
  }
  if (family !== undefined) {
    const tokens = path.segments[family.depth]?.tokens ?? [];
    const isInitial = [family.span.from - 1, family.span.to].find((place) => tokens[place]?.text === first[0]);
    return [{ feature: isInitial !== undefined ? 'person-initial' : 'person-last', place: family }];
  }
  const typo = last.length < 6 ? undefined : nearWord(path, last, street);
  return given === undefined
    ? typo === undefined
      ? []
      : [{ feature: 'person-typo', place: typo }]
    : [{ feature: typo === undefined ? 'person-first' : 'person', place: given }];
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
        const from = tokens.findIndex(({ end }) => end > mention.start);
        best = {
          rank,
          place: at(depth, Math.max(0, from), tokens.findLastIndex(({ start }) => start < mention.end) + 1),
        };
      }
  return best === undefined ? [] : [{ feature: `date-${DATE_FITS[best.rank] ?? 'other'}`, place: best.place }];
};

/** "FDV" and "EICR": capitals in a name that has small letters as well. */
const isAbbreviation = ({ name, tokens }: Segment, place: number): boolean =>
  /\p{Ll}/u.test(name) && !/\p{Ll}/u.test(name.slice(tokens[place]?.start, tokens[place]?.end));

/** Whether the word has a capital letter; where no word has one, or has nothing else, that tells nothing. */
const isLikeName = ({ name, tokens }: Segment, place: number): boolean =>
  !/\p{Lu}/u.test(name) || !/\p{Ll}/u.test(name) || /^\p{Lu}/u.test(name.slice(tokens[place]?.start));

/** Whether `word` is, shortened or misspelt, a word of what is known of the assignment. */
const isOf = ({ target, city, first, last, performer, performerWhole }: ReadTarget, word: string): boolean =>
  [city, first, last, performer, performerWhole].some((known) => {
    if (known === '') return false;
    const most = mistakesAllowed(known.length);
    return (
      known === word ||
      (word.length > 3 && known !== last && known !== first && known.includes(word)) ||
      (word.length > 2 && word.length < 6 && !/[aeiouy]/.test(word.slice(1)) && isShortFor(word, known)) ||
      (most > 0 && mistakesBetween(word, known, most) <= most)
    );
  }) || wordsOf(`${target.Address} ${target.City}`).includes(word);

const wordsOf = remembered(foldedWords);

/** What nothing explains, where it speaks against the assignment. */
const leftOver = (
  path: Path,
  read: ReadTarget,
  street: StreetEvidence | undefined,
  isPlaced: boolean,
  marks: Marks,
  surroundings: Surroundings,
): readonly Found[] => {
  if (street === undefined) return [];
  const { mention, beside, isHere } = street;
  const found: Found[] = [];
  const { streets, isLastName, isPerson, shapes } = surroundings;
  const kindMissing = mention.hit.missing.length > 0;
  const isNeutral = (segment: Segment, depth: number, place: number): boolean => {
    const token = segment.tokens[place];
    // "L. Rencēnu", "E Market St"
    const isInitialOfName =
      kindMissing &&
      depth === mention.depth &&
      place === mention.span.from - 1 &&
      /^[.ºª_ ]/.test(segment.tokens[place + 1]?.gap ?? '');
    if (
      isInitialOfName &&
      token !== undefined &&
      !token.isNumber &&
      token.text.length === 1 &&
      !marks.has(depth, place)
    )
      return false;
    if (
      token === undefined ||
      token.isNumber ||
      token.text.length < 2 ||
      segment.isDate[place] ||
      marks.has(depth, place)
    )
      return true;
    // "Av. da República" is not Rua da República, although "av" is a small word elsewhere.
    const isBefore = place === mention.span.from - 1 && depth === mention.depth;
    const isBehind = place === mention.span.to && depth === mention.depth;
    if (kindMissing && (isBefore || isBehind) && streets.isKind(token.text)) return false;
    if (kindMissing && isBefore && segment.tokens[place + 1]?.gap.startsWith('.')) return false;
    return (
      isFilling(token.text) ||
      isWorkWord(token.text) ||
      (NUMBER_SIGNS.has(token.text) && segment.tokens[place + 1]?.isNumber === true)
    );
  };
  const depths = new Set([mention.depth, beside?.depth ?? mention.depth]);
  const above = Math.min(...depths) - 1;
  if (above > 0) depths.add(above);
  for (const depth of depths) {
    const segment = path.segments[depth];
    if (segment === undefined || depth < path.from) continue;
    const { tokens } = segment;
    const left = tokens.flatMap((_, place) => (isNeutral(segment, depth, place) ? [] : [place]));
    if (
      depth === above &&
      depth !== mention.depth &&
      (left.length > 4 ||
        tokens.some(
          ({ isNumber, text }, place) =>
            isNumber &&
            text.length > 1 &&
            !segment.isDate[place] &&
            !marks.has(depth, place) &&
            // "29403 Battipaglia": a postcode with its town.
            !(shapes.has('9'.repeat(text.length)) && left.includes(place + 1)),
        ))
    )
      continue;
    for (const place of left) {
      const { text } = tokens[place] ?? { text: '' };
      const here = at(depth, place);
      const isLeft =
        depth === mention.depth &&
        place === mention.span.from - 1 &&
        /^([\s._ºª]*|\.?-)$/.test(tokens[place + 1]?.gap ?? '');
      const isRight =
        depth === mention.depth && place === mention.span.to && /^([\s._]*|-)$/.test(tokens[place]?.gap ?? '');
      const isInside = beside?.side === 'left' && place > beside.at && place < mention.span.from;
      const isShort = COMPANY_FORMS.has(text) && isAbbreviation(segment, place);
      // "ul. Korczaka 1" where the address is "Korczaka 1".
      if ((isLeft || isRight || isInside) && kindMissing && !isShort)
        found.push({ feature: 'street-kind-other', place: here });
      else if (
        isInside ||
        ((isLeft || isRight) && (streets.isKind(text) || (streets.has(text) && !isPerson(text) && !isOf(read, text))))
      )
        found.push({ feature: 'street-longer', place: here });
      else if (depth === mention.depth || depth === beside?.depth || depth === above) {
        if (isAbbreviation(segment, place) && !isLeft) continue;
        if (isLastName(text) && !isOf(read, text)) found.push({ feature: 'person-other', place: here });
        else if (isPlaced || isPerson(text) || isOf(read, text) || isShort || !isLikeName(segment, place)) continue;
        else if (marks.has(depth, place - 1) || !isBehindInitial(segment, place, beside, read))
          found.push({ feature: 'city-unknown', place: here });
      }
    }
  }
  // A short number behind the address is another flat or house.
  const segment = path.segments[mention.depth];
  if (isHere && segment !== undefined && beside?.depth === mention.depth) {
    const end = Math.max(mention.span.to, beside.at + 1);
    for (const [place, token] of segment.tokens.entries()) {
      if (
        place < end ||
        !token.isNumber ||
        token.text.length > 3 ||
        marks.has(mention.depth, place) ||
        segment.isDate[place] ||
        isCount(segment, place)
      )
        continue;
      const before = segment.tokens[place - 1];
      if (
        before?.isNumber ||
        (before !== undefined && (isWorkWord(before.text) || (token.gap === '' && /^(v|h|rev|ver)$/.test(before.text))))
      )
        continue;
      found.push({ feature: 'number-left', place: at(mention.depth, place) });
    }
  }
  return found;
};

/** "K. Hansen" is a person, "97A Hansen" may be a town: there the letter is the house's. */
const isBehindInitial = (
  { tokens }: Segment,
  place: number,
  beside: Beside | undefined,
  { address }: ReadTarget,
): boolean => {
  const [initial, before] = [tokens[place - 1], tokens[place - 2]];
  if (initial === undefined || initial.isNumber || initial.text.length !== 1) return false;
  if (initial.gap === '') return false;
  const isOfHouse =
    beside?.at === place - 2 &&
    before?.isNumber === true &&
    (initial.gap === '' || address?.behind[0] === initial.text);
  return !isOfHouse;
};

/** Another address in the path than that of the assignment, as deep as it or deeper. */
const otherAddress = (path: Path, street: StreetEvidence | undefined, marks: Marks): readonly Found[] => {
  const deepest = street?.isHere ? Math.max(street.mention.depth, street.beside?.depth ?? 0) : -1;
  const other = path.streets.findLast((one) => {
    if (one.hit.missing.length > 0 || one.depth < deepest || (street !== undefined && overlap(one, street.mention)))
      return false;
    if (street?.isHere && one.hit.mistakes > 0) return false;
    if (one.depth === deepest && one.hit.phrase === street?.mention.hit.phrase) return false;
    const numbers = numbersBeside(path.segments, one).filter(({ depth, at: place }) => !marks.has(depth, place));
    return numbers.length > 0;
  });
  if (other !== undefined) return [{ feature: 'address-other', place: other }];
  // Words with a number in a folder below: "Elveveien 97/Ukjentveien 3".
  if (deepest < 0) return [];
  for (const [depth, segment] of path.segments.entries()) {
    if (depth <= deepest || segment.guids.length > 0) continue;
    const place = segment.tokens.findIndex(
      ({ text, isNumber }, one) =>
        !isNumber &&
        text.length > 3 &&
        !isWorkWord(text) &&
        !isFilling(text) &&
        !marks.has(depth, one) &&
        isHouseToken(segment, one + 1) &&
        !isCount(segment, one + 1) &&
        !marks.has(depth, one + 1) &&
        (segment.tokens[one + 1]?.gap ?? '') !== '',
    );
    if (place >= 0 && isLikeName(segment, place) && !isAbbreviation(segment, place))
      return [{ feature: 'address-other', place: at(depth, place, place + 2) }];
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
  // The number of another thing than the house: the code of the assignment, with or without its town.
  const code = read.zip.length > 3 ? wordIn(path, read.zip, undefined) : undefined;
  const isCodeHouse = code !== undefined && read.zip === read.address?.number;
  if (code !== undefined && !isCodeHouse) marks.mark(code);
  for (const place of path.cities) if (place.city === read.city && place.mistakes === 0) marks.mark(place);
  for (const name of [read.last, read.first]) {
    const place = name.length > 1 ? wordIn(path, name, undefined) : undefined;
    if (place !== undefined) marks.mark(place);
  }
  const street = streetEvidence(path, read, marks, surroundings, weights);
  const mention = street?.mention;
  for (const place of street === undefined ? [] : [street.mention, ...street.places]) marks.mark(place);
  // "ul. Korczaka 1" where the address is "Korczaka 1".
  const kind = mention && at(mention.depth, mention.span.from - 1);
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
    zip.some(({ feature }) => feature === 'zip') ||
    city.some(({ feature }) => feature === 'city' || feature === 'city-typo' || feature.startsWith('city-other'));
  const found: Found[] = mentions.map((one) => ({ feature: one.feature, place: one }));
  if (ids.size > 0 && !ids.has(position)) found.push({ feature: 'id-other' });
  if (rule?.AssignmentId === read.target.AssignmentId) found.push({ feature: 'confirmed', words: rule.name });
  else if (rule !== undefined) found.push({ feature: 'confirmed-other' });
  if (street !== undefined) found.push(...street.found);
  found.push(...otherAddress(path, street, marks), ...city);
  if (city.length === 0 && mention !== undefined)
    found.push({ feature: mention.hit.phrase.cities.size < 2 ? 'city-missing' : 'city-missing-common' });
  found.push(...zip, ...person, ...performer, ...date);
  found.push(...leftOver(path, read, street, isPlaced || read.city === '', marks, surroundings));
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
  ['unit', 'house-number'],
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
    return place === undefined || segment === undefined ? '' : wordsOfSpan(segment, place.span);
  };
  const street = all.find(({ feature }) => feature.startsWith('street') && !isAgainst(feature));
  const house = all.find(({ feature }) => feature === 'house' || feature === 'no-house');
  const addressText = (): string => {
    const [one, other] = [street?.place, house?.place];
    if (one === undefined || other === undefined || one.depth !== other.depth)
      return one === undefined || other === undefined ? textOf(one ?? other) : `${textOf(one)}/${textOf(other)}`;
    return textOf(at(one.depth, Math.min(one.span.from, other.span.from), Math.max(one.span.to, other.span.to)));
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
