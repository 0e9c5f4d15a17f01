/**
 * The app's connection pools. There are two, so that a click never waits behind thousands of uploads. Both keep
 * connections alive, speak HTTP/1.1 and follow no redirect (undici does so only with an interceptor), because a redirect
 * could send a token elsewhere. Their connections are opened by the routes to the hosts. `destroy` aborts all requests and
 * closes every socket.
 */
import { Agent } from 'undici';
import { type ConnectorOptions, createConnector } from './connector.ts';

const common = (options?: ConnectorOptions) => ({ allowH2: false, connect: createConnector(options) });

/** For the service and the token endpoint. */
export const createApiAgent = (options?: ConnectorOptions): Agent =>
  new Agent({ ...common(options), connections: 16, headersTimeout: 60_000, bodyTimeout: 60_000 });

/**
 * For signed upload URLs. The upload engine decides how many transfers run at once and when one has stalled
 * (uploads/storage/put-request.ts).
 */
export const createStorageAgent = (options?: ConnectorOptions): Agent =>
  new Agent({ ...common(options), headersTimeout: 0, bodyTimeout: 0 });
