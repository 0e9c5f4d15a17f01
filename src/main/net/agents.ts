/**
 * The app's connection pools. There are two, so that a click never waits behind thousands of uploads. Both keep
 * connections alive, speak HTTP/1.1 and follow no redirect (undici does so only with an interceptor), because a redirect
 * could send a token elsewhere. Each is a `Dispatcher`, so that a proxy can be added. `destroy` aborts all requests and
 * closes every socket.
 */
import { Agent } from 'undici';
import { createConnector, type Trust } from './connector.ts';

const common = (trust?: Trust) => ({ allowH2: false, connect: createConnector(trust) });

/** For the service and the token endpoint. */
export const createApiAgent = (trust?: Trust): Agent =>
  new Agent({ ...common(trust), connections: 16, headersTimeout: 60_000, bodyTimeout: 60_000 });

/**
 * For signed upload URLs. The upload engine decides how many transfers run at once and when one has stalled
 * (uploads/storage/put-request.ts).
 */
export const createStorageAgent = (trust?: Trust): Agent =>
  new Agent({ ...common(trust), headersTimeout: 0, bodyTimeout: 0 });
