/** What a folder's path says, as far as it does not depend on an assignment. */

import { type NumberBeside, numberFrom, numberUpTo, type Segment } from './name-segment.ts';
import { NOISE } from './name-words.ts';
import { mistakesBetween, type NearStrings } from './near-strings.ts';
import { PLACE_NAMES, PLACES_LIKE_PEOPLE } from './place-names.ts';
import type { StreetHit, StreetIndex } from './street-index.ts';
import { isStreetLike, kindsOf } from './street-words.ts';
import { joined, type Span } from './tokens.ts';

/** A place in a path: which of its names, and the words there. */
export type Place = { readonly segment: Segment; readonly depth: number; readonly span: Pick<Span, 'from' | 'to'> };

/** A street that the path names, with the numbers beside it. */
export type StreetMention = Place & {
  readonly hit: StreetHit;
  readonly behind: NumberBeside | undefined;
  readonly front: NumberBeside | undefined;
  /** Where the numbers stand: the same name, or one below it. */
  readonly numberDepth: number;
  readonly numberSegment: Segment;
};

/** A city or a place that the path names. */
type CityMention = Place & { readonly city: string; readonly isNear: boolean };

/** A performer that the path names. */
type PerformerMention = Place & { readonly performer: string };

/** A street with a number, known or not. */
type AddressMention = Place;

/** `from`: the names before it are not read. */
export type PathEvidence = {
  readonly from: number;
  readonly segments: readonly Segment[];
  readonly streets: readonly StreetMention[];
  readonly cities: readonly CityMention[];
  readonly performers: readonly PerformerMention[];
  readonly addresses: readonly AddressMention[];
};

/** What stands in the names from `from` on. `nothing`: a name that says nothing. */
export const evidenceFrom = (path: PathEvidence, from: number, nothing: Segment): PathEvidence => {
  const isIn = ({ depth }: Place): boolean => depth >= from;
  return {
    from,
    segments: path.segments.map((segment, depth) => (depth >= from ? segment : nothing)),
    streets: path.streets.filter(isIn),
    cities: path.cities.filter(isIn),
    performers: path.performers.filter(isIn),
    addresses: path.addresses.filter(isIn),
  };
};

const places: ReadonlySet<string> = new Set(PLACE_NAMES.map(joined));
/** These are also common last names: they count as little as a misspelt place. */
const ambiguous: ReadonlySet<string> = new Set(PLACES_LIKE_PEOPLE.map(joined));

/** The places that are known even if no assignment is there, in one word each. */
export const PLACES: readonly string[] = [...places];

/** Whether the list of places has `word`. */
export const isPlace = (word: string): boolean => places.has(word);

/** The mentions of streets in `segments`, with mistakes only if `isMisspelt`. */
export const streetMentions = (
  segments: readonly Segment[],
  cities: readonly CityMention[],
  { named, misspelt }: StreetIndex,
  isMisspelt: boolean,
): readonly StreetMention[] =>
  segments.flatMap((segment, depth) =>
    (isMisspelt ? misspelt : named)(segment).map((hit) => {
      const { span } = hit;
      // A long number with a city behind it is a ZIP code: "Kirkegade 8729 Svinninge".
      const isZip = (number: NumberBeside | undefined): boolean =>
        number !== undefined &&
        number.house.number.length > 3 &&
        cities.some((city) => city.depth === depth && city.span.from >= number.to && city.span.from <= number.to + 1);
      const before = numberUpTo(segment, span.from);
      const beside = numberFrom(segment, span.to);
      // "32 E Bergen": with a city behind it the letter is no initial.
      const isAtCity = cities.some((city) => city.depth === depth && city.span.from === beside?.to);
      const after = beside && { ...beside, isGlued: beside.isGlued || isAtCity };
      const behind = isZip(after) ? undefined : after;
      const front = isZip(before) ? undefined : before;
      const here = { hit, segment, depth, span };
      if (behind !== undefined || front !== undefined)
        return { ...here, behind, front, numberDepth: depth, numberSegment: segment };
      const below = numberBelow(segments, depth);
      return below === undefined
        ? { ...here, behind, front, numberDepth: depth, numberSegment: segment }
        : { ...here, behind: below.number, front, numberDepth: below.depth, numberSegment: below.segment };
    }),
  );

/** The number in a name below the street's: "Elveveien/97". */
const numberBelow = (
  segments: readonly Segment[],
  depth: number,
): { readonly number: NumberBeside; readonly depth: number; readonly segment: Segment } | undefined => {
  if (segments[depth]?.canBeHouse.some(Boolean)) return undefined;
  for (const below of [depth + 1, depth + 2]) {
    const segment = segments[below];
    if (segment === undefined) return undefined;
    const number = numberFrom(segment, 0);
    if (number !== undefined) return { number, depth: below, segment };
    if (segment.canBeHouse.some(Boolean)) return undefined;
  }
  return undefined;
};

