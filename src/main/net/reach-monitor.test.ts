import { expect, test } from 'vitest';
import { DeskError } from '../../contract/errors.ts';
import { createReachMonitor } from './reach-monitor.ts';

const lost = new DeskError('service/unreachable', 'gone', { retry: 'later' });

const setUp = () => {
  const waitedFor: string[] = [];
  const states: string[] = [];
  const monitor = createReachMonitor({
    baseUrl: 'https://inspection.example/api',
    network: {
      waitFor: (origin) => {
        waitedFor.push(origin);
        return new Promise(() => {});
      },
    },
    onChange: ({ service }) => states.push(service.state),
    now: () => 0,
  });
  return { monitor, waitedFor, states };
};

test('B3: probes a service that was lost, once however often that is seen', () => {
  const { monitor, waitedFor, states } = setUp();
  monitor.serviceLost(lost);
  monitor.serviceLost(lost);
  expect(waitedFor).toEqual(['https://inspection.example']);
  expect(states).toEqual(['unreachable']);
});

test('B3: begins no probe after it was closed, or the app could not end', () => {
  const { monitor, waitedFor, states } = setUp();
  monitor.close();
  // Closing the connections breaks off the calls that still wait for an answer.
  monitor.serviceLost(lost);
  expect(waitedFor).toEqual([]);
  expect(states).toEqual([]);
});
