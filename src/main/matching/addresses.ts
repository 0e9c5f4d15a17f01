/**
 * Parses the addresses of the assignments. How they are written is learnt from all of them: on which side of the street the number stands,
 * which words stand before a flat's number, whether "12-14" is a range or a house with a flat, and whether either of two numbers ("1510/48")
 * is enough to find a house.
 */
import { asRead, foldedWords, type Token, tokensOf } from './names.ts';
import { AND_WORDS, FLAT_WORDS, isFilling, NUMBER_SIGNS } from './words.ts';

export type Address = {
  /**
   * The words of the street's name, folded; several names if it is written in two languages, or if the house has a name instead of a
   * number ("The Old Rectory, Church Lane").
   */
  readonly names: readonly (readonly string[])[];
  /** Empty if the address has none. */
  readonly number: string;
  /** The last number of a range, else empty. */
  readonly to: string;
  /** The letter, staircase, floor and flat, in this order, without the words for them. */
  readonly behind: readonly string[];
  /** Whether `behind` starts with the letter of the house number. */
  readonly hasLetter: boolean;
  /** Whether a word stands before the flat's number: "lgh 9". */
  readonly isLabelled: boolean;
  /** Whether the number is written before the street. */
  readonly isFront: boolean;
};

/** How the addresses of a list are written. */
export type Conventions = {
  readonly isFront: boolean;
  /** Words before a flat's number. */
  readonly flatWords: ReadonlySet<string>;
  /** Words at the end of an address that tell flats apart: "tv", "esq". */
  readonly sides: ReadonlySet<string>;
  /** Words and letters that are parts of flats. */
  readonly parts: ReadonlySet<string>;
  /** First letters of the learnt flat words; `labels`: those of them that are never the letter of a house. */
  readonly initials: ReadonlySet<string>;
  readonly labels: ReadonlySet<string>;
  /** Whether "12-14" is a house and a flat in this list, never a range. */
  readonly isHyphenFlat: boolean;
  /** Whether either number of "1510/48" is enough to find the house. */
  readonly isSecondHouse: boolean;
};

/** An address as the service gives it. */
export type Written = { readonly Address: string; readonly City: string; readonly ZipCode?: string };

/** Longer numbers are those of jobs, not of houses. */
export const LONGEST_NUMBER = 5;
/** The most houses in a range: "12-2026" is none. */
export const MOST_HOUSES = 60;
/** In how many streets a way of writing has to be seen before it counts. */
const ENOUGH = 3;

/** Other spellings of parts of an address: Roman numbers, and the French and Dutch words that replace letters. */
const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ...['i', 'ii', 'iii', 'iv', 'v', 'vi'].map((roman, at) => [roman, String(at + 1)] as const),
  ...Object.entries({ bis: 'b', ter: 't', quater: 'q', huis: 'hs' }),
]);

/** `word` in the spelling in which parts behind a number are compared. */
export const spelled = (word: string): string => SPELLINGS.get(word) ?? word;

const isHouse = ({ isNumber, text }: Token): boolean => isNumber && text.length <= LONGEST_NUMBER;
const isLetter = ({ isNumber, text }: Token | undefined = NO_TOKEN): boolean =>
  !isNumber && (/^[a-z]$/.test(text) || ['bis', 'ter', 'quater'].includes(text));
const NO_TOKEN: Token = { text: '', isNumber: false, start: 0, end: 0, gap: ' ' };
/** "th" in "19th": the number belongs to the name of the street. */
const isOrdinal = ({ text, gap }: Token | undefined = NO_TOKEN): boolean =>
  gap === '' && /^(th|st|nd|rd|er|eme|ieme)$/.test(text);
/** "OG" in "2. OG links": a short word between a floor and its side. */
const isOrdinalSign = ({ isNumber, text }: Token): boolean => !isNumber && text.length <= 2;
const startsPart = ({ gap }: Token): boolean => /[,;\n·|]/.test(gap);

