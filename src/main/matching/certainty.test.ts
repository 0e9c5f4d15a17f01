import { describe, expect, test } from 'vitest';
import {
  type Evidence,
  type Feature,
  isAgainst,
  mayBeMeant,
  TO_BE_ASKED,
  vetoesOf,
  WEIGHTS,
  withCertainty,
} from './certainty.ts';
import type { ReadTarget } from './targets.ts';
import { idOf, targetAt } from './testing/sample-targets.ts';

/** Features that make any candidate probable, but decide nothing. */
const PROBABLE = Array.from<Feature>({ length: 8 }).fill('house-missing');

const weighed = (features: readonly Feature[], more: Partial<Evidence> = {}) => ({
  position: 0,
  read: {} as ReadTarget,
  segments: [],
  evidence: { features, found: [], explained: [], deepest: 0, ...more },
});
const certaintiesOf = (...features: readonly (readonly Feature[])[]) =>
  withCertainty(
    features.map((some) => weighed(some)),
    0,
  ).map(({ certainty }) => certainty);

test('certainties are the shares of the odds of all candidates and of none, however high', () => {
  const odds = (logOdds: number) => Math.exp(-6.88 + logOdds);
  expect(certaintiesOf(['street'])[0]).toBeCloseTo(odds(3.5) / (1 + odds(3.5)), 9);
  const [one, two] = certaintiesOf(['street', 'city'], ['city']);
  const sum = 1 + odds(3.5 + 3.22) + odds(3.22);
  expect([one, two]).toEqual([expect.closeTo(odds(3.5 + 3.22) / sum, 9), expect.closeTo(odds(3.22) / sum, 9)]);
  const many = Array.from({ length: 30 }, () => PROBABLE).flat();
  expect(certaintiesOf(many, ['street', ...many])).toEqual([0.5, 0.5].map((half) => expect.closeTo(half, 9)));
});

test('what speaks against an assignment makes it less certain', () => {
  const [without = 0] = certaintiesOf(['street']);
  const against = (Object.keys(WEIGHTS) as Feature[]).filter(isAgainst);
  for (const feature of [...against, 'house-letter-missing', 'unit-missing'] as const)
    expect(certaintiesOf(['street', feature])[0], feature).toBeLessThan(without);
});

