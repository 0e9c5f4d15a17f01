/**
 * Finds streets and towns of the list in names, in the ways that people write them: abbreviated, without their kind, in other spaces, or
 * with a typing mistake. What is a kind ("road", "ul.", "W") and how compound names end ("-gatan") is learnt from the list.
 */
import { addTo, firstNotBefore, remembered, type Segment } from './names.ts';
import { isShortFor, mistakesAllowed, mistakesBetween, nearStrings } from './spelling.ts';
import { ENDINGS, isFilling, isWorkWord } from './words.ts';

/** A street or a town. */
export type Phrase = {
  readonly words: readonly string[];
  /** How rare each word is, as information in nats. */
  readonly weights: readonly number[];
  /** `core`: the name itself; `kind`: many phrases have it, and people may leave it out; `small`: "de", "of". */
  readonly roles: readonly Role[];
  /** The positions of the targets that have it. */
  readonly targets: readonly number[];
};
type Role = 'core' | 'kind' | 'small';

/** A phrase in a name. */
export type Hit<P extends Phrase = Phrase> = {
  readonly phrase: P;
  readonly from: number;
  readonly to: number;
  /** Indexes in `phrase.words` of the words that the name lacks. */
  readonly missing: readonly number[];
  readonly mistakes: number;
  /** How many words of the core are written as their first letter. */
  readonly initials: number;
};

export type Phrases<P extends Phrase = Phrase> = {
  readonly all: readonly P[];
  /** Whether any phrase has `word`. */
  readonly has: (word: string) => boolean;
  /** Whether `word` is a kind of several phrases, or short for one. */
  readonly isKind: (word: string) => boolean;
  /** Whether it is the kind that most phrases have, which may be added to a name without one. */
  readonly isUsualKind: (word: string) => boolean;
  readonly find: (segment: Segment, isMisspelt: boolean) => readonly Hit<P>[];
};

/** A word counts as shared if at least this share of the phrases has it. */
const SHARED = 0.005;
const LEAST_SHARED = 3;
const MOST_JOINED = 3;
/** How many endings an abbreviation is tried with, the most frequent first. */
const MOST_ENDINGS = 3;
const LONGEST_ENDING = 8;
/** The most letters of an abbreviated ending. */
const LONGEST_CUT = 4;
/** In a list with fewer phrases, every word of a core finds its phrase. */
const FEW_PHRASES = 60;

const isNumber = (word: string): boolean => /^\d/.test(word);
/** "rd", "blvd", "str": no vowel behind the first letter. */
const isSkeleton = (word: string): boolean => !/[aeiou]/.test(word.slice(1));

type Listed = { readonly words: readonly string[]; readonly target: number };
type Grouped = { readonly words: readonly string[]; readonly targets: number[] };

/** Equal lists of words as one. */
const grouped = (lists: Iterable<Listed>): readonly Grouped[] => {
  const byText = new Map<string, Grouped>();
  for (const { words, target } of lists) {
    const text = words.join(' ');
    const same = byText.get(text);
    if (same === undefined) byText.set(text, { words, targets: [target] });
    else same.targets.push(target);
  }
  return [...byText.values()];
};

const count = (counts: Map<string, number>, word: string): void => void counts.set(word, (counts.get(word) ?? 0) + 1);

/** The kinds of streets: the words at the start (0) or at the end (1) of their names that many share. */
type Kinds = {
  /** The kind that `word` is a form of at that end ("street" for "st"), if any. `isInList`: the word is one of the list. */
  readonly kindOf: (word: string, end: 0 | 1, isInList?: boolean) => string | undefined;
  /** Whether `word` is the kind that most names have. */
  readonly isUsual: (word: string) => boolean;
  /** Whether the word at `at` is a kind, at the end where most names have theirs. */
  readonly isMainKind: (words: readonly string[], at: number) => boolean;
};

const ENDS = [0, 1] as const;
const NO_KINDS: Kinds = { kindOf: () => undefined, isUsual: () => false, isMainKind: () => false };

