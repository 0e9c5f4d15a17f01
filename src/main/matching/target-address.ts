/** Takes the address of an assignment apart. */
import { asRead } from './fold.ts';
import { SIDE_WORDS, UNIT_WORDS } from './name-words.ts';
import { type StreetName, streetNameOf } from './street-words.ts';
import { type Token, tokensOf } from './tokens.ts';

/** A house's number: `129C` is number 129 with the letter c, `97-99` is number 97 to 99. */
export type HouseNumber = {
  readonly number: string;
  readonly letter: string;
  /** The last number of a range. */
  readonly to: string;
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
};

/** Longer numbers are those of jobs, not of houses. */
export const LONGEST_NUMBER = 4;

export const isHouseNumber = ({ isNumber, text }: Token): boolean => isNumber && text.length <= LONGEST_NUMBER;

const isLetter = ({ isNumber, text }: Token): boolean => !isNumber && text.length === 1 && text >= 'a' && text <= 'z';

/** The house's number that begins with the token `at`, and the position after it. `isGlued`: its letter certainly belongs to it. */
export const houseNumberAt = (
  tokens: readonly Token[],
  at: number,
): { readonly house: HouseNumber; readonly end: number; readonly isGlued: boolean } | undefined => {
  const first = tokens[at];
  if (first === undefined || !isHouseNumber(first)) return undefined;
  const second = tokens[at + 1];
  // In "97 v2" and "97 H0201" the letter belongs to what is behind it.
  const isFree = tokens[at + 2]?.gap !== '';
  if (second !== undefined && isLetter(second) && isFree && /^[ _-]?$/.test(second.gap)) {
    // "12 b-d" is a range of letters: its first one stands for it.
    return { house: { number: first.text, letter: second.text, to: '' }, end: at + 2, isGlued: second.gap === '' };
  }
  const isRange =
    second !== undefined &&
    isHouseNumber(second) &&
    /^ ?[-–] ?$/.test(second.gap) &&
    Number(second.text) > Number(first.text);
  if (isRange && Number(second.text) - Number(first.text) <= MOST_HOUSES)
    return { house: { number: first.text, letter: '', to: second.text }, end: at + 2, isGlued: false };
  return { house: { number: first.text, letter: '', to: '' }, end: at + 1, isGlued: false };
};

/** Beyond this, "12-2026" is a number and something else. */
const MOST_HOUSES = 60;

const saysUnit = (token: Token): boolean =>
  token.isNumber || token.text.length <= 2 || UNIT_WORDS.has(token.text) || SIDE_WORDS.has(token.text);

/** Where the number stands behind its street: the first one after a word with nothing but a flat behind it. */
const numberBehind = (tokens: readonly Token[]): number =>
  tokens.findIndex(
    (token, at) =>
      isHouseNumber(token) &&
      tokens.slice(0, at).some(({ isNumber, text }) => !isNumber && text.length > 1) &&
      tokens.slice(at + 1).every(saysUnit),
  );

const partOf = (part: string): TargetAddress | undefined => {
  const tokens = tokensOf(part);
  const behind = numberBehind(tokens);
  if (behind > 0) return addressOf(tokens.slice(0, behind), tokens, behind, false);
  const front = houseNumberAt(tokens, 0);
  // "10 a Street" has no letter: the street would have no name.
  if (front !== undefined && front.end < tokens.length) return addressOf(tokens.slice(front.end), tokens, 0, true);
  return addressOf(tokens, tokens, -1, false);
};

const addressOf = (
  streetTokens: readonly Token[],
  tokens: readonly Token[],
  at: number,
  isNumberFirst: boolean,
): TargetAddress | undefined => {
  const words = streetTokens.map(({ text }) => text);
  if (words.join('').length < 2 || streetTokens.every(saysUnit)) return undefined;
  const found = at < 0 ? undefined : houseNumberAt(tokens, at);
  const unit = found === undefined || isNumberFirst ? '' : unitOf(tokens.slice(found.end).map(({ text }) => text));
  return { street: streetNameOf(words), words, isNumberFirst, unit, ...(found && { house: found.house }) };
};

/** The number (or letters) of a flat, without the words for "flat". */
export const unitOf = (words: readonly string[]): string =>
  words.filter((word) => !UNIT_WORDS.has(word) || word.length === 1).join('');

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
  if (address === undefined || address.unit !== '') return address;
  const units = parts.flatMap((part) => {
    const tokens = tokensOf(part);
    return tokens.length > 0 && tokens.every(saysUnit) ? [unitOf(tokens.map((token) => token.text))] : [];
  });
  return { ...address, unit: units[0] ?? '' };
};
