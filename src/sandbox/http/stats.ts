/** Counts of requests and of clients' mistakes, for tests. */
import type { ServerResponse } from 'node:http';
import { type RouteName, routeNames } from './http.ts';

/** Mistakes that a correct client never makes. */
const violationNames = [
  /** An access token was sent to the storage. */
  'bearer-at-storage',
  /** An upload came without Content-Length. */
  'upload-without-length',
  'code-replayed',
  'refresh-token-replayed',
] as const;
type ViolationName = (typeof violationNames)[number];

/** Counters of one route. `requests` counts all requests; the statuses count complete responses. */
type RouteStats = {
  readonly requests: number;
  readonly succeeded: number;
  readonly unauthorized: number;
  /** Responses with a status from 400 up, 401 included. */
  readonly failed: number;
  /** The highest number of concurrent requests. */
  readonly peakConcurrent: number;
};

export type SandboxStats = {
  readonly routes: Readonly<Record<RouteName, RouteStats>>;
  readonly violations: Readonly<Record<ViolationName, number>>;
  readonly tokenRefreshes: number;
};

export type StatsRecorder = ReturnType<typeof createStatsRecorder>;

/** New counters. */
export const createStatsRecorder = () => {
  const concurrent = zeros(routeNames);
  let routes = zeroRoutes();
  let violations = zeros(violationNames);
  let tokenRefreshes = 0;
  return {
    /** Counts a request from now until its response has ended or its connection closed. */
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
    read: (): SandboxStats => structuredClone({ routes, violations, tokenRefreshes }),
    /** Resets every counter; running requests still count as concurrent. */
    reset: (): void => {
      routes = zeroRoutes();
      violations = zeros(violationNames);
      tokenRefreshes = 0;
    },
  };
};

const recordOf = <Name extends string, T>(names: readonly Name[], make: () => T): Record<Name, T> =>
  Object.fromEntries(names.map((name) => [name, make()])) as Record<Name, T>;

const zeros = <Name extends string>(names: readonly Name[]): Record<Name, number> => recordOf(names, () => 0);

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

const zeroRoutes = (): Record<RouteName, Mutable<RouteStats>> =>
  recordOf(routeNames, () => ({ requests: 0, succeeded: 0, unauthorized: 0, failed: 0, peakConcurrent: 0 }));
