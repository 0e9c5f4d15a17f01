import { createHash } from 'node:crypto';
import type { Connection } from '../../contract/connection.ts';

const normal = (address: string): string => new URL(address).href.replace(/\/+$/, '');

/**
 * A short, stable id of a connection (addresses and client id; 16 hexadecimal digits). Token sets and upload queues are
 * stored under it, so neither is ever used with another service or client.
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
