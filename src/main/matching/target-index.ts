/** Finds targets by their ids, people and places. */
import { type IdsIn, indexIds } from './id-index.ts';
import type { ReadTarget } from './match-target.ts';
import { type PathEvidence, PLACES, type StreetMention } from './name-evidence.ts';
import { NOISE } from './name-words.ts';
import { createNearStrings, type NearStrings } from './near-strings.ts';
import { inSteps, type Steps } from './steps.ts';
import { housesOf } from './target-address.ts';

type TargetIndex = {
  readonly cities: ReadonlyMap<string, number>;
  /** Cities and other places, to be found with mistakes. */
  readonly nearCities: NearStrings;
  /** The names of performers, whole and by their first words, with the whole name. */
  readonly performers: ReadonlyMap<string, string>;
  readonly isLastName: (word: string) => boolean;
  readonly isPerson: (word: string) => boolean;
  readonly namesakes: (target: ReadTarget) => number;
  readonly idsIn: IdsIn;
  /** The positions, rising, of the targets that `path` can mean, and of those in `also`. */
  readonly candidates: (path: PathEvidence, also: readonly number[]) => readonly number[];
};

/** A name that says nothing but a street, or a last name, is no use where there are more. */
const MOST_OF_STREET = 100;
/** More assignments than a house of flats has. */
const MOST_OF_HOUSE = 1_000;
const MOST_OF_NAME = 12;
const MOST_NEIGHBOURS = 12;

const push = <Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void => {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
};

/** Indexes `reads`, of which the first `known` are assignments. */
export function* indexReads(reads: readonly ReadTarget[], known: number): Steps<TargetIndex> {
  const cities = new Map<string, number>();
  const firstNames = new Map<string, number>();
  const lastNames = new Map<string, number[]>();
  const performers = new Map<string, string>();
  const performerStarts = new Map<string, string | undefined>();

  yield* inSteps(reads, ({ city, first, last, performer, performerFirst, performerWhole }, position) => {
    if (city !== '') cities.set(city, (cities.get(city) ?? 0) + 1);
    if (first !== '') firstNames.set(first, (firstNames.get(first) ?? 0) + 1);
    if (last !== '') push(lastNames, last, position);
    if (performer.length > 2) {
      performers.set(performer, performer).set(performerWhole, performer);
      const isShared = performerStarts.has(performerFirst) && performerStarts.get(performerFirst) !== performer;
      performerStarts.set(performerFirst, isShared ? undefined : performer);
    }
  });

  for (const [start, performer] of performerStarts)
    if (performer !== undefined && start.length > 4 && !lastNames.has(start) && !NOISE.has(start))
      performers.set(start, performer);

  const idsIn = yield* indexIds(reads);
  return {
    cities,
    performers,
    nearCities: createNearStrings([...new Set([...cities.keys(), ...PLACES])]),
    isPerson: (word) => lastNames.has(word) || firstNames.has(word),
    isLastName: (word) => lastNames.has(word),
    // One more of each than is known: with few assignments a name that was never seen twice is not rare yet.
    namesakes: ({ first, last }) =>
      (((firstNames.get(first) ?? 0) + 1) * ((lastNames.get(last)?.length ?? 0) + 1)) / Math.max(1, known),
    idsIn,
    candidates: (path, also) => {
      const chosen = new Set(also);
      for (const mention of path.streets)
        for (const position of inStreet(mention, path, reads, known)) chosen.add(position);
      for (const segment of path.segments) {
        const texts = [...segment.spanOf.keys()];
        const givenNames = texts.filter((text) => firstNames.has(text));
        for (const text of texts) {
          const family = lastNames.get(text);
          if (family === undefined) continue;
          if (family.length <= MOST_OF_NAME) for (const position of family) chosen.add(position);
          for (const given of givenNames)
            for (const position of family.filter((one) => reads[one]?.first === given).slice(0, MOST_OF_STREET))
              chosen.add(position);
        }
      }
      return [...chosen].sort((one, other) => one - other);
    },
  };
}

/** Those with the number that is said; a few with the nearest numbers, which may be meant; without a number all of the street. */
const inStreet = (
  mention: StreetMention,
  { cities }: PathEvidence,
  reads: readonly ReadTarget[],
  known: number,
): readonly number[] => {
  const { street } = mention.hit;
  const numbers = [mention.behind, mention.front].flatMap((beside) => (beside === undefined ? [] : [beside.house]));
  const isNamed = mention.hit.form !== 'kind-missing' && mention.hit.form !== 'kind-other';
  // "Station" alone says nothing of Station Road.
  if (numbers.length === 0) return isNamed ? atMost(MOST_OF_STREET, street.targets, known) : [];
  const exact = numbers.flatMap(({ number, to }) =>
    [number, ...(to === '' ? [] : [to])].flatMap((one) => street.byNumber.get(one) ?? []),
  );
  const between = numbers.flatMap(({ number, to }) =>
    to === '' ? [] : housesOf({ number, to }).flatMap((one) => street.byNumber.get(one) ?? []),
  );
  const unnumbered = street.byNumber.get('') ?? [];
  // Where nobody lives at the number, people may look for a neighbour.
  const isNear = exact.length === 0 && (mention.hit.form === 'exact' || mention.hit.form === 'typo');
  const near = isNear ? neighbours(street.targets, Number(numbers[0]?.number), reads) : [];
  const said = new Set(exact.length > MOST_OF_STREET ? cities.map(({ city }) => city) : []);
  const here = said.size > 0 ? exact.filter((position) => said.has(reads[position]?.city ?? '')) : [];
  return [
    ...atMost(MOST_OF_HOUSE, here, known),
    ...atMost(MOST_OF_STREET, exact, known),
    ...between.filter((position) => position >= known),
    ...atMost(MOST_OF_NAME, unnumbered, known),
    ...near,
  ];
};

/** The first `most` assignments among `positions`, and all protocols that were not read: each of them can be the one that is meant. */
const atMost = (most: number, positions: readonly number[], known: number): readonly number[] => {
  if (positions.length <= most) return positions;
  const assignments = positions.filter((position) => position < known);
  return [...assignments.slice(0, most), ...positions.filter((position) => position >= known)];
};

/** The targets with the numbers closest to `wanted`. */
const neighbours = (targets: readonly number[], wanted: number, reads: readonly ReadTarget[]): readonly number[] =>
  targets
    .slice(0, MOST_OF_STREET)
    .map((position) => ({
      position,
      distance: Math.abs(Number(reads[position]?.address?.house?.number ?? 0) - wanted),
    }))
    .sort((one, other) => one.distance - other.distance || one.position - other.position)
    .slice(0, MOST_NEIGHBOURS)
    .map(({ position }) => position);
