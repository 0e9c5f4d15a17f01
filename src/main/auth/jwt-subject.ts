import { decodeJwt } from 'jose/jwt/decode';
import { z } from 'zod';

const Claims = z.object({ sub: z.string().min(1) });

/**
 * The `sub` of `accessToken` if that is a JWT (RFC 7519), else undefined.
 * Not verified: the app has no key of the service, got the token from its token endpoint itself, and uses the
 * subject only to keep two people's queues apart. The service decides what the token permits.
 */
export const subjectOf = (accessToken: string): string | undefined => {
  try {
    return Claims.safeParse(decodeJwt(accessToken)).data?.sub;
  } catch {
    return undefined;
  }
};
