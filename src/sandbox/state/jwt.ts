import { hmacBase64Url } from './secrets.ts';

/** A JSON Web Token signed with HMAC-SHA256 (RFC 7519, RFC 7518 section 3.2). */
export const signJwt = (secret: string, claims: Readonly<Record<string, string | number>>): string => {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const input = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
  return `${input}.${hmacBase64Url(secret, input)}`;
};
