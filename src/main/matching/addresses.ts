/**
 * Reads the house number next to a street, and its letter, floor and flat. The same code reads the office's addresses
 * and the names of folders, so that a misreading is the same in both and they still match. The conventions are learnt
 * from all addresses: whether the number is before or after the street, which words announce a number or a flat, and
 * whether one of two numbers ("1510/48") is enough to find a house.
 */
import { foldedWords, remembered, type Span, START, type Token, tokensOf } from './names.ts';
import { AND_WORDS, FLAT_WORDS, isFilling, isWorkWord, NUMBER_SIGNS } from './words.ts';

/** How the addresses of an office are written. */
export type Conventions = {
  /** Whether most house numbers stand before the street. */
  readonly isFront: boolean;
  readonly flatWords: ReadonlySet<string>;
  /** Letters that can abbreviate one of `flatWords`. */
  readonly initials: ReadonlySet<string>;
  /** Words that tell flats apart: "tv", "esq". */
  readonly sides: ReadonlySet<string>;
  /** Whether a house can be found by either number of an address such as "1510/48". */
  readonly isSecondHouse: boolean;
  /**
   * Whether the last of several joined numbers is the house number, as in "51-4, Samsan-dong". Undefined if few
   * addresses have joined numbers: then the last one is the house number before a street, and the first one after a
   * street.
   */
  readonly isHouseLast: boolean | undefined;
  /**
   * Words that announce a house number, or follow it: "nr", "br." in "Rasinska br. 63", "Blk" in "Blk 160 Yishun
   * Street", "szám" in "Ali utca 4. szám".
   */
  readonly signs: ReadonlySet<string>;
  /** Words that usually have a dot after them, because they are abbreviations: "Av.". */
  readonly dotted: ReadonlySet<string>;
};

type Written = { readonly Address: string; readonly City: string; readonly ZipCode?: string };

/**
 * A word or number next to a house number. `sure`: the item tells houses or flats apart. `label`: it introduces the
 * next item. `either`: it is a label, unless the compared address has the same item. `aside`: it is not part of the
 * flat, unless the compared address has the same item.
 */
export type Item = { readonly text: string; readonly kind: Kind; readonly at: number };
type Kind = 'sure' | 'label' | 'either' | 'aside';

/** A number that can be a house number, with the items next to it. */
export type House = {
  readonly number: string;
  readonly at: number;
  readonly isFront: boolean;
  readonly items: readonly Item[];
  /** Whether `number` and the first item are two houses, or the ends of a range: "12-14", "12, 14", "12 & 14". */
  readonly isRange: boolean;
};

export type Address = {
  /**
   * The names of the street, each as its words. A street has several names if they are in two languages. The name of a
   * house counts as a name, too ("The Old Rectory, Church Lane").
   */
  readonly names: readonly (readonly string[])[];
  /** The house number; empty if the address has none. */
  readonly number: string;
  /** First the letter of the house or the last number of a range, then floor and flat in the order of the address. */
  readonly items: readonly Item[];
  /** Whether `items` start with the number's letter or the last number of a range. */
  readonly hasSuffix: boolean;
  readonly isLabelled: boolean;
  /** The words in the parts after the house number that cannot be a flat, such as the name of a village. */
  readonly places: readonly string[];
};

/** The words and numbers of an address, or of all names of a path in order, and facts about them. */
export type Reader = {
  readonly tokens: readonly Token[];
  readonly conventions: Conventions;
  readonly isTownAt: (at: number) => boolean;
  readonly isCodeAt: (at: number) => boolean;
  /** Whether the name that contains the token at `at` has lower-case letters. Only then do capitals mean something. */
  readonly isMixedAt: (at: number) => boolean;
  /** Whether the tokens are those of an address. In an address, every word counts. */
  readonly isAddress: boolean;
  readonly isOfStreet: (word: string) => boolean;
  /** Whether `word` is one of the `places` of an address. */
  readonly isPlace: (word: string) => boolean;
};

/** The maximum number of digits of a house number. Longer numbers count as job numbers. */
const LONGEST_NUMBER = 5;
/** The maximum difference between the first and the last number of a range of houses. "12-2026" is not a range. */
const MOST_HOUSES = 60;
/** The minimum number of different streets, numbers or names that a convention is learnt from. */
const ENOUGH = 3;
/** The share that counts as nearly all, for words that do not tell flats apart (`idleIn`). */
const MOSTLY = 0.9;

/** Additions to a number that tell houses or flats apart: "12 bis", "7 hs", "III". */
const SUFFIXES: ReadonlySet<string> = new Set(['bis', 'ter', 'quater', 'huis', 'hs', 'ii', 'iii', 'iv', 'vi']);

/**
 * Returns all numbers from `from` to `to`. The result is empty if `to` is not greater, or if the numbers are too many
 * for a range of houses.
 */
export const housesOf = (from: string, to: string): readonly string[] => {
  const houses = Number(to) - Number(from);
  if (!(houses > 0 && houses <= MOST_HOUSES)) return [];
  return Array.from({ length: houses + 1 }, (_, at) => String(Number(from) + at));
};

const startsName = ({ gap }: Token): boolean => gap.startsWith(START);
const startsPart = ({ gap }: Token): boolean => /[,;\n·|]/.test(gap);
/** Whether a part starts at the token, as "Avesa" does in "Via Podgora 16 - Avesa". */
const startsBehind = (token: Token): boolean => startsPart(token) || /^\s+[-–]\s+$/.test(token.gap);
const isSingle = (token: Token | undefined): boolean => token?.text.length === 1 && !token.isNumber;
const isLetter = (token: Token | undefined): boolean =>
  token !== undefined && !token.isNumber && /^(\p{L}|bis|ter|quater)$/u.test(token.text);
/** Whether two numbers are joined: "51-4", "4/12". */
const isJoined = (one: Token | undefined, next: Token | undefined): boolean =>
  one?.isNumber === true && next?.isNumber === true && /^\s*\/\s*$|^-$/.test(next.gap);
/** Whether two numbers with a dash between them can be a range of houses. */
const isHouses = (one: Token | undefined, next: Token | undefined): boolean =>
  next?.isNumber === true && /^\s*[-–]\s*$/.test(next.gap) && housesOf(one?.text ?? '', next.text).length > 0;
/**
 * Whether the token is an ordinal ending, such as "th" in "19th". The number before it is then part of a street's name.
 */
const isOrdinal = (token: Token | undefined): boolean =>
  token?.gap === '' && /^(th|st|nd|rd|er|eme|ieme)$/.test(token.text);
const nameEnd = (tokens: readonly Token[], at: number): number => {
  const end = tokens.findIndex((token, place) => place > at && startsName(token));
  return end < 0 ? tokens.length : end;
};
/** Whether the word at `at` looks like a proper name. "Hansen" does; "hansen" and "K" do not. */
const isNameAt = ({ tokens, isMixedAt }: Reader, at: number): boolean => {
  const { text, written } = tokens[at] ?? { text: '', written: '' };
  return text.length > 1 && /^\p{Lu}/u.test(written) && isMixedAt(at) && !isWorkWord(text);
};

/** Whether the number at `at` can be a house number. `isHouse`: whether the street has a house of that number. */
export const isHouseAt = (tokens: readonly Token[], at: number, isHouse?: (number: string) => boolean): boolean => {
  const token = tokens[at];
  if (token === undefined || !token.isNumber || token.text.length > LONGEST_NUMBER || isOrdinal(tokens[at + 1]))
    return false;
  // "2037" in "2037 Hearst Ave" is a year, unless the street has a house of that number.
  return !token.isDate || (token.isYear && isHouse?.(token.text) === true);
};

const isCounted = ({ text }: Token): boolean => text.length > 2 && isWorkWord(text);

/**
 * Whether the number at `at` is a count or a sequence number, and not part of an address: "3 bilder", "IMG 12", "(2)",
 * "v2".
 */