/** Whether `short` is a usual way to abbreviate `long`: "rd", "ave", but not "via" for "viale", which is a word of its own. */
const isCut = (short: string, long: string): boolean =>
  isShortFor(short, long) && (isSkeleton(short) || 2 * short.length <= long.length);

const endOf = (words: readonly string[], end: number): string => words[end === 0 ? 0 : words.length - 1] ?? '';
const withoutEnd = (words: readonly string[], end: number): readonly string[] =>
  end === 0 ? words.slice(1) : words.slice(0, -1);
const isNameWord = (word: string): boolean => !isNumber(word) && (word.length === 1 || !isFilling(word));

/** How often each word stands at the start and at the end of names; `strong`: the end where most names have their kind. */
const countKinds = (names: readonly (readonly string[])[], many: number) => {
  const counts = ENDS.map((end) => {
    const times = new Map<string, number>();
    for (const words of names) if (isNameWord(endOf(words, end))) count(times, endOf(words, end));
    return times;
  });
  const weightOf = (end: number): number => [...(counts[end]?.values() ?? [])].reduce((sum, one) => sum + one * one, 0);
  const strong = weightOf(0) >= weightOf(1) ? 0 : 1;
  const main = counts[strong] ?? new Map<string, number>();
  // At the other end stand directions and the like, if more of the name is left.
  const [other, inner] = [new Map<string, number>(), new Map<string, number>()];
  const isNamed = (words: readonly string[]): boolean => words.filter(isNameWord).length > 1;
  for (const words of names) {
    const rest = withoutEnd(words, strong);
    const hasMain = (main.get(endOf(words, strong)) ?? 0) > 1;
    const left = endOf(words, 1 - strong);
    if (isNamed(hasMain ? rest : words) && isNameWord(left)) count(other, left);
    // "19th Avenue NW": the kind is behind the direction.
    const second = endOf(rest, strong);
    if (hasMain && isNamed(rest) && isNameWord(second)) count(inner, second);
  }
  for (const [word, times] of inner) if (times >= many) main.set(word, (main.get(word) ?? 0) + times);
  counts[1 - strong] = other;
  return { counts, strong } as const;
};

/**
 * The long forms of kinds, by their short and their long forms. They are learnt from names that the list has with both: "Av. Baudelaire"
 * and "Avenue Baudelaire". "Rue" is no form of "route", although a few names occur with both.
 */
const learnForms = (
  names: readonly (readonly string[])[],
  counts: readonly ReadonlyMap<string, number>[],
): ReadonlyMap<string, string> => {
  const written = new Map<string, string[]>();
  for (const words of names)
    for (const end of ENDS) addTo(written, `${end} ${withoutEnd(words, end).join(' ')}`, endOf(words, end));
  const shown = new Map<string, number>();
  const pairs = [...written.values()].flatMap((some) =>
    some.flatMap((short) => some.flatMap((long) => (isShortFor(short, long) ? [`${short} ${long}`] : []))),
  );
  for (const pair of pairs) count(shown, pair);
  const timesOf = (word: string): number => counts.reduce((sum, times) => sum + (times.get(word) ?? 0), 0);
  const forms = new Map<string, string>();
  for (const [pair, times] of shown) {
    const [short = '', long = ''] = pair.split(' ');
    // "Via" is a word of its own, "priv" an abbreviation.
    const isWord = /[aeiou]$/.test(short) && long.startsWith(short);
    const isRare = times < 0.3 * Math.min(timesOf(short), timesOf(long));
    if (short.length > 1 && (isCut(short, long) || !(isWord || isRare)))
      forms.set(short, long).set(long, forms.get(long) ?? long);
  }
  return forms;
};

