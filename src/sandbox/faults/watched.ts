import type { Context, MiddlewareHandler } from 'hono';
import type { SandboxEnv } from '../http/environment.ts';
import type { RouteName } from '../http/route-names.ts';
import type { StatsRecorder } from '../http/stats.ts';
import { asMiddleware, type FaultReach } from './effects.ts';
import type { FaultPlan } from './fault-plan.ts';

/** The FileName or Key of a request, for a fault's `contains`. */
type Subject = (c: Context<SandboxEnv>) => Promise<string>;

/** Creates the first middleware of a route, which counts the request and applies faults. */
export type Watch = (route: RouteName, subject?: Subject) => MiddlewareHandler<SandboxEnv>;

/** The watch over all routes of a sandbox. */
export const createWatch =
  (stats: StatsRecorder, faults: FaultPlan, reach: Omit<FaultReach, 'released'>): Watch =>
  (route, subject = async () => '') =>
  async (c, next) => {
    stats.begin(route, c.env.outgoing);
    // Read first, since a release during the check of the rules is meant for this request too.
    const released = faults.released();
    const effect = await faults.next({ route, path: c.req.path }, () => subject(c));
    if (effect === undefined) return next();
    return asMiddleware(effect, route, { ...reach, released })(c, next);
  };
