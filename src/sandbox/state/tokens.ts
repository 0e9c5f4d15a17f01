/**
 * Authorization codes and tokens. Each sign-in begins a session, to which its tokens belong. Only hashes of codes and
 * tokens are stored. Access tokens are JWTs, so that a client can read `sub`, but their validity depends on the
 * database alone.
 */

import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { TokenResponse } from '../../contract/resources.ts';
import { inTransaction } from './database.ts';

const codeTtlMs = 60_000;

export type CodeGrant = {
  readonly clientId: string;
  readonly redirectUri: string;
  /** The S256 challenge (RFC 7636); undefined if the client does not use PKCE. */
  readonly codeChallenge: string | undefined;
};

/**
 * The tokens that were granted, or why they were refused. `replayed`: a code or a refresh token was presented a second
 * time.
 */
export type GrantResult =
  | { readonly granted: TokenResponse }
  | { readonly refused: string; readonly replayed?: 'code' | 'refresh-token' };

export type TokenStore = ReturnType<typeof createTokenStore>;

/** Creates the store of codes and tokens in `database`. `now` returns ms since 1970. */
export const createTokenStore = (
  database: DatabaseSync,
  settings: {
    readonly secret: string;
    readonly now: () => number;
    readonly accessTokenTtlS: number;
    readonly refreshTokenTtlS: number;
    readonly subject: () => string;
  },
) => {
  const { secret, now, accessTokenTtlS, refreshTokenTtlS, subject } = settings;
  const insertCode = database.prepare(
    'INSERT INTO codes (hash, client_id, redirect_uri, code_challenge, expires_at_ms) VALUES (?, ?, ?, ?, ?)',
  );
  const spendCode = database.prepare('UPDATE codes SET spent = spent + 1 WHERE hash = ? RETURNING *');
  const noteSession = database.prepare('UPDATE codes SET session_id = ? WHERE hash = ?');
  const insertSession = database.prepare('INSERT INTO sessions (id, client_id, sub) VALUES (?, ?, ?)');
  const deleteSession = database.prepare('DELETE FROM sessions WHERE id = ?');
  const insertToken = database.prepare(
    'INSERT INTO tokens (hash, session_id, kind, expires_at_ms) VALUES (?, ?, ?, ?)',
  );
  const findToken = database.prepare(
    'SELECT * FROM tokens JOIN sessions ON sessions.id = session_id WHERE hash = ? AND kind = ?',
  );
  const spendToken = database.prepare('UPDATE tokens SET spent = 1 WHERE hash = ?');
  const expireToken = database.prepare("UPDATE tokens SET expires_at_ms = 0 WHERE hash = ? AND kind = 'access'");

  const issueTokens = (sessionId: string, clientId: string, sub: string): TokenResponse => {
    const iat = Math.floor(now() / 1000);
    const access_token = signJwt(secret, {
      sub,
      client_id: clientId,
      iat,
      exp: iat + accessTokenTtlS,
      jti: randomSecret(),
    });
    const refresh_token = randomSecret();
    insertToken.run(sha256Base64Url(access_token), sessionId, 'access', now() + accessTokenTtlS * 1000);
    insertToken.run(sha256Base64Url(refresh_token), sessionId, 'refresh', now() + refreshTokenTtlS * 1000);
    return { access_token, refresh_token, expires_in: accessTokenTtlS };
  };

  return {
    /** Issues a code that can be exchanged once, within 60 s. */
    issueCode: ({ clientId, redirectUri, codeChallenge }: CodeGrant): string => {
      const code = randomSecret();
      insertCode.run(sha256Base64Url(code), clientId, redirectUri, codeChallenge ?? null, now() + codeTtlMs);
      return code;
    },
    /**
     * Exchanges a code for tokens. Any attempt invalidates the code, and a second attempt ends the session that the
     * first one began.
     */
    redeemCode: (
      code: string,
      presented: { readonly clientId: string; readonly redirectUri: string; readonly codeVerifier: string | undefined },
    ): GrantResult =>
      inTransaction(database, () => {
        const hash = sha256Base64Url(code);
        const row = spendCode.get(hash);
        if (row === undefined) return { refused: 'the code is not known' };
        if (Number(row.spent) > 1) {
          deleteSession.run(row.session_id ?? null);
          return { refused: 'the code was used before', replayed: 'code' };
        }
        if (Number(row.expires_at_ms) <= now()) return { refused: 'the code has expired' };
        if (row.client_id !== presented.clientId) return { refused: 'the code was given to another client' };
        if (row.redirect_uri !== presented.redirectUri) return { refused: 'redirect_uri differs from the request' };
        const mismatch = pkceMismatch(row.code_challenge, presented.codeVerifier);
        if (mismatch !== undefined) return { refused: mismatch };
        const sessionId = randomSecret();
        const sub = subject();
        insertSession.run(sessionId, presented.clientId, sub);
        noteSession.run(sessionId, hash);
        return { granted: issueTokens(sessionId, presented.clientId, sub) };
      }),
    /**
     * Exchanges a refresh token for new tokens. A second use of the same refresh token ends its session (RFC 9700
     * section 4.14.2).
     */
    refresh: (refreshToken: string, clientId: string | undefined): GrantResult =>
      inTransaction(database, () => {
        const hash = sha256Base64Url(refreshToken);
        const row = findToken.get(hash, 'refresh');
        if (row === undefined) return { refused: 'the refresh token is not known or was revoked' };
        if (row.spent !== 0) {
          deleteSession.run(String(row.session_id));
          return { refused: 'the refresh token was used before', replayed: 'refresh-token' };
        }
        if (Number(row.expires_at_ms) <= now()) return { refused: 'the refresh token has expired' };
        if (clientId !== undefined && row.client_id !== clientId) {
          return { refused: 'the refresh token was given to another client' };
        }
        spendToken.run(hash);
        return { granted: issueTokens(String(row.session_id), String(row.client_id), String(row.sub)) };
      }),
    isValidAccess: (accessToken: string): boolean => {
      const row = findToken.get(sha256Base64Url(accessToken), 'access');
      return row !== undefined && Number(row.expires_at_ms) > now();
    },
    revokeAccess: (accessToken: string): void => void expireToken.run(sha256Base64Url(accessToken)),
    expireAllAccess: (): void => database.exec("UPDATE tokens SET expires_at_ms = 0 WHERE kind = 'access'"),
    revokeSessions: (): void => database.exec('DELETE FROM sessions'),
  };
};

