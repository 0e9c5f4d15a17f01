/**
 * Turns features into a decision. Candidates get probabilities by a multinomial logit over the candidates and "none of
 * them". The certainty is limited for candidates with too little evidence, evidence against them, or an equally good
 * rival. A veto means that the user decides, however well a candidate fits.
 */
import type { MatchReason, MatchSignal } from '../../contract/drafts.ts';
import { isClosed } from '../../contract/resources.ts';
import { isMisleading, visibleText } from '../../contract/text.ts';
import { type Segment, type Span, segmentOf } from './names.ts';
import { idsOf, type ReadTarget } from './targets.ts';

/**
 * The weight of each feature, in log-odds against "this folder belongs to none of the assignments".
 * Made by: node benchmarks/match/fit.ts
 */
export const WEIGHTS = {
  bias: -6.88,
  confirmed: 10.82,
  'confirmed-other': -2,
  'assignment-id': 14.36,
  'place-id': 14.44,
  'id-other': -6,
  street: 3.5,
  'street-typo': 3.66,
  'street-kind-missing': 2.82,
  'street-part': 4.78,
  'street-other': -7.23,
  'street-unknown': -4.44,
  house: 6.47,
  'house-letter-missing': -5.12,
  'house-letter-other': -12.05,
  'house-other': -3.58,
  'house-missing': 3.74,
  'house-unknown': -2.21,
  'no-house': 4.27,
  unit: 0.05,
  'unit-missing': -2.25,
  'unit-other': -9.94,
  'number-left': -1.12,
  'address-other': -4.42,
  city: 3.22,
  'city-other': -8.15,
  'city-unknown': -9.07,
  'city-missing': 2.68,
  zip: 0,
  'zip-other': -7.17,
  'person-rare': 10.64,
  person: 10.4,
  'person-last': 4.61,
  'person-other': -8.6,
  performer: 6.01,
  date: 7.02,
};

export type Feature = keyof typeof WEIGHTS;

export type Found = {
  readonly feature: Feature;
  readonly signal?: MatchSignal;
  readonly place?: Span;
  readonly words?: string;
  readonly atMs?: number | undefined;
};

export type Evidence = {
  readonly features: readonly Feature[];
  readonly found: readonly Found[];
  /** For each word and number of the path, whether it fits the assignment. */
  readonly explained: readonly boolean[];
  /** Where the path has the assignment's street and number; undefined if the path lacks the street. */
  readonly address?: Span | undefined;
  /** The index of the deepest name of the path that points to the assignment; -1 if no name points to it. */
  readonly deepest: number;
};

/** An assignment or the place of an unread protocol that the folder can belong to. */
export type Candidate = {
  readonly position: number;
  readonly read: ReadTarget;
  readonly segments: readonly Segment[];
  readonly evidence: Evidence;
  readonly certainty: number;
};

export const isAgainst = (feature: Feature): boolean => /-(other|unknown|left)$/.test(feature);

const some = (pattern: RegExp) => (features: readonly Feature[]) => features.some((one) => pattern.test(one));
const isElsewhere = some(/-(other|unknown|left)$|^house-letter-missing$/);
const isContradicted = some(/^(id|address)-other$/);
const outweighsIds = some(/^(city|house|house-letter|unit|zip|confirmed)-other$/);
const isIdentified = some(/^(place-id|confirmed)$/);
const hasStreet = some(/^street(-typo|-kind-missing)?$/);
const hasHouse = some(/^(no-)?house$/);
const hasPerson = some(/^person(-rare|-last)?$/);
const hasFlat = some(/^(unit|house-letter)/);
const isFlatMissing = some(/^(unit|house-letter)-missing$/);
const hasSupport = some(/^(city|zip|performer|date)$/);

/**
 * The maximum certainty of closed assignments, and of candidates with too little evidence, an equal rival or a veto.
 */
export const TO_BE_ASKED = 0.9;

/**
 * Whether these features are enough to send a folder to a candidate without rivals. They are not enough if the path has
 * another id or another address. Otherwise, a whole AssignmentId is enough. So is a confirmed choice or a `place-id`
 * (an id such as the FacilityId, which several assignments can share), unless the city, postcode, house or flat
 * differs, or another assignment was confirmed. Without any of these, nothing may speak against the candidate, and
 * enough of its street, house and customer has to be in the path.
 */
