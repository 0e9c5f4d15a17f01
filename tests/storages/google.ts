/**
 * A storage for tests that behaves like the XML API of Google Cloud Storage, and refuses whatever its documentation
 * says it refuses: one bucket, addressed by path, with signatures of version 4 (RSA) in the query.
 *
 * https://docs.cloud.google.com/storage/docs/xml-api/put-object-upload
 * https://docs.cloud.google.com/storage/docs/authentication/signatures
 */
import { createPrivateKey, createPublicKey, createSign, createVerify } from 'node:crypto';
import { once } from 'es-toolkit/function';
import { lengthCheck, type StorageError } from '../../src/sandbox/storage/kind.ts';
import { crc32c, cyclic, digest, isBase64Of } from './content-sums.ts';
import { type Account, errorOf, errorsBy, type TestStorage } from './test-storage.ts';
import { checkV4, createPayloadCheck, type Scheme, type SignatureFault, signV4 } from './v4-signature.ts';

/** https://docs.cloud.google.com/storage/docs/xml-api/reference-status */
const googleErrors = errorsBy({
  400: {
    BadDigest: 'The Content-MD5 or x-goog-hash you specified did not match what we received.',
    CrcMismatch: 'The CRC32C you specified did not match what we computed.',
    EntityTooLarge: 'Your proposed upload exceeds the maximum allowed object size.',
    ExpiredToken: 'The provided token has expired.',
    InvalidArgument: 'Invalid argument.',
    InvalidDigest: 'The Content-MD5 you specified was invalid.',
    MalformedSecurityHeader: 'Your request has a malformed header.',
  },
  403: {
    AccessDenied: 'Access denied.',
    SignatureDoesNotMatch:
      'The request signature we calculated does not match the signature you provided. Check your Google secret key and signing method.',
  },
  411: { MissingContentLength: 'You must provide the Content-Length HTTP header.' },
});

const error = (code: string, more?: Readonly<Record<string, string>>): StorageError =>
  errorOf(googleErrors, code, more && { more });

const schemeOf = ({ id, key }: Account): Scheme => {
  const keys = once(() => {
    const privateKey = createPrivateKey(key);
    return { privateKey, publicKey: createPublicKey(privateKey) };
  });
  return {
    prefix: 'X-Goog-',
    algorithm: 'GOOG4-RSA-SHA256',
    signer: id,
    scope: 'auto/storage/goog4_request',
    headerPrefixes: ['x-goog-', 'x-amz-'],
    sign: (stringToSign) => createSign('RSA-SHA256').update(stringToSign).sign(keys().privateKey, 'hex'),
    verify: (stringToSign, _, signature) =>
      createVerify('RSA-SHA256').update(stringToSign).verify(keys().publicKey, signature, 'hex'),
  };
};

/**
 * Returns the refusal of a faulty signature. The details are those that the service is known to return, such as "Header
 * must be signed".
 */
const refusalOf = (fault: SignatureFault): StorageError => {
  const malformed = (ParameterName: string, Details: string): StorageError =>
    error('MalformedSecurityHeader', { Details, ParameterName });
  switch (fault.type) {
    case 'incomplete':
      return error('AccessDenied', { Details: 'Anonymous caller does not have storage.objects.create access' });
    case 'bad-algorithm':
      return malformed('X-Goog-Algorithm', 'Invalid algorithm.');
    case 'bad-date':
      return malformed('X-Goog-Date', 'Invalid date.');
    case 'bad-lifetime':
      return malformed('X-Goog-Expires', 'X-Goog-Expires must be between 1 and 604800 seconds.');
    case 'bad-credential':
      return malformed('X-Goog-Credential', 'Invalid credential.');
    case 'expired':
      return expired(fault.endMs);
    case 'unsigned':
      return malformed(fault.header, 'Header must be signed');
    case 'missing':
      return malformed(fault.header, 'Header was included in signedheaders, but not in the request.');
    // The documentation does not say how a URL that is not valid yet, or of an unknown signer, is refused.
    case 'not-yet':
    case 'unknown-signer':
      return error('AccessDenied');
    case 'mismatch':
      return error('SignatureDoesNotMatch', {
        StringToSign: fault.stringToSign,
        CanonicalRequest: fault.canonicalRequest,
      });
  }
};

const expired = (endMs: number): StorageError => {
  const at = new Date(endMs).toISOString().replace(/\.\d+Z$/, '+00:00');
  return error('ExpiredToken', { Details: `Request signature expired at: ${at}` });
};

/** Returns the sums in Content-MD5 and `x-goog-hash: crc32c=…,md5=…`, in base64. */
const sumsOf = (headers: Readonly<Record<string, string>>) => {
  const hashes = headers['x-goog-hash'] ?? '';
  const named = (name: string) => new RegExp(`(?:^|,)\\s*${name}=([^,\\s]*)`).exec(hashes)?.[1];
  return { md5: headers['content-md5'] ?? named('md5'), crc: named('crc32c') };
};

/** Creates a storage like Google Cloud Storage with one account, whose key is a private RSA key in PEM. */
export const createGoogle = (account: Account): TestStorage => {
  const scheme = schemeOf(account);
  return {
    sign: (target) => signV4(scheme, target),
    check: (request, nowMs) => {
      const fault = checkV4(scheme, request, nowMs);
      if (fault) return refusalOf(fault);
      const { md5, crc } = sumsOf(request.headers);
      const isRight = (md5 === undefined || isBase64Of(md5, 16)) && (crc === undefined || isBase64Of(crc, 4));
      return isRight ? undefined : error('InvalidDigest');
    },
    checkLength: lengthCheck(error('MissingContentLength'), error('EntityTooLarge')),
    receive: (request) => {
      const wanted = sumsOf(request.headers);
      const payload = createPayloadCheck(scheme, request);
      const md5 = wanted.md5 === undefined ? undefined : digest('md5');
      const sum = cyclic(crc32c);
      return {
        update: (chunk) => {
          sum.update(chunk);
          md5?.update(chunk);
          payload.update(chunk);
        },
        refusal: () => {
          if (md5 && md5.digest().toString('base64') !== wanted.md5) return error('BadDigest');
          if (wanted.crc !== undefined && sum.digest().toString('base64') !== wanted.crc) return error('CrcMismatch');
          return payload.isRight()
            ? undefined
            : error('InvalidArgument', { Details: 'The content does not have its signed hash.' });
        },
        stored: (hex) => {
          const base64 = Buffer.from(hex, 'hex').toString('base64');
          const hashes = `crc32c=${sum.digest().toString('base64')},md5=${base64}`;
          return { status: 200, headers: { ETag: `"${hex}"`, 'x-goog-hash': hashes, 'x-goog-generation': '1' } };
        },
      };
    },
    expired,
    errors: googleErrors,
  };
};
