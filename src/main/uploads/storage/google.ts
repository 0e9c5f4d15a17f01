/** Google Cloud Storage, XML API: signatures of version 4 (`X-Goog-*`) and 2 (`GoogleAccessId`). */
import { type Dialect, endOfV2, endOfV4, headerOf, md5FromBase64, queryOf, signsMd5 } from './dialect.ts';

/** Like S3, it refuses a Content-MD5 that the signature does not cover. */
export const google = (url: URL): Dialect => {
  const query = queryOf(url);
  return {
    name: 'google',
    headers: {},
    takesMd5: signsMd5(query.get('x-goog-signedheaders')),
    expiresAtMs: query.has('x-goog-date')
      ? endOfV4(query.get('x-goog-date'), query.get('x-goog-expires'))
      : endOfV2(query.get('expires')),
    meaningOf: ({ text }) => (/has expired/i.test(text) ? 'expired' : undefined),
    tellsMd5: true,
    // x-goog-hash: crc32c=…,md5=…
    storedMd5: (headers) => {
      const hashes = [headers['x-goog-hash'] ?? []].flat().join(',');
      return md5FromBase64(/(?:^|,)\s*md5=([^,\s]+)/.exec(hashes)?.[1] ?? undefined) ?? plainEtag(headers);
    },
  };
};

/** Without x-goog-hash, the ETag of an object from one PUT is its MD5, unless it is encrypted with a customer's key. */
const plainEtag = (headers: Parameters<Dialect['storedMd5']>[0]): string | undefined =>
  headerOf(headers, 'x-goog-encryption-kms-key-name') === undefined &&
  headerOf(headers, 'x-goog-encryption-key-sha256') === undefined
    ? /^"([0-9a-f]{32})"$/.exec(headerOf(headers, 'etag') ?? '')?.[1]
    : undefined;
