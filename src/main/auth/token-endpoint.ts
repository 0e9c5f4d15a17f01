/** Tokens, and the endpoint that issues them (RFC 6749). */
import * as oauth from 'oauth4webapi';
import type { Dispatcher } from 'undici';
import { z } from 'zod';
import { type Connection, isLoopback } from '../../contract/connection.ts';
import { DeskError, type ErrorCode } from '../../contract/errors.ts';
import { exchange } from '../net/exchange.ts';
import { spokenError, translateStatus } from '../net/translate.ts';
import { assertSecure } from '../net/urls.ts';

/**
 * Matches an access token: visible ASCII, because the token is sent in a header. Some services issue tokens with
 * characters that RFC 6750 (b64token) does not allow.
 */
const accessTokenCharacters = /^[\x21-\x7e]+$/;

/**
 * The tokens from the token endpoint. `refreshAt`: when to renew the access token; `expiresAt`: when the access token
 * expires; both in ms since 1970. The times are estimates: only a 401 of the service shows that a token is no longer
 * accepted.
 */
export const TokenSet = z.object({
  accessToken: z.string().regex(accessTokenCharacters),
  refreshToken: z.string().min(1),
  expiresAt: z.number(),
  refreshAt: z.number(),
});
export type TokenSet = Readonly<z.infer<typeof TokenSet>>;

// The endpoint {auth_url}/token (API documentation: Authentication, steps 3 to 5), with oauth4webapi over the app's
// connection pool.

type TokenEndpointOptions = {
  readonly server: AuthorizationServer;
  readonly dispatcher: Dispatcher;
  readonly needs: NeedsMemory;
  readonly now: () => number;
  readonly timeoutMs?: number | undefined;
};

export type TokenEndpoint = ReturnType<typeof createTokenEndpoint>;

const maxResponseBytes = 1024 * 1024;
/**
 * The default limit for one exchange. It is short, because all calls wait for a refresh, and a server issues tokens
 * fast.
 */
const defaultTimeoutMs = 15_000;
const noClientAuthentication: oauth.ClientAuth = () => {};

/** The error codes of servers that reject a refresh because it lacks a required client_id (RFC 6749 section 5.2). */
const missesClientId: ReadonlySet<unknown> = new Set(['invalid_request', 'invalid_client']);

export const createTokenEndpoint = (options: TokenEndpointOptions) => {
  const { server, dispatcher, needs, now, timeoutMs = defaultTimeoutMs } = options;
  const { metadata, client } = server;

  const requestOptions = (
    codeOf: (error: string | undefined) => ErrorCode,
    signal?: AbortSignal,
  ): oauth.TokenEndpointRequestOptions => ({
    [oauth.customFetch]: async (url, { headers, body }) => {
      const request = { method: 'POST', url: new URL(url), headers, body: String(body), signal, timeoutMs } as const;
      const response = await exchange(dispatcher, request, maxResponseBytes);
      if (response.status === 400 || response.status === 401) {
        const details = oauthError(spokenError(response.text).error);
        throw new DeskError(codeOf(details.error), 'the token endpoint refuses', { details });
      }
      if (response.status < 200 || response.status > 299) throw translateStatus(response, request.url);
      return Response.json(readTokenResponse(response.text));
    },
    [oauth.allowInsecureRequests]: isLoopback(new URL(metadata.token_endpoint)),
  });

  const refreshOnce = (tokens: TokenSet, withClientId: boolean, signal: AbortSignal | undefined): Promise<TokenSet> =>
    understood(async () => {
      const response = await oauth.refreshTokenGrantRequest(
        metadata,
        client,
        withClientId ? oauth.None() : noClientAuthentication,
        tokens.refreshToken,
        // Only `invalid_grant` means that the refresh token is no longer valid.
        requestOptions((error) => (error === 'invalid_grant' ? 'auth/expired' : 'auth/refresh-refused'), signal),
      );
      return tokenSetOf(await oauth.processRefreshTokenResponse(metadata, client, response), now(), tokens);
    });

  return {
    /**
     * Exchanges the code of a validated callback for tokens. Sends grant_type, code, redirect_uri, client_id and
     * code_verifier.
     * @throws DeskError `auth/failed` (refused, with details `error`), `auth/token-type`, `auth/token-invalid`,
     * `auth/no-refresh-token`, `service/…`, `network/…`, `app/cancelled`
     */
    redeem: (
      callback: URLSearchParams,
      redirectUri: string,
      codeVerifier: string,
      signal: AbortSignal,
    ): Promise<TokenSet> =>
      understood(async () => {
        const response = await oauth.authorizationCodeGrantRequest(
          metadata,
          client,
          oauth.None(),
          callback,
          redirectUri,
          codeVerifier,
          requestOptions(() => 'auth/failed', signal),
        );
        return tokenSetOf(await oauth.processAuthorizationCodeResponse(metadata, client, response), now());
      }),

    /**
     * Requests the next token set. Sends grant_type and refresh_token, and also client_id if the service is known to
     * require it. If a refresh without client_id is refused as `invalid_request` or `invalid_client`, repeats the
     * refresh with client_id, and remembers the requirement if the repetition succeeds.
     * @throws DeskError `auth/expired` (the session has ended), `auth/refresh-refused` (the session continues; details
     * `error`), `auth/token-type`, `auth/token-invalid`, `service/…`, `network/…`, `app/cancelled`
     */
    refresh: async (tokens: TokenSet, signal?: AbortSignal): Promise<TokenSet> => {
      const withClientId = needs.get().clientIdOnRefresh;
      try {
        return await refreshOnce(tokens, withClientId, signal);
      } catch (error) {
        const missed = error instanceof DeskError && missesClientId.has(error.details.error);
        if (withClientId || !missed) throw error;
      }
      const next = await refreshOnce(tokens, true, signal);
      needs.learn('clientIdOnRefresh');
      return next;
    },
  };
};

