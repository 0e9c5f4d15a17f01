import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 random bits in base64url: unguessable as a code, token or request id. */
export const randomSecret = (): string => randomBytes(32).toString('base64url');

/** SHA-256 of a text in base64url; also PKCE's S256 transformation (RFC 7636 section 4.2). */
export const sha256Base64Url = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** HMAC-SHA256 of a text in base64url. */
export const hmacBase64Url = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('base64url');

/** Compares two texts in constant time. */
export const equalSecrets = (left: string, right: string): boolean =>
  timingSafeEqual(createHash('sha256').update(left).digest(), createHash('sha256').update(right).digest());