const isEnough = (features: readonly Feature[]): boolean => {
  if (isContradicted(features)) return false;
  if (features.includes('assignment-id')) return true;
  if (isIdentified(features)) return !outweighsIds(features);
  if (isElsewhere(features)) return false;
  // A customer's name makes up for a missing part of the street, as in "Verdi 19 Bassi", or for a missing number, as in
  // "Via Verdi Bassi".
  if (features.includes('street-part')) return hasHouse(features) && hasPerson(features);
  if (hasStreet(features) && (hasHouse(features) || hasPerson(features))) return true;
  return features.includes('person-rare') && hasSupport(features);
};

/** Whether `isEnough` is true if unknown towns in the path are ignored. */
export const isEnoughApart = ({ evidence: { features } }: Candidate): boolean =>
  isEnough(features.filter((feature) => feature !== 'city-unknown'));

type Weighed = Omit<Candidate, 'certainty'>;

/**
 * Whether a rival explains every word and number that `best` explains, and has enough evidence. The names then do not
 * tell the rival and `best` apart. The following does not count against the rival: a word that the rival and `best`
 * both leave unexplained, such as a job number; a house letter that the names lack; and another flat, if the rival
 * explains more than `best`.
 */
const explainsAsMuch = ({ evidence }: Weighed, { evidence: best }: Weighed): boolean => {
  if (best.explained.some((isOf, at) => isOf && !evidence.explained[at])) return false;
  const isMore = evidence.explained.some((isOf, at) => isOf && !best.explained[at]);
  const isUndecided = (feature: Feature): boolean => {
    if (feature === 'house-letter-missing' || (isMore && feature === 'unit-other')) return true;
    const places = evidence.found.flatMap((one) => (one.feature === feature && one.place ? [one.place] : []));
    // "Cr" usually means Crescent, but can mean Court. If the street of the rival is a Court, the rival explains the
    // word, too, and the word does not count against the rival.
    const isBoth = ({ from }: Span): boolean => feature === 'street-unknown' && evidence.explained[from] === true;
    const isDecided = places.some((one) => !isBoth(one) && best.explained.slice(one.from, one.to).includes(true));
    return isAgainst(feature) && places.length > 0 && !isDecided;
  };
  return isEnough(evidence.features.filter((feature) => !isUndecided(feature)));
};

const oddsOf = ({ evidence }: Weighed): number => {
  // The sum has a fixed order, so that equal features have equal sums.
  const score = evidence.features.toSorted().reduce((sum, feature) => sum + WEIGHTS[feature], WEIGHTS.bias);
  return Math.exp(Math.min(40, score));
};

/**
 * Adds a feature against candidates with a house letter or a flat that the path lacks. A candidate gets the feature
 * only if another assignment in the same town has exactly the number in the path: "32" then does not refer to 32B.
 * Candidates from the position `known` on are unread protocols and stay as they are.
 */
const withoutFlats = (found: readonly Weighed[], known: number): readonly Weighed[] => {
  const houseOf = ({ read: { address, city } }: Weighed): string => `${address?.number} ${city}`;
  const isExact = ({ evidence: { features } }: Weighed): boolean => features.includes('house') && !hasFlat(features);
  const named = new Set(found.filter(isExact).map(houseOf));
  return found.map((one) => {
    const { features } = one.evidence;
    if (!isFlatMissing(features) || one.position >= known || !named.has(houseOf(one))) return one;
    return { ...one, evidence: { ...one.evidence, features: [...features, 'unit-other'] } };
  });
};

/**
 * Adds certainties to the candidates. They are probabilities that, with the probability of "none of them", add up to 1.
 * The certainty of a candidate with too little evidence or an equal rival is then limited to `TO_BE_ASKED`. Candidates
 * from the position `known` on are unread protocols.
 */
export const withCertainty = (found: readonly Weighed[], known: number): readonly Candidate[] => {
  const all = withoutFlats(found, known);
  const odds = all.map(oddsOf);
  const sum = odds.toSorted((one, other) => one - other).reduce((total, one) => total + one, 1);
  return all.map((one, at) => {
    const certainty = (odds[at] ?? 0) / sum;
    const isSure =
      certainty <= TO_BE_ASKED ||
      (isEnough(one.evidence.features) && !all.some((other) => other !== one && explainsAsMuch(other, one)));
    return { ...one, certainty: isSure ? certainty : TO_BE_ASKED };
  });
};

