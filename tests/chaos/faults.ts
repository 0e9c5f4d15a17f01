/** The faults of the service and the storage in a round of chaos. */
import type { FaultEffect, FaultRule } from '../../src/sandbox/faults/fault-plan.ts';
import type { RouteName } from '../../src/sandbox/http/http.ts';
import type { Random } from '../../src/sandbox/sample/sample-data.ts';
import type { StorageDialect } from '../storages/kinds.ts';

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

/** The share of files that a proxy between the app and the storage swallows. */
const SWALLOWED = 0.02;

/**
 * The headers with which the proxy can respond instead of the storage. Headers with which a storage always proves that
 * it has stored a file are left out, because the app could not tell the proxy from the storage.
 */
const answersOf = (dialect: StorageDialect): readonly Record<string, string>[] => {
  const proxy = { server: 'proxy', 'x-cache': 'MISS' };
  if (dialect !== 'plain') return [proxy];
  return [proxy, { ...proxy, etag: '"5f3c-1a2b"' }, { etag: '"0123456789abcdef0123456789abcdef"' }];
};

/** Returns a rule that swallows some files during the whole round. */
export const swallowing = (dialect: StorageDialect, random: Random): FaultRule => ({
  match: { route: 'storage-put' },
  when: { probability: SWALLOWED },
  effect: { type: 'swallow', headers: random.pick(answersOf(dialect)) },
});

/** The maximum probability of a fault. With about ten faults, most files still arrive within their attempts. */
const MOST = 0.015;

/** Draws about half of the possible faults, each with a random probability. */
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
