/**
 * Parses the assignments, and the protocols whose assignments were not read, and indexes them by street, town,
 * postcode, people and ids. Also finds the rules that apply to the name of a folder.
 */
import type { AssignmentSummary, ProtocolSummary } from '../../contract/resources.ts';
import {
  type Address,
  type Conventions,
  housesOf,
  learnConventions,
  learnFlats,
  readAddress,
  tokensOfAddress,
} from './addresses.ts';
import { addTo, foldedWords, joined, remembered, type Segment, segmentOf, type Token } from './names.ts';
import { createPhrases, type Phrase } from './streets.ts';
import { COMPANY_FORMS, isFilling, isWorkWord } from './words.ts';

/**
 * An assignment, with fields of its protocol. `InspectionDate` and `StartTime`: seconds below 1e11, otherwise
 * milliseconds.
 */
export type MatchTarget = AssignmentSummary & {
  readonly InspectionProtocolId?: string;
  readonly ZipCode?: string;
  readonly InspectionDate?: number;
};

/**
 * An assignment, or the place of a protocol whose assignments were not read. Names are folded and joined into one word.
 */
export type ReadTarget = {
  readonly target: MatchTarget;
  readonly address: Address | undefined;
  readonly city: string;
  readonly zip: string;
  readonly first: string;
  readonly last: string;
  /** The performer's name without the legal form of the company. */
  readonly performer: string;
  readonly performerWhole: string;
};

/** Long work in steps. At each `yield` the caller can do other work. */
export type Steps<Result> = Generator<void, Result>;

/** The number of assignments that one step reads or indexes. A step takes a few milliseconds. */
const AT_ONCE = 250;

function* inSteps<From, Made>(all: readonly From[], make: (one: From, at: number) => Made): Steps<readonly Made[]> {
  const made: Made[] = [];
  for (const [at, one] of all.entries()) {
    made.push(make(one, at));
    if (at % AT_ONCE === 0) yield;
  }
  return made;
}

function* positionsBy(reads: readonly ReadTarget[], keysOf: (read: ReadTarget) => readonly string[]) {
  const positions = new Map<string, number[]>();
  yield* inSteps(reads, (read, position) => {
    for (const key of keysOf(read)) if (key !== '') addTo(positions, key, position);
  });
  return positions;
}

const ID_KINDS = ['assignment-id', 'protocol-id', 'facility-id'] as const;

/** The minimum length of an id that is indexed. A shorter id can be the number of a photo or a floor. */
const SHORTEST_ID = 6;
const GUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const GUID_START = 8;

/**
 * Returns the ids of a target in the order of `ID_KINDS`. Guids are in lower case without dashes; other ids are folded
 * and joined.
 */
export const idsOf = ({ AssignmentId, InspectionProtocolId = '', FacilityId }: MatchTarget): readonly string[] =>
  [AssignmentId, InspectionProtocolId, FacilityId].map((id) =>
    GUID.test(id) ? id.replaceAll('-', '').toLowerCase() : joined(id),
  );

const keyOf = (id: string): string => (/^[0-9a-f]{32}$/.test(id) ? id.slice(0, GUID_START) : id);

/**
 * Indexes the ids of `reads`, and returns a function that finds the ids in a name. It finds a whole AssignmentId as
 * `assignment-id`, and the id of a protocol or facility, or the start of any guid, as `place-id`.
 */
function* indexIds(reads: readonly ReadTarget[]) {
  const byKey = yield* positionsBy(reads, ({ target }) =>
    idsOf(target).flatMap((id) => (id.length >= SHORTEST_ID && /\d/.test(id) ? keyOf(id) : [])),
  );
  return ({ guids, guidStarts, spanOf }: Segment) => {
    const others = [...spanOf].filter(([text]) => byKey.has(text));
    return [...guids, ...guidStarts, ...others].flatMap(([text, span]) =>
      (byKey.get(keyOf(text)) ?? []).flatMap((position) => {
        const target = reads[position]?.target;
        const ids = target ? idsOf(target) : [];
        const kind = ids.findIndex((id) => id === text || (guidStarts.has(text) && id.startsWith(text)));
        const signal = ID_KINDS[kind];
        const feature = ids[0] === text ? ('assignment-id' as const) : ('place-id' as const);
        return signal ? { position, feature, signal, ...span } : [];
      }),
    );
  };
}

/** A protocol whose assignments were not read. Only its place is known. */
export type UnreadProtocol = Pick<
  ProtocolSummary,
  'InspectionProtocolId' | 'Address' | 'City' | 'ZipCode' | 'FacilityId'
