/** What a folder's path says, as far as it does not depend on an assignment. */

import { type NumberBeside, numberFrom, numberUpTo, type Segment, type Span } from './name-segment.ts';
import { NOISE } from './name-words.ts';
import { PLACE_NAMES } from './place-names.ts';
import type { StreetHit, StreetIndex } from './street-index.ts';
import { isStreetLike, kindsOf } from './street-words.ts';
import { joined } from './tokens.ts';

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
export type CityMention = Place & { readonly city: string };

/** A street with a number, known or not. */
export type AddressMention = Place;

export type PathEvidence = {
  readonly segments: readonly Segment[];
  readonly streets: readonly StreetMention[];
  readonly cities: readonly CityMention[];
  readonly addresses: readonly AddressMention[];
};

const places: ReadonlySet<string> = new Set(PLACE_NAMES.map(joined));

/** Whether `word` is a place that is known even if no assignment is there. */
export const isPlace = (word: string): boolean => places.has(word);

/** The mentions of streets in `segments`, with mistakes only if `isMisspelt`. */
export const streetMentions = (
  segments: readonly Segment[],
  { named, misspelt }: StreetIndex,
  isMisspelt: boolean,
): readonly StreetMention[] =>
  segments.flatMap((segment, depth) =>
    (isMisspelt ? misspelt : named)(segment).map((hit) => {
      const { span } = hit;
      const behind = numberFrom(segment, span.to);
      const front = numberUpTo(segment, span.from);
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

/** Cities among `known`, and other places. */
export const cityMentions = (
  segments: readonly Segment[],
  known: ReadonlyMap<string, unknown>,
): readonly CityMention[] =>
  segments.flatMap((segment, depth) =>
    segment.spans.flatMap((span) =>
      span.text.length > 1 && (known.has(span.text) || isPlace(span.text))
        ? [{ segment, depth, span, city: span.text }]
        : [],
    ),
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
    segment.tokens.flatMap((token, at): readonly AddressMention[] => {
      if (token.isNumber || NOISE.has(token.text)) return [];
      const isName = isStreetLike(token.text) || (at > 0 && token.text.length > 1 && kindsOf(token.text).size > 0);
      if (!isName) return [];
      const from = isStreetLike(token.text) ? at : at - 1;
      const hasNumber = numberFrom(segment, at + 1) !== undefined || numberUpTo(segment, from) !== undefined;
      return hasNumber ? [{ segment, depth, span: { from, to: at + 1 } }] : [];
    }),
  );
  const covers = (one: Place, other: Place): boolean =>
    one.depth === other.depth && one.span.from < other.span.to && one.span.to > other.span.from;
  return [...named, ...unknown.filter((mention) => !known.some((one) => covers(one, mention)))];
};
