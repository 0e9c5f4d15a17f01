/** One name of a folder's path, taken apart: its words, numbers, dates and ids. */
import { type DateMention, dateMentions } from './date-mentions.ts';
import { asRead, plain } from './fold.ts';
import { COMPANY_FORMS, isWorkWord, NOISE, NUMBER_SIGNS, SIDE_WORDS, UNIT_WORDS } from './name-words.ts';
import { isFilling, kindsOf } from './street-words.ts';
import {
  type HouseNumber,
  houseNumberAt,
  isAnd,
  isHouseNumber,
  joinedAt,
  MOST_HOUSES,
  unitOf,
} from './target-address.ts';
import { type Span, type Token, tokensOf } from './tokens.ts';
import { type CodeMention, codeMentions } from './zip-codes.ts';

export type Segment = {
  readonly name: string;
  readonly tokens: readonly Token[];
  readonly spans: readonly Span[];
  /** The first span with a text. */
  readonly spanOf: ReadonlyMap<string, Span>;
  readonly dates: readonly DateMention[];
  /** Whether the token can be a house's number: not a part of a date, nor the number of a flat. */
  readonly canBeHouse: readonly boolean[];
  /** Numbers of flats, in one word with their letters. */
  readonly units: ReadonlySet<string>;
  /** Words that are not those of offices and trades: they may be names. */
  readonly telling: readonly number[];
  /** What may be a ZIP code with letters or in two parts. */
  readonly codes: readonly CodeMention[];
  /** Guids without dashes, and groups of eight digits that may begin one. */
  readonly guids: readonly string[];
  readonly guidStarts: readonly string[];
};

const LONGEST_SPAN = 6;
/** Words of a flat's number, with those for "flat". */
const LONGEST_UNIT = 5;

const spansOf = (tokens: readonly Token[]): readonly Span[] =>
  tokens.flatMap((_, from) => {
    const spans: Span[] = [];
    let text = '';
    for (let to = from + 1; to <= Math.min(tokens.length, from + LONGEST_SPAN); to += 1) {
      text += tokens[to - 1]?.text ?? '';
      spans.push({ from, to, text });
    }
    return spans;
  });

const GUID = /(?<![0-9a-z])[0-9a-f]{8}([-_ ]?)[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}(?![0-9a-z])/g;
const GUID_START = /(?<![0-9a-z])[0-9a-f]{8}(?![0-9a-z])/g;

/** The number of a flat: a unit's word with the number behind it, a Norwegian one ("H0201"), or the floor's number before its word. */
const unitTokens = (name: string, tokens: readonly Token[]): ReadonlySet<number> =>
  new Set(
    tokens.flatMap((token, at) => {
      const before = tokens[at - 1];
      if (!token.isNumber) return [];
      const isNorwegian = before?.text === 'h' && token.gap === '' && token.end - token.start === 4;
      // "12 og 14" are two houses.
      const isOther = before !== undefined && isAnd(before) && tokens[at - 2]?.isNumber === true;
      const isBehind = before !== undefined && before.text.length > 1 && UNIT_WORDS.has(before.text) && !isOther;
      const after = tokens[at + 1];
      // "OG" is a floor in German, "og" is "and" in the Nordic languages.
      const isFloor = /^(etg|etasje|etage|OG|kerros|krs|våning|floor|stock|sal)$/.test(
        name.slice(after?.start, after?.end),
      );
      return isNorwegian || isBehind || isFloor || token.gap.endsWith('#') ? [at] : [];
    }),
  );

/** Takes a name apart. */
export const segmentOf = (given: string): Segment => {
  const name = asRead(given);
  const tokens = tokensOf(name);
  const spans = spansOf(tokens);
  const spanOf = new Map<string, Span>();
  for (const span of spans) if (!spanOf.has(span.text)) spanOf.set(span.text, span);
  const dates = dateMentions(name);
  const units = unitTokens(name, tokens);
  const lower = plain(name);
  return {
    name,
    tokens,
    spans,
    spanOf,
    dates,
    canBeHouse: tokens.map((token, at) => isHouseNumber(token) && !units.has(at) && !isInDate({ dates }, token)),
    units: new Set([...units].flatMap((at) => [...unitNames(tokens, at), ...nextUnitNames(tokens, at)])),
    telling: tokens.flatMap((token, at) => (saysNothing(name, dates, token) ? [] : [at])),
    codes: codeMentions(name, tokens, spans),
    guids: [...lower.matchAll(GUID)].map(([found]) => found.replaceAll(/[-_ ]/g, '')),
    guidStarts: [...lower.matchAll(GUID_START)].map(([found]) => found),
  };
};

