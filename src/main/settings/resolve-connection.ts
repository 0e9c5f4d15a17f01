/** Combines the connection from its sources, and computes its key. */

import { createHash } from 'node:crypto';
import { constantCase } from 'es-toolkit/string/constantCase';
import { addressRefusal, Connection } from '../../contract/connection.ts';
import { DeskError } from '../../contract/errors.ts';
import type { Settings } from './schema.ts';

export const connectionFields = ['baseUrl', 'authUrl', 'clientId', 'redirectUri', 'scope'] as const;
type ConnectionField = (typeof connectionFields)[number];

/** The fields of a connection in one source. A field that is missing or empty is taken from the next source. */
export type ConnectionLayer = { readonly [Field in ConnectionField]?: string | undefined } & {
  readonly sample?: boolean | undefined;
};

export const layerBy = (read: (field: ConnectionField) => string | undefined): ConnectionLayer =>
  Object.fromEntries(connectionFields.map((field) => [field, read(field)]));

export type ResolvedConnection = { readonly connection: Connection; readonly redirectUri?: string };

/**
 * Creates the layer of the variables INSPECTION_DESK_BASE_URL, _AUTH_URL, _CLIENT_ID, _REDIRECT_URI and _SCOPE in
 * `environment`.
 */
export const environmentLayer = (environment: Readonly<Record<string, string | undefined>>): ConnectionLayer =>
  layerBy((field) => environment[`INSPECTION_DESK_${constantCase(field)}`]);

export const settingsLayer = ({ connection, redirectUri }: Settings): ConnectionLayer => ({
  ...connection,
  redirectUri,
});

/**
 * Combines `layers` into a connection: each field has the value of the first layer that has the field. Callers pass the
 * layers in this order: policy, options, environment, settings. `sample` is that of the layer with the base URL.
 * @throws DeskError `connection/missing` (details `missing`: the required fields that no layer has, separated by
 * commas), `connection/insecure`, `connection/address`, `input/invalid` (details `field`)
 */
export const resolveConnection = (layers: readonly ConnectionLayer[]): ResolvedConnection => {
  const first = (field: ConnectionField): string | undefined =>
    layers.map((layer) => layer[field]).find((value) => value !== undefined && value !== '');
  const given = { baseUrl: first('baseUrl'), authUrl: first('authUrl'), clientId: first('clientId') };

  const missing = Object.entries(given).flatMap(([field, value]) => (value === undefined ? [field] : []));
  if (missing.length > 0) {
    throw new DeskError('connection/missing', 'the service is not configured', {
      details: { missing: missing.join(',') },
    });
  }

  for (const field of ['baseUrl', 'authUrl'] as const) {
    const refusal = addressRefusal(field, given[field] ?? '');
    if (refusal) throw refusal;
  }
  const sample = layers.find(({ baseUrl }) => baseUrl === given.baseUrl)?.sample ?? false;
  const scope = first('scope')?.trim().split(/\s+/).join(' ') || undefined;
  const parsed = Connection.safeParse({ ...given, sample, ...(scope !== undefined && { scope }) });
  if (!parsed.success) {
    const field = String(parsed.error.issues[0]?.path[0]);
    throw new DeskError('input/invalid', `${field} is not valid`, { details: { field } });
  }
  const redirectUri = first('redirectUri');
  return { connection: parsed.data, ...(redirectUri === undefined ? {} : { redirectUri }) };
};

const normal = (address: string): string => new URL(address).href.replace(/\/+$/, '');

/**
 * Computes the key of a connection: 16 hexadecimal digits, from a hash of its addresses and client id. Tokens, batches
 * and offline data are stored under this key, so that they are never used with another service or client.
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
