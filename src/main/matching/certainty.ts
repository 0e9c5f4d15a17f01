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

/**
 * What no probability may exceed, because something speaks against the candidate or too little speaks for it: such a
 * folder is never sent without a question.
 */
export const certaintyLimit = (features: readonly Feature[]): number => {
  const has = (...some: readonly Feature[]): boolean => some.some((feature) => features.includes(feature));
  const isIdentified = has(
    'assignment-id',
    'assignment-id-part',
    'protocol-id',
    'protocol-id-part',
    'facility-id',
    'confirmed',
  );
  if (
    has(
      'id-other',
      'address-other',
      'city-other',
      'city-other-typo',
      'house-letter-other',
      'house-letter-extra',
      'unit-other',
      'zip-other',
    )
  )
    return 0.9;
  if (isIdentified) return has('house-other') ? 0.9 : 1;
  if (has('street-kind-other', 'street-part', 'house-other', 'house-unknown', 'house-range', 'confirmed-other'))
    return 0.9;
  const isHouse =
    has('house', 'house-letter-loose', 'house-detached', 'no-house') &&
    has('street', 'street-typo', 'street-two-typos', 'street-initials', 'street-kind-missing', 'street-typo-short');
  if (isHouse) return 1;
  return has('person-rare', 'facility-id-part') || (has('person', 'person-initial') && has('street', 'street-typo') && has('house-letter-missing', 'house-missing'))
    ? 1
    : 0.9;
};