/** The tokens of an address, without the city and the code that some addresses repeat. */
export const tokensOfAddress = ({ Address, City, ZipCode = '' }: Written): readonly Token[] => {
  const lower = Address.toLowerCase();
  const written = tokensOf(asRead(Address));
  // "Calle Mayor, nº 4"
  let tokens = written.filter((token, at) => {
    const next = written[at + 1];
    const isSign = at > 0 && next?.isNumber === true && NUMBER_SIGNS.has(token.text);
    return !(isSign && (token.text.length > 1 || /[º°.]/.test(next.gap)));
  });
  const without = (words: readonly string[], isPlace: (from: number, to: number) => boolean): void => {
    if (words.length === 0) return;
    for (let from = tokens.length - words.length; from > 0; from -= 1)
      if (words.every((word, at) => tokens[from + at]?.text === word) && isPlace(from, from + words.length)) {
        tokens = [...tokens.slice(0, from), ...tokens.slice(from + words.length)];
        return;
      }
  };
  // Few addresses repeat them, so most of them need no tokens of their city.
  const has = (text: string): boolean => lower.includes(text.toLowerCase());
  if (ZipCode.length > 3 && has(ZipCode)) without(foldedWords(ZipCode), () => true);
  const isEnd = (from: number, to: number): boolean => {
    const first = tokens[from];
    return first !== undefined && (startsPart(first) || (to === tokens.length && tokens.slice(0, from).some(isHouse)));
  };
  if (City !== '' && has(City)) without(foldedWords(City), isEnd);
  return tokens;
};

/** Indexes of the number and of its street, from `from` to `to`. */
type Reading = { readonly number: number; readonly from: number; readonly to: number };

/** Finds a number behind its street, if only a flat follows. */
const readBack = (tokens: readonly Token[], { flatWords, sides }: Conventions): Reading | undefined => {
  const saysFlat = ({ isNumber, text }: Token): boolean =>
    isNumber ||
    text.length <= 2 ||
    flatWords.has(text) ||
    sides.has(text) ||
    SPELLINGS.has(text) ||
    AND_WORDS.has(text);
  for (const [at, token] of tokens.entries()) {
    const before = tokens[at - 1];
    if (!isHouse(token) || before === undefined || isOrdinal(tokens[at + 1])) continue;
    if (!before.isNumber && flatWords.has(before.text) && before.text.length > 1) continue;
    // The street is in the same part, or in the one before: "Rua Direita, 100".
    const starts = tokens.flatMap((one, place) => (place <= at && (place === 0 || startsPart(one)) ? [place] : []));
    const from = starts.findLast((start) => start < at) ?? 0;
    if (!tokens.slice(from, at).some(({ isNumber, text }) => !isNumber && text.length > 1 && !flatWords.has(text)))
      continue;
    const behind = tokens.slice(at + 1);
    const district = behind.findIndex((one) => startsPart(one) && !saysFlat(one));
    if (behind.slice(0, district < 0 ? undefined : district).every(saysFlat)) return { number: at, from, to: at };
  }
  return undefined;
};

/** Finds a number before its street, if only a flat precedes it. */
const readFront = (tokens: readonly Token[], { flatWords }: Conventions): Reading | undefined => {
  const saysFlat = ({ isNumber, text }: Token): boolean => isNumber || text.length === 1 || flatWords.has(text);
  const isFlatAt = (at: number): boolean => {
    const [word, next] = [tokens[at], tokens[at + 1]];
    return word !== undefined && flatWords.has(word.text) && next !== undefined && saysFlat(next);
  };
  /** Where the street behind the number at `at` starts. */
  const streetFrom = (at: number): number => {
    const letter = tokens[at + 1];
    if (!isLetter(letter)) return at + 1;
    // "2210 E 14th St", "33 R. Saint Nicolas": a letter apart from its number belongs to the street, unless it is one of the first.
    const isApart = letter?.gap !== '' && letter?.text.length === 1;
    const isHouseLetter = /^[a-dfgh]$/.test(letter?.text ?? '') && !tokens[at + 2]?.gap.startsWith('.');
    return isApart && !isHouseLetter ? at + 1 : at + 2;
  };
  const isStreetAt = (from: number, isAlone: boolean): boolean => {
    const [first, next] = [tokens[from], tokens[from + 1]];
    if (first === undefined || isOrdinal(first) || (first.isNumber && !isOrdinal(next))) return false;
    // "11, Place du Marché": a comma separates them if the number stands alone.
    return (!startsPart(first) || isAlone) && !(first.text.length > 1 && isFlatAt(from));
  };
  for (const [at, token] of tokens.entries()) {
    const part = tokens.findLastIndex((one, place) => place <= at && (place === 0 || startsPart(one)));
    if (!isHouse(token) || !tokens.slice(part, at).every(saysFlat)) continue;
    const from = streetFrom(at);
    if (!isStreetAt(from, at === part)) continue;
    const isEnd = (one: Token, place: number): boolean =>
      place > from && (startsPart(one) || one.gap.includes('#') || isFlatAt(place));
    const end = tokens.findIndex(isEnd);
    const to = end < 0 ? tokens.length : end;
    if (tokens.slice(from, to).some(({ isNumber, text }) => isNumber || text.length > 1))
      return { number: at, from, to };
  }
  return undefined;
};

