/**
 * A storage for tests that behaves like Amazon S3, and refuses whatever the documentation of S3 says it refuses: one
 * bucket, addressed by path, with signatures of version 4 in the query.
 *
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
 */
import { createHmac, randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { lengthCheck, type StorageError } from '../../src/sandbox/storage/kind.ts';
import { crc32c, cyclic, digest, isBase64Of, type Sum } from './content-sums.ts';
import { type Account, errorOf, errorsBy, type TestStorage } from './test-storage.ts';
import { checkV4, createPayloadCheck, type Scheme, type SignatureFault, signV4 } from './v4-signature.ts';

/** The region of the sandbox's bucket. */
export const S3_REGION = 'eu-north-1';

/** https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html#ErrorCodeList */
const s3Errors = errorsBy({
  400: {
    AuthorizationQueryParametersError: 'The authorization query parameters that you provided are not valid.',
    BadDigest: 'The Content-MD5 or checksum value that you specified did not match what the server received.',
    EntityTooLarge: 'Your proposed upload exceeds the maximum allowed object size.',
    InvalidDigest: 'The Content-MD5 or checksum value that you specified is not valid.',
    InvalidRequest: 'The request is not valid.',
    // Not in the list of error codes: S3, and storages compatible with it, respond with this if the payload does not
    // have its signed hash.
    XAmzContentSHA256Mismatch: "The provided 'x-amz-content-sha256' header does not match what was computed.",
  },
  403: {
    AccessDenied: 'Access Denied',
    InvalidAccessKeyId: 'The AWS access key ID that you provided does not exist in our records.',
    SignatureDoesNotMatch:
      'The request signature that the server calculated does not match the signature that you provided. Check your AWS secret access key and signing method.',
  },
  411: { MissingContentLength: 'You must provide the Content-Length HTTP header.' },
  501: { NotImplemented: 'A header that you provided implies functionality that is not implemented.' },
});

const error = (code: string, change?: Parameters<typeof errorOf>[2]): StorageError => errorOf(s3Errors, code, change);

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

const schemeOf = ({ id, key }: Account): Scheme => {
  const sign = (stringToSign: string, date: string): string => {
    const signingKey = hmac(hmac(hmac(hmac(`AWS4${key}`, date), S3_REGION), 's3'), 'aws4_request');
    return hmac(signingKey, stringToSign).toString('hex');
  };
  return {
    prefix: 'X-Amz-',
    algorithm: 'AWS4-HMAC-SHA256',
    signer: id,
    scope: `${S3_REGION}/s3/aws4_request`,
    headerPrefixes: ['x-amz-'],
    sign,
    verify: (stringToSign, date, signature) => sign(stringToSign, date) === signature,
  };
};

/**
 * Returns the refusal of a faulty signature. For AuthorizationQueryParametersError and AccessDenied, the messages are
 * those that S3 is known to return.
 */
const refusalOf = (fault: SignatureFault): StorageError => {
  const parameters = (message: string): StorageError => error('AuthorizationQueryParametersError', { message });
  switch (fault.type) {
    case 'incomplete':
      return parameters(
        'Query-string authentication version 4 requires the X-Amz-Algorithm, X-Amz-Credential, X-Amz-Signature, X-Amz-Date, X-Amz-SignedHeaders, and X-Amz-Expires parameters.',
      );
    case 'bad-algorithm':
      return parameters('X-Amz-Algorithm only supports "AWS4-HMAC-SHA256 and AWS4-ECDSA-P256-SHA256"');
    case 'bad-date':
      return parameters("X-Amz-Date must be in the ISO8601 Long Format \"yyyyMMdd'T'HHmmss'Z'\"");
    case 'bad-lifetime':
      return parameters(
        'X-Amz-Expires must be less than a week (in seconds); that is, the given X-Amz-Expires must be less than 604800 seconds',
      );
    case 'bad-credential':
      return parameters('Error parsing the X-Amz-Credential parameter; the Credential is mal-formed');
    case 'unknown-signer':
      return error('InvalidAccessKeyId');
    case 'expired':
      return expired(fault.endMs);
    case 'not-yet':
      return error('AccessDenied', { message: 'Request is not yet valid' });
    case 'unsigned':
      return error('AccessDenied', {
        message: 'There were headers present in the request which were not signed',
        more: { HeadersNotSigned: fault.header },
      });
    case 'missing':
      return error('SignatureDoesNotMatch');
    case 'mismatch':
      return error('SignatureDoesNotMatch', {
        more: { StringToSign: fault.stringToSign, CanonicalRequest: fault.canonicalRequest },
      });
  }
};

const expired = (endMs: number): StorageError =>
  error('AccessDenied', { message: 'Request has expired', more: { Expires: new Date(endMs).toISOString() } });

/**
 * The checksums that a request may have in its headers, with their size in bytes. A checksum in the query is ignored,
 * as S3 does: a client that signs a URL in advance has computed it for an empty body
 * (https://github.com/localstack/localstack/issues/12169).
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity-upload.html
 */
const sums: readonly (readonly [header: string, bytes: number, create: () => Sum])[] = [
  ['content-md5', 16, () => digest('md5')],
  ['x-amz-checksum-crc32', 4, () => cyclic(crc32)],
  ['x-amz-checksum-crc32c', 4, () => cyclic(crc32c)],
  ['x-amz-checksum-sha1', 20, () => digest('sha1')],
  ['x-amz-checksum-sha256', 32, () => digest('sha256')],
];

/** Creates a storage like S3 with one account. */
export const createS3 = (account: Account): TestStorage => {
  const scheme = schemeOf(account);
  return {
    sign: (target) => signV4(scheme, target),
    check: (request, nowMs) => {
      const fault = checkV4(scheme, request, nowMs);
      if (fault) return refusalOf(fault);
      const { headers } = request;
      if (sums.some(([name, bytes]) => headers[name] !== undefined && !isBase64Of(headers[name], bytes)))
        return error('InvalidDigest');
      const algorithm = headers['x-amz-sdk-checksum-algorithm'];
      return algorithm !== undefined && headers[`x-amz-checksum-${algorithm.toLowerCase()}`] === undefined
        ? error('InvalidRequest', {
            message:
              'x-amz-sdk-checksum-algorithm specified, but no corresponding x-amz-checksum-* or x-amz-trailer headers were found.',
          })
        : undefined;
    },
    // S3 does not support "Transfer-Encoding: chunked".
    checkLength: (sizeBytes, isChunked, mostBytes) =>
      isChunked
        ? error('NotImplemented', { more: { Header: 'Transfer-Encoding' } })
        : lengthCheck(error('MissingContentLength'), error('EntityTooLarge'))(sizeBytes, isChunked, mostBytes),
    receive: (request) => {
      const { headers } = request;
      const wanted = sums.flatMap(([name, , create]) =>
        headers[name] === undefined ? [] : [{ expected: headers[name], sum: create() }],
      );
      const payload = createPayloadCheck(scheme, request);
      return {
        update: (chunk) => {
          for (const { sum } of wanted) sum.update(chunk);
          payload.update(chunk);
        },
        refusal: () => {
          if (!payload.isRight()) return error('XAmzContentSHA256Mismatch');
          return wanted.every(({ expected, sum }) => sum.digest().toString('base64') === expected)
            ? undefined
            : error('BadDigest');
        },
        stored: (md5) => ({ status: 200, headers: { ETag: `"${md5}"`, 'x-amz-request-id': randomUUID() } }),
      };
    },
    expired,
    errors: s3Errors,
  };
};
