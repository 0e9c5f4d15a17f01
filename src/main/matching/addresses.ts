/**
 * Takes the addresses of the assignments apart. How they are written is learnt from all of them: on which side of the street the number
 * stands, which words stand before a flat's number, whether "12-14" are two houses or a house and its flat, and whether the second of
 * two numbers is the house's as well. Texts in, parts out.
 */
import { asRead, foldedWords, type Token, tokensOf } from './names.ts';
import { AND_WORDS, FLAT_WORDS, isFilling, NUMBER_SIGNS } from './words.ts';

export type Address = {
  /**
   * The words of the street's name, folded; several names if it is written in two languages, or if the house has a name instead of a
   * number ("The Old Rectory, Church Lane").
   */
  readonly names: readonly (readonly string[])[];
  /** Empty without one. */
  readonly number: string;
  /** The last number of a range. */
  readonly to: string;
  /** What else tells the house: its letter, and its staircase, floor and flat, in order and without the words for them. */
  readonly behind: readonly string[];
  /** Whether the first of `behind` is the letter of the number. */
  readonly hasLetter: boolean;
  /** Whether a word announces the flat: "lgh 9". */
  readonly isLabelled: boolean;
  /** Whether the number is written before the street. */
  readonly isFront: boolean;
};

/** How the addresses of a list are written. */
export type Conventions = {
  readonly isFront: boolean;
  /** Stand before a flat's number. */
  readonly flatWords: ReadonlySet<string>;
  /** Close an address behind a flat's number, and tell flats apart: "tv", "esq". */
  readonly sides: ReadonlySet<string>;
  /** Words and letters that are parts of flats. */
  readonly parts: ReadonlySet<string>;
  /** The letters that the words of this list before a flat's number begin with; `labels`: those that no house has as its own. */
  readonly initials: ReadonlySet<string>;
  readonly labels: ReadonlySet<string>;
  /** Whether "12-14" can only be a house and its flat. */
  readonly isHyphenFlat: boolean;
  /** Whether the second number of "1510/48" tells the house just as well as both. */
  readonly isSecondHouse: boolean;
};

/** An address as the service gives it. */
export type Written = { readonly Address: string; readonly City: string; readonly ZipCode?: string };

/** Longer numbers are those of jobs, not of houses. */
export const LONGEST_NUMBER = 5;
/** Beyond this, "12-2026" is a number and something else. */
export const MOST_HOUSES = 60;
/** As many different streets have to show a way of writing before it counts. */
const ENOUGH = 3;

/** French numbers between two others, and Roman ones: what is also written for them. */
const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ...['i', 'ii', 'iii', 'iv', 'v', 'vi'].map((roman, at) => [roman, String(at + 1)] as const),
  ...Object.entries({ bis: 'b', ter: 't', quater: 'q', huis: 'hs' }),
]);

/** `word` as it is compared as a part of what stands behind a number. */
export const spelled = (word: string): string => SPELLINGS.get(word) ?? word;

const isHouse = ({ isNumber, text }: Token): boolean => isNumber && text.length <= LONGEST_NUMBER;
const isLetter = ({ isNumber, text }: Token | undefined = NO_TOKEN): boolean =>
  !isNumber && (/^[a-z]$/.test(text) || ['bis', 'ter', 'quater'].includes(text));
const NO_TOKEN: Token = { text: '', isNumber: false, start: 0, end: 0, gap: ' ' };
/** "19th": a number that is part of a name. */
const isOrdinal = ({ text, gap }: Token | undefined = NO_TOKEN): boolean =>
  gap === '' && /^(th|st|nd|rd|er|eme|ieme)$/.test(text);
/** "2. OG links": a short word between a floor and its side. */
const isOrdinalSign = ({ isNumber, text }: Token): boolean => !isNumber && text.length <= 2;
const startsPart = ({ gap }: Token): boolean => /[,;\n·|]/.test(gap);

/** The tokens of each address of a list, which are read twice. */
export type Tokens = ReadonlyMap<Written, readonly Token[]>;

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
  // Few addresses repeat them, and taking texts apart takes time.
  const has = (text: string): boolean => lower.includes(text.toLowerCase());
  if (ZipCode.length > 3 && has(ZipCode)) without(foldedWords(ZipCode), () => true);
  const isEnd = (from: number, to: number): boolean => {
    const first = tokens[from];
    return first !== undefined && (startsPart(first) || (to === tokens.length && tokens.slice(0, from).some(isHouse)));
  };
  if (City !== '' && has(City)) without(foldedWords(City), isEnd);
  return tokens;
};

/** Where a reading of an address finds the number, and its street. */
type Reading = { readonly number: number; readonly from: number; readonly to: number };

/** The number behind its street: nothing but a flat stands behind it. */
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

