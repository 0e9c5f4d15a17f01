import type { Context, MiddlewareHandler } from 'hono';
import { asMiddleware, type FaultReach } from '../faults/effects.ts';
import type { FaultPlan } from '../faults/fault-plan.ts';
import type { RouteName } from '../routes.ts';
import type { SandboxEnv } from './environment.ts';
import type { StatsRecorder } from './stats.ts';

/** What a request is about besides its path, for a fault's `contains`: a FileName or Key. */
export type Subject = (c: Context<SandboxEnv>) => Promise<string>;

/** Makes the middleware that stands first on every route: it counts the request and lets faults happen to it. */
export type Watch = (route: RouteName, subject?: Subject) => MiddlewareHandler<SandboxEnv>;

/** The watch over all routes of a sandbox. */
export const createWatch =
  (stats: StatsRecorder, faults: FaultPlan, reach: Omit<FaultReach, 'released'>): Watch =>
  (route, subject = async () => '') =>
  async (c, next) => {
    stats.begin(route, c.env.outgoing);
    // Asked for first: a release while the rules are gone through is meant for this request, too.
    const released = faults.released();
    const effect = await faults.next(route, async () => `${c.req.path}\n${await subject(c)}`);
    if (effect === undefined) return next();
    return asMiddleware(effect, route, { ...reach, released })(c, next);
  };
