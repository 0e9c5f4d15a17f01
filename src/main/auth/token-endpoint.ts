/** Tokens, and the endpoint that issues them (RFC 6749). */
import * as oauth from 'oauth4webapi';
import type { Dispatcher } from 'undici';
import { z } from 'zod';
import type { Connection } from '../../contract/connection.ts';
import { DeskError, type ErrorCode } from '../../contract/errors.ts';
import { exchange } from '../net/exchange.ts';
import { spokenError, translateStatus } from '../net/translate.ts';
import { assertSecure, isLoopback } from '../net/urls.ts';

// Tokens as the app holds them.

/** An access token is sent in a header: visible ASCII. Not every service keeps to RFC 6750's narrower b64token. */
const accessTokenCharacters = /^[\x21-\x7e]+$/;

/**
 * The tokens from the token endpoint. `expiresAt`, and `refreshAt` before it: ms since 1970. Neither is trusted for
 * correctness: a 401 of the service decides.
 */
export const TokenSet = z.object({
  accessToken: z.string().regex(accessTokenCharacters),
  refreshToken: z.string().min(1),
  expiresAt: z.number(),
  refreshAt: z.number(),
});
export type TokenSet = Readonly<z.infer<typeof TokenSet>>;

// {auth_url}/token (interface: Authentication, steps 3 to 5), with oauth4webapi over the app's connection pool.

type TokenEndpointOptions = {
  readonly server: AuthorizationServer;
  readonly dispatcher: Dispatcher;
  readonly needs: NeedsMemory;
  readonly now: () => number;
  /** The limit for one exchange. Default: 15 s. */
  readonly timeoutMs?: number | undefined;
};

export type TokenEndpoint = ReturnType<typeof createTokenEndpoint>;

const maxResponseBytes = 1024 * 1024;
/** Short, because all calls wait for a refresh, and issuing tokens is fast. */
const defaultTimeoutMs = 15_000;
const noClientAuthentication: oauth.ClientAuth = () => {};

/** The errors of a refresh without a required client_id (RFC 6749 section 5.2). */
const missesClientId: ReadonlySet<unknown> = new Set(['invalid_request', 'invalid_client']);

/** The token endpoint of `server`. */
export const createTokenEndpoint = (options: TokenEndpointOptions) => {
  const { server, dispatcher, needs, now, timeoutMs = defaultTimeoutMs } = options;
  const { metadata, client } = server;

  const requestOptions = (
    codeOf: (error: string | undefined) => ErrorCode,
    signal?: AbortSignal,
  ): oauth.TokenEndpointRequestOptions => ({
    [oauth.customFetch]: async (url, { headers, body }) => {
      const request = { method: 'POST', url: new URL(url), headers, body: String(body), signal, timeoutMs } as const;
      const answer = await exchange(dispatcher, request, maxResponseBytes);
      if (answer.status === 400 || answer.status === 401) {
        const details = oauthError(spokenError(answer.text).error);
        throw new DeskError(codeOf(details.error), 'the token endpoint refuses', { details });
      }
      if (answer.status < 200 || answer.status > 299) throw translateStatus(answer);
      return Response.json(readTokenResponse(answer.text));
    },
    [oauth.allowInsecureRequests]: isLoopback(new URL(server.tokenUrl)),
  });

  const refreshOnce = (tokens: TokenSet, withClientId: boolean, signal: AbortSignal | undefined): Promise<TokenSet> =>
    understood(async () => {
      const response = await oauth.refreshTokenGrantRequest(
        metadata,
        client,
        withClientId ? oauth.None() : noClientAuthentication,
        tokens.refreshToken,
        // Only this error means that the refresh token is no longer valid.
        requestOptions((error) => (error === 'invalid_grant' ? 'auth/expired' : 'auth/refresh-refused'), signal),
      );
      return tokenSetOf(await oauth.processRefreshTokenResponse(metadata, client, response), now(), tokens);
    });

  return {
    /**
     * Exchanges the code of a validated callback. Sends grant_type, code, redirect_uri, client_id and code_verifier.
     * @throws DeskError `auth/failed` (refused, with details `error`), `auth/token-type`, `auth/token-invalid`,
     *   `auth/no-refresh-token`, `service/…`, `app/cancelled`
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
     * The next token set. Sends grant_type and refresh_token; if that is refused because the client id is missing, once more
     * with client_id, which is then remembered.
     * @throws DeskError `auth/expired` (the session has ended), `auth/refresh-refused` (it continues; details `error`),
     *   `auth/token-type`, `auth/token-invalid`, `service/…`, `app/cancelled`
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
 * An OAuth error code as error details, restricted to the characters allowed in such codes because it comes from
 * outside.
 */
export const oauthError = (error: string | undefined): { readonly error?: string } => {
  const letters = (error ?? '').replaceAll(/[^a-z_]/g, '').slice(0, 64);
  return letters === '' ? {} : { error: letters };
};

/** Translates errors, without their cause: the errors of oauth4webapi contain the response with its tokens. */
const understood = async (work: () => Promise<TokenSet>): Promise<TokenSet> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DeskError) throw error;
    throw new DeskError('service/malformed', 'the token endpoint did not answer with tokens', { retry: 'later' });
  }
};