const learnKinds = (phrases: readonly Grouped[], many: number): Kinds => {
  const names = phrases.map(({ words }) => words).filter((words) => words.length > 1);
  const { counts, strong } = countKinds(names, many);
  const forms = learnForms(names, counts);
  const frequent = counts.map((times) =>
    [...times]
      .filter(([, one]) => one >= many)
      .sort(([one, a], [two, b]) => b - a || (one < two ? -1 : 1))
      .map(([word]) => word),
  );
  const isForm = (short: string, long: string): boolean => isCut(short, long) || forms.get(short) === long;
  const remember = new Map<string, string | undefined>();
  const kindOf = (word: string, end: 0 | 1, isInList = false): string | undefined => {
    const key = `${end}${isInList ? '=' : ''}${word}`;
    if (remember.has(key)) return remember.get(key);
    remember.set(key, undefined);
    const kind = isNumber(word) ? undefined : look(word, end, isInList);
    remember.set(key, kind);
    return kind;
  };
  const look = (word: string, end: 0 | 1, isInList: boolean): string | undefined => {
    const kinds = frequent[end] ?? [];
    const isOwn = kinds.includes(word);
    const longer = kinds.find((kind) => kind !== word && (isOwn ? isForm(word, kind) : isShortFor(word, kind)));
    if (longer !== undefined && (isOwn || !isInList || word.length <= 4 || forms.has(word))) return kindOf(longer, end);
    if (isOwn) return word;
    const form = forms.get(word);
    if (form !== undefined || isInList) return form;
    const isShorter = (kind: string): boolean =>
      (kind.length > 1 || kind === kinds[0]) && isForm(kind, word) && !isFilling(kind);
    const [shorter] = kinds
      .filter(isShorter)
      .sort((one, two) => Number(word.startsWith(two)) - Number(word.startsWith(one)) || two.length - one.length);
    return shorter === undefined ? undefined : kindOf(shorter, end);
  };
  const usual = kindOf(frequent[strong]?.[0] ?? '', strong);
  return {
    kindOf,
    isUsual: (word) => usual !== undefined && kindOf(word, strong) === usual,
    isMainKind: (words, at) =>
      at === (strong === 0 ? 0 : words.length - 1) && kindOf(words[at] ?? '', strong, true) !== undefined,
  };
};

/** How many words have each ending, and the endings that are kinds of streets, the most frequent first: "gatan", "strasse". */
const learnEndings = (words: Iterable<string>, many: number) => {
  const counts = new Map<string, number>();
  for (const word of words)
    for (let length = 2; length <= Math.min(LONGEST_ENDING, word.length - 2); length += 1)
      count(counts, word.slice(-length));
  // With a letter more in front, a third of the words would be missing.
  const isWhole = (ending: string): boolean => (counts.get(ending) ?? 0) >= 0.66 * (counts.get(ending.slice(1)) ?? 0);
  const learnt = [...counts].flatMap(([ending, times]) =>
    ending.length > 2 && times >= many && isWhole(ending) && isWhole(ending.slice(1)) ? [ending] : [],
  );
  const all = new Set([...learnt, ...ENDINGS]);
  const endings = [...all].sort((one, two) => (counts.get(two) ?? 0) - (counts.get(one) ?? 0) || (one < two ? -1 : 1));
  const endingOf = (word: string): string | undefined => {
    for (let length = Math.min(LONGEST_ENDING, word.length - 2); length > 1; length -= 1)
      if (all.has(word.slice(-length))) return word.slice(-length);
    return undefined;
  };
  return { counts, endings, endingOf };
};

/** A word of the core of `phrase`, or several joined, by which it is found. */
type Anchor<P> = { readonly phrase: P; readonly at: number; readonly count: number; readonly mistakes: number };

/** A text with another form of its ending. */
type Expanded = { readonly whole: string; readonly ending: string };

/** How a token stands for a word. */
type Likeness = { readonly mistakes: number; readonly initials: number };
const EXACT: Likeness = { mistakes: 0, initials: 0 };
const INITIAL: Likeness = { mistakes: 0, initials: 1 };

/** What was learnt from all phrases. */
type Learnt = {
  readonly hasKinds: boolean;
  readonly isKnown: (word: string) => boolean;
  readonly kinds: Kinds;
  readonly endings: ReturnType<typeof learnEndings>;
};

