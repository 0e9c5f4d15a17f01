/**
 * The app's pools of connections. Two, so that thousands of uploads never queue in front of a click. Both keep
 * connections alive, speak HTTP/1.1 and follow no redirect (undici does so only through an interceptor): a redirect
 * could carry a token elsewhere. Each is a `Dispatcher`: the seam where a proxy goes in. `destroy` breaks off what is
 * still under way and closes every socket.
 */
import { Agent } from 'undici';
import { createConnector, type Trust } from './connector.ts';

const common = (trust?: Trust) => ({ allowH2: false, connect: createConnector(trust) });

/** For the service and the token endpoint. */
export const createApiAgent = (trust?: Trust): Agent =>
  new Agent({ ...common(trust), connections: 16, headersTimeout: 60_000, bodyTimeout: 60_000 });

/**
 * For signed upload Urls. How long a transfer may stand still (uploads/storage/put-request.ts) and how many run at once
 * is the upload engine's to say.
 */
export const createStorageAgent = (trust?: Trust): Agent =>
  new Agent({ ...common(trust), headersTimeout: 0, bodyTimeout: 0 });