const isShortWord = (word: string): boolean =>
  [UNIT_WORDS, SIDE_WORDS, COMPANY_FORMS].some((words) => words.has(word)) || kindsOf(word).size > 0 || isFilling(word);

/** Numbers, letters, and the words that offices use in the names of folders. */
const saysNothing = (name: string, dates: readonly DateMention[], token: Token): boolean =>
  token.isNumber ||
  token.text.length < 2 ||
  // Ås is no "AS".
  (/^[a-z]+$/i.test(name.slice(token.start, token.end)) && isShortWord(token.text)) ||
  isWorkWord(token.text) ||
  isInDate({ dates }, token);

/** "h0201", "3", "3b": the ways in which an address may name the flat with the number `at`. */
const unitNames = (tokens: readonly Token[], at: number): readonly string[] => {
  const number = tokens[at]?.text ?? '';
  const before = tokens[at - 1];
  const after = tokens[at + 1];
  return [
    number,
    ...(before?.text === 'h' ? [`h${number}`] : []),
    ...(after !== undefined && after.text.length <= 2 && !after.isNumber ? [number + after.text] : []),
  ];
};

/** "Flat 3-4", "flats 3 and 4": those of the flat that is named with the one whose number is at `at`. */
const nextUnitNames = (tokens: readonly Token[], at: number): readonly string[] => {
  const next = joinedAt(tokens, at + 1);
  return next !== undefined && tokens[next]?.isNumber ? unitNames(tokens, next) : [];
};

/** Whether the name has another house beside this one: "97 A og B", "97A, 97B", "6 en 6a", "5 7", "2 & 2A Mill Lane". */
export const isOneOfSeveral = (segment: Segment, number: NumberBeside): boolean =>
  hasHouseBehind(segment, number) || hasHouseBefore(segment, number);

const hasHouseBehind = (segment: Segment, { house, to }: NumberBeside): boolean => {
  const { name, tokens, canBeHouse } = segment;
  const at = joinedAt(tokens, to);
  const token = tokens[at ?? to];
  if (token === undefined) return false;
  if (token.isNumber) {
    const other =
      canBeHouse[at ?? to] === true && !isCount(segment, at ?? to) ? houseNumberAt(tokens, at ?? to) : undefined;
    if (other === undefined) return false;
    // Without a sign between them: the next houses on this side of the street.
    const isNext = Number(other.house.number) > Number(house.number) && isOnOneSide(house, other.house);
    return isOtherHouse(house, other.house) && (at !== undefined || (token.gap === ' ' && isNext));
  }
  if (house.letter === '' || at === undefined) return false;
  // In "97 A, H0201" the letter belongs to what is behind it, and in "97 A, B Hansen" it is an initial.
  const next = tokens[at + 1];
  const isInitial = next !== undefined && /^\p{Lu}/u.test(name.slice(next.start)) && !NOISE.has(next.text);
  return /^[a-z]$/.test(token.text) && token.text > house.letter && next?.gap !== '' && !isInitial;
};

const hasHouseBefore = ({ tokens, canBeHouse }: Segment, { house, from }: NumberBeside): boolean => {
  const [first, and] = [tokens[from], tokens[from - 1]];
  if (first === undefined || and === undefined) return false;
  const isJoined = isAnd(and) || /^[ _]?[&+,][ _]?$/.test(first.gap);
  const end = isAnd(and) ? from - 1 : from;
  const start = [end - 1, end - 2].find((at) => canBeHouse[at] === true);
  const other = start === undefined || !isJoined ? undefined : houseNumberAt(tokens, start);
  // "3, 14 Mill Lane": the number of a list, or of a flat.
  const isSure = isAnd(and) || !first.gap.includes(',') || other?.house.number === house.number;
  return other !== undefined && isSure && isOtherHouse(house, other.house);
};

const isOtherHouse = (one: HouseNumber, other: HouseNumber): boolean =>
  one.number === other.number
    ? one.letter !== other.letter
    : Math.abs(Number(one.number) - Number(other.number)) <= MOST_HOUSES;

const isOnOneSide = (one: HouseNumber, other: HouseNumber): boolean =>
  (Number(one.number) - Number(other.number)) % 2 === 0;