/** What each word of a phrase is; `weights`: how rare each is. */
const rolesOf = (
  words: readonly string[],
  weights: readonly number[],
  { kindOf, isMainKind }: Kinds,
): readonly Role[] => {
  const isKind = (at: number): boolean => ENDS.some((end) => kindOf(words[at] ?? '', end, true) !== undefined);
  const isSmall = (word: string, at: number): boolean => {
    const isInner = at > 0 && at < words.length - 1;
    if (isFilling(word) && !isKind(at) && (word.length > 1 || isInner)) return true;
    if (isInner && word.length <= 2 && !isNumber(word)) return true;
    return /^(th|st|nd|rd)$/.test(word) && isNumber(words[at - 1] ?? '');
  };
  const roles = words.map((word, at): Role => (isSmall(word, at) ? 'small' : 'core'));
  // Of "Park Road", two kinds, the rarer word is the name; of "Hayes Ave" the word that is no kind.
  const isName = words.some((_, at) => roles[at] === 'core' && !isKind(at));
  const isOuter = (at: number): boolean => words.length > 1 && isMainKind(words, at);
  const telling = weights.map((weight, at) =>
    roles[at] === 'small' || (isName ? isKind(at) : isOuter(at)) ? 0 : weight,
  );
  const heaviest = telling.indexOf(Math.max(...telling));
  const peel = (from: number, step: 1 | -1): void => {
    for (let at = from; at !== heaviest && at >= 0 && at < words.length; at += step) {
      if (roles[at] === 'small') continue;
      if (!isKind(at)) return;
      roles[at] = 'kind';
    }
  };
  peel(0, 1);
  peel(words.length - 1, -1);
  if (heaviest >= 0) roles[heaviest] = 'core';
  return roles;
};

