/**
 * Reads the numbers, letters and flats beside a street in a name, before any assignment is looked at: which numbers may be the house,
 * what stands behind it as its letter, floor and flat, and which words only announce these. How they fit an address is compared here.
 */
import { type Address, type Conventions, LONGEST_NUMBER, MOST_HOUSES, spelled } from './addresses.ts';
import { type Segment, type Span, segmentOf, wordsOfSpan } from './names.ts';
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
  /** Whether nothing but blanks and commas separates it from the street. */
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
  /** Whether the word there is one of a town of the list; whether a postcode begins there, known or written like one. */
  readonly isTownAt: (depth: number, at: number) => boolean;
  readonly isCodeAt: (depth: number, at: number) => boolean;
};

/** A street in a path. */
type Beside = Place & { readonly isKindMissing: boolean };

const NOTHING = segmentOf('');

/** Two houses, where only one is asked for: no address has such a part. */
const AND = '&';

const digitsAt = ({ tokens }: Segment, at: number): number => (tokens[at]?.end ?? 0) - (tokens[at]?.start ?? 0);
const writtenAt = (segment: Segment, at: number): string => wordsOfSpan(segment, { from: at, to: at + 1 });
/** "Hansen", but neither "hansen" nor "K". */
const isNameAt = (segment: Segment, at: number): boolean =>
  /^\p{Lu}/u.test(writtenAt(segment, at)) &&
  /\p{Ll}/u.test(segment.name) &&
  (segment.tokens[at]?.text.length ?? 0) > 1 &&
  !isWorkWord(segment.tokens[at]?.text ?? '');

/** Whether the number at `at` can be that of a house; `isHouse`: of a house of this street. */
export const isHouseAt = (segment: Segment, at: number, isHouse?: (number: string) => boolean): boolean => {
  const [token, next] = [segment.tokens[at], segment.tokens[at + 1]];
  if (token === undefined || !token.isNumber || token.text.length > LONGEST_NUMBER) return false;
  // "2037 Hearst Ave": a year, unless a house has that number.
  const isYear = segment.dates.some(({ month, start, end }) => !month && start === token.start && end === token.end);
  if (segment.isDate[at] && !(isYear && isHouse?.(token.text))) return false;
  return !(next?.gap === '' && /^(th|st|nd|rd)$/.test(next.text));
};

