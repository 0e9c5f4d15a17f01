/**
 * Finds the assignments that a folder can belong to, each with a probability and its reasons:
 *
 *   names.ts      words, numbers, dates and ids of each name in the path
 *   targets.ts    the assignments, parsed and indexed; the choices that users made before
 *   addresses.ts  how the office writes addresses; the numbers next to a street, and the flats after them
 *   streets.ts    the office's streets and towns that the words name
 *   explain.ts    the words and numbers of the path that each candidate explains, and the remaining ones
 *   certainty.ts  the probabilities of the candidates, their limits, and the reasons to ask the user
 */
import { type Match, type MatchCandidate, MIN_CERTAINTY } from '../../contract/drafts.ts';
import { isClosed } from '../../contract/resources.ts';
import { type House, housesOf } from './addresses.ts';
import {
  against,
  type Candidate,
  isEnoughApart,
  mayBeMeant,
  readingOf,
  TO_BE_ASKED,
  vetoesOf,
  withCertainty,
} from './certainty.ts';
import { evidenceFor, type NotTowns, type Path, readName, readPath, reasonsOf, sideOf } from './explain.ts';
import { remembered } from './names.ts';
import type { Hit } from './streets.ts';
import {
  type FolderName,
  type MatchTarget,
  MOST_OF_NAME,
  MOST_OF_STREET,
  namesOf,
  type Office,
  type ReadTarget,
  type Rules,
  readOffice,
  ruleFor,
  ruleName,
  type Steps,
  type Street,
  type UnreadProtocol,
} from './targets.ts';

export type MatchOptions = {
  /** The minimum certainty of a folder that is sent without a question. */
  readonly minCertainty?: number;
  readonly rules?: Rules;
  /** The words that do not name a town (`notTownsIn`). */
  readonly notTowns?: NotTowns | undefined;
};

/** The protocols whose list of assignments is missing, incomplete or out of date. */
type Unread = {
  readonly protocols: Iterable<UnreadProtocol>;
  /** Whether the lists of protocols or projects are incomplete. Unknown assignments can then exist. */
  readonly isPartial: boolean;
};

export type MatchIn = Match & {
  /**
   * The index, from 0, of the deepest name in the path that points to `best` or, without `best`, to the first of
   * `unread`; -1 if no name points there.
   */
  readonly depth: number;
  /** The most certain assignment, open or closed, whatever the vetoes. */
  readonly best: Pick<MatchCandidate, 'AssignmentId' | 'certainty'> | undefined;
  /** Whether `best` would be certain enough to be sent if there were no vetoes. */
  readonly isClear: boolean;
  /** The sum of the certainties of `candidates` and `unread`, whatever the vetoes. */
  readonly share: number;
  /** The InspectionProtocolIds of unread protocols whose place the folder may belong to. */
  readonly unread: readonly string[];
};

export type MatchIndex = {
  /** Returns up to ten candidates and the decision. */
  readonly match: (folder: FolderName, options?: MatchOptions) => MatchIn;
  /**
   * Returns words in the names of `folders` that are not towns, such as "осмотр" and "baigta". In the folders of
   * several assignments, such a word stands on the same side of the address as the assignment's town, but nothing in
   * the assignment explains it.
   */
  readonly notTownsIn: (folders: readonly FolderName[]) => Steps<NotTowns>;
  /** Returns the assignment as a candidate for `folder`, even if no name points to it; undefined for an unknown id. */
  readonly certaintyOf: (
    folder: FolderName,
    AssignmentId: string,
    options?: MatchOptions,
  ) => MatchCandidate | undefined;
};

export type { FolderName, Steps, UnreadProtocol };

/** The maximum number of folders whose names `notTownsIn` learns from. */
const MOST_LEARNT = 1_000;
const LEARNT_AT_ONCE = 50;
/** If a word is unexplained in the folders of at least this many assignments, it does not count as a town. */
const ENOUGH = 3;

const MOST_CANDIDATES = 10;
const WORTH_A_QUESTION = 0.005;
/**
 * The maximum number of names of a path that are read, counted from its end. Names above these do not tell assignments
 * apart.
 */
const MOST_SEGMENTS = 6;

export const finished = <Result>(steps: Steps<Result>): Result => {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
};

/** Creates an index of `targets` without a pause. `indexTargets` does so in steps. */
export const createMatchIndex = (targets: Iterable<MatchTarget>, unread?: Unread): MatchIndex =>
  finished(indexTargets(targets, unread));

/**
 * Creates an index of `targets` in steps. For 50,000 targets that takes seconds in total. Of several targets with the
 * same AssignmentId, the last one is used.
 */
