import { equalSecrets, hmacBase64Url } from './secrets.ts';

/** Why a signed URL is refused. */
type SignatureFault = 'missing' | 'mismatch' | 'expired';

/**
 * Signs a method and path until a moment (milliseconds since 1970): HMAC-SHA256 over all three. Answers the query
 * `expires=<seconds since 1970>&signature=<base64url>`.
 */
export const signQuery = (secret: string, method: string, path: string, expiresAtMs: number): string => {
  const expires = String(Math.floor(expiresAtMs / 1000));
  return new URLSearchParams({ expires, signature: signatureOf(secret, method, path, expires) }).toString();
};

/** Checks a signed URL at `nowMs`; undefined if it is valid. A changed expiry is a mismatch. */
export const checkSignature = (
  secret: string,
  request: { readonly method: string; readonly path: string; readonly query: URLSearchParams },
  nowMs: number,
): SignatureFault | undefined => {
  const expires = request.query.get('expires');
  const signature = request.query.get('signature');
  if (expires === null || signature === null) return 'missing';
  if (!equalSecrets(signature, signatureOf(secret, request.method, request.path, expires))) return 'mismatch';
  return Number(expires) * 1000 <= nowMs ? 'expired' : undefined;
};

const signatureOf = (secret: string, method: string, path: string, expires: string): string =>
  hmacBase64Url(secret, [method, path, expires].join('\n'));