export const isCountAt = (tokens: readonly Token[], at: number, { flatWords }: Conventions): boolean => {
  const [before, number, after] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (number === undefined) return false;
  if (number.gap.endsWith('(') && (after === undefined || /^[)\0]/.test(after.gap))) return true;
  const isFew = number.text.length < 3 && after?.gap === ' ' && (startsName(number) || /^[\s,(]+$/.test(number.gap));
  if (isFew && isWorkWord(after.text)) return true;
  if (before === undefined || before.isNumber || startsName(number) || flatWords.has(before.text)) return false;
  const isMarked = /^(v|ver|rev|vol|nr|kw)$/.test(before.text) || isCounted(before);
  return isMarked && /^[\s.-]*$/.test(number.gap);
};

type Here = Reader &
  Token & {
    readonly at: number;
    readonly last: Token | undefined;
    readonly next: Token | undefined;
    readonly isFlat: boolean;
    readonly isBeforeNumber: boolean;
    readonly isFirst: boolean;
    readonly isLabelled: boolean;
    readonly isWhole: boolean;
  };

/**
 * Whether the token can be the number of a flat. In an address, any number can be one; in the name of a folder or file,
 * only a short number that is neither a date nor a postcode.
 */
const isFlatNumber = ({ isAddress, isCodeAt }: Reader, token: Token | undefined, at: number): boolean =>
  token?.isNumber === true && (isAddress || (token.written.length < 5 && !token.isDate && !isCodeAt(at)));

const numberHere = (here: Here): Kind | undefined => {
  const { at, tokens, conventions, isAddress, isLabelled } = here;
  if (here.isCodeAt(at) || !isFlatNumber(here, here, at)) return undefined;
  return !isAddress && !isLabelled && isCountAt(tokens, at, conventions) ? 'aside' : 'sure';
};

/**
 * Whether the word joins two houses, as in "97 A og B". The word counts as an item, so that these houses do not match
 * the address of a single house.
 */
const isAndHere = ({ text, next }: Here): boolean =>
  text.length > 1 && AND_WORDS.has(text) && (next?.isNumber === true || next?.text.length === 1);

/**
 * Whether the word is "o" in place of "º". A capital O is the letter of a flat, as in "3O", unless all letters of the
 * address or name are capitals, as in "4O DTO".
 */
const isOrdinalSign = ({ text, written, at, tokens, isAddress, isMixedAt }: Here): boolean => {
  if (text !== 'o' || written === 'o') return text === 'o';
  return isAddress ? !tokens.some((token) => /\p{Ll}/u.test(token.written)) : !isMixedAt(at);
};

/**
 * Whether the word is a label for a number, letter or flat next to it. In "4o 2a", "o" and "a" are "º" and "ª" typed as
 * letters.
 */
const isLabelHere = (here: Here): boolean => {
  const { text, gap, at, tokens, last, next, conventions, isFlat, isBeforeNumber, isAddress } = here;
  const isBehindOrdinal = text === 'a' && tokens[at - 2]?.text === 'o';
  if (last?.isNumber && gap === '' && (isBehindOrdinal || isOrdinalSign(here))) return true;
  // "th" in "33 Holborn 6th Floor".
  if (isOrdinal(here) && conventions.flatWords.has(next?.text ?? '')) return true;
  if (isBeforeNumber) return isFlat || conventions.signs.has(text);
  // "όροφος" in "4ος όροφος" follows a number or another word for a flat.
  const isBehindFlat = last !== undefined && (last.isNumber || conventions.flatWords.has(last.text));
  // A number sign may follow the number: "Ali utca 4. szám".
  if (text.length > 1 && conventions.signs.has(text) && !NUMBER_SIGNS.has(text)) return true;
  return isFlat && text.length > 1 && (isAddress || next?.text.length === 1 || isBehindFlat);
};

const letterHere = (here: Here): Kind | undefined => {
  const { text, gap, written, at, next, conventions, isAddress, isFirst, isLabelled, isBeforeNumber } = here;
  // "i" in "7 i Umeå" is a word ("in"), not the letter of a house.
  if (/^[iv]$/.test(written) && /^\s+$/.test(gap) && next !== undefined && !isBeforeNumber) return undefined;
  const isDotted = next?.gap.startsWith('.') === true;
  const isHouseLetter = text <= 'h' || text === 's' || text > 'z';
  // "A" in "40 A Tilburg" is the letter of the house, unlike "K" in "K. Hansen".
  const isOwn = isAddress || isLabelled || gap === '' || (isFirst && isHouseLetter && !isDotted && !/[-–,]/.test(gap));
  const isName = next !== undefined && isNameAt(here, at + 1) && !conventions.flatWords.has(next.text);
  if (isName && !isOwn && !here.isTownAt(at + 1) && /^[\s.]+$/.test(next.gap)) return 'aside';
  const isLabel = conventions.initials.has(text) || isDotted || !isHouseLetter;
  return isBeforeNumber && gap !== '' && (isLabel || (!isAddress && next?.gap === '')) ? 'either' : 'sure';
};

/** Whether an unknown word is a label for the number or letter after it: "Depto 7", or "of 3" for "oficina 3". */
const isAnnouncing = (here: Here): boolean => {
  const { text, at, tokens, next, isBeforeNumber, isWhole, conventions } = here;
  if (next === undefined) return false;
  if (isFilling(text)) return isBeforeNumber && text.length < 4;
  const isName = isNameAt(here, at);
  if (!isBeforeNumber) return next.text.length === 1 && !next.isNumber && text.length < 6 && !isName;
  // "Depto 7" is a flat, but "Bergen 5003" is a town with its postcode.
  const isFlatNumber = next.written.length < 4 && !isCountAt(tokens, at + 1, conventions);
  return isWhole || !isName || text.length <= (isFlatNumber ? 6 : 4);
};

/**
 * Returns the kind of an unknown word. Before a number, it can be a label. A short word can be part of a flat: "5am35",
 * "12abc".
 */
const wordHere = (here: Here): Kind | undefined => {
  const { text, gap, written, at, last, isAddress, isFirst } = here;
  if (isAddress) return isFilling(text) ? 'label' : 'sure';
  // "plan 2" in "12 plan 2" can be a drawing or a floor.
  if (isWorkWord(text)) return here.isBeforeNumber ? 'aside' : undefined;
  const isGlued = gap === '' && last?.isNumber === true;
  if (isGlued && text.length < (isFirst ? 4 : 5)) return 'sure';
  // "DE" in "341 P1 DE" is part of the flat, and not a name or a small word.
  if (!isFirst && last?.isNumber && /^\s*$/.test(gap) && /^\p{Lu}{2}$/u.test(written)) return 'sure';
  if (isAnnouncing(here)) return 'label';
  // Two letters, or consonants only ("tv", "stth"), are more likely part of a flat than an ordinary word.
  const isPart = /^\p{L}{2}$|^[b-df-hj-np-tv-xz]{3,4}$/u.test(text);
  return isPart && !isFilling(text) && !isNameAt(here, at) ? 'sure' : undefined;
};

const partHere = (here: Here): Kind | undefined => {
  const { text, at, next, isNumber, isFlat, isAddress, conventions } = here;
  if (!isAddress && (here.isDate || here.isGuid)) return undefined;
  if (here.isTownAt(at) && !isFlat) return undefined;
  if (isNumber) return numberHere(here);
  if (here.isCodeAt(at) || (/^(v|ver|rev)$/.test(text) && next?.isNumber && !isFlat)) return undefined;
  if (isAndHere(here)) return 'sure';
  // A side can be two tokens: "RCFrt" is split into "RCF" and "rt".
  const isSide = [text, next?.gap === '' && text + next.text, here.gap === '' && `${here.last?.text}${text}`].some(
    (one) => one !== false && conventions.sides.has(one),
  );
  if (isLabelHere(here)) return isSide ? 'either' : 'label';
  if (text.length === 1) return letterHere(here);
  return isSide || SUFFIXES.has(text) ? 'sure' : wordHere(here);
};

