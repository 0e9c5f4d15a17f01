/**
 * Finds the office's streets and towns in names, in the ways that people write them: abbreviated, without their kind,
 * with other spaces, or with a typing mistake. Kinds ("road", "ul.", "W") and endings of compound names ("-gatan") are
 * learnt from the streets. Common endings are also in words.ts.
 */
import { addTo, hasVowel, isShortFor, isSkeleton, mistakesIn, remembered, type Segment } from './names.ts';
import { ENDINGS, isFilling, isWorkWord } from './words.ts';

export type Phrase = {
  readonly words: readonly string[];
  /** How rare each word is, as information in nats. */
  readonly weights: readonly number[];
  /**
   * The role of each word. `core`: the name itself; `kind`: a word around the name that people may leave out, such as
   * "road"; `small`: "de", "of".
   */
  readonly roles: readonly Role[];
  /** The positions of the targets in the street. Not used for towns. */
  readonly targets: readonly number[];
};
type Role = 'core' | 'kind' | 'small';

/** A place in a name that fits a phrase, possibly with words missing. */
export type Hit<P extends Phrase = Phrase> = {
  readonly phrase: P;
  readonly from: number;
  readonly to: number;
  /** Indexes in `phrase.words` of the words that the name lacks, except small words. */
  readonly missing: readonly number[];
  readonly mistakes: number;
  /**
   * The number of words that fit only as an initial, or as a short form that more likely abbreviates another kind of
   * street.
   */
  readonly initials: number;
  /** The places, relative to `from`, of short forms that more likely abbreviate another kind of street. */
  readonly otherKinds: readonly number[];
};

/**
 * A word or an ending is learnt if it occurs in at least this share of all names, and in at least `LEAST_SHARED` names.
 */
const SHARED = 0.005;
const LEAST_SHARED = 3;
/**
 * Two words are different kinds, not forms of one kind, if the number of names that occur with both words is below this
 * share of the expected number.
 */
const LEAST_MIXED = 0.3;
/** A letter and a longer word are different kinds if more than this share of the names with the letter have both. */
const LEAST_TOGETHER = 0.1;
const MOST_JOINED = 3;
/**
 * If more than this number of different words occur before or after the same rest of a name, such as "Street", the rest
 * is a kind of street, and the words are not compared.
 */
const MOST_BESIDE = 30;
const LONGEST_ENDING = 8;
const LONGEST_CUT = 4;
const SHORTEST_PREFIX = 3;
const leastOf = (all: number): number => Math.max(LEAST_SHARED, all * SHARED);
/**
 * The number of letters at the start of a word that are indexed for typing mistakes. A word can be found if at most one
 * of these letters is wrong.
 */
const LONGEST_STEM = 6;

const isNumber = (word: string): boolean => /^\d/.test(word);
/** Whether the word ends with a kind of street, as "storgatan" does. */
const hasEnding = (word: string): boolean =>
  ENDINGS.values().some((ending) => word.length > ending.length + 1 && word.endsWith(ending));

type Listed = { readonly words: readonly string[]; readonly target: number };
type Grouped = { readonly words: readonly string[]; readonly targets: number[] };
/** Returns a key that all targets in one house share; empty if the house is not known. */
type HouseOf = (target: number) => string;
/**
 * What is learnt from whole addresses, to judge the words in the names of streets. `isCutOff`: whether a dot usually
 * follows the word.
 */
type Written = { readonly houseOf: HouseOf; readonly isCutOff: (word: string) => boolean };

const countOf = (words: Iterable<string>): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
};
const byCount = ([one, a]: readonly [string, number], [two, b]: readonly [string, number]): number =>
  b - a || (one < two ? -1 : 1);

/**
 * Whether `short` is a usual way to abbreviate `long`: "rd" for "road", "ave" for "avenue", but not "via" for "viale".
 */
const isCut = (short: string, long: string): boolean =>
  isShortFor(short, long) && (isSkeleton(short) || 2 * short.length <= long.length);

const outerWords = (names: readonly (readonly string[])[]): ReadonlyMap<string, number> =>
  countOf(names.flatMap((words) => [words[0] ?? '', words.at(-1) ?? '']).filter((word) => !isNumber(word)));