export function* indexTargets(
  targets: Iterable<MatchTarget>,
  unread: Unread = { protocols: [], isPartial: false },
): Steps<MatchIndex> {
  const office = yield* readOffice(targets, unread.protocols);
  const { reads, known, positionById } = office;
  const find = createFinder(office);
  const reading = readingOf(unread.isPartial, reads.slice(known));

  /**
   * Weighs the candidates for `folder`. Names of files are read only if no candidate is certain enough by the path
   * alone. `tried`: the names of all files if one of them changes the result; otherwise empty.
   */
  const weighFolder = (folder: FolderName, options: FindOptions) => {
    const { path, fileNames = [] } = folder;
    const { minCertainty = MIN_CERTAINTY } = options;
    const own = find(folder, options);
    const best = Math.max(0, ...own.map(({ certainty }) => certainty));
    const depth = namesOf(path).length;
    const isTelling = ({ evidence, certainty }: Candidate): boolean => evidence.deepest === depth && certainty > best;
    const files = (best < minCertainty ? fileNames : [])
      .map((file) => find(folder, options, file.replace(/\.[^.]{1,5}$/, '')))
      .filter((found) => found.some(isTelling));
    if (files.length === 0) return { candidates: own, tried: [] };
    // The certainty of a candidate is its average over the files whose names point to an assignment.
    const sums = new Map<number, Candidate>();
    for (const one of files.flat()) {
      const certainty = one.certainty / files.length + (sums.get(one.position)?.certainty ?? 0);
      sums.set(one.position, { ...one, certainty: Math.min(1, certainty) });
    }
    return { candidates: [...sums.values()], tried: fileNames };
  };

  return {
    match: (folder, options = {}) => {
      const { minCertainty = MIN_CERTAINTY } = options;
      const { candidates: all, tried } = weighFolder(folder, options);
      const own = all
        .filter(({ position, certainty }) => position < known && certainty >= WORTH_A_QUESTION)
        .sort(inOrder);
      const [best] = own.toSorted((one, other) => other.certainty - one.certainty);
      const unreadHere = all.filter((one) => one.position >= known && mayBeMeant(one, best));
      const names = [...namesOf(folder.path), ...tried];
      const vetoes = vetoesOf({ names, best, isProposed: best === own[0], here: unreadHere.length, reading });
      const isClear = best !== undefined && best.certainty >= minCertainty;
      const candidates = own.slice(0, MOST_CANDIDATES);
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
    *notTownsIn(folders) {
      const sides = { before: new Map<string, Set<number>>(), behind: new Map<string, Set<number>>() };
      const step = Math.max(1, folders.length / MOST_LEARNT);
      for (const [at, folder] of folders.filter((_, at) => at % step < 1).entries()) {
        if (at % LEARNT_AT_ONCE === 0) yield;
        const placed = find(folder).find(isEnoughApart);
        for (const { text, side } of placed ? besideTown(placed) : [])
          sides[side].set(text, (sides[side].get(text) ?? new Set()).add(placed?.position ?? 0));
      }
      const frequent = (of: ReadonlyMap<string, ReadonlySet<number>>): ReadonlySet<string> =>
        new Set([...of].flatMap(([word, { size }]) => (size >= ENOUGH ? word : [])));
      return { before: frequent(sides.before), behind: frequent(sides.behind) };
    },
    certaintyOf: (folder, AssignmentId, options = {}) => {
      const also = positionById.get(AssignmentId);
      const { candidates } = weighFolder(folder, { ...options, also });
      const candidate = candidates.find(({ position }) => position === also);
      return candidate && shown(candidate, false);
    },
  };
}

/**
 * Returns the words beside the candidate's address that the candidate does not explain. These words are in the same
 * name as the address, and on the same side of the address as the town. On the other side, such a word may be a town,
 * too: "Drammen - Storgata 5, Oslo".
 */
const besideTown = ({ segments, evidence: { explained, address, deepest, found } }: Candidate) => {
  const tokens = segments.flatMap(({ tokens }, depth) => tokens.map((token) => ({ ...token, depth })));
  if (address === undefined || tokens[address.from]?.depth !== deepest) return [];
  const sides = found.flatMap(({ feature, place }) =>
    place && feature === 'city' && tokens[place.from]?.depth === deepest ? sideOf(place.from, address) : [],
  );
  return tokens.flatMap(({ text, isNumber, depth }, at) => {
    const side = sideOf(at, address);
    return isNumber || explained[at] || depth !== deepest || !sides.includes(side) ? [] : { text, side };
  });
};

const inOrder = (one: Candidate, other: Candidate): number => {
  const closed = ({ read: { target } }: Candidate): number => Number(isClosed(target.AssignmentStatus));
  return closed(one) - closed(other) || other.certainty - one.certainty || one.position - other.position;
};

/**
 * Converts a candidate to the form that users see. With a veto, or if the assignment is closed, its certainty is at
 * most `TO_BE_ASKED`.
 */
const shown = ({ evidence, segments, certainty, read: { target } }: Candidate, isVetoed: boolean): MatchCandidate => {
  const isDone = isClosed(target.AssignmentStatus);
  return {
    AssignmentId: target.AssignmentId,
    certainty: isVetoed || isDone ? Math.min(TO_BE_ASKED, certainty) : certainty,
    reasons: [...reasonsOf(segments, evidence), ...(isDone ? [against('status', target.AssignmentStatus)] : [])],
  };
};

type FindOptions = MatchOptions & {
  /** The position of an assignment that is weighed even if no name points to it. */
  readonly also?: number | undefined;
};

/** Creates a function that finds the assignments and unread protocols that a folder, or a file in it, can belong to. */
export const createFinder = (office: Office) => {
  const { reads, known } = office;
  // The cache is small, because only the upper folders are in many paths.
  const nameFor = remembered((name: string) => readName(name, office), undefined, 1_000);

  return (
    folder: FolderName,
    { rules, notTowns, also = -1 }: FindOptions = {},
    fileName?: string,
  ): readonly Candidate[] => {
    const folders = namesOf(folder.path);
    const all = fileName === undefined ? folders : [...folders, fileName];
    const names = all.map((name, depth) => nameFor(depth < all.length - MOST_SEGMENTS ? '' : name));
    const path = readPath(names, office);
    const named = rules && ruleName(folder);
    const rule = named && ruleFor(rules, { ...named, isPlace: named.isPlace || isAddress(path, named.depth) });
    const weigh = (path: Path): readonly Candidate[] => {
      const positions = new Set([
        ...[...path.ids.map((id) => id.position), also, office.positionById.get(rule?.AssignmentId ?? '') ?? -1],
        ...office.inNames(path.segments),
        ...path.streets.flatMap((mention) => (isWithin(mention, path) ? [] : inStreet(mention, path, reads, known))),
      ]);
      const weighed = [...positions].flatMap((position) => {
        const read = reads[position];
        if (read === undefined) return [];
        const evidence = evidenceFor({ path, office, rule, position, read, notTowns }, folders.length);
        return { position, read, evidence, segments: path.segments };
      });
      return withCertainty(weighed, known);
    };
    const exact = weigh(path);
    // Typing mistakes are allowed only if the path has no known id, and no candidate's street and number.
    const isFound = exact.some(
      ({ evidence: { features } }) => features.includes('street') && features.includes('house'),
    );
    if (path.ids.length > 0 || isFound) return exact;
    const streets = path.misspelt();
    return streets.some(({ mistakes }) => mistakes > 0) ? weigh({ ...path, streets }) : exact;
  };
};

/** Whether the name at `depth` has a known street with one of its house numbers: "12 St Marys Walk". */
const isAddress = ({ streets, housesOf, depthAt }: Path, depth: number): boolean =>
  streets.some((mention) => {
    const isWhole = mention.missing.length === 0 && depthAt(mention.from) === depth;
    const isHouse = ({ number, at }: House): boolean => depthAt(at) === depth && mention.phrase.byNumber.has(number);
    return isWhole && housesOf(mention).some(isHouse);
  });

/**
 * Whether a mention has no house number, and is part of the whole name of another street that has one, as "th St" in
 * "3141 16th St".
 */
const isWithin = (mention: Hit<Street>, { streets, housesOf }: Path): boolean => {
  const { from, to } = mention;
  const isAround = (one: Hit<Street>): boolean =>
    one.missing.length === 0 && one.from <= from && one.to >= to && one.to - one.from > to - from;
  return housesOf(mention).length === 0 && streets.some((one) => isAround(one) && housesOf(one).length > 0);
};

const MOST_OF_HOUSE = 1_000;
const MOST_NEIGHBOURS = 6;

/**
 * Returns the positions of candidates in a street: those at the house number in the path, and some whose address has no
 * number. If no candidate has the number, a few at the nearest numbers are added. If the path has no house number,
 * returns candidates of the whole street.
 */
const inStreet = (mention: Hit<Street>, path: Path, reads: readonly ReadTarget[], known: number): readonly number[] => {
  const { phrase: street, missing } = mention;
  /**
   * Returns the first `most` of `positions`, and all unread protocols among them, because the folder can belong to any
   * of these.
   */
  const atMost = (most: number, positions: readonly number[]): readonly number[] =>
    positions.filter((one, at) => at < most || one >= known);
  const houses = path.housesOf(mention);
  const [first] = houses;
  if (first === undefined && missing.length === 0) return atMost(MOST_OF_STREET, street.targets);
  // A part of the name, such as "Station" for Station Road, refers to the street only if the path also has the last
  // name of a customer there.
  if (first === undefined) return street.targets.filter((one) => path.placeOf(reads[one]?.last ?? '') !== undefined);
  const at = (number: string): readonly number[] => street.byNumber.get(number) ?? [];
  const exact = houses.flatMap(({ number }) => at(number));
  const between = houses.flatMap(({ number, isRange, items: [last] }) =>
    isRange ? housesOf(number, last?.text ?? '').flatMap(at) : [],
  );
  return [
    ...atMost(MOST_OF_HOUSE, exact),
    ...between.filter((position) => position >= known),
    ...atMost(MOST_OF_NAME, at('')),
    // The number may be mistyped, so its neighbours are proposed.
    ...(exact.length === 0 && missing.length === 0 ? neighboursOf(street, Number(first.number)) : []),
  ];
};

const neighboursOf = ({ byNumber }: Street, house: number): readonly number[] => {
  const distanceOf = (number: string): number => Math.abs(Number(number) - house);
  const nearest = [...byNumber].sort(([one], [other]) => distanceOf(one) - distanceOf(other));
  return nearest
    .values()
    .flatMap(([, positions]) => positions)
    .take(MOST_NEIGHBOURS)
    .toArray();
};