/** The names of a street: two if it is written in two languages ("Rue Neuve - Nieuwstraat"). */
const namesIn = (tokens: readonly Token[]): readonly (readonly string[])[] => {
  const names: string[][] = [[]];
  for (const [at, { text, gap, isNumber }] of tokens.entries()) {
    const isBetween = at > 0 && !isNumber && tokens[at - 1]?.isNumber === false && /\/|\s[-–]\s/.test(gap);
    if (isBetween) names.push([]);
    names.at(-1)?.push(text);
  }
  return names;
};

/** The letter, floor and flat among `tokens`, without the words for them. */
const itemsIn = (tokens: readonly Token[], { flatWords, sides, labels }: Conventions): readonly string[] =>
  tokens.flatMap(({ text, isNumber }, at) => {
    // "st 21" and "st. th": a word is only one for the flat beside a number or a letter.
    const isBeside = [tokens[at - 1], tokens[at + 1]].some((one) => one?.isNumber || one?.text.length === 1);
    const isLabel =
      !sides.has(text) &&
      ((flatWords.has(text) && (isBeside || text.length > 2)) || (isFilling(text) && text.length > 1));
    // "b12" where others have "bus 12"
    const isInitial = labels.has(text) && tokens[at + 1]?.isNumber === true && tokens[at + 1]?.gap === '';
    // "m. 8" where others have "/8"
    const isLetterLabel =
      text.length === 1 && tokens[at + 1]?.isNumber === true && tokens[at + 1]?.gap.startsWith('.') === true;
    return isNumber || !(isLabel || isInitial || isLetterLabel) ? [spelled(text)] : [];
  });

const isRange = (first: Token, second: Token | undefined, { isHyphenFlat }: Conventions): boolean => {
  if (second === undefined || !isHouse(second) || isHyphenFlat || !/^\s*[-–]\s*$/.test(second.gap)) return false;
  const houses = Number(second.text) - Number(first.text);
  return houses > 0 && houses <= MOST_HOUSES;
};

/** Reads the address with these `tokens` as `conventions` say; undefined without any word. */
export const readAddress = (tokens: readonly Token[], conventions: Conventions): Address | undefined => {
  const [back, front] = [readBack(tokens, conventions), readFront(tokens, conventions)];
  const reading = conventions.isFront ? (front ?? back) : (back ?? front);
  if (reading === undefined) return withoutNumber(tokens);
  return reading === back ? numberedBack(tokens, reading, conventions) : numberedFront(tokens, reading, conventions);
};

const numberedBack = (
  tokens: readonly Token[],
  { number: at, from, to }: Reading,
  conventions: Conventions,
): Address => {
  const { flatWords } = conventions;
  const [number, last] = [tokens[at] ?? NO_TOKEN, tokens[at + 1]];
  const isTo = isRange(number, last, conventions);
  const rest = tokens.slice(at + (isTo ? 2 : 1));
  const isDistrict = (one: Token): boolean =>
    startsPart(one) && !one.isNumber && one.text.length > 4 && !flatWords.has(one.text);
  const district = rest.findIndex(isDistrict);
  const behind = itemsIn(rest.slice(0, district < 0 ? undefined : district), conventions);
  const [letter, next] = rest;
  // "29C, 2. mf", but "4 B 17".
  const isOwn = !next?.isNumber || (letter?.gap === '' && startsPart(next));
  return {
    ...{ names: namesIn(tokens.slice(from, to)), number: number.text, to: isTo ? (last?.text ?? '') : '', behind },
    hasLetter: isLetter(letter) && !/,/.test(letter?.gap ?? '') && isOwn,
    isLabelled: letter !== undefined && !letter.isNumber && next !== undefined && flatWords.has(letter.text),
    isFront: false,
  };
};

const numberedFront = (
  tokens: readonly Token[],
  { number: at, from, to }: Reading,
  conventions: Conventions,
): Address => {
  const [first, number] = [tokens[at - 1], tokens[at] ?? NO_TOKEN];
  const isTo = first !== undefined && isHouse(first) && isRange(first, number, conventions);
  const letter = tokens.slice(at + 1, from);
  const flat = [...tokens.slice(0, isTo ? at - 1 : at), ...tokens.slice(to)];
  return {
    ...{ names: namesIn(tokens.slice(from, to)), number: isTo ? first.text : number.text, to: isTo ? number.text : '' },
    behind: [...letter.map(({ text }) => spelled(text)), ...itemsIn(flat, conventions)],
    ...{ hasLetter: letter.length > 0, isLabelled: flat.some(({ text }) => conventions.flatWords.has(text)) },
    isFront: true,
  };
};