/**
 * Returns pairs of a shorter and a longer word, each the first or last word of names that are otherwise equal. In the
 * result, `isOneHouse` tells whether one house has addresses with both words.
 */
const pairsIn = (names: readonly Grouped[], houseOf: HouseOf) => {
  const written = new Map<string, { readonly word: string; readonly targets: readonly number[] }[]>();
  for (const { words, targets } of names) {
    addTo(written, `0 ${words.slice(1).join(' ')}`, { word: words[0] ?? '', targets });
    addTo(written, `1 ${words.slice(0, -1).join(' ')}`, { word: words.at(-1) ?? '', targets });
  }
  return [...written.values()].flatMap((all) =>
    (all.length > MOST_BESIDE ? [] : all).flatMap((short) => {
      const longer = all.filter(({ word }) => word.length > short.word.length);
      const houses = new Set(longer.length > 0 ? short.targets.map(houseOf) : []);
      houses.delete('');
      return longer.map(({ word, targets }) => ({
        pair: `${short.word} ${word}`,
        isOneHouse: targets.some((target) => houses.has(houseOf(target))),
      }));
    }),
  );
};

/**
 * Learns short forms of kinds. Returns a map from each form, short or long, to the long form. A short form is learnt if
 * it abbreviates the long one and enough names occur with both ("Av. Baudelaire" and "Avenue Baudelaire"), or if
 * several houses are written with both ("Pje." and "Passatge"). "Rue" is not a form of "route", because too few names
 * occur with both.
 */
const learnForms = (
  names: readonly Grouped[],
  counts: ReadonlyMap<string, number>,
  houseOf: HouseOf,
): ReadonlyMap<string, string> => {
  const pairs = pairsIn(names, houseOf);
  const ofOneHouse = countOf(pairs.flatMap(({ pair, isOneHouse }) => (isOneHouse ? pair : [])));
  const forms = new Map<string, string>();
  for (const [pair, times] of countOf(pairs.map((one) => one.pair))) {
    const [short = '', long = ''] = pair.split(' ');
    // Whole words such as "via" end with a vowel, unlike abbreviations such as "priv".
    const isWord = hasVowel(short.slice(-1)) && long.startsWith(short);
    const isRare = times < 0.3 * Math.min(counts.get(short) ?? 0, counts.get(long) ?? 0);
    const isShort = short.length > 1 && isShortFor(short, long) && !(isWord || isRare);
    if (isShort || (ofOneHouse.get(pair) ?? 0) >= LEAST_SHARED)
      forms.set(short, long).set(long, forms.get(long) ?? long);
  }
  return forms;
};

/**
 * Creates a function that tells whether two words are different kinds of street. Two words are different kinds if far
 * fewer names occur with both than chance would produce: some streets of Budapest have "út", others "utca". Many names
 * occur with two forms of one kind.
 */
const createIsApart = (names: readonly Grouped[]) => {
  /**
   * Two maps, by the first and by the last word of names. The values: the names without that word, and their numbers of
   * targets.
   */
  const ends = [new Map<string, Map<string, number>>(), new Map<string, Map<string, number>>()] as const;
  for (const { words, targets } of names)
    for (const [at, end] of ends.entries()) {
      const word = words.at(-at) ?? '';
      const counts = end.get(word) ?? new Map<string, number>();
      end.set(word, counts.set(words.slice(1 - at, words.length - at).join(' '), targets.length));
    }
  const sumOf = (counts: Map<string, number>): number => counts.values().reduce((sum, count) => sum + count, 0);
  return (one: string, other: string): boolean => {
    let [mixed, expected, isSeen] = [0, 0, false];
    for (const end of ends) {
      const [some, others] = [end.get(one), end.get(other)];
      if (some === undefined || others === undefined) continue;
      isSeen = true;
      const share = sumOf(some) / (sumOf(some) + sumOf(others));
      for (const name of new Set([...some.keys(), ...others.keys()])) {
        const count = (some.get(name) ?? 0) + (others.get(name) ?? 0);
        mixed += Number(some.has(name) && others.has(name));
        expected += 1 - share ** count - (1 - share) ** count;
      }
    }
    return (expected > LEAST_SHARED && mixed < LEAST_MIXED * expected) || (one.length === 1 && isSeen && mixed === 0);
  };
};

