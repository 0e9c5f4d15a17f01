/**
 * Turns features into a decision: probabilities by a multinomial logit over the candidates and "none of them", upper limits for candidates
 * that something speaks against, and vetoes, which make any folder a question.
 */
import type { MatchReason } from '../../contract/drafts.ts';
import { isClosed } from '../../contract/resources.ts';
import { isMisleading, visibleText } from '../../contract/text.ts';
import { bitsOf, type Evidence, isAgainst, type ReadTarget } from './explain.ts';
import { type Segment, segmentOf } from './names.ts';
import { type Feature, WEIGHTS } from './weights.ts';

/** The log-odds of a candidate against "none of them". */
const score = (features: readonly Feature[]): number =>
  // Summed in one order, so that equal features give equal sums.
  [...features].sort().reduce((sum, feature) => sum + WEIGHTS[feature], WEIGHTS.bias);

/** The probability of each candidate, given the features of all. Their sum with that of "none of them" is 1. */
export const certaintiesOf = (candidates: readonly (readonly Feature[])[]): readonly number[] => {
  const odds = candidates.map((features) => Math.exp(Math.min(40, score(features))));
  const sum = odds.toSorted((one, other) => one - other).reduce((total, one) => total + one, 1);
  return odds.map((one) => one / sum);
};

const some = (...features: readonly Feature[]) => {
  const wanted = new Set(features);
  return (candidate: readonly Feature[]): boolean => candidate.some((feature) => wanted.has(feature));
};

/** Contradictions that only a whole AssignmentId outweighs. */
const isElsewhere = some(
  ...(['house-letter-missing'] as const),
  ...([
    'city-other',
    'city-other-typo',
    'city-unknown',
    'zip-other',
    'number-left',
    'street-kind-other',
    'street-longer',
    'person-other',
  ] as const),
  ...(['house-letter-other', 'unit-other'] as const),
);
const isContradicted = some('id-other', 'address-other');
const isOtherHouse = some('house-other', 'house-unknown', 'house-range', 'confirmed-other');
const isIdentified = some('assignment-id-part', 'protocol-id', 'protocol-id-part', 'facility-id', 'confirmed');
const hasStreet = some('street', 'street-typo', 'street-two-typos', 'street-initials', 'street-kind-missing');
const hasHouse = some('house', 'no-house');
/** A customer's name makes up for a part of the street or for its number: "Verdi 19 Bassi", "Via Verdi Bassi". */
const hasAnyPerson = some('person', 'person-rare', 'person-initial', 'person-last');
const lacksNumber = some('house-missing');
const hasSupport = some('city', 'zip', 'performer', 'date-day');

/** The highest certainty of a candidate that a person has to look at. */
export const TO_BE_ASKED = 0.9;

/**
 * The highest certainty that a candidate with these features may have. It is below that of sending if something speaks against it, or
 * too little for it, even if it has no rivals.
 */
export const certaintyLimit = (candidate: readonly Feature[]): number => {
  if (isContradicted(candidate)) return TO_BE_ASKED;
  if (candidate.includes('assignment-id')) return 1;
  if (isIdentified(candidate)) return candidate.some((feature) => OTHER_PLACE.has(feature)) ? TO_BE_ASKED : 1;
  if (isElsewhere(candidate) || isOtherHouse(candidate)) return TO_BE_ASKED;
  if (candidate.includes('street-part')) return hasHouse(candidate) && hasAnyPerson(candidate) ? 1 : TO_BE_ASKED;
  if (hasStreet(candidate) && hasHouse(candidate)) return 1;
  // A person at a street whose number is missing; a rare name only with something else that fits.
  if (hasStreet(candidate) && hasAnyPerson(candidate) && lacksNumber(candidate)) return 1;
  return candidate.includes('person-rare') && hasSupport(candidate) ? 1 : TO_BE_ASKED;
};

/** What two candidates are compared by. */
type Explaining = Pick<Candidate, 'evidence' | 'read'>;

