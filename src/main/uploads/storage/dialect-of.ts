/** The dialect of a signed Url, told by its query. */
import { azure } from './azure.ts';
import { type Dialect, queryOf } from './dialect.ts';
import { google } from './google.ts';
import { plain } from './plain.ts';
import { s3 } from './s3.ts';

/** S3 `X-Amz-*` or `AWSAccessKeyId`, Google `X-Goog-*` or `GoogleAccessId`, Azure SAS `sv` and `sig`, else plain. */
export const dialectOf = (url: URL): Dialect => {
  const query = queryOf(url);
  const has = (prefix: string) => [...query.keys()].some((name) => name.startsWith(prefix));
  if (has('x-amz-') || query.has('awsaccesskeyid')) return s3(url);
  if (has('x-goog-') || query.has('googleaccessid')) return google(url);
  return query.has('sv') && query.has('sig') ? azure(url) : plain;
};
