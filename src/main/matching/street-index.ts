/** The streets of all assignments, found by their names however they are written. */

import type { Segment } from './name-segment.ts';
import { NOISE, NUMBER_SIGNS, STREET_MODIFIERS } from './name-words.ts';
import { createNearStrings, mistakesAllowed, mistakesBetween } from './near-strings.ts';
import { inSteps, type Steps } from './steps.ts';
import {
  abbreviatedEnding,
  isFilling,
  kindsOf,
  leadingKind,
  type StreetName,
  sameKind,
  streetNameOf,
} from './street-words.ts';
import { housesOf, type TargetAddress } from './target-address.ts';
import type { Span } from './tokens.ts';

type Street = {
  readonly name: StreetName;
  /** The words of its name, folded. */
  readonly words: readonly string[];
  /** Positions of the targets in this street, rising; by the number of the house, too. */
  readonly targets: readonly number[];
  readonly byNumber: ReadonlyMap<string, readonly number[]>;
  /** In how many cities there is one of this name. */
  readonly cities: number;
};

/**
 * How a name writes a street. `kind-missing`: "Station" for Station Road; `kind-other`: "Station Lane"; `initials`:
 * "N. Hamngatan"; `part`: "Hamngatan" for Norra Hamngatan, or a longer name for a shorter one.
 */
type StreetForm = 'exact' | 'typo' | 'kind-missing' | 'kind-other' | 'initials' | 'part';

export type StreetHit = {
  readonly street: Street;
  readonly form: StreetForm;
  readonly mistakes: number;
  readonly span: Span;
};

export type StreetIndex = {
  /** The streets that `segment` names without mistakes. */
  readonly named: (segment: Segment) => readonly StreetHit[];
  /** The streets that it may name with mistakes. */
  readonly misspelt: (segment: Segment) => readonly StreetHit[];
};

/** `isEveryHouse`: found by each number of a range, not by its first one alone. */
type Entry = {
  readonly address: TargetAddress;
  readonly target: number;
  readonly city: string;
  readonly isEveryHouse: boolean;
};

type OpenStreet = {
  readonly name: StreetName;
  readonly words: readonly string[];
  readonly targets: number[];
  readonly byNumber: Map<string, number[]>;
  readonly cityNames: Set<string>;
};

const push = <Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void => {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
};

function* collect(entries: Iterable<Entry>): Steps<readonly OpenStreet[]> {
  const streets = new Map<string, OpenStreet>();
  yield* inSteps(entries, ({ address, target, city, isEveryHouse }) => {
    const { street: name, words, house } = address;
    const key = `${name.stem}|${[...name.kinds].join()}`;
    const known = streets.get(key);
    const street: OpenStreet = known ?? { name, words, targets: [], byNumber: new Map(), cityNames: new Set() };
    if (known === undefined) streets.set(key, street);
    street.targets.push(target);
    for (const number of isEveryHouse && house !== undefined ? housesOf(house) : [house?.number ?? ''])
      push(street.byNumber, number, target);
    street.cityNames.add(city);
  });
  return [...streets.values()];
}

/** Shorter ways to say a name of several words: with initials, and without the first of them. A kind before them stays. */
const shortForms = (
  all: readonly string[],
): readonly { readonly words: readonly string[]; readonly form: StreetForm }[] => {
  const kind = all.slice(0, leadingKind(all).length);
  const words = all.slice(kind.length);
  if (words.length < 2) return [];
  const [first = '', ...rest] = words;
  const saysMore = [...kind, ...rest].join('').length >= 5 && !(rest.length === 1 && kindsOf(rest[0] ?? '').size > 0);
  if (isFilling(first) || !saysMore) return [];
  const initials = words.slice(0, -1).map((word) => word[0] ?? '');
  const last = words.at(-1) ?? '';
  return [
    { words: [...kind, first[0] ?? '', ...rest], form: 'initials' },
    ...(words.length > 2 ? [{ words: [...kind, ...initials, last], form: 'initials' } as const] : []),
    { words: [...kind, ...rest], form: 'part' },
  ];
};

