/** Finds the assignments that a folder can belong to, each with a probability and its reasons. */
import { type Match, type MatchCandidate, type MatchReason, MIN_CERTAINTY } from '../../contract/matching.ts';
import { certaintiesOf, certaintyLimit } from './certainty.ts';
import { type Evidence, evidenceFor } from './evidence.ts';
import { createTargetReader, type MatchTarget, type ReadTarget } from './match-target.ts';
import { addressMentions, cityMentions, type PathEvidence, streetMentions } from './name-evidence.ts';
import { nameKey } from './name-key.ts';
import { type Segment, segmentOf } from './name-segment.ts';
import { createStreetIndex } from './street-index.ts';
import { createTargetIndex } from './target-index.ts';
import { isClosed } from './upload-doubts.ts';

export type { MatchTarget } from './match-target.ts';

/** `path`: from the chosen folder's name on, with `/`. `fileNames`: some of the files in it. */
export type FolderName = { readonly path: string; readonly fileNames?: readonly string[] };

export type MatchOptions = {
  /** From which certainty on a folder is sent without a question. */
  readonly minCertainty?: number;
  /** Choices that were confirmed before: the key of a folder's name (`nameKey`) and the assignment. */
  readonly confirmed?: ReadonlyMap<string, string>;
};

/** `depth`: which part of the path says so, from 0; -1 if none does. */
export type MatchIn = Match & { readonly depth: number };

export type MatchIndex = {
  /** The best ten candidates and what to do. `depth`: the deepest part of the path that points to the first of them; -1 for none. */
  readonly match: (folder: FolderName, options?: MatchOptions) => MatchIn;
  /** How certain it is that `folder` belongs to one assignment, whether it would be found or not; undefined if it is unknown. */
  readonly certaintyOf: (
    folder: FolderName,
    AssignmentId: string,
    options?: MatchOptions,
  ) => MatchCandidate | undefined;
};

/** Candidates that are shown. */
const MOST_CANDIDATES = 10;
/** Less certain candidates are not worth a question. */
const WORTH_A_QUESTION = 0.02;
const MOST_SEGMENTS = 6;
const MOST_FILE_NAMES = 20;
const MOST_REMEMBERED = 20_000;

type Weighed = { readonly position: number; readonly evidence: Evidence; readonly certainty: number };

/** Indexes `targets`; of those with the same AssignmentId one counts. */
export const createMatchIndex = (targets: Iterable<MatchTarget>): MatchIndex => {
  const reads = readAll(targets);
  const ids = new Map(reads.map(({ target }, position) => [target.AssignmentId, position]));
  const streets = createStreetIndex(
    (function* entries() {
      for (const [target, { address, city }] of reads.entries())
        if (address !== undefined) yield { address, target, city };
    })(),
  );
  const index = createTargetIndex(reads);
  const remembered = new Map<string, Segment>();
  const segmentFor = (name: string): Segment => {
    const known = remembered.get(name);
    if (known !== undefined) return known;
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    const segment = segmentOf(name);
    remembered.set(name, segment);
    return segment;
  };

  const weigh = (
    names: readonly string[],
    confirmed: string | undefined,
    also: readonly number[],
  ): readonly Weighed[] => {
    const above = Math.max(0, names.length - MOST_SEGMENTS);
    const segments = names.slice(above).map(segmentFor);
    const found = index.idsIn(segments);
    const named = streetMentions(segments, streets, false);
    const evidence = (mentions: PathEvidence['streets']): PathEvidence => ({
      segments,
      streets: mentions,
      cities: cityMentions(segments, index.cities),
      addresses: addressMentions(segments, mentions),
    });
    const surroundings = { ...index, ids: found, confirmed };
    const candidates = (path: PathEvidence): readonly Weighed[] => {
      const chosen = confirmed === undefined ? undefined : ids.get(confirmed);
      const positions = index.candidates(path, [...found.keys(), ...also, ...(chosen === undefined ? [] : [chosen])]);
      const weighed = positions.flatMap((position) => {
        const read = reads[position];
        if (read === undefined) return [];
        const weighed = evidenceFor(path, read, position, surroundings);
        return [{ position, evidence: { ...weighed, deepest: weighed.deepest < 0 ? -1 : weighed.deepest + above } }];
      });
      const certainties = certaintiesOf(weighed.map((one) => one.evidence.features));
      return weighed.map((one, at) => ({
        ...one,
        certainty: Math.min(certainties[at] ?? 0, certaintyLimit(one.evidence.features)),
      }));
    };
    const first = candidates(evidence(named));
    // Mistakes are looked for only where nothing fits as it is written.
    if (first.some(({ certainty }) => certainty > 0.5) || namesAHouse(first)) return first;
    const misspelt = streetMentions(segments, streets, true);
    return misspelt.length === 0 ? first : candidates(evidence([...named, ...misspelt]));
  };

  const weighFolder = (
    { path, fileNames = [] }: FolderName,
    options: MatchOptions,
    also: readonly number[] = [],
  ): readonly Weighed[] => {
    const names = path.split('/').filter((name) => name !== '');
    const confirmed = options.confirmed?.get(nameKey(path));
    const own = weigh(names, confirmed, also);
    const best = Math.max(0, ...own.map(({ certainty }) => certainty));
    if (fileNames.length === 0 || best >= (options.minCertainty ?? MIN_CERTAINTY)) return own;
    const files = fileNames
      .slice(0, MOST_FILE_NAMES)
      .map((file) => weigh([...names, file.replace(/\.[^.]{1,5}$/, '')], confirmed, also))
      .filter((weighed) =>
        weighed.some(({ evidence, certainty }) => evidence.deepest === names.length && certainty > best),
      );
    return files.length === 0 ? own : together(files);
  };

  return {
    match: (folder, options = {}) => {
      const weighed = weighFolder(folder, options)
        .filter(({ certainty }) => certainty >= WORTH_A_QUESTION)
        .sort((one, other) => better(one, other, reads));
      const [best] = weighed;
      const decision =
        best === undefined ? 'none' : best.certainty >= (options.minCertainty ?? MIN_CERTAINTY) ? 'send' : 'ask';
      return {
        decision,
        candidates: weighed.slice(0, MOST_CANDIDATES).flatMap((one) => candidateOf(one, reads)),
        depth: best?.evidence.deepest ?? -1,
      };
    },
    certaintyOf: (folder, AssignmentId, options = {}) => {
      const position = ids.get(AssignmentId);
      if (position === undefined) return undefined;
      const weighed = weighFolder(folder, options, [position]).find((one) => one.position === position);
      return weighed && candidateOf(weighed, reads)[0];
    },
  };
};