/**
 * Whether the token can be part of a flat: a number, a letter, a short word that is not a filling word, or a known
 * word.
 */
const saysFlat = (token: Token, conventions: Conventions): boolean =>
  isKnownOfFlat(token, conventions) || token.text.length < (isFilling(token.text) ? 2 : 3) || AND_WORDS.has(token.text);

const isKnownOfFlat = ({ isNumber, text }: Token, { flatWords, sides, signs }: Conventions): boolean =>
  isNumber || [flatWords, sides, signs, SUFFIXES].some((words) => words.has(text));

/**
 * Whether the token at `at` is in a part of an address that cannot be a flat, such as the name of a village. `start`:
 * where the items after the house number begin.
 */
const isPlaceAt = (tokens: readonly Token[], at: number, start: number, conventions: Conventions): boolean => {
  const from = tokens.findLastIndex((token, place) => place <= at && startsBehind(token));
  const to = tokens.findIndex((token, place) => place > at && startsBehind(token));
  const part = tokens.slice(from, to < 0 ? undefined : to);
  // "St" in "Chalfont St Peter" is no flat, nor is "Rd" in "Anlaby Rd" where flats stand before the house.
  const isSmall = ({ text }: Token, place: number): boolean =>
    text.length === 2 && part.length > 1 && (conventions.isFront || (place > 0 && place < part.length - 1));
  const isOfFlat = (token: Token, place: number): boolean =>
    isKnownOfFlat(token, conventions) || (saysFlat(token, conventions) && !isSmall(token, place));
  return from >= start && !part.some(isOfFlat) && !part.every(({ text }) => isWorkWord(text));
};