/**
 * Counts the unread protocols, and those without a readable address or FacilityId. `isPartial`: whether a list of the
 * service is incomplete, so that there can be assignments at unknown addresses.
 */
export const readingOf = (isPartial: boolean, places: readonly ReadTarget[]) => ({
  isPartial,
  unread: places.length,
  withoutAddress: places.filter(({ address }) => address === undefined).length,
  withoutFacility: places.filter(({ target }) => target.FacilityId === '').length,
});
type Reading = ReturnType<typeof readingOf>;

type Question = {
  readonly names: readonly string[];
  readonly best: Candidate | undefined;
  /** Whether `best` is the first proposal. It is not if `best` is closed and an open assignment is proposed as well. */
  readonly isProposed: boolean;
  readonly here: number;
  readonly reading: Reading;
};

/** Returns the reasons why the user has to decide about a folder, however well its best candidate fits. */
export const vetoesOf = ({ names, best, isProposed, here, reading }: Question): readonly MatchReason[] => {
  const status = best?.read.target.AssignmentStatus ?? '';
  return [
    ...vetoesOfNames(names),
    // A folder seldom belongs to an assignment that expects no more files.
    ...(isClosed(status) ? [against(isProposed ? 'status' : 'best-status', status)] : []),
    ...(best !== undefined && isNamedByItsId(best, names) ? [] : ofUnread(best, here, reading)),
  ];
};

export const against = (signal: MatchSignal, found: string): MatchReason => ({ signal, found, against: true });

/**
 * Returns a veto if the names have characters that are invisible or look like others, because the folder may then be
 * for another house. Otherwise the result is empty.
 */
export const vetoesOfNames = (names: readonly string[]): readonly MatchReason[] => {
  // The names are joined, because a single letter of another script is recognised only next to Latin letters.
  const path = names.join('/');
  if (!isMisleading(path)) return [];
  const shown = visibleText(path).split('/');
  return [against('characters', shown.filter((name, at) => name !== names[at]).join(', '))];
};

const hasAddress = some(/^street(-typo|-kind-missing|-part)?$/);
/**
 * Whether the names say where the assignment is: by a street, an id of the place, or a name that was confirmed before.
 * Then only unread protocols at that place matter. A customer's name does not say where.
 */
const isPlaced = (features: readonly Feature[]): boolean => isIdentified(features) || hasAddress(features);

const ofUnread = (
  best: Candidate | undefined,
  here: number,
  { isPartial, unread, withoutAddress, withoutFacility }: Reading,
): readonly MatchReason[] => {
  if (isPartial) return [against('unread-list', '')];
  if (unread === 0) return [];
  const features = best?.evidence.features;
  if (features === undefined ? here === 0 : !isPlaced(features)) return [{ ...against('unread', ''), count: unread }];
  const count = here + withoutAddress + (features !== undefined && !hasAddress(features) ? withoutFacility : 0);
  return count === 0 ? [] : [{ ...against('unread-here', ''), count }];
};

/**
 * Whether the names contain the whole AssignmentId as a guid, and no guids except those of the assignment, its protocol
 * and its facility. An assignment that is read later has another id, so the folder cannot be for it.
 */
const isNamedByItsId = ({ evidence, read: { target } }: Candidate, names: readonly string[]): boolean => {
  if (!evidence.features.includes('assignment-id')) return false;
  const own = idsOf(target);
  const said = names.flatMap((name) => [...segmentOf(name).guids.keys()]);
  return said.includes(own[0] ?? '') && said.every((guid) => own.includes(guid));
};

/**
 * Whether the path may refer to the place of this candidate, an unread protocol. `best`: the most certain assignment.
 */
export const mayBeMeant = ({ evidence: { features }, read }: Candidate, best: Candidate | undefined): boolean => {
  if (features.includes('place-id')) return true;
  // "Hamngatan 21" refers to Norra Hamngatan only if no assignment is in a Hamngatan.
  const isPart = hasAddress(features) && (best === undefined || !hasStreet(best.evidence.features));
  if (!(hasStreet(features) || isPart) || features.some((one) => /^house-(letter-)?other$/.test(one))) return false;
  // Some people write the name of a part of the town instead of the town's name. Equal postcodes suggest that they did
  // so.
  const isSameZip = read.zip !== '' && read.zip === best?.read.zip;
  return !features.includes('city-other') || features.includes('zip') || isSameZip;
};