/** Learns the words that many names share at their start or end, and the forms of these words. */
const learnKinds = (phrases: readonly Grouped[], many: number, { houseOf, isCutOff }: Written) => {
  const names = phrases.filter(({ words }) => words.length > 1);
  const counts = outerWords(names.map(({ words }) => words));
  const forms = learnForms(names, counts, houseOf);
  const kinds = [...counts]
    .filter(([, times]) => times >= many)
    .sort(byCount)
    .map(([word]) => word);
  const isApart = createIsApart(names);
  const namesWith = remembered((kind: string) => names.filter(({ words }) => words.includes(kind)));
  const isBefore = (word: string): boolean =>
    2 * namesWith(word).filter(({ words }) => words[0] === word).length > namesWith(word).length;
  // "S" is not a form of "Street" in a list with "S Main Street", or with "S Main" and "Mill Street". "Ln" in "Mill Ln"
  // is not a form of "Linda" in "Linda Vista", but "St" in "St Mary Street" can be a form of "Street" elsewhere.
  const isOther = (short: string, kind: string): boolean => {
    const [own, all] = [namesWith(short), namesWith(kind)];
    const areApart = own.length > 0 && all.length > 0 && isBefore(short) !== isBefore(kind);
    if (short.length > 1) return areApart && kinds.includes(kind) && isBefore(kind) !== isBefore(kinds[0] ?? '');
    const both = own.filter(({ words }) => words.includes(kind)).length;
    return areApart || (both >= LEAST_SHARED && both > LEAST_TOGETHER * own.length);
  };
  // A short form without a vowel, such as "str", or with a dot, such as "av.", is not a kind of its own, unless it is a
  // letter: "S" is not a form of "San" in a list with "S Main Street" and "San Mateo Drive".
  const isWord = (short: string): boolean => short.length === 1 || hasVowel(short);
  const isForm = (short: string, long: string): boolean =>
    forms.get(short) === long ||
    (isCut(short, long) && !(isWord(short) && !isCutOff(short) && isApart(short, long)) && !isOther(short, long));
  const look = (word: string, isInList: boolean): string => {
    if (isNumber(word)) return '';
    const isOwn = kinds.includes(word);
    const longer = kinds.filter((kind) => kind !== word && (isOwn ? isForm(word, kind) : isShortFor(word, kind)));
    // "Cr" is more likely Crescent, which begins with "cr", than Court.
    const [nearest] = [...longer.filter((kind) => kind.startsWith(word)), ...longer];
    const learnt = forms.get(word) ?? word;
    if (nearest !== undefined) return named(learnt === word ? nearest : learnt);
    const form = forms.get(word) ?? (isOwn ? word : undefined);
    if (form !== undefined || isInList) return form ?? '';
    // "Ct" is not a form of "Crescent" if it is a form of "Court". But "Str" can be a form of "Straße", although it is
    // also a form of "Straat".
    const isOfBoth = (kind: string): boolean =>
      named(kind) === kind || word.startsWith(kind) || isShortFor(word, named(kind));
    // "R." is not a form of "Route" if there are streets with "Rte", too.
    const isLetterOf = (kind: string): boolean =>
      kind === kinds[0] && !kinds.some((one) => one.length > 1 && isShortFor(one, word));
    const isShorter = (kind: string): boolean =>
      (kind.length > 1 || isLetterOf(kind)) && isForm(kind, word) && isOfBoth(kind);
    const shorter = kinds.find((kind) => isShorter(kind) && (!isFilling(kind) || isCutOff(kind)));
    return shorter === undefined ? '' : named(shorter);
  };
  const named = remembered((word: string) => look(word, false));
  /**
   * Whether most names with `kind` also have another kind, as names with a direction do: "East Houston Street", "Norra
   * Storgatan".
   */
  const isWithOthers = (kind: string): boolean => {
    const own = namesWith(kind);
    const others = new Set(kinds.filter((one) => named(one) !== named(kind)));
    const isOfOther = (word: string): boolean => others.has(word) || (word !== kind && hasEnding(word));
    return 2 * own.filter(({ words }) => words.some(isOfOther)).length > own.length;
  };
  const listed = remembered((word: string) => look(word, true));
  return {
    /**
     * Returns the kind that `word` is a form of, such as "street" for "st"; empty if there is none. `isInList`: whether
     * the word is from one of the office's names.
     */
    kindOf: (word: string, isInList = false): string => (isInList ? listed(word) : named(word)),
    /** The kind that most names have; empty if most names with any kind have another one, too. */
    usual: named(kinds.find((kind) => !isWithOthers(kind)) ?? ''),
  };
};

