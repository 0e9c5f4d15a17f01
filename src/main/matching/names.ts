/**
 * Names as the matching reads them: words and numbers without case and accents, with the dates and ids among them. Positions are those
 * of the name as people see it, so that reasons can mark words in it.
 */

const MOST_REMEMBERED = 50_000;

/** `make`, which is called once for each of the last values, or for those that have a key in common. */
export const remembered = <From, Made>(
  make: (from: From) => Made,
  keyOf?: (from: From) => string,
): ((from: From) => Made) => {
  const known = new Map<unknown, Made>();
  return (from) => {
    const key = keyOf === undefined ? from : keyOf(from);
    const before = known.get(key);
    if (before !== undefined) return before;
    if (known.size >= MOST_REMEMBERED) known.clear();
    const made = make(from);
    known.set(key, made);
    return made;
  };
};

/** Adds `value` to those of `key`. */
export const addTo = <Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void => {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
};

/** The first number below `end` for which `isBefore` no longer holds. */
export const firstNotBefore = (end: number, isBefore: (at: number) => boolean): number => {
  let [low, high] = [0, end];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** UTF-8 that was read as Latin-1 on its way through an archive: `Ã¸` for `ø`. */
const mended = (text: string): string => {
  if (!/[ÃÂ][\u0080-\u00bf]/.test(text)) return text;
  const bytes = Uint8Array.from(text, (sign) => Math.min(sign.codePointAt(0) ?? 0, 0xff));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return text;
  }
};

/** Invisible characters. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;
const isPlain = (text: string): boolean => /^[ -~]*$/.test(text);

/** A name as it is read here: composed, and without what nobody sees. */
export const asRead = (text: string): string =>
  isPlain(text) ? text : mended(text.normalize('NFC').replaceAll(UNSEEN, ''));

const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ð: 'd', þ: 'th', ł: 'l', đ: 'd', ı: 'i', ħ: 'h' },
};

