/** The authorization server of a connection, as oauth4webapi describes it. */
import type * as oauth from 'oauth4webapi';
import type { Connection } from '../../contract/connection.ts';
import { assertSecure } from '../net/urls.ts';

export type AuthorizationServer = {
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
  readonly metadata: oauth.AuthorizationServer;
  readonly client: oauth.Client;
  /** The scope to request. Absent: none is sent, because the interface has no scopes. */
  readonly scope: string | undefined;
};

/**
 * The two endpoints of {auth_url} (interface: Authentication, Endpoints); nothing is discovered.
 * @throws DeskError `connection/insecure`, `input/invalid`
 */
export const authorizationServer = ({
  authUrl,
  clientId,
  scope,
}: Pick<Connection, 'authUrl' | 'clientId' | 'scope'>): AuthorizationServer => {
  const base = assertSecure(authUrl).href.replace(/\/+$/, '');
  const authorizeUrl = `${base}/authorize`;
  const tokenUrl = `${base}/token`;
  return {
    authorizeUrl,
    tokenUrl,
    metadata: { issuer: base, authorization_endpoint: authorizeUrl, token_endpoint: tokenUrl },
    client: { client_id: clientId },
    scope,
  };
};