/** Whether the number at `at` says how many, or which of several, and no place: "3 bilder", "IMG 12", "(2)", "v2", "1 av 9". */
export const isCountAt = ({ tokens, name }: Segment, at: number, { flatWords }: Conventions): boolean => {
  const [before, number, after] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (number === undefined) return false;
  if (/\($/.test(number.gap) && name[number.end] === ')') return true;
  const isOf = (word: string): boolean => isFilling(word) && word.length > 1 && !NUMBER_SIGNS.has(word);
  if (before !== undefined && !before.isNumber) {
    if (flatWords.has(before.text)) return false;
    const isCounted =
      /^(v|ver|rev|vol|nr|kw)$/.test(before.text) || (before.text.length > 2 && isWorkWord(before.text));
    if (isCounted && /^[\s.-]*$/.test(number.gap)) return true;
    if (tokens[at - 2]?.isNumber && isOf(before.text) && number.gap !== '') return true;
  }
  if (number.text.length > 2 || after?.gap !== ' ' || !(at === 0 || /^[\s,(]+$/.test(number.gap))) return false;
  return isWorkWord(after.text) || (isOf(after.text) && tokens[at + 2]?.isNumber === true);
};

/** The numbers beside a street; in the folders below, if there is none in its own name: "Elveveien/97". */
export const housesBeside = (
  reader: Reader,
  street: Beside,
  isNumber: (number: string) => boolean,
): readonly House[] => {
  const { depth, span } = street;
  const segment = reader.segments[depth] ?? NOTHING;
  const isHouse = (at: number): boolean => !reader.isTownAt(depth, at) && isHouseAt(segment, at, isNumber);
  const found = [...houseBehind(reader, street, isHouse), ...houseBefore(reader, street, isHouse)];
  const isElsewhere = segment.tokens.some((_, at) => at >= span.to && isHouseAt(segment, at));
  return found.length > 0 || isElsewhere ? found : houseBelow(reader, street);
};

const houseBehind = (reader: Reader, street: Beside, isHouse: (at: number) => boolean): readonly House[] => {
  const { depth, span, isKindMissing } = street;
  const { tokens } = reader.segments[depth] ?? NOTHING;
  // "nr 12", and what is short with a dot: "č. 12".
  const sign = tokens[span.to]?.text ?? '';
  const isDotted = /^\D{1,3}$/.test(sign) && /^[.º°]/.test(tokens[span.to + 1]?.gap ?? '');
  const isSign = (isDotted || NUMBER_SIGNS.has(sign)) && isHouse(span.to + 1);
  const at = isSign ? span.to + 1 : span.to;
  if (!isHouse(at)) return [];
  const house = houseAt(reader, street, placeAt(depth, at), 'right', isSign || /^[\s.,]*$/.test(tokens[at]?.gap ?? ''));
  // "Katoļu š. 3" may be another kind of street.
  const isMarked = isSign && (NUMBER_SIGNS.has(sign) || !isKindMissing);
  return [{ ...house, sign: isMarked ? [placeAt(depth, span.to)] : [] }];
};

const houseBefore = (reader: Reader, street: Beside, isHouse: (at: number) => boolean): readonly House[] => {
  const { depth, span } = street;
  const { tokens } = reader.segments[depth] ?? NOTHING;
  const isLetter = /^([a-z]|bis|ter|quater)$/.test(tokens[span.from - 1]?.text ?? '');
  const at = isLetter && isHouse(span.from - 2) ? span.from - 2 : span.from - 1;
  const isTight = /^[\s,]*$/.test(tokens[span.from]?.gap ?? '');
  return isHouse(at) ? [houseAt(reader, street, placeAt(depth, at), 'left', isTight)] : [];
};

const houseBelow = (reader: Reader, street: Beside): readonly House[] => {
  for (const below of [street.depth + 1, street.depth + 2]) {
    const next = reader.segments[below] ?? NOTHING;
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
  const segment = reader.segments[depth] ?? NOTHING;
  const number = segment.tokens[span.from]?.text ?? '';
  const items: Item[] = [];
  if (side === 'left') {
    for (let at = span.to; at < street.span.from; at += 1)
      items.push({ text: spelled(segment.tokens[at]?.text ?? ''), kind: 'sure', place: placeAt(depth, at) });
    items.push(...leftOf(reader, depth, span.from - 1), ...rightOf(reader, depth, street.span.to, isKindMissing));
  } else {
    // "Flat 3 Priory Close 31"
    const isFlatBefore = reader.conventions.flatWords.has(segment.tokens[street.span.from - 2]?.text ?? '');
    if (depth === street.depth && isFlatBefore) items.push(...leftOf(reader, depth, street.span.from - 1));
    items.push(...rightOf(reader, depth, span.to, false));
  }
  items.push(...inFolderBelow(reader, depth + 1));
  const [next] = items;
  const isRange =
    next?.place.depth === depth &&
    next.place.span.from === span.to &&
    /^\s*[-–,]\s*$/.test(segment.tokens[span.to]?.gap ?? '') &&
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
/** What stands before it. `isSlot`: it stands where a kind of street may stand instead. */
type Before = { readonly isFirst: boolean; readonly isLabelled: boolean; readonly isSlot: boolean };

/** Takes apart what stands behind the number in a name, one token after another. */
const createPartReader = ({ conventions, segments, isTownAt, isCodeAt }: Reader, depth: number) => {
  const segment = segments[depth] ?? NOTHING;
  const { flatWords, sides, parts, labels, initials } = conventions;
  const { tokens, isDate, isGuid } = segment;
  const isFlat = (word: string): boolean => flatWords.has(word);
  const isNumberAt = (at: number): boolean =>
    tokens[at]?.isNumber === true && digitsAt(segment, at) <= 4 && !isDate[at] && !isCodeAt(depth, at);
  const isBeforeNumber = (at: number): boolean => isNumberAt(at + 1) && /^[\s.:º°#-]*$/.test(tokens[at + 1]?.gap ?? '');

  const numberAt = (at: number, { isLabelled, isFirst }: Before): Part => {
    const isBehindWord = !isFirst && tokens[at - 1]?.isNumber === false && digitsAt(segment, at) < 5;
    if (isCodeAt(depth, at) || !(isNumberAt(at) || isBehindWord)) return { kind: 'aside', isLast: true };
    if (!isLabelled && isCountAt(segment, at, conventions)) return { kind: 'aside' };
    return { kind: 'sure', isAnd: /[&+]/.test(tokens[at]?.gap ?? '') };
  };
  /** "12 og 14", "97 A og B": two houses. */
  const isAndAt = (at: number): boolean => {
    const [text, next] = [tokens[at]?.text ?? '', tokens[at + 1]];
    return AND_WORDS.has(text) && text.length > 1 && next !== undefined && (next.isNumber || next.text.length === 1);
  };
  /** Words for numbers and flats beside a number or a letter; "4o 2a": the signs of "4º 2ª" as many keyboards have them. */
  const isLabelAt = (at: number, text: string): boolean => {
    const [before, next] = [tokens[at - 1], tokens[at + 1]];
    const isOrdinal = /^[oa]$/.test(text) && tokens[at]?.gap === '' && before?.isNumber === true;
    if (isOrdinal && (text === 'o' || tokens[at - 2]?.text === 'o')) return true;
    if (isBeforeNumber(at)) return NUMBER_SIGNS.has(text) || isFlat(text);
    return isFlat(text) && text.length > 1 && (next?.text.length === 1 || before?.isNumber === true);
  };
  const letterAt = (at: number, { isLabelled, isFirst }: Before): Part | undefined => {
    const [text, gap, next] = [tokens[at]?.text ?? '', tokens[at]?.gap ?? '', tokens[at + 1]];
    const isRoman = /^[iv]$/.test(writtenAt(segment, at)) && /^\s+$/.test(gap) && next !== undefined;
    if (isRoman && !isBeforeNumber(at)) return undefined;
    const isHouseLetter = text <= 'h' || text === 's';
    // "40 A Tilburg": the letter of the house; "K. Hansen" is none.
    const isOwn = isFirst && isHouseLetter && !next?.gap.startsWith('.') && !/[-–,]/.test(gap);
    const isName = next !== undefined && isNameAt(segment, at + 1) && !isFlat(next.text) && !isTownAt(depth, at + 1);
    if (isName && gap !== '' && !isLabelled && !isOwn && /^[\s.]+$/.test(next.gap))
      return { kind: 'aside', isLast: true };
    const isLabel = labels.has(text) || initials.has(text) || next?.gap.startsWith('.') || !isHouseLetter;
    return { kind: isBeforeNumber(at) && gap !== '' && isLabel ? 'either' : 'sure', isAnd: /[&+]/.test(gap) };
  };
  /** Unknown words: one before a number may announce a flat, and a short one may be a part of one. */
  const unknownAt = (at: number, text: string, { isFirst, isSlot }: Before): Part | undefined => {
    if (isWorkWord(text)) return undefined;
    // "5am35" may be flat 35 of 5A.
    if (isFirst && tokens[at]?.gap === '' && text.length < 4) return { kind: 'sure' };
    if (isFilling(text)) return undefined;
    const [next, isName] = [tokens[at + 1], isNameAt(segment, at)];
    const isBeforeLetter = next?.text.length === 1 && !next.isNumber && text.length < 6 && !isName;
    if (isBeforeNumber(at) || isBeforeLetter)
      return (isName && text.length > 4) || isSlot ? undefined : { kind: 'label' };
    return isShortUnknown(segment, at) ? { kind: 'sure' } : undefined;
  };
  const wordAt = (at: number, text: string, before: Before): Part | undefined => {
    if (isAndAt(at))
      return tokens[at + 1]?.isNumber || !isNameAt(segment, at + 2) ? { kind: 'sure', isAnd: true } : undefined;
    if (/^(v|ver|rev)$/.test(text) && tokens[at + 1]?.isNumber && !isFlat(text)) return undefined;
    if (isLabelAt(at, text)) return { kind: sides.has(text) ? 'either' : 'label' };
    if (text.length === 1) return letterAt(at, before);
    const isPart = sides.has(text) || parts.has(text) || /^(i+v?|vi*|bis|ter|quater|huis|hs)$/.test(text);
    return isPart ? { kind: 'sure' } : unknownAt(at, text, before);
  };
  /** What the token at `at` is; undefined if it ends the flat. */
  return (at: number, before: Before): Part | undefined => {
    const [token, next] = [tokens[at], tokens[at + 1]];
    if (token === undefined || isDate[at] || isGuid[at]) return undefined;
    const { text, gap, isNumber } = token;
    if (isTownAt(depth, at) && !isFlat(text)) return undefined;
    // "(Apt 8)", "(H0103)", but not "(2)".
    if (/[([{]/.test(gap) && !isFlat(text) && !(text.length === 1 && next?.isNumber)) return undefined;
    if (isNumber) return numberAt(at, before);
    return isCodeAt(depth, at) ? undefined : wordAt(at, text, before);
  };
};

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
    const [place, word] = [placeAt(depth, at), tokens[at]?.text ?? ''];
    if (part.isAnd) items.push({ text: AND, kind: 'sure', place });
    if (!(part.isAnd && AND_WORDS.has(word) && word.length > 1))
      items.push({ text: spelled(word), kind: part.kind, place });
    if (part.isLast) break;
  }
  return items;
};

/** What stands from `start` on to the left: what is joined to the number, or announced as a flat. */
const leftOf = (reader: Reader, depth: number, start: number): readonly Item[] => {
  const items: Item[] = [];
  for (let at = start; at >= 0; ) {
    const more = itemsLeft(reader, depth, at, items[0]?.kind === 'label');
    if (more.length === 0) break;
    items.unshift(...more);
    at = (more[0]?.place.span.from ?? 0) - 1;
  }
  return items;
};

/** The part of a flat that ends at `at`. */
const itemsLeft = (reader: Reader, depth: number, at: number, isBehindLabel: boolean): readonly Item[] => {
  const segment = reader.segments[depth] ?? NOTHING;
  const { flatWords, labels } = reader.conventions;
  const { tokens, isDate, isGuid } = segment;
  const [before, token, next] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (token === undefined || next === undefined || isDate[at] || isGuid[at]) return [];
  const { text, gap, isNumber } = token;
  const place = placeAt(depth, at);
  const own: Item = { text: spelled(text), kind: 'sure', place };
  const isLabel = (word: string): boolean => flatWords.has(word) || (gap === '' && labels.has(word));
  const isPart = isNumber || text.length === 1;
  if (isPart && before !== undefined && !isDate[at - 1] && isLabel(before.text))
    return [{ text: spelled(before.text), kind: 'label', place: placeAt(depth, at - 1) }, own];
  const isJoined = /^\s*\/\s*$|^-$/.test(next.gap);
  if (!isNumber && isPart) return isJoined || next.gap === '' || before?.isNumber ? [own] : [];
  const and: Item = { text: AND, kind: 'sure', place };
  if (!isNumber) return AND_WORDS.has(text) && before?.isNumber && digitsAt(segment, at - 1) < 5 ? [and] : [];
  if (!isJoined && !isListedAt(segment, at, isBehindLabel)) return [];
  return /[&+]/.test(next.gap) ? [own, and] : [own];
};

/** "12, 14": two houses. "2026-346, 12 Mill Lane": the number of a job. */
const isListedAt = (segment: Segment, at: number, isBehindLabel: boolean): boolean => {
  const [before, token, next] = [segment.tokens[at - 1], segment.tokens[at], segment.tokens[at + 1]];
  const isSecond = token?.gap === '-' && before?.isNumber === true;
  return !isBehindLabel && !isSecond && /^[,\s&+]+$/.test(next?.gap ?? '') && digitsAt(segment, at) <= 3;
};

/** How items fit an address. `house`: the words of its number, with its letter; `flat`: those of the flat. */
export type Fit = {
  readonly features: readonly Feature[];
  readonly house: readonly Place[];
  readonly flat: readonly Place[];
};

/** How the items behind a number fit the letter and the flat of an address. */
const fitBehind = (items: readonly Item[], behind: readonly string[], hasLetter: boolean): Omit<Fit, 'house'> => {
  const sure = items.filter(({ kind }) => kind === 'sure').map(({ text }) => text);
  let at = 0;
  const fits = items.map(({ text, kind, place }) => {
    const isOwn = text === behind[at];
    if (isOwn) at += 1;
    return { place, isUsed: isOwn || kind !== 'aside', isOther: !isOwn && kind === 'sure' };
  });
  const isOther = fits.some((one) => one.isOther);
  const flat = fits.filter(({ isUsed }) => isUsed).map(({ place }) => place);
  const hasFlat = behind.length > Number(hasLetter);
  const isAll = (!isOther && at === behind.length) || (sure.length > 0 && sure.join('') === behind.join(''));
  if (isAll) return { features: hasFlat ? ['unit'] : [], flat };
  if (isOther || at > Number(hasLetter)) {
    const isLetter = sure.length === 1 && /^[a-z]$/.test(sure[0] ?? '') && !hasFlat;
    return { features: [isLetter ? 'house-letter-other' : 'unit-other'], flat };
  }
  const letter: readonly Feature[] = hasLetter && at === 0 ? ['house-letter-missing'] : [];
  return { features: hasFlat ? [...letter, 'unit-missing'] : letter, flat };
};

/** How a house that a name has fits an address. `isOwn`: whether something else of the assignment explains the words there. */
export const fitHouse = (
  { number, items: all, to, place }: House,
  { number: own, to: ownTo, behind, hasLetter, isLabelled }: Address,
  { isSecondHouse, isHyphenFlat }: Conventions,
  isOwn: (place: Place) => boolean,
): Fit => {
  const items = all.filter(({ place: one, text }) => text === AND || !isOwn(one));
  /** Another house, or a range that only contains the one. */
  const other = (last = own): Fit => {
    const isIn = Number(number) <= Number(last) && Number(to === '' ? number : to) >= Number(own);
    const flat = items.map(({ place: one }) => one);
    return { features: [isIn ? 'house-range' : 'house-other'], house: [place], flat };
  };
  const fit = (parts: readonly string[], isLettered: boolean, ends = 0): Fit => {
    const { features, flat } = fitBehind(items.slice(ends), parts, isLettered);
    return { features: ['house', ...features], house: [place, ...items.slice(0, ends).map((one) => one.place)], flat };
  };
  const first = items.find(({ kind }) => kind === 'sure')?.text;
  if (ownTo !== '') {
    const isBoth = (number === own && items[0]?.text === ownTo) || (number === ownTo && items[0]?.text === own);
    if (isBoth) return fit(behind, hasLetter, 1);
    return other(ownTo);
  }
  // "1510/48": either number tells the house.
  const isSecond = isSecondHouse && /^\d/.test(behind[0] ?? '');
  if (isSecond && (number === behind[0] || (number === own && first !== behind[0])))
    return fit(behind.slice(1), /^[a-z]$/.test(behind[1] ?? ''));
  if (number !== own) return other();
  // "12-16" are houses, and 12 is only one of them.
  const isRange = to !== '' && (to !== behind[0] || (isLabelled && !isHyphenFlat));
  return isRange ? other() : fit(behind, hasLetter);
};
