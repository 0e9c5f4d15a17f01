/** Finds the assignments that a folder can belong to, each with a probability and its reasons. */
import { type Match, type MatchCandidate, type MatchReason, MIN_CERTAINTY } from '../../contract/matching.ts';
import { isClosed } from '../../contract/resources.ts';
import { createCandidateFinder, type Weighed } from './candidate-finder.ts';
import { TO_BE_ASKED } from './certainty.ts';
import type { MatchTarget, ReadTarget, UnreadProtocol } from './match-target.ts';
import { reasonsOf } from './reasons.ts';
import { type RuledFolder, type Rules, ruleName } from './rules.ts';
import { finished, type Steps } from './steps.ts';
import { type Candidate, vetoesOf } from './vetoes.ts';

export type { MatchTarget, UnreadProtocol } from './match-target.ts';

/** `path`: from the chosen folder's name on, with `/`. `fileNames`: some of the files in it. */
export type FolderName = RuledFolder & { readonly fileNames?: readonly string[] };

export type MatchOptions = {
  /** From which certainty on a folder is sent without a question. */
  readonly minCertainty?: number;
  /** What people chose before. */
  readonly rules?: Rules;
};

/** What of the service's lists was not read, or not within a day. */
export type Unread = {
  readonly protocols: Iterable<UnreadProtocol>;
  /** Whether there may be protocols, or assignments for projects, that are not even listed here. */
  readonly isPartial: boolean;
};

export type MatchIn = Match & {
  /** The deepest part of the path that points to the best candidate, from 0; -1 if none does. */
  readonly depth: number;
  /** The most certain assignment, closed or not, without regard to vetoes. */
  readonly best: Pick<MatchCandidate, 'AssignmentId' | 'certainty'> | undefined;
  /** Whether it is certain enough to be sent, but for vetoes. */
  readonly isClear: boolean;
  /** The certainty of all candidates and unread protocols together: that the folder belongs to one of them. */
  readonly share: number;
  /** The InspectionProtocolIds of unread protocols that may be the place that the names mean. */
  readonly unread: readonly string[];
};

