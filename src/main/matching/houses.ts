/**
 * Reads the numbers, letters and flats beside a street in a name, as far as these do not depend on the assignment: which of them may be
 * the house, what stands behind it as its letter, floor and flat, and what only announces these. How they fit an address is compared here.
 */
import { type Address, type Conventions, LONGEST_NUMBER, MOST_HOUSES, spelled } from './addresses.ts';
import { type Segment, type Span, segmentOf } from './names.ts';
import { isShortFor } from './spelling.ts';
import type { Feature } from './weights.ts';
import { AND_WORDS, isFilling, isWorkWord, NUMBER_SIGNS } from './words.ts';

/** A place in a path: which of its names, and the words there. */
export type Place = { readonly depth: number; readonly span: Span };
export const placeAt = (depth: number, from: number, to = from + 1): Place => ({ depth, span: { from, to } });

/**
 * A part of what stands behind a number. `sure`: it tells houses or flats apart; `label`: it only announces the next part; `either`: a
 * label, unless the address has it; `aside`: something else, unless the address has it.
 */
type Item = { readonly text: string; readonly kind: 'sure' | 'label' | 'either' | 'aside'; readonly place: Place };

/** A number that may be the house's, with what stands behind it. */
export type House = {
  readonly number: string;
  readonly place: Place;
  readonly side: 'left' | 'right';
  /** Whether nothing but blanks and commas parts it from the street. */
  readonly isTight: boolean;
  readonly items: readonly Item[];
  /** The last number of a range, or of two houses: "12-14", "12, 14". */
  readonly to: string;
  /** The word for a number before it: "nr". */
  readonly sign: readonly Place[];
};

/** What is known of the list and of the names of a path. */
export type Reader = {
  readonly conventions: Conventions;
  readonly segments: readonly Segment[];
  /** Whether the word there is one of a town of the list; whether a code begins there, known or written like one. */
  readonly isTownAt: (depth: number, place: number) => boolean;
  readonly isCodeAt: (depth: number, place: number) => boolean;
};

/** A street in a path. */
type Beside = Place & { readonly isKindMissing: boolean };

const NOTHING = segmentOf('');

/** Two houses, where only one is asked for: nothing has such a part. */
const AND = '&';

const digitsAt = ({ tokens }: Segment, place: number): number =>
  (tokens[place]?.end ?? 0) - (tokens[place]?.start ?? 0);
const writtenAt = ({ name, tokens }: Segment, place: number): string =>
  name.slice(tokens[place]?.start ?? 0, tokens[place]?.end ?? 0);
/** "Hansen", but neither "hansen" nor "K". */
const isNameAt = (segment: Segment, place: number): boolean =>
  /^\p{Lu}/u.test(writtenAt(segment, place)) &&
  /\p{Ll}/u.test(segment.name) &&
  (segment.tokens[place]?.text.length ?? 0) > 1 &&
  !isWorkWord(segment.tokens[place]?.text ?? '');

/** Whether the number at `place` can be that of a house; `isHouse`: of a house of this street. */
export const isHouseAt = (segment: Segment, place: number, isHouse?: (number: string) => boolean): boolean => {
  const token = segment.tokens[place];
  if (token === undefined || !token.isNumber || token.text.length > LONGEST_NUMBER) return false;
  // "2037 Hearst Ave": a year, unless a house has that number.
  const isYear = segment.dates.some(
    (one) => one.month === undefined && one.start === token.start && one.end === token.end,
  );
  if (segment.isDate[place] && !(isYear && isHouse?.(token.text))) return false;
  const next = segment.tokens[place + 1];
  return !(next?.gap === '' && /^(th|st|nd|rd)$/.test(next.text));
};

