/**
 * Finds streets, towns and performers in names, in the ways that people write them: abbreviated, without their kind, in other spaces,
 * or with a typing mistake. What is a kind ("road", "ul.", "W") is learnt: words at the start or end that many phrases share.
 */
import { firstNotBefore, remembered, type Segment } from './names.ts';
import { ENDINGS, isFilling, isWorkWord } from './words.ts';

/** A street, town or performer. */
export type Phrase = {
  readonly words: readonly string[];
  /** How rare each word is: what it tells, in nats. */
  readonly weights: readonly number[];
  /** `core`: tells it from others; `kind`: many share it, and it may be left out; `small`: says nothing. */
  readonly roles: readonly ('core' | 'kind' | 'small')[];
  /** Another phrase differs only in its kind. */
  isShared: boolean;
  /** The positions of the targets that have it. */
  readonly targets: number[];
};

/** A phrase in a name: where, what of it is missing, and how far it is from being written out. */
export type Hit<P extends Phrase = Phrase> = {
  readonly phrase: P;
  readonly from: number;
  readonly to: number;
  /** Of the missing words, the places in `phrase.words`. */
  readonly missing: readonly number[];
  readonly mistakes: number;
  /** Words of the core that only their first letter stands for. */
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

/** Of this many phrases a word is shared by many. */
const SHARED = 0.005;
const LEAST_SHARED = 3;
const MOST_JOINED = 3;
/** So many endings are tried for an abbreviation. */
const MOST_ENDINGS = 3;
const LONGEST_ENDING = 8;
/** A list with fewer phrases shows too little. */
const FEW_PHRASES = 60;

/** Whether `short` may stand for `long`: its first letter and others of it, in order ("rd", "blvd", "ul", "stg"). */
export const isShortFor = (short: string, long: string): boolean => {
  if (short.length >= long.length || short[0] !== long[0] || long.length < 3) return false;
  if (short.length === 1) return long.length <= 8;
  let at = 0;
  for (const letter of long) if (letter === short[at]) at += 1;
  return at === short.length;
};

/** Indexes `lists`, each the words of a phrase; equal ones are one phrase. */
export const createPhrases = <P extends Phrase>(
  lists: Iterable<{ readonly words: readonly string[]; readonly target: number; readonly place?: string }>,
  make: (phrase: Phrase) => P,
  hasKinds = true,
): Phrases<P> => {
  const byText = new Map<
    string,
    { readonly words: readonly string[]; readonly targets: number[]; readonly places: Set<string> }
  >();
  for (const { words, target, place = '' } of lists) {
    const text = words.join(' ');
    const same = byText.get(text);
    if (same === undefined) byText.set(text, { words, targets: [target], places: new Set([place]) });
    else {
      same.targets.push(target);
      same.places.add(place);
    }
  }
  const frequency = new Map<string, number>();
  const count = (of: Map<string, number>, word: string): void => void of.set(word, (of.get(word) ?? 0) + 1);
  for (const { words } of byText.values()) for (const word of new Set(words)) count(frequency, word);
  const many = Math.max(LEAST_SHARED, byText.size * SHARED);
  const isSame = hasKinds ? learnKinds([...byText.values()], many) : undefined;
  const kinds = new Set(isSame?.kinds);
  const { endings, suffixes } = learnSuffixes([...frequency.keys()], many, byText.size < FEW_PHRASES);
  const abbreviations = suffixes.filter((one) => !/[aeiouy]/.test(one.slice(1)));
  const suffixesByUse = suffixes.toSorted((one, other) => (endings.get(other) ?? 0) - (endings.get(one) ?? 0));

  const phraseOf = ({ words, targets }: { readonly words: readonly string[]; readonly targets: number[] }): P => {
    // "Praha 5": the number of a district is not what tells the town.
    const isDistrict = (word: string): boolean =>
      !hasKinds && words.length > 1 && (/^\d/.test(word) || word.length < 3);
    const weights = words.map((word) =>
      isDistrict(word) ? 0.1 : Math.log(1 + byText.size / (frequency.get(word) ?? 1)),
    );
    const roles = words.map((word, at): Phrase['roles'][number] =>
      (isFilling(word) && !kinds.has(word) && (word.length > 1 || (at > 0 && at < words.length - 1))) ||
      (at > 0 && at < words.length - 1 && word.length <= 2 && !/^\d/.test(word)) ||
      (/^(th|st|nd|rd)$/.test(word) && /^\d/.test(words[at - 1] ?? ''))
        ? 'small'
        : 'core',
    );
    // Of "Park Road" the rarer word is the name; of "Hayes Ave" the one that is no kind, however rare it is.
    const isName = words.some((word, at) => roles[at] === 'core' && !kinds.has(word));
    const telling = weights.map((weight, at) =>
      roles[at] === 'small' || (isName && kinds.has(words[at] ?? '')) ? 0 : weight,
    );
    const heaviest = telling.indexOf(Math.max(...telling));
    const peel = (from: number, step: 1 | -1): void => {
      for (let at = from; at !== heaviest && at >= 0 && at < words.length; at += step) {
        if (roles[at] === 'small') continue;
        if (!kinds.has(words[at] ?? '')) return;
        roles[at] = 'kind';
      }
    };
    peel(0, 1);
    peel(words.length - 1, -1);
    if (heaviest >= 0) roles[heaviest] = 'core';
    return make({ words, weights, roles, isShared: false, targets });
  };
  const all = [...byText.values()].map(phraseOf);
  for (const same of Map.groupBy(all, coreOf).values()) {
    const kindsOf = same.map(({ words, roles }) => words.filter((_, at) => roles[at] === 'kind'));
    const isOther = (some: readonly string[]): boolean =>
      kindsOf.some(
        (others) =>
          some.length > 0 &&
          others.length > 0 &&
          !some.every((kind) => others.some((other) => isSame?.isSameKind(kind, other))),
      );
    if (same.length > 1 && kindsOf.some(isOther)) for (const one of same) one.isShared = true;
  }

  /** The phrases by the words of their cores, and by all their words in one. */
  type Anchor = { readonly phrase: P; readonly at: number; readonly count: number };
  const anchors = new Map<string, Anchor[]>();
  const anchor = (text: string, one: Anchor): void => {
    const list = anchors.get(text);
    if (list === undefined) anchors.set(text, [one]);
    else list.push(one);
  };
  for (const phrase of all) {
    const { words, weights, roles } = phrase;
    const core = words
      .flatMap((_, at) => (roles[at] === 'core' ? [at] : []))
      .sort((one, other) => (weights[other] ?? 0) - (weights[one] ?? 0));
    for (const at of core.slice(0, all.length < FEW_PHRASES ? core.length : 2))
      anchor(words[at] ?? '', { phrase, at, count: 1 });
    if (words.length > 1) anchor(words.join(''), { phrase, at: 0, count: words.length });
    // "Elve vei": the core and its kind in one word.
    if (words.length > 2)
      for (const at of core.slice(0, 1))
        if (roles[at + 1] === 'kind') anchor(`${words[at]}${words[at + 1]}`, { phrase, at, count: 2 });
  }
  const sorted = [...anchors.keys()].sort();
  const nearKeys = [...anchors.keys()];
  const near = createNearStrings(nearKeys);

  /** Whether `token` stands for `word`, which is not a kind; `next`: what stands between it and the next one. */
  const isCompoundShort = (text: string, word: string, next: string): boolean => {
    if (text.length < 4 || text.length >= word.length || text[0] !== word[0]) return false;
    let same = 0;
    while (same < text.length && text[same] === word[same]) same += 1;
    if (same < 3) return false;
    const suffix = suffixOf(word);
    const stem = suffix === undefined ? undefined : word.length - suffix.length;
    // "elvev", "gartenstr": the stem and some of its kind.
    if (stem !== undefined) {
      const kind = text.slice(stem);
      return (
        same >= stem &&
        kind !== '' &&
        isShortFor(kind, suffix ?? '') &&
        (byText.size < FEW_PHRASES || isAlike(suffixFor(kind) ?? '', suffix ?? ''))
      );
    }
    if (same < 4) return false;
    const rest = word.slice(same);
    if (same === text.length)
      return rest.length <= 2 || next.startsWith('.') || (rest.length <= 4 && same >= 5 && !isKnown(text));
    return (
      text.length - same <= 2 &&
      isShortFor(text.slice(same), `${text[same]}${rest.slice(rest.indexOf(text[same] ?? '') + 1)}`) &&
      text.at(-1) === word.at(-1)
    );
  };
  const isKnown = (text: string): boolean => frequency.has(text);
  const suffixOf = (word: string): string | undefined =>
    suffixes.find((one) => word.endsWith(one) && word.length > one.length + 1);
  /** "vei", "veien" and "vegen" are one ending; "vænge" is another one. */
  const isAlike = (one: string, other: string): boolean =>
    one === other || (one.slice(0, 2) === other.slice(0, 2) && mistakesBetween(one, other, 2) <= 2);
  /** The ending that most words have of those that `short` can stand for. */
  const suffixFor = (short: string): string | undefined => suffixesByUse.find((one) => isShortFor(short, one));
  /** "Nedermarken" and "Nederparken" are two streets, and no mistake: other words end so, too. */
  const isOtherEnding = (text: string, word: string): boolean => {
    const suffix = suffixOf(word);
    if (suffix === undefined || text.endsWith(suffix)) return false;
    const stem = word.slice(0, -suffix.length);
    if (!text.startsWith(stem)) {
      const other = suffixOf(text) ?? suffix;
      return !suffix.endsWith(other) && !other.endsWith(suffix) && !isAlike(other, suffix);
    }
    const ending = text.slice(stem.length);
    if (
      isAlike(ending, suffix) &&
      (mistakesBetween(ending, suffix, 1) <= 1 || (ENDINGS.has(ending) && ENDINGS.has(suffix)))
    )
      return false;
    // Of "-gata" the words that end with "-ata" are no others.
    const others = (endings.get(ending) ?? 0) - (suffix.endsWith(ending) ? (endings.get(suffix) ?? 0) : 0);
    return others > 1 || mistakesBetween(ending, suffix, 1) > 1;
  };
  /** "knslerg." as "knslergade": what it would be without its abbreviation. */
  const expanded = (text: string, next: string): readonly string[] =>
    [1, 2, 3, 4].flatMap((length) => {
      const [stem, short] = [text.slice(0, -length), text.slice(-length)];
      if (stem.length < 4 || (length === 1 && !next.startsWith('.') && stem.length < 5)) return [];
      return suffixesByUse
        .filter((one) => isShortFor(short, one) && (one.startsWith(short) || !/[aeiouy]/.test(short.slice(1))))
        .slice(0, MOST_ENDINGS)
        .map((suffix) => stem + suffix);
    });
  /** The words that `text` can be short for, or that can be short for it: they differ in their endings alone. */
  const startingLike = (text: string): readonly string[] => {
    const prefix = text.slice(0, Math.max(3, text.length - LONGEST_ENDING));
    const start = firstNotBefore(sorted.length, (at) => (sorted[at] ?? '') < prefix);
    const found: string[] = [];
    for (let at = start; sorted[at]?.startsWith(prefix); at += 1) found.push(sorted[at] ?? '');
    return found;
  };
  /** "storg" where the name has "storgatan". */
  const isAbbreviated = (word: string, text: string): boolean => {
    const suffix = suffixOf(text);
    return suffix !== undefined && word.length > text.length - suffix.length + 1 && isCompoundShort(word, text, '.');
  };
  const shortFor = remembered(
    ({ text, next, isOne }: { readonly text: string; readonly next: string; readonly isOne: boolean }) => {
      const found = startingLike(text).filter(
        (word) => isCompoundShort(text, word, next) || (isOne && isAbbreviated(word, text)),
      );
      // "gutenbergstrasse" where the list has "gutenbergstr.".
      for (const short of isOne ? abbreviations : [])
        for (let length = short.length + 1; length <= Math.min(8, text.length - 3); length += 1)
          if (
            text.slice(-length).startsWith(short.slice(0, 2)) &&
            isShortFor(short, text.slice(-length)) &&
            anchors.has(text.slice(0, -length) + short)
          )
            found.push(text.slice(0, -length) + short);
      return found;
    },
    ({ text, next, isOne }) => `${text}${next.startsWith('.') ? '.' : ''}${isOne ? '' : ' '}`,
  );
  const nearTo = remembered(near.find);
  const kindsLike = remembered((text: string) =>
    [...kinds].filter((kind) => kind !== text && isSame?.isSameKind(text, kind)),
  );

  type Matched = {
    readonly tokens: number;
    readonly words: number;
    readonly mistakes: number;
    readonly initials: number;
  };
  const EXACT: Matched = { tokens: 1, words: 1, mistakes: 0, initials: 0 };

  /** How the token at `place` stands for the word `at` of `phrase`; `step`: the direction in which the next ones are joined. */
  const matched = (
    phrase: P,
    at: number,
    { tokens }: Segment,
    place: number,
    step: 1 | -1,
    isMisspelt: boolean,
  ): Matched | undefined => {
    const word = phrase.words[at];
    const token = tokens[place];
    if (word === undefined || token === undefined) return undefined;
    const { text } = token;
    if (text === word) return EXACT;
    if (!token.isNumber && !/^\d/.test(word)) {
      const next = tokens[place + 1]?.gap ?? '';
      if (phrase.roles[at] === 'kind') {
        if (isSame?.isSameKind(text, word)) return EXACT;
      } else if (hasKinds && text.length === 1 && word[0] === text && word.length > 2) return { ...EXACT, initials: 1 };
      else if (hasKinds && word.length === 1 && text[0] === word && text.length > 2) return { ...EXACT, initials: 1 };
      else if ((next.startsWith('.') || !/[aeiouy]/.test(text.slice(1))) && text.length >= 2 && isShortFor(text, word))
        return EXACT;
      else if (text.length >= 2 && text.length <= 3 && word.length <= 6 && isShortFor(text, word) && !isFilling(text))
        return EXACT;
      else if (word.length >= 2 && word.length <= 3 && text.length <= 6 && isShortFor(word, text) && !isFilling(word))
        return EXACT;
      else if (
        word.length < 4 &&
        phrase.words.length > 1 &&
        (at === 0 || at === phrase.words.length - 1) &&
        isShortFor(word, text) &&
        !isKnown(text)
      )
        return EXACT;
      else if (word.length === 2 && (at === 0 || at === phrase.words.length - 1) && isShortFor(word, text))
        return EXACT;
      else if (kinds.has(word) && isSame?.isSameKind(text, word)) return EXACT;
      else if (isCompoundShort(text, word, next) || isCompoundShort(word, text, '')) return EXACT;
      if (isMisspelt) {
        const most = mistakesAllowed(Math.max(word.length, text.length));
        const mistakes =
          most === 0 || isKnown(text) || isOtherEnding(text, word) ? most + 1 : mistakesBetween(text, word, most);
        if (mistakes <= most) return { ...EXACT, mistakes };
      }
    }
    const other = tokens[place + step];
    if (other !== undefined && (step > 0 ? text + other.text : other.text + text) === word)
      return { ...EXACT, tokens: 2 };
    const otherWord = phrase.words[at + step];
    if (otherWord !== undefined && (step > 0 ? word + otherWord : otherWord + word) === text)
      return { ...EXACT, words: 2 };
    return undefined;
  };

  /** Lays the other words of `phrase` beside the tokens `from` to `to`, which are its words from `at` on. */
  const align = (
    segment: Segment,
    phrase: P,
    at: number,
    count: number,
    from: number,
    to: number,
    mistakes: number,
    isMisspelt: boolean,
  ): Hit<P> => {
    const missing: number[] = [];
    let [initials, wrong] = [0, mistakes];
    const walk = (start: number, place: number, step: 1 | -1): number => {
      let here = place;
      for (let word = start; word >= 0 && word < phrase.words.length; ) {
        let found = matched(phrase, word, segment, here, step, isMisspelt);
        let skipped = 0;
        const token = segment.tokens[here];
        if (found === undefined && token !== undefined && isFilling(token.text)) {
          found = matched(phrase, word, segment, here + step, step, isMisspelt);
          skipped = 1;
        }
        if (found === undefined) {
          missing.push(word);
          word += step;
          continue;
        }
        here += step * (found.tokens + skipped);
        word += step * found.words;
        initials += found.initials;
        wrong += found.mistakes;
      }
      return here;
    };
    let first = walk(at - 1, from - 1, -1) + 1;
    let last = walk(at + count, to, 1);
    // "Baudelaire (rue)": the kind on the other side.
    const moved = missing.filter((word) => {
      if (phrase.roles[word] !== 'kind') return false;
      const isFirst = word < at;
      const found = isFirst
        ? matched(phrase, word, segment, last, 1, false)
        : matched(phrase, word, segment, first - 1, -1, false);
      if (found === undefined || (segment.tokens[isFirst ? last : first - 1]?.text.length ?? 0) < 2) return false;
      if (isFirst) last += 1;
      else first -= 1;
      return true;
    });
    return {
      phrase,
      from: first,
      to: last,
      missing: missing.filter((word) => phrase.roles[word] !== 'small' && !moved.includes(word)),
      mistakes: wrong,
      initials,
    };
  };

  return {
    all,
    has: isKnown,
    isKind: (word) => isSame?.isKind(word) ?? false,
    isUsualKind: (word) => isSame?.isUsualKind(word) ?? false,
    find: (segment, isMisspelt) => {
      const best = new Map<P, Hit<P>>();
      const { tokens } = segment;
      const tryAt = (
        text: string,
        from: number,
        to: number,
        mistakes: number,
        most = Number.POSITIVE_INFINITY,
      ): void => {
        for (const { phrase, at, count: words } of anchors.get(text) ?? []) {
          if (words > most) continue;
          const hit = align(segment, phrase, at, words, from, to, mistakes, isMisspelt);
          const before = best.get(phrase);
          const less = before === undefined ? -1 : costOf(hit) - costOf(before);
          if (less < 0 || (less === 0 && before !== undefined && hit.to - hit.from > before.to - before.from))
            best.set(phrase, hit);
        }
      };
      for (let from = 0; from < tokens.length; from += 1) {
        for (let to = from + 1; to <= Math.min(tokens.length, from + MOST_JOINED); to += 1) {
          const last = tokens[to - 1];
          if (last === undefined || segment.isGuid[to - 1]) break;
          const text = segment.joined[from]?.[to - from - 1] ?? '';
          if (to > from + 1 && /^\d/.test(last.text) && !/^\d+$/.test(text) && !anchors.has(text)) break;
          tryAt(text, from, to, 0);
          if (last.isNumber && to === from + 1) continue;
          const next = tokens[to]?.gap ?? '';
          if (to === from + 1 && (text.length < 5 || isSame?.isKind(text)))
            for (const kind of kindsLike(text)) tryAt(kind, from, to, 0, 1);
          if (text.length > 3 && !/^\d/.test(text))
            for (const word of shortFor({ text, next, isOne: to === from + 1 }))
              if (word !== text) tryAt(word, from, to, 0, 2);
          if (
            !isMisspelt ||
            text.length < 5 ||
            /\d/.test(text) ||
            isKnown(text) ||
            (to === from + 1 && isWorkWord(text))
          )
            continue;
          for (const whole of [text, ...expanded(text, next)])
            for (const { at, mistakes } of nearTo(whole))
              if (!isOtherEnding(whole, nearKeys[at] ?? ''))
                tryAt(nearKeys[at] ?? '', from, to, mistakes, to === from + 1 ? MOST_JOINED : 1);
        }
      }
      return [...best.values()].filter(isTelling);
    },
  };
};

/** The words that tell a phrase from others. */
export const coreOf = ({ words, roles }: Phrase): string => words.filter((_, at) => roles[at] === 'core').join(' ');

/** A phrase without its kinds. */
export const nameOf = ({ words, roles }: Phrase): string => words.filter((_, at) => roles[at] !== 'kind').join(' ');

/** What is missing of a phrase, and how it differs, in one number. */
export const costOf = ({ phrase, missing, mistakes, initials }: Hit): number =>
  missing.reduce((sum, at) => sum + (phrase.roles[at] === 'core' ? 3 : 1), 0) + mistakes + initials / 2;

/** Whether a hit has enough of its phrase: more than half of what its words tell. */
const isTelling = ({ phrase: { weights, roles }, missing }: Hit): boolean => {
  if (missing.length === 0) return true;
  const sum = (places: readonly number[]): number =>
    places.reduce((all, at) => all + (roles[at] === 'core' ? (weights[at] ?? 0) : 0), 0);
  return sum(missing) < sum(weights.map((_, at) => at)) / 2;
};

const countOf = (words: readonly string[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
};

/** The first and the last of several words, each with the others. */
const endsOf = (words: readonly string[]): readonly (readonly [word: string, rest: string])[] =>
  words.length < 2
    ? []
    : [
        [words[0] ?? '', words.slice(1).join(' ')],
        [words.at(-1) ?? '', words.slice(0, -1).join(' ')],
      ];

/**
 * The kinds of streets: words at the start or end that many phrases share, and what is short for them. Two of them are the same kind if one
 * is short for the other, and for no kind that is more frequent; where both are frequent, phrases have to show it: "Hayes Ave" and "Hayes
 * Avenue".
 */
const learnKinds = (
  phrases: readonly { readonly words: readonly string[]; readonly places: ReadonlySet<string> }[],
  many: number,
) => {
  const isName = (word: string): boolean => !/^\d/.test(word) && (word.length === 1 || !isFilling(word));
  const [first, last] = [0, 1].map((end) =>
    countOf(phrases.flatMap(({ words }) => endsOf(words)[end]?.[0] ?? []).filter(isName)),
  );
  // Most names of a language have their kind at one end. At the other are directions and the like, if more than the kind is left.
  const weightOf = (times: ReadonlyMap<string, number> = new Map()): number =>
    [...times.values()].reduce((sum, one) => sum + one * one, 0);
  const strong = weightOf(first) >= weightOf(last) ? 0 : 1;
  const main = (strong === 0 ? first : last) ?? new Map<string, number>();
  const names = new Map<string, Set<string>>();
  for (const { words } of phrases) {
    const [word] = endsOf(words)[1 - strong] ?? [];
    const rest = strong === 0 ? words.slice(0, -1) : words.slice(1);
    const kind = strong === 0 ? rest[0] : rest.at(-1);
    const name = rest.filter((one) => isName(one) && !(one === kind && (main.get(one) ?? 0) > 1)).join(' ');
    if (word !== undefined && isName(word) && name !== '' && rest.length > 1)
      names.set(word, (names.get(word) ?? new Set()).add(name));
  }
  const others = new Map([...names].map(([word, some]) => [word, some.size] as const));
  const atEnds = new Map([...main]);
  for (const [word, times] of others) atEnds.set(word, (atEnds.get(word) ?? 0) + times);
  const frequent = [...atEnds].flatMap(([word, times]) => (times >= many ? [word] : []));
  const usual = [...main].reduce<readonly [string, number]>((most, one) => (one[1] > most[1] ? one : most), ['', 0])[0];
  const kinds = new Set(frequent);
  for (const word of atEnds.keys())
    if (word.length <= 4 && frequent.some((kind) => isShortFor(word, kind))) kinds.add(word);
  // "Av. Baudelaire" and "Avenue Baudelaire", however rare one of them is.
  const written = new Map<string, Set<string>>();
  for (const { words } of phrases)
    for (const [end, [word, rest]] of endsOf(words).entries())
      if (word.length > 1 && !/^\d/.test(word))
        written.set(`${end} ${rest}`, (written.get(`${end} ${rest}`) ?? new Set()).add(word));
  for (const some of written.values())
    if (some.size > 1)
      for (const short of some)
        for (const long of some)
          if (isShortFor(short, long) && (kinds.has(short) || kinds.has(long))) kinds.add(short).add(long);
  const withKind = new Map<string, Set<string>>();
  for (const { words, places } of phrases) {
    for (const [kind, rest] of endsOf(words))
      if (kinds.has(kind))
        for (const place of places)
          withKind.set(`${rest}|${place}`, (withKind.get(`${rest}|${place}`) ?? new Set()).add(kind));
  }
  const together = new Map<string, number>();
  for (const some of withKind.values())
    if (some.size > 1)
      for (const short of some)
        for (const long of some)
          if (isShortFor(short, long)) together.set(`${short} ${long}`, (together.get(`${short} ${long}`) ?? 0) + 1);
  const timesOf = (word: string): number => (kinds.has(word) ? (atEnds.get(word) ?? 0) : 0);
  const isUsual = (short: string, long: string): boolean => {
    const times = timesOf(long);
    return ![...kinds].some(
      (kind) =>
        kind !== long &&
        kind.length > short.length &&
        isShortFor(short, kind) &&
        timesOf(kind) > times &&
        !(isShortFor(kind, long) && !/[aeiouy]/.test(kind.slice(1))) &&
        !isShortFor(long, kind),
    );
  };
  /** The kind that an abbreviation stands for: "c." and "cl." for "calle". */
  const wholeOf = (word: string): string => {
    if (word.length > 2 && /[aeiouy]/.test(word.slice(1))) return word;
    let best = word;
    for (const kind of kinds)
      if (isShortFor(word, kind) && kind.length > 3 && timesOf(kind) > (best === word ? 0 : timesOf(best))) best = kind;
    return best;
  };
  const areSame = remembered((both: string): boolean => {
    const [one = '', other = ''] = both.split(' ');
    if (one.length < 4 && other.length < 4 && wholeOf(one) === wholeOf(other)) return true;
    const [short, long] = one.length < other.length ? [one, other] : [other, one];
    const isAbbreviation = short.length <= 2 || !/[aeiouy]/.test(short.slice(1));
    // "Viale" is a word that goes on, "Avenue" one that is cut.
    const isCut = !long.startsWith(short) || 2 * short.length <= long.length;
    const shown = together.get(`${short} ${long}`) ?? 0;
    // "Ave" and "Avenue", but not "Via" and "Viale": what can be a word of its own is one where the list has both.
    const least = Math.min(timesOf(short), timesOf(long));
    return (
      isShortFor(short, long) &&
      (isAbbreviation || least === 0 || (isCut && shown >= Math.max(1, least * 0.4))) &&
      ((timesOf(long) === 0 && short.length > 1 && timesOf(short) >= many) || isUsual(short, long))
    );
  });
  const isSameKind = (one: string, other: string): boolean => one === other || areSame(`${one} ${other}`);
  return {
    kinds,
    isSameKind,
    isUsualKind: (word: string): boolean => usual !== '' && isSameKind(word, usual),
    isKind: (word: string): boolean =>
      kinds.has(word) || (word.length > 1 && frequent.some((kind) => isSameKind(word, kind))),
  };
};

/** How many words have each ending, and those of them that are kinds of streets, the longest first: "gatan", "strasse". */
const learnSuffixes = (
  words: readonly string[],
  many: number,
  areFew: boolean,
): { readonly endings: ReadonlyMap<string, number>; readonly suffixes: readonly string[] } => {
  const counts = new Map<string, number>();
  for (const word of words)
    for (let length = 2; length <= Math.min(LONGEST_ENDING, word.length - 2); length += 1) {
      const suffix = word.slice(-length);
      counts.set(suffix, (counts.get(suffix) ?? 0) + 1);
    }
  // One letter more would leave out a third of them.
  const isWhole = (suffix: string, times: number): boolean => times >= 0.66 * (counts.get(suffix.slice(1)) ?? 0);
  const learnt = [...counts]
    .filter(
      ([suffix, times]) =>
        suffix.length > 2 &&
        times >= many &&
        isWhole(suffix, times) &&
        isWhole(suffix.slice(1), counts.get(suffix.slice(1)) ?? 0),
    )
    .map(([suffix]) => suffix);
  const suffixes = [...new Set([...learnt, ...(areFew ? ENDINGS : [])])].sort(
    (one, other) => other.length - one.length || (one < other ? -1 : 1),
  );
  return { endings: counts, suffixes };
};

/** Beyond this prefix mistakes are found by comparing, not by the index: it keeps the index small. */
const PREFIX = 7;

/** Calls `each` with the hash of `text`'s prefix and of what is left of it without up to `most` of its letters. */
const deletesOf = (text: string, most: number, each: (hash: number) => void): void => {
  const length = Math.min(text.length, PREFIX);
  const visit = (start: number, from: number, left: number): void => {
    let hash = start;
    for (let at = from; at < length; at += 1) {
      if (left > 0) visit(hash, at + 1, left - 1);
      hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    }
    each(hash >>> 0);
  };
  visit(0x811c9dc5, 0, most);
};

/** How many mistakes a string of this length may have: a short one is similar to too many others. */
export const mistakesAllowed = (length: number): number => (length < 5 ? 0 : length < 9 ? 1 : 2);

export type NearStrings = {
  /** The positions of the strings that are at most as many mistakes away from `text` as its length allows, with the mistakes. */
  readonly find: (text: string) => readonly { readonly at: number; readonly mistakes: number }[];
};

/** Indexes `strings` by what is left of their beginnings when letters are taken away (after SymSpell). */
export const createNearStrings = (strings: readonly string[]): NearStrings => {
  let entries = 0;
  for (const text of strings)
    deletesOf(text, mistakesAllowed(text.length), () => {
      entries += 1;
    });
  const bits = Math.max(4, Math.ceil(Math.log2(entries + 1)));
  const bucketOf = (hash: number): number => (hash ^ (hash >>> 15)) & (2 ** bits - 1);
  const ends = new Uint32Array(2 ** bits + 1);
  const forEach = (each: (hash: number, at: number) => void): void => {
    for (const [at, text] of strings.entries()) deletesOf(text, mistakesAllowed(text.length), (hash) => each(hash, at));
  };
  forEach((hash) => {
    const bucket = bucketOf(hash);
    ends[bucket + 1] = (ends[bucket + 1] ?? 0) + 1;
  });
  for (let bucket = 1; bucket < ends.length; bucket += 1) ends[bucket] = (ends[bucket] ?? 0) + (ends[bucket - 1] ?? 0);
  const next = ends.slice();
  const hashes = new Uint32Array(entries);
  const places = new Uint32Array(entries);
  forEach((hash, at) => {
    const bucket = bucketOf(hash);
    const place = next[bucket] ?? 0;
    next[bucket] = place + 1;
    hashes[place] = hash;
    places[place] = at;
  });
  return {
    find: (text) => {
      const allowed = mistakesAllowed(text.length);
      if (allowed === 0) return [];
      const seen = new Set<number>();
      const found: { at: number; mistakes: number }[] = [];
      deletesOf(text, allowed, (hash) => {
        const bucket = bucketOf(hash);
        for (let place = ends[bucket] ?? 0; place < (ends[bucket + 1] ?? 0); place += 1) {
          const at = places[place] ?? 0;
          if (hashes[place] !== hash || seen.has(at)) continue;
          seen.add(at);
          const mistakes = mistakesBetween(text, strings[at] ?? '', allowed);
          if (mistakes <= allowed) found.push({ at, mistakes });
        }
      });
      return found;
    },
  };
};

/**
 * How many letters have to be added, removed, replaced or swapped with their neighbour to make one of the other; any
 * number above `most` means more than that.
 */
export const mistakesBetween = (one: string, other: string, most: number): number => {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let [start, end, otherEnd] = [0, one.length, other.length];
  while (start < end && start < otherEnd && one[start] === other[start]) start += 1;
  for (; end > start && otherEnd > start && one[end - 1] === other[otherEnd - 1]; otherEnd -= 1) end -= 1;
  const width = otherEnd - start;
  if (end === start || width === 0) return end - start + width;
  let beforeLast: number[] = [];
  let last = Array.from({ length: width + 1 }, (_, column) => column);
  for (let row = 1; row <= end - start; row += 1) {
    const line = [row];
    let least = row;
    const [letter, before] = [one[start + row - 1], one[start + row - 2]];
    for (let column = 1; column <= width; column += 1) {
      const otherLetter = other[start + column - 1];
      const replaced = (last[column - 1] ?? 0) + (letter === otherLetter ? 0 : 1);
      let cost = Math.min((last[column] ?? 0) + 1, (line[column - 1] ?? 0) + 1, replaced);
      if (row > 1 && column > 1 && letter === other[start + column - 2] && before === otherLetter)
        cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      line.push(cost);
      least = Math.min(least, cost);
    }
    if (least > most) return most + 1;
    [beforeLast, last] = [last, line];
  }
  return last[width] ?? 0;
};
