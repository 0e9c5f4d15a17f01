/** What goes wrong at the service and the storage in a round. */
import type { FaultEffect, FaultRule } from '../../src/sandbox/faults/rules.ts';
import type { RouteName } from '../../src/sandbox/http/route-names.ts';
import type { Random } from '../../src/sandbox/sample/prng.ts';

const RESETS = (['before-body', 'during-body', 'after-body'] as const).map((at) => ({ type: 'reset', at }) as const);
const EVERYWHERE: readonly FaultEffect[] = [
  ...RESETS,
  { type: 'status', status: 429, retryAfterS: 1 },
  { type: 'status', status: 500 },
  { type: 'status', status: 503, retryAfterS: 0 },
  { type: 'status', status: 504, at: 'after-body' },
  { type: 'truncate' },
  { type: 'delay', delayMs: 60 },
  { type: 'stall', in: 'answer', afterBytes: 1, forMs: 150 },
];

const POSSIBLE: Readonly<Partial<Record<RouteName, readonly FaultEffect[]>>> = {
  'sign-upload': [...EVERYWHERE, { type: 'malformed-json' }, { type: 'expired-token' }],
  'storage-put': [
    ...EVERYWHERE,
    { type: 'expired-url' },
    { type: 'status', status: 403, body: '<Error><Code>AccessDenied</Code></Error>' },
    { type: 'stall', in: 'request', afterBytes: 3_000, forMs: 150 },
  ],
  'remove-file': [...EVERYWHERE, { type: 'malformed-json' }],
};

/** How likely one request meets one fault: with about ten of them a file needs luck, but not much. */
const MOST = 0.015;

/** About half of what is possible, each with a likelihood of its own. */
export const drawFaults = (random: Random): readonly FaultRule[] =>
  Object.entries(POSSIBLE).flatMap(([route, effects]) =>
    effects
      .filter(() => random.chance(0.5))
      .map((effect) => ({
        match: { route: route as RouteName },
        when: { probability: (random.integer(1, 100) / 100) * MOST },
        effect,
      })),
  );