/** Compares words that people write with words of the list. */
const createLikeness = ({ hasKinds, isKnown, kinds: { kindOf }, endings: learnt }: Learnt) => {
  const { counts, endings, endingOf } = learnt;
  const isSameKind = (one: string, other: string): boolean =>
    ENDS.some((end) => {
      const kind = kindOf(other, end);
      return kind !== undefined && kindOf(one, end) === kind;
    });
  /** Whether `cut` is short for `ending`, and not for another one: "nt" can be "nkatu" and "ntie", and is the one that begins so. */
  const isCutEnding = (cut: string, ending: string): boolean =>
    cut !== '' && isShortFor(cut, ending) && (ending.startsWith(cut) || !beginsEnding(cut));
  const beginsEnding = remembered((cut: string) => endings.some((one) => one.startsWith(cut)));
  /** The length of the stem of `long`, if `short` is that stem with an abbreviated ending: 4 for "storg" and "storgatan". */
  const stemOf = (short: string, long: string): number | undefined => {
    const ending = endingOf(long);
    if (ending !== undefined) {
      const stem = long.length - ending.length;
      return short.startsWith(long.slice(0, stem)) && isCutEnding(short.slice(stem), ending) ? stem : undefined;
    }
    // The list has "gutenbergstr" for "gutenbergstrasse".
    const cut = endingOf(short);
    if (cut !== undefined && isSkeleton(cut)) {
      const stem = short.length - cut.length;
      if (long.startsWith(short.slice(0, stem)) && isShortFor(cut, long.slice(stem))) return stem;
    }
    const left = long.length - short.length;
    const isCutOff = left <= 2 ? short.length > 3 : left <= 4 && short.length > 4 && !isKnown(short);
    return isCutOff && long.startsWith(short) ? 0 : undefined;
  };
  /** Whether they differ in an abbreviated ending only. "Lipova" is a street of its own if the list has it, but "gartenstr" never is. */
  const sharesStem = (short: string, long: string, text: string): boolean => {
    const stem = stemOf(short, long);
    return stem !== undefined && (!isKnown(text) || (stem > 0 && isSkeleton(short.slice(stem))));
  };
  /** Whether `text` has an ending of its own where `word` has another: "Nedermarken" is no mistake for "Nederparken". */
  const isOtherEnding = (text: string, word: string): boolean => {
    // "Lærkemarken" is no mistake for "Lærkeparken", because other words end with "marken" too.
    const first = [...text].findIndex((letter, at) => letter !== word[at]);
    const ending = text.slice(first);
    if (ending.length > 2 && ending.slice(1) === word.slice(first + 1) && (counts.get(ending) ?? 0) > 1) return true;
    const [own, its] = [endingOf(word), endingOf(text)];
    if (own === undefined || text.endsWith(own)) return false;
    if (its !== undefined && !own.endsWith(its))
      return its.slice(0, 2) !== own.slice(0, 2) || mistakesBetween(its, own, 2) > 2;
    const stem = word.slice(0, -own.length);
    const tail = text.slice(stem.length);
    if (!text.startsWith(stem)) return false;
    const others = (counts.get(tail) ?? 0) - (own.endsWith(tail) ? (counts.get(own) ?? 0) : 0);
    return others > 1 || mistakesBetween(tail, own, 1) > 1;
  };
  /** Stems of `text` with other forms of its ending: "knslergade" for "knslerg.", "otteliusstr" for "otteliusstraat". */
  const expanded = (text: string, isDotted: boolean): readonly Expanded[] => {
    const own = endingOf(text);
    const withStem = (stem: string, fits: (ending: string) => boolean): readonly Expanded[] =>
      endings
        .filter(fits)
        .slice(0, MOST_ENDINGS)
        .map((ending) => ({ whole: stem + ending, ending }));
    const others = (one: string) =>
      withStem(text.slice(0, -one.length), (ending) => isShortFor(ending, one) || isShortFor(one, ending));
    if (own !== undefined && !isSkeleton(own)) return others(own);
    const cut = [1, 2, 3, 4].flatMap((length) => {
      const [stem, short] = [text.slice(0, -length), text.slice(-length)];
      if (stem.length < 4 || (length === 1 && !isDotted && stem.length < 5)) return [];
      return withStem(stem, (one) => isShortFor(short, one) && (one.startsWith(short) || isSkeleton(short)));
    });
    return own === undefined ? cut : [...others(own), ...cut];
  };
  /** Whether `text` and `word`, which is no kind, are forms of one word. `isDotted`: a dot follows; `isPart`: `word` is one of several. */
  const isAbbreviated = (text: string, word: string, isDotted: boolean, isPart: boolean): boolean => {
    const [short, long] = text.length < word.length ? [text, word] : [word, text];
    if (!isShortFor(short, long) || short.length === 1) return false;
    if (sharesStem(short, long, text)) return true;
    if (short.length < 4 && long.length < 7 && !isFilling(short) && !isKnown(text)) return true;
    if (isSkeleton(short) && (short === text || short.length < 4)) return true;
    // "Mikont." is short for Mikontie, but not for Mikonkatu.
    return short === text && long.startsWith(short) && (isDotted || (isPart && short.length > 2 && !isKnown(text)));
  };
  /** Whether `text` is a usual way to write the word at `at`. */
  const isForm = ({ words, roles }: Phrase, at: number, text: string, isDotted: boolean): boolean => {
    const word = words[at] ?? '';
    if (text === word || isNumber(text) || isNumber(word)) return text === word;
    if (isSameKind(text, word)) return true;
    if (roles[at] === 'kind') return !isKnown(text) && isCut(text, word);
    return isAbbreviated(text, word, isDotted, words.length > 1);
  };
  const isInitial = ({ words, roles }: Phrase, at: number, text: string): boolean => {
    const word = words[at] ?? '';
    const [short, long] = text.length < word.length ? [text, word] : [word, text];
    return hasKinds && roles[at] !== 'kind' && short.length === 1 && short === long[0] && long.length > 2;
  };
  const likeness = (
    phrase: Phrase,
    at: number,
    text: string,
    isDotted: boolean,
    isMisspelt: boolean,
  ): Likeness | undefined => {
    const word = phrase.words[at] ?? '';
    if (isForm(phrase, at, text, isDotted)) return EXACT;
    if (isNumber(text) || isNumber(word)) return undefined;
    if (isInitial(phrase, at, text)) return INITIAL;
    const most = isMisspelt && !isKnown(text) ? mistakesAllowed(Math.max(word.length, text.length)) : 0;
    if (most === 0 || isOtherEnding(text, word)) return undefined;
    const mistakes = mistakesBetween(text, word, most);
    return mistakes <= most ? { mistakes, initials: 0 } : undefined;
  };
  return { likeness, sharesStem, isOtherEnding, expanded, endingOf };
};
type Likenesses = ReturnType<typeof createLikeness>;

