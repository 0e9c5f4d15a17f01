import { createHash } from 'node:crypto';
import type { Connection } from '../../contract/connection.ts';

const normal = (address: string): string => new URL(address).href.replace(/\/+$/, '');

/**
 * The key of a connection: 16 hexadecimal digits, from a hash of its addresses and client id. Tokens, batches and offline data
 * are stored under this key, so none of them is ever used with another service or client.
 */
export const connectionIdOf = ({
  baseUrl,
  authUrl,
  clientId,
}: Pick<Connection, 'baseUrl' | 'authUrl' | 'clientId'>): string =>
  createHash('sha256')
    .update(JSON.stringify([normal(baseUrl), normal(authUrl), clientId]))
    .digest('hex')
    .slice(0, 16);
