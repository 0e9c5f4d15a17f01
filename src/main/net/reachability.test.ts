import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NOTHING_ASKED, uploadTrouble } from '../../contract/connection.ts';
import { DeskError, toErrorData } from '../../contract/errors.ts';
import { noHosts, type Observation, observe, reachabilityOf } from './reachability.ts';

const reason = toErrorData(new DeskError('service/unreachable', 'gone', { retry: 'later' }));
const after = (...seen: readonly Observation[]) => reachabilityOf(seen.reduce(observe, noHosts));

const service = { side: 'service', host: 'inspection.example' } as const;
const storage = { side: 'storage', host: 'storage.example' } as const;
const gone = { type: 'unreachable', atMs: 10, reason } as const;
const held = { type: 'held', atMs: 20, untilMs: 90, reason } as const;

describe('the state of a host', () => {
  test('is unknown until it was tried', () => {
    expect(after()).toEqual(NOTHING_ASKED);
    expect(after({ ...service, type: 'answered' })).toEqual({ ...NOTHING_ASKED, service: { state: 'online' } });
  });

  test('is unreachable since the first failure, until it answers', () => {
    const still = [
      { ...service, ...gone },
      { ...service, ...gone, atMs: 99 },
    ] as const;
    expect(after(...still).service).toEqual({ state: 'unreachable', host: service.host, sinceMs: 10, reason });
    expect(after(...still, { ...service, type: 'answered' }).service).toEqual({ state: 'online' });
  });

  test('B25: is unreachable for the reason that was found last', () => {
    const error = new DeskError('network/proxy-unreachable', 'gone', { retry: 'later', details: { proxy: 'a:1' } });
    const ofProxy = toErrorData(error);
    const later = { ...service, ...gone, atMs: 99, reason: ofProxy };
    expect(after({ ...service, ...gone }, later).service).toMatchObject({ sinceMs: 10, reason: ofProxy });
  });

  test('is held until the longest pause ends, and answers to earlier requests do not end it', () => {
    const shorter = { ...storage, ...held, atMs: 30, untilMs: 50 } as const;
    expect(after({ ...storage, ...held }, shorter, { ...storage, type: 'answered' }).storage).toEqual({
      state: 'held',
      host: storage.host,
      sinceMs: 20,
      untilMs: 90,
      reason,
    });
    expect(after({ ...storage, ...held }, { ...storage, type: 'released' }).storage).toEqual({ state: 'online' });
  });

  test('is unknown for a storage that nobody waits for', () => {
    expect(after({ ...storage, ...gone }, { ...storage, type: 'forgotten' })).toEqual(NOTHING_ASKED);
  });
});

test('uploads wait for the service first, then for the storage', () => {
  expect(uploadTrouble(after({ ...service, ...gone }, { ...storage, ...gone }))).toMatchObject({ side: 'service' });
  expect(uploadTrouble(after({ ...service, type: 'answered' }, { ...storage, ...held }))).toMatchObject({
    side: 'storage',
    trouble: { state: 'held', untilMs: 90 },
  });
  expect(uploadTrouble(after({ ...service, type: 'answered' }))).toBeUndefined();
});

const hosts = ['a.example', 'b.example:8443'];
const times = fc.integer({ min: 0, max: 100 });
const observation: fc.Arbitrary<Observation> = fc
  .oneof(
    fc.record({ type: fc.constantFrom('answered' as const, 'released' as const, 'forgotten' as const) }),
    fc.record({ type: fc.constant('unreachable' as const), atMs: times, reason: fc.constant(reason) }),
    fc.record({ type: fc.constant('held' as const), atMs: times, untilMs: times, reason: fc.constant(reason) }),
  )
  .chain((what) =>
    fc
      .record({ side: fc.constantFrom('service' as const, 'storage' as const), host: fc.constantFrom(...hosts) })
      .map((where): Observation => ({ ...where, ...what })),
  );

test('after any observations in any order, each side shows only current problems of its own hosts', () => {
  fc.assert(
    fc.property(fc.array(observation, { maxLength: 40 }), (seen) => {
      const shown = after(...seen);
      for (const side of ['service', 'storage'] as const) {
        const own = hosts.map((host) => seen.filter((one) => one.side === side && one.host === host));
        const last = (all: readonly Observation[], ...types: readonly Observation['type'][]) =>
          all.findLast(({ type }) => types.includes(type))?.type;
        const isGone = own.some((all) => last(all, 'answered', 'unreachable', 'forgotten') === 'unreachable');
        const isHeld = own.some((all) => last(all, 'held', 'released', 'forgotten') === 'held');
        const isKnown = own.some((all) => {
          const since = all.slice(all.findLastIndex(({ type }) => type === 'forgotten') + 1);
          return since.some(({ type }) => type !== 'released');
        });
        const expected = isGone ? 'unreachable' : isHeld ? 'held' : isKnown ? 'online' : 'unknown';
        expect(shown[side].state).toBe(expected);
      }
    }),
  );
});

test('an observation without news does not change the state', () => {
  fc.assert(
    fc.property(fc.array(observation, { maxLength: 20 }), observation, (seen, next) => {
      const once = observe(seen.reduce(observe, noHosts), next);
      expect(observe(once, next)).toBe(once);
    }),
  );
});