/** Reads the targets in the order of their ids, so that their order in the list never matters. */
const readAll = (targets: Iterable<MatchTarget>): readonly ReadTarget[] => {
  const byId = new Map<string, MatchTarget>();
  for (const target of targets) {
    const known = byId.get(target.AssignmentId);
    // One that was listed by its protocol says more.
    if (known === undefined || saysMore(target, known)) byId.set(target.AssignmentId, target);
  }
  const read = createTargetReader();
  return [...byId.values()].sort((one, other) => (one.AssignmentId < other.AssignmentId ? -1 : 1)).map(read);
};

const saysMore = (target: MatchTarget, known: MatchTarget): boolean => {
  const [one, other] = [target.InspectionProtocolId ?? '', known.InspectionProtocolId ?? ''];
  return other === '' ? one !== '' : one !== '' && one < other;
};

/** Whether the path names a street that is known, with a number that fits one of its houses. */
const namesAHouse = (weighed: readonly Weighed[]): boolean =>
  weighed.some(({ evidence: { features } }) => features.includes('street') && features.includes('house'));

/** What several files say together: the average of those that say something. */
const together = (files: readonly (readonly Weighed[])[]): readonly Weighed[] => {
  const sums = new Map<number, Weighed>();
  for (const file of files)
    for (const one of file) {
      const certainty = one.certainty / files.length + (sums.get(one.position)?.certainty ?? 0);
      sums.set(one.position, { ...one, certainty: Math.min(1, certainty) });
    }
  return [...sums.values()];
};

/** More certain first; among equals those that still expect files, then the earlier id. */
const better = (one: Weighed, other: Weighed, reads: readonly ReadTarget[]): number => {
  const difference = other.certainty - one.certainty;
  if (Math.abs(difference) > 1e-9) return difference;
  const closed = ({ position }: Weighed): number => Number(isClosed(reads[position]?.target.AssignmentStatus ?? ''));
  return closed(one) - closed(other) || one.position - other.position;
};

const candidateOf = (
  { position, evidence, certainty }: Weighed,
  reads: readonly ReadTarget[],
): readonly MatchCandidate[] => {
  const target = reads[position]?.target;
  if (target === undefined) return [];
  const status: readonly MatchReason[] = isClosed(target.AssignmentStatus)
    ? [{ signal: 'status', found: target.AssignmentStatus, against: true }]
    : [];
  return [{ AssignmentId: target.AssignmentId, certainty, reasons: [...evidence.reasons, ...status] }];
};
