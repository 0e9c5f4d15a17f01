/**
 * Whether the service and the file storage can be reached now, as main determines it (main/net/reachability.ts). Footer,
 * banners, progress and waits in the window show nothing else, so they cannot contradict each other.
 */
import { z } from 'zod';
import { ErrorData } from './errors.ts';

/** Times in ms since 1970. `host`: with its port. */
const trouble = { host: z.string(), sinceMs: z.number(), reason: ErrorData };

export const Reach = z.discriminatedUnion('state', [
  /** No request has been sent yet. */
  z.object({ state: z.literal('unknown') }),
  /** It answered the last request, in whatever way. */
  z.object({ state: z.literal('online') }),
  /** It does not answer. It is probed until it does. */
  z.object({ state: z.literal('unreachable'), ...trouble }),
  /** It requested a pause; no requests are sent until then. */
  z.object({ state: z.literal('held'), ...trouble, untilMs: z.number() }),
]);
export type Reach = Readonly<z.infer<typeof Reach>>;

/** `storage`: the host in the worst state of all that files are sent to. */
export const Reachability = z.object({ service: Reach, storage: Reach });
export type Reachability = Readonly<z.infer<typeof Reachability>>;

export type Side = keyof Reachability;
export type Trouble = Extract<Reach, { readonly state: 'unreachable' | 'held' }>;

/** Nothing is known about either side. */
export const NOTHING_ASKED: Reachability = { service: { state: 'unknown' }, storage: { state: 'unknown' } };

/** The reason why one side cannot be used, if there is one. */
export const troubleOf = (reach: Reach): Trouble | undefined =>
  reach.state === 'unreachable' || reach.state === 'held' ? reach : undefined;

/** What uploads wait for, if anything: they need both sides. */
export const uploadTrouble = ({
  service,
  storage,
}: Reachability): { readonly side: Side; readonly trouble: Trouble } | undefined => {
  const ofService = troubleOf(service);
  if (ofService) return { side: 'service', trouble: ofService };
  const ofStorage = troubleOf(storage);
  return ofStorage && { side: 'storage', trouble: ofStorage };
};
