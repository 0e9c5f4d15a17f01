import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { NOTHING_ASKED, uploadTrouble } from '../../contract/connection.ts';
import { DeskError, toErrorData } from '../../contract/errors.ts';
import { createHostHealth, type Observation } from './host-health.ts';

const pending = () => new Promise<never>(() => {});

const reason = toErrorData(new DeskError('service/unreachable', 'gone', { retry: 'later' }));
const after = (...seen: readonly Observation[]) => {
  const health = createHostHealth({ probe: pending });
  seen.forEach(health.report);
  health.close();
  return health.state();
};

const service = { side: 'service', host: 'inspection.example' } as const;
const storage = { side: 'storage', host: 'storage.example' } as const;
const gone = { type: 'unreachable', origin: 'https://inspection.example', atMs: 10, reason } as const;
const held = { type: 'held', atMs: 20, untilMs: 90, reason } as const;

describe('the state of a host', () => {
  test('is unknown until it was tried', () => {
    expect(after()).toEqual(NOTHING_ASKED);
    expect(after({ ...service, type: 'responded' })).toEqual({ ...NOTHING_ASKED, service: { state: 'online' } });
  });

  test('is unreachable since the first failure, until it answers', () => {
    const still = [
      { ...service, ...gone },
      { ...service, ...gone, atMs: 99 },
    ] as const;
    expect(after(...still).service).toEqual({ state: 'unreachable', host: service.host, sinceMs: 10, reason });
    expect(after(...still, { ...service, type: 'responded' }).service).toEqual({ state: 'online' });
  });

  test('is unreachable for the reason that was found last', () => {
    const error = new DeskError('network/proxy-unreachable', 'gone', { retry: 'later', details: { proxy: 'a:1' } });
    const ofProxy = toErrorData(error);
    const later = { ...service, ...gone, atMs: 99, reason: ofProxy };
    expect(after({ ...service, ...gone }, later).service).toMatchObject({ sinceMs: 10, reason: ofProxy });
  });

  test('is held until the longest pause ends, and answers to earlier requests do not end it', () => {
    const shorter = { ...storage, ...held, atMs: 30, untilMs: 50 } as const;
    expect(after({ ...storage, ...held }, shorter, { ...storage, type: 'responded' }).storage).toEqual({
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
  expect(uploadTrouble(after({ ...service, type: 'responded' }, { ...storage, ...held }))).toMatchObject({
    side: 'storage',
    trouble: { state: 'held', untilMs: 90 },
  });
  expect(uploadTrouble(after({ ...service, type: 'responded' }))).toBeUndefined();
});

const hosts = ['a.example', 'b.example:8443'];
const times = fc.integer({ min: 0, max: 100 });
const observation: fc.Arbitrary<Observation> = fc
  .oneof(
    fc.record({ type: fc.constantFrom('responded' as const, 'released' as const, 'forgotten' as const) }),
    fc.record({
      type: fc.constant(gone.type),
      origin: fc.constant(gone.origin),
      atMs: times,
      reason: fc.constant(reason),
    }),
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
        const isGone = own.some((all) => last(all, 'responded', 'unreachable', 'forgotten') === 'unreachable');
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
      let changes = 0;
      const health = createHostHealth({ probe: pending, onChange: () => (changes += 1) });
      [...seen, next].forEach(health.report);
      const before = changes;
      health.report(next);
      health.close();
      expect(changes).toBe(before);
    }),
  );
});

test('for another host it reads none of a thousand that responded before', () => {
  const health = createHostHealth({ probe: pending });
  const see = (no: number) => health.report({ side: 'storage', type: 'responded', host: `storage-${no}.example` });
  for (let no = 0; no < 1_000; no += 1) see(no);
  const reads = vi.spyOn(Object.getPrototypeOf(new Map().values()), 'next');
  onTestFinished(() => reads.mockRestore());
  see(1_000);
  expect(reads.mock.calls.length).toBeLessThan(10);
});

