/** Finds the assignments that a folder can belong to, each with a probability and its reasons. */
import { type Match, type MatchCandidate, type MatchReason, MIN_CERTAINTY } from '../../contract/matching.ts';
import { isClosed } from '../../contract/resources.ts';
import { createCandidateFinder, type Weighed } from './candidate-finder.ts';
import type { MatchTarget, ReadTarget } from './match-target.ts';
import { nameKey } from './name-key.ts';
import { reasonsOf } from './reasons.ts';
import { finished, type Steps } from './steps.ts';

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
const MOST_FILE_NAMES = 20;

/** The index of no assignments. */
export const NOTHING_KNOWN: MatchIndex = {
  match: () => ({ decision: 'none', candidates: [], depth: -1 }),
  certaintyOf: () => undefined,
};

/** Indexes `targets` at once. */
export const createMatchIndex = (targets: Iterable<MatchTarget>): MatchIndex => finished(indexTargets(targets));

/** Indexes `targets`, which takes seconds for very many; of those with the same AssignmentId one counts. */
export function* indexTargets(targets: Iterable<MatchTarget>): Steps<MatchIndex> {
  const { reads, positionOf, find } = yield* createCandidateFinder(targets);

  const weighFolder = (
    { path, fileNames = [] }: FolderName,
    options: MatchOptions,
    also: readonly number[] = [],
  ): readonly Weighed[] => {
    const names = path.split('/').filter((name) => name !== '');
    const confirmed = options.confirmed?.get(nameKey(path));
    const own = find({ names, confirmed, also });
    const best = Math.max(0, ...own.map(({ certainty }) => certainty));
    if (fileNames.length === 0 || best >= (options.minCertainty ?? MIN_CERTAINTY)) return own;
    const files = fileNames
      .slice(0, MOST_FILE_NAMES)
      .map((file) => find({ names, fileName: file.replace(/\.[^.]{1,5}$/, ''), confirmed, also }))
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
      const position = positionOf(AssignmentId);
      if (position === undefined) return undefined;
      const weighed = weighFolder(folder, options, [position]).find((one) => one.position === position);
      return weighed && candidateOf(weighed, reads)[0];
    },
  };
}

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
  return [{ AssignmentId: target.AssignmentId, certainty, reasons: [...reasonsOf(evidence), ...status] }];
};