describe('what is said of one assignment', () => {
  const isSure = (...features: readonly Feature[]): boolean =>
    (certaintiesOf([...features, ...PROBABLE])[0] ?? 0) > 0.9;
  const streets = ['street', 'street-typo', 'street-kind-missing'] as const;
  const persons = ['person', 'person-rare', 'person-last'] as const;
  const places = ['city-other', 'house-other', 'house-letter-other', 'unit-other', 'zip-other'] as const;

  test('is enough with its whole AssignmentId, whatever is said of the place', () => {
    expect(isSure('assignment-id')).toBe(true);
    for (const other of places) expect(isSure('assignment-id', other), other).toBe(true);
    for (const other of ['id-other', 'address-other'] as const) expect(isSure('assignment-id', other)).toBe(false);
  });

  test.each<Feature>(['place-id', 'confirmed'])('is enough with %s, unless it is in another place', (id) => {
    expect(isSure(id)).toBe(true);
    for (const other of ['street-other', 'person-other', 'city-unknown'] as const) expect(isSure(id, other)).toBe(true);
    for (const other of [...places, 'id-other', 'address-other'] as const) expect(isSure(id, other), other).toBe(false);
  });

  test('is not enough with an id of its place where another assignment was chosen before', () => {
    expect(isSure('place-id', 'confirmed-other')).toBe(false);
    expect(isSure('assignment-id', 'confirmed-other')).toBe(true);
  });

  test.each(streets)('is enough with %s and a house or a customer', (street) => {
    for (const other of ['house', 'no-house', ...persons] as const) expect(isSure(street, other), other).toBe(true);
    for (const other of ['city', 'zip', 'unit', 'date', 'house-missing', 'confirmed-other'] as const)
      expect(isSure(street, other), other).toBe(false);
  });

  test('is not enough where something speaks against it', () => {
    const isSureWith = (other: Feature): boolean => isSure('street', 'house', 'person', other);
    for (const other of ['city-missing', 'unit-missing', 'confirmed-other'] as const)
      expect(isSureWith(other), other).toBe(other !== 'confirmed-other');
    for (const other of [...places, 'person-other', 'number-left', 'city-unknown', 'house-unknown'] as const)
      expect(isSureWith(other), other).toBe(false);
    for (const other of ['house-letter-missing'] as const) expect(isSureWith(other), other).toBe(false);
  });

  test('is enough with a part of the street only if there are both a house and a customer', () => {
    expect(isSure('street-part', 'house', 'person')).toBe(true);
    expect([isSure('street-part', 'house'), isSure('street-part', 'person-rare', 'city')]).toEqual([false, false]);
  });

  test('is enough with a rare name and something more', () => {
    for (const more of ['city', 'zip', 'performer', 'date'] as const) {
      expect(isSure('person-rare', more), more).toBe(true);
      expect(isSure('person', more), more).toBe(false);
    }
    expect([isSure('person-rare'), isSure('person-rare', 'unit'), isSure('house', 'city'), isSure()]).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  test('limits the certainty, and leaves one that is lower', () => {
    expect(certaintiesOf(PROBABLE)).toEqual([TO_BE_ASKED]);
    const [low = 1] = certaintiesOf(['street']);
    expect(low).toBeLessThan(0.1);
  });
});

describe('a rival', () => {
  const best = { features: ['street', 'house', ...PROBABLE], explained: [true, true, false] } as const;
  const isAsked = (features: readonly Feature[], more: Partial<Evidence> = {}): boolean => {
    const rival = weighed(features, { explained: [true, true, false], ...more });
    const [one] = withCertainty([weighed(best.features, best), rival], 0);
    return (one?.certainty ?? 0) <= TO_BE_ASKED;
  };
  const enough = ['street', 'house'] as const;
  const at = (from: number, to: number) => ({ from, to, segment: 0 });

  test('makes a question of a name that it explains as well', () => {
    expect(isAsked(enough)).toBe(true);
    expect(isAsked(['street', 'city'])).toBe(false);
    expect(isAsked(enough, { explained: [true, false, true] })).toBe(false);
    expect(isAsked(enough, { explained: [true, true, true] })).toBe(true);
  });

  test('may have a letter that the name lacks, and if it explains more, also a flat', () => {
    expect(isAsked([...enough, 'house-letter-missing'])).toBe(true);
    expect(isAsked([...enough, 'unit-other'])).toBe(false);
    expect(isAsked([...enough, 'unit-other'], { explained: [true, true, true] })).toBe(true);
    expect(isAsked([...enough, 'house-letter-other'], { explained: [true, true, true] })).toBe(false);
  });

  test('is not told apart by what neither explains', () => {
    const against = (...spans: readonly (readonly [number, number])[]) =>
      isAsked([...enough, 'number-left'], {
        found: spans.map(([from, to]) => ({ feature: 'number-left', place: at(from, to) })),
      });
    expect(against([2, 3])).toBe(true);
    expect([against(), against([1, 2]), against([1, 3]), against([2, 3], [0, 1])]).toEqual([
      false,
      false,
      false,
      false,
    ]);
    // A feature for the rival does not count against it, whichever words of the path the feature was found in. A
    // feature against it counts if the words that it was found in are not known.
    expect(isAsked(enough, { found: [{ feature: 'street', place: at(2, 3) }] })).toBe(true);
    expect(isAsked([...enough, 'city-other'], { found: [{ feature: 'number-left', place: at(2, 3) }] })).toBe(false);
    expect(isAsked([...enough, 'number-left'], { found: [{ feature: 'number-left' }] })).toBe(false);
  });
});

describe('a folder whose best assignment', () => {
  type More = { readonly zip?: string; readonly AssignmentStatus?: string };
  const candidate = (features: readonly Feature[], { zip = '', AssignmentStatus = 'PENDING' }: More = {}) => ({
    ...weighed(features),
    read: { zip, target: targetAt(1, '', '', { AssignmentStatus }) } as ReadTarget,
    certainty: 1,
  });
  type Question = Parameters<typeof vetoesOf>[0];
  const reading = { isPartial: false, unread: 9, withoutAddress: 0, withoutFacility: 0 };
  const vetoes = (more: Partial<Question> = {}) =>
    vetoesOf({ names: ['a'], best: candidate(['street', 'house']), isProposed: true, here: 0, reading, ...more });
  const isHere = (features: readonly Feature[], best: Question['best'], more: More = {}): boolean =>
    mayBeMeant(candidate(features, more), best);
  const veto = (signal: string, count?: number) =>
    count === undefined ? { signal, found: '', against: true } : { signal, found: '', count, against: true };

  test('is placed by its address or an id needs only the lists of unread protocols that may be there', () => {
    expect(vetoes()).toEqual([]);
    const partly = { ...reading, withoutAddress: 2, withoutFacility: 3 };
    expect(vetoes({ here: 1, reading: partly })).toStrictEqual([veto('unread-here', 3)]);
    const best = candidate(['place-id']);
    expect(vetoes({ best, reading: partly })).toStrictEqual([veto('unread-here', 5)]);
    expect(vetoes({ best, reading: { ...partly, unread: 0 } })).toEqual([]);
    expect(vetoes({ best: undefined, here: 1, reading: partly })).toStrictEqual([veto('unread-here', 3)]);
  });

  test('is not placed, or is missing, needs all lists', () => {
    const [all, whole] = [[veto('unread', 9)], [veto('unread-list')]];
    for (const best of [candidate(['person', 'city']), candidate(['confirmed-other']), undefined])
      expect(vetoes({ best })).toStrictEqual(all);
    for (const best of [candidate(['street']), candidate(['place-id']), undefined])
      expect(vetoes({ best, reading: { ...reading, isPartial: true } })).toStrictEqual(whole);
  });

  test('is named by its whole AssignmentId, and no other one is, needs no list', () => {
    const [best, other] = [candidate(['assignment-id']), candidate(['street'])];
    const partly = { ...reading, isPartial: true };
    const isFree = (names: readonly string[], of = best) => vetoes({ names, best: of, reading: partly }).length === 0;
    expect(isFree([`${idOf(1)} bilder`, 'b'])).toBe(true);
    expect([isFree(['bilder']), isFree([idOf(1), idOf(2)]), isFree([idOf(1)], other)]).toEqual([false, false, false]);
  });

  test('is closed is a question, whether or not it is proposed first', () => {
    const best = candidate(['street'], { AssignmentStatus: 'CLOSED' });
    const status = { found: 'CLOSED', against: true };
    expect(vetoes({ best })).toStrictEqual([{ signal: 'status', ...status }]);
    expect(vetoes({ best, isProposed: false })).toStrictEqual([{ signal: 'best-status', ...status }]);
  });

  test('has names that are not what they look like shows those', () => {
    expect(vetoes({ names: ['a\u200b', 'b', 'c\u200b'] })).toStrictEqual([
      { signal: 'characters', found: 'a⟨U+200B⟩, c⟨U+200B⟩', against: true },
    ]);
  });

  test('may be meant by an unread protocol with the same id or street, if no other house or town is said', () => {
    const best = candidate(['street', 'house'], { zip: '5003' });
    for (const features of [
      ['place-id'],
      ['place-id', 'city-other'],
      ['street'],
      ['street', 'house-letter-missing'],
    ] as const)
      expect(isHere(features, best), features.join(' ')).toBe(true);
    for (const features of [['person'], ['city'], ['street', 'house-other'], ['street', 'house-letter-other']] as const)
      expect(isHere(features, best), features.join(' ')).toBe(false);
  });

  test('may be meant by one with a part of its street only if no other has the street', () => {
    expect(isHere(['street-part'], candidate(['street']))).toBe(false);
    expect(isHere(['street-part'], candidate(['street-part']))).toBe(true);
    expect(isHere(['street-part'], undefined)).toBe(true);
  });

  test('may be meant by one in another town if the postcode is that of the folder or of the assignment', () => {
    const best = candidate(['street'], { zip: '5003' });
    const features = ['street', 'city-other'] as const;
    expect(isHere(features, best, { zip: '5003' })).toBe(true);
    expect(isHere([...features, 'zip'], best)).toBe(true);
    expect([isHere(features, best), isHere(features, best, { zip: '5004' })]).toEqual([false, false]);
    expect([isHere(features, candidate(['street'])), isHere(features, undefined, { zip: '5003' })]).toEqual([
      false,
      false,
    ]);
  });
});
