/**
 * Finds the assignments that a folder can belong to, each with a probability and its reasons:
 *
 *   names.ts      words, numbers, dates and ids of each name in the path
 *   addresses.ts  how the addresses of the list are written, and their parts
 *   streets.ts    the streets and towns of the list that the words name
 *   houses.ts     the numbers beside a street, and the flats behind them
 *   explain.ts    what of the path each candidate explains, and what is left over
 *   certainty.ts  one probability over all candidates, its limits, and what makes a folder a question
 */
import { type Match, type MatchCandidate, type MatchReason, MIN_CERTAINTY } from '../../contract/drafts.ts';
import { isClosed, type ProtocolSummary } from '../../contract/resources.ts';
import {
  type Address,
  LONGEST_NUMBER,
  learnConventions,
  MOST_HOUSES,
  readAddress,
  tokensOfAddress,
} from './addresses.ts';
import { type Candidate, certaintiesOf, certaintyLimit, explainsAsMuch, TO_BE_ASKED, vetoesOf } from './certainty.ts';
import {
  type CityMention,
  type CodeMention,
  codesIn,
  type Evidence,
  evidenceFor,
  type IdMention,
  idDepth,
  isWholeId,
  type MatchTarget,
  meet,
  type Path,
  type PerformerMention,
  type ReadTarget,
  reasonsOf,
  type Street,
  type StreetMention,
  type Surroundings,
  shapeOf,
} from './explain.ts';
import { housesBeside, type Place } from './houses.ts';
import { firstNotBefore, foldedWords, joined, remembered, type Segment, type Span, segmentOf } from './names.ts';
import { hasLongNumber, type RuledFolder, type Rules, ruleFor, ruleName } from './rules.ts';
import { costOf, createPhrases, nameOf, type Phrases } from './streets.ts';
import { type Feature, WEIGHTS } from './weights.ts';
import { COMPANY_FORMS, isWorkWord } from './words.ts';

/** A protocol whose assignments are not known: where they are, and nothing else. */
export type UnreadProtocol = Pick<
  ProtocolSummary,
  'InspectionProtocolId' | 'Address' | 'City' | 'ZipCode' | 'FacilityId'
>;

/** The place of an unread protocol, as if an assignment of it were known without anything that only assignments have. */
const unreadTarget = (protocol: UnreadProtocol): MatchTarget => ({
  ...protocol,
  AssignmentId: '',
  AssignmentStatus: '',
  FirstName: '',
  LastName: '',
  Performer: '',
  StartTime: 0,
});

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
const WORTH_A_QUESTION = 0.005;
const MOST_FILE_NAMES = 20;
/** Names further up say nothing of a job. */
const MOST_SEGMENTS = 6;
const ALL_READ: Unread = { protocols: [], isPartial: false };

/** Long work in steps: each `yield` is a turn for other work of the thread. */
export type Steps<Result> = Generator<void, Result>;

/** Does all steps at once. */
export const finished = <Result>(steps: Steps<Result>): Result => {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
};

/** As many assignments are read or indexed in a few milliseconds. */
const AT_ONCE = 250;

