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
  bitsOf,
  type CityMention,
  type CodeMention,
  codesIn,
  evidenceFor,
  hasBit,
  type IdMention,
  idDepth,
  isWholeId,
  type MatchTarget,
  meet,
  neutralIn,
  type Path,
  type PerformerMention,
  type ReadTarget,
  reasonsOf,
  type Street,
  type StreetMention,
  type Surroundings,
  shapeOf,
} from './explain.ts';
import { type House, housesBeside } from './houses.ts';
import { addTo, firstNotBefore, foldedWords, joined, remembered, type Segment, type Span, segmentOf } from './names.ts';
import { hasLongNumber, type RuledFolder, type Rules, ruleFor, ruleName } from './rules.ts';
import { costOf, createPhrases, nameOf, type Phrases } from './streets.ts';
import type { Feature } from './weights.ts';
import { COMPANY_FORMS, isWorkWord } from './words.ts';

/** A protocol whose assignments are not known: where they are, and nothing else. */
export type UnreadProtocol = Pick<
  ProtocolSummary,
  'InspectionProtocolId' | 'Address' | 'City' | 'ZipCode' | 'FacilityId'
>;

/** The place of an unread protocol, as an assignment of which nothing else is known. */
const unreadTarget = (protocol: UnreadProtocol): MatchTarget => ({
  ...{ AssignmentId: '', AssignmentStatus: '', FirstName: '', LastName: '', Performer: '', StartTime: 0 },
  ...protocol,
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
/** Candidates that are less certain are not shown. */
const WORTH_A_QUESTION = 0.005;
const MOST_FILE_NAMES = 20;
/** How many names of a path are read, from its end: names above do not tell jobs apart. */
const MOST_SEGMENTS = 6;
const ALL_READ: Unread = { protocols: [], isPartial: false };

/** Long work in steps: at each `yield` the thread can do other work. */
export type Steps<Result> = Generator<void, Result>;

/** Runs all steps without a pause. */
export const finished = <Result>(steps: Steps<Result>): Result => {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
};

/** How many assignments a step reads or indexes: a few milliseconds. */
const AT_ONCE = 250;

/** Calls `each` for all, in steps. */
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

/** Indexes `targets` without a pause. */
export const createMatchIndex = (targets: Iterable<MatchTarget>, unread?: Unread): MatchIndex =>
  finished(indexTargets(targets, unread));

/** Indexes `targets` in steps, which takes seconds for 50,000. Of several with the same AssignmentId one is used. */
export function* indexTargets(targets: Iterable<MatchTarget>, unread: Unread = ALL_READ): Steps<MatchIndex> {
  const { reads, known, positionOf, find } = yield* createCandidateFinder(targets, unread.protocols);
  const places = reads.slice(known);
  const reading = {
    isPartial: unread.isPartial,
    unread: places.length,
    withoutAddress: places.filter(({ address }) => address === undefined).length,
    withoutFacility: places.filter(({ target }) => target.FacilityId === '').length,
  };

  /** The candidates, and all names that were read. */
  const weighFolder = (
    { path, rootPath, fileNames = [] }: FolderName,
    { minCertainty = MIN_CERTAINTY, rules }: MatchOptions,
    also: readonly number[] = [],
  ): { readonly candidates: readonly Candidate[]; readonly names: readonly string[] } => {
    const names = path.split('/').filter((name) => name !== '');
    const asked = { names, also, ...(rules && { rules, ruleName: ruleName({ path, rootPath }) }) };
    const own = find(asked);
    const best = Math.max(0, ...own.map(({ certainty }) => certainty));
    if (fileNames.length === 0 || best >= minCertainty) return { candidates: own, names };
    const tried = fileNames.slice(0, MOST_FILE_NAMES);
    const isTelling = ({ evidence, certainty }: Candidate): boolean =>
      evidence.deepest === names.length && certainty > best;
    const files = tried
      .map((file) => find({ ...asked, fileName: file.replace(/\.[^.]{1,5}$/, '') }))
      .filter((found) => found.some(isTelling));
    return files.length === 0
      ? { candidates: own, names }
      : { candidates: together(files), names: [...names, ...tried] };
  };

  return {
    match: (folder, options = {}) => {
      const { minCertainty = MIN_CERTAINTY } = options;
      const { candidates: all, names } = weighFolder(folder, options);
      const own = all
        .filter(({ position, certainty }) => position < known && certainty >= WORTH_A_QUESTION)
        .sort(inOrder);
      const [first, ...others] = own;
      const best = others.reduce((most, one) => (most && most.certainty >= one.certainty - EQUAL ? most : one), first);
      const { vetoes, unreadHere } = vetoesOf({
        ...{ names, best, reading, isProposed: best === first },
        unread: all.filter(({ position }) => position >= known),
      });
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
    certaintyOf: (folder, AssignmentId, options = {}) => {
      const wanted = positionOf(AssignmentId);
      if (wanted === undefined) return undefined;
      const { candidates } = weighFolder(folder, options, [wanted]);
      const candidate = candidates.find(({ position }) => position === wanted);
      return candidate && shown(candidate, false);
    },
  };
}

/** The average certainties of several files. */
const together = (files: readonly (readonly Candidate[])[]): readonly Candidate[] => {
  const sums = new Map<number, Candidate>();
  for (const one of files.flat()) {
    const certainty = one.certainty / files.length + (sums.get(one.position)?.certainty ?? 0);
    sums.set(one.position, { ...one, certainty: Math.min(1, certainty) });
  }
  return [...sums.values()];
};

const EQUAL = 1e-9;

/** Those that still expect files first, then the more certain, then the earlier id. */
const inOrder = (one: Candidate, other: Candidate): number => {
  const closed = ({ read: { target } }: Candidate): number => Number(isClosed(target.AssignmentStatus));
  const difference = closed(one) - closed(other) || other.certainty - one.certainty;
  return Math.abs(difference) > EQUAL ? difference : one.position - other.position;
};

/** A candidate as people see it. If it has to be asked about, it is shown as likely at most. */
const shown = ({ evidence, segments, certainty, read: { target } }: Candidate, isVetoed: boolean): MatchCandidate => {
  const isDone = isClosed(target.AssignmentStatus);
  const status: readonly MatchReason[] = isDone
    ? [{ signal: 'status', found: target.AssignmentStatus, against: true }]
    : [];
  return {
    AssignmentId: target.AssignmentId,
    certainty: isVetoed || isDone ? Math.min(TO_BE_ASKED, certainty) : certainty,
    reasons: [...reasonsOf(segments, evidence), ...status],
  };
};

/** The folder to match, or a file in it. `also`: positions that are weighed even if nothing points to them. */
type Asked = {
  /** The names of the folders, from the chosen one's on. */
  readonly names: readonly string[];
  readonly fileName?: string;
  readonly rules?: Rules | undefined;
  readonly ruleName?: ReturnType<typeof ruleName>;
  readonly also?: readonly number[];
};

type CandidateFinder = {
  /** The assignments; from the position `known` on, the unread protocols. */
  readonly reads: readonly ReadTarget[];
  readonly known: number;
  readonly positionOf: (AssignmentId: string) => number | undefined;
  /** The assignments that may be meant, and the unread protocols whose places may be. */
  readonly find: (asked: Asked) => readonly Candidate[];
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
  const list = { ...people, ...indexCodes(reads), conventions, streets };
  const nameFor = remembered((name: string) => readName(name, streets, towns, people, list.shapes));

  const find = ({ names: folders, fileName, rules, ruleName: ruled, also = [] }: Asked): readonly Candidate[] => {
    const names = fileName === undefined ? folders : [...folders, fileName];
    const above = Math.max(0, names.length - MOST_SEGMENTS);
    const path = names.slice(above).map(nameFor);
    const segments = path.map(({ segment }) => segment);
    const ids = idsIn(segments);
    const idAt = idDepth(segments, ids, folders.length - above);
    const mentions = {
      ...{ segments, conventions, neutral: path.map(({ neutral }) => neutral) },
      performers: atDepths(path, ({ performers }) => performers),
      cities: atDepths(path, ({ cities }) => cities),
      codes: atDepths(path, ({ codes }) => codes),
    };
    const ruleIn = (named: readonly StreetMention[]) => {
      const depth = (ruled?.depth ?? 0) - above;
      const segment = segments[depth];
      if (rules === undefined || ruled === undefined) return undefined;
      const isNamed = [...[...ids.values()].flat().filter(({ feature }) => isWholeId(feature)), ...named].some(
        (one) => one.depth === depth,
      );
      return ruleFor(
        rules,
        ruled,
        isNamed || (segment !== undefined && (isAddress(segment) || hasLongNumber(segment))),
      );
    };
    const weigh = (named: readonly StreetMention[]): readonly Candidate[] => {
      const whole = pathOf({ ...mentions, streets: named }, list.isCode);
      const rule = ruleIn(named.filter(({ hit }) => hit.missing.length === 0));
      const chosen = rule && positionOf(rule.AssignmentId);
      const positions = new Set([...ids.keys(), ...also, ...(chosen === undefined ? [] : [chosen])]);
      for (const position of inNames(path, people)) positions.add(position);
      for (const mention of named)
        for (const position of inStreet(mention, whole, reads, known)) positions.add(position);
      const surroundings = { ...list, ids, rule };
      const weighed = [...positions]
        .sort((one, other) => one - other)
        .flatMap((position) => {
          const read = reads[position];
          if (read === undefined) return [];
          const evidence = evidenceFor(whole, idAt, read, position, surroundings);
          return [{ position, read, evidence, segments }];
        });
      const found = withoutFlats(weighed, known);
      const certainties = certaintiesOf(found.map(({ evidence }) => evidence.features));
      return found.map((one, at) => {
        const certainty = Math.min(certainties[at] ?? 0, certaintyLimit(one.evidence.features));
        const isRivalled =
          certainty > TO_BE_ASKED && found.some((other) => other !== one && explainsAsMuch(other, one));
        const deepest = one.evidence.deepest < 0 ? -1 : one.evidence.deepest + above;
        return { ...one, evidence: { ...one.evidence, deepest }, certainty: isRivalled ? TO_BE_ASKED : certainty };
      });
    };
    const exact = weigh(atDepths(path, (name) => name.streets));
    // Typing mistakes are only looked for if no candidate fits exactly.
    if (exact.some(namesIt)) return exact;
    const misspelt = atDepths(path, (name) => name.misspelt());
    return misspelt.some(({ hit }) => hit.mistakes > 0) ? weigh(misspelt) : exact;
  };

  return { reads, known, positionOf, find };
}

/** Parses the assignments, ordered by id so that their order in the list does not matter, then the unread protocols. */
function* readTargets(targets: Iterable<MatchTarget>, unread: Iterable<UnreadProtocol>) {
  const byId = new Map<string, MatchTarget>();
  yield* inSteps(targets, (target) => {
    const before = byId.get(target.AssignmentId);
    // The one that came with its protocol has more fields.
    if (before === undefined || rankOf(target) < rankOf(before)) byId.set(target.AssignmentId, target);
  });
  const all = [...byId.keys()].sort().flatMap((id) => byId.get(id) ?? []);
  const known = all.length;
  for (const protocol of unread) all.push(unreadTarget(protocol));
  // Many targets share an address, which is parsed once.
  const tokensFor = remembered(tokensOfAddress, ({ Address, City, ZipCode }) => `${Address}\n${City}\n${ZipCode}`);
  const tokens: ReturnType<typeof tokensOfAddress>[] = [];
  yield* inSteps(all, (target) => tokens.push(tokensFor(target)));
  const conventions = learnConventions(all, tokens);
  yield;
  const addressOf = remembered((written: ReturnType<typeof tokensOfAddress>) => readAddress(written, conventions));
  const word = remembered(joined);
  const withoutForm = remembered((text: string) =>
    foldedWords(text)
      .filter((one) => !COMPANY_FORMS.has(one))
      .join(''),
  );
  const reads: ReadTarget[] = [];
  yield* inSteps(all, (target, at) =>
    reads.push({
      ...{ target, address: addressOf(tokens[at] ?? []), city: word(target.City), zip: word(target.ZipCode ?? '') },
      ...{ first: word(target.FirstName), last: word(target.LastName) },
      ...{ performer: withoutForm(target.Performer), performerWhole: word(target.Performer) },
    }),
  );
  const parts = new Set(
    reads.flatMap(({ address }) => address?.behind.filter((part) => part.length > 1 && !/^\d/.test(part)) ?? []),
  );
  return { reads, known, conventions: { ...conventions, parts } };
}

const rankOf = (target: MatchTarget): string =>
  `${target.InspectionProtocolId === undefined ? 1 : 0}${JSON.stringify(target, Object.keys(target).sort())}`;

/** What is found in one name, without regard to the others of a path. */
type ReadName = {
  readonly segment: Segment;
  readonly neutral: number;
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
    ...{ segment, performers, cities, codes: codesIn(segment, shapes), neutral: neutralIn(segment) },
    streets: streetsIn(segment, streets, performers, cities, false),
    misspelt: () => {
      misspelt ??= streetsIn(segment, streets, performers, cities, true);
      return misspelt;
    },
    given: texts.filter((text) => firstNames.has(text)),
    family: texts.filter((text) => lastNames.has(text)),
  };
};

/** What `of` returns for each name of a path, with its depth. */
const atDepths = <Mention>(path: readonly ReadName[], of: (name: ReadName) => readonly Mention[]) =>
  path.flatMap((name, depth) => of(name).map((mention) => ({ ...mention, depth })));

/** Whether a candidate is named by its id, or by its street and number. */
const namesIt = ({ evidence: { features } }: Candidate): boolean =>
  features.some(isWholeId) || (features.includes('street') && features.includes('house'));

/** Whether a name has an address, of a street that is known or not: a word with a number behind it. */
const isAddress = ({ tokens, isDate }: Segment): boolean =>
  tokens.some(({ isNumber, text }, at) => {
    const before = tokens[at - 1];
    if (!isNumber || text.length >= LONGEST_NUMBER || isDate[at] || before === undefined) return false;
    return !before.isNumber && before.text.length > 3 && !isWorkWord(before.text);
  });

/** Adds what depends on several names. The numbers beside a street are read once for all assignments. */
const pathOf = (path: Omit<Path, 'isTownAt' | 'isCodeAt' | 'housesOf'>, isCode: (code: string) => boolean): Path => {
  const towns = path.segments.map(() => 0);
  for (const { depth, span, isWhole, mistakes } of path.cities)
    if (isWhole && mistakes === 0) towns[depth] = (towns[depth] ?? 0) | bitsOf(span);
  const isTownAt = (depth: number, at: number): boolean => hasBit(towns[depth], at);
  const isCodeHere = ({ depth, span, code }: CodeMention): boolean =>
    isCode(code) || isTownAt(depth, span.to) || (/\D/.test(code) && code.length > 4);
  const codes = path.codes.filter(isCodeHere);
  const isCodeAt = (depth: number, at: number): boolean =>
    codes.some(({ depth: other, span }) => other === depth && span.from === at);
  const houses = new Map<StreetMention, readonly House[]>();
  return {
    ...{ ...path, isTownAt, isCodeAt },
    housesOf: (mention) => {
      const { missing, phrase } = mention.hit;
      const street = { ...mention, isKindMissing: missing.length > 0 };
      const found =
        houses.get(mention) ??
        housesBeside({ ...path, isTownAt, isCodeAt }, street, (number) => phrase.byNumber.has(number));
      houses.set(mention, found);
      return found;
    },
  };
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
  const exact = hits.filter((hit) => costOf(hit) === 0);
  const isIn = (inner: Span, outer: Span): boolean => outer.from <= inner.from && outer.to >= inner.to;
  return hits
    .filter((one) => {
      // "Gamle Kongevej" is not Kongevej.
      const isShadowed = exact.some(
        (other) =>
          meet(other, one) &&
          ((lengthOf(other) > lengthOf(one) && nameOf(other.phrase) !== nameOf(one.phrase)) ||
            (one.mistakes > 0 && lengthOf(other) === lengthOf(one))),
      );
      // "Saint-Gilles" is the town, and no part of "Rue de l'Église Saint-Gilles".
      const isTown =
        one.missing.some((at) => one.phrase.roles[at] === 'core') &&
        cities.some(({ span, isWhole, mistakes }) => isWhole && mistakes === 0 && isIn(one, span));
      // "Harbour Maintenance" is a performer, not a street without its kind.
      const isPerformer = performers.some(({ span }) => meet(one, span) && lengthOf(span) > lengthOf(one));
      return !isShadowed && !isTown && !isPerformer;
    })
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
    for (const [target, { address }] of reads.entries())
      for (const words of address?.names ?? []) yield { words, target };
  };
  const streets = createPhrases<Street>(names(), (phrase) => ({ ...phrase, byNumber: new Map(), cities: new Set() }));
  yield;
  for (const street of streets.all)
    yield* inSteps(street.targets, (position) => {
      const { address, city = '' } = reads[position] ?? {};
      if (address === undefined) return;
      street.cities.add(city);
      for (const number of numbersOf(address, position >= known, isSecondHouse))
        addTo(street.byNumber, number, position);
    });
  return streets;
}

/** The words of each town's name. */
const townsOf = (reads: readonly ReadTarget[]) => {
  const names = new Map(reads.map(({ city, target }) => [city, target.City] as const));
  names.delete('');
  return [...names.values()].map((name) => ({ words: foldedWords(name), target: 0 }));
};

/** The numbers by which a house is found. `isEveryHouse`: a range stands for each of its houses. */
const numbersOf = (address: Address, isEveryHouse: boolean, isSecondHouse: boolean): ReadonlySet<string> => {
  const [second = ''] = address.behind;
  const numbers = isEveryHouse && address.to !== '' ? housesOf(address) : [address.number];
  const others = isSecondHouse && /^\d/.test(second) ? [second] : [];
  return new Set([...numbers, ...others, ...(address.to === '' ? [] : [address.to])]);
};

/** The numbers of a range. */
const housesOf = ({ number, to }: Pick<Address, 'number' | 'to'>): readonly string[] =>
  Array.from({ length: Math.max(0, Math.min(MOST_HOUSES, Number(to) - Number(number))) + 1 }, (_, at) =>
    String(Number(number) + at),
  );

/** The most candidates for a street without a number, or for a name of a person. */
const MOST_OF_STREET = 100;
/** The most candidates at one number in the town that the path names. */
const MOST_OF_HOUSE = 1_000;
const MOST_OF_NAME = 12;
const MOST_NEIGHBOURS = 6;

/** The people with both names in one of the names, and those with a last name that few have. */
const inNames = (path: readonly ReadName[], { lastNames, named }: People): readonly number[] =>
  path.flatMap(({ given, family }) =>
    family.flatMap((last) => {
      const all = lastNames.get(last) ?? [];
      const both = given.flatMap((first) => named.get(`${first} ${last}`)?.slice(0, MOST_OF_STREET) ?? []);
      return all.length <= MOST_OF_NAME ? all : both;
    }),
  );

/** Candidates in a street: those at its number in the path, a few at the nearest numbers if there are none, or all without a number. */
const inStreet = (
  mention: StreetMention,
  path: Path,
  reads: readonly ReadTarget[],
  known: number,
): readonly number[] => {
  const { phrase: street, missing } = mention.hit;
  const houses = path.housesOf(mention);
  const [first] = houses;
  // "Station" alone says nothing of Station Road.
  if (first === undefined) return missing.length === 0 ? atMost(MOST_OF_STREET, street.targets, known) : [];
  const at = (number: string): readonly number[] => street.byNumber.get(number) ?? [];
  const exact = houses.flatMap(({ number }) => at(number));
  const between = houses.filter(({ to }) => to !== '').flatMap((range) => housesOf(range).flatMap(at));
  const said = new Set(exact.length > MOST_OF_STREET ? path.cities.map(({ city }) => city) : []);
  const here = said.size > 0 ? exact.filter((position) => said.has(reads[position]?.city ?? '')) : [];
  return [
    ...atMost(MOST_OF_HOUSE, here, known),
    ...atMost(MOST_OF_STREET, exact, known),
    ...between.filter((position) => position >= known),
    ...atMost(MOST_OF_NAME, at(''), known),
    // The number may be misspelt, so that a person looks for the neighbours.
    ...(exact.length === 0 && missing.length === 0 ? neighbours(street, Number(first.number)) : []),
  ];
};

/** The first `most` assignments among `positions`, and all unread protocols, because each of them can be meant. */
const atMost = (most: number, positions: readonly number[], known: number): readonly number[] => {
  if (positions.length <= most) return positions;
  const assignments = positions.filter((position) => position < known);
  return [...assignments.slice(0, most), ...positions.filter((position) => position >= known)];
};

/** The assignments with the numbers closest to `wanted`. */
const neighbours = ({ byNumber }: Street, wanted: number): readonly number[] =>
  [...byNumber]
    .map(([number, positions]) => ({ positions, distance: Math.abs(Number(number) - wanted) }))
    .sort((one, other) => one.distance - other.distance || (one.positions[0] ?? 0) - (other.positions[0] ?? 0))
    .slice(0, MOST_NEIGHBOURS)
    .flatMap(({ positions }) => positions)
    .slice(0, MOST_NEIGHBOURS);

const OTHER: Partial<Readonly<Record<Feature, Feature>>> = {
  'house-letter-missing': 'house-letter-other',
  'unit-missing': 'unit-other',
};

/** "32" does not mean 32B or a flat, if an assignment in that town has number 32 itself. An unread protocol may still be meant. */
const withoutFlats = <One extends Pick<Candidate, 'position' | 'read' | 'evidence'>>(
  found: readonly One[],
  known: number,
): readonly One[] => {
  const houseOf = ({ read: { address, city } }: One): string => `${address?.number} ${city}`;
  const isExact = ({ evidence: { features } }: One): boolean =>
    features.includes('house') && !features.some((feature) => /^(unit|house-letter)/.test(feature));
  const named = new Set(found.filter(isExact).map(houseOf));
  return found.map((one) => {
    if (one.position >= known || !named.has(houseOf(one))) return one;
    const features = one.evidence.features.map((feature) => OTHER[feature] ?? feature);
    return { ...one, evidence: { ...one.evidence, features: [...new Set(features)] } };
  });
};

/** The postcodes of the list, those of each city, and their usual shapes. */
const indexCodes = (reads: readonly ReadTarget[]): Pick<Surroundings, 'isCode' | 'codesOf' | 'shapes'> => {
  const cities = new Map<string, Set<string>>();
  const known = new Set<string>();
  const shapes = new Map<string, number>();
  const shapeFor = remembered(shapeOf);
  for (const { city, zip, target } of reads) {
    if (zip === '') continue;
    known.add(zip);
    cities.set(city, (cities.get(city) ?? new Set<string>()).add(zip));
    const shape = shapeFor(target.ZipCode ?? '');
    shapes.set(shape, (shapes.get(shape) ?? 0) + 1);
  }
  const none = new Set<string>();
  const isUsual = (times: number): boolean => times * 20 >= reads.length || reads.length < 100;
  return {
    isCode: (code) => known.has(code),
    codesOf: (city) => cities.get(city) ?? none,
    shapes: new Set([...shapes].flatMap(([shape, times]) => (isUsual(times) ? [shape] : []))),
  };
};

type People = Pick<Surroundings, 'isLastName' | 'isPerson' | 'namesakes'> & {
  readonly firstNames: ReadonlyMap<string, number>;
  readonly lastNames: ReadonlyMap<string, readonly number[]>;
  /** The positions of those with both names, the first one first. */
  readonly named: ReadonlyMap<string, readonly number[]>;
  /** The names of performers, whole and by their first words, with the whole name. */
  readonly performers: ReadonlyMap<string, string>;
};

/** Indexes the people of `reads`, of which the first `known` are assignments. */
function* indexPeople(reads: readonly ReadTarget[], known: number): Steps<People> {
  const firstNames = new Map<string, number>();
  const lastNames = new Map<string, number[]>();
  const named = new Map<string, number[]>();
  const whole = new Map<string, ReadTarget>();
  yield* inSteps(reads, (read, position) => {
    const { first, last, performer } = read;
    if (first !== '') firstNames.set(first, (firstNames.get(first) ?? 0) + 1);
    if (last !== '') addTo(lastNames, last, position);
    if (first !== '') addTo(named, `${first} ${last}`, position);
    if (performer.length > 2) whole.set(performer, read);
  });
  const performers = new Map<string, string>();
  const starts = new Map<string, string[]>();
  for (const [performer, { target, performerWhole }] of whole) {
    performers.set(performer, performer).set(performerWhole, performer);
    addTo(starts, foldedWords(target.Performer).find((word) => !COMPANY_FORMS.has(word)) ?? '', performer);
  }
  for (const [start, [performer = '', other]] of starts)
    if (other === undefined && start.length > 4 && !lastNames.has(start) && !isWorkWord(start))
      performers.set(start, performer);
  return {
    ...{ firstNames, lastNames, performers, named },
    isLastName: (word) => lastNames.has(word),
    isPerson: (word) => lastNames.has(word) || firstNames.has(word),
    // Plus one each, because in a short list a name that occurs once is not rare yet.
    namesakes: ({ first, last }) =>
      (((firstNames.get(first) ?? 0) + 1) * ((lastNames.get(last)?.length ?? 0) + 1)) / Math.max(1, known),
  };
}

/** The targets whose ids are in `segments`, by their positions. */
type IdsIn = (segments: readonly Segment[]) => ReadonlyMap<number, readonly IdMention[]>;

const KINDS = ['assignment-id', 'protocol-id', 'facility-id'] as const;

/** A shorter id may be the number of a photo or a floor. */
const SHORTEST_ID = 6;

const GUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const GUID_START = 8;

const guidDigits = (guid: string): string => guid.replaceAll('-', '').toLowerCase();

const idsOf = ({ target }: ReadTarget): readonly string[] => [
  target.AssignmentId,
  target.InspectionProtocolId ?? '',
  target.FacilityId,
];

/** Indexes the ids of `reads`. */
function* indexIds(reads: readonly ReadTarget[]): Steps<IdsIn> {
  /** Ids by the first digits of a guid, by the whole text of another id, and by its digits. An entry is a position and a kind in one number. */
  const byStart = new Map<string, number[]>();
  const byText = new Map<string, number[]>();
  const byDigits = new Map<string, number[]>();
  yield* inSteps(reads, (read, position) => {
    for (const [kind, id] of idsOf(read).entries()) {
      const one = position * KINDS.length + kind;
      if (id.length >= 32 && GUID.test(id)) addTo(byStart, id.slice(0, GUID_START).toLowerCase(), one);
      else if (id.length >= SHORTEST_ID) {
        const text = joined(id);
        if (text.length >= SHORTEST_ID && /\d/.test(text)) addTo(byText, text, one);
        const digits = /^\D+(\d{5,})$/.exec(text)?.[1];
        if (digits !== undefined) addTo(byDigits, digits, one);
      }
    }
  });
  type Hit = { readonly text: string; readonly ending: '' | '-part'; readonly all: readonly number[] };
  const isGuid = (one: number, guid: string): boolean => {
    const read = reads[Math.floor(one / KINDS.length)];
    return read !== undefined && guidDigits(idsOf(read)[one % KINDS.length] ?? '') === guid;
  };
  const wholeIn = ({ guids, guidStarts, spanOf }: Segment): readonly Hit[] => {
    const hits: Hit[] = [];
    for (const text of guids) {
      const all = byStart.get(text.slice(0, GUID_START)) ?? [];
      hits.push({ text, ending: '', all: all.filter((one) => isGuid(one, text)) });
    }
    for (const text of guidStarts) hits.push({ text, ending: '-part', all: byStart.get(text) ?? [] });
    for (const text of spanOf.keys()) hits.push({ text, ending: '', all: byText.get(text) ?? [] });
    return hits.filter(({ all }) => all.length > 0);
  };
  const digitsIn = ({ tokens }: Segment): readonly Hit[] =>
    tokens.flatMap(({ text, isNumber }) =>
      isNumber && text.length > 4 ? [{ text, ending: '-part', all: byDigits.get(text) ?? [] }] : [],
    );
  return (segments) => {
    const found = new Map<number, IdMention[]>();
    for (const [depth, segment] of segments.entries()) {
      const whole = wholeIn(segment);
      for (const { text, ending, all } of whole.length > 0 || found.size > 0 ? whole : digitsIn(segment))
        for (const one of all) {
          const kind = KINDS[one % KINDS.length] ?? 'facility-id';
          const span = segment.spanOf.get(text) ?? { from: 0, to: segment.tokens.length };
          addTo(found, Math.floor(one / KINDS.length), { feature: `${kind}${ending}`, depth, span });
        }
    }
    return found;
  };
}