/** The number before its street; before it stands nothing but a flat. */
const readFront = (tokens: readonly Token[], { flatWords }: Conventions): Reading | undefined => {
  for (const [at, token] of tokens.entries()) {
    if (!isHouse(token)) continue;
    const part = tokens.findLastIndex((one, place) => place <= at && (place === 0 || startsPart(one)));
    const saysFlat = ({ isNumber, text }: Token): boolean => isNumber || text.length === 1 || flatWords.has(text);
    if (!tokens.slice(part, at).every(saysFlat)) continue;
    const letter = tokens[at + 1];
    // "2210 E 14th St", "33 R. Saint Nicolas": a letter apart from its number belongs to the street, unless it is one of the first.
    const isApart = letter?.gap !== '' && letter?.text.length === 1;
    const isOwn =
      isLetter(letter) && !(isApart && (!/^[a-dfgh]$/.test(letter.text) || tokens[at + 2]?.gap.startsWith('.')));
    const from = at + (isOwn ? 2 : 1);
    const first = tokens[from];
    // "11, Place du Marché": a comma parts them if the number stands alone.
    if (
      first === undefined ||
      (first.isNumber && !isOrdinal(tokens[from + 1])) ||
      (startsPart(first) && at !== part) ||
      isOrdinal(first)
    )
      continue;
    if (flatWords.has(first.text) && first.text.length > 1 && saysFlat(tokens[from + 1] ?? NO_TOKEN)) continue;
    const isEnd = (one: Token, place: number): boolean =>
      place > from &&
      (startsPart(one) ||
        one.gap.includes('#') ||
        (flatWords.has(one.text) && saysFlat(tokens[place + 1] ?? NO_TOKEN) && place + 1 < tokens.length));
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
  const { number: at, from, to } = reading;
  const number = tokens[at] ?? NO_TOKEN;
  const names = namesIn(tokens.slice(from, to));
  const { flatWords } = conventions;
  if (reading === back) {
    const isTo = isRange(number, tokens[at + 1], conventions);
    const behind = tokens.slice(at + (isTo ? 2 : 1));
    const district = behind.findIndex(
      (one) => startsPart(one) && !one.isNumber && one.text.length > 4 && !flatWords.has(one.text),
    );
    const isLabelled =
      behind[0] !== undefined && !behind[0].isNumber && behind[1] !== undefined && flatWords.has(behind[0].text);
    return {
      ...{ isLabelled, names, number: number.text, to: isTo ? (tokens[at + 1]?.text ?? '') : '', isFront: false },
      behind: itemsIn(behind.slice(0, district < 0 ? undefined : district), conventions),
      hasLetter:
        isLetter(behind[0]) &&
        !/,/.test(behind[0]?.gap ?? '') &&
        // "29C, 2. mf", but "4 B 17".
        (!behind[1]?.isNumber || (behind[0]?.gap === '' && startsPart(behind[1]))),
    };
  }
  const first = tokens[at - 1];
  const isTo = first !== undefined && isHouse(first) && isRange(first, number, conventions);
  const letter = tokens.slice(at + 1, from);
  const flat = [...tokens.slice(0, isTo ? at - 1 : at), ...tokens.slice(to)];
  return {
    isLabelled: flat.some(({ text }) => flatWords.has(text)),
    ...{ names, number: isTo ? first.text : number.text, to: isTo ? number.text : '', isFront: true },
    behind: [...letter.map(({ text }) => spelled(text)), ...itemsIn(flat, conventions)],
    hasLetter: letter.length > 0,
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

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;

/** How most of the addresses in `all` are written. */
export const learnConventions = (all: Tokens): Conventions => {
  const [before, behind, ending] = [
    new Map<string, Set<string>>(),
    new Map<string, Set<string>>(),
    new Map<string, Set<string>>(),
  ];
  const see = (seen: Map<string, Set<string>>, word: string, street: string): void => {
    const streets = seen.get(word) ?? new Set();
    if (streets.size < ENOUGH) seen.set(word, streets.add(street));
  };
  const seenIn = (seen: Map<string, Set<string>>): readonly string[] =>
    [...seen].flatMap(([word, streets]) => (streets.size >= ENOUGH ? [word] : []));
  const letters = new Map<string, number>();
  /** How often a letter stands by itself, as that of a house or staircase. */
  const own = new Map<string, number>();
  let [hyphens, rising] = [0, 0];
  for (const tokens of all.values()) {
    see(ending, tokens.at(-1)?.text ?? '', tokens.at(-2)?.text ?? '');
    // What stands before the only number is no word for a flat.
    const numbers = tokens.flatMap(({ isNumber }, at) => (isNumber ? [at] : []));
    if (numbers.length === 1) see(ending, tokens[(numbers[0] ?? 0) - 1]?.text ?? '', tokens[0]?.text ?? '');
    const firstNumber = tokens.findIndex(isHouse);
    for (const [at, { text, isNumber }] of tokens.entries())
      if (
        at > firstNumber &&
        !isNumber &&
        text.length === 1 &&
        !(tokens[at + 1]?.isNumber && /^\.?$/.test(tokens[at + 1]?.gap ?? ''))
      )
        own.set(text, (own.get(text) ?? 0) + 1);
    const isHead = tokens.slice(0, firstNumber).every(({ isNumber }) => isNumber);
    for (const [at, token] of tokens.entries()) {
      const [last, next] = [tokens[at - 1], tokens[at + 1]];
      if (last !== undefined && !token.isNumber && startsPart(token))
        see(ending, last.text, tokens[at - 2]?.text ?? '');
      if (
        (!token.isNumber && !(token.text.length === 1 && !last?.isNumber)) ||
        last === undefined ||
        token.gap.includes('#')
      )
        continue;
      const isEnd =
        next === undefined ||
        startsPart(next) ||
        FLAT_WORDS.has(next.text) ||
        (isLetter(next) && tokens[at + 2] === undefined);
      if (last.isNumber && /^\s*[-–]\s*$/.test(token.gap)) {
        hyphens += 1;
        const houses = Number(token.text) - Number(last.text);
        if (houses > 0 && houses <= MOST_HOUSES) rising += 1;
      }
      // "12 Almond Avenue Ste 4", "Jakobstraße 31 Stiege 4": between the first number and this one, or before the first, is the street.
      const inner = isHead ? tokens.slice(firstNumber + 1, at - 1) : tokens.slice(0, firstNumber);
      const street = inner.find(({ isNumber, text }) => !isNumber && text.length > 2);
      if (at > firstNumber + 1 && !last.isNumber && isEnd && street !== undefined && street.text !== last.text) {
        see(before, last.text, street.text);
        if (last.text.length === 1) letters.set(last.text, (letters.get(last.text) ?? 0) + 1);
      }
      // "Flat 7, 4 Monmouth Road"
      const third = tokens[3];
      if (
        at === 1 &&
        !last.isNumber &&
        tokens[2]?.isNumber &&
        third &&
        !third.isNumber &&
        third.text.length > 2 &&
        !FLAT_WORDS.has(third.text)
      )
        see(before, last.text, third.text);
      // "3. tv": what closes an address behind the number of a floor.
      if (
        token.isNumber &&
        at > firstNumber &&
        next !== undefined &&
        !next.isNumber &&
        tokens.length === at + 2 &&
        street !== undefined &&
        !isHead
      )
        see(behind, next.text, street.text);
    }
    const [end, beforeEnd] = [tokens.at(-1), tokens.at(-2)];
    const isBehindFloor =
      beforeEnd !== undefined &&
      (beforeEnd.isNumber || FLAT_WORDS.has(beforeEnd.text) || isOrdinalSign(beforeEnd)) &&
      tokens.slice(firstNumber + 1).some(({ isNumber }) => isNumber);
    if (end !== undefined && !end.isNumber && !isHead && isBehindFloor) see(behind, end.text, tokens[0]?.text ?? '');
  }
  const ends = new Set(seenIn(ending));
  const labels = seenIn(before).filter(
    (word) => !ends.has(word) && (word.length > 1 || (letters.get(word) ?? 0) > 0.8 * sumOf([...letters.values()])),
  );
  const flatWords = new Set([...FLAT_WORDS, ...labels]);
  const conventions: Conventions = {
    isFront: false,
    isSecondHouse: false,
    flatWords,
    parts: new Set(),
    initials: new Set(labels.map((word) => word[0] ?? '')),
    labels: new Set(labels.flatMap((word) => ((own.get(word[0] ?? '') ?? 0) < ENOUGH ? [word[0] ?? ''] : []))),
    sides: new Set(seenIn(behind).filter((word) => !flatWords.has(word))),
    isHyphenFlat: hyphens - rising > hyphens / 5,
  };
  let [front, back] = [0, 0];
  const pairs: (readonly [street: string, first: number, second: number])[] = [];
  for (const [written, tokens] of all) {
    const [inBack, inFront] = [readBack(tokens, conventions), readFront(tokens, conventions)];
    if (inFront !== undefined && inBack === undefined) front += 1;
    if (inBack !== undefined && inFront === undefined) back += 1;
    const [one, other] = [tokens[inBack?.number ?? -1], tokens[(inBack?.number ?? -2) + 1]];
    if (one !== undefined && other?.isNumber && other.gap === '/')
      pairs.push([`${tokens[0]?.text} ${tokens[1]?.text} ${written.City}`, Number(one.text), Number(other.text)]);
  }
  return { ...conventions, isFront: front > back, isSecondHouse: isSecondHouse(pairs) };
};

/** Houses with two numbers: the first is large and never has several seconds, as those of a house with flats would be. */
const isSecondHouse = (pairs: readonly (readonly [string, number, number])[]): boolean => {
  if (pairs.length < 20) return false;
  const seconds = Map.groupBy(pairs, ([street, first]) => `${street} ${first}`);
  const several = [...seconds.values()].filter((same) => new Set(same.map(([, , second]) => second)).size > 1).length;
  const [first, second] = [median(pairs.map(([, one]) => one)), median(pairs.map(([, , other]) => other))];
  return several < seconds.size / 20 && first > 150 && first > 5 * second;
};
