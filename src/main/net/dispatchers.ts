/** The connections of the app. Two pools, so that thousands of uploads never queue in front of a click. */
import { Agent, type Dispatcher } from 'undici';

export type Dispatchers = {
  /** For the service and the token endpoint. */
  readonly api: Dispatcher;
  /** For signed upload Urls. */
  readonly storage: Dispatcher;
  /** Breaks off what is still under way and closes every socket. */
  readonly close: () => Promise<void>;
};

/**
 * The two pools, each a `Dispatcher`: the seam where a proxy goes in. Both keep connections alive, speak HTTP/1.1
 * and follow no redirect (undici does so only through an interceptor): a redirect could carry a token elsewhere.
 */
export const createDispatchers = (): Dispatchers => {
  const common = { allowH2: false, connect: { timeout: 10_000 } } as const;
  const api = new Agent({ ...common, connections: 16, headersTimeout: 60_000, bodyTimeout: 60_000 });
  // While a body is being sent, undici restarts the headers timeout at each written chunk: it ends stalled uploads
  // only, however long a file takes. How many run at once is the upload engine's to say.
  const storage = new Agent({ ...common, headersTimeout: 120_000, bodyTimeout: 60_000 });
  return {
    api,
    storage,
    close: async () => {
      await Promise.all([api.destroy(), storage.destroy()]);
    },
  };
};