/** Indexes the streets of `entries`. */
export function* indexStreets(entries: Iterable<Entry>): Steps<StreetIndex> {
  const open = yield* collect(entries);
  const streets: readonly Street[] = open.map(({ cityNames, ...street }) => ({ ...street, cities: cityNames.size }));
  const byStem = new Map<string, Street[]>();
  const byFull = new Map<string, Street[]>();
  const byShort = new Map<
    string,
    { readonly street: Street; readonly name: StreetName; readonly form: StreetForm }[]
  >();
  const nearNames: string[] = [];
  const nearStreets: Street[] = [];
  yield* inSteps(open, ({ words }, at) => {
    const street = streets[at];
    if (street === undefined) return;
    push(byStem, street.name.stem, street);
    push(byFull, street.name.full, street);
    for (const short of shortForms(words)) {
      const name = streetNameOf(short.words);
      push(byShort, name.stem, { street, name, form: short.form });
    }
    for (const text of new Set([street.name.full, street.name.stem])) {
      nearNames.push(text);
      nearStreets.push(street);
    }
  });
  const near = createNearStrings(nearNames);

  const isNumber = (word: string | undefined): word is string => word !== undefined && /^\d/.test(word);
  /** The numbers that begin or end a street's name: "17. mai gate". Others are never a part of one. */
  const edgeNumbers = new Set(open.flatMap(({ words }) => [words[0], words[1], words.at(-1)].filter(isNumber)));
  const canBeName = ({ tokens }: Segment, { from, to }: Span): boolean =>
    [tokens[from], tokens[to - 1]].every((token) => token?.isNumber === false || edgeNumbers.has(token?.text ?? ''));

  const namedIn = (segment: Segment, span: Span, words: readonly string[]): readonly StreetHit[] => {
    const name = streetNameOf(words);
    const hits: StreetHit[] = [];
    const add = (street: Street, form: StreetForm): void => {
      if (!hits.some((hit) => hit.street === street)) hits.push({ street, form, mistakes: 0, span });
    };
    for (const street of byFull.get(name.full) ?? []) add(street, 'exact');
    // "12 d Solåsen": a word that only fills belongs to the name where the name is written with it.
    if (words.length > 1 && isFilling(words[0] ?? '')) return hits;
    const isTelling = name.stem.length >= 4 && !(words.length === 1 && NOISE.has(words[0] ?? ''));
    for (const street of byStem.get(name.stem) ?? []) {
      const same = sameKind(name, street.name);
      if (same === true) add(street, 'exact');
      else if (isTelling) add(street, same === undefined ? 'kind-missing' : 'kind-other');
    }
    // "Magnolia" ends like a kind, and is the name of Magnolia Avenue.
    if (isTelling && name.full !== name.stem)
      for (const street of byStem.get(name.full) ?? []) add(street, 'kind-missing');
    const abbreviated = abbreviatedEnding(words);
    if (abbreviated !== undefined)
      for (const street of byStem.get(abbreviated.stem) ?? [])
        if (sameKind(abbreviated, street.name)) add(street, 'exact');
    for (const { street, name: short, form } of byShort.get(name.stem) ?? [])
      if (sameKind(name, short) === true && name.stem.length >= 2) add(street, form);
    // "Chr. Michelsens gate": more than the initial, with a full stop.
    const [first = '', ...rest] = words;
    if (first.length > 1 && first.length < 5 && rest.length > 0 && segment.tokens[span.from + 1]?.gap.startsWith('.')) {
      const initial = streetNameOf([first[0] ?? '', ...rest]);
      for (const { street, name: short, form } of byShort.get(initial.stem) ?? [])
        if (form === 'initials' && sameKind(initial, short) === true && street.words[0]?.startsWith(first))
          add(street, form);
    }
    return hits.map((hit) =>
      isModified(segment, span) ? { ...hit, form: hit.form === 'exact' ? 'part' : hit.form } : hit,
    );
  };

  return {
    named: (segment) => {
      const hits = segment.spans.flatMap((span) =>
        canBeName(segment, span) ? namedIn(segment, span, wordsIn(segment, span)) : [],
      );
      return hits.filter((hit) => !hits.some((longer) => longer.form === 'exact' && contains(longer.span, hit.span)));
    },
    misspelt: (segment) => {
      const hasNumber = segment.canBeHouse.some(Boolean);
      return segment.spans.flatMap((span) => {
        if (isFringed(segment, span)) return [];
        if (span.text.length < 5 || span.to - span.from > 4 || (hasNumber && !isBesideNumber(segment, span))) return [];
        const words = wordsIn(segment, span);
        if (segment.tokens.slice(span.from, span.to).some(({ isNumber }) => isNumber)) return [];
        return misspeltIn(words, span).filter(() => !isModified(segment, span));
      });
    },
  };

  function misspeltIn(words: readonly string[], span: Span): readonly StreetHit[] {
    const name = streetNameOf(words);
    const best = new Map<Street, number>();
    for (const text of new Set([name.full, name.stem]))
      for (const { at } of near.find(text)) {
        const street = nearStreets[at];
        if (street === undefined || best.has(street)) continue;
        const mistakes = isOtherSide(words, street.words) ? undefined : mistakesIn(name, street.name);
        if (mistakes !== undefined) best.set(street, mistakes);
      }
    return [...best].map(([street, mistakes]) => ({ street, form: 'typo', mistakes, span }) as const);
  }
}