type Step = Likeness & { readonly tokens: number; readonly words: number };

/** Aligns the other words of the anchor's phrase with the tokens before `from` and from `to` on. */
const align = <P extends Phrase>(
  { tokens }: Segment,
  { phrase, at: anchorAt, count: anchorWords, mistakes: anchorMistakes }: Anchor<P>,
  from: number,
  to: number,
  isMisspelt: boolean,
  { likeness }: Likenesses,
): Hit<P> => {
  /** How the token at `place`, or it and its neighbour in the direction `step`, matches the word at `at`, or it and its neighbour. */
  const stepAt = (at: number, place: number, step: 1 | -1): Step | undefined => {
    const [word, token, after] = [phrase.words[at], tokens[place], tokens[place + 1]];
    // "17A": the letter of a house.
    const isLetter = token?.text.length === 1 && token.gap === '' && tokens[place - 1]?.isNumber;
    if (word === undefined || token === undefined || isLetter) return undefined;
    const { text } = token;
    const like = likeness(phrase, at, text, after?.gap.startsWith('.') === true, isMisspelt);
    if (like !== undefined) return { ...like, tokens: 1, words: 1 };
    const both = (one: string, other: string): string => (step > 0 ? one + other : other + one);
    const [other, otherWord] = [tokens[place + step]?.text, phrase.words[at + step]];
    if (other !== undefined && both(text, other) === word) return { ...EXACT, tokens: 2, words: 1 };
    const isBoth = otherWord !== undefined && both(word, otherWord) === text;
    return isBoth ? { ...EXACT, tokens: 1, words: 2 } : undefined;
  };
  const missing: number[] = [];
  let [initials, mistakes] = [0, anchorMistakes];
  const walk = (start: number, place: number, step: 1 | -1): number => {
    let here = place;
    for (let word = start; word >= 0 && word < phrase.words.length; ) {
      // "Rue de la Paix" for "Rue Paix".
      const direct = stepAt(word, here, step);
      const isSkipped = direct === undefined && isFilling(tokens[here]?.text ?? '');
      const found = isSkipped ? stepAt(word, here + step, step) : direct;
      if (found === undefined) missing.push(word);
      else {
        here += step * (found.tokens + Number(isSkipped));
        initials += found.initials;
        mistakes += found.mistakes;
      }
      word += step * (found?.words ?? 1);
    }
    return here;
  };
  const first = walk(anchorAt - 1, from - 1, -1) + 1;
  const last = walk(anchorAt + anchorWords, to, 1);
  const absent = missing.filter((word) => phrase.roles[word] !== 'small');
  return { phrase, from: first, to: last, missing: absent, mistakes, initials };
};

/** The phrases by words of their cores, and by several words joined. `most`: how many words of a core are used, the rarest first. */
const createAnchors = <P extends Phrase>(all: readonly P[], most: number): Map<string, Anchor<P>[]> => {
  const anchors = new Map<string, Anchor<P>[]>();
  for (const phrase of all) {
    const { words, weights, roles } = phrase;
    const anchor = (text: string, at: number, words: number): void =>
      addTo(anchors, text, { phrase, at, count: words, mistakes: 0 });
    const core = words
      .flatMap((_, at) => (roles[at] === 'core' ? [at] : []))
      .sort((one, other) => (weights[other] ?? 0) - (weights[one] ?? 0));
    for (const at of core.slice(0, most)) anchor(words[at] ?? '', at, 1);
    if (words.length > 1) anchor(words.join(''), 0, words.length);
    // A core and its kind may be written as one word.
    const [first] = core;
    if (words.length > 2 && first !== undefined && roles[first + 1] === 'kind')
      anchor(`${words[first]}${words[first + 1]}`, first, 2);
  }
  return anchors;
};