/**
 * Whether `rival` explains every word and number that `best` explains, and none of these speaks against it. Then the name cannot tell them
 * apart, only how their addresses are written. Words that neither explains, such as the number of a job, do not decide between the two,
 * nor does a code if that of `rival` is unknown. `rival` may have a letter that the name lacks, and if it explains more, also a flat. An id
 * or a person's choice needs no comparison.
 */
export const explainsAsMuch = (
  rival: Explaining,
  { evidence: { features, found, explained }, read }: Explaining,
): boolean => {
  if (features.includes('assignment-id') || isIdentified(features)) return false;
  const { evidence } = rival;
  if (mistakesIn(evidence.features) > mistakesIn(features)) return false;
  const isAnyCode = rival.read.zip === '' && rival.read.city === read.city;
  const codes = isAnyCode ? found.flatMap(({ feature, place }) => (feature === 'zip' && place ? [place] : [])) : [];
  const codeAt = (depth: number): number =>
    codes.reduce((all, place) => all | (place.depth === depth ? bitsOf(place.span) : 0), 0);
  if (explained.some((words, depth) => (words & ~(evidence.explained[depth] ?? 0) & ~codeAt(depth)) !== 0))
    return false;
  const isMore = evidence.explained.some((words, depth) => (words & ~(explained[depth] ?? 0)) !== 0);
  const isUndecided = (feature: Feature): boolean => {
    const places = evidence.found.flatMap((one) => (one.feature === feature && one.place ? [one.place] : []));
    return (
      (isMore && feature === 'unit-other') ||
      feature === 'house-letter-missing' ||
      (isAgainst(feature) &&
        places.length > 0 &&
        places.every(({ depth, span }) => ((explained[depth] ?? 0) & ~codeAt(depth) & bitsOf(span)) === 0))
    );
  };
  return certaintyLimit(evidence.features.filter((feature) => !isUndecided(feature))) > TO_BE_ASKED;
};

/** How many typing mistakes the names have if they mean this candidate. */
const mistakesIn = (features: readonly Feature[]): number =>
  features.filter((feature) => feature.endsWith('-typo')).length + (features.includes('street-two-typos') ? 2 : 0);

/** Contradictions that an id of a place, or a person's choice, does not outweigh. */
const OTHER_PLACE: ReadonlySet<Feature> = new Set<Feature>([
  ...(['city-other', 'city-other-typo', 'house-letter-other', 'unit-other', 'zip-other', 'house-other'] as const),
]);

/** How much of the service's lists was read. */
export type Reading = {
  /** Whether a list itself is incomplete, so that there may be assignments whose address is unknown. */
  readonly isPartial: boolean;
  /** How many protocols have not been read. */
  readonly unread: number;
  /** How many of them have no readable address, or no facility, and so can be anywhere. */
  readonly withoutAddress: number;
  readonly withoutFacility: number;
};

/** An assignment, or the place of an unread protocol, that may be meant. */
export type Candidate = {
  /** Its position in the list. */
  readonly position: number;
  readonly read: ReadTarget;
  /** The names of the path that were read. */
  readonly segments: readonly Segment[];
  readonly evidence: Evidence;
  readonly certainty: number;
};

type Question = {
  /** All names that were read, those of files too. */
  readonly names: readonly string[];
  /** The most certain assignment. */
  readonly best: Candidate | undefined;
  /** Whether it is proposed first: a closed one comes behind open ones. */
  readonly isProposed: boolean;
  /** The unread protocols that were weighed. */
  readonly unread: readonly Candidate[];
  readonly reading: Reading;
};

/** `unreadHere`: the unread protocols that may be the place that the names mean. */
type Answer = { readonly vetoes: readonly MatchReason[]; readonly unreadHere: readonly Candidate[] };

