/** The sandbox's own storage: a signature covers method, path and expiry, and a response has the MD5 as its ETag. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { lengthCheck, type StorageError, type StorageKind } from './kind.ts';

const error = (status: number, code: string, message: string): StorageError => ({ status, code, message });

export const plainErrors = {
  unsigned: error(403, 'AccessDenied', 'The request is not signed'),
  expired: error(403, 'AccessDenied', 'Request has expired'),
  mismatch: error(403, 'SignatureDoesNotMatch', 'The signature is not that of this method, path and expiry'),
  noLength: error(411, 'MissingContentLength', 'You must provide the Content-Length HTTP header'),
  tooLarge: error(413, 'EntityTooLarge', 'The object is larger than allowed'),
};

export const createPlain = (secret: string): StorageKind => {
  const signatureOf = (method: string, path: string, expires: string): string =>
    createHmac('sha256', secret).update([method, path, expires].join('\n')).digest('base64url');
  return {
    sign: ({ path, endMs }) => {
      const expires = String(Math.floor(endMs / 1000));
      return new URLSearchParams({ expires, signature: signatureOf('PUT', path, expires) }).toString();
    },
    check: ({ method, path, query }, nowMs) => {
      const parameters = new URLSearchParams(query);
      const [expires, signature] = [parameters.get('expires'), parameters.get('signature')];
      if (expires === null || signature === null) return plainErrors.unsigned;
      if (!isEqual(signature, signatureOf(method, path, expires))) return plainErrors.mismatch;
      return Number(expires) * 1000 <= nowMs ? plainErrors.expired : undefined;
    },
    checkLength: lengthCheck(plainErrors.noLength, plainErrors.tooLarge),
    receive: () => ({
      update: () => {},
      refusal: () => undefined,
      stored: (md5) => ({ status: 200, headers: { ETag: `"${md5}"` } }),
    }),
    expired: () => plainErrors.expired,
  };
};

const isEqual = (a: string, b: string): boolean => {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
};