/** Whether the number at `place` says how many, or which of several, and no place: "3 bilder", "IMG 12", "(2)", "v2", "1 av 9". */
export const isCountAt = ({ tokens, name }: Segment, place: number, { flatWords }: Conventions): boolean => {
  const [before, number, after] = [tokens[place - 1], tokens[place], tokens[place + 1]];
  if (number === undefined) return false;
  if (/\($/.test(number.gap) && name[number.end] === ')') return true;
  if (before !== undefined && flatWords.has(before.text)) return false;
  const isBehindWord = before !== undefined && !before.isNumber && /^[\s._-]*$/.test(number.gap);
  if (
    isBehindWord &&
    (/^(v|ver|rev|vol|nr|kw)$/.test(before.text) || (before.text.length > 2 && isWorkWord(before.text)))
  )
    return true;
  const isOf = (word: string): boolean => isFilling(word) && word.length > 1 && !NUMBER_SIGNS.has(word);
  if (tokens[place - 2]?.isNumber && before !== undefined && isOf(before.text)) return true;
  if (number.text.length > 2 || after === undefined || !/^[ _]$/.test(after.gap)) return false;
  return (
    (place === 0 || /^[\s,(]+$/.test(number.gap)) &&
    (isWorkWord(after.text) || (isOf(after.text) && tokens[place + 2]?.isNumber === true))
  );
};

/** The numbers beside the street at `span`; in the folders below, if there is none in its own name: "Elveveien/97". */
export const housesBeside = (
  reader: Reader,
  street: Beside,
  isNumber: (number: string) => boolean,
): readonly House[] => {
  const { depth, span } = street;
  const segment = reader.segments[depth];
  if (segment === undefined) return [];
  const { tokens } = segment;
  const found: House[] = [];
  // "nr 12", and what is short with a dot: "č. 12".
  const [sign, signed] = [tokens[span.to], tokens[span.to + 1]];
  const isDotted = sign !== undefined && !sign.isNumber && sign.text.length < 4 && /^[.º°]/.test(signed?.gap ?? '');
  const isKnownSign = NUMBER_SIGNS.has(sign?.text ?? '');
  const isSign = (isDotted || isKnownSign) && isHouseAt(segment, span.to + 1, isNumber);
  const right = isSign ? span.to + 1 : span.to;
  const isHouse = (place: number): boolean => !reader.isTownAt(depth, place) && isHouseAt(segment, place, isNumber);
  if (isHouse(right)) {
    const isTight = isSign || /^[\s.,_]*$/.test(tokens[right]?.gap ?? '');
    const house = houseAt(reader, street, placeAt(depth, right), 'right', isTight);
    // "Katoļu š. 3" may be another kind of street.
    const isMarked = isSign && (isKnownSign || !street.isKindMissing);
    found.push({ ...house, sign: isMarked ? [placeAt(depth, span.to)] : [] });
  }
  const isLetter = /^([a-z]|bis|ter|quater)$/.test(tokens[span.from - 1]?.text ?? '');
  const left = isLetter && isHouse(span.from - 2) ? span.from - 2 : span.from - 1;
  if (isHouse(left)) {
    const isTight = /^[\s,_]*$/.test(tokens[span.from]?.gap ?? '');
    found.push(houseAt(reader, street, placeAt(depth, left), 'left', isTight));
  }
  const isElsewhere = tokens.some((_, at) => at >= span.to && isHouseAt(segment, at));
  if (found.length > 0 || isElsewhere) return found;
  for (const below of [depth + 1, depth + 2]) {
    const next = reader.segments[below];
    if (next === undefined) return [];
    const at = NUMBER_SIGNS.has(next.tokens[0]?.text ?? '') ? 1 : 0;
    if (isHouseAt(next, at)) return [houseAt(reader, street, placeAt(below, at), 'right', true)];
    if (next.tokens.some((_, one) => isHouseAt(next, one))) return [];
  }
  return [];
};

const houseAt = (
  reader: Reader,
  { isKindMissing, ...street }: Beside,
  place: Place,
  side: House['side'],
  isTight: boolean,
): House => {
  const { depth, span } = place;
  const segment = reader.segments[depth];
  const number = segment?.tokens[span.from]?.text ?? '';
  const items: Item[] = [];
  if (segment !== undefined && side === 'left') {
    for (let at = span.to; at < street.span.from; at += 1)
      items.push({ text: spelled(segment.tokens[at]?.text ?? ''), kind: 'sure', place: placeAt(depth, at) });
    items.push(...leftOf(reader, depth, span.from - 1), ...rightOf(reader, depth, street.span.to, isKindMissing));
  } else if (segment !== undefined) {
    // "Flat 3 Priory Close 31"
    const isFlatBefore = reader.conventions.flatWords.has(segment.tokens[street.span.from - 2]?.text ?? '');
    if (depth === street.depth && isFlatBefore) items.push(...leftOf(reader, depth, street.span.from - 1));
    items.push(...rightOf(reader, depth, span.to, false));
  }
  items.push(...inFolderBelow(reader, depth + 1));
  const [next] = items;
  const second = next === undefined ? undefined : reader.segments[next.place.depth]?.tokens[next.place.span.from];
  const isRange =
    next?.place.depth === depth &&
    next.place.span.from === span.to &&
    /^\s*[-–,]\s*$/.test(second?.gap ?? '') &&
    /^\d+$/.test(next.text) &&
    Number(next.text) > Number(number) &&
    Number(next.text) - Number(number) <= MOST_HOUSES;
  return { number, place, side, isTight, items, to: isRange ? next.text : '', sign: [] };
};

/** "Storgatan 12/lgh 1101": a folder for each flat of the house. */
const inFolderBelow = (reader: Reader, depth: number): readonly Item[] => {
  const items = reader.segments[depth] === undefined ? [] : rightOf(reader, depth, 0, false);
  return items.length < 6 ? items : [];
};

/** "tv", "stth", "12abc": a word that is too short for a name, and no word. */
const isShortUnknown = (segment: Segment, at: number): boolean => {
  const [text, written] = [segment.tokens[at]?.text ?? '', writtenAt(segment, at)];
  if (!/^[a-z]+$/.test(text) || written.length > 4) return false;
  const isGlued = segment.tokens[at]?.gap === '' && segment.tokens[at - 1]?.isNumber === true;
  if (/^\p{Lu}\p{Ll}/u.test(written)) return isGlued && written.length < 4;
  // "DPE" is a document, unless all of the name is written so.
  if (/^\p{Lu}+$/u.test(written) && /\p{Ll}/u.test(segment.name)) return isGlued;
  return written.length < 3 || isGlued || !/[aeiouy]/.test(text);
};

/** What a word or number behind a house's number is. `isLast`: nothing behind it is a part of the flat. */
type Part = { readonly kind: Item['kind']; readonly isAnd?: boolean; readonly isLast?: boolean };

/** Takes apart what stands behind the number in a name, one token after another. */
const createPartReader = ({ conventions, segments, isTownAt, isCodeAt }: Reader, depth: number) => {
  const segment = segments[depth] ?? NOTHING;
  const { flatWords, sides, parts, labels, initials } = conventions;
  const { tokens, isDate, isGuid } = segment;
  const isFlat = (word: string): boolean => flatWords.has(word);
  const isNumberAt = (at: number): boolean =>
    tokens[at]?.isNumber === true && digitsAt(segment, at) <= 4 && !isDate[at] && !isCodeAt(depth, at);
  const isBeforeNumber = (at: number): boolean =>
    isNumberAt(at + 1) && /^[\s.:º°#_-]*$/.test(tokens[at + 1]?.gap ?? '');

  const numberAt = (at: number, { isLabelled, isFirst }: Before): Part => {
    const isBehindWord = !isFirst && tokens[at - 1]?.isNumber === false && digitsAt(segment, at) < 5;
    if (isCodeAt(depth, at) || !(isNumberAt(at) || isBehindWord)) return { kind: 'aside', isLast: true };
    if (!isLabelled && isCountAt(segment, at, conventions)) return { kind: 'aside' };
    return { kind: 'sure', isAnd: /[&+]/.test(tokens[at]?.gap ?? '') };
  };
  /** "12 og 14", "97 A og B": two houses. */
  const isAndAt = (at: number, text: string): boolean => {
    const next = tokens[at + 1];
    return AND_WORDS.has(text) && text.length > 1 && next !== undefined && (next.isNumber || next.text.length === 1);
  };
  /** "bt 8" where others have "boîte 8". */
  const isShortFlat = (word: string): boolean =>
    word.length > 1 &&
    !sides.has(word) &&
    !/[aeiouy]/.test(word.slice(1)) &&
    [...flatWords].some((one) => isShortFor(word, one));
  /** Words for numbers and flats beside a number or a letter; "4o 2a": the signs of "4º 2ª" as many keyboards have them. */
  const isLabelAt = (at: number, text: string): boolean => {
    const [before, next] = [tokens[at - 1], tokens[at + 1]];
    const isOrdinal = /^[oa]$/.test(text) && tokens[at]?.gap === '' && before?.isNumber === true;
    if (isOrdinal && (text === 'o' || tokens[at - 2]?.text === 'o')) return true;
    if (isBeforeNumber(at)) return NUMBER_SIGNS.has(text) || isFlat(text) || isShortFlat(text);
    return isFlat(text) && text.length > 1 && (next?.text.length === 1 || before?.isNumber === true);
  };
  const letterAt = (at: number, { isLabelled, isFirst }: Before): Part | undefined => {
    const [token, next] = [tokens[at], tokens[at + 1]];
    const { text = '', gap = '' } = token ?? {};
    const isRoman = /^[iv]$/.test(writtenAt(segment, at)) && /^\s+$/.test(gap) && next !== undefined;
    if (isRoman && !isBeforeNumber(at)) return undefined;
    // "K. Hansen"
    const isName = next !== undefined && isNameAt(segment, at + 1) && !isFlat(next.text) && !isTownAt(depth, at + 1);
    const isHouseLetter = text <= 'h' || text === 's';
    // "40 A Tilburg": the letter of the house.
    const isOwn = isFirst && isHouseLetter && !next?.gap.startsWith('.') && !/[-–,]/.test(gap);
    if (isName && gap !== '' && !isLabelled && !isOwn && /^[\s._]+$/.test(next.gap))
      return { kind: 'aside', isLast: true };
    const isLabel = labels.has(text) || initials.has(text) || next?.gap.startsWith('.') || !isHouseLetter;
    return { kind: isBeforeNumber(at) && gap !== '' && isLabel ? 'either' : 'sure', isAnd: /[&+]/.test(gap) };
  };
  /** Words that nothing is known of: what announces a number may be a word for flats, and what is short a part of one. */
  const unknownAt = (at: number, text: string, isSlot: boolean): Part | undefined => {
    if (isWorkWord(text) || isFilling(text)) return undefined;
    const [next, isName] = [tokens[at + 1], isNameAt(segment, at)];
    const isBeforeLetter = next?.text.length === 1 && !next.isNumber && text.length < 6 && !isName;
    if (isBeforeNumber(at) || isBeforeLetter)
      return (isName && text.length > 4) || isSlot ? undefined : { kind: 'label' };
    return isShortUnknown(segment, at) ? { kind: 'sure' } : undefined;
  };
  /** What the token at `at` is; undefined if no flat goes on there. `isSlot`: where a kind of street may stand instead. */
  return (at: number, before: Before): Part | undefined => {
    const [token, next] = [tokens[at], tokens[at + 1]];
    if (token === undefined || isDate[at] || isGuid[at] || (isTownAt(depth, at) && !isFlat(token.text)))
      return undefined;
    const { text, gap, isNumber } = token;
    // "(Apt 8)", "(H0103)", but not "(2)".
    if (/[([{]/.test(gap) && !(isFlat(text) || (text.length === 1 && next?.isNumber))) return undefined;
    if (isNumber) return numberAt(at, before);
    if (isCodeAt(depth, at)) return undefined;
    if (isAndAt(at, text))
      return next?.isNumber || !isNameAt(segment, at + 2) ? { kind: 'sure', isAnd: true } : undefined;
    if (/^(v|ver|rev)$/.test(text) && next?.isNumber && !isFlat(text)) return undefined;
    if (isLabelAt(at, text)) return { kind: sides.has(text) ? 'either' : 'label' };
    if (text.length === 1) return letterAt(at, before);
    if (sides.has(text) || parts.has(text) || /^(i+v?|vi*|bis|ter|quater|huis|hs)$/.test(text)) return { kind: 'sure' };
    return unknownAt(at, text, before.isSlot);
  };
};
type Before = { readonly isFirst: boolean; readonly isLabelled: boolean; readonly isSlot: boolean };

/** What stands from `start` on, up to what is no part of a flat. */
const rightOf = (reader: Reader, depth: number, start: number, isKindMissing: boolean): readonly Item[] => {
  const partAt = createPartReader(reader, depth);
  const tokens = reader.segments[depth]?.tokens ?? [];
  const items: Item[] = [];
  for (let at = start; at < tokens.length; at += 1) {
    const isFirst = at === start;
    const isLabelled = items.at(-1)?.kind === 'label';
    const part = partAt(at, { isFirst, isLabelled, isSlot: isFirst && isKindMissing });
    if (part === undefined) break;
    const place = placeAt(depth, at);
    const word = tokens[at]?.text ?? '';
    if (part.isAnd) items.push({ text: AND, kind: 'sure', place });
    if (!(part.isAnd && AND_WORDS.has(word) && word.length > 1))
      items.push({ text: spelled(word), kind: part.kind, place });
    if (part.isLast) break;
  }
  return items;
};

/** What stands from `start` on to the left: what is joined to the number, or announced as a flat. */
const leftOf = ({ conventions, segments }: Reader, depth: number, start: number): readonly Item[] => {
  const segment = segments[depth];
  if (segment === undefined) return [];
  const { flatWords, labels } = conventions;
  const { tokens, isDate } = segment;
  const items: Item[] = [];
  const take = (at: number, kind: Item['kind'], text = spelled(tokens[at]?.text ?? '')): void =>
    void items.unshift({ text, kind, place: placeAt(depth, at) });
  for (let at = start; ; at -= 1) {
    const [before, token, next] = [tokens[at - 1], tokens[at], tokens[at + 1]];
    if (token === undefined || next === undefined || isDate[at] || segment.isGuid[at]) return items;
    const isJoined = /^\s*\/\s*$|^-$/.test(next.gap);
    const isLabelled =
      before !== undefined &&
      !isDate[at - 1] &&
      (flatWords.has(before.text) || (before.text.length === 1 && token.gap === '' && labels.has(before.text)));
    if ((token.isNumber || token.text.length === 1) && isLabelled) {
      take(at, 'sure');
      take(at - 1, 'label');
      at -= 1;
    } else if (token.isNumber) {
      // "2026-346, 12 Mill Lane": the number of a job.
      const isSecond = token.gap === '-' && before?.isNumber === true;
      const isListed =
        items[0]?.kind !== 'label' && !isSecond && /^[,\s&+]+$/.test(next.gap) && digitsAt(segment, at) <= 3;
      if (isCountAt(segment, at, conventions) || !(isJoined || isListed)) return items;
      if (/[&+]/.test(next.gap)) take(at, 'sure', AND);
      take(at, 'sure');
    } else if (token.text.length === 1 && (isJoined || next.gap === '' || before?.isNumber)) {
      take(at, 'sure');
    } else if (AND_WORDS.has(token.text) && before?.isNumber && digitsAt(segment, at - 1) <= 4) {
      take(at, 'sure', AND);
    } else return items;
  }
};

/** How `items` fit what the address has behind its number; `used`: those that are a part of the address. */
type Fit = { readonly features: readonly Feature[]; readonly used: readonly Place[] };

const isEnd = (all: readonly string[], some: readonly string[]): boolean =>
  some.length <= all.length && some.every((one, at) => one === all[all.length - some.length + at]);

const fitBehind = (items: readonly Item[], behind: readonly string[], hasLetter: boolean): Fit => {
  const flat = behind.length - Number(hasLetter);
  const sure = items.filter(({ kind }) => kind === 'sure').map(({ text }) => text);
  const used: Place[] = [];
  let at = 0;
  let isOther = false;
  for (const { text, kind, place } of items) {
    const isOwn = text === behind[at];
    if (isOwn) at += 1;
    else if (kind === 'sure') isOther = true;
    if (isOwn || kind !== 'aside') used.push(place);
  }
  if ((!isOther && at === behind.length) || (sure.length > 0 && sure.join('') === behind.join('')))
    return { features: flat > 0 ? ['unit'] : [], used };
  if (!isOther && at === 0 && sure.length === 0)
    return {
      features: [
        ...(hasLetter ? (['house-letter-missing'] as const) : []),
        ...(flat > 0 ? (['unit-missing'] as const) : []),
      ],
      used,
    };
  if (!isOther && at === 1 && hasLetter) return { features: ['unit-missing'], used };
  if (hasLetter && flat > 0 && sure.length > 0 && sure.join(' ') === behind.slice(1).join(' '))
    return { features: ['house-letter-missing', 'unit'], used };
  // "Top 14" for "Stiege 2 Top 14": its last part.
  if (sure.length > 0 && !hasLetter && isEnd(behind, sure)) return { features: ['unit-part'], used };
  const isLetter = sure.length === 1 && /^[a-z]$/.test(sure[0] ?? '');
  return { features: [isLetter && flat < 1 ? 'house-letter-other' : 'unit-other'], used };
};

/** How a house that a name has fits an address. `isOwn`: whether something else of the assignment explains the words there. */
export const fitHouse = (
  { number, items: all, to }: House,
  { number: own, to: ownTo, behind, hasLetter, isLabelled }: Address,
  { isSecondHouse, isHyphenFlat }: Conventions,
  isOwn: (place: Place) => boolean,
): Fit => {
  const items = all.filter(({ place, text }) => text === AND || !isOwn(place));
  const fit = (some: readonly Item[], parts: readonly string[], isLettered: boolean): Fit => {
    const { features, used } = fitBehind(some, parts, isLettered);
    return { features: ['house', ...features], used };
  };
  const everything = items.map(({ place }) => place);
  const [said, last] = [Number(number), Number(to === '' ? number : to)];
  if (ownTo !== '') {
    if ((number === own && items[0]?.text === ownTo) || (number === ownTo && items[0]?.text === own)) {
      const { features, used } = fit(items.slice(1), behind, hasLetter);
      return { features, used: [...everything.slice(0, 1), ...used] };
    }
    const isIn = said <= Number(ownTo) && last >= Number(own);
    return { features: [isIn ? 'house-range' : 'house-other'], used: everything };
  }
  // "1510/48": either number tells the house.
  const isSecond = isSecondHouse && /^\d/.test(behind[0] ?? '');
  const isLettered = /^[a-z]$/.test(behind[1] ?? '');
  const first = items.find(({ kind }) => kind === 'sure')?.text;
  if (isSecond && (number === behind[0] || (number === own && first !== behind[0])))
    return fit(items, behind.slice(1), isLettered);
  if (number === own) {
    // "12-16" are houses, and 12 is only one of them.
    if (to !== '' && (to !== behind[0] || (isLabelled && !isHyphenFlat)))
      return { features: ['house-range'], used: everything };
    return fit(items, behind, hasLetter);
  }
  return { features: [said < Number(own) && last >= Number(own) ? 'house-range' : 'house-other'], used: everything };
};
