/**
 * The sandbox's own storages, whose signature covers method, path and expiry: `plain`; `bare`, which responds with
 * nothing but a status; and `azure`, which resembles Azure Blob Storage in its URLs and responses.
 */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { errorOf, errorsBy, lengthCheck, type StorageErrors, type StorageKind, type StoredResponse } from './kind.ts';
import type { SignedRequest } from './v4-signature.ts';

const plainErrors: StorageErrors = {
  AccessDenied: { status: 403, message: 'The request is not signed' },
  EntityTooLarge: { status: 413, message: 'The object is larger than allowed' },
  MissingContentLength: { status: 411, message: 'You must provide the Content-Length HTTP header' },
  SignatureDoesNotMatch: { status: 403, message: 'The signature is not that of this method, path and expiry' },
};

/**
 * https://learn.microsoft.com/rest/api/storageservices/common-rest-api-error-codes
 * https://learn.microsoft.com/rest/api/storageservices/blob-service-error-codes
 */
const azureErrors = errorsBy({
  400: {
    Md5Mismatch: 'The MD5 value specified in the request did not match the MD5 value calculated by the server.',
  },
  403: {
    AuthenticationFailed:
      'Server failed to authenticate the request. Make sure the value of the Authorization header is formed correctly including the signature.',
  },
  411: { MissingContentLengthHeader: 'The Content-Length header was not specified.' },
  413: { RequestBodyTooLarge: 'The size of the request body exceeds the maximum size permitted.' },
});

/** The errors that only requests for a block or a block list can get. */
export const azureBlockErrors = {
  InvalidBlobOrBlock: { status: 400, message: 'The specified blob or block content is invalid.' },
  InvalidBlockList: { status: 400, message: 'The specified block list is invalid.' },
  InvalidQueryParameterValue: {
    status: 400,
    message: 'Value for one of the query parameters specified in the request URI is invalid.',
  },
  InvalidXmlDocument: { status: 400, message: 'XML specified is not syntactically valid.' },
} as const satisfies StorageErrors;

/**
 * How these storages differ. `query`: further parameters of a URL; `stored`: the response for an object with this MD5
 * (hex).
 */
type Traits = {
  readonly errors: StorageErrors;
  readonly denied: string;
  readonly mismatch: string;
  readonly noLength: string;
  readonly tooLarge: string;
  readonly query: (endMs: number) => Record<string, string>;
  readonly stored: (md5: string) => StoredResponse;
  readonly expired: StorageKind['expired'];
};

const ofPlain = {
  errors: plainErrors,
  denied: 'AccessDenied',
  mismatch: 'SignatureDoesNotMatch',
  noLength: 'MissingContentLength',
  tooLarge: 'EntityTooLarge',
  query: () => ({}),
  expired: () => errorOf(plainErrors, 'AccessDenied', { message: 'Request has expired' }),
};

const traits = {
  plain: { ...ofPlain, stored: (md5) => ({ status: 200, headers: { ETag: `"${md5}"` } }) },
  bare: { ...ofPlain, stored: () => ({ status: 200, headers: {} }) },
  azure: {
    errors: azureErrors,
    denied: 'AuthenticationFailed',
    mismatch: 'AuthenticationFailed',
    noLength: 'MissingContentLengthHeader',
    tooLarge: 'RequestBodyTooLarge',
    query: (endMs) => ({
      sv: '2024-11-04',
      se: new Date(endMs).toISOString(),
      sr: 'b',
      sp: 'cw',
      sig: 'as-signature',
    }),
    stored: (md5) => ({
      status: 201,
      headers: {
        ETag: '"0x8D4BCC2E4835CD0"',
        'Content-MD5': Buffer.from(md5, 'hex').toString('base64'),
        'x-ms-request-id': randomUUID(),
      },
    }),
    expired: () =>
      errorOf(azureErrors, 'AuthenticationFailed', { more: { AuthenticationErrorDetail: 'Signature expired' } }),
  },
} as const satisfies Record<string, Traits>;

/** A storage with signatures by `secret`. */
export const createOwn = (name: keyof typeof traits, secret: string): StorageKind => {
  const { errors, denied, mismatch, noLength, tooLarge, query, stored, expired }: Traits = traits[name];
  const signatureOf = (method: string, path: string, expires: string): string =>
    createHmac('sha256', secret).update([method, path, expires].join('\n')).digest('base64url');
  const check = ({ method, path, query }: SignedRequest, nowMs: number) => {
    const parameters = new URLSearchParams(query);
    const [expires, signature] = [parameters.get('expires'), parameters.get('signature')];
    if (expires === null || signature === null) return errorOf(errors, denied);
    if (!isEqual(signature, signatureOf(method, path, expires))) return errorOf(errors, mismatch);
    return Number(expires) * 1000 <= nowMs ? expired(Number(expires) * 1000) : undefined;
  };
  return {
    sign: ({ path, endMs }) => {
      const expires = String(Math.floor(endMs / 1000));
      const signature = signatureOf('PUT', path, expires);
      return new URLSearchParams({ expires, signature, ...query(endMs) }).toString();
    },
    check,
    checkLength: lengthCheck(errors, noLength, tooLarge),
    receive: () => ({ update: () => {}, refusal: () => undefined, stored }),
    expired,
    errors,
  };
};

const isEqual = (a: string, b: string): boolean => {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
};
