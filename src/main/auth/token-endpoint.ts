/** {auth_url}/token (interface: Authentication, steps 3 to 5), by oauth4webapi over the app's own connections. */
import * as oauth from 'oauth4webapi';
import type { Dispatcher } from 'undici';
import { z } from 'zod';
import { DeskError, type ErrorCode } from '../../contract/errors.ts';
import { TokenResponse } from '../../contract/resources.ts';
import { exchange } from '../net/exchange.ts';
import { isLoopback } from '../net/secure-url.ts';
import { spokenError } from '../net/spoken-error.ts';
import { translateStatus } from '../net/translate.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { TokenSet } from './tokens.ts';

export type TokenEndpointOptions = {
  readonly server: AuthorizationServer;
  readonly dispatcher: Dispatcher;
  /** Adds client_id to a refresh. The interface does not list it there, so it is not sent by default. */
  readonly sendClientIdOnRefresh: boolean;
  readonly now: () => number;
  /** For one exchange as a whole. Default: 15 s. */
  readonly timeoutMs?: number | undefined;
};

export type TokenEndpoint = {
  /**
   * Exchanges the code of a validated callback. Sends grant_type, code, redirect_uri, client_id and code_verifier.
   * @throws DeskError `auth/failed` (refused, with details `error`), `service/…`, `app/cancelled`
   */
  readonly redeem: (
    callback: URLSearchParams,
    redirectUri: string,
    codeVerifier: string,
    signal: AbortSignal,
  ) => Promise<TokenSet>;
  /**
   * The next token set. Sends grant_type and refresh_token.
   * @throws DeskError `auth/expired` (refused, with details `error`), `service/…`, `app/cancelled`
   */
  readonly refresh: (tokens: TokenSet, signal?: AbortSignal) => Promise<TokenSet>;
};

const maxAnswerBytes = 1024 * 1024;
/** Every call waits for a refresh. Tokens are short and need no work that takes longer. */
const defaultTimeoutMs = 15_000;
const noClientAuthentication: oauth.ClientAuth = () => {};

/** What counts of a token answer. An id_token, say, is not ours to judge: the interface knows none. */
const Fields = z.object({
  access_token: z.unknown().optional(),
  refresh_token: z.unknown().optional(),
  expires_in: z.unknown().optional(),
  // RFC 6749 requires token_type, the interface does not have it.
  token_type: z.unknown().default('bearer'),
});

/** The token endpoint of `server`. */
export const createTokenEndpoint = (options: TokenEndpointOptions): TokenEndpoint => {
  const { server, dispatcher, sendClientIdOnRefresh, now, timeoutMs = defaultTimeoutMs } = options;
  const { metadata, client } = server;

  const requestOptions = (refused: ErrorCode, signal?: AbortSignal): oauth.TokenEndpointRequestOptions => ({
    [oauth.customFetch]: async (url, { headers, body }) => {
      const request = { method: 'POST', url: new URL(url), headers, body: String(body), signal, timeoutMs } as const;
      const answer = await exchange(dispatcher, request, maxAnswerBytes);
      if (answer.status === 400 || answer.status === 401) {
        throw new DeskError(refused, 'the token endpoint refuses', {
          details: oauthError(spokenError(answer.text).error),
        });
      }
      if (answer.status < 200 || answer.status > 299) throw translateStatus(answer, now());
      return Response.json(Fields.parse(JSON.parse(answer.text)));
    },
    [oauth.allowInsecureRequests]: isLoopback(new URL(server.tokenUrl)),
  });

  const tokenSet = (answer: oauth.TokenEndpointResponse, previous?: TokenSet): TokenSet => {
    // RFC 6749 section 6: a refresh may leave the refresh token as it was.
    const parsed = TokenResponse.parse({ ...answer, refresh_token: answer.refresh_token ?? previous?.refreshToken });
    const lifetimeMs = parsed.expires_in * 1000;
    const expiresAt = now() + lifetimeMs;
    return {
      accessToken: parsed.access_token,
      refreshToken: parsed.refresh_token,
      expiresAt,
      refreshAt: expiresAt - Math.min(60_000, lifetimeMs / 10),
    };
  };

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
          requestOptions('auth/failed', signal),
        );
        return tokenSet(await oauth.processAuthorizationCodeResponse(metadata, client, response));
      }),

    refresh: (tokens, signal) =>
      understood(async () => {
        const response = await oauth.refreshTokenGrantRequest(
          metadata,
          client,
          sendClientIdOnRefresh ? oauth.None() : noClientAuthentication,
          tokens.refreshToken,
          requestOptions('auth/expired', signal),
        );
        return tokenSet(await oauth.processRefreshTokenResponse(metadata, client, response), tokens);
      }),
  };
};

/** An OAuth error code as details: of its letters only, as it may come from anywhere. */
export const oauthError = (error: string | undefined): { readonly error: string } => ({
  error: (error ?? '').replaceAll(/[^a-z_]/g, '').slice(0, 64) || 'unknown',
});

/** Without a cause: the errors of oauth4webapi hold the answer, tokens and all. */
const understood = async (work: () => Promise<TokenSet>): Promise<TokenSet> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DeskError) throw error;
    throw new DeskError('service/malformed', 'the token endpoint did not answer with tokens', { retry: 'later' });
  }
};
