/** Tokens as the app holds them. */
import { z } from 'zod';

/** Goes into a header: visible ASCII, of which RFC 6750's b64token is a part that not every service keeps to. */
export const accessTokenCharacters = /^[\x21-\x7e]+$/;

/**
 * What the token endpoint gave. `expiresAt` and `refreshAt` (when to get the next one ahead of that): ms since 1970.
 * Neither is trusted for correctness: a service that answers 401 has the last word.
 */
export const TokenSet = z.object({
  accessToken: z.string().regex(accessTokenCharacters),
  refreshToken: z.string().min(1),
  expiresAt: z.number(),
  refreshAt: z.number(),
});
export type TokenSet = Readonly<z.infer<typeof TokenSet>>;
