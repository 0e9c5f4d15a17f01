/**
 * What forbids certainty: whatever the evidence says, such a folder is a question. Rules that say too little are left out before, as
 * evidence (rules.ts); what contradicts a single assignment limits its certainty (certainty.ts).
 */
import type { MatchReason } from '../../contract/matching.ts';
import { isClosed } from '../../contract/resources.ts';
import { isMisleading, visibleText } from '../../contract/visible-text.ts';
import type { Weighed } from './candidate-finder.ts';
import type { ReadTarget } from './match-target.ts';
import { segmentOf } from './name-segment.ts';
import type { Feature } from './weights.ts';

/** How much of the service's lists is known here. */
export type Reading = {
  /** Whether there may be assignments of which not even the address is known: the list of protocols, or that for projects, is not whole. */
  readonly isPartial: boolean;
  /** How many protocols have not been read. */
  readonly unread: number;
  /** How many of them have no address that can be read, or no facility: they can be any. */
  readonly withoutAddress: number;
  readonly withoutFacility: number;
};

/** A candidate with what is known of it. */
export type Candidate = Pick<Weighed, 'evidence' | 'certainty'> & { readonly read: ReadTarget };

type Question = {
  /** All names that were read, those of files too. */
  readonly names: readonly string[];
  /** The most certain assignment. */
  readonly best: Candidate | undefined;
  /** Whether it is the first of those that are proposed: closed ones are not if there are others. */
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

/** A name that is not what people see may be that of another house. */
export const vetoesOfNames = (names: readonly string[]): readonly MatchReason[] => {
  // Together, because a letter is only out of place among those around it.
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
  if (best === undefined ? here === 0 : !isPlaced(best))
    return [against({ signal: 'unread', found: '', count: unread })];
  const count = here + withoutAddress + (best !== undefined && !hasAddress(best) ? withoutFacility : 0);
  return count === 0 ? [] : [against({ signal: 'unread-here', found: '', count })];
};

/**
 * Whether the names have the whole AssignmentId, a guid, and no other guid: nothing that is read later can be meant instead,
 * because no two assignments have one id.
 */
const isNamedByItsId = ({ evidence, read: { target } }: Candidate, names: readonly string[]): boolean => {
  if (!evidence.features.includes('assignment-id')) return false;
  const digitsOf = (id = ''): string => id.replaceAll('-', '').toLowerCase();
  const own = [target.AssignmentId, target.InspectionProtocolId, target.FacilityId].map(digitsOf);
  const said = names.flatMap((name) => segmentOf(name).guids);
  return said.includes(own[0] ?? '') && said.every((guid) => own.includes(guid));
};

const some = (...features: readonly Feature[]) => {
  const wanted = new Set(features);
  return ({ evidence }: Candidate): boolean => evidence.features.some((feature) => wanted.has(feature));
};

const hasIdOfPlace = some('protocol-id', 'protocol-id-part', 'facility-id', 'facility-id-part');
const isConfirmed = some('confirmed');
const hasWholeStreet = some(
  'street',
  'street-typo',
  'street-typo-short',
  'street-two-typos',
  'street-initials',
  'street-kind-missing',
);
const hasPartOfStreet = some('street-part');
const isInOtherHouse = some('house-other', 'house-letter-other');
const isInOtherCity = some('city-other');
const hasZip = some('zip');

/** Whether names say where the assignment is, so that only what is there can be meant instead. A person's name does not. */
const isPlaced = (one: Candidate): boolean => hasIdOfPlace(one) || isConfirmed(one) || hasAddress(one);

const hasAddress = (one: Candidate): boolean => hasWholeStreet(one) || hasPartOfStreet(one);

/** Whether an unread protocol is where the names point, or may be. */
const isHere = (one: Candidate, best: Candidate | undefined): boolean => {
  if (hasIdOfPlace(one)) return true;
  // "Hamngatan 21" means Norra Hamngatan only where nothing else is called that.
  const isStreet = hasWholeStreet(one) || (hasPartOfStreet(one) && (best === undefined || !hasWholeStreet(best)));
  if (!isStreet || isInOtherHouse(one)) return false;
  // A part of a town may be written for the town: the postcode tells.
  const isSameZip = one.read.zip !== '' && one.read.zip === best?.read.zip;
  return !isInOtherCity(one) || hasZip(one) || isSameZip;
};
