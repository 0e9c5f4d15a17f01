/** Whether a host can be connected to, over the same connections, and so the same proxy, as what is to be sent. */
import { type Dispatcher, request } from 'undici';

/** Long enough for any host that is there. */
const PROBE_MS = 10_000;

/** Asks `origin` for nothing: without a path, a token or a signature. Rejects where no answer comes. */
export const probeHost = async (dispatcher: Dispatcher, origin: string, signal: AbortSignal): Promise<void> => {
  const within = AbortSignal.any([signal, AbortSignal.timeout(PROBE_MS)]);
  const { body } = await request(origin, { dispatcher, method: 'HEAD', signal: within });
  await body.dump();
};