export type MatchIndex = {
  /** The best ten candidates and what to do. */
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

const ALL_READ: Unread = { protocols: [], isPartial: false };

/** The index of no assignments. */
export const NOTHING_KNOWN: MatchIndex = {
  match: () => ({
    decision: 'none',
    candidates: [],
    vetoes: [],
    depth: -1,
    best: undefined,
    isClear: false,
    share: 0,
    unread: [],
  }),
  certaintyOf: () => undefined,
};

/** Indexes `targets` at once. */
export const createMatchIndex = (targets: Iterable<MatchTarget>, unread?: Unread): MatchIndex =>
  finished(indexTargets(targets, unread));

/** Indexes `targets`, which takes seconds for very many; of those with the same AssignmentId one counts. */
export function* indexTargets(targets: Iterable<MatchTarget>, unread: Unread = ALL_READ): Steps<MatchIndex> {
  const { reads, known, positionOf, find } = yield* createCandidateFinder(targets, unread.protocols);
  const places = reads.slice(known);
  const reading = {
    isPartial: unread.isPartial,
    unread: places.length,
    withoutAddress: places.filter(({ address }) => address === undefined).length,
    withoutFacility: places.filter(({ target }) => target.FacilityId === '').length,
  };

  const weighFolder = (
    { path, rootPath, fileNames = [] }: FolderName,
    { minCertainty = MIN_CERTAINTY, rules }: MatchOptions,
    also: readonly number[] = [],
  ): { readonly weighed: readonly Weighed[]; readonly names: readonly string[] } => {
    const names = namesOf(path);
    const asked = { names, also, ...(rules && { rules, ruleName: ruleName({ path, rootPath }) }) };
    const own = find(asked);
    const best = Math.max(0, ...own.map(({ certainty }) => certainty));
    if (fileNames.length === 0 || best >= minCertainty) return { weighed: own, names };
    const tried = fileNames.slice(0, MOST_FILE_NAMES);
    const files = tried
      .map((file) => find({ ...asked, fileName: file.replace(/\.[^.]{1,5}$/, '') }))
      .filter((weighed) =>
        weighed.some(({ evidence, certainty }) => evidence.deepest === names.length && certainty > best),
      );
    return files.length === 0 ? { weighed: own, names } : { weighed: together(files), names: [...names, ...tried] };
  };
  const candidateAt = ({ position, evidence, certainty }: Weighed): readonly Candidate[] => {
    const read = reads[position];
    return read === undefined ? [] : [{ evidence, certainty, read }];
  };

  return {
    match: (folder, options = {}) => {
      const { minCertainty = MIN_CERTAINTY } = options;
      const { weighed, names } = weighFolder(folder, options);
      const inOrder = weighed
        .filter(({ position, certainty }) => position < known && certainty >= WORTH_A_QUESTION)
        .sort((one, other) => better(one, other, reads))
        .flatMap(candidateAt);
      const best = inOrder.reduce<Candidate | undefined>(
        (most, one) => (most !== undefined && most.certainty >= one.certainty - EQUAL ? most : one),
        undefined,
      );
      const { vetoes, unreadHere } = vetoesOf({
        names,
        best,
        isProposed: best === inOrder[0],
        unread: weighed.filter(({ position }) => position >= known).flatMap(candidateAt),
        reading,
      });
      const isClear = best !== undefined && best.certainty >= minCertainty;
      const candidates = inOrder.slice(0, MOST_CANDIDATES);
      const isAnything = candidates.length + unreadHere.length > 0;
      return {
        decision: isClear && vetoes.length === 0 ? 'send' : isAnything ? 'ask' : 'none',
        candidates: candidates.map((one) => shown(one, vetoes.length > 0)),
        vetoes,
        depth: best?.evidence.deepest ?? unreadHere[0]?.evidence.deepest ?? -1,
        best: best && { AssignmentId: best.read.target.AssignmentId, certainty: best.certainty },
        isClear,
        share: [...candidates, ...unreadHere].reduce((sum, { certainty }) => sum + certainty, 0),
        unread: unreadHere.flatMap(({ read: { target } }) => target.InspectionProtocolId ?? []),
      };
    },
    certaintyOf: (folder, AssignmentId, options = {}) => {
      const position = positionOf(AssignmentId);
      if (position === undefined) return undefined;
      const [candidate] = weighFolder(folder, options, [position])
        .weighed.filter((one) => one.position === position)
        .flatMap(candidateAt);
      return candidate && shown(candidate, false);
    },
  };
}

const namesOf = (path: string): readonly string[] => path.split('/').filter((name) => name !== '');

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

const EQUAL = 1e-9;

/** Those that still expect files first, then the more certain, then the earlier id. */
const better = (one: Weighed, other: Weighed, reads: readonly ReadTarget[]): number => {
  const closed = ({ position }: Weighed): number => Number(isClosed(reads[position]?.target.AssignmentStatus ?? ''));
  const difference = closed(one) - closed(other) || other.certainty - one.certainty;
  return Math.abs(difference) > EQUAL ? difference : one.position - other.position;
};

/** As people see a candidate. None is called certain that has to be asked about. */
const shown = ({ evidence, certainty, read: { target } }: Candidate, isVetoed: boolean): MatchCandidate => {
  const isOver = isClosed(target.AssignmentStatus);
  const status: readonly MatchReason[] = isOver
    ? [{ signal: 'status', found: target.AssignmentStatus, against: true }]
    : [];
  return {
    AssignmentId: target.AssignmentId,
    certainty: isVetoed || isOver ? Math.min(TO_BE_ASKED, certainty) : certainty,
    reasons: [...reasonsOf(evidence), ...status],
  };
};
