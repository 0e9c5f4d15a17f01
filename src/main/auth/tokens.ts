/** Tokens as the app holds them. */
import { z } from 'zod';

/** It is sent in a header: visible ASCII. Not every service keeps to RFC 6750's narrower b64token. */
export const accessTokenCharacters = /^[\x21-\x7e]+$/;

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
