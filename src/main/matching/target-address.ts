/** Takes the address of an assignment apart. */
import { asRead } from './fold.ts';
import { isUnitSpelling, SIDE_WORDS, UNIT_WORDS, unitWord } from './name-words.ts';
import { kindsOf, type StreetName, streetNameOf } from './street-words.ts';
import { type Token, tokensOf } from './tokens.ts';

/** A house's number: `129C` is number 129 with the letter c, `12 bis` has the letter b, `97-99` is number 97 to 99. */
export type HouseNumber = {
  readonly number: string;
  readonly letter: string;
  /** The last number of a range. */
  readonly to: string;
};

/** The numbers of a range, or the only one. */
export const housesOf = ({ number, to }: Pick<HouseNumber, 'number' | 'to'>): readonly string[] => {
  const houses = to === '' ? 0 : Math.min(MOST_HOUSES, Number(to) - Number(number));
  return Array.from({ length: Math.max(0, houses) + 1 }, (_, at) => (at === 0 ? number : String(Number(number) + at)));
};

export type TargetAddress = {
  readonly street: StreetName;
  /** The words of the street's name, folded. */
  readonly words: readonly string[];
  readonly house?: HouseNumber;
  /** Whether the number is written before the street. */
  readonly isNumberFirst: boolean;
  /** What tells flats of one house apart, in one word: `3`, `h0201`. */
  readonly unit: string;
  /** The name that the house has instead of a number, as a street of its own: "Rose Cottage, Mill Lane". */
  readonly named?: TargetAddress;
};

/** Longer numbers are those of jobs, not of houses. */
export const LONGEST_NUMBER = 4;

export const isHouseNumber = ({ isNumber, text }: Token): boolean => isNumber && text.length <= LONGEST_NUMBER;

/** French numbers between two others: the letter that is also written for them. */
const LETTERS: ReadonlyMap<string, string> = new Map([
  ['bis', 'b'],
  ['ter', 't'],
  ['quater', 'q'],
]);

const letterOf = ({ isNumber, text }: Token): string | undefined =>
  !isNumber && /^[a-z]$/.test(text) ? text : LETTERS.get(text);

/** The house's number that begins with the token `at`, and the position after it. `isGlued`: its letter certainly belongs to it. */
export const houseNumberAt = (
  tokens: readonly Token[],
  at: number,
): { readonly house: HouseNumber; readonly end: number; readonly isGlued: boolean } | undefined => {
  const first = tokens[at];
  if (first === undefined || !isHouseNumber(first)) return undefined;
  const second = tokens[at + 1];
  // In "97 v2" and "97 H0201" the letter belongs to what is behind it.
  const third = tokens[at + 2];
  // "14 m 8": flat 8.
  const isUnit = UNIT_WORDS.has(second?.text ?? '');
  // "21 v.2": the second version, or week.
  const isVersion = second?.text === 'v' && /^[. ]+$/.test(third?.gap ?? '');
  const isFree = third?.gap !== '' && !((isUnit || isVersion) && third?.isNumber === true);
  const letter = second && letterOf(second);
  if (second !== undefined && letter !== undefined && isFree && /^[ _-]?$/.test(second.gap)) {
    // "12 b-d" is a range of letters: its first one stands for it.
    const isGlued = second.gap === '' || second.text !== letter;
    return { house: { number: first.text, letter, to: '' }, end: at + 2, isGlued };
  }
  const last = lastOfRange(tokens, at);
  if (last !== undefined)
    return { house: { number: first.text, letter: '', to: tokens[last]?.text ?? '' }, end: last + 1, isGlued: false };
  return { house: { number: first.text, letter: '', to: '' }, end: at + 1, isGlued: false };
};

/** Where the last number stands of a range, or of two houses, that begins at the token `at`: "97-99", "97 og 99", "97, 99". */
const lastOfRange = (tokens: readonly Token[], at: number): number | undefined => {
  const to = joinedAt(tokens, at + 1);
  const [first, last] = [tokens[at], to === undefined ? undefined : tokens[to]];
  if (first === undefined || last === undefined || !isHouseNumber(last)) return undefined;
  const houses = Number(last.text) - Number(first.text);
  return houses > 0 && houses <= MOST_HOUSES ? to : undefined;
};

/** Where the token stands that "and" or a sign joins with what ends before the token `at`: "- 4", "& 4", "and 4". */
export const joinedAt = (tokens: readonly Token[], at: number): number | undefined => {
  const token = tokens[at];
  if (token === undefined) return undefined;
  if (isAnd(token)) return at + 1;
  return /^[ _]?[-–&+,][ _]?$/.test(token.gap) ? at : undefined;
};

/** Whether the token is "and" in a language of the service's countries. */
export const isAnd = ({ text }: Token): boolean => AND_WORDS.has(text);

const AND_WORDS: ReadonlySet<string> = new Set('og och and und ja en et e y'.split(' '));

/** Beyond this, "12-2026" is a number and something else. */
export const MOST_HOUSES = 60;

const saysUnit = ({ isNumber, text }: Token): boolean =>
  isNumber ||
  text.length <= 2 ||
  [UNIT_WORDS, SIDE_WORDS, LETTERS].some((words) => words.has(text)) ||
  isUnitSpelling(text);

const isUnitWord = ({ text }: Token | undefined = { text: '' } as Token): boolean =>
  text.length > 1 && UNIT_WORDS.has(text);

