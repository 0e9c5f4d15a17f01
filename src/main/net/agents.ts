/**
 * The app's connection pools. There are several, so that a click never waits behind thousands of uploads. All keep
 * connections alive, speak HTTP/1.1 with one request at a time on each, and follow no redirect (undici does so only with an
 * interceptor), because a redirect could send a token elsewhere. Their connections are opened by the routes to the hosts.
 * `destroy` aborts all requests and closes every socket.
 */
import { Agent } from 'undici';
import { type ConnectorOptions, createConnector } from './connector.ts';

const common = (options?: ConnectorOptions) => ({
  allowH2: false,
  pipelining: 1,
  connect: createConnector(options),
});

const apiTimeouts = { headersTimeout: 60_000, bodyTimeout: 60_000 };

/** For the service and the token endpoint. */
export const createApiAgent = (options?: ConnectorOptions): Agent =>
  new Agent({ ...common(options), ...apiTimeouts, connections: 16 });

/** For what uploads ask the service. The upload engine decides how many requests run at once. */
export const createSigningAgent = (options?: ConnectorOptions): Agent =>
  new Agent({ ...common(options), ...apiTimeouts });

/**
 * For signed upload URLs. The upload engine decides how many transfers run at once and when one has stalled
 * (uploads/storage/put-request.ts).
 */
export const createStorageAgent = (options?: ConnectorOptions): Agent =>
  new Agent({ ...common(options), headersTimeout: 0, bodyTimeout: 0 });

/** For requests whose duration shows the delay of the line (time-round-trip.ts): no file ever waits on their connections. */
export const createProbeAgent = (options?: ConnectorOptions): Agent =>
  new Agent({ ...common(options), connections: 1 });