/**
 * Learns the endings that many words have, such as "gatan" and "strasse", and adds the common endings of streets.
 * Returns `endingOf`, which finds the longest ending of a word or an empty text, and `begins`, the first one to four
 * letters of all endings.
 */
const learnEndings = (words: Iterable<string>, many: number) => {
  const endsOf = (word: string): readonly string[] =>
    Array.from({ length: Math.max(0, Math.min(LONGEST_ENDING, word.length - 2) - 1) }, (_, at) => word.slice(-at - 2));
  const counts = countOf([...words].flatMap(endsOf));
  // Whether at least two thirds of the words that end with `ending.slice(1)` end with the whole `ending`.
  const isWhole = (ending: string): boolean => (counts.get(ending) ?? 0) >= 0.66 * (counts.get(ending.slice(1)) ?? 0);
  const learnt = [...counts].flatMap(([ending, times]) =>
    ending.length > 2 && times >= many && isWhole(ending) && isWhole(ending.slice(1)) ? [ending] : [],
  );
  const all = new Set([...learnt, ...ENDINGS]);
  const begins = new Set([...all].flatMap((ending) => [1, 2, 3, 4].map((length) => ending.slice(0, length))));
  return { endingOf: remembered((word: string) => endsOf(word).findLast((ending) => all.has(ending)) ?? ''), begins };
};

/**
 * A way to find `phrase`: by one word of its core, or by all its words joined. `at`: the index of the first of these
 * words; `count`: their number.
 */
type Anchor<P> = { readonly phrase: P; readonly at: number; readonly count: number; readonly mistakes: number };

/**
 * How a token fits a word. `isOtherKind`: whether the token is a short form that more likely abbreviates another kind
 * of street.
 */
type Likeness = { readonly mistakes: number; readonly initials: number; readonly isOtherKind?: boolean };
const EXACT: Likeness = { mistakes: 0, initials: 0 };
const INITIAL: Likeness = { mistakes: 0, initials: 1 };
const OTHER_KIND: Likeness = { mistakes: 0, initials: 1, isOtherKind: true };

type Learnt = ReturnType<typeof learnKinds> &
  ReturnType<typeof learnEndings> &
  Pick<Written, 'isCutOff'> & { readonly hasKinds: boolean; readonly isKnown: (word: string) => boolean };

const rolesOf = (words: readonly string[], weights: readonly number[], { kindOf }: Learnt): readonly Role[] => {
  const isKind = words.map((word) => kindOf(word, true) !== '');
  const isSmall = words.map((word, at) => {
    // In "520B Tampines Central", the letter after a number tells streets, or houses, apart.
    if (word.length === 1 && isNumber(words[at - 1] ?? '')) return false;
    const isInner = at > 0 && at < words.length - 1 && word.length <= 2 && !isNumber(word);
    return isInner || (isFilling(word) && !isKind[at]);
  });
  const telling = [...words.keys()].filter((at) => !isSmall[at]);
  // In "Hayes Ave" the name is the word that is not a kind. In "Park Road" both words are kinds, and the rarer one is
  // the name.
  const [rarest = 0] = telling.toSorted((one, other) => (weights[other] ?? 0) - (weights[one] ?? 0));
  const names = telling.filter((at) => !isKind[at]);
  const [first, last] = [names[0] ?? rarest, names.at(-1) ?? rarest];
  return words.map((_, at) => {
    if (isSmall[at] && at !== first) return 'small';
    return at < first || at > last ? 'kind' : 'core';
  });
};