/** Words before and behind an address that say which flat it is: "Flat 3 31 Mill Lane", "31 Mill Lane Apt 5", "31 Mill Lane #5". */
const apartFromUnit = (
  tokens: readonly Token[],
): { readonly rest: readonly Token[]; readonly unit: readonly Token[] } => {
  const [first, second, third] = tokens;
  if (first !== undefined && isUnitWord(first) && second?.isNumber) {
    const to = third !== undefined && third.gap === '' && letterOf(third) !== undefined ? 3 : 2;
    if (tokens.slice(to).some(({ isNumber, text }) => !isNumber && text.length > 1))
      return { rest: tokens.slice(to), unit: tokens.slice(0, to) };
  }
  const behind = tokens.findLastIndex((token) => isUnitWord(token) || token.gap.endsWith('#'));
  const isBehind =
    behind > 1 &&
    tokens.slice(0, behind).some(isHouseNumber) &&
    tokens.slice(behind).every(saysUnit) &&
    tokens.slice(behind).some(({ isNumber, text }) => isNumber || text.length === 1);
  return isBehind ? { rest: tokens.slice(0, behind), unit: tokens.slice(behind) } : { rest: tokens, unit: [] };
};

/** Where the number stands behind its street: the first one after a word with nothing but a flat behind it. */
const numberBehind = (tokens: readonly Token[]): number =>
  tokens.findIndex(
    (token, at) =>
      isHouseNumber(token) &&
      tokens.slice(0, at).some(({ isNumber, text }) => !isNumber && text.length > 1) &&
      tokens.slice(at + 1).every(saysUnit),
  );

const partOf = (part: string): TargetAddress | undefined => {
  const { rest: tokens, unit } = apartFromUnit(tokensOf(part));
  const address = addressIn(tokens);
  return address === undefined || unit.length === 0 ? address : { ...address, unit: unitOf(textsOf(unit)) };
};

const addressIn = (tokens: readonly Token[]): TargetAddress | undefined => {
  const behind = numberBehind(tokens);
  if (behind > 0) return addressOf(tokens.slice(0, behind), tokens, behind, false);
  const front = frontNumber(tokens);
  // "10 a Street" has no letter: the street would have no name.
  if (front !== undefined && front.end < tokens.length) return addressOf(tokens.slice(front.end), tokens, 0, true);
  return addressOf(tokens, tokens, -1, false);
};

/** The number before a street; in "2210 E 14th St" the letter belongs to the street. */
const frontNumber = (tokens: readonly Token[]): ReturnType<typeof houseNumberAt> => {
  const found = houseNumberAt(tokens, 0);
  const isSide = found !== undefined && /^[nsew]$/.test(found.house.letter) && tokens[1]?.gap === ' ';
  return isSide && tokens.length > 2 ? { house: { ...found.house, letter: '' }, end: 1, isGlued: false } : found;
};

const addressOf = (
  streetTokens: readonly Token[],
  tokens: readonly Token[],
  at: number,
  isNumberFirst: boolean,
): TargetAddress | undefined => {
  const words = textsOf(streetTokens);
  // "2210 E 14th St" has no other word than its kind.
  const isKindLast = isNumberFirst && kindsOf(words.at(-1) ?? '').size > 0;
  if (words.join('').length < 2 || (streetTokens.every(saysUnit) && !isKindLast)) return undefined;
  const found = at < 0 ? undefined : isNumberFirst ? frontNumber(tokens) : houseNumberAt(tokens, at);
  const unit = found === undefined || isNumberFirst ? '' : unitOf(textsOf(tokens.slice(found.end)));
  return { street: streetNameOf(words), words, isNumberFirst, unit, ...(found && { house: found.house }) };
};

const textsOf = (tokens: readonly Token[]): readonly string[] => tokens.map(({ text }) => text);

/** The number (or letters) of a flat, without the words for "flat". */
export const unitOf = (words: readonly string[]): string =>
  words
    .filter((word, at) => !UNIT_WORDS.has(word) || (word.length === 1 && !(word === 'm' && at < words.length - 1)))
    .map(unitWord)
    .join('');

/** What stands behind the house's number in one word, its letter included: `b17`, `3tv`; empty where nothing does. */
export const behindNumber = ({ house, unit }: TargetAddress): string =>
  house === undefined || house.to !== '' ? '' : unitWord(house.letter) + unit;

/** The address in `text`: the part between commas that is a street, best one with a number; undefined without any word. */
export const targetAddress = (text: string): TargetAddress | undefined => {
  const parts = asRead(text).split(/[,;\n·|]/);
  const addresses = parts.map(partOf).filter((part) => part !== undefined);
  const scored = addresses.map((address) => ({
    address,
    score: (address.house ? 2 : 0) + (address.street.kinds.size > 0 ? 1 : 0),
  }));
  const best = Math.max(...scored.map(({ score }) => score));
  const address = scored.find(({ score }) => score === best)?.address;
  if (address === undefined) return undefined;
  const named = addresses.find((other) => other !== address && other.street.kinds.size === 0);
  if (address.house === undefined && named !== undefined) return { ...address, named };
  if (address.unit !== '') return address;
  const units = parts.flatMap((part) => {
    const tokens = tokensOf(part);
    return tokens.length > 0 && tokens.every(saysUnit) && partOf(part) === undefined ? [unitOf(textsOf(tokens))] : [];
  });
  return { ...address, unit: units[0] ?? '' };
};
