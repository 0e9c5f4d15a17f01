/** What speaks for and against an assignment, in the words of the path. */
import type { MatchReason, MatchSignal } from '../../contract/matching.ts';
import type { Evidence } from './evidence.ts';
import type { Place } from './name-evidence.ts';
import { wordsOfSpan } from './name-segment.ts';
import type { Feature } from './weights.ts';

const SIGNALS: Partial<Readonly<Record<Feature, readonly [MatchSignal, 'for' | 'against']>>> = {
  confirmed: ['confirmed', 'for'],
  'assignment-id': ['assignment-id', 'for'],
  'assignment-id-part': ['assignment-id', 'for'],
  'protocol-id': ['protocol-id', 'for'],
  'protocol-id-part': ['protocol-id', 'for'],
  'facility-id': ['facility-id', 'for'],
  'facility-id-part': ['facility-id', 'for'],
  street: ['street', 'for'],
  'street-typo': ['street', 'for'],
  'street-typo-short': ['street', 'for'],
  'street-two-typos': ['street', 'for'],
  'street-kind-missing': ['street', 'for'],
  'street-kind-other': ['street', 'against'],
  'street-initials': ['street', 'for'],
  'street-part': ['street', 'for'],
  house: ['house-number', 'for'],
  'house-detached': ['house-number', 'for'],
  'house-range': ['house-number', 'for'],
  'house-letter-missing': ['house-number', 'for'],
  'house-letter-loose': ['house-number', 'for'],
  'house-letter-extra': ['house-number', 'against'],
  'house-letter-other': ['house-number', 'against'],
  'house-other': ['house-number', 'against'],
  'house-unknown': ['house-number', 'against'],
  'address-other': ['address', 'against'],
  city: ['city', 'for'],
  'city-typo': ['city', 'for'],
  'city-other': ['city', 'against'],
  'city-other-typo': ['city', 'against'],
  'city-unknown': ['city', 'against'],
  zip: ['zip-code', 'for'],
  'zip-other': ['zip-code', 'against'],
  person: ['person', 'for'],
  'person-rare': ['person', 'for'],
  'person-last': ['person', 'for'],
  'person-first': ['person', 'for'],
  'person-initial': ['person', 'for'],
  'person-other': ['person', 'against'],
  performer: ['performer', 'for'],
  'performer-other': ['performer', 'against'],
  'date-day': ['date', 'for'],
  'date-near': ['date', 'for'],
  'date-month': ['date', 'for'],
};

const textOf = (place: Place | undefined): string =>
  place === undefined ? '' : wordsOfSpan(place.segment, place.span);

/** What people read. A street with its number is one reason: the address. */
export const reasonsOf = ({ found: all }: Pick<Evidence, 'found'>): readonly MatchReason[] => {
  const street = all.find(({ feature }) => feature.startsWith('street'));
  const house = all.find(({ feature }) => feature === 'house' || feature === 'no-house');
  const isAddress = street !== undefined && street.feature !== 'street-kind-other' && house !== undefined;
  const reasons = all.flatMap((one): readonly MatchReason[] => {
    if (isAddress && one === street) return [{ signal: 'address', found: addressText(street.place, house.place) }];
    if (isAddress && one === house) return [];
    const [signal, side] = SIGNALS[one.feature] ?? [];
    if (signal === undefined) return [];
    return [{ signal, found: one.words ?? textOf(one.place), ...(side === 'against' && { against: true }) }];
  });
  return [...reasons].sort((one, other) => Number(one.against ?? false) - Number(other.against ?? false));
};

const addressText = (street: Place | undefined, house: Place | undefined): string => {
  if (street === undefined || house === undefined) return textOf(street ?? house);
  if (street.depth !== house.depth) return `${textOf(street)}/${textOf(house)}`;
  const span = { from: Math.min(street.span.from, house.span.from), to: Math.max(street.span.to, house.span.to) };
  return textOf({ ...street, span });
};