/** Creates functions that compare words in the names of folders with words of the office's streets and towns. */
const createLikeness = ({ hasKinds, isKnown, kindOf, endingOf, begins, isCutOff }: Learnt) => {
  /**
   * Whether `text` and `word` are equal except for an abbreviated ending: "storg" and "storgatan". A short ending that
   * is the beginning of another ending stands only for endings that begin with it: "nt" for "ntie", not for "nkatu". If
   * `text` is itself a word of the office's names, it counts as shortened only if its ending has no vowel after the
   * first letter: "gartenstr", but not "Lipova".
   */
  const isCutEnding = (text: string, word: string): boolean => {
    const [short, long] = text.length < word.length ? [text, word] : [word, text];
    const stem = long.length - endingOf(long).length;
    if (stem === long.length || stem === short.length) return false;
    const [cut, whole] = [short.slice(stem), long.slice(stem)];
    if (!long.startsWith(short.slice(0, stem)) || !isShortFor(cut, whole)) return false;
    return (whole.startsWith(cut) || !begins.has(cut)) && (!isKnown(text) || isSkeleton(cut));
  };
  /**
   * Whether `text` and `word`, which is not a kind, are a long and a short form of one word. `isDotted`: whether a dot
   * follows `text`.
   */
  const isAbbreviated = (text: string, word: string, isDotted: boolean): boolean => {
    const [short, long] = text.length < word.length ? [text, word] : [word, text];
    if (!isShortFor(short, long) || short.length === 1) return false;
    if (short.length < 4 && long.length < 7 && !isFilling(short) && !isKnown(text)) return true;
    if ((isSkeleton(short) && (short === text || short.length < 4)) || isCutEnding(text, word)) return true;
    return long.startsWith(short) && (short === text ? isDotted : short.length > 2 && isCutOff(short));
  };
  const isSameKind = (text: string, word: string): boolean => kindOf(word) !== '' && kindOf(text) === kindOf(word);
  /**
   * Returns how `text` fits `word`, whose role is not `kind`, as a short form, a long form or an initial; undefined if
   * it does not fit.
   */
  const coreLikeness = (text: string, word: string, isDotted: boolean): Likeness | undefined => {
    if (isAbbreviated(text, word, isDotted)) return EXACT;
    const [short, long] = text.length < word.length ? [text, word] : [word, text];
    return hasKinds && short.length === 1 && short === long[0] && long.length > 2 ? INITIAL : undefined;
  };
  /**
   * Returns how `text` can fit `word`, a word for a kind of street, although `text` is known for another kind: "Ln" is
   * short for "Lane", and also for "Laan". If `word` is a letter whose long form is not known, any longer `text` that
   * begins with the letter fits: "North" or "Nedre" for "N". Returns undefined if `text` does not fit.
   */
  const kindLikeness = (text: string, word: string): Likeness | undefined => {
    const [short, long] = text.length < word.length ? [text, word] : [word, text];
    const isLetter = word.length === 1 && kindOf(word) === word && text.length > 2 && text.startsWith(word);
    const isShort = short.length > 1 || (short === text && !isKnown(text));
    const isOther = isShort && isCut(short, long) && kindOf(text) !== '';
    return isOther || isLetter ? OTHER_KIND : undefined;
  };
  /**
   * Returns how `text` fits the word at `at`; undefined if it does not fit. `isMisspelt`: whether typing mistakes are
   * allowed.
   */
  const likeness = (
    { words, roles }: Phrase,
    at: number,
    text: string,
    isDotted: boolean,
    isMisspelt: boolean,
  ): Likeness | undefined => {
    const [word, isKind] = [words[at] ?? '', roles[at] === 'kind'];
    if (text === word) return EXACT;
    if (isNumber(text) || isNumber(word)) return undefined;
    if (isSameKind(text, word)) return EXACT;
    const form = isKind ? kindLikeness(text, word) : coreLikeness(text, word, isDotted);
    if (form !== undefined) return form;
    const mistakes = isMisspelt && !isKnown(text) ? mistakesIn(text, word) : undefined;
    return mistakes === undefined ? undefined : { mistakes, initials: 0 };
  };
  return { likeness, isCutEnding, isKnown };
};
type Likenesses = ReturnType<typeof createLikeness>;

