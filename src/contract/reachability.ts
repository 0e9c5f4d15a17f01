/**
 * Whether the service and the file storage can be worked with now. Main makes it (main/net/reachability.ts); footer,
 * banners, progress and waits in the window all show this and nothing else, so that they cannot contradict each other.
 */
import { z } from 'zod';
import { ErrorData } from './errors.ts';

/** Times in ms since 1970. `host`: with its port. */
const trouble = { host: z.string(), sinceMs: z.number(), reason: ErrorData };

export const Reach = z.discriminatedUnion('state', [
  /** Nothing was asked of it yet. */
  z.object({ state: z.literal('unknown') }),
  /** It answered when it was last asked, whatever it said. */
  z.object({ state: z.literal('online') }),
  /** It does not answer. It is probed until it does. */
  z.object({ state: z.literal('unreachable'), ...trouble }),
  /** It asked for a pause, and gets no requests until then. */
  z.object({ state: z.literal('held'), ...trouble, untilMs: z.number() }),
]);
export type Reach = Readonly<z.infer<typeof Reach>>;

/** `storage`: of all hosts that files are sent to, the one in the most trouble. */
export const Reachability = z.object({ service: Reach, storage: Reach });
export type Reachability = Readonly<z.infer<typeof Reachability>>;

export type Side = keyof Reachability;
export type Trouble = Extract<Reach, { readonly state: 'unreachable' | 'held' }>;

/** Nothing is known of either side. */
export const NOTHING_ASKED: Reachability = { service: { state: 'unknown' }, storage: { state: 'unknown' } };

/** What keeps one side from being worked with, if anything does. */
export const troubleOf = (reach: Reach): Trouble | undefined =>
  reach.state === 'unreachable' || reach.state === 'held' ? reach : undefined;

/** What uploads wait for, if they do: without either side no file arrives. */
export const uploadTrouble = ({
  service,
  storage,
}: Reachability): { readonly side: Side; readonly trouble: Trouble } | undefined => {
  const ofService = troubleOf(service);
  if (ofService) return { side: 'service', trouble: ofService };
  const ofStorage = troubleOf(storage);
  return ofStorage && { side: 'storage', trouble: ofStorage };
};