/** Why a person has to decide about a folder, however well its best candidate fits. */
export const vetoesOf = ({ names, best, isProposed, unread, reading }: Question): Answer => {
  const unreadHere = unread.filter((one) => isHere(one, best));
  return {
    unreadHere,
    vetoes: [
      ...vetoesOfNames(names),
      ...(best === undefined ? [] : ofStatus(best, isProposed)),
      ...(best !== undefined && isNamedByItsId(best, names) ? [] : ofUnread(best, unreadHere.length, reading)),
    ],
  };
};

const against = (reason: Omit<MatchReason, 'against'>): MatchReason => ({ ...reason, against: true });

/** A name with characters that people cannot see, or take for others, may be that of another house. */
export const vetoesOfNames = (names: readonly string[]): readonly MatchReason[] => {
  // In one text, because a foreign letter is only found among others.
  const path = names.join('/');
  if (!isMisleading(path)) return [];
  const found = visibleText(path)
    .split('/')
    .filter((name, at) => name !== names[at]);
  return [against({ signal: 'characters', found: found.join(', ') })];
};

/** An assignment that expects no more files is seldom meant. */
const ofStatus = ({ read: { target } }: Candidate, isProposed: boolean): readonly MatchReason[] =>
  isClosed(target.AssignmentStatus)
    ? [against({ signal: isProposed ? 'status' : 'best-status', found: target.AssignmentStatus })]
    : [];

const ofUnread = (
  best: Candidate | undefined,
  here: number,
  { isPartial, unread, withoutAddress, withoutFacility }: Reading,
): readonly MatchReason[] => {
  if (isPartial) return [against({ signal: 'unread-list', found: '' })];
  if (unread === 0) return [];
  if (best === undefined ? here === 0 : !isPlaced(best.evidence.features))
    return [against({ signal: 'unread', found: '', count: unread })];
  const count =
    here + withoutAddress + (best !== undefined && !hasAddress(best.evidence.features) ? withoutFacility : 0);
  return count === 0 ? [] : [against({ signal: 'unread-here', found: '', count })];
};

/**
 * Whether the names have the whole AssignmentId, a guid, and no other guid. No assignment that is read later has the same id, so none can
 * be meant instead.
 */
const isNamedByItsId = ({ evidence, read: { target } }: Candidate, names: readonly string[]): boolean => {
  if (!evidence.features.includes('assignment-id')) return false;
  const digitsOf = (id = ''): string => id.replaceAll('-', '').toLowerCase();
  const own = [target.AssignmentId, target.InspectionProtocolId, target.FacilityId].map(digitsOf);
  const said = names.flatMap((name) => segmentOf(name).guids);
  return said.includes(own[0] ?? '') && said.every((guid) => own.includes(guid));
};

const hasIdOfPlace = some('protocol-id', 'protocol-id-part', 'facility-id', 'facility-id-part');
const isConfirmed = some('confirmed');
const hasPartOfStreet = some('street-part');
const isInOtherHouse = some('house-other', 'house-letter-other');
const isInOtherCity = some('city-other');
const hasZip = some('zip');

/** Whether names give the place of the assignment, so that only unread protocols at this place matter. A person's name does not. */
const isPlaced = (one: readonly Feature[]): boolean => hasIdOfPlace(one) || isConfirmed(one) || hasAddress(one);

const hasAddress = (one: readonly Feature[]): boolean => hasStreet(one) || hasPartOfStreet(one);

/** Whether an unread protocol is where the names point, or may be. */
const isHere = ({ evidence: { features }, read }: Candidate, best: Candidate | undefined): boolean => {
  if (hasIdOfPlace(features)) return true;
  // "Hamngatan 21" means Norra Hamngatan only if there is no Hamngatan.
  const isStreet =
    hasStreet(features) || (hasPartOfStreet(features) && (best === undefined || !hasStreet(best.evidence.features)));
  if (!isStreet || isInOtherHouse(features)) return false;
  // People may write a part of a town for the town; an equal postcode shows it.
  const isSameZip = read.zip !== '' && read.zip === best?.read.zip;
  return !isInOtherCity(features) || hasZip(features) || isSameZip;
};