>;

export type Street = Phrase & {
  /** The positions of the street's targets by house number. Those without a number have an empty key. */
  readonly byNumber: Map<string, number[]>;
};

export type Office = ReturnType<typeof readOffice> extends Steps<infer One> ? One : never;

/**
 * Parses and indexes `targets` and `unread`. Of several targets with the same AssignmentId, the last one is used. In
 * `reads`, the protocols of `unread` begin at the position `known`.
 */
export function* readOffice(targets: Iterable<MatchTarget>, unread: Iterable<UnreadProtocol>) {
  const { reads, known, conventions } = yield* readTargets(targets, unread);
  const streets = indexStreets(reads, known, conventions);
  yield;
  const cities = new Map(reads.map(({ city, target }) => [city, { words: foldedWords(target.City), target: 0 }]));
  cities.delete('');
  const towns = createPhrases(cities.values(), (phrase) => phrase);
  yield;
  return {
    reads,
    known,
    conventions,
    streets,
    towns,
    /** The `places` of all addresses, such as the names of villages. */
    places: new Set(reads.flatMap(({ address }) => address?.places ?? [])),
    /** The names of towns such as "Dublin 4" without their numbers, each as one word. */
    districts: new Set(
      towns.all.flatMap(({ words }) => (/^\d/.test(words.at(-1) ?? '') ? words.slice(0, -1).join('') : [])),
    ),
    positionById: new Map(reads.slice(0, known).map(({ target }, position) => [target.AssignmentId, position])),
    ...(yield* indexPeople(reads, known)),
    idsIn: yield* indexIds(reads),
    ...indexCodes(reads),
  };
}

/** Parses `targets`, sorted by id so that their order does not matter, and then `unread`. */
function* readTargets(targets: Iterable<MatchTarget>, unread: Iterable<UnreadProtocol>) {
  const byId = new Map<string, MatchTarget>(Array.from(targets, (target) => [target.AssignmentId, target]));
  const all = [...byId.keys()].sort().flatMap((id) => byId.get(id) ?? []);
  const known = all.length;
  // An unread protocol becomes an assignment that has only a place.
  const nothing = { AssignmentId: '', AssignmentStatus: '', FirstName: '', LastName: '', Performer: '', StartTime: 0 };
  for (const protocol of unread) all.push({ ...nothing, ...protocol });
  // Many targets share an address, which is parsed once.
  const tokensFor = remembered(tokensOfAddress, ({ Address, City, ZipCode }) => `${Address}\n${City}\n${ZipCode}`);
  const tokens = yield* inSteps(all, tokensFor);
  const learnt = learnConventions(tokens, all);
  yield;
  const addressOf = remembered((written: readonly Token[]) => readAddress(written, learnt));
  const addresses = yield* inSteps(tokens, addressOf);
  const { plain, conventions } = learnFlats(addresses, learnt);
  yield;
  const word = remembered(joined);
  const isName = (one: string): boolean => !COMPANY_FORMS.has(one);
  const withoutForm = remembered((text: string) => foldedWords(text).filter(isName).join(''));
  const reads = yield* inSteps(
    all,
    (target, at): ReadTarget => ({
      target,
      address: addresses[at] && plain(addresses[at]),
      city: word(target.City),
      zip: word(target.ZipCode ?? ''),
      first: word(target.FirstName),
      last: word(target.LastName),
      performer: withoutForm(target.Performer),
      performerWhole: word(target.Performer),
    }),
  );
  return { reads, known, conventions };
}

type Named = { readonly words: readonly string[]; readonly target: number };

/**
 * Adds to each target the other names that targets in the same house have for its street. A name is added if it differs
 * from the target's own name only by words at the start, such as a part of the town: "Ilıca Mahallesi Mithatpaşa
 * Caddesi".
 */
const withNamesOfHouses = (names: readonly Named[], houseOf: (target: number) => string): readonly Named[] =>
  [...Map.groupBy(names, ({ target }) => houseOf(target))].flatMap(([house, own]) => {
    const byText = new Map(own.map(({ words }) => [words.join(''), words]));
    if (house === '' || byText.size < 2) return own;
    return own.flatMap(({ words, target }) => {
      const text = words.join('');
      const same = [...byText].filter(([other]) => text.endsWith(other) || other.endsWith(text));
      return same.map(([, other]) => ({ words: other, target }));
    });
  });

