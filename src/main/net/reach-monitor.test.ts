import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { DeskError, toErrorData } from '../../contract/errors.ts';
import { createNetwork } from './network.ts';
import { createReachMonitor } from './reach-monitor.ts';

const origin = 'https://inspection.example';
const answered = { side: 'service', host: 'inspection.example', type: 'answered' } as const;
const lost = new DeskError('service/unreachable', 'the connection was reset', { retry: 'later' });

/** A monitor whose probes end as `probe` does. After a failed one, the next never comes. */
const setUp = (probe: () => Promise<void>) => {
  const states: string[] = [];
  const probed: string[] = [];
  const network = createNetwork({
    probe: (asked) => {
      probed.push(asked);
      return probe();
    },
    sleep: () => new Promise(() => {}),
  });
  const monitor = createReachMonitor({
    baseUrl: `${origin}/api`,
    network,
    onChange: ({ service }) => states.push(service.state),
    now: () => 0,
  });
  return { monitor, network, probed, states };
};

const fails = () => Promise.reject(lost);

/** Until all that follows from settled promises has happened. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('starts one probe for an unreachable service, however often the loss is reported', async () => {
  const { monitor, network, probed, states } = setUp(fails);
  monitor.serviceLost(lost);
  monitor.serviceLost(lost);
  await settled();
  monitor.serviceLost(lost);
  await settled();
  expect(probed).toEqual([origin]);
  expect(network.isWaitedFor(origin)).toBe(true);
  expect(states).toEqual(['unreachable']);
  monitor.observe(answered);
  await settled();
  expect(network.isWaitedFor(origin)).toBe(false);
  expect(states).toEqual(['unreachable', 'online']);
});

test('starts no probe after it was closed, so the app can end', async () => {
  const { monitor, probed, states } = setUp(fails);
  monitor.close();
  // Closing the connections breaks off the calls that still wait for an answer.
  monitor.serviceLost(lost);
  await settled();
  expect(probed).toEqual([]);
  expect(states).toEqual([]);
});

test('B10: a pause ends in time, though the clock is set back by an hour', async () => {
  let wallMs = 10_000_000;
  const states: string[] = [];
  const monitor = createReachMonitor({
    baseUrl: `${origin}/api`,
    network: { waitFor: () => new Promise(() => {}), failure: async () => undefined },
    onChange: ({ storage }) => states.push(storage.state),
    now: () => wallMs,
  });
  onTestFinished(monitor.close);
  const reason = toErrorData(new DeskError('service/busy', 'pause', { retry: 'later' }));
  const held = { side: 'storage', host: 'storage.example', type: 'held', reason } as const;
  monitor.observe({ ...held, atMs: wallMs, untilMs: wallMs + 50 });
  wallMs -= 3_600_000;
  monitor.observe({ ...held, atMs: wallMs, untilMs: wallMs + 60 });
  await expect.poll(() => states).toEqual(['held', 'online']);
});

test('an answer to another call during the probe outweighs the lost call', async () => {
  const probe = Promise.withResolvers<void>();
  const { monitor, states } = setUp(() => probe.promise);
  monitor.serviceLost(lost);
  monitor.observe(answered);
  probe.reject(lost);
  await settled();
  expect(states).toEqual(['online']);
});

test('an endpoint that always resets its connection never shows a service that answers others as unreachable', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('lost', 'answered', 'a moment later'), { maxLength: 30 }),
      async (seen) => {
        const { monitor, states } = setUp(() => Promise.resolve());
        for (const one of seen) {
          if (one === 'lost') monitor.serviceLost(lost);
          else if (one === 'answered') monitor.observe(answered);
          else await settled();
        }
        await settled();
        expect(states).toEqual(seen.includes('answered') ? ['online'] : []);
      },
    ),
  );
});