/**
 * Converts an OAuth error code to error details. The code comes from outside, so it is reduced to at most 64 lower-case
 * letters and underscores. The details are empty if nothing is left.
 */
export const oauthError = (error: string | undefined): { readonly error?: string } => {
  const letters = (error ?? '').replaceAll(/[^a-z_]/g, '').slice(0, 64);
  return letters === '' ? {} : { error: letters };
};

/**
 * Runs `work`, and replaces errors other than `DeskError` with `service/malformed` without their cause: errors of
 * oauth4webapi contain the response with its tokens.
 */
const understood = async (work: () => Promise<TokenSet>): Promise<TokenSet> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DeskError) throw error;
    throw new DeskError('service/malformed', 'the token endpoint returned no tokens', { retry: 'later' });
  }
};

/** Makes a field optional. Some servers send `null` for a missing field. */
const absent = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? undefined);

/**
 * The fields of a token response that the app uses (API documentation: Authentication, step 4). Others, such as an
 * id_token, are ignored.
 */
const Fields = z.object({
  access_token: z.unknown().optional(),
  refresh_token: absent(z.string()),
  // In seconds. Some servers send the number as text.
  expires_in: absent(
    z.union([
      z.number().min(0),
      z
        .string()
        .regex(/^\d{1,20}(\.\d{1,20})?$/)
        .transform(Number),
    ]),
  ),
  // RFC 6749 requires token_type, but the API does not define it.
  token_type: z.unknown().default('bearer'),
});

/**
 * The maximum length of an access token or a refresh token. The access token is sent in a header, and few servers
 * accept more than 16 kB of headers.
 */
const LONGEST_TOKEN_CHARS = 16 * 1024;
/**
 * The lifetime that is assumed if the response has none or 0, which some servers send for a token that does not expire.
 * With a lifetime of 0, each call would renew the token. A wrong assumption does little harm: a 401 leads to a refresh.
 */
const USUAL_LIFETIME_S = 3600;
/** The maximum lifetime. A longer one has no benefit, and times computed from a huge one would not be exact numbers. */
const LONGEST_LIFETIME_S = 365 * 24 * 3600;

/** Matches a refresh token (RFC 6749 appendix A.17). It can contain spaces, because it is sent in an encoded form. */
const refreshTokenCharacters = /^[\x20-\x7e]+$/;