const indexStreets = (reads: readonly ReadTarget[], known: number, { isSecondHouse, dotted }: Conventions) => {
  const houseOf = (position: number): string => {
    const { FacilityId = '' } = reads[position]?.target ?? {};
    return FacilityId && `${FacilityId} ${reads[position]?.address?.number}`;
  };
  const names = withNamesOfHouses(
    reads.flatMap(({ address }, target) => (address?.names ?? []).map((words) => ({ words, target }))),
    houseOf,
  );
  const make = (phrase: Phrase): Street => {
    const byNumber = new Map<string, number[]>();
    for (const position of phrase.targets) {
      const address = reads[position]?.address;
      const numbers = address && numbersOf(address, position >= known, isSecondHouse);
      for (const number of numbers ?? []) addTo(byNumber, number, position);
    }
    return { ...phrase, byNumber };
  };
  return createPhrases(names, make, { houseOf, isCutOff: (word) => dotted.has(word) });
};

/**
 * Returns the numbers by which a house is found. `isEveryHouse`: whether a range includes each of its houses, and not
 * only its ends. `isSecondHouse`: whether the second number of "1510/48" is included.
 */
const numbersOf = ({ number, items: [first], hasSuffix }: Address, isEveryHouse: boolean, isSecondHouse: boolean) => {
  const second = first?.text ?? '';
  const houses = hasSuffix ? housesOf(number, second) : [];
  const isOther = /^\d/.test(second) && (isSecondHouse || houses.length > 0);
  return new Set([number, ...(isOther ? [second] : []), ...(isEveryHouse ? houses : [])]);
};

/**
 * Returns the pattern of a postcode: "9" for each digit, "a" for each letter. The first half of a British code varies
 * in length ("LS9 8PH", "M1 3AB") and becomes a single "a".
 */
export const shapeOf = (code: string): string =>
  code
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replaceAll(/\p{L}/gu, 'a')
    .replaceAll(/\d/g, '9')
    .replace(/^a+9+(?=9a)/, 'a');

/** The maximum number of candidates for a first and last name, and for a street if the path has no house number. */
export const MOST_OF_STREET = 100;
/**
 * The maximum number of targets that are found by a last name alone. A more frequent last name counts only with the
 * first name. Also the maximum number of targets without a house number that are proposed from one street.
 */
export const MOST_OF_NAME = 12;

/**
 * Indexes postcodes. `codes`: the targets by postcode; `shapes`: the patterns of postcodes that at least a twentieth of
 * `reads` have.
 */
const indexCodes = (reads: readonly ReadTarget[]) => {
  const coded = reads.filter(({ zip }) => zip !== '');
  const shapeFor = remembered(shapeOf);
  const byShape = Map.groupBy(coded, ({ target }) => shapeFor(target.ZipCode ?? ''));
  const shapes = new Set([...byShape.keys()].filter((shape) => (byShape.get(shape) ?? []).length * 20 >= reads.length));
  return { codes: Map.groupBy(coded, ({ zip }) => zip), shapes };
};

function* indexPeople(reads: readonly ReadTarget[], known: number) {
  const firstNames = yield* positionsBy(reads, ({ first }) => [first]);
  const lastNames = yield* positionsBy(reads, ({ last }) => [last]);
  const named = yield* positionsBy(reads, ({ first, last }) => [first && `${first} ${last}`]);
  const performers = reads.filter(({ performer }) => performer.length > 2);
  return {
    performers: new Map(
      performers.flatMap((one) => [one.performer, one.performerWhole].map((name) => [name, one.performer])),
    ),
    /**
     * Returns the positions of targets whose last name is in one of `segments`. If many targets have that last name,
     * their first name has to be there, too.
     */
    inNames: (segments: readonly Segment[]): readonly number[] =>
      segments.flatMap(({ spanOf }) => {
        const given = [...spanOf.keys()].filter((text) => firstNames.has(text));
        return [...spanOf.keys()].flatMap((last) => {
          const all = lastNames.get(last) ?? [];
          if (all.length <= MOST_OF_NAME) return all;
          return given.flatMap((first) => named.get(`${first} ${last}`)?.slice(0, MOST_OF_STREET) ?? []);
        });
      }),
    isLastName: (word: string) => lastNames.has(word),
    isPerson: (word: string) => lastNames.has(word) || firstNames.has(word),
    // The number of assignments for people of this name that chance would produce. One is added to each count, because
    // in a short list a name that occurs once is not rare yet.
    namesakes: ({ first, last }: ReadTarget) =>
      (((firstNames.get(first)?.length ?? 0) + 1) * ((lastNames.get(last)?.length ?? 0) + 1)) / Math.max(1, known),
  };
}

