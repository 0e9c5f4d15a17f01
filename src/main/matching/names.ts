/**
 * Splits names for matching into words and numbers without case and accents, finds the dates and guids among them, and
 * compares words. Tokens keep their positions, so that reasons can quote the words of a name.
 */

/**
 * Wraps `make` in a cache: arguments with the same `keyOf` share a result. The cache is emptied when it has `most`
 * entries. Undefined results are not cached.
 */
export const remembered = <From, Made>(
  make: (from: From) => Made,
  keyOf: (from: From) => unknown = (from) => from,
  most = 50_000,
): ((from: From) => Made) => {
  const known = new Map<unknown, Made>();
  return (from) => {
    const key = keyOf(from);
    const before = known.get(key);
    if (before !== undefined) return before;
    if (known.size >= most) known.clear();
    const made = make(from);
    known.set(key, made);
    return made;
  };
};

export const addTo = <Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void => {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
};

const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

const asRead = (text: string): string => (/^[ -~]*$/.test(text) ? text : text.normalize('NFC').replaceAll(UNSEEN, ''));

const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  đ: 'd',
  ı: 'i',
  ħ: 'h',
};

/** Returns `text` in lower case, without accents and apostrophes: `Bjørnstads` becomes `bjornstads`. */
const plain = (text: string): string => {
  if (/^[\w .,-]*$/.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(/[\p{M}'’´`]/gu, '')
    .toLowerCase()
    .replace(/[ßæœøðþłđıħ]/g, (letter) => LETTERS[letter] ?? letter);
};

/**
 * Converts `text` to a key for comparisons: in lower case, without accents. The pairs aa, ae and oe, and ue before
 * another letter, become their first letter. So å, aa and a are equal, and so are ö, oe and o.
 */
export const folded = (text: string): string => plain(text).replace(/a[ae]|oe|ue(?=[a-z])/g, (pair) => pair[0] ?? pair);

/** The tokens from index `from` up to, but not including, `to`. */
export type Span = { readonly from: number; readonly to: number };

export type Token = {
  /** The folded word, or the digits of a number without leading zeros. */
  readonly text: string;
  /** The token as it is written in the name, at the index `start`. */
  readonly written: string;
  readonly start: number;
  readonly isNumber: boolean;
  /**
   * The text between the previous token and this one, with blanks instead of underscores. It begins with `START` if the
   * token is the first of a name.
   */
  readonly gap: string;
  readonly isDate: boolean;
  readonly isYear: boolean;
  readonly isGuid: boolean;
};

/** Marks the start of a name in `gap`. Names never contain this character. */
export const START = '\0';

/** The maximum number of characters of a name that are split into tokens. Guids are found in the whole name. */
const MOST_CHARACTERS = 300;
const MOST_TOKENS = 32;

/**
 * Matches a token. A word ends before a digit, before a capital that follows a lower-case letter, and after two or more
 * capitals. Ordinal signs are not part of tokens. A short form with a hyphen is one word: "пр-д".
 */
const TOKEN =
  /(?<![\p{L}\p{N}\-])\p{L}{2,3}-(?:\p{Ll}{1,2}|(?<=\p{Lu}-)\p{Lu}{1,2})(?![\p{L}\p{N}\-])|\p{Lu}\.\p{Ll}+(?!\p{L})|(?<![\p{L}\p{N}])\p{Ll}\.\p{Ll}{2,3}(?![\p{L}.])|\p{N}+|\p{Lu}?(?:[[\p{Ll}\p{Lo}\p{Lm}\p{M}]--[ºª]]|['’´](?!\p{Ll}{3}))+|[\p{Lu}\p{Lt}](?:[\p{Lu}\p{M}'’´]*)/gv;

/**
 * Folds a word, or removes the leading zeros of a number. Cached, because names and addresses share most of their
 * words.
 */
const wordOf = remembered((found: string): Pick<Token, 'text' | 'isNumber'> => {
  const isNumber = /^\p{N}/u.test(found);
  const text = isNumber ? found.normalize('NFKC').replace(/^0+(?=.)/, '') : folded(found.replace(/[.-]/, ''));
  return { text, isNumber };
});

/** Splits a name or an address into tokens. Dates and guids are only marked by `segmentOf`. */
export const tokensOf = (given: string): readonly Token[] => {
  const name = asRead(given).slice(0, MOST_CHARACTERS);
  const tokens: Token[] = [];
  let before = 0;
  for (const { 0: written, index: start } of name.matchAll(TOKEN)) {
    const { text, isNumber } = wordOf(written);
    if (text === '') continue;
    const gap = (before === 0 ? START : '') + name.slice(before, start).replaceAll('_', ' ');
    tokens.push({ text, written, start, isNumber, gap, isDate: false, isYear: false, isGuid: false });
    before = start + written.length;
  }
  return tokens.slice(0, MOST_TOKENS);
};

export const foldedWords = (text: string): readonly string[] => tokensOf(text).map((token) => token.text);

/** Returns all folded words of `text` joined into one. Cities, names and ids are compared in this form. */
export const joined = (text: string): string => foldedWords(text).join('');

const LONGEST_SPAN = 6;
const GUID = /(?<![0-9a-z])[0-9a-f]{8}([-_ ]?)[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}(?![0-9a-z])/gi;
const GUID_START = /(?<![0-9a-z])[0-9a-f]{8}(?![0-9a-z])/gi;

export type Segment = ReturnType<typeof segmentOf>;

export const segmentOf = (given: string) => {
  const name = asRead(given);
  const dates = /\d\d/.test(name) ? [...datesIn(name)] : [];
  const guids = /[0-9a-f]{8}/i.test(name) ? [...name.matchAll(GUID)] : [];
  const tokens = tokensOf(name).map((token) => {
    const [start, end] = [token.start, token.start + token.written.length];
    const date = dates.find((one) => one.start < end && one.end > start);
    const isGuid = guids.some((one) => one.index < end && one.index + one[0].length > start);
    return { ...token, isGuid, isDate: date !== undefined, isYear: date?.isYear === true };
  });
  const spanOf = new Map<string, Span>();
  const joinedTexts = tokens.map((_, from) => {
    let text = '';
    return tokens.slice(from, from + LONGEST_SPAN).map((token, at) => {
      text += token.text;
      if (!spanOf.has(text)) spanOf.set(text, { from, to: from + at + 1 });
      return text;
    });
  });
  const spanAt = (start: number, end: number): Span | undefined => {
    const from = tokens.findIndex((one) => one.start + one.written.length > start);
    return from < 0 ? undefined : { from, to: tokens.findLastIndex((one) => one.start < end) + 1 };
  };
  const placed = (found: readonly RegExpExecArray[]): ReadonlyMap<string, Span> =>
    new Map(
      found.map(({ 0: text, index }) => [
        text.replaceAll(/[-_ ]/g, '').toLowerCase(),
        spanAt(index, index + text.length) ?? { from: 0, to: tokens.length },
      ]),
    );
  const starts = [...name.matchAll(GUID_START)].filter((one) => !guids.some(({ index }) => index === one.index));
  return {
    name,
    tokens,
    /** For each token, the joined texts of one to six tokens from this token on. */
    joined: joinedTexts,
    spanOf,
    /** The dates in the name that have a day. `day`: days since 1970. */
    days: dates.flatMap(({ day, start, end }) => {
      const span = spanAt(start, end);
      return day === undefined || span === undefined ? [] : [{ day, ...span }];
    }),
    /** The whole guids in the name, in lower case and without separators. */
    guids: placed(guids),
    /** Groups of eight hex digits that can be the start of a guid. */
    guidStarts: placed(starts),
  };
};

const LANGUAGES = ['en', 'nb', 'sv', 'da', 'fi', 'fr', 'it', 'es', 'pt', 'de', 'nl'];

/**
 * Returns a function that calls `make` when the result is first needed, and then returns the same result. Computing
 * slow values earlier would delay the start of the app.
 */
const later = <Made>(make: () => Made): (() => Made) => {
  let made: Made | undefined;
  return () => (made ??= make());
};

const monthNames = later(
  (): ReadonlyMap<string, number> =>
    new Map(
      LANGUAGES.flatMap((language) =>
        (['long', 'short'] as const).flatMap((month) => {
          const { format } = new Intl.DateTimeFormat(language, { month, timeZone: 'UTC' });
          const nameOf = (at: number): string => plain(format(Date.UTC(2026, at))).replace('.', '');
          return Array.from({ length: 12 }, (_, at) => [nameOf(at), at + 1] as const);
        }),
      ),
    ),
);

/**
 * Returns the number (1 to 12) of the month with this long or short name in one of `LANGUAGES`; undefined for other
 * words.
 */
export const monthOf = (name: string): number | undefined => monthNames().get(name);

/** Patterns of dates, the least ambiguous first. A date that one pattern finds is hidden from the later patterns. */
const datePatterns = later(() => {
  const YEAR = '(?<y>(?:19|20)\\d\\d)';
  const MONTH = `(?<name>${[...monthNames().keys()].sort((one, other) => other.length - one.length).join('|')})`;
  return [
    `(?<!\\d)${YEAR}([-._ ]|(?=\\d{4}(?!\\d)))(?<m>\\d\\d?)\\2(?<d>\\d\\d?)(?!\\d)`,
    '(?<!\\d)(?<d>\\d\\d?)([-.])(?<m>\\d\\d?)\\2(?<y>(?:19|20)\\d\\d|\\d\\d)(?!\\d|\\2\\d)',
    // A date with blanks counts only at the start or after a number. In "Street 12 5 2026" the 12 can be a house
    // number.
    `(?<=^|\\d[ _])(?<d>\\d\\d?)([ _])(?<m>\\d\\d?)\\2${YEAR}(?!\\d)`,
    `(?<!\\p{L})${MONTH}[. _-]*(?<d>\\d\\d?),?[ _]+${YEAR}(?!\\d)`,
    `(?<!\\p{L})(?:(?<!\\d)(?<d>\\d\\d?)[. _-]*)?${MONTH}\\p{L}{0,2}[. _-]*${YEAR}(?!\\d)`,
    `(?<!\\d)${YEAR}[-._ ](?<m>0[1-9]|1[0-2])(?!\\d)`,
    // A number alone counts as a year only from 2015 to 2035. Other numbers are more likely house numbers.
    '(?<![\\d-])(?<y>20(?:1[5-9]|2\\d|3[0-5]))(?!\\d)',
    // "260512" is the usual short form in the Nordic countries.
    '(?<![\\d-])(?<y>[12]\\d)(?<m>\\d\\d)(?<d>\\d\\d)(?!\\d)',
  ].map((source) => new RegExp(source, 'gu'));
});

const DAY_MS = 86_400_000;

/**
 * Converts the groups of a matched pattern to a date. In the result, `day` is the number of days since 1970, and
 * undefined for a year or a month. A month above 12 is swapped with the day. Returns undefined if the date does not
 * exist.
 */
const dateOf = ({ y = '', m, d, name = '' }: Readonly<Record<string, string | undefined>>) => {
  const year = Number(y.length === 2 ? `20${y}` : y);
  let [month, day] = [monthOf(name) ?? Number(m ?? 0), Number(d ?? 0)];
  if (month > 12) [month, day] = [day, month];
  if (d === undefined) return { isYear: month === 0, day: undefined };
  const time = Date.UTC(year, month - 1, day);
  // `Date.UTC` turns 31 February into a day of March.
  const isDay = month >= 1 && month <= 12 && day >= 1 && new Date(time).getUTCDate() === day;
  return isDay ? { isYear: false, day: time / DAY_MS } : undefined;
};

function* datesIn(name: string) {
  // If folding changes the length, positions would be wrong. The name is then searched unfolded, which misses month
  // names with capitals or accents.
  const lower = plain(name);
  let rest = lower.length === name.length ? lower : name;
  for (const pattern of datePatterns())
    for (let found = pattern.exec(rest); found !== null; found = pattern.exec(rest)) {
      const date = dateOf(found.groups ?? {});
      if (date === undefined) continue;
      const [start, end] = [found.index, pattern.lastIndex];
      yield { ...date, start, end };
      rest = rest.slice(0, start) + '\0'.repeat(end - start) + rest.slice(end);
    }
}

/**
 * Returns the day of `time` (seconds below 1e11, otherwise milliseconds) in local time, which users read, as days since
 * 1970; undefined for NaN and for 0, which means no time.
 */
export const dayOfTime = (time: number): number | undefined => {
  const at = new Date(Math.abs(time) < 1e11 ? time * 1000 : time);
  const day = Date.UTC(at.getFullYear(), at.getMonth(), at.getDate()) / DAY_MS;
  return time === 0 || Number.isNaN(day) ? undefined : day;
};

export const hasVowel = (word: string): boolean => /[aeiouαεηιουωаеиоуыэюяіє]/.test(word);

/** Whether `word` has no vowel after its first letter: "rd", "blvd", "str". */
export const isSkeleton = (word: string): boolean => !hasVowel(word.slice(1));

/**
 * Whether `short` may abbreviate `long`, a word of at least three letters: both begin with the same letter, and the
 * other letters of `short` occur in `long` in the same order ("rd", "blvd", "stg"). A single letter abbreviates only
 * words of up to eight letters.
 */
export const isShortFor = (short: string, long: string): boolean => {
  if (short.length >= long.length || short[0] !== long[0] || long.length < 3) return false;
  if (short.length === 1) return long.length <= 8;
  let at = 0;
  for (const letter of long) if (letter === short[at]) at += 1;
  return at === short.length;
};

/**
 * Returns how many changes turn `one` into `other`: a letter that is added, removed or replaced, or two neighbouring
 * letters that are swapped. If there are more than `most`, the result is any number above `most`.
 */
const mistakesUpTo = (most: number, one: string, other: string): number => {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  const [a, b] = [one.slice(same), other.slice(same)];
  if (a === b || most === 0) return Number(a !== b);
  const isSwapped = a.length > 1 && a[0] === b[1] && a[1] === b[0];
  return (
    1 +
    Math.min(
      mistakesUpTo(most - 1, a.slice(1), b.slice(1)),
      mistakesUpTo(most - 1, a.slice(1), b),
      mistakesUpTo(most - 1, a, b.slice(1)),
      isSwapped ? mistakesUpTo(most - 1, a.slice(2), b.slice(2)) : most,
    )
  );
};

/**
 * Returns the number of typing mistakes in `text` if the user intended `word`; undefined if there are too many. Words
 * of up to four letters may have no mistakes, words of up to eight letters one, and longer words two.
 */
export const mistakesIn = (text: string, word: string): number | undefined => {
  const allowed = word.length < 5 ? 0 : word.length < 9 ? 1 : 2;
  if (Math.abs(text.length - word.length) > allowed) return undefined;
  const mistakes = mistakesUpTo(allowed, text, word);
  return mistakes > allowed ? undefined : mistakes;
};