/**
 * Parses the body of a 2xx response, except the access token, which oauth4webapi and `tokenSetOf` check.
 * @throws DeskError `auth/token-type` (details `type`) if the type is a text other than Bearer: such tokens may need a
 * proof of possession (RFC 9449); SyntaxError if `body` is not JSON; ZodError if `body` is not an object, or if a
 * checked field is not valid
 */
const readTokenResponse = (body: string): z.infer<typeof Fields> => {
  const fields = Fields.parse(JSON.parse(body));
  const { token_type: type } = fields;
  if (typeof type === 'string' && type.toLowerCase() !== 'bearer') {
    throw new DeskError('auth/token-type', 'the token endpoint issues tokens of another type', {
      details: { type: type.replaceAll(/[^\w-]/g, '').slice(0, 20) || 'unknown' },
    });
  }
  return fields;
};

/**
 * Creates the token set of a response. If a refresh returns no refresh token (RFC 6749 section 6), that of `previous`
 * stays.
 * @throws DeskError `auth/token-invalid` (details `field`, `problem`: `characters` or `length`),
 * `auth/no-refresh-token`
 */
const tokenSetOf = (response: oauth.TokenEndpointResponse, nowMs: number, previous?: TokenSet): TokenSet => {
  const refreshToken = response.refresh_token ?? previous?.refreshToken;
  if (refreshToken === undefined) {
    throw new DeskError('auth/no-refresh-token', 'the token endpoint issued no refresh token');
  }
  assertSendable('access_token', response.access_token, accessTokenCharacters);
  assertSendable('refresh_token', refreshToken, refreshTokenCharacters);
  const lifetimeMs = Math.min(response.expires_in || USUAL_LIFETIME_S, LONGEST_LIFETIME_S) * 1000;
  const expiresAt = nowMs + lifetimeMs;
  return {
    accessToken: response.access_token,
    refreshToken,
    expiresAt,
    refreshAt: expiresAt - Math.min(60_000, lifetimeMs / 10),
  };
};

const assertSendable = (field: string, token: string, characters: RegExp): void => {
  const problem =
    token.length > LONGEST_TOKEN_CHARS ? 'length' : characters.test(token) ? undefined : ('characters' as const);
  if (problem === undefined) return;
  throw new DeskError('auth/token-invalid', `the ${field} cannot be sent`, { details: { field, problem } });
};

// Requirements of a service beyond the API documentation. The app first sends what is documented. If that is not
// enough, the app also sends the additional parameter, and remembers the requirement if that succeeds
// (docs/adr/0015-sign-in-needs.md).

type SignInNeeds = {
  /** The service requires `client_id` with each refresh, to identify a public client (RFC 6749 section 3.2.1). */
  readonly clientIdOnRefresh: boolean;
  /** The service issues a refresh token only if the request had `prompt=consent` (OpenID Connect Core section 11). */
  readonly consentPrompt: boolean;
};

export type NeedsMemory = ReturnType<typeof createNeedsMemory>;

/**
 * Creates the memory of a connection's requirements. At first it contains `known`. After each new requirement, `keep`
 * receives all of them, to store them.
 */
export const createNeedsMemory = (known: Partial<SignInNeeds> = {}, keep: (needs: SignInNeeds) => void = () => {}) => {
  let needs: SignInNeeds = { clientIdOnRefresh: false, consentPrompt: false, ...known };
  return {
    get: (): SignInNeeds => needs,
    learn: (need: keyof SignInNeeds): void => {
      needs = { ...needs, [need]: true };
      keep(needs);
    },
  };
};

export type AuthorizationServer = ReturnType<typeof authorizationServer>;

/**
 * Describes the authorization server for oauth4webapi: its two endpoints below {auth_url} (API documentation:
 * Authentication, Endpoints), without discovery (RFC 8414).
 * @throws DeskError `connection/insecure`, `input/invalid`
 */
export const authorizationServer = ({
  authUrl,
  clientId,
  scope,
}: Pick<Connection, 'authUrl' | 'clientId' | 'scope'>) => {
  const base = assertSecure(authUrl).href.replace(/\/+$/, '');
  return {
    metadata: { issuer: base, authorization_endpoint: `${base}/authorize`, token_endpoint: `${base}/token` },
    client: { client_id: clientId },
    /** The scope to request. If undefined, no scope is sent, because the API defines none. */
    scope,
  };
};
