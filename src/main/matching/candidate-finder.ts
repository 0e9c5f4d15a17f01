/** Finds the assignments that a path can mean, with what speaks for and against each of them. */
import { certaintiesOf, certaintyLimit } from './certainty.ts';
import { type Evidence, evidenceFor, idDepth } from './evidence.ts';
import { createTargetReader, type MatchTarget, type ReadTarget } from './match-target.ts';
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
import { inSteps, type Steps } from './steps.ts';
import { indexStreets } from './street-index.ts';
import { indexReads } from './target-index.ts';

/** A candidate: its position in `reads`. */
export type Weighed = { readonly position: number; readonly evidence: Evidence; readonly certainty: number };

type CandidateFinder = {
  readonly reads: readonly ReadTarget[];
  readonly positionOf: (AssignmentId: string) => number | undefined;
  /**
   * The candidates for a folder with these names, from the chosen folder's on, or for a file in it. `confirmed`: the
   * AssignmentId that was chosen for such a folder before; `also`: positions to weigh in any case.
   */
  readonly find: (asked: {
    readonly names: readonly string[];
    readonly fileName?: string;
    readonly confirmed?: string | undefined;
    readonly also?: readonly number[];
  }) => readonly Weighed[];
};

/** Names further up say nothing of a job. */
const MOST_SEGMENTS = 6;
const MOST_REMEMBERED = 20_000;

/** Reads and indexes `targets`; of those with the same AssignmentId one counts. */
export function* createCandidateFinder(targets: Iterable<MatchTarget>): Steps<CandidateFinder> {
  const reads = yield* readAll(targets);
  const positions = new Map(reads.map(({ target }, position) => [target.AssignmentId, position]));
  const streets = yield* indexStreets(
    (function* entries() {
      for (const [target, { address, city }] of reads.entries())
        for (const one of [address, address?.named]) if (one !== undefined) yield { address: one, target, city };
    })(),
  );
  const index = yield* indexReads(reads);
  const places = { known: index.cities, near: index.nearCities, isPerson: index.isPerson };
  const segmentFor = remembering(segmentOf);

  const find: CandidateFinder['find'] = ({ names: folders, fileName, confirmed, also = [] }) => {
    const names = fileName === undefined ? folders : [...folders, fileName];
    const above = Math.max(0, names.length - MOST_SEGMENTS);
    const segments = names.slice(above).map(segmentFor);
    const ids = index.idsIn(segments);
    const idAt = idDepth(ids, folders.length - above);
    const surroundings = { ...index, ids, confirmed };
    const chosen = confirmed === undefined ? undefined : positions.get(confirmed);
    const certain = [...ids.keys(), ...also, ...(chosen === undefined ? [] : [chosen])];
    const performers = performerMentions(segments, index.performers);
    const cities = cityMentions(segments, places, performers);
    const weigh = (mentions: PathEvidence['streets']): readonly Weighed[] => {
      const addresses = addressMentions(segments, mentions);
      const path = { from: 0, segments, streets: mentions, cities, performers, addresses };
      const below = idAt > 0 ? evidenceFrom(path, idAt, segmentFor('')) : path;
      const found = index.candidates(path, certain).flatMap((position) => {
        const read = reads[position];
        if (read === undefined) return [];
        const evidence = evidenceFor(path, below, read, position, surroundings);
        return [{ position, evidence: { ...evidence, deepest: evidence.deepest < 0 ? -1 : evidence.deepest + above } }];
      });
      const settled = withoutOtherLetters(found, reads);
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

  return { reads, positionOf: (AssignmentId) => positions.get(AssignmentId), find };
}

const spanLength = ({ span }: Place): number => span.to - span.from;

/** Where number 32 itself is an assignment's, "32" without a letter does not mean 32B. */
const withoutOtherLetters = (
  found: readonly Omit<Weighed, 'certainty'>[],
  reads: readonly ReadTarget[],
): readonly Omit<Weighed, 'certainty'>[] => {
  const houseOf = (position: number): string => {
    const { street, house } = reads[position]?.address ?? {};
    return `${street?.stem} ${house?.number}`;
  };
  const named = new Set(
    found.filter(({ evidence }) => evidence.features.includes('house')).map(({ position }) => houseOf(position)),
  );
  if (named.size === 0) return found;
  return found.map((one) => {
    const { features } = one.evidence;
    if (!features.includes('house-letter-missing') || !named.has(houseOf(one.position))) return one;
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
function* readAll(targets: Iterable<MatchTarget>): Steps<readonly ReadTarget[]> {
  const byId = new Map<string, MatchTarget>();
  for (const target of targets) {
    const known = byId.get(target.AssignmentId);
    // One that was listed by its protocol says more.
    if (known === undefined || rankOf(target) < rankOf(known)) byId.set(target.AssignmentId, target);
  }
  const read = createTargetReader();
  const reads: ReadTarget[] = [];
  const inOrder = [...byId.values()].sort((one, other) => (one.AssignmentId < other.AssignmentId ? -1 : 1));
  yield* inSteps(inOrder, (target) => reads.push(read(target)));
  return reads;
}

const rankOf = (target: MatchTarget): string =>
  `${target.InspectionProtocolId === undefined ? 1 : 0}${JSON.stringify(target, Object.keys(target).sort())}`;
