/** Google Cloud Storage, XML API: signatures of version 4 (`X-Goog-*`) and 2 (`GoogleAccessId`). */
import { type Dialect, endOfV2, endOfV4, md5FromBase64, queryOf, signsMd5 } from './dialect.ts';

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
    proof: 'x-goog-hash',
    tellsMd5: true,
    // x-goog-hash: crc32c=…,md5=…
    storedMd5: (headers) => {
      const hashes = [headers['x-goog-hash'] ?? []].flat().join(',');
      const hex = md5FromBase64(/(?:^|,)\s*md5=([^,\s]+)/.exec(hashes)?.[1]);
      return hex === undefined ? undefined : { hex, isSure: true };
    },
  };
};