/**
 * An assignment that the user chose for a folder. `name`: the name of the folder. `parent`: the absolute path of the
 * folder above; empty if it is not known or can be on a memory card. `confirmedAtMs`: when the assignment was last
 * chosen, in ms since 1970.
 */
export type Rule = {
  readonly name: string;
  readonly parent: string;
  readonly AssignmentId: string;
  readonly confirmedAtMs?: number;
};

/** Rules by the keys of names (`ruleName`), the last confirmed first. */
export type Rules = Pick<ReadonlyMap<string, readonly Rule[]>, 'get'>;

export type FolderName = {
  /** The path from the chosen folder's name on, with `/` between names. */
  readonly path: string;
  /** The absolute path of the chosen folder. */
  readonly rootPath?: string | undefined;
  readonly fileNames?: readonly string[] | undefined;
};

export const namesOf = (path: string): readonly string[] => path.split('/').filter((name) => name !== '');

/**
 * The name under which rules store a folder. `depth`: the index of the name in the path; `isPlace`: whether the name is
 * an address or an id.
 */
type RuleName = {
  readonly key: string;
  readonly name: string;
  readonly depth: number;
  readonly parent: string;
  readonly isPlace: boolean;
};

/** The maximum number of digits of a house number in a folder's name. Longer numbers count as job numbers. */
const LONGEST_NUMBER = 4;

/**
 * Returns the name under which rules store a folder: its own name without dates, filling words and work words. So
 * "2026-05-12 Elveveien 97, bilder" and "elveveien_97" share a rule. If only short numbers or nothing is left, the
 * nearest folder above with a longer number or a word is used; undefined if there is none.
 */
export const ruleName = ({ path, rootPath }: FolderName): RuleName | undefined => {
  const names = namesOf(path);
  for (const [depth, name] of [...names.entries()].reverse()) {
    const segment = segmentOf(name);
    const telling = segment.tokens.filter(
      ({ text, isNumber, isDate }) => !isDate && (isNumber || !(isWorkWord(text) || isFilling(text))),
    );
    const key = telling.map(({ text }) => text).join(' ');
    if (telling.some(({ isNumber, text }) => !isNumber || text.length > LONGEST_NUMBER))
      return { key, name, depth, parent: parentOf(names, depth, rootPath), isPlace: isPlaceName(segment) };
  }
  return undefined;
};

/**
 * Matches folders whose path does not tell which folder it is, because different memory cards have the same paths: the
 * top folders of drives, the folders of cameras, and all folders on the drives that Windows, macOS and Linux assign to
 * removable media. `E:` to `H:` can also be disks of the computer, but asking the user once more costs less than a
 * wrong assignment. `D:` is left out, because it is usually the second disk.
 */
const CARD = /^([a-z]:|[abe-h]:\\.*|(\/Volumes|(\/run)?\/media)(\/.*)?|\/mnt(\/[^/]+)?)?$|(^|[/\\])DCIM([/\\]|$)/i;

/**
 * Returns the path of the folder that contains the name at `depth`; empty if the path matches `CARD`, because another
 * memory card can have the same path.
 */
const parentOf = (names: readonly string[], depth: number, rootPath = ''): string => {
  const separator = rootPath.startsWith('/') ? '/' : '\\';
  const whole = [...rootPath.split(separator).filter((name, at) => name !== '' || at === 0), ...names.slice(1)];
  const parent = whole.slice(0, whole.length - names.length + depth).join(separator);
  return CARD.test(parent) ? '' : parent;
};

/**
 * Finds the rule for a folder of this name. A rule that was made in the same parent folder comes first, unless its
 * `parent` is empty. Otherwise, the last confirmed rule applies if the name is an address or an id. Many folders can
 * share any other name: every camera has a "100CANON", and every town a "Hansen".
 */
export const ruleFor = (rules: Rules, { key, parent, isPlace }: Omit<RuleName, 'depth'>): Rule | undefined => {
  const all = rules.get(key) ?? [];
  return all.find((rule) => rule.parent !== '' && rule.parent === parent) ?? (isPlace ? all[0] : undefined);
};

/**
 * Whether a name contains a guid, a job number (a number too long for a house), or a number after a word of at least
 * four letters that is not a work word. Dates do not count.
 */
const isPlaceName = ({ tokens, guids }: Segment): boolean =>
  guids.size > 0 ||
  tokens.some(({ isNumber, isDate, text }, at) => {
    const before = tokens[at - 1];
    const isHouse = before?.isNumber === false && before.text.length > 3 && !isWorkWord(before.text);
    return isNumber && !isDate && (isHouse || text.length > LONGEST_NUMBER);
  });
