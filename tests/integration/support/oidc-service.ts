/**
 * Starts a service with the sign-in of a certified OpenID provider: oidc-provider with a public native client, PKCE and
 * rotating refresh tokens. The API is the sandbox's. A bridge in front of the API asks the provider about each token.
 */
import { createPublicKey, generateKeyPairSync, type JsonWebKey, verify as verifySignature } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import Provider, { type Configuration } from 'oidc-provider';
import { portOf } from '../../../src/main/net/urls.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/server.ts';
import { signIn as signInAtSandbox } from '../../../src/sandbox/testing/client.ts';
import { createSandboxControl, type SandboxControl } from '../../../src/sandbox/testing/control-client.ts';
import { createPerson, type Person } from './oidc-person.ts';

export type OidcService = {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly clientId: string;
  /** The scope that the client may request in order to stay signed in. */
  readonly scope: string;
  readonly sandbox: Sandbox;
  readonly control: SandboxControl;
  readonly person: Person;
  /** The forms that were sent to the token endpoint, in order, with the status of the response. */
  readonly exchanges: readonly Exchange[];
  /** Expires the access tokens with which the API has been called so far; refresh tokens stay valid. */
  readonly expireAccessTokens: () => Promise<void>;
  /** Revokes a refresh token and all tokens of the same grant (RFC 7009). */
  readonly revoke: (refreshToken: string) => Promise<void>;
  readonly endSessions: () => Promise<void>;
  /** Posts a form to the token endpoint, as another program would. */
  readonly postToken: (form: Readonly<Record<string, string>>) => Promise<Response>;
  readonly close: () => Promise<void>;
};

type Exchange = { readonly form: Readonly<Record<string, string>>; readonly status: number };

type Options = { readonly accessTokens?: 'opaque' | 'jwt' };

/** The lifetimes are longer than any test. Tests end tokens and sessions themselves. */
const lifetimesS = {
  AccessToken: 3600,
  AuthorizationCode: 60,
  Grant: 3600,
  IdToken: 3600,
  Interaction: 3600,
  RefreshToken: 3600,
  Session: 3600,
};

const bridgeClient = { id: 'bridge', secret: 'the bridge of these tests' };

const configurationOf = ({ accessTokens = 'opaque' }: Options, baseUrl: string): Configuration => ({
  clients: [
    {
      client_id: 'inspection-desk',
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      scope: 'openid offline_access inspections',
      redirect_uris: ['http://127.0.0.1/oauth/callback', 'com.inspectiondesk.app:/oauth/callback'],
    },
    {
      client_id: bridgeClient.id,
      client_secret: bridgeClient.secret,
      grant_types: [],
      response_types: [],
      redirect_uris: [],
    },
  ],
  scopes: ['openid', 'offline_access', 'inspections', 'administration'],
  // The two addresses in the description of the API.
  routes: { authorization: '/authorize', token: '/token' },
  pkce: { required: () => true },
  rotateRefreshToken: true,
  jwks: { keys: [generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })] },
  ttl: lifetimesS,
  cookies: { keys: ['the cookies of these tests'] },
  findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  features: {
    devInteractions: { enabled: true },
    introspection: { enabled: true, allowedPolicy: () => true },
    revocation: { enabled: true, allowedPolicy: () => true },
    resourceIndicators: {
      enabled: accessTokens === 'jwt',
      defaultResource: () => `${baseUrl}/`,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope: 'inspections',
        audience: baseUrl,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'RS256' } },
      }),
    },
  },
});

export const startOidcService = async (options: Options = {}): Promise<OidcService> => {
  const sandbox = await startSandbox({ consent: 'auto', protocols: 60 });
  const { access_token: sandboxToken } = await signInAtSandbox(sandbox);
  const exchanges: Exchange[] = [];
  const ended = new Set<string>();
  const seen = new Set<string>();

  const api = await listen((request, response) => void bridge(request, response).catch(() => response.destroy()));
  const identity = await listen((request, response) => {
    if (request.url === '/token') recordExchange(request, response, exchanges);
    answer(request, response);
  });
  const provider = new Provider(identity.url, configurationOf(options, api.url));
  const answer = provider.callback();
  const refreshTokens: { readonly destroy: () => Promise<void> }[] = [];
  provider.on('refresh_token.saved', (token) => void refreshTokens.push(token));

  const isActive = async (token: string): Promise<boolean> => {
    seen.add(token);
    if (ended.has(token)) return false;
    // A JWT is verified here, because the provider does not store it and cannot introspect it.
    if (options.accessTokens === 'jwt') return verify(token, identity.url);
    const basic = Buffer.from(`${bridgeClient.id}:${encodeURIComponent(bridgeClient.secret)}`).toString('base64');
    const asked = await fetch(`${identity.url}/token/introspection`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams({ token }),
    });
    const { active } = (await asked.json()) as { readonly active?: boolean };
    return active === true;
  };

  const bridge = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const [, token] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
    if (token === undefined || !(await isActive(token))) return void response.writeHead(401).end();
    const answered = await fetch(`${sandbox.baseUrl}${request.url}`, {
      method: request.method ?? 'GET',
      headers: {
        authorization: `Bearer ${sandboxToken}`,
        ...(request.headers['content-type'] && { 'content-type': request.headers['content-type'] }),
      },
      ...(body.byteLength > 0 && { body }),
    });
    response.writeHead(answered.status, { 'content-type': answered.headers.get('content-type') ?? 'text/plain' });
    response.end(Buffer.from(await answered.arrayBuffer()));
  };

  return {
    baseUrl: api.url,
    authUrl: identity.url,
    clientId: 'inspection-desk',
    scope: 'openid offline_access inspections',
    sandbox,
    control: createSandboxControl(sandbox),
    person: createPerson(identity.url),
    exchanges,
    expireAccessTokens: async () => {
      for (const token of seen) {
        ended.add(token);
        await (await provider.AccessToken.find(token))?.destroy();
      }
    },
    revoke: async (token) => {
      const body = new URLSearchParams({ token, client_id: 'inspection-desk' });
      await fetch(`${identity.url}/token/revocation`, { method: 'POST', body });
    },
    endSessions: async () => {
      for (const token of refreshTokens) await token.destroy();
    },
    postToken: (form) => fetch(`${identity.url}/token`, { method: 'POST', body: new URLSearchParams(form) }),
    close: async () => {
      for (const { server } of [api, identity]) {
        server.close();
        server.closeAllConnections();
      }
      await sandbox.close();
    },
  };
};

const listen = async (listener: RequestListener): Promise<{ readonly server: Server; readonly url: string }> => {
  const server = createServer(listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, url: `http://127.0.0.1:${portOf(server)}` };
};

/** Records the forms that are sent to the token endpoint. The provider can still read them. */
const recordExchange = (request: IncomingMessage, response: ServerResponse, exchanges: Exchange[]): void => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  response.on('finish', () => {
    const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString('utf8')));
    exchanges.push({ form, status: response.statusCode });
  });
};

/** Verifies a JWT with the provider's published keys (RFC 9068). */
const verify = async (token: string, issuer: string): Promise<boolean> => {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const { keys } = (await (await fetch(`${issuer}/jwks`)).json()) as { readonly keys: readonly JsonWebKey[] };
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as { readonly exp: number };
  return (
    claims.exp * 1000 > Date.now() &&
    keys.some((key) =>
      verifySignature(
        'RSA-SHA256',
        Buffer.from(`${header}.${payload}`),
        createPublicKey({ key, format: 'jwk' }),
        Buffer.from(signature, 'base64url'),
      ),
    )
  );
};