/** Each of `all` with its place, with a turn for other work now and then. */
function* inSteps<T>(all: Iterable<T>, each: (one: T, at: number) => void): Steps<void> {
  let at = 0;
  for (const one of all) {
    each(one, at);
    at += 1;
    if (at % AT_ONCE === 0) yield;
  }
}

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
  const candidateAt = ({ position, evidence, certainty }: Weighed): readonly Shown[] => {
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
      const best = inOrder.reduce<Shown | undefined>(
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

type Shown = Candidate & { readonly evidence: Weighed['evidence'] };

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
const shown = ({ evidence, certainty, read: { target } }: Shown, isVetoed: boolean): MatchCandidate => {
  const isDone = isClosed(target.AssignmentStatus);
  const status: readonly MatchReason[] = isDone
    ? [{ signal: 'status', found: target.AssignmentStatus, against: true }]
    : [];
  return {
    AssignmentId: target.AssignmentId,
    certainty: isVetoed || isDone ? Math.min(TO_BE_ASKED, certainty) : certainty,
    reasons: [...reasonsOf(evidence.segments, evidence), ...status],
  };
};

/** A candidate: its position in `reads`. */
export type Weighed = {
  readonly position: number;
  /** `segments`: the names of the path that were read. */
  readonly evidence: Evidence & { readonly segments: readonly Segment[] };
  readonly certainty: number;
};

/** The folder, or the file in it, that is asked about. `also`: positions to weigh in any case. */
type Asked = {
  /** The names of the folders, from the chosen one's on. */
  readonly names: readonly string[];
  readonly fileName?: string;
  readonly rules?: Rules | undefined;
  readonly ruleName?: ReturnType<typeof ruleName>;
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

/** Reads and indexes `targets`, of which one counts for each AssignmentId, and the places of `unread`. */
export function* createCandidateFinder(
  targets: Iterable<MatchTarget>,
  unread: Iterable<UnreadProtocol>,
): Steps<CandidateFinder> {
  const { reads, known, conventions } = yield* readTargets(targets, unread);
  const positionOf = (id: string): number | undefined => {
    const position = firstNotBefore(known, (at) => (reads[at]?.target.AssignmentId ?? '') < id);
    return position < known && reads[position]?.target.AssignmentId === id ? position : undefined;
  };
  const streets = yield* indexStreets(reads, known, conventions.isSecondHouse);
  const towns = createPhrases(townsOf(reads), (phrase) => phrase, false);
  yield;
  const people = yield* indexPeople(reads, known);
  const idsIn = yield* indexIds(reads);
  const surroundings = { ...people, ...indexCodes(reads), conventions, streets };
  const nameFor = remembered((name: string) => readName(name, streets, towns, people, surroundings.shapes));
  const nothing = segmentOf('');

  const find = ({ names: folders, fileName, rules, ruleName: ruled, also = [] }: Asked): readonly Weighed[] => {
    const names = fileName === undefined ? folders : [...folders, fileName];
    const above = Math.max(0, names.length - MOST_SEGMENTS);
    const path = names.slice(above).map(nameFor);
    const segments = path.map(({ segment }) => segment);
    const ids = idsIn(segments);
    const idAt = idDepth(segments, ids, folders.length - above);
    const mentions = {
      from: 0,
      segments,
      conventions,
      performers: atDepths(path, ({ performers }) => performers),
      cities: atDepths(path, ({ cities }) => cities),
      codes: atDepths(path, ({ codes }) => codes),
    };
    const namedPeople = inNames(path, people);
    const ruleIn = (named: readonly StreetMention[]) => {
      if (rules === undefined || ruled === undefined) return undefined;
      const depth = ruled.depth - above;
      const segment = segments[depth];
      const isId = [...ids.values()].flat().some((mention) => mention.depth === depth && isWholeId(mention.feature));
      const isPlace =
        isId || named.some((one) => one.depth === depth) || (segment !== undefined && isAddress(segment, streets));
      return ruleFor(rules, ruled, isPlace || (segment !== undefined && hasLongNumber(segment)));
    };
    const weigh = (named: readonly StreetMention[]): readonly Weighed[] => {
      const whole = pathOf({ ...mentions, streets: named }, surroundings.isCode);
      const rule = ruleIn(named.filter(({ hit }) => hit.missing.length === 0));
      const chosen = rule && positionOf(rule.AssignmentId);
      const below = idAt > 0 ? pathFrom(whole, idAt, nothing, surroundings.isCode) : whole;
      const told = { ...surroundings, ids, rule };
      const candidates = new Set([...ids.keys(), ...also, ...(chosen === undefined ? [] : [chosen]), ...namedPeople]);
      for (const mention of named)
        for (const position of inStreet(mention, whole, reads, known)) candidates.add(position);
      const found = [...candidates]
        .sort((one, other) => one - other)
        .flatMap((position) => {
          const read = reads[position];
          return read === undefined
            ? []
            : [{ position, read, evidence: evidenceFor(whole, below, read, position, told, WEIGHTS) }];
        });
      const settled = withoutFlats(found, reads, known, streets);
      const certainties = certaintiesOf(settled.map(({ evidence }) => evidence.features));
      return settled.map(({ position, evidence, read }, at) => {
        const certainty = Math.min(certainties[at] ?? 0, certaintyLimit(evidence.features));
        const isRivalled =
          certainty > TO_BE_ASKED &&
          settled.some((one) => one.position !== position && explainsAsMuch(one, { evidence, read }));
        return {
          position,
          evidence: { ...evidence, segments, deepest: evidence.deepest < 0 ? -1 : evidence.deepest + above },
          certainty: isRivalled ? TO_BE_ASKED : certainty,
        };
      });
    };
    const first = weigh(atDepths(path, ({ streets: exact }) => exact));
    // Mistakes are looked for only where nothing fits as it is written.
    if (first.some(namesIt)) return first;
    const misspelt = atDepths(path, (name) => name.misspelt());
    return misspelt.some(({ hit }) => hit.mistakes > 0) ? weigh(misspelt) : first;
  };

  return { reads, known, positionOf, find };
}

/** The assignments in the order of their ids, so that their order in the list never matters, then the unread protocols, taken apart. */
function* readTargets(targets: Iterable<MatchTarget>, unread: Iterable<UnreadProtocol>) {
  const byId = new Map<string, MatchTarget>();
  yield* inSteps(targets, (target) => {
    const before = byId.get(target.AssignmentId);
    // One that was listed by its protocol says more.
    if (before === undefined || rankOf(target) < rankOf(before)) byId.set(target.AssignmentId, target);
  });
  const all = [...byId.keys()].sort().flatMap((id) => byId.get(id) ?? []);
  const known = all.length;
  for (const protocol of unread) all.push(unreadTarget(protocol));
  // Texts that many targets share are read once.
  const tokensFor = remembered(tokensOfAddress, ({ Address, City, ZipCode }) => `${Address}\n${City}\n${ZipCode}`);
  const tokens = new Map<MatchTarget, ReturnType<typeof tokensOfAddress>>();
  yield* inSteps(all, (target) => tokens.set(target, tokensFor(target)));
  const conventions = learnConventions(tokens);
  yield;
  const addressOf = remembered((written: ReturnType<typeof tokensOfAddress>) => readAddress(written, conventions));
  const word = remembered(joined);
  const performerWords = remembered((text: string) => foldedWords(text).filter((one) => !COMPANY_FORMS.has(one)));
  const reads: ReadTarget[] = [];
  yield* inSteps(all, (target) =>
    reads.push({
      target,
      address: addressOf(tokens.get(target) ?? []),
      city: word(target.City),
      zip: word(target.ZipCode ?? ''),
      first: word(target.FirstName),
      last: word(target.LastName),
      performer: performerWords(target.Performer).join(''),
      performerWhole: word(target.Performer),
      performerFirst: performerWords(target.Performer)[0] ?? '',
    }),
  );
  const parts = new Set(
    reads.flatMap(({ address }) => address?.behind.filter((part) => part.length > 1 && !/^\d/.test(part)) ?? []),
  );
  return { reads, known, conventions: { ...conventions, parts } };
}

const rankOf = (target: MatchTarget): string =>
  `${target.InspectionProtocolId === undefined ? 1 : 0}${JSON.stringify(target, Object.keys(target).sort())}`;

/** What a name says wherever it stands in a path; places have no depth yet. */
type ReadName = {
  readonly segment: Segment;
  readonly performers: readonly Omit<PerformerMention, 'depth'>[];
  readonly cities: readonly Omit<CityMention, 'depth'>[];
  readonly codes: readonly Omit<CodeMention, 'depth'>[];
  /** Streets as they are written, and with those that are misspelt. */
  readonly streets: readonly Omit<StreetMention, 'depth'>[];
  readonly misspelt: () => readonly Omit<StreetMention, 'depth'>[];
  /** The first and the last names of people in it. */
  readonly given: readonly string[];
  readonly family: readonly string[];
};

const readName = (
  name: string,
  streets: Phrases<Street>,
  towns: Phrases,
  { performers: known, firstNames, lastNames }: People,
  shapes: ReadonlySet<string>,
): ReadName => {
  const segment = segmentOf(name);
  const texts = [...segment.spanOf.keys()];
  const performers = [...segment.spanOf].flatMap(([text, span]) => {
    const performer = known.get(text);
    return performer === undefined ? [] : [{ span, performer }];
  });
  const cities = citiesIn(segment, towns, performers);
  let misspelt: ReadName['streets'] | undefined;
  return {
    segment,
    performers,
    cities,
    codes: codesIn(segment, shapes),
    streets: streetsIn(segment, streets, performers, cities, false),
    misspelt: () => {
      misspelt ??= streetsIn(segment, streets, performers, cities, true);
      return misspelt;
    },
    given: texts.filter((text) => firstNames.has(text)),
    family: texts.filter((text) => lastNames.has(text)),
  };
};

/** What `of` gives for each name of a path, with its depth. */
const atDepths = <Mention>(path: readonly ReadName[], of: (name: ReadName) => readonly Mention[]) =>
  path.flatMap((name, depth) => of(name).map((mention) => ({ ...mention, depth })));

/** Whether a candidate is named by its id, or by its street and number. */
const namesIt = ({ evidence: { features } }: Weighed): boolean =>
  features.some((feature) => feature.endsWith('-id')) || (features.includes('street') && features.includes('house'));

/** Whether a name has an address, of a street that is known or not: a word that ends like many streets, or stands beside a kind, with a number. */
const isAddress = (segment: Segment, streets: Phrases<Street>): boolean =>
  segment.tokens.some(({ isNumber, text }, at) => {
    const before = segment.tokens[at - 1];
    const isNumbered =
      before !== undefined &&
      !before.isNumber &&
      segment.tokens[at]?.isNumber === true &&
      text.length <= LONGEST_NUMBER - 1;
    return isNumber && isNumbered && before.text.length > 3 && !isWorkWord(before.text) && !segment.isDate[at];
  }) || streets.find(segment, false).some(({ missing }) => missing.length === 0);

/** The numbers beside the streets of a path are read once for all assignments. */
const pathOf = (path: Omit<Path, 'isTownAt' | 'isCodeAt' | 'housesOf'>, isCode: (code: string) => boolean): Path => {
  const { cities, codes } = path;
  const isTownAt = (depth: number, place: number): boolean =>
    cities.some(
      ({ depth: at, span, isWhole, mistakes }) =>
        at === depth && span.from <= place && place < span.to && isWhole && mistakes === 0,
    );
  const reader = {
    ...path,
    isTownAt,
    isCodeAt: (depth: number, place: number): boolean =>
      codes.some(({ depth: at, span, code }) => {
        if (at !== depth || span.from !== place) return false;
        return isCode(code) || isTownAt(depth, span.to) || (/\D/.test(code) && code.length > 4);
      }),
  };
  const houses = new Map<StreetMention, ReturnType<typeof housesBeside>>();
  return {
    ...reader,
    housesOf: (mention) => {
      const before = houses.get(mention);
      if (before !== undefined) return before;
      const { missing, phrase } = mention.hit;
      const { byNumber } = phrase;
      const found = housesBeside(reader, { ...mention, isKindMissing: missing.length > 0 }, (number) =>
        byNumber.has(number),
      );
      houses.set(mention, found);
      return found;
    },
  };
};

/** What stands in the names from `from` on. `nothing`: a name that says nothing. */
const pathFrom = (path: Path, from: number, nothing: Segment, isCode: (code: string) => boolean): Path => {
  const isIn = ({ depth }: Place): boolean => depth >= from;
  return pathOf(
    {
      from,
      conventions: path.conventions,
      segments: path.segments.map((segment, depth) => (depth >= from ? segment : nothing)),
      streets: path.streets.filter(isIn),
      cities: path.cities.filter(isIn),
      performers: path.performers.filter(isIn),
      codes: path.codes.filter(isIn),
    },
    isCode,
  );
};

const lengthOf = ({ from, to }: Span): number => to - from;

const streetsIn = (
  segment: Segment,
  streets: Phrases<Street>,
  performers: ReadName['performers'],
  cities: ReadName['cities'],
  isMisspelt: boolean,
): ReadName['streets'] => {
  const hits = streets.find(segment, isMisspelt);
  // "Gamle Kongevej" is not Kongevej, and "Harbour Maintenance" is a performer, not a street without its kind.
  return hits
    .filter(
      (one) =>
        !hits.some(
          (other) =>
            costOf(other) === 0 &&
            meet(other, one) &&
            ((lengthOf(other) > lengthOf(one) && nameOf(other.phrase) !== nameOf(one.phrase)) ||
              (one.mistakes > 0 && lengthOf(other) === lengthOf(one))),
        ) &&
        // "Saint-Gilles" is the town, and no part of "Rue de l'Église Saint-Gilles".
        !(
          one.missing.some((at) => one.phrase.roles[at] === 'core') &&
          cities.some(
            ({ span, isWhole, mistakes }) => isWhole && mistakes === 0 && span.from <= one.from && span.to >= one.to,
          )
        ) &&
        !performers.some(({ span }) => meet(one, span) && lengthOf(span) > lengthOf(one)),
    )
    .map((hit) => ({ hit, span: { from: hit.from, to: hit.to } }));
};

const citiesIn = (segment: Segment, towns: Phrases, performers: ReadName['performers']): ReadName['cities'] =>
  towns.find(segment, true).flatMap(({ phrase, from, to, missing, mistakes }) => {
    const span = { from, to };
    if (performers.some((performer) => meet(performer.span, span)) || mistakes > 1) return [];
    // "Dach" is the roof, not Dachau.
    const said = segment.tokens[from]?.text ?? '';
    if (to === from + 1 && isWorkWord(said) && said !== phrase.words.join('')) return [];
    // "Praha 4" is not Praha 5, and "Odense NV" not Odense V.
    const district = missing.some((at) => (phrase.words[at] ?? '').length < 3) ? segment.tokens[to] : undefined;
    const isOtherDistrict =
      district !== undefined &&
      /^[\s-]*$/.test(district.gap) &&
      district.text.length < 3 &&
      district.end - district.start < 3 &&
      !isWorkWord(district.text);
    return isOtherDistrict ? [] : [{ span, city: phrase.words.join(''), mistakes, isWhole: missing.length === 0 }];
  });

/** The streets of `reads`, each with its houses. */
function* indexStreets(reads: readonly ReadTarget[], known: number, isSecondHouse: boolean): Steps<Phrases<Street>> {
  const names = function* () {
    for (const [target, { address, city }] of reads.entries())
      for (const words of address?.names ?? []) yield { words, target, place: city };
  };
  const streets = createPhrases<Street>(names(), (phrase) => ({
    ...phrase,
    byNumber: new Map(),
    numbers: [],
    cities: new Set<string>(),
  }));
  yield;
  for (const street of streets.all)
    yield* inSteps(street.targets, (position) =>
      indexHouse(street, position, reads[position], position >= known, isSecondHouse),
    );
  return streets;
}

/** The words of each town's name. */
const townsOf = (reads: readonly ReadTarget[]) => {
  const names = new Map(reads.map(({ city, target }) => [city, target.City] as const));
  names.delete('');
  return [...names.values()].map((name) => ({ words: foldedWords(name), target: 0 }));
};

/** Adds a target to the houses of its street. `isEveryHouse`: a range stands for each of its houses. */
const indexHouse = (
  street: Street,
  position: number,
  read: ReadTarget | undefined,
  isEveryHouse: boolean,
  isSecond: boolean,
): void => {
  const { address, city = '' } = read ?? {};
  street.numbers.push(Number(address?.number ?? 0));
  if (address === undefined) return;
  street.cities.add(city);
  const { number, to, behind } = address;
  const numbers = new Set([
    number,
    ...(to === '' ? [] : [to]),
    ...(isSecond && /^\d/.test(behind[0] ?? '') ? [behind[0] ?? ''] : []),
  ]);
  if (isEveryHouse && to !== '') for (const house of housesOf(address)) numbers.add(house);
  for (const one of numbers) {
    const same = street.byNumber.get(one);
    if (same === undefined) street.byNumber.set(one, [position]);
    else same.push(position);
  }
};

/** The numbers of a range. */
const housesOf = ({ number, to }: Pick<Address, 'number' | 'to'>): readonly string[] =>
  Array.from({ length: Math.max(0, Math.min(MOST_HOUSES, Number(to) - Number(number))) + 1 }, (_, at) =>
    String(Number(number) + at),
  );

/** A name that says nothing but a street, or a last name, is no use where there are more. */
const MOST_OF_STREET = 100;
/** More assignments than a house of flats has. */
const MOST_OF_HOUSE = 1_000;
const MOST_OF_NAME = 12;
const MOST_NEIGHBOURS = 6;

/** The people with both names in one of the names, and with a last name that few have. */
const inNames = (path: readonly ReadName[], { lastNames, named }: People): ReadonlySet<number> => {
  const found = new Set<number>();
  for (const { given, family } of path)
    for (const last of family) {
      const all = lastNames.get(last) ?? [];
      if (all.length <= MOST_OF_NAME) for (const position of all) found.add(position);
      for (const first of given)
        for (const position of named(`${first} ${last}`).slice(0, MOST_OF_STREET)) found.add(position);
    }
  return found;
};

/** Those with the number that is said; a few with the nearest numbers, which may be meant; without a number all of the street. */
const inStreet = (
  mention: StreetMention,
  path: Path,
  reads: readonly ReadTarget[],
  known: number,
): readonly number[] => {
  const { phrase: street, missing } = mention.hit;
  const houses = path.housesOf(mention);
  const numbers = houses.map(({ number }) => number);
  // "Station" alone says nothing of Station Road.
  if (numbers.length === 0) return missing.length === 0 ? atMost(MOST_OF_STREET, street.targets, known) : [];
  const exact = numbers.flatMap((one) => street.byNumber.get(one) ?? []);
  const between = houses
    .filter(({ to }) => to !== '')
    .flatMap(({ number, to }) => housesOf({ number, to }).flatMap((one) => street.byNumber.get(one) ?? []));
  const unnumbered = street.byNumber.get('') ?? [];
  // Where nobody lives at the number, people may look for a neighbour.
  const near = exact.length === 0 && missing.length === 0 ? neighbours(street, Number(numbers[0])) : [];
  const said = new Set(exact.length > MOST_OF_STREET ? path.cities.map(({ city }) => city) : []);
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
const neighbours = ({ targets, numbers }: Street, wanted: number): readonly number[] =>
  targets
    .slice(0, MOST_OF_STREET)
    .map((position, at) => ({ position, distance: Math.abs((numbers[at] ?? 0) - wanted) }))
    .sort((one, other) => one.distance - other.distance || one.position - other.position)
    .slice(0, MOST_NEIGHBOURS)
    .map(({ position }) => position);

/** Where number 32 itself is an assignment's in that town, "32" does not mean 32B or one of its flats; it may where that was not read. */
const withoutFlats = <One extends { readonly position: number; readonly evidence: Evidence }>(
  found: readonly One[],
  reads: readonly ReadTarget[],
  known: number,
  { isKind }: Pick<Phrases, 'isKind'>,
): readonly One[] => {
  const houseOf = (position: number): string => {
    const { address, city } = reads[position] ?? {};
    const name = address?.names[0]?.filter((word) => !isKind(word));
    return `${name?.join(' ')} ${address?.number} ${city}`;
  };
  const isExact = ({ evidence: { features } }: One): boolean =>
    features.includes('house') &&
    !features.some((feature) => feature.startsWith('unit') || feature.startsWith('house-letter'));
  const named = new Set(found.filter(isExact).map(({ position }) => houseOf(position)));
  if (named.size === 0) return found;
  return found.map((one) => {
    const { features } = one.evidence;
    const lacks = (feature: Feature): boolean => feature === 'house-letter-missing' || feature === 'unit-missing';
    if (one.position >= known || !features.some(lacks) || !named.has(houseOf(one.position))) return one;
    const without = features.map(
      (feature): Feature =>
        feature === 'house-letter-missing' ? 'house-letter-other' : feature === 'unit-missing' ? 'unit-other' : feature,
    );
    return { ...one, evidence: { ...one.evidence, features: [...new Set(without)] } };
  });
};

/** The codes of the list: which are known, those of each city, and how most of them are written. */
const indexCodes = (reads: readonly ReadTarget[]): Pick<Surroundings, 'isCode' | 'codesOf' | 'shapes'> => {
  const cities = new Map<string, Set<string>>();
  const known = new Set<string>();
  const shapes = new Map<string, number>();
  for (const { city, zip, target } of reads) {
    if (zip === '') continue;
    known.add(zip);
    cities.set(city, (cities.get(city) ?? new Set<string>()).add(zip));
    const shape = shapeOf(target.ZipCode ?? '');
    shapes.set(shape, (shapes.get(shape) ?? 0) + 1);
  }
  const none = new Set<string>();
  return {
    isCode: (code) => known.has(code),
    codesOf: (city) => cities.get(city) ?? none,
    shapes: new Set(
      [...shapes].flatMap(([shape, times]) => (times * 20 >= reads.length || reads.length < 100 ? [shape] : [])),
    ),
  };
};

type People = {
  readonly firstNames: ReadonlyMap<string, number>;
  readonly lastNames: ReadonlyMap<string, readonly number[]>;
  /** The positions of those with both names, the first one first. */
  readonly named: (names: string) => readonly number[];
  /** The names of performers, whole and by their first words, with the whole name. */
  readonly performers: ReadonlyMap<string, string>;
  readonly isLastName: (word: string) => boolean;
  readonly isPerson: (word: string) => boolean;
  readonly namesakes: (target: ReadTarget) => number;
};

/** Indexes the people of `reads`, of which the first `known` are assignments. */
function* indexPeople(reads: readonly ReadTarget[], known: number): Steps<People> {
  const firstNames = new Map<string, number>();
  const lastNames = new Map<string, number[]>();
  const performers = new Map<string, string>();
  const starts = new Map<string, string | undefined>();
  yield* inSteps(reads, ({ first, last, performer, performerFirst, performerWhole }, position) => {
    if (first !== '') firstNames.set(first, (firstNames.get(first) ?? 0) + 1);
    if (last !== '') {
      const same = lastNames.get(last);
      if (same === undefined) lastNames.set(last, [position]);
      else same.push(position);
    }
    if (performer.length > 2) {
      performers.set(performer, performer).set(performerWhole, performer);
      const isShared = starts.has(performerFirst) && starts.get(performerFirst) !== performer;
      starts.set(performerFirst, isShared ? undefined : performer);
    }
  });
  for (const [start, performer] of starts)
    if (performer !== undefined && start.length > 4 && !lastNames.has(start) && !isWorkWord(start))
      performers.set(start, performer);
  const named = yield* indexKeys(reads, ({ first, last }) => (first === '' ? [] : [`${first} ${last}`]));
  return {
    ...{ firstNames, lastNames, performers, named },
    isLastName: (word) => lastNames.has(word),
    isPerson: (word) => lastNames.has(word) || firstNames.has(word),
    // One more of each than is known: with few assignments a name that was never seen twice is not rare yet.
    namesakes: ({ first, last }) =>
      (((firstNames.get(first) ?? 0) + 1) * ((lastNames.get(last)?.length ?? 0) + 1)) / Math.max(1, known),
  };
}

/** The targets whose ids are in `segments`, by their positions. */
type IdsIn = (segments: readonly Segment[]) => ReadonlyMap<number, readonly IdMention[]>;

const KINDS = ['assignment-id', 'protocol-id', 'facility-id'] as const;

/** A shorter id could just as well be the number of a photo or a floor. */
const SHORTEST_ID = 6;

const GUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const GUID_START = 8;

const guidDigits = (guid: string): string => guid.replaceAll('-', '').toLowerCase();

/** By what an id is found: the first digits of a guid (`#`), the whole text of another id (`=`), and its digits (`+`). */
const keysOf = (id: string): readonly string[] => {
  if (GUID.test(id)) return [`#${id.slice(0, GUID_START).toLowerCase()}`];
  const text = joined(id);
  const number = /^\D+(\d{5,})$/.exec(text)?.[1];
  return [
    ...(text.length >= SHORTEST_ID && /\d/.test(text) ? [`=${text}`] : []),
    ...(number === undefined ? [] : [`+${number}`]),
  ];
};

/** Room for a position beside the hash of its key in one number. */
const POSITIONS = 2 ** 23;
const hashOf = (key: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  return (hash >>> 2) * POSITIONS;
};

/** The positions of those that have a key, in one sorted array: a map of all keys would take as much memory as everything else. */
function* indexKeys(
  reads: readonly ReadTarget[],
  keys: (read: ReadTarget) => readonly string[],
): Steps<(key: string) => readonly number[]> {
  const entries: number[] = [];
  yield* inSteps(reads, (read, position) => {
    for (const key of keys(read)) entries.push(hashOf(key) + position);
  });
  const sorted = Float64Array.from(entries).sort();
  yield;
  return (key) => {
    const hash = hashOf(key);
    const found: number[] = [];
    for (let at = firstNotBefore(sorted.length, (one) => (sorted[one] ?? 0) < hash); at < sorted.length; at += 1) {
      const position = (sorted[at] ?? 0) - hash;
      const read = reads[position];
      if (read === undefined) break;
      if (position !== found.at(-1) && keys(read).includes(key)) found.push(position);
    }
    return found;
  };
}

/** Indexes the ids of `reads`. */
function* indexIds(reads: readonly ReadTarget[]): Steps<IdsIn> {
  const withKey = yield* indexKeys(reads, (read) => idsOf(read).flatMap(keysOf));
  return (segments) => {
    const found = new Map<number, IdMention[]>();
    segments.forEach((segment, depth) => {
      const look = (key: string, text: string, ending: '' | '-part'): void => {
        for (const position of withKey(key))
          for (const [kind, id] of idsOf(reads[position]).entries()) {
            if (!keysOf(id).includes(key) || (key[0] === '#' && ending === '' && guidDigits(id) !== text)) continue;
            const span = segment.spanOf.get(text) ?? { from: 0, to: segment.tokens.length };
            const mention = { feature: `${KINDS[kind] ?? 'facility-id'}${ending}`, depth, span } as const;
            const before = found.get(position);
            if (before === undefined) found.set(position, [mention]);
            else before.push(mention);
          }
      };
      for (const guid of segment.guids) look(`#${guid.slice(0, GUID_START)}`, guid, '');
      for (const start of segment.guidStarts) look(`#${start}`, start, '-part');
      for (const text of segment.spanOf.keys())
        if (text.length >= SHORTEST_ID && /\d/.test(text)) look(`=${text}`, text, '');
      if (found.size > 0) return;
      for (const { text, isNumber } of segment.tokens) if (isNumber && text.length > 4) look(`+${text}`, text, '-part');
    });
    return found;
  };
}

/** In the order of `KINDS`; empty where it has none. */
const idsOf = (read: ReadTarget | undefined): readonly string[] =>
  read === undefined ? [] : [read.target.AssignmentId, read.target.InspectionProtocolId ?? '', read.target.FacilityId];