/** Looks up anchors by a text. `isDotted`: a dot follows; `isOne`: the text is one token. */
const createLookUp = <P extends Phrase>(
  anchors: ReadonlyMap<string, Anchor<P>[]>,
  { isKnown, kinds: { kindOf } }: Learnt,
  { sharesStem, isOtherEnding, expanded, endingOf }: Likenesses,
) => {
  /** Phrases whose name has nothing but kinds and numbers ("Calle 5 Norte"), by their kind. */
  const byKind = new Map<string, Anchor<P>[]>();
  for (const [word, list] of anchors)
    for (const kind of new Set(ENDS.flatMap((end) => kindOf(word, end, true) ?? [])))
      for (const one of list) if (one.count === 1) addTo(byKind, kind, one);
  const sorted = [...anchors.keys()].sort();
  const near = nearStrings(sorted);
  /** The keys of `anchors` that `text` is short for, or that are short for it. */
  const abbreviated = (text: string, isDotted: boolean, isOne: boolean): readonly string[] => {
    const prefix = text.slice(0, Math.max(3, text.length - (endingOf(text)?.length ?? LONGEST_CUT)));
    const placeOf = (key: string): number => firstNotBefore(sorted.length, (at) => (sorted[at] ?? '') < key);
    return sorted.slice(placeOf(prefix), placeOf(`${prefix}\uffff`)).filter((word) => {
      if (word === text || isNumber(word) || (!isOne && word.length < text.length)) return false;
      const [short, long] = text.length < word.length ? [text, word] : [word, text];
      if (!isShortFor(short, long)) return false;
      return sharesStem(short, long, text) || (isDotted && text.length > 3 && short === text && long.startsWith(text));
    });
  };
  /** An ending that was expanded has no mistake itself: "klosterg." is not Klostervej. */
  const misspelt = (text: string, isDotted: boolean): readonly Anchor<P>[] =>
    [{ whole: text, ending: '' }, ...expanded(text, isDotted)].flatMap(({ whole, ending }) =>
      near.find(whole).flatMap(({ at, mistakes }) => {
        const word = sorted[at] ?? '';
        if (!word.endsWith(ending) || isOtherEnding(whole, word)) return [];
        return (anchors.get(word) ?? []).map((one) => ({ ...one, mistakes }));
      }),
    );
  const lookUp = (text: string, isDotted: boolean, isOne: boolean, isMisspelt: boolean): readonly Anchor<P>[] => {
    const exact = anchors.get(text) ?? [];
    if (/\d/.test(text)) return exact;
    const kinds = isOne ? new Set(ENDS.flatMap((end) => kindOf(text, end) ?? [])) : [];
    const ofKind = [...kinds].flatMap((kind) => byKind.get(kind) ?? []);
    const short = text.length > 3 ? abbreviated(text, isDotted, isOne).flatMap((word) => anchors.get(word) ?? []) : [];
    const found = new Set([...exact, ...ofKind, ...short.filter(({ count: words }) => words < MOST_JOINED)]);
    const mayErr = isMisspelt && isOne && text.length > 4 && !isKnown(text) && !isWorkWord(text);
    return [...found, ...(mayErr ? misspelt(text, isDotted) : [])];
  };
  // A cache for each combination of flags: building longer keys would take as long as looking up.
  const lookUps = [0, 1, 2, 3, 4, 5, 6, 7].map((flags) =>
    remembered((text: string) => lookUp(text, (flags & 1) > 0, (flags & 2) > 0, (flags & 4) > 0)),
  );
  return (text: string, isDotted: boolean, isOne: boolean, isMisspelt: boolean): readonly Anchor<P>[] =>
    lookUps[Number(isDotted) + 2 * Number(isOne) + 4 * Number(isMisspelt)]?.(text) ?? [];
};

