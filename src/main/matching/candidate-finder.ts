/** Finds the assignments that a path can mean, with what speaks for and against each of them. */
import { certaintiesOf, certaintyLimit } from './certainty.ts';
import { type Evidence, evidenceFor, idDepth, WHOLE_IDS } from './evidence.ts';
import {
  createTargetReader,
  type MatchTarget,
  type ReadTarget,
  type UnreadProtocol,
  unreadTarget,
} from './match-target.ts';
import {
  addressMentions,
  cityMentions,
  evidenceFrom,
  overlap,
  type PathEvidence,
  type Place,
  performerMentions,
  streetMentions,
} from './name-evidence.ts';
import { type Segment, segmentOf } from './name-segment.ts';
import { hasLongNumber, type Rule, type RuleName, type Rules, ruleFor } from './rules.ts';
import { inSteps, type Steps } from './steps.ts';
import { indexStreets } from './street-index.ts';
import { indexReads } from './target-index.ts';

/** A candidate: its position in `reads`. */
export type Weighed = { readonly position: number; readonly evidence: Evidence; readonly certainty: number };

/** The folder, or the file in it, that is asked about. `also`: positions to weigh in any case. */
type Asked = {
  /** The names of the folders, from the chosen one's on. */
  readonly names: readonly string[];
  readonly fileName?: string;
  readonly rules?: Rules | undefined;
  readonly ruleName?: RuleName | undefined;
  readonly also?: readonly number[];
};

type CandidateFinder = {
  /** The assignments, and from the position `known` on the unread protocols. */
  readonly reads: readonly ReadTarget[];
  readonly known: number;
  readonly positionOf: (AssignmentId: string) => number | undefined;
  /** The assignments that may be meant, and the unread protocols whose places may be. */
  readonly find: (asked: Asked) => readonly Weighed[];
};

/** Names further up say nothing of a job. */
const MOST_SEGMENTS = 6;
const MOST_REMEMBERED = 20_000;

/** Reads and indexes `targets`, of which one counts for each AssignmentId, and the places of `unread`. */
export function* createCandidateFinder(
  targets: Iterable<MatchTarget>,
  unread: Iterable<UnreadProtocol>,
): Steps<CandidateFinder> {
  const read = createTargetReader();
  const reads = yield* readAll(targets, read);
  const known = reads.length;
  const positions = new Map(reads.map(({ target }, position) => [target.AssignmentId, position]));
  yield* inSteps(unread, (protocol) => reads.push(read(unreadTarget(protocol))));
  const streets = yield* indexStreets(
    (function* entries() {
      for (const [target, { address, city }] of reads.entries())
        for (const one of [address, address?.named])
          if (one !== undefined) yield { address: one, target, city, isEveryHouse: target >= known };
    })(),
  );
  const index = yield* indexReads(reads, known);
  const places = { known: index.cities, near: index.nearCities, isPerson: index.isPerson };
  const segmentFor = remembering(segmentOf);

  const find = ({ names: folders, fileName, rules, ruleName, also = [] }: Asked): readonly Weighed[] => {
    const names = fileName === undefined ? folders : [...folders, fileName];
    const above = Math.max(0, names.length - MOST_SEGMENTS);
    const segments = names.slice(above).map(segmentFor);
    const ids = index.idsIn(segments);
    const idAt = idDepth(ids, folders.length - above);
    const performers = performerMentions(segments, index.performers);
    const cities = cityMentions(segments, places, performers);
    const ruleAt = (addresses: PathEvidence['addresses']): Rule | undefined => {
      if (rules === undefined || ruleName === undefined) return undefined;
      const depth = ruleName.depth - above;
      const segment = segments[depth];
      const isId = [...ids.values()]
        .flat()
        .some((mention) => mention.depth === depth && WHOLE_IDS.has(mention.feature));
      const isPlace = isId || addresses.some((place) => place.depth === depth);
      return ruleFor(rules, ruleName, isPlace || (segment !== undefined && hasLongNumber(segment)));
    };
    const weigh = (mentions: PathEvidence['streets']): readonly Weighed[] => {
      const addresses = addressMentions(segments, mentions);
      const path = { from: 0, segments, streets: mentions, cities, performers, addresses };
      const rule = ruleAt(addresses);
      const chosen = rule && positions.get(rule.AssignmentId);
      const surroundings = { ...index, ids, rule };
      const certain = [...ids.keys(), ...also, ...(chosen === undefined ? [] : [chosen])];
      const below = idAt > 0 ? evidenceFrom(path, idAt, segmentFor('')) : path;
      const found = index.candidates(path, certain).flatMap((position) => {
        const read = reads[position];
        if (read === undefined) return [];
        const evidence = evidenceFor(path, below, read, position, surroundings);
        return [{ position, evidence: { ...evidence, deepest: evidence.deepest < 0 ? -1 : evidence.deepest + above } }];
      });
      const settled = withoutOtherLetters(found, reads, known);
      const certainties = certaintiesOf(settled.map(({ evidence }) => evidence.features));
      return settled.map((one, at) => ({
        ...one,
        certainty: Math.min(certainties[at] ?? 0, certaintyLimit(one.evidence.features)),
      }));
    };
    const named = streetMentions(segments, cities, streets, false).filter(
      // "Harbour Maintenance" is a performer, not a street without its kind.
      (street) =>
        !performers.some((performer) => overlap(street, performer) && spanLength(performer) > spanLength(street)),
    );
    const first = weigh(named);
    // Mistakes are looked for only where nothing fits as it is written.
    if (first.some(namesIt)) return first;
    const misspelt = streetMentions(segments, cities, streets, true);
    return misspelt.length === 0 ? first : weigh([...named, ...misspelt]);
  };

  return { reads, known, positionOf: (AssignmentId) => positions.get(AssignmentId), find };
}

