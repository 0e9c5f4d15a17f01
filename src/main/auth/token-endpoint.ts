/** {auth_url}/token (interface: Authentication, steps 3 to 5), with oauth4webapi over the app's connection pool. */
import * as oauth from 'oauth4webapi';
import type { Dispatcher } from 'undici';
import { DeskError, type ErrorCode } from '../../contract/errors.ts';
import { exchange } from '../net/exchange.ts';
import { isLoopback } from '../net/secure-url.ts';
import { spokenError } from '../net/spoken-error.ts';
import { translateStatus } from '../net/translate.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { NeedsMemory } from './sign-in-needs.ts';
import { readTokenAnswer, tokenSetOf } from './token-response.ts';
import type { TokenSet } from './tokens.ts';

type TokenEndpointOptions = {
  readonly server: AuthorizationServer;
  readonly dispatcher: Dispatcher;
  /** Sends client_id with each refresh. The interface does not list it there, so it is sent only if needed. */
  readonly sendClientIdOnRefresh: boolean;
  readonly needs: NeedsMemory;
  readonly now: () => number;
  /** The limit for one exchange. Default: 15 s. */
  readonly timeoutMs?: number | undefined;
};

export type TokenEndpoint = {
  /**
   * Exchanges the code of a validated callback. Sends grant_type, code, redirect_uri, client_id and code_verifier.
   * @throws DeskError `auth/failed` (refused, with details `error`), `auth/token-type`, `auth/token-invalid`,
   *   `auth/no-refresh-token`, `service/…`, `app/cancelled`
   */
  readonly redeem: (
    callback: URLSearchParams,
    redirectUri: string,
    codeVerifier: string,
    signal: AbortSignal,
  ) => Promise<TokenSet>;
  /**
   * The next token set. Sends grant_type and refresh_token; where that is refused because the client id is missing, once more with
   * client_id, which is then remembered.
   * @throws DeskError `auth/expired` (the session has ended), `auth/refresh-refused` (it continues; details `error`),
   *   `auth/token-type`, `auth/token-invalid`, `service/…`, `app/cancelled`
   */
  readonly refresh: (tokens: TokenSet, signal?: AbortSignal) => Promise<TokenSet>;
};

const maxAnswerBytes = 1024 * 1024;
/** All calls wait for a refresh, and issuing tokens is fast. */
const defaultTimeoutMs = 15_000;
const noClientAuthentication: oauth.ClientAuth = () => {};

/** The errors of a refresh without a required client_id (RFC 6749 section 5.2). */
const missesClientId: ReadonlySet<unknown> = new Set(['invalid_request', 'invalid_client']);

/** The token endpoint of `server`. */
export const createTokenEndpoint = (options: TokenEndpointOptions): TokenEndpoint => {
  const { server, dispatcher, sendClientIdOnRefresh, needs, now, timeoutMs = defaultTimeoutMs } = options;
  const { metadata, client } = server;

  const requestOptions = (
    codeOf: (error: string | undefined) => ErrorCode,
    signal?: AbortSignal,
  ): oauth.TokenEndpointRequestOptions => ({
    [oauth.customFetch]: async (url, { headers, body }) => {
      const request = { method: 'POST', url: new URL(url), headers, body: String(body), signal, timeoutMs } as const;
      const answer = await exchange(dispatcher, request, maxAnswerBytes);
      if (answer.status === 400 || answer.status === 401) {
        const details = oauthError(spokenError(answer.text).error);
        throw new DeskError(codeOf(details.error), 'the token endpoint refuses', { details });
      }
      if (answer.status < 200 || answer.status > 299) throw translateStatus(answer);
      return Response.json(readTokenAnswer(answer.text));
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
    redeem: (callback, redirectUri, codeVerifier, signal) =>
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

    refresh: async (tokens, signal) => {
      const withClientId = sendClientIdOnRefresh || needs.get().clientIdOnRefresh;
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

/** An OAuth error code as details, restricted to the characters of such codes because it comes from outside. */
export const oauthError = (error: string | undefined): { readonly error?: string } => {
  const letters = (error ?? '').replaceAll(/[^a-z_]/g, '').slice(0, 64);
  return letters === '' ? {} : { error: letters };
};

/** No cause: the errors of oauth4webapi contain the answer with its tokens. */
const understood = async (work: () => Promise<TokenSet>): Promise<TokenSet> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DeskError) throw error;
    throw new DeskError('service/malformed', 'the token endpoint did not answer with tokens', { retry: 'later' });
  }
};