/** Indexes `lists`, each the words of a phrase; equal ones are one phrase. */
export const createPhrases = <P extends Phrase>(
  lists: Iterable<Listed>,
  make: (phrase: Phrase) => P,
  hasKinds = true,
): Phrases<P> => {
  const groups = grouped(lists);
  const frequency = new Map<string, number>();
  for (const { words } of groups) for (const word of new Set(words)) count(frequency, word);
  const many = Math.max(LEAST_SHARED, groups.length * SHARED);
  const kinds = hasKinds ? learnKinds(groups, many) : NO_KINDS;
  const isKnown = (word: string): boolean => frequency.has(word);
  const learnt: Learnt = { hasKinds, isKnown, kinds, endings: learnEndings(frequency.keys(), many) };
  const likenesses = createLikeness(learnt);
  const all = groups.map(({ words, targets }) => {
    // "Praha 5": the number of a district is not what tells the town.
    const isDistrict = (word: string): boolean => !hasKinds && words.length > 1 && (isNumber(word) || word.length < 3);
    const rarity = (word: string): number => Math.log(1 + groups.length / (frequency.get(word) ?? 1));
    const weights = words.map((word) => (isDistrict(word) ? 0.1 : rarity(word)));
    return make({ words, weights, targets, roles: rolesOf(words, weights, kinds) });
  });
  const anchorsOf = createLookUp(
    createAnchors(all, groups.length < FEW_PHRASES ? Number.POSITIVE_INFINITY : 2),
    learnt,
    likenesses,
  );
  const isKindOf = (word: string): boolean => ENDS.some((end) => kinds.kindOf(word, end) !== undefined);
  return {
    all,
    has: isKnown,
    isKind: (word) => word.length > 1 && (isKnown(word) || !isWorkWord(word)) && isKindOf(word),
    isUsualKind: kinds.isUsual,
    find: (segment, isMisspelt) => {
      /** The best hits of each phrase, in several places if they are equally good. */
      const best = new Map<P, Hit<P>[]>();
      const add = (hit: Hit<P>): void => {
        const before = best.get(hit.phrase) ?? [];
        const least = Math.min(...before.map(costOf));
        if (before.length > 0 && costOf(hit) > least) return;
        const others = costOf(hit) < least ? [] : before;
        const same = others.findIndex(({ from, to }) => hit.from < to && hit.to > from);
        if (same < 0) best.set(hit.phrase, [...others, hit]);
        else if (hit.to - hit.from > (others[same]?.to ?? 0) - (others[same]?.from ?? 0)) others[same] = hit;
      };
      const { tokens } = segment;
      for (let from = 0; from < tokens.length; from += 1)
        for (let to = from + 1; to <= Math.min(tokens.length, from + MOST_JOINED); to += 1) {
          if (segment.isGuid[to - 1]) break;
          const text = segment.joined[from]?.[to - from - 1] ?? '';
          const isDotted = tokens[to]?.gap.startsWith('.') === true;
          for (const one of anchorsOf(text, isDotted, to === from + 1, isMisspelt))
            add(align(segment, one, from, to, isMisspelt, likenesses));
        }
      return [...best.values()].flat().filter(isTelling);
    },
  };
};

/** How much of a phrase is missing or written differently; 0 for an exact hit. */
export const costOf = ({ phrase, missing, mistakes, initials }: Hit): number =>
  missing.reduce((sum, at) => sum + (phrase.roles[at] === 'core' ? 3 : 1), 0) + mistakes + initials / 2;

/** Whether a hit has more than half of what the words of its core tell. */
const isTelling = ({ phrase: { weights, roles }, missing }: Hit): boolean => {
  const sumOf = (places: readonly number[]): number =>
    places.reduce((sum, at) => sum + (roles[at] === 'core' ? (weights[at] ?? 0) : 0), 0);
  return missing.length === 0 || sumOf(missing) < sumOf([...weights.keys()]) / 2;
};

/** A phrase without its kinds. */
export const nameOf = ({ words, roles }: Phrase): string => words.filter((_, at) => roles[at] !== 'kind').join(' ');