/**
 * Returns why a code verifier does not fit its challenge (RFC 7636 section 4.6); undefined if it fits. A verifier
 * without a challenge is also refused, as a downgrade (RFC 9700 section 4.8.2).
 */
const pkceMismatch = (challenge: unknown, verifier: string | undefined): string | undefined => {
  if (typeof challenge !== 'string') return verifier === undefined ? undefined : 'code_verifier without code_challenge';
  if (verifier === undefined) return 'code_verifier is missing';
  return equalSecrets(sha256Base64Url(verifier), challenge) ? undefined : 'code_verifier does not match';
};

/** Creates a JSON Web Token signed with HMAC-SHA256 (RFC 7519, RFC 7518 section 3.2). */
const signJwt = (secret: string, claims: Readonly<Record<string, string | number>>): string => {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const input = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
  return `${input}.${hmacBase64Url(secret, input)}`;
};

export const randomSecret = (): string => randomBytes(32).toString('base64url');

/** Returns the SHA-256 of a text in base64url. This is also PKCE's S256 transformation (RFC 7636 section 4.2). */
const sha256Base64Url = (text: string): string => createHash('sha256').update(text).digest('base64url');

const hmacBase64Url = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('base64url');

export const equalSecrets = (left: string, right: string): boolean =>
  timingSafeEqual(createHash('sha256').update(left).digest(), createHash('sha256').update(right).digest());

/** A user who can sign in. `sub`: the subject of the user's access tokens. */
export type SampleUser = { readonly sub: string; readonly name: string; readonly company: string };

const company = 'Nordlys Elektro AS';
const kari: SampleUser = { sub: 'user-4711', name: 'Kari Nordmann', company };
const ola: SampleUser = { sub: 'user-4712', name: 'Ola Hansen', company };

export type SampleUsers = ReturnType<typeof createSampleUsers>;

/** Creates the record of the sample user who signs in: `user-4711` until another user is selected. */
export const createSampleUsers = () => {
  let present = kari;
  return {
    present: (): SampleUser => present,
    /** Selects the user of later sign-ins by `sub`; `user-4711` if `sub` is unknown. */
    become: (sub: string): void => {
      present = sub === ola.sub ? ola : kari;
    },
  };
};
