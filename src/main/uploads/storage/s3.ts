/** Amazon S3 and compatible storages: signatures of version 4 (`X-Amz-*`) and 2 (`AWSAccessKeyId`). */
import { type Dialect, endOfV2, endOfV4, headerOf, md5FromEtag, queryOf, signsMd5 } from './dialect.ts';

/**
 * S3 refuses a Content-MD5 that the signature does not cover: version 4 with "There were headers present in the
 * request which were not signed", version 2 because its StringToSign contains a different one.
 */
export const s3 = (url: URL): Dialect => {
  const query = queryOf(url);
  return {
    name: 's3',
    headers: {},
    takesMd5: signsMd5(query.get('x-amz-signedheaders')),
    expiresAtMs: query.has('x-amz-date')
      ? endOfV4(query.get('x-amz-date'), query.get('x-amz-expires'))
      : endOfV2(query.get('expires')),
    meaningOf: ({ text }) => {
      if (/Request has expired/i.test(text)) return 'expired';
      return /Request is not yet valid/i.test(text) ? 'not-yet' : undefined;
    },
    proof: 'etag',
    tellsMd5: true,
    // The ETag of one PUT without encryption, or with SSE-S3, is the MD5. With KMS or customer keys it only looks like one,
    // as it does in directory buckets; compatible storages may do as they like.
    storedMd5: (headers) => {
      const encryption = headerOf(headers, 'x-amz-server-side-encryption') ?? 'AES256';
      const ownKey = headerOf(headers, 'x-amz-server-side-encryption-customer-algorithm');
      const hex = md5FromEtag(headers);
      if (encryption !== 'AES256' || ownKey !== undefined || hex === undefined) return undefined;
      return { hex, isSure: isAmazon(url) };
    },
  };
};

/** Whether the bucket is one of Amazon's general purpose buckets. */
const isAmazon = ({ hostname }: URL): boolean =>
  /\.amazonaws\.com(\.cn)?$/.test(hostname) && !/\.s3express-|--x-s3\./.test(hostname);
