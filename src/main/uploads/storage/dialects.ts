/** The dialect of a signed URL, recognised by its query. */
import { azure } from './azure.ts';
import { type Dialect, headerOf, md5FromBase64, md5FromEtag, queryOf } from './dialect.ts';
import { google } from './google.ts';
import { s3 } from './s3.ts';

/** Any other storage that accepts a PUT to a signed URL. Its query is not interpreted. */
const plain: Dialect = {
  name: 'plain',
  headers: {},
  takesMd5: false,
  expiresAtMs: undefined,
  meaningOf: ({ status, text }) =>
    [400, 401, 403, 410].includes(status) && /expired/i.test(text) ? 'expired' : undefined,
  proof: undefined,
  tellsMd5: false,
  storedMd5: (headers) => {
    const hex = md5FromBase64(headerOf(headers, 'content-md5')) ?? md5FromEtag(headers);
    return hex === undefined ? undefined : { hex, isSure: false };
  },
};

/** S3 `X-Amz-*` or `AWSAccessKeyId`, Google `X-Goog-*` or `GoogleAccessId`, Azure SAS `sv` and `sig`, else plain. */
export const dialectOf = (url: URL): Dialect => {
  const query = queryOf(url);
  const has = (prefix: string) => [...query.keys()].some((name) => name.startsWith(prefix));
  if (has('x-amz-') || query.has('awsaccesskeyid')) return s3(url);
  if (has('x-goog-') || query.has('googleaccessid')) return google(url);
  return query.has('sv') && query.has('sig') ? azure(url) : plain;
};

/**
 * Whether `url` has expired by its own query and this computer's clock: a large file need not be sent to find that out.
 * Only a URL that was stored for a while is worth asking about. If the clock is wrong, a new signature costs little, and
 * that one is used without asking.
 */
export const hasExpired = (url: string, nowMs: number): boolean => {
  const endMs = URL.canParse(url) ? dialectOf(new URL(url)).expiresAtMs : undefined;
  return endMs !== undefined && endMs <= nowMs;
};