/** "Norra" is not "Södra" with two mistakes. */
const isOtherSide = ([word = '']: readonly string[], [other = '']: readonly string[]): boolean =>
  word !== other && STREET_MODIFIERS.has(word) && STREET_MODIFIERS.has(other);

/** How many mistakes make one name of the other; undefined for too many, or if both say different kinds. */
const mistakesIn = (name: StreetName, street: StreetName): number | undefined => {
  const same = sameKind(name, street);
  if (same === false) return undefined;
  const allowed = mistakesAllowed(Math.max(name.full.length, street.full.length));
  const full = mistakesBetween(name.full, street.full, allowed);
  const stem = same === true ? mistakesBetween(name.stem, street.stem, Math.min(allowed, 2)) : allowed + 1;
  const least = Math.min(full, stem);
  return least <= allowed && least > 0 ? least : undefined;
};

const wordsIn = (segment: Segment, { from, to }: Span): readonly string[] =>
  segment.tokens.slice(from, to).map(({ text }) => text);

const contains = (longer: Span, span: Span): boolean =>
  longer.from <= span.from && longer.to >= span.to && longer.to - longer.from > span.to - span.from;

/** "Old" in front makes it another street, unless something stands between them. */
const isModified = ({ tokens }: Segment, { from }: Span): boolean =>
  STREET_MODIFIERS.has(tokens[from - 1]?.text ?? '') && /^[\s_.-]*$/.test(tokens[from]?.gap ?? '');

/** A letter or a noise word at its start or end does not belong to a street's name; an abbreviated kind at the end does. */
const isFringed = ({ tokens }: Segment, { from, to }: Span): boolean => {
  const [first = '', last = ''] = [tokens[from]?.text, tokens[to - 1]?.text];
  return first.length < 2 || NOISE.has(first) || NOISE.has(last) || (last.length < 2 && kindsOf(last).size === 0);
};

const isBesideNumber = ({ canBeHouse, tokens }: Segment, { from, to }: Span): boolean =>
  canBeHouse[to] === true ||
  canBeHouse[from - 1] === true ||
  (NUMBER_SIGNS.has(tokens[to]?.text ?? '') && canBeHouse[to + 1] === true) ||
  (canBeHouse[from - 2] === true && tokens[from - 1]?.text.length === 1);