/** A house that has a name instead of a number, or nothing but a street. */
const withoutNumber = (tokens: readonly Token[]): Address | undefined => {
  const parts: Token[][] = [];
  for (const token of tokens) {
    if (parts.length === 0 || startsPart(token)) parts.push([]);
    parts.at(-1)?.push(token);
  }
  const names = parts.map((part) => part.map(({ text }) => text)).filter((words) => /\p{L}{2}/u.test(words.join('')));
  return names.length === 0
    ? undefined
    : { names, ...{ number: '', to: '', behind: [], hasLetter: false, isLabelled: false, isFront: false } };
};

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;

type Pair = readonly [word: string, street: string];

/** Words with the streets in whose addresses they were seen, of which a few are enough. */
const createSeen = () => {
  const seen = new Map<string, Set<string>>();
  return {
    add: ([word, street]: Pair): void => {
      const streets = seen.get(word) ?? new Set();
      if (streets.size < ENOUGH) seen.set(word, streets.add(street));
    },
    words: (): readonly string[] => [...seen].flatMap(([word, streets]) => (streets.size >= ENOUGH ? [word] : [])),
  };
};

/** Words that end a part of an address, or stand before its only number. They are no words for flats. */
const endsIn = (tokens: readonly Token[]): readonly Pair[] => {
  const textAt = (at: number): string => tokens.at(at)?.text ?? '';
  const numbers = tokens.flatMap(({ isNumber }, at) => (isNumber ? [at] : []));
  const closing = tokens.flatMap((token, at): readonly Pair[] =>
    at > 0 && !token.isNumber && startsPart(token) ? [[textAt(at - 1), at > 1 ? textAt(at - 2) : '']] : [],
  );
  const [only = 0] = numbers;
  const before: readonly Pair[] = numbers.length === 1 && only > 0 ? [[textAt(only - 1), textAt(0)]] : [];
  return [[textAt(-1), textAt(-2)], ...closing, ...before];
};

const isStreetWord = ({ isNumber, text }: Token): boolean => !isNumber && text.length > 2;

/** The words before a number or letter that is not the house's: "Flat 7, 4 Monmouth Road", "Jakobstraße 31 Stiege 4". */
const labelsIn = (tokens: readonly Token[], house: number, isHead: boolean): readonly Pair[] =>
  tokens.flatMap((token, at): readonly Pair[] => {
    const [last, next, third] = [tokens[at - 1], tokens[at + 1], tokens[3]];
    const isPart = token.isNumber || token.text.length === 1;
    if (last === undefined || last.isNumber || !isPart || token.gap.includes('#')) return [];
    const isBefore = at === 1 && tokens[2]?.isNumber && third !== undefined && isStreetWord(third);
    if (isBefore) return FLAT_WORDS.has(third.text) ? [] : [[last.text, third.text]];
    const isLast = isLetter(next) && tokens[at + 2] === undefined;
    const isEnd = next === undefined || startsPart(next) || FLAT_WORDS.has(next.text) || isLast;
    // Between the first number and this one, or before the first, is the street.
    const street = (isHead ? tokens.slice(house + 1, at - 1) : tokens.slice(0, house)).find(isStreetWord);
    const isLabel = at > house + 1 && isEnd && street !== undefined && street.text !== last.text;
    return isLabel ? [[last.text, street.text]] : [];
  });

/** The last word of an address, if it stands behind the number of a floor: "3. tv". */
const sidesIn = (tokens: readonly Token[], house: number): readonly Pair[] => {
  const [end, before] = [tokens.at(-1), tokens.at(-2)];
  if (end === undefined || end.isNumber || before === undefined) return [];
  const isBehindFloor = before.isNumber || FLAT_WORDS.has(before.text) || isOrdinalSign(before);
  const hasFloor = tokens.slice(house + 1).some(({ isNumber }) => isNumber);
  return isBehindFloor && hasFloor ? [[end.text, tokens[0]?.text ?? '']] : [];
};

