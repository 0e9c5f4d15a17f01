/** Addresses of the service, and of local servers. */
import type { Server } from 'node:net';
import { isLoopback } from '../../contract/connection.ts';
import { DeskError } from '../../contract/errors.ts';

// Tokens may be sent over https to any host, and over http to this machine only.

/**
 * Parses `address`, and checks that a token may be sent to it. Used for the base address of the service and the
 * authorization address. Signed upload URLs have stricter rules (uploads/storage/signed-url.ts).
 * @throws DeskError `connection/insecure` unless `address` is https, or http to a loopback host; `input/invalid` if it
 * is not an address. The errors contain no part of the address except its host, because a signed URL is a credential
 */
export const assertSecure = (address: string | URL): URL => {
  if (!URL.canParse(String(address))) throw new DeskError('input/invalid', 'not an address');
  const url = new URL(address);
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))) return url;
  throw new DeskError('connection/insecure', 'refused an address that is not https', { details: { host: url.host } });
};

/**
 * The maximum number of origins that a pool connects to, or that the app remembers something about. More belong to a
 * service that signs each file for another host.
 */
export const MOST_ORIGINS = 64;

export const portOf = (server: Server): number => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return address.port;
};