// The parts of a token response that the app uses (interface: Authentication, step 4), and which tokens it can send.

/** Some servers send `null` for missing fields. */
const absent = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? undefined);

/** All other fields are ignored, for example an id_token, which the interface does not have. */
const Fields = z.object({
  access_token: z.unknown().optional(),
  refresh_token: absent(z.string()),
  // Seconds; some servers write numbers as text.
  expires_in: absent(
    z.union([
      z.number().min(0),
      z
        .string()
        .regex(/^\d{1,20}$/)
        .transform(Number),
    ]),
  ),
  // RFC 6749 requires token_type, but the interface does not have it.
  token_type: z.unknown().default('bearer'),
});

/** Servers commonly accept 16 kB of headers, so a longer token could never be sent. */
const LONGEST_TOKEN_CHARS = 16 * 1024;
/** Used if the response has no lifetime. Lifetimes are never trusted for correctness. */
const USUAL_LIFETIME_S = 3600;
/** A longer lifetime gains nothing, and its times would not be exact numbers. */
const LONGEST_LIFETIME_S = 365 * 24 * 3600;

/** The characters of a refresh token (RFC 6749 appendix A.17). It is sent in a form, which encodes them. */
const refreshTokenCharacters = /^[\x20-\x7e]+$/;

/**
 * The fields of the body of a 2xx response.
 * @throws DeskError `auth/token-type` (details `type`) for tokens other than Bearer tokens, which may need a
 *   proof of possession (RFC 9449); SyntaxError, ZodError for anything that is not a token response
 */
export const readTokenResponse = (body: string): z.infer<typeof Fields> => {
  const fields = Fields.parse(JSON.parse(body));
  const { token_type: type } = fields;
  if (typeof type === 'string' && type.toLowerCase() !== 'bearer') {
    throw new DeskError('auth/token-type', 'the token endpoint issues tokens of another type', {
      details: { type: type.replaceAll(/[^\w-]/g, '').slice(0, 20) || 'unknown' },
    });
  }
  return fields;
};

type Issued = {
  readonly access_token: string;
  readonly refresh_token?: string | undefined;
  readonly expires_in?: number | undefined;
};

/**
 * The token set of a response. A refresh may return no new refresh token (RFC 6749 section 6): then `previous` stays.
 * @throws DeskError `auth/token-invalid` (details `field`, `problem`: `characters` or `length`), `auth/no-refresh-token`
 */
export const tokenSetOf = (answer: Issued, nowMs: number, previous?: TokenSet): TokenSet => {
  const refreshToken = answer.refresh_token ?? previous?.refreshToken;
  if (refreshToken === undefined) {
    throw new DeskError('auth/no-refresh-token', 'the token endpoint issued no refresh token');
  }
  assertSendable('access_token', answer.access_token, accessTokenCharacters);
  assertSendable('refresh_token', refreshToken, refreshTokenCharacters);
  const lifetimeMs = Math.min(answer.expires_in ?? USUAL_LIFETIME_S, LONGEST_LIFETIME_S) * 1000;
  const expiresAt = nowMs + lifetimeMs;
  return {
    accessToken: answer.access_token,
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

// Requirements of a service beyond the API documentation. The app first follows the documentation. If the service
// rejects that, the app tries the stricter way once and remembers which one worked (docs/adr/0015-sign-in-needs.md).

type SignInNeeds = {
  /** `client_id` with each refresh (RFC 6749 section 3.2.1, for public clients). */
  readonly clientIdOnRefresh: boolean;
  /** `prompt=consent` with the authorization request (OpenID Connect Core section 11), or there is no refresh token. */
  readonly consentPrompt: boolean;
};

/** The needs of one connection. */
export type NeedsMemory = ReturnType<typeof createNeedsMemory>;

/** Starts with `known`; calls `keep` with newly learned requirements. */
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

// The authorization server of a connection, as oauth4webapi describes it.

export type AuthorizationServer = ReturnType<typeof authorizationServer>;

/**
 * The two endpoints of {auth_url} (interface: Authentication, Endpoints); nothing is discovered.
 * @throws DeskError `connection/insecure`, `input/invalid`
 */
export const authorizationServer = ({
  authUrl,
  clientId,
  scope,
}: Pick<Connection, 'authUrl' | 'clientId' | 'scope'>) => {
  const base = assertSecure(authUrl).href.replace(/\/+$/, '');
  const authorizeUrl = `${base}/authorize`;
  const tokenUrl = `${base}/token`;
  return {
    authorizeUrl,
    tokenUrl,
    metadata: { issuer: base, authorization_endpoint: authorizeUrl, token_endpoint: tokenUrl },
    client: { client_id: clientId },
    /** The scope to request. Absent: none is sent, because the interface has no scopes. */
    scope,
  };
};
