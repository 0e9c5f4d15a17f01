/** From features to probabilities: a multinomial logit over the candidates and "none of them". */
import { type Feature, WEIGHTS } from './weights.ts';

/** The log-odds of a candidate against "none of them". */
const score = (features: readonly Feature[]): number =>
  // Summed in one order, so that equal features give equal sums.
  [...features].sort().reduce((sum, feature) => sum + WEIGHTS[feature], WEIGHTS.bias);

/** The probability of each candidate, given the features of all. Together with "none of them" they are 1. */
export const certaintiesOf = (candidates: readonly (readonly Feature[])[]): readonly number[] => {
  const odds = candidates.map((features) => Math.exp(Math.min(40, score(features))));
  const sum = odds.toSorted((one, other) => one - other).reduce((total, one) => total + one, 1);
  return odds.map((one) => one / sum);
};

const features = (...some: readonly Feature[]): readonly Feature[] => some;

const CONTRADICTED = features('id-other', 'address-other');
const ELSEWHERE = features(
  'city-other',
  'city-other-typo',
  'house-letter-other',
  'house-letter-extra',
  'unit-other',
  'zip-other',
);
const OTHER_HOUSE = features('street-kind-other', 'house-other', 'house-unknown', 'house-range', 'confirmed-other');
const IDENTIFIED = features('assignment-id-part', 'protocol-id', 'protocol-id-part', 'facility-id', 'confirmed');
const STREET = features(
  'street',
  'street-typo',
  'street-two-typos',
  'street-typo-short',
  'street-initials',
  'street-kind-missing',
);
const HOUSE = features('house', 'house-letter-loose', 'house-detached', 'no-house');
const PERSON = features('person', 'person-rare', 'person-initial');
/** "Verdi 19 Bassi": a street without its first words, and who lives there. */
const ANY_PERSON = features('person', 'person-rare', 'person-initial', 'person-last');
const PERSON_TOO = features('house-letter-missing', 'house-missing');
const SUPPORT = features('city', 'zip', 'performer', 'date-day');

/** More than this is never said of a candidate that a person has to look at. */
export const TO_BE_ASKED = 0.9;

/**
 * What the probability of a candidate may not exceed, because something speaks against it or too little speaks for it: such
 * a folder is never sent without a question, however few rivals there are.
 */
export const certaintyLimit = (candidate: readonly Feature[]): number => {
  const has = (some: readonly Feature[]): boolean => some.some((feature) => candidate.includes(feature));
  if (has(CONTRADICTED)) return TO_BE_ASKED;
  if (has(['assignment-id'])) return 1;
  if (has(ELSEWHERE)) return TO_BE_ASKED;
  if (has(IDENTIFIED)) return has(['house-other']) ? TO_BE_ASKED : 1;
  if (has(OTHER_HOUSE)) return TO_BE_ASKED;
  if (has(['street-part'])) return has(HOUSE) && has(ANY_PERSON) ? 1 : TO_BE_ASKED;
  if (has(STREET) && has(HOUSE)) return 1;
  // A person at a street whose number is missing; a rare name only with something else that fits.
  if (has(STREET) && has(PERSON) && has(PERSON_TOO)) return 1;
  return has(['person-rare']) && has(SUPPORT) ? 1 : TO_BE_ASKED;
};
