/** The parts of a token answer that the app uses (interface: Authentication, step 4), and which tokens it can send. */
import { z } from 'zod';
import { DeskError } from '../../contract/errors.ts';
import { accessTokenCharacters, type TokenSet } from './tokens.ts';

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
/** Used if the answer has no lifetime. Lifetimes are never trusted for correctness. */
const USUAL_LIFETIME_S = 3600;
/** A longer lifetime gains nothing, and its times would not be exact numbers. */
const LONGEST_LIFETIME_S = 365 * 24 * 3600;

/** It is sent in a form (RFC 6749 appendix A.17). */
const refreshTokenCharacters = /^[\x20-\x7e]+$/;

/**
 * The fields of the body of a 2xx answer.
 * @throws DeskError `auth/token-type` (details `type`) for tokens other than Bearer tokens, which may need a
 *   proof of possession (RFC 9449); SyntaxError, ZodError for anything that is not a token answer
 */
export const readTokenAnswer = (body: string): z.infer<typeof Fields> => {
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
 * The token set of an answer. A refresh may return no new refresh token (RFC 6749 section 6): then `previous` stays.
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