/** `text` without case and accents: `Bjørnstads` and `BJORNSTADS` become the same. */
export const plain = (text: string): string => {
  if (isPlain(text)) return text.replace(/['`]/g, '').toLowerCase();
  return text
    .normalize('NFKD')
    .replace(/[\p{M}'’´`]/gu, '')
    .toLowerCase()
    .replace(/[ßæœøðþłđıħ]/g, (letter) => LETTERS[letter] ?? letter);
};

/**
 * `text` as a key to compare by: in addition to `plain`, the pairs that stand for one letter (aa, ae, oe, ue) become that
 * letter, so that å, aa and a are the same, and so are ö, oe and o.
 */
export const folded = (text: string): string => plain(text).replace(/a[ae]|oe|ue(?=[a-z])/g, (pair) => pair[0] ?? pair);

export type Token = {
  /** Folded; of a number its digits without leading zeros. */
  readonly text: string;
  readonly isNumber: boolean;
  /** Where it stands in the name: from `start` up to, not including, `end`. */
  readonly start: number;
  readonly end: number;
  /** What stands between the token before and this one, with blanks for underscores; empty where one is glued to the other. */
  readonly gap: string;
};

/** Tokens from `from` up to, not including, `to`. */
export type Span = { readonly from: number; readonly to: number };

/** Longer names are cut. */
const MOST_CHARACTERS = 300;
const MOST_TOKENS = 32;

/** Words end before a digit, and before a capital letter that follows a small one. Ordinal signs belong to no token. */
const TOKEN =
  /\p{Lu}\.\p{Ll}+(?!\p{L})|\p{N}+|\p{Lu}?[[\p{Ll}\p{Lo}\p{Lm}\p{M}'’´]--[ºª]]+|[\p{Lu}\p{Lt}](?:[\p{Lu}\p{M}'’´]*)/gv;

/** The tokens of `name`, which has been through `asRead`. */
export const tokensOf = (name: string): readonly Token[] => {
  const tokens: Token[] = [];
  const text = name.slice(0, MOST_CHARACTERS);
  let before = 0;
  TOKEN.lastIndex = 0;
  for (let found = TOKEN.exec(text); found !== null && tokens.length < MOST_TOKENS; found = TOKEN.exec(text)) {
    const word = wordOf(found[0]);
    if (word.text === '') continue;
    const [start, end] = [found.index, TOKEN.lastIndex];
    tokens.push({ ...word, start, end, gap: name.slice(before, start).replaceAll('_', ' ') });
    before = end;
  }
  return tokens;
};

/** The text of a token. Cached, because names and addresses share most of their words. */
const wordOf = remembered((found: string): Pick<Token, 'text' | 'isNumber'> => {
  const isNumber = /^\p{N}/u.test(found);
  const text = isNumber ? found.normalize('NFKC').replace(/^0+(?=.)/, '') : folded(found.replace('.', ''));
  return { text, isNumber };
});

/** The folded words of `text`, numbers included. */
export const foldedWords = (text: string): readonly string[] => tokensOf(asRead(text)).map((token) => token.text);

/** All words of `text` in one: the form in which cities, names and ids are compared. */
export const joined = (text: string): string => foldedWords(text).join('');

/** The words of `text` as people search for them, without case and accents: sequences of letters and digits. */
export const plainWords = (text: string): readonly string[] =>
  text
    .normalize('NFKD')
    .replaceAll(/[\p{M}'’]/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** One name of a folder's path, taken apart. */
export type Segment = {
  readonly name: string;
  readonly tokens: readonly Token[];
  /** For each token, the texts of it and up to five behind it in one word. */
  readonly joined: readonly (readonly string[])[];
  /** These texts, with the first place where each stands. */
  readonly spanOf: ReadonlyMap<string, Span>;
  readonly dates: readonly (DateMention & { readonly span: Span })[];
  /** For each token, whether it is part of a date, or of a guid. */
  readonly isDate: readonly boolean[];
  readonly isGuid: readonly boolean[];
  /** Guids without dashes, and groups of eight digits that may begin one. */
  readonly guids: readonly string[];
  readonly guidStarts: readonly string[];
};

const LONGEST_SPAN = 6;
const GUID = /(?<![0-9a-z])[0-9a-f]{8}([-_ ]?)[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}(?![0-9a-z])/g;
const GUID_START = /(?<![0-9a-z])[0-9a-f]{8}(?![0-9a-z])/g;

/** Takes a name apart. */
export const segmentOf = (given: string): Segment => {
  const name = asRead(given);
  const tokens = tokensOf(name);
  const spanOf = new Map<string, Span>();
  const joinedTexts = tokens.map((_, from) => {
    let text = '';
    return tokens.slice(from, from + LONGEST_SPAN).map((token, at) => {
      text += token.text;
      if (!spanOf.has(text)) spanOf.set(text, { from, to: from + at + 1 });
      return text;
    });
  });
  const dates = dateMentions(name).map((date) => {
    const from = Math.max(
      0,
      tokens.findIndex(({ end }) => end > date.start),
    );
    return { ...date, span: { from, to: tokens.findLastIndex(({ start }) => start < date.end) + 1 } };
  });
  const lower = plain(name);
  const guids = /[0-9a-f]{8}/.test(lower) ? [...lower.matchAll(GUID)] : [];
  return {
    ...{ name, tokens, joined: joinedTexts, spanOf, dates },
    isDate: tokens.map((_, at) => dates.some(({ span }) => span.from <= at && at < span.to)),
    isGuid: tokens.map(({ start, end }) =>
      guids.some(({ 0: { length }, index }) => start < index + length && end > index),
    ),
    guids: guids.map(([found]) => found.replaceAll(/[-_ ]/g, '')),
    guidStarts: [...lower.matchAll(GUID_START)].map(([found]) => found),
  };
};

/** The words of `span` as they stand in the name. */
export const wordsOfSpan = ({ name, tokens }: Segment, { from, to }: Span): string =>
  name.slice(tokens[from]?.start ?? 0, tokens[to - 1]?.end ?? 0);

/** `month` from 1; without `day` a month is meant, without both a year. `start`, `end`: where it stands in the name. */
export type DateMention = {
  readonly year: number;
  readonly month?: number;
  readonly day?: number;
  readonly start: number;
  readonly end: number;
};

/** The months, from January, in the languages that folders are named in. */
export const MONTHS = [
  'jan januar january januari tammikuu janvier gennaio enero janeiro',
  'feb februar february februari helmikuu fevrier febbraio febrero fevereiro',
  'mar mars march marts marz maaliskuu marzo maerz maart marco',
  'apr april huhtikuu avril aprile abril',
  'may mai maj toukokuu maggio mayo mei maio',
  'jun june juni kesakuu juin giugno junio junho',
  'jul july juli heinakuu juillet luglio julio julho',
  'aug august augusti elokuu aout agosto augustus',
  'sep sept september syyskuu septembre settembre septiembre setembro',
  'okt oct oktober october lokakuu octobre ottobre octubre outubro',
  'nov november marraskuu novembre noviembre novembro',
  'des dec dez desember december dezember joulukuu decembre dicembre diciembre dezembro',
];

const monthOf = new Map(MONTHS.flatMap((names, at) => names.split(' ').map((name) => [name, at + 1] as const)));
const monthNames = [...monthOf.keys()].sort((one, other) => other.length - one.length).join('|');

const fullYear = (digits: string): number => (digits.length === 2 ? 2000 + Number(digits) : Number(digits));
const isDay = (month: number, day: number): boolean => month >= 1 && month <= 12 && day >= 1 && day <= 31;

type Parts = Pick<DateMention, 'year' | 'month' | 'day'>;
type Form = { readonly pattern: RegExp; readonly read: (found: readonly string[]) => Parts | undefined };

const YEAR = '(?:19|20)\\d\\d';
const day = (year: string, month: number, dayOfMonth: string): Parts | undefined =>
  isDay(month, Number(dayOfMonth)) ? { year: fullYear(year), month, day: Number(dayOfMonth) } : undefined;

/** Ways to write dates, the least ambiguous first. A date that one has found is not read by the next. */
const FORMS: readonly Form[] = [
  {
    pattern: new RegExp(`(?<!\\d)(${YEAR})([-._ ])(\\d\\d?)\\2(\\d\\d?)(?!\\d)`, 'g'),
    read: ([year = '', , month = '', dayOfMonth = '']) => day(year, Number(month), dayOfMonth),
  },
  {
    pattern: new RegExp(`(?<!\\d)(${YEAR})(\\d\\d)(\\d\\d)(?!\\d)`, 'g'),
    read: ([year = '', month = '', dayOfMonth = '']) => day(year, Number(month), dayOfMonth),
  },
  {
    pattern: new RegExp(`(?<!\\d)(\\d\\d?)([-.])(\\d\\d?)\\2(${YEAR}|\\d\\d)(?!\\d|\\2\\d)`, 'g'),
    read: ([dayOfMonth = '', , month = '', year = '']) =>
      day(year, Number(month), dayOfMonth) ?? day(year, Number(dayOfMonth), month),
  },
  {
    // With blanks only at the start or behind a number, because "Street 12 5 2026" begins with the number of a house.
    pattern: new RegExp(`(?<=^|\\d[ _])(\\d\\d?)([ _])(\\d\\d?)\\2(${YEAR})(?!\\d)`, 'g'),
    read: ([dayOfMonth = '', , month = '', year = '']) => day(year, Number(month), dayOfMonth),
  },
  {
    pattern: new RegExp(`(?<![\\d\\p{L}])(\\d\\d?)[. _-]*(${monthNames})\\p{L}{0,2}[. _-]*(${YEAR})(?!\\d)`, 'gu'),
    read: ([dayOfMonth = '', month = '', year = '']) => day(year, monthOf.get(month) ?? 0, dayOfMonth),
  },
  {
    pattern: new RegExp(`(?<!\\p{L})(${monthNames})[. _-]*(\\d\\d?),?[ _]+(${YEAR})(?!\\d)`, 'gu'),
    read: ([month = '', dayOfMonth = '', year = '']) => day(year, monthOf.get(month) ?? 0, dayOfMonth),
  },
  {
    pattern: new RegExp(`(?<!\\p{L})(${monthNames})[. _-]*(${YEAR})(?!\\d)`, 'gu'),
    read: ([month = '', year = '']) => ({ year: Number(year), month: monthOf.get(month) ?? 0 }),
  },
  {
    pattern: new RegExp(`(?<!\\d)(${YEAR})[-._ ](0[1-9]|1[0-2])(?!\\d)`, 'g'),
    read: ([year = '', month = '']) => ({ year: Number(year), month: Number(month) }),
  },
  // A year by itself is one of the last or next years: other numbers are those of houses.
  { pattern: /(?<![\d-])(20(?:1[5-9]|2\d|3[0-5]))(?!\d)/g, read: ([year = '']) => ({ year: Number(year) }) },
  {
    // "260512": the usual short form in the Nordic countries.
    pattern: /(?<![\d-])([12]\d)(\d\d)(\d\d)(?!\d)/g,
    read: ([year = '', month = '', dayOfMonth = '']) => day(year, Number(month), dayOfMonth),
  },
];

/** The dates in `name`, in order. */
export const dateMentions = (name: string): readonly DateMention[] => {
  if (!/\d\d/.test(name)) return [];
  // Without names of months if folding changes the length, because positions would no longer fit.
  const lower = plain(name);
  let rest = lower.length === name.length ? lower : name;
  const found: DateMention[] = [];
  for (const { pattern, read } of FORMS)
    rest = rest.replace(pattern, (text: string, ...args: readonly unknown[]) => {
      const parts = read(args.filter((arg) => typeof arg === 'string'));
      const start = Number(args.find((arg) => typeof arg === 'number'));
      if (parts === undefined) return text;
      found.push({ ...parts, start, end: start + text.length });
      return '\u0000'.repeat(text.length);
    });
  return found.sort((one, other) => one.start - other.start);
};

/** A day of the calendar; `number`: days since 1970. */
export type Day = { readonly number: number; readonly month: number; readonly year: number };

const DAY_MS = 86_400_000;

/** `time` (seconds below 1e11, else milliseconds) as a day; undefined for 0 and what is no time. */
export const dayOfTime = (time: number): Day | undefined => {
  const date = new Date(Math.abs(time) < 1e11 ? time * 1000 : time);
  if (time === 0 || Number.isNaN(date.getTime())) return undefined;
  return { number: Math.floor(date.getTime() / DAY_MS), month: date.getUTCMonth() + 1, year: date.getUTCFullYear() };
};

/** How well `mention` fits a day: the day, the one beside it (the same one in another time zone), its month, its year, or not. */
export const dateFit = (mention: DateMention, of: Day): 'day' | 'near' | 'month' | 'year' | 'other' => {
  if (mention.day !== undefined && mention.month !== undefined) {
    const apart = Math.abs(Date.UTC(mention.year, mention.month - 1, mention.day) / DAY_MS - of.number);
    if (apart === 0) return 'day';
    return apart <= 1 ? 'near' : 'other';
  }
  if (mention.year !== of.year) return 'other';
  if (mention.month === undefined) return 'year';
  return mention.month === of.month ? 'month' : 'other';
};