const align = <P extends Phrase>(
  { tokens }: Segment,
  { phrase, at: anchorAt, count: anchorWords, mistakes: anchorMistakes }: Anchor<P>,
  from: number,
  to: number,
  isMisspelt: boolean,
  { likeness, isKnown }: Likenesses,
): Hit<P> => {
  const stepAt = (at: number, place: number): Likeness | undefined => {
    const isDotted = tokens[place + 1]?.gap.startsWith('.') === true;
    const { text, gap } = tokens[place] ?? {};
    // "A" in "135A Vauban" is the letter of the house, and not a short form of "Avenue".
    const isOfHouse = gap === '' && text?.length === 1 && tokens[place - 1]?.isNumber === true;
    if (text === undefined || (isOfHouse && text !== phrase.words[at])) return undefined;
    return likeness(phrase, at, text, isDotted, isMisspelt);
  };
  /**
   * Returns how the letter at `place` and the token after it fit the word at `at`, if together they are a known word:
   * "B-dul".
   */
  const jointAt = (at: number, place: number): Likeness | undefined => {
    const [letter, rest] = [tokens[place], tokens[place + 1]];
    if (letter?.text.length !== 1 || rest === undefined || letter.isNumber || rest.isNumber) return undefined;
    const text = letter.text + rest.text;
    return isKnown(text) ? likeness(phrase, at, text, false, false) : undefined;
  };
  const isSmallAt = (place: number): boolean => {
    const { text = '' } = tokens[place] ?? {};
    return isFilling(text) && !(text.length === 1 && tokens[place - 1]?.isNumber);
  };
  const missing: number[] = [];
  const steps: { readonly found: Likeness; readonly place: number }[] = [];
  const walk = (start: number, place: number, step: 1 | -1): number => {
    let here = place;
    for (let word = start; word >= 0 && word < phrase.words.length; word += step) {
      // A filling word of the folder's name is skipped: "Via del Corso" matches "Via Corso".
      const direct = stepAt(word, here);
      const joint = direct === undefined ? jointAt(word, Math.min(here, here + step)) : undefined;
      const isSkipped = direct === undefined && joint === undefined && isSmallAt(here);
      const found = isSkipped ? stepAt(word, here + step) : (direct ?? joint);
      if (found === undefined) {
        missing.push(word);
        continue;
      }
      here += isSkipped || joint !== undefined ? 2 * step : step;
      steps.push({ found, place: here - step });
    }
    return here;
  };
  const first = walk(anchorAt - 1, from - 1, -1) + 1;
  const last = walk(anchorAt + anchorWords, to, 1);
  return {
    phrase,
    from: first,
    to: last,
    missing: missing.filter((word) => phrase.roles[word] !== 'small'),
    mistakes: steps.reduce((sum, { found }) => sum + found.mistakes, anchorMistakes),
    initials: steps.reduce((sum, { found }) => sum + found.initials, 0),
    otherKinds: steps.flatMap(({ found, place }) => (found.isOtherKind ? place - first : [])),
  };
};

const createAnchors = <P extends Phrase>(all: readonly P[], { kindOf }: Learnt): Map<string, Anchor<P>[]> => {
  const anchors = new Map<string, Anchor<P>[]>();
  // Where streets have numbers for names, "Calle" in "Calle 74A # 73A-85" is read as a street with very many houses.
  const many = leastOf(all.reduce((sum, { targets }) => sum + targets.length, 0));
  const alone = all.flatMap(({ words, targets: { length } }) =>
    words.length === 1 && (length >= many || kindOf(words[0] ?? '', true) !== '') ? words : [],
  );
  const forms = Map.groupBy(new Set(all.flatMap(({ words }) => words)), (word) => kindOf(word, true));
  /**
   * Returns other forms of a kind that is used as a name: "Cl." for "Calle", "Woodlands Cres" for "Woodlands Crescent".
   */
  const formsOf = remembered((word: string): readonly string[] => {
    const kind = kindOf(word, true);
    // A single letter is more likely the letter of a house, unless it is the whole name of a street.
    const isMeant = (one: string): boolean => one !== word && (one.length > 1 || alone.includes(one));
    if (kind !== '') return (forms.get(kind) ?? []).filter(isMeant);
    return alone.includes(word) ? alone.filter((one) => isCut(one, word) || isCut(word, one)) : [];
  });
  for (const phrase of all) {
    const { words, roles } = phrase;
    for (const [at, word] of words.entries())
      if (roles[at] === 'core')
        for (const text of [word, ...formsOf(word)]) addTo(anchors, text, { phrase, at, count: 1, mistakes: 0 });
    if (words.length > 1) addTo(anchors, words.join(''), { phrase, at: 0, count: words.length, mistakes: 0 });
  }
  return anchors;
};