const rightOf = (reader: Reader, start: number): readonly Item[] => {
  const { tokens, conventions } = reader;
  const items: Item[] = [];
  const end = nameEnd(tokens, start);
  for (const [index, token] of tokens.slice(start, end).entries()) {
    const at = start + index;
    if (reader.isAddress && isPlaceAt(tokens, at, start, conventions)) continue;
    const [last, next, isFirst] = [tokens[at - 1], at + 1 < end ? tokens[at + 1] : undefined, index === 0];
    const kind = partHere({
      ...reader,
      ...token,
      at,
      last,
      next,
      isFirst,
      isFlat: conventions.flatWords.has(token.text),
      isBeforeNumber: isFlatNumber(reader, next, at + 1) && /^[\s.:º°#-]*$/.test(next?.gap ?? START),
      isLabelled: items.at(-1)?.kind === 'label',
      isWhole: isFirst && startsName(token) && at + 2 === end,
    });
    if (kind !== undefined) items.push({ text: token.text, kind, at });
    else if (!reader.isPlace(token.text)) break;
  }
  return items;
};

const isSignAt = (tokens: readonly Token[], at: number, { signs }: Conventions): boolean =>
  signs.has(tokens[at]?.text ?? '') && tokens[at + 1]?.isNumber === true;

/** Whether the word at `at` announces a flat: "Flat", or "no." in "Flat no.". */
const isFlatWord = ({ tokens, conventions: { flatWords, signs } }: Reader, at: number): boolean => {
  const [before, word] = [tokens[at - 1], tokens[at]];
  if (word === undefined || flatWords.has(word.text)) return word !== undefined;
  return signs.has(word.text) && !startsName(word) && flatWords.has(before?.text ?? '');
};

/**
 * Whether a "#" is before the number, as in "#6", or before another number that is joined to this one, as in "#05-112".
 */
const isHashed = (before: Token | undefined, { gap }: Token): boolean =>
  gap.endsWith('#') || (gap === '-' && before?.isNumber === true && before.gap.endsWith('#'));

/**
 * Whether the token at `at` does not belong to the house number after it, because it ends a name, or is part of a date,
 * a guid, or a postcode of several tokens.
 */
const isOfOther = ({ isCodeAt }: Reader, { isDate, isGuid }: Token, next: Token, at: number): boolean =>
  startsName(next) || isDate || isGuid || (isCodeAt(at) && isCodeAt(at - 1));

/**
 * Returns the kind of an item before `next`. "U" in "U1/19 Robe Street" is `either`: it is a label if the compared
 * address is "Unit 1/19 Robe Street".
 */
const kindLeft = ({ conventions }: Reader, { text }: Token, { gap, isNumber }: Token): Kind =>
  isNumber && gap === '' && conventions.initials.has(text) ? 'either' : 'sure';

/**
 * Returns the items of a letter before a house number: the letter, and the number of a flat before it, as in "2F, 28
 * Xinzhan Rd".
 */
const letterLeft = (before: Token | undefined, { gap }: Token, own: Item, isJoined: boolean): readonly Item[] => {
  if (!before?.isNumber) return isJoined ? [own] : [];
  const isOfFlat = gap === '' && before.written.length < 4;
  return isOfFlat ? [{ text: before.text, kind: 'sure', at: own.at - 1 }, own] : [own];
};

/**
 * Returns the items of a word before a house number: a word for a flat, as in "4th Floor 1 Kingdom Street", or "and"
 * after another number, as in "12 and 14 Mill Lane"; empty for other words.
 */
const wordLeft = (reader: Reader, own: Item, behind: Item | undefined): readonly Item[] => {
  const { tokens, conventions } = reader;
  const { text, at } = own;
  const [before, token, next] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  // A short unknown word in the place of "Floor" is taken for a word for flats, too.
  const isShort = !reader.isAddress && text.length < 6;
  const isUnknown = isShort && !isFilling(text) && !isWorkWord(text) && !reader.isOfStreet(text);
  if (isOrdinal(before) && (conventions.flatWords.has(text) || isUnknown))
    return [partAt(tokens, at - 2), { ...own, kind: 'label' }];
  if (AND_WORDS.has(text) && before?.isNumber && before.written.length < 5) return [own];
  // "Ground" in "Ground 300 Lonsdale Street" and "Ground Floor 10 Mill Lane" is a flat without a number.
  if (FLAT_WORDS.has(text)) {
    const isNamed = token !== undefined && !startsName(token) && conventions.flatWords.has(before?.text ?? '');
    return isNamed ? [{ ...own, kind: 'label' }] : [];
  }
  // "Lower Ground" is another flat than "Ground".
  const isBeforeFlat = behind?.kind === 'sure' && conventions.flatWords.has(behind.text) && next && !startsPart(next);
  return conventions.flatWords.has(text) || (isUnknown && isBeforeFlat) ? [own] : [];
};

/**
 * Returns the items that end at `at` and are part of the house number after them, such as a flat ("Flat 4, 12 Mill
 * Lane", "4/12") or another house ("12, 14"); empty if there are none.
 */
const partLeft = (reader: Reader, at: number, isOne: boolean, behind?: Item): readonly Item[] => {
  const { tokens } = reader;
  const [before, token, next] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (token === undefined || next === undefined || isOfOther(reader, token, next, at)) return [];
  const { text, isNumber } = token;
  const own: Item = { text, kind: behind?.kind === 'aside' ? 'aside' : kindLeft(reader, token, next), at };
  const isAnnounced = before !== undefined && !startsName(token) && isFlatWord(reader, at - 1);
  if ((isNumber || text.length === 1) && isAnnounced) return [{ text: before.text, kind: 'label', at: at - 1 }, own];
  if (isNumber) return numberLeft(reader, own, isOne && behind?.kind !== 'label');
  if (text.length === 1 && !isOrdinal(before))
    return letterLeft(before, token, own, isJoinedTo(next) || next.gap === '');
  return wordLeft(reader, own, behind);
};

const isJoinedTo = ({ gap }: Token): boolean => /^\s*\/\s*$|^-$/.test(gap);

/**
 * Returns the item of a number before the house number. In the name of a folder or file, a number that is neither
 * joined nor announced is an `aside`, because the compared address may contain it: "171-09 144 Ave" is read as house
 * 144, but can be house 171-09 in 144 Ave.
 */
const numberLeft = (reader: Reader, own: Item, mayBeHouse: boolean): readonly Item[] => {
  const { tokens, isAddress, conventions } = reader;
  const [before, token, next] = [tokens[own.at - 1], tokens[own.at], tokens[own.at + 1]];
  if (token === undefined || next === undefined) return [];
  const isLettered = isSingle(before) && token.gap === '' && conventions.initials.has(before?.text ?? '');
  // The number in "#267082" is that of a job, not of a flat.
  const isFlat = isHashed(before, token) && isFlatNumber(reader, token, own.at);
  const isPart = isJoinedTo(next) || isFlat || isLettered || isAddress;
  const isHouse = mayBeHouse && isListed(before, token, next) && !isCountAt(tokens, own.at, conventions);
  if (isPart || isHouse) return [own];
  return isNumeral(token) && !reader.isCodeAt(own.at) && /^[-–,\s]+$/.test(next.gap) ? [{ ...own, kind: 'aside' }] : [];
};

/**
 * Whether a number before the house number is a second house ("12, 14"), and not a job number ("2026-346, 12 Mill
 * Lane") or a sequence number ("08 12 Mill Lane").
 */
const isListed = (before: Token | undefined, { gap, written }: Token, next: Token): boolean =>
  !(gap === '-' && before?.isNumber) && /^[,\s&+]+$/.test(next.gap) && /^[1-9]\d{0,2}$/.test(written);

/**
 * Returns the items to the left of the number at `number`, or to the left of its sign, in the order of the name.
 * `isOne`: whether the number is not joined to another one; only then can it be the second of two houses.
 */
const leftOf = (reader: Reader, number: number, isOne: boolean): readonly Item[] => {
  const { tokens, conventions } = reader;
  const isSigned = isSignAt(tokens, number - 1, conventions);
  const start = isSigned ? number - 2 : number - 1;
  const items: Item[] = [];
  for (let more = partLeft(reader, start, isOne); more.length > 0; ) {
    items.unshift(...more);
    more = partLeft(reader, (items[0]?.at ?? 0) - 1, true, items[0]);
  }
  return items;
};

/**
 * Finds the flat before a street whose house number follows the street: "lgh 1101 Storgatan 12", "1. tv, Nygade 62".
 * The word for the flat can be unknown if it is before the number: "Depto 4 Ohiggins 640".
 */
const flatBefore = ({ tokens, conventions, isTownAt }: Reader, street: number): readonly Item[] => {
  const { flatWords, sides, signs } = conventions;
  const isPartAt = (at: number): boolean => {
    const [token, next] = [tokens[at], tokens[at + 1]];
    if (token === undefined || next === undefined || token.isDate || !/^[\s.,-]*$/.test(next.gap)) return false;
    const { text, isNumber, written } = token;
    if (isNumber) return written.length < 5 && (at + 1 === street || !next.isNumber);
    if (flatWords.has(text) || sides.has(text)) return true;
    const isOther = isWorkWord(text) || isFilling(text) || isTownAt(at) || signs.has(text) || text.length > 6;
    const isBeforeFlat = at + 2 === street && next.isNumber && next.written.length < 4;
    return isBeforeFlat && !isOther && !isCountAt(tokens, at + 1, conventions);
  };
  let from = street;
  while (isPartAt(from - 1)) from -= 1;
  // The first number in "08 lgh 1101 Storgatan 12" is that of the folder.
  if (tokens[from]?.isNumber && tokens[street - 1]?.isNumber) from += 1;
  const part = tokens.slice(from, street);
  if (!part.some(({ isNumber }) => isNumber) || part.every(({ isNumber }) => isNumber)) return [];
  const kindOf = ({ text, isNumber }: Token): Kind => (isNumber || sides.has(text) ? 'sure' : 'label');
  return part.map((token, at) => ({ text: token.text, kind: kindOf(token), at: from + at }));
};

const partAt = (tokens: readonly Token[], at: number): Item => ({ text: tokens[at]?.text ?? '', kind: 'sure', at });

/** Returns the word or letter at `at` if it belongs to the joined numbers after it: "Unit 4/12", "U4/12". */
const prefixAt = (reader: Reader, at: number): readonly Item[] => {
  const [token, next] = [reader.tokens[at], reader.tokens[at + 1]];
  if (token === undefined || next === undefined || startsName(next)) return [];
  if (isFlatWord(reader, at)) return [{ text: token.text, kind: 'label', at }];
  return isSingle(token) && next.gap === '' ? [{ text: token.text, kind: kindLeft(reader, token, next), at }] : [];
};

/**
 * Finds the house number in a group of joined numbers. `beside`: the place of the number next to the street. In the
 * result, `at` is the place of the house number, `left` the place where the joined numbers and their prefix begin, and
 * `parts` are the prefix and the other numbers. If the house number follows its street, the numbers after the house
 * number are left out.
 */
const joinedAt = (reader: Reader, beside: number, isFront: boolean, isNumber?: (number: string) => boolean) => {
  const { tokens, conventions } = reader;
  const isPart = (at: number): boolean => {
    const [before, token] = [tokens[at - 1], tokens[at]];
    if (before === undefined || token === undefined || isOfOther(reader, before, token, at - 1)) return false;
    // The 8 in "8 - 12 Mill Lane" may only number the folder, unless the street has a house 8.
    const isRange = isFront && isHouses(before, token) && (isNumber?.(before.text) ?? true);
    return (isJoined(before, token) || isRange) && !token.isDate && !token.isGuid;
  };
  let [from, last] = [beside, beside];
  while (isFront && isPart(from)) from -= 1;
  while (!isFront && isPart(last + 1)) last += 1;
  const prefix = isFront && from < last ? prefixAt(reader, from - 1) : [];
  // In "42-46 Chiswell Street" and "9/42-46 Chiswell Street" the first number of the range is the house number.
  const isWhole = last === from + 1 ? prefix.length === 0 : tokens[last - 1]?.gap === '/';
  const isRange = isWhole && isHouses(tokens[last - 1], tokens[last]);
  const at = (conventions.isHouseLast ?? isFront) ? last - Number(isRange) : from;
  const places = tokens.slice(from, last + 1).map((_, index) => from + index);
  const parts = [...prefix, ...places.flatMap((one) => (one < at || (isFront && one > at) ? partAt(tokens, one) : []))];
  return { at, parts, left: from - prefix.length, isOne: from === last };
};

/**
 * Reads the house whose number is next to `street`. `beside`: the place of that number, which can be one of several
 * joined numbers; `isFront`: whether it is before the street. `isNumber`: whether the street has a house with a given
 * number; used in names with the number before the street.
 */
const houseAt = (
  reader: Reader,
  street: Span,
  beside: number,
  isFront: boolean,
  isNumber?: (number: string) => boolean,
): House => {
  const { tokens } = reader;
  const { at, isOne, parts, left } = joinedAt(reader, beside, isFront, isNumber);
  const number = tokens[at]?.text ?? '';
  const [behind, below] = [isFront ? street.to : at + 1, nameEnd(tokens, Math.max(at, street.from))];
  const letters = tokens.slice(beside + 1, isFront ? street.from : 0);
  const items: Item[] = [
    ...parts.filter((part) => part.at > at),
    ...letters.map((_, index) => partAt(tokens, beside + 1 + index)),
    ...parts.filter((part) => part.at < at),
    ...(isFront ? leftOf(reader, left, isOne) : []),
    ...(behind < below ? rightOf(reader, behind) : []),
    // In the path "Storgatan 12/lgh 1101", the name of a flat is below the name of its house.
    ...(below < tokens.length ? rightOf(reader, below) : []),
    ...(isFront || reader.isAddress ? [] : flatBefore(reader, street.from)),
  ];
  const isNext = items[0]?.at === at + 1 && /^\s*[-–,&+]\s*$/.test(tokens[at + 1]?.gap ?? '');
  const isRange = isNext && housesOf(number, items[0]?.text ?? '').length > 0;
  return { number, at, isFront, items, isRange };
};

/**
 * Finds the house numbers next to a street. If the name with the street has no number, a number at the start of the
 * next name counts: "Elveveien/97". `isNumber`: whether the street has a house with this number.
 */
export const housesBeside = (
  reader: Reader,
  street: Span & { readonly missing: readonly number[] },
  isNumber: (number: string) => boolean,
): readonly House[] => {
  const { tokens } = reader;
  const { from, to } = street;
  const end = nameEnd(tokens, from);
  const start = tokens.findLastIndex((token, at) => at <= from && startsName(token));
  const isHouse = (at: number): boolean => at >= start && at < end && isHouseAt(tokens, at, isNumber);
  const before = isLetter(tokens[from - 1]) && isHouse(from - 2) ? from - 2 : from - 1;
  const isInFront = isHouse(before);
  // A number before the street certainly belongs to the house only at the start of a name: the 1 in "Sec. 1, Xinzhan Rd
  // No. 5" belongs to a section.
  const isKnown = isInFront && before === start && reader.conventions.isFront;
  const found = [
    ...houseBehind(reader, street, isHouse, street.missing.length === 0 ? isNumber : () => false, isKnown),
    ...(isInFront ? [houseAt(reader, street, before, true, isNumber)] : []),
  ];
  // In "40 Mill Lane #6" the number after the street is the number of the flat.
  if (found.length > 1 && tokens[to]?.gap.includes('#')) return found.slice(1);
  const isElsewhere = tokens.slice(to, end).some((_, at) => isHouseAt(tokens, to + at));
  if (found.length > 0 || isElsewhere || !isHouseAt(tokens, end)) return found;
  return [houseAt(reader, street, end, false)];
};

/**
 * Finds the house number after `street`, or after a number sign that follows the street. An unknown word before the
 * number, such as "nro", can be a sign if `isNumber` accepts the number. `isKnown`: whether the house number is known
 * to be before the street. A word after the street then announces a flat and is not a sign: "3 Rue Saint Joseph log 3",
 * "3 Rue Saint Joseph n° 3".
 */
const houseBehind = (
  { tokens, conventions, ...reader }: Reader,
  street: Span,
  isHouse: (at: number) => boolean,
  isNumber: (number: string) => boolean,
  isKnown: boolean,
): readonly House[] => {
  const { to } = street;
  const [sign, next] = [tokens[to]?.text ?? '', tokens[to + 1]];
  // A sign is a known word such as "nr", or a short word with a dot: "č. 12", but not "Apt. 12".
  const isShort = /^\D{1,3}$/.test(sign) && !conventions.flatWords.has(sign);
  const isDotted = isShort && /^[.º°]/.test(next?.gap ?? '');
  const isUnknown =
    isShort &&
    sign.length > 1 &&
    !(AND_WORDS.has(sign) || isFilling(sign) || isWorkWord(sign) || reader.isOfStreet(sign));
  const isBetween =
    isUnknown && isNumber(next?.text ?? '') && /^[\s,]*$/.test(tokens[to]?.gap ?? '') && next?.gap === ' ';
  const isSign = !isKnown && (isDotted || isBetween || conventions.signs.has(sign)) && isHouse(to + 1);
  if (!isSign && !isHouse(to)) return [];
  return [houseAt({ tokens, conventions, ...reader }, street, isSign ? to + 1 : to, false)];
};

/** Splits an address into tokens, without the city and the postcode that some addresses repeat. */
export const tokensOfAddress = ({ Address, City, ZipCode = '' }: Written): readonly Token[] => {
  let tokens = tokensOf(Address);
  const without = (text: string, isPlace: (from: number, to: number) => boolean): void => {
    // The text is split into words only if the address contains it, which is rare.
    const words = text !== '' && Address.toLowerCase().includes(text.toLowerCase()) ? foldedWords(text) : [];
    for (let from = tokens.length - words.length; words.length > 0 && from > 0; from -= 1)
      if (words.every((word, at) => tokens[from + at]?.text === word) && isPlace(from, from + words.length)) {
        tokens = [...tokens.slice(0, from), ...tokens.slice(from + words.length)];
        return;
      }
  };
  if (ZipCode.length > 3) without(ZipCode, () => true);
  without(City, (from, to) => {
    const [before, first] = [tokens[from - 1], tokens[from]];
    if (first === undefined || startsPart(first)) return first !== undefined;
    // The town's name can be part of the street's: "Rue Merlin de Douai" in Douai. A letter such as the A in "3 A
    // Leeds" is part of the house number.
    const isOfHouse = before?.text.length === 1 && tokens[from - 2]?.isNumber === true;
    if (isFilling(before?.text ?? '') && !isOfHouse) return false;
    return to === tokens.length && tokens.slice(0, from).some((_, at) => isHouseAt(tokens, at));
  });
  return tokens;
};

type Reading = Span & { readonly number: number };

const isNumeral = (token: Token): boolean => token.isNumber && token.text.length <= LONGEST_NUMBER;

/**
 * Finds a house number after its street, and the street; undefined if there is none. The house number can be followed
 * by a flat, and then by a district.
 */
const readBack = (tokens: readonly Token[], conventions: Conventions): Reading | undefined => {
  const { flatWords, signs } = conventions;
  const isOfFlat = (token: Token): boolean => saysFlat(token, conventions);
  for (const [at, token] of tokens.entries()) {
    // The street ends before a number sign: "Calle Mayor, nº 4".
    const last = signs.has(tokens[at - 1]?.text ?? '') && at > 1 ? at - 1 : at;
    const before = tokens[at - 1];
    if (!isNumeral(token) || before === undefined || isOrdinal(tokens[at + 1])) continue;
    if (last === at && !before.isNumber && flatWords.has(before.text) && before.text.length > 1) continue;
    // The street is in the same part as the number, or in the part before: "Rua Direita, 100".
    const from = tokens.findLastIndex((one, place) => place < last && (place === 0 || startsPart(one)));
    // In "No. 85, Jalan Loke Yew" the first part is not a street.
    if (tokens.slice(from, last).every(({ isNumber, text }) => isNumber || signs.has(text))) continue;
    const behind = tokens.slice(at + 1);
    const district = behind.findIndex((one) => startsBehind(one) && !isOfFlat(one));
    // If another number follows, the first one is the house number: "Zalán u. 54. 4. emelet 4.".
    if (behind[0]?.isNumber || behind.slice(0, district < 0 ? undefined : district).every(isOfFlat))
      return { number: at, from, to: last };
  }
  return undefined;
};

/**
 * Finds a house number before its street. Only a flat and a number sign can be before the number in the same part of
 * the address.
 */
const readFront = (tokens: readonly Token[], conventions: Conventions): Reading | undefined => {
  const { flatWords, signs } = conventions;
  const saysFlat = (token: Token): boolean =>
    token.isNumber || token.text.length === 1 || isOrdinal(token) || flatWords.has(token.text) || signs.has(token.text);
  const isFlatAt = (at: number): boolean => {
    const [word, next] = [tokens[at], tokens[at + 1]];
    return word !== undefined && flatWords.has(word.text) && next !== undefined && saysFlat(next);
  };
  const last = conventions.isFront ? tokens.findLastIndex(isNumeral) : 0;
  // In "2F., No. 28, Xinzhan Rd" and "Shop 76, Level 2 300 Lonsdale Street", the first number is the number of the
  // flat.
  const isBeforeHouse = (at: number, next: number): boolean =>
    isSignAt(tokens, next, conventions) || (at < last && isFlatAt(next));
  for (const [at, token] of tokens.entries()) {
    const part = tokens.findLastIndex((one, place) => place <= at && (place === 0 || startsPart(one)));
    if (!isNumeral(token) || isOrdinal(tokens[at + 1]) || !tokens.slice(part, at).every(saysFlat)) continue;
    const letter = tokens[at + 1];
    // A single letter after a space is part of the street: "2210 E 14th St", "33 R. Saint Nicolas".
    const from = isLetter(letter) && (letter?.gap === '' || letter?.text.length !== 1) ? at + 2 : at + 1;
    const first = tokens[from];
    if (first === undefined || isBeforeHouse(at, from) || (first.isNumber && !isOrdinal(tokens[from + 1]))) continue;
    // In "12, Sec. 2, Xinzhan Rd", "Sec. 2" is part of the street's name.
    const isSection = first.text.length < 5 && !flatWords.has(first.text) && tokens[from + 1]?.isNumber === true;
    const start = isSection && tokens[from + 2]?.isNumber === false ? from + 2 : from;
    const end = tokens.findIndex(
      (one, place) => place > start && (startsPart(one) || one.gap.includes('#') || isFlatAt(place)),
    );
    return { number: at, from, to: end < 0 ? tokens.length : end };
  }
  return undefined;
};

/**
 * Groups `tokens` into the words of each name. `isBetween`: whether another name begins at `token`. A single letter, a
 * hyphen and a word become one word: "B-dul" (Bulevardul).
 */
const namesIn = (tokens: readonly Token[], isBetween: (token: Token, before: Token) => boolean) => {
  const names: string[][] = [];
  for (const [at, token] of tokens.entries()) {
    const before = tokens[at - 1];
    if (before === undefined || isBetween(token, before)) names.push([]);
    const isContraction = token.gap === '-' && !token.isNumber && isSingle(before);
    names.at(-1)?.push((isContraction ? (names.at(-1)?.pop() ?? '') : '') + token.text);
  }
  return names;
};

/**
 * Whether the street's name in another language begins at this token: "Rue Neuve - Nieuwstraat", but not "C/ Ponent".
 */
const isBetween = ({ gap, isNumber }: Token, before: Token): boolean =>
  !isNumber && !before.isNumber && !(isSingle(before) && gap.startsWith('/')) && /\/|\s[-–]\s/.test(gap);

/** Parses the address with these `tokens`; undefined if it has neither a street nor a house. */
export const readAddress = (tokens: readonly Token[], conventions: Conventions): Address | undefined => {
  const [back, front] = [readBack(tokens, conventions), readFront(tokens, conventions)];
  const reading = conventions.isFront ? (front ?? back) : (back ?? front);
  if (reading === undefined) {
    const names = namesIn(tokens, startsPart).filter((words) => /\p{L}{2}/u.test(words.join('')));
    return names.length === 0
      ? undefined
      : { names, number: '', items: [], hasSuffix: false, isLabelled: false, places: [] };
  }
  const reader = {
    tokens,
    conventions,
    isAddress: true,
    isMixedAt: () => true,
    isOfStreet: () => false,
    isPlace: () => false,
    isTownAt: () => false,
    isCodeAt: () => false,
  };
  const isFront = reading === front;
  const house = houseAt(reader, reading, reading.number, isFront);
  const items = house.items.filter(({ kind }) => kind !== 'label');
  const behind = isFront ? reading.number + 1 : house.at + 1;
  const [token, next] = [tokens[behind], tokens[behind + 1]];
  // "C" in "29 C, 2. mf" is the letter of the house; "B" in "4 B 17" is part of the flat.
  const isOwn = isFront ? behind < reading.from : !next?.isNumber || startsPart(next);
  return {
    names: namesIn(tokens.slice(reading.from, reading.to), isBetween),
    number: house.number,
    items,
    hasSuffix: (house.isRange || (isLetter(token) && isOwn)) && !/,/.test(token?.gap ?? ''),
    isLabelled: house.items[0]?.kind === 'label',
    places: tokens.flatMap(({ text }, at) =>
      isPlaceAt(tokens, at, isFront ? reading.to : behind, conventions) ? text : [],
    ),
  };
};

type Pair = readonly [word: string, street: string, number?: string];

/**
 * Returns the words of `pairs` that occur with enough different streets and, if the pairs have numbers, with enough
 * different numbers.
 */
const seenIn = (pairs: readonly Pair[]): readonly string[] =>
  [...Map.groupBy(pairs, ([word]) => word)].flatMap(([word, all]) => {
    const [streets, numbers] = [new Set(all.map(([, street]) => street)), new Set(all.map(([, , number]) => number))];
    return streets.size < ENOUGH || (numbers.size < ENOUGH && !numbers.has(undefined)) ? [] : [word];
  });

const isStreetWord = ({ isNumber, text }: Token): boolean => !isNumber && text.length > 2;

/**
 * If a word (`behind`) is nearly always followed by the same second word, the second word does not tell flats apart.
 * Returns such second words: "č." after "byt" in "byt č. 7".
 */
const idleIn = (pairs: readonly { readonly behind: string; readonly pair: Pair }[]): readonly string[] =>
  [...Map.groupBy(pairs, ({ behind }) => behind).values()].flatMap((all) =>
    seenIn(all.map(({ pair }) => pair)).filter(
      (word) => all.filter(({ pair }) => pair[0] === word).length >= MOSTLY * all.length,
    ),
  );

/** Finds the words between a word for a flat and its number: "č." in "Bratská 17, byt č. 6". */
const flatSignsIn = (tokens: readonly Token[]) =>
  tokens.flatMap(({ isNumber, text }, at) => {
    const [flat, sign] = [tokens[at - 2], tokens[at - 1]];
    const isFlat = flat !== undefined && sign?.isNumber === false && FLAT_WORDS.has(flat.text);
    const pair = [sign?.text ?? '', tokens.find(isStreetWord)?.text ?? '', text] as const;
    return isNumber && isFlat ? [{ behind: flat.text, pair }] : [];
  });

/**
 * Finds the words before a number or letter that is not part of the house number, such as "Stiege" in "Jakobstraße 31
 * Stiege 4".
 */
const labelsIn = (tokens: readonly Token[]): readonly Pair[] =>
  tokens.flatMap((token, at): readonly Pair[] => {
    const [last, next] = [tokens[at - 1], tokens[at + 1]];
    if (last === undefined || last.isNumber || !(token.isNumber || token.text.length === 1)) return [];
    const isEnd =
      next === undefined ||
      startsPart(next) ||
      FLAT_WORDS.has(next.text) ||
      (isLetter(next) && tokens[at + 2] === undefined);
    const street = tokens.find(isStreetWord);
    const isBehind = at > tokens.findIndex(isNumeral) + 1 && !startsPart(token);
    const isLabel = isBehind && isEnd && street !== undefined && street.text !== last.text;
    // The number is part of the pair: "Decembrie" in "1 Decembrie 1918" is always before the same number, so it is not
    // a label.
    return isLabel ? [[last.text, street.text, token.text]] : [];
  });

/** Finds the word for a flat at the start of an address: "Unit 4/12 Mill Lane". */
const flatsIn = ([word, flat, ...rest]: readonly Token[]): readonly Pair[] =>
  flat?.isNumber && FLAT_WORDS.has(word?.text ?? '') ? [[word?.text ?? '', textOf(rest.slice(1)), flat.text]] : [];

/**
 * Finds the words between the start of a part and a house number before its street: "Level" and "Ground" in "Shop 8,
 * Level 3 300 Lonsdale Street" and "Ground 300 Lonsdale Street".
 */
const frontsIn = (tokens: readonly Token[]): readonly Pair[] => {
  const house = tokens.findLastIndex(isNumeral);
  const street = tokens.slice(house + 1);
  if (house < 1 || street.filter(isStreetWord).length < 2 || street.some(startsPart)) return [];
  const from = tokens.findLastIndex((token, at) => at <= house && (at === 0 || startsPart(token)));
  // "Street" in "12 Oak Street Unit 4 Park City" is behind the house.
  if (tokens[from]?.isNumber) return [];
  const words = tokens.slice(from, house).filter(isStreetWord);
  return words.map(({ text }) => [text, textOf(street), tokens[house]?.text ?? '']);
};

/** Finds the letter directly before the number of a flat at the start of an address: "U13/44 Burwood Rd". */
const onFlatsIn = ([letter, flat, house, ...rest]: readonly Token[]): readonly Pair[] =>
  isSingle(letter) && flat?.gap === '' && isJoined(flat, house) ? [[letter?.text ?? '', textOf(rest), flat.text]] : [];

/** Returns the word that more than 80 % of `pairs` have, if `seenIn` returns it. */
const usualIn = (pairs: readonly Pair[]): readonly string[] =>
  seenIn(pairs).filter((word) => pairs.filter(([one]) => one === word).length > 0.8 * pairs.length);

const lettersIn = (tokens: readonly Token[]): readonly Pair[] =>
  tokens.slice(tokens.findIndex(isNumeral) + 1).flatMap(({ text, isNumber }, at, behind): readonly Pair[] => {
    const next = behind[at + 1];
    const isOwn = text.length === 1 && !isNumber && !(next?.isNumber && /^\.?$/.test(next.gap));
    return isOwn ? [[text, tokens[0]?.text ?? '']] : [];
  });

/** Finds the letters that announce a number, as their colons show: "D" in "No:10 D:1". */
const announcedIn = (tokens: readonly Token[]): readonly Pair[] => {
  const isAnnounced = ({ gap, isNumber }: Token, at: number): boolean =>
    isNumber && gap.startsWith(':') && isSingle(tokens[at - 1]);
  if (!tokens.some(isAnnounced)) return [];
  return tokens.flatMap((token, at) =>
    isAnnounced(token, at) ? [[tokens[at - 1]?.text ?? '', tokens[0]?.text ?? '']] : [],
  );
};

/**
 * Finds the word that ends an address after the number or the sign of a floor, such as "Esq" in "12, 1º Esq" and "12,
 * R/C Esq".
 */
const sidesIn = (tokens: readonly Token[]): readonly Pair[] => {
  const [floor, last] = [tokens.at(-2), tokens.at(-1)];
  if (floor === undefined || last === undefined || last.isNumber || last.text.length < 3) return [];
  const isBehind = tokens.length - 2 > tokens.findIndex(isNumeral);
  const isFloor = floor.isNumber || (floor.text.length === 1 && floor.gap === '/');
  return isBehind && isFloor ? [[last.text, tokens.find(({ text }, at) => at > 0 && text.length > 2)?.text ?? '']] : [];
};

type Place = Pick<Written, 'City'> & { readonly FacilityId?: string };

/**
 * One way to split an address into a street, a house number and a possible number sign. `word`: the possible sign,
 * empty if there is none; `isBehind`: whether the sign follows the number. `house`: the number and everything after the
 * street.
 */
type Announced = {
  readonly word: string;
  readonly street: string;
  readonly house: string;
  readonly place: Place;
  readonly isBehind?: boolean;
};

const LONGEST_SIGN = 5;
/**
 * A number sign has to occur in at least this share of all addresses. At most this share of its occurrences can be
 * before other words.
 */
const FEW = 0.05;
/**
 * The minimum number of streets that are written both with and without the sign, as a share of the number expected by
 * chance.
 */
const LEAST_MIXED = 0.7;

const textOf = (tokens: readonly Token[]): string => tokens.map(({ text }) => text).join(' ');

const numberInFront = (tokens: readonly Token[]): number => {
  const at = tokens[0]?.isNumber ? 0 : 1;
  const first = tokens[at + 1];
  return tokens[at]?.isNumber && first !== undefined && isStreetWord(first) && !startsPart(first) ? at : -1;
};

const numberBehind = (tokens: readonly Token[]): number =>
  tokens.findIndex((token, at) => at > 0 && isNumeral(token) && !tokens[at - 1]?.isNumber);

/**
 * Whether the address ends with a word after the number at `back` and the letter of that number: "Ali utca 4/A. szám".
 */
const hasWordBehind = (tokens: readonly Token[], back: number): boolean =>
  back > 0 && tokens.length === back + (isSingle(tokens[back + 1]) ? 3 : 2) && !SUFFIXES.has(tokens.at(-1)?.text ?? '');

const signsIn = (tokens: readonly Token[]): readonly string[] => {
  const [front, back] = [numberInFront(tokens), numberBehind(tokens)];
  const behind = hasWordBehind(tokens, back) ? tokens.at(-1) : undefined;
  return [front === 1 ? tokens[0] : undefined, back > 1 ? tokens[back - 1] : undefined, behind].flatMap((token) => {
    const isSign = token !== undefined && !token.isNumber && token.text.length > 1 && token.text.length <= LONGEST_SIGN;
    return isSign && !NUMBER_SIGNS.has(token.text) && !FLAT_WORDS.has(token.text) ? [token.text] : [];
  });
};

/**
 * Splits an address in each possible way. "Rasinska br. 63" is the sign "br" and the number 63 in "Rasinska", or the
 * number 63 in "Rasinska br".
 */
const readingsOf = (tokens: readonly Token[], place: Place): readonly Announced[] => {
  const [front, back] = [numberInFront(tokens), numberBehind(tokens)];
  const readings: Announced[] = [];
  if (front >= 0) {
    const end = tokens.findIndex((one, at) => at > front && (startsPart(one) || one.gap.includes('#')));
    const to = end < 0 ? tokens.length : end;
    const [street, rest] = [tokens.slice(front + 1, to), tokens.slice(to)];
    const house = textOf([...tokens.slice(front, front + 1), ...rest]);
    readings.push({ word: textOf(tokens.slice(0, front)), street: `before ${textOf(street)}`, house, place });
  }
  for (const length of back < 1 ? [] : back > 1 ? [0, 1] : [0]) {
    const [street, word] = [tokens.slice(0, back - length), tokens.slice(back - length, back)];
    readings.push({ word: textOf(word), street: textOf(street), house: textOf(tokens.slice(back)), place });
  }
  if (hasWordBehind(tokens, back)) {
    const [word, house] = [tokens.at(-1)?.text ?? '', textOf(tokens.slice(back, -1))];
    readings.push({ word, street: textOf(tokens.slice(0, back)), house, place, isBehind: true });
  }
  return readings;
};

/**
 * Returns how many houses of the addresses with a sign (`signed`) also occur without it (`bare`) at the same facility,
 * minus the number of houses that occur without it only at other facilities.
 */
const sameHouses = (signed: readonly Announced[], bare: readonly Announced[]): number => {
  const keyOf = ({ house, place }: Announced): string => `${house}\n${place.City}`;
  const twins = Map.groupBy(bare, keyOf);
  return signed.reduce((sum, one) => {
    const same = twins.get(keyOf(one));
    if (same === undefined || !one.place.FacilityId) return sum;
    return sum + (same.some(({ place }) => place.FacilityId === one.place.FacilityId) ? 1 : -1);
  }, 0);
};

/**
 * Learns words next to house numbers that people write or leave out by chance, whatever the street: "br" if there are
 * "Rasinska br. 63" and "Rasinska 63". Words for the kind or direction of a street are not learnt. Such a word is
 * recognised in one of three ways: most addresses of some streets have it, and most addresses of other streets do not;
 * it also occurs in other places; or it tells two houses with the same number apart.
 */
const learnSigns = (all: readonly (readonly Token[])[], places: readonly Place[]): readonly string[] => {
  const words = [...Map.groupBy(all.flatMap(signsIn), (word) => word)].flatMap(([word, { length }]) => {
    const isElsewhere = (tokens: readonly Token[]): boolean =>
      tokens.some(({ text }, at) => text === word && at + 1 < tokens.length && !tokens[at + 1]?.isNumber);
    return length >= FEW * all.length && all.filter(isElsewhere).length <= FEW * length ? [word] : [];
  });
  if (words.length === 0) return [];
  const readings = all.flatMap((tokens, at) => readingsOf(tokens, places[at] ?? { City: '' }));
  const byWord = Map.groupBy(readings, ({ word }) => word);
  const bare = Map.groupBy(byWord.get('') ?? [], ({ street }) => street);
  return words.filter((word) => {
    const signed = byWord.get(word) ?? [];
    const share = signed.length / all.length;
    let [mixed, expected, same] = [0, 0, 0];
    for (const [street, own] of Map.groupBy(signed, (one) => one.street)) {
      const others = (bare.get(street) ?? []).filter(({ house }) => !house.endsWith(` ${word}`));
      const count = own.length + others.length;
      if (count < 2) continue;
      mixed += Number(others.length > 0);
      // The probability that not all of `count` addresses have the word, given that at least one of them has it.
      expected += 1 - share ** count / (1 - (1 - share) ** count);
      same += sameHouses(own, others);
    }
    // A word after the number can tell flats apart. So it is a sign only if addresses of the same facility occur with
    // and without it.
    const least = signed.some(({ isBehind }) => isBehind) ? 1 : 0;
    return mixed >= ENOUGH && mixed >= LEAST_MIXED * expected && same >= least;
  });
};

const dottedIn = (all: readonly (readonly Token[])[]): ReadonlySet<string> => {
  const counts = new Map<string, number>();
  for (const tokens of all)
    for (const [at, { text, isNumber }] of tokens.entries()) {
      const next = tokens[at + 1];
      if (!isNumber && next !== undefined)
        counts.set(text, (counts.get(text) ?? 0) + (next.gap.startsWith('.') ? 1 : -1));
    }
  return new Set([...counts].flatMap(([word, count]) => (count > 0 ? word : [])));
};

/** Learns the conventions from the tokens of all addresses. `places`: the place of each address. */
export const learnConventions = (all: readonly (readonly Token[])[], places: readonly Place[]): Conventions => {
  const signs = new Set([...NUMBER_SIGNS, ...learnSigns(all, places), ...idleIn(all.flatMap(flatSignsIn))]);
  // A learnt number sign does not become a word for a flat, even if it also announces flats.
  const labels = all.flatMap(labelsIn).filter(([word]) => !signs.has(word) || NUMBER_SIGNS.has(word));
  // A word that ends many addresses is not a label.
  const closing = new Set(seenIn(all.map((tokens) => [tokens.at(-1)?.text ?? '', tokens.at(-2)?.text ?? ''])));
  const own = new Set(seenIn(all.flatMap(lettersIn)));
  const [letters, words] = [labels.filter(([word]) => word.length === 1), labels.filter(([word]) => word.length > 1)];
  const learnt = [...usualIn(letters), ...seenIn(words)].filter((word) => !closing.has(word));
  const flatWords = new Set([...FLAT_WORDS, ...learnt]);
  const conventions: Conventions = {
    isFront: false,
    isSecondHouse: false,
    isHouseLast: undefined,
    flatWords,
    signs,
    dotted: dottedIn(all),
    sides: new Set(seenIn(all.flatMap(sidesIn)).filter((word) => !signs.has(word))),
    initials: new Set([
      ...[...learnt, ...seenIn(all.flatMap(flatsIn)), ...usualIn(all.flatMap(onFlatsIn))]
        .map((word) => word[0] ?? '')
        .filter((letter) => !own.has(letter)),
      ...seenIn(all.flatMap(announcedIn)),
    ]),
  };
  const { blocks, ...numbers } = learnNumbers(all, conventions);
  return {
    ...conventions,
    ...numbers,
    flatWords: new Set([
      ...[...flatWords].filter((word) => !blocks.has(word)),
      ...(numbers.isFront ? seenIn(all.flatMap(frontsIn)) : []),
    ]),
    signs: new Set([...signs, ...blocks]),
    // With house numbers before the street, a word after two numbers is the street and does not tell flats apart: "4/12
    // Broadway".
    sides: numbers.isFront ? new Set() : conventions.sides,
  };
};

/** Whether the number at `at` is joined to the next one, and the two are not a range of houses. */
const isPairAt = (tokens: readonly Token[], at: number): boolean =>
  isJoined(tokens[at], tokens[at + 1]) && !isHouses(tokens[at], tokens[at + 1]);

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;

/**
 * Learns whether most house numbers are before or after the street, and whether the second number of pairs such as
 * "1510/48" belongs to the house, and not to a flat. It does if there are at least 20 pairs, and the median of the
 * first numbers is above 150 and above five times that of the second ones. `blocks`: the words for parts of houses that
 * announce a house if they are before the first number: "бл. 515, вх. Б, ап. 12".
 */
const learnNumbers = (
  all: readonly (readonly Token[])[],
  conventions: Conventions,
): Pick<Conventions, 'isFront' | 'isSecondHouse' | 'isHouseLast'> & { readonly blocks: ReadonlySet<string> } => {
  let front = 0;
  const joined = { front: 0, back: 0 };
  const [firsts, seconds]: [number[], number[]] = [[], []];
  const blocks: Pair[] = [];
  for (const tokens of all) {
    const [inBack, inFront] = [readBack(tokens, conventions), readFront(tokens, conventions)];
    const at = inBack === undefined ? numberBehind(tokens) : -1;
    if (at > 0) blocks.push([tokens[at - 1]?.text ?? '', textOf(tokens.slice(0, at - 1)), tokens[at]?.text ?? '']);
    front += Number(inFront !== undefined) - Number(inBack !== undefined);
    joined.front += Number(isPairAt(tokens, (inFront?.number ?? 0) - 1));
    joined.back += Number(isPairAt(tokens, inBack?.number ?? -1));
    const [first, second] = [tokens[inBack?.number ?? -1], tokens[(inBack?.number ?? -2) + 1]];
    if (first === undefined || second?.gap !== '/' || !second.isNumber) continue;
    firsts.push(Number(first.text));
    seconds.push(Number(second.text));
  }
  const isSecondHouse = firsts.length >= 20 && median(firsts) > 150 && median(firsts) > 5 * median(seconds);
  const isFront = front > 0;
  const isBlock = (word: string): boolean => !isFront && conventions.flatWords.has(word) && !FLAT_WORDS.has(word);
  const isHouseLast = (isFront ? joined.front : joined.back) < ENOUGH ? undefined : isFront;
  return { isFront, isSecondHouse, isHouseLast, blocks: new Set(seenIn(blocks).filter(isBlock)) };
};

/** Returns the items of the flat, without the letter of the house or the last number of a range. */
const flatOf = ({ items, hasSuffix }: Address): readonly Item[] => items.slice(Number(hasSuffix));

const isWord = ({ kind, text }: Item): boolean => kind === 'sure' && /^\D/.test(text) && !AND_WORDS.has(text);

/** Finds the words after the number of a flat: "ος" and "όροφος" in "4ος όροφος". */
const behindFlat = (address: Address) => {
  const items = flatOf(address);
  return items.flatMap((item, at) => {
    const [before, number] = [items[at - 1], items.slice(0, at).findLast((one) => !isWord(one))];
    if (before === undefined || number === undefined || !isWord(item)) return [];
    const pair: Pair = [item.text, address.names.flat().join(' '), number.text];
    return [{ behind: isWord(before) ? before.text : '', pair }];
  });
};

/**
 * Learns which words tell flats apart. Words that follow nearly every number do not, and `plain` in the result removes
 * them from an address.
 */
export const learnFlats = (addresses: readonly (Address | undefined)[], conventions: Conventions) => {
  const all = addresses.filter((address) => address !== undefined);
  const idle = new Set(idleIn(all.flatMap(behindFlat)).filter((word) => word.length > 1));
  const plain = remembered((address: Address): Address => {
    return { ...address, items: address.items.filter(({ text }) => !idle.has(text)) };
  });
  const sides = new Set([...conventions.sides].filter((word) => !idle.has(word)));
  for (const address of all) {
    // "R/C Esq" is also written "RC Esq" or "RCEsq".
    let whole = '';
    for (const item of flatOf(plain(address))) {
      whole = isWord(item) ? whole + item.text : '';
      // A word that is part of a flat in one address can tell flats apart in names, too.
      for (const one of [item.text, whole]) if (isWord(item) && one.length > 1) sides.add(one);
    }
  }
  return { plain, conventions: { ...conventions, sides, flatWords: new Set([...conventions.flatWords, ...idle]) } };
};