const spanLength = ({ span }: Place): number => span.to - span.from;

/** Where number 32 itself is an assignment's in that town, "32" without a letter does not mean 32B; it may where that was not read. */
const withoutOtherLetters = (
  found: readonly Omit<Weighed, 'certainty'>[],
  reads: readonly ReadTarget[],
  known: number,
): readonly Omit<Weighed, 'certainty'>[] => {
  const houseOf = (position: number): string => {
    const { address, city } = reads[position] ?? {};
    return `${address?.street.stem} ${address?.house?.number} ${city}`;
  };
  const named = new Set(
    found.filter(({ evidence }) => evidence.features.includes('house')).map(({ position }) => houseOf(position)),
  );
  if (named.size === 0) return found;
  return found.map((one) => {
    const { features } = one.evidence;
    if (one.position >= known || !features.includes('house-letter-missing') || !named.has(houseOf(one.position)))
      return one;
    const without = features.map((feature) => (feature === 'house-letter-missing' ? 'house-letter-other' : feature));
    return { ...one, evidence: { ...one.evidence, features: without } };
  });
};

/** Whether a candidate is named by its id, or by its street and number. */
const namesIt = ({ evidence: { features } }: Weighed): boolean =>
  features.some((feature) => feature.endsWith('-id')) || (features.includes('street') && features.includes('house'));

/** Remembers what `make` made of the names that many paths share. */
const remembering = (make: (name: string) => Segment): ((name: string) => Segment) => {
  const known = new Map<string, Segment>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    if (known.size >= MOST_REMEMBERED) known.clear();
    const made = make(name);
    known.set(name, made);
    return made;
  };
};

/** Reads the targets in the order of their ids, so that their order in the list never matters. */
function* readAll(targets: Iterable<MatchTarget>, read: (target: MatchTarget) => ReadTarget): Steps<ReadTarget[]> {
  const byId = new Map<string, MatchTarget>();
  for (const target of targets) {
    const known = byId.get(target.AssignmentId);
    // One that was listed by its protocol says more.
    if (known === undefined || rankOf(target) < rankOf(known)) byId.set(target.AssignmentId, target);
  }
  const reads: ReadTarget[] = [];
  const inOrder = [...byId.values()].sort((one, other) => (one.AssignmentId < other.AssignmentId ? -1 : 1));
  yield* inSteps(inOrder, (target) => reads.push(read(target)));
  return reads;
}

const rankOf = (target: MatchTarget): string =>
  `${target.InspectionProtocolId === undefined ? 1 : 0}${JSON.stringify(target, Object.keys(target).sort())}`;