test('of a thousand hosts that responded, it remembers those that responded last', () => {
  let changes = 0;
  const onChange = (): void => {
    changes += 1;
  };
  const health = createHostHealth({ probe: pending, onChange });
  const see = (no: number) => health.report({ side: 'storage', type: 'responded', host: `storage-${no}.example` });
  for (let no = 0; no < 1_000; no += 1) see(no);
  see(999);
  expect(changes).toBe(1_000);
  see(0);
  expect(changes).toBe(1_001);
  health.forgetStorages();
  expect(changes).toBe(1_001 + 64);
  expect(health.state().storage).toEqual(createHostHealth({ probe: pending }).state().storage);
});

const origin = 'https://inspection.example';
const responded = { side: 'service', host: 'inspection.example', type: 'responded' } as const;
const error = new DeskError('service/unreachable', 'the connection was reset', { retry: 'later' });

/**
 * Creates a host health whose probes settle like `probe`. No probe follows a failed one, because the wait never ends.
 */
const setUp = (probe: () => Promise<void>) => {
  const states: string[] = [];
  const probed: string[] = [];
  const waits: (AbortSignal | undefined)[] = [];
  const health = createHostHealth({
    probe: (asked) => {
      probed.push(asked);
      return probe();
    },
    sleep: (_, signal) => {
      waits.push(signal);
      return pending();
    },
    onChange: ({ service }) => states.push(service.state),
    now: () => 0,
  });
  const isWaiting = () => waits.some((signal) => !signal?.aborted);
  return { ...health, isWaiting, probed, states };
};

const fails = () => Promise.reject(error);

/** Resolves once the callbacks of settled promises have run. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('starts one probe for an unreachable service, however often the loss is reported', async () => {
  const { report, lost, isWaiting, probed, states } = setUp(fails);
  lost(origin, error);
  lost(origin, error);
  await settled();
  lost(origin, error);
  await settled();
  expect(probed).toEqual([origin]);
  expect(isWaiting()).toBe(true);
  expect(states).toEqual(['unreachable']);
  report(responded);
  await settled();
  expect(isWaiting()).toBe(false);
  expect(states).toEqual(['unreachable', 'online']);
});

test('starts no probe after it was closed, so the app can end', async () => {
  const { lost, close, probed, states } = setUp(fails);
  close();
  // When the app closes its connections, the calls in flight are lost.
  lost(origin, error);
  await settled();
  expect(probed).toEqual([]);
  expect(states).toEqual([]);
});

test('a pause ends in time, though the clock is set back by an hour', async () => {
  let wallMs = 10_000_000;
  const states: string[] = [];
  const { report, close } = createHostHealth({
    probe: pending,
    onChange: ({ storage }) => states.push(storage.state),
    now: () => wallMs,
  });
  onTestFinished(close);
  const reason = toErrorData(new DeskError('service/busy', 'pause', { retry: 'later' }));
  const held = { side: 'storage', host: 'storage.example', type: 'held', reason } as const;
  report({ ...held, atMs: wallMs, untilMs: wallMs + 50 });
  wallMs -= 3_600_000;
  report({ ...held, atMs: wallMs, untilMs: wallMs + 60 });
  await expect.poll(() => states).toEqual(['held', 'online']);
});

test('an answer to another call during the probe outweighs the lost call', async () => {
  const probe = Promise.withResolvers<void>();
  const { report, lost, states } = setUp(() => probe.promise);
  lost(origin, error);
  report(responded);
  probe.reject(error);
  await settled();
  expect(states).toEqual(['online']);
});

test('an endpoint that always resets its connection never shows a service that answers others as unreachable', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('lost', 'responded', 'a moment later'), { maxLength: 30 }),
      async (seen) => {
        const { report, lost, states } = setUp(() => Promise.resolve());
        for (const one of seen) {
          if (one === 'lost') lost(origin, error);
          else if (one === 'responded') report(responded);
          else await settled();
        }
        await settled();
        expect(states).toEqual(seen.includes('responded') ? ['online'] : []);
      },
    ),
  );
});
