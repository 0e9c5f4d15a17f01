import type { ServerResponse } from 'node:http';
import { keyBy } from 'es-toolkit/array';
import { identity } from 'es-toolkit/function';
import { mapValues } from 'es-toolkit/object';
import { type RouteName, routeNames } from './http.ts';

/** Violations of the rules for sign-in and uploads. The sandbox counts each kind. */
const violationNames = [
  /** An access token was sent to the storage. */
  'bearer-at-storage',
  /** An upload came without Content-Length, or with Transfer-Encoding. */
  'upload-without-length',
  'code-replayed',
  'refresh-token-replayed',
] as const;
type ViolationName = (typeof violationNames)[number];

export type SandboxStats = ReturnType<StatsRecorder['read']>;

export type StatsRecorder = ReturnType<typeof createStatsRecorder>;

export const createStatsRecorder = () => {
  const concurrent = zeros(routeNames);
  let routes = zeroRoutes();
  let violations = zeros(violationNames);
  let tokenRefreshes = 0;
  return {
    /**
     * Counts a request, and its status once the response is complete. The request is concurrent until its response has
     * ended or its connection is closed.
     */
    begin: (route: RouteName, outgoing: ServerResponse): void => {
      const counters = routes[route];
      counters.requests += 1;
      concurrent[route] += 1;
      counters.peakConcurrent = Math.max(counters.peakConcurrent, concurrent[route]);
      outgoing.once('close', () => {
        concurrent[route] -= 1;
        if (!outgoing.writableFinished) return;
        if (outgoing.statusCode === 401) counters.unauthorized += 1;
        if (outgoing.statusCode >= 400) counters.failed += 1;
        else if (outgoing.statusCode < 300) counters.succeeded += 1;
      });
    },
    violation: (name: ViolationName): void => {
      violations[name] += 1;
    },
    tokenRefreshed: (): void => {
      tokenRefreshes += 1;
    },
    read: () => structuredClone({ routes, violations, tokenRefreshes }),
    /** Resets every counter; running requests still count as concurrent. */
    reset: (): void => {
      routes = zeroRoutes();
      violations = zeros(violationNames);
      tokenRefreshes = 0;
    },
  };
};

const zeros = <Name extends string>(names: readonly Name[]) => mapValues(keyBy(names, identity), () => 0);

const counterNames = ['requests', 'succeeded', 'unauthorized', 'failed', 'peakConcurrent'] as const;

/**
 * Creates the counters of each route. `requests` counts all requests. `succeeded`, `unauthorized` and `failed` count
 * complete responses by status: below 300, 401, and 400 or more (including 401). `peakConcurrent`: the highest number
 * of concurrent requests.
 */
const zeroRoutes = () => mapValues(keyBy(routeNames, identity), () => zeros(counterNames));