/** The words of `span` as they stand in the name. */
export const wordsOfSpan = ({ name, tokens }: Segment, { from, to }: Pick<Span, 'from' | 'to'>): string =>
  name.slice(tokens[from]?.start ?? 0, tokens[to - 1]?.end ?? 0);

/** A house's number in a name. `isTight`: nothing but blanks between it and the street. */
export type NumberBeside = {
  readonly house: HouseNumber;
  readonly isGlued: boolean;
  readonly isTight: boolean;
  readonly from: number;
  readonly to: number;
};

/** The number that begins at the token `at`, or behind a sign for "number" there. */
export const numberFrom = (segment: Segment, at: number): NumberBeside | undefined => {
  const { tokens, canBeHouse } = segment;
  const isSign = NUMBER_SIGNS.has(tokens[at]?.text ?? '') && canBeHouse[at + 1] === true;
  const from = isSign ? at + 1 : at;
  const found = canBeHouse[from] === true ? houseNumberAt(tokens, from) : undefined;
  if (found === undefined) return undefined;
  const isTight = isSign || /^[\s.,_]*$/.test(tokens[from]?.gap ?? '');
  // "97 K Hansen": a letter with a name behind it may be an initial, one at the end is the house's.
  const next = tokens[found.end];
  const isName = next !== undefined && /^\p{Lu}/u.test(segment.name.slice(next.start)) && !NOISE.has(next.text);
  const isGlued = found.isGlued || !isName || !/^[ ._]+$/.test(next.gap);
  return { house: found.house, isGlued, isTight, from, to: found.end };
};

/**
 * What stands right behind the number that begins at the token `from`, in the ways in which an address may have it as the letter of
 * its house and the number of its flat (`behindNumber`), the shortest first: "b", "b17", "b17photos".
 */
export const behindNumberAt = (segment: Segment, from: number): readonly string[] => {
  const behind: string[] = [];
  let words: readonly string[] = [];
  if (isCount(segment, from + 1)) return [];
  for (const token of segment.tokens.slice(from + 1, from + 1 + LONGEST_UNIT)) {
    const { text, gap } = token;
    if (!/^[\s.,_#–-]*$/.test(gap) || isInDate(segment, token)) break;
    // "Storgatan 12 i Umeå", "Storgatan 12 v 23": words, and no Roman numbers.
    if (/^[iv]$/.test(segment.name.slice(token.start, token.end)) && /\s/.test(gap)) break;
    words = [...words, text];
    behind.push(unitOf(words));
  }
  return behind;
};

/** Whether the token `at` says how many, or which of several: "3 bilder", "1 av 2". */
const isCount = ({ tokens }: Segment, at: number): boolean => {
  const [number, word] = [tokens[at], tokens[at + 1]];
  if (!number?.isNumber || number.text.length > 2 || !/^[\s,–-]+$/.test(number.gap) || word?.gap !== ' ') return false;
  return NOISE.has(word.text) || OF_WORDS.has(word.text);
};

const OF_WORDS: ReadonlySet<string> = new Set('av af of von van st stk'.split(' '));

/** Whether the token `at` is a number right behind the one before it, and no part of a date. */
export const isNumberBehind = (segment: Segment, at: number): boolean => {
  const token = segment.tokens[at];
  if (token === undefined || !token.isNumber || !/^[\s.,_#-]+$/.test(token.gap)) return false;
  return !isInDate(segment, token);
};

const isInDate = ({ dates }: Pick<Segment, 'dates'>, token: Token): boolean =>
  dates.some(({ start, end }) => token.start < end && token.end > start);

/** The number that ends right before the token `at`. */
export const numberUpTo = (segment: Segment, at: number): NumberBeside | undefined => {
  const { tokens, canBeHouse } = segment;
  const isTight = /^[\s,_]*$/.test(tokens[at]?.gap ?? '');
  for (const from of [at - 2, at - 1]) {
    const found = canBeHouse[from] === true ? houseNumberAt(tokens, from) : undefined;
    if (found?.end === at || (from === at - 1 && found !== undefined))
      return {
        house: found.end === at ? found.house : { number: tokens[from]?.text ?? '', letter: '', to: '' },
        // Between a number and its street a letter is no initial.
        isGlued: true,
        isTight,
        from,
        to: at,
      };
  }
  return undefined;
};