/**
 * Returns the first letters of a word, and these letters with one of them left out. If two words differ by one typing
 * mistake in these letters, they have a result in common.
 */
const stemsOf = (word: string): ReadonlySet<string> => {
  const start = word.slice(0, LONGEST_STEM);
  return new Set([start, ...Array.from(start, (_, at) => start.slice(0, at) + start.slice(at + 1))]);
};

/**
 * Creates a function that looks up the anchors of a text. The function has two more parameters: `isDotted`, whether a
 * dot follows the text, and `isMisspelt`, whether typing mistakes are allowed.
 */
const createLookUp = <P extends Phrase>(
  anchors: ReadonlyMap<string, Anchor<P>[]>,
  { isKnown, endingOf }: Learnt,
  { isCutEnding }: Likenesses,
) => {
  const sorted = [...anchors.keys()].sort();
  const byStem = new Map<string, string[]>();
  for (const word of sorted) for (const stem of stemsOf(word)) addTo(byStem, stem, word);
  const byStart = Map.groupBy(sorted, (word) => word.slice(0, SHORTEST_PREFIX));
  const abbreviated = (text: string, isDotted: boolean): readonly Anchor<P>[] => {
    const prefix = text.slice(0, Math.max(SHORTEST_PREFIX, text.length - (endingOf(text).length || LONGEST_CUT)));
    return (byStart.get(prefix.slice(0, SHORTEST_PREFIX)) ?? []).flatMap((word) => {
      if (!word.startsWith(prefix)) return [];
      const isForm = isCutEnding(text, word) || (isDotted && word.startsWith(text));
      return isForm && !isNumber(word) ? (anchors.get(word) ?? []).filter(({ count }) => count < MOST_JOINED) : [];
    });
  };
  const misspelt = (text: string): readonly Anchor<P>[] => {
    const near = new Set([...stemsOf(text)].flatMap((stem) => byStem.get(stem) ?? []));
    return [...near].flatMap((word) => {
      const mistakes = mistakesIn(text, word);
      return mistakes === undefined ? [] : (anchors.get(word) ?? []).map((one) => ({ ...one, mistakes }));
    });
  };
  // Each combination of flags has a cache of its own: building a key from the text and the flags would take as long as
  // looking up.
  const lookUps = [0, 1, 2, 3].map((flags) =>
    remembered((text: string): readonly Anchor<P>[] => {
      const exact = anchors.get(text) ?? [];
      if (text.length < 4 || /\d/.test(text)) return exact;
      const found = new Set([...exact, ...abbreviated(text, (flags & 1) > 0)]);
      const mayErr = flags > 1 && text.length > 4 && !isKnown(text) && !isWorkWord(text);
      return [...found, ...(mayErr ? misspelt(text) : [])];
    }),
  );
  return (text: string, isDotted: boolean, isMisspelt: boolean): readonly Anchor<P>[] =>
    lookUps[Number(isDotted) + 2 * Number(isMisspelt)]?.(text) ?? [];
};

export type Phrases<P extends Phrase = Phrase> = ReturnType<typeof createPhrases<P>>;

/**
 * Indexes names as phrases; equal names become one phrase. `written`: given for streets, which have kinds, and not for
 * towns.
 */
