/** Probes whether a host can be reached through the same pool, and so the same proxy, as real requests. */
import { type Dispatcher, request } from 'undici';

/** Long enough for any reachable host. */
const PROBE_MS = 10_000;

/** Sends a HEAD request to `origin`, without a path, a token or a signature. Rejects without an answer. */
export const probeHost = async (dispatcher: Dispatcher, origin: string, signal: AbortSignal): Promise<void> => {
  const within = AbortSignal.any([signal, AbortSignal.timeout(PROBE_MS)]);
  const { body } = await request(origin, { dispatcher, method: 'HEAD', signal: within });
  await body.dump();
};