/**
 * Cities among `known`, and other places; also with one mistake (`isNear`), where a word is nothing else. `isPerson`: whether
 * a word is somebody's name.
 */
export const cityMentions = (
  segments: readonly Segment[],
  {
    known,
    near,
    isPerson,
  }: {
    readonly known: ReadonlyMap<string, unknown>;
    readonly near: NearStrings;
    readonly isPerson: (word: string) => boolean;
  },
  performers: readonly PerformerMention[],
): readonly CityMention[] =>
  segments.flatMap((segment, depth) =>
    segment.spans.flatMap((span): readonly CityMention[] => {
      const { text } = span;
      const place = { segment, depth, span };
      if (text.length < 2 || performers.some((performer) => overlap(performer, place))) return [];
      if (known.has(text) || isPlace(text)) return [{ ...place, city: text, isNear: false }];
      if (ambiguous.has(text)) return [{ ...place, city: text, isNear: true }];
      const isWord = span.to === span.from + 1 && text.length > 5 && !/\d/.test(text);
      if (!isWord || NOISE.has(text) || isStreetLike(text) || isPerson(text)) return [];
      return near.find(text).some(({ mistakes }) => mistakes === 1) ? [{ ...place, city: text, isNear: true }] : [];
    }),
  );

/** Whether two places share a word. */
export const overlap = (one: Place, other: Place): boolean =>
  one.depth === other.depth && one.span.from < other.span.to && one.span.to > other.span.from;

/** The performers among `known`, which has their names (and short ones) in one word. */
export const performerMentions = (
  segments: readonly Segment[],
  known: ReadonlyMap<string, string>,
): readonly PerformerMention[] =>
  segments.flatMap((segment, depth) =>
    segment.spans.flatMap((span) => {
      const performer = known.get(span.text);
      return performer === undefined ? [] : [{ segment, depth, span, performer }];
    }),
  );

/** All that looks like a street with a number: those that are `known`, and words that end like a street. */
export const addressMentions = (
  segments: readonly Segment[],
  known: readonly StreetMention[],
): readonly AddressMention[] => {
  const named = known.filter(
    ({ hit, behind, front }) =>
      (hit.form === 'exact' || hit.form === 'typo') && (behind !== undefined || front !== undefined),
  );
  const unknown = segments.flatMap((segment, depth) =>
    (segment.guids.length > 0 ? [] : segment.tokens).flatMap((token, at): readonly AddressMention[] => {
      if (token.isNumber || NOISE.has(token.text)) return [];
      const before = segment.tokens[at - 1];
      const isNamed = before !== undefined && !before.isNumber && before.text.length > 2 && !NOISE.has(before.text);
      const isKind = isNamed && token.text.length > 1 && kindsOf(token.text).size > 0;
      if (!isKind && !isStreetLike(token.text)) return [];
      const from = isKind ? at - 1 : at;
      const hasNumber = numberFrom(segment, at + 1) !== undefined || numberUpTo(segment, from) !== undefined;
      return hasNumber ? [{ segment, depth, span: { from, to: at + 1 } }] : [];
    }),
  );
  return [...named, ...unknown.filter((mention) => !known.some((one) => overlap(one, mention)))];
};

/** A word with one mistake in `text`, beside the street. */
export const nearWord = (
  { segments }: PathEvidence,
  text: string,
  mention: StreetMention | undefined,
): Place | undefined => {
  for (const [depth, segment] of segments.entries())
    for (const span of segment.spans) {
      if (Math.abs(span.text.length - text.length) > 1 || span.text[0] !== text[0]) continue;
      if (mention?.depth === depth && span.from < mention.span.to && span.to > mention.span.from) continue;
      if (mistakesBetween(span.text, text, 1) <= 1) return { segment, depth, span };
    }
  return undefined;
};

/** The deepest place of the word `text`, beside `except`. */
export const wordIn = ({ segments }: PathEvidence, text: string, except?: Place): Place | undefined => {
  if (text === '') return undefined;
  for (let depth = segments.length - 1; depth >= 0; depth -= 1) {
    const segment = segments[depth];
    const span = segment?.spanOf.get(text);
    if (segment === undefined || span === undefined) continue;
    const place = { segment, depth, span };
    if (except === undefined || !overlap(place, except)) return place;
  }
  return undefined;
};