export const createPhrases = <P extends Phrase>(
  lists: Iterable<Listed>,
  make: (phrase: Phrase) => P,
  written?: Written,
) => {
  const hasKinds = written !== undefined;
  const byText = new Map<string, Grouped>();
  for (const { words, target } of lists) {
    const text = words.join(' ');
    const same = byText.get(text) ?? { words, targets: [] };
    byText.set(text, same);
    same.targets.push(target);
  }
  const groups = [...byText.values()];
  const known = new Set(groups.flatMap(({ words }) => words));
  const many = leastOf(groups.length);
  const isKnown = (word: string): boolean => known.has(word);
  const { houseOf, isCutOff } = written ?? { houseOf: () => '', isCutOff: () => false };
  const kinds = learnKinds(hasKinds ? groups : [], many, { houseOf, isCutOff });
  const learnt: Learnt = { hasKinds, isKnown, isCutOff, ...kinds, ...learnEndings(known, many) };
  const likenesses = createLikeness(learnt);
  /** Returns the word that `word` is counted as. All forms of a kind count as one word. */
  const wordOf = (word: string): string => kinds.kindOf(word, true) || word;
  const frequency = countOf(groups.flatMap(({ words }) => [...new Set(words.map(wordOf))]));
  const all = groups.map(({ words, targets }) => {
    const weights = words.map((word) => Math.log(1 + groups.length / (frequency.get(wordOf(word)) ?? 1)));
    return make({ words, weights, targets, roles: rolesOf(words, weights, learnt) });
  });
  const anchors = createAnchors(all, learnt);
  const anchorsOf = createLookUp(anchors, learnt, likenesses);
  return {
    all,
    has: isKnown,
    /** Whether `word` is a kind that many phrases have, or a form of such a kind. */
    isKind: (word: string): boolean =>
      word.length > 1 && (isKnown(word) || !isWorkWord(word)) && kinds.kindOf(word) !== '',
    /**
     * Whether `word` is a form of the kind that most names have. People may add such a word to a name that has no kind.
     */
    isUsualKind: (word: string): boolean =>
      kinds.usual !== '' && kinds.kindOf(word) === kinds.usual && (isKnown(word) || word.length <= 4),
    find: (segment: Segment, isMisspelt: boolean): readonly Hit<P>[] => {
      /** The best hits of each phrase. A phrase has several if they are equally good and in different places. */
      const best = new Map<P, Hit<P>[]>();
      const add = (hit: Hit<P>): void => {
        const before = best.get(hit.phrase) ?? [];
        const least = Math.min(...before.map(costOf));
        if (costOf(hit) > least) return;
        const others = costOf(hit) < least ? [] : before;
        const same = others.find(({ from, to }) => hit.from < to && hit.to > from);
        if (same !== undefined && same.to - same.from >= hit.to - hit.from) return;
        best.set(hit.phrase, [...others.filter((one) => one !== same), hit]);
      };
      const { tokens } = segment;
      for (let from = 0; from < tokens.length; from += 1)
        for (let to = from + 1; to <= Math.min(tokens.length, from + MOST_JOINED); to += 1) {
          // Two numbers, such as those of a date, are never joined.
          if (tokens[to - 1]?.isGuid || (to - from > 1 && tokens[to - 1]?.isNumber && tokens[to - 2]?.isNumber)) break;
          const text = segment.joined[from]?.[to - from - 1] ?? '';
          const isDotted = tokens[to]?.gap.startsWith('.') === true;
          for (const one of anchorsOf(text, isDotted, isMisspelt && to === from + 1))
            add(align(segment, one, from, to, isMisspelt, likenesses));
        }
      return [...best.values()].flat().filter(isTelling);
    },
  };
};

/** Returns how much of a phrase is missing or written differently; 0 for an exact hit. */
const costOf = ({ phrase, missing, mistakes, initials }: Hit): number =>
  missing.reduce((sum, at) => sum + (phrase.roles[at] === 'core' ? 3 : 1), 0) + mistakes + initials / 2;

/** Whether the words that a hit lacks have less than half of the weight of the phrase's core. */
const isTelling = ({ phrase: { weights, roles }, missing }: Hit): boolean => {
  const sumOf = (places: readonly number[]): number =>
    places.reduce((sum, at) => sum + (roles[at] === 'core' ? (weights[at] ?? 0) : 0), 0);
  return missing.length === 0 || sumOf(missing) < sumOf([...weights.keys()]) / 2;
};