/** The letters that stand by themselves, as that of a house or staircase. */
const lettersIn = (tokens: readonly Token[], house: number): readonly string[] =>
  tokens.flatMap(({ text, isNumber }, at) => {
    const next = tokens[at + 1];
    const isLabel = next?.isNumber && /^\.?$/.test(next.gap);
    return at > house && !isNumber && text.length === 1 && !isLabel ? [text] : [];
  });

/** How many numbers are joined with hyphens, and in how many of these pairs both can be houses. */
const hyphensIn = (all: readonly (readonly Token[])[]) => {
  const pairs = all.flatMap((tokens) =>
    tokens.flatMap(({ text, isNumber, gap }, at) => {
      const last = tokens[at - 1];
      return isNumber && last?.isNumber && /^\s*[-–]\s*$/.test(gap) ? [Number(text) - Number(last.text)] : [];
    }),
  );
  return { all: pairs.length, rising: pairs.filter((houses) => houses > 0 && houses <= MOST_HOUSES).length };
};

const countOf = (all: readonly string[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1);
  return counts;
};

/** How most of the addresses in `all` are written. `tokenized`: their tokens. */
export const learnConventions = (all: readonly Written[], tokenized: readonly (readonly Token[])[]): Conventions => {
  const [ending, before, behind] = [createSeen(), createSeen(), createSeen()];
  const [announcing, single]: [string[], string[]] = [[], []];
  for (const tokens of tokenized) {
    const house = tokens.findIndex(isHouse);
    const isHead = tokens.slice(0, house).every(({ isNumber }) => isNumber);
    for (const pair of endsIn(tokens)) ending.add(pair);
    for (const pair of labelsIn(tokens, house, isHead)) {
      before.add(pair);
      if (pair[0].length === 1) announcing.push(pair[0]);
    }
    for (const pair of isHead ? [] : sidesIn(tokens, house)) behind.add(pair);
    single.push(...lettersIn(tokens, house));
  }
  const ends = new Set(ending.words());
  const [letters, own, hyphens] = [countOf(announcing), countOf(single), hyphensIn(tokenized)];
  const isUsual = (word: string): boolean => word.length > 1 || (letters.get(word) ?? 0) > 0.8 * announcing.length;
  const labels = before.words().filter((word) => !ends.has(word) && isUsual(word));
  const flatWords = new Set([...FLAT_WORDS, ...labels]);
  const initials = labels.map((word) => word[0] ?? '');
  const conventions: Conventions = {
    ...{ isFront: false, isSecondHouse: false, flatWords, parts: new Set() },
    initials: new Set(initials),
    labels: new Set(initials.filter((letter) => (own.get(letter) ?? 0) < ENOUGH)),
    sides: new Set(behind.words().filter((word) => !flatWords.has(word))),
    isHyphenFlat: hyphens.all - hyphens.rising > hyphens.all / 5,
  };
  return { ...conventions, ...learnNumbers(all, tokenized, conventions) };
};

/** On which side of the street most numbers stand, and whether houses have two. */
const learnNumbers = (
  all: readonly Written[],
  tokenized: readonly (readonly Token[])[],
  conventions: Conventions,
): Pick<Conventions, 'isFront' | 'isSecondHouse'> => {
  let [front, back] = [0, 0];
  const pairs: (readonly [street: string, first: number, second: number])[] = [];
  for (const [at, tokens] of tokenized.entries()) {
    const [inBack, inFront] = [readBack(tokens, conventions), readFront(tokens, conventions)];
    if (inFront !== undefined && inBack === undefined) front += 1;
    if (inBack !== undefined && inFront === undefined) back += 1;
    const [one, other] = [tokens[inBack?.number ?? -1], tokens[(inBack?.number ?? -2) + 1]];
    if (one !== undefined && other?.isNumber && other.gap === '/')
      pairs.push([`${tokens[0]?.text} ${tokens[1]?.text} ${all[at]?.City}`, Number(one.text), Number(other.text)]);
  }
  return { isFront: front > back, isSecondHouse: isSecondHouse(pairs) };
};

/** Whether pairs of numbers are two numbers of one house, not a house and its flats: the first is large, and has only one second. */
const isSecondHouse = (pairs: readonly (readonly [string, number, number])[]): boolean => {
  if (pairs.length < 20) return false;
  const seconds = Map.groupBy(pairs, ([street, first]) => `${street} ${first}`);
  const several = [...seconds.values()].filter((same) => new Set(same.map(([, , second]) => second)).size > 1).length;
  const [first, second] = [median(pairs.map(([, one]) => one)), median(pairs.map(([, , other]) => other))];
  return several < seconds.size / 20 && first > 150 && first > 5 * second;
};
