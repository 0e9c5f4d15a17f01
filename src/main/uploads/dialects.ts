/**
 * The storage behind a signed Url, told apart by the Url's query: which headers its PUT needs and how it says that
 * the Url's time is over. Nothing else of a storage is known: a Url is used as it was given.
 */

export type Dialect = {
  readonly name: 's3' | 'google' | 'azure' | 'plain';
  /** Sent with the file beside Content-Length. No Content-Type: a signature may cover the lack of one. */
  readonly headers: Readonly<Record<string, string>>;
  readonly isExpired: (status: number, body: string) => boolean;
};

const says = (statuses: readonly number[], pattern: RegExp) => (status: number, body: string) =>
  statuses.includes(status) && pattern.test(body);

const s3: Dialect = { name: 's3', headers: {}, isExpired: says([400, 403], /Request has expired|ExpiredToken/i) };

const google: Dialect = { name: 'google', headers: {}, isExpired: says([400, 403], /ExpiredToken|has expired/i) };

/** Azure answers every SAS it does not accept, expired ones too, with AuthenticationFailed. */
const azure: Dialect = {
  name: 'azure',
  headers: { 'x-ms-blob-type': 'BlockBlob' },
  isExpired: says([403], /AuthenticationFailed/),
};

const plain: Dialect = { name: 'plain', headers: {}, isExpired: says([400, 401, 403, 410], /expired/i) };

/** The dialect of a signed Url: S3 `X-Amz-*`, Google `X-Goog-*`, Azure SAS `sv` and `sig`, else plain. */
export const dialectOf = (url: URL): Dialect => {
  const names = new Set([...url.searchParams.keys()].map((name) => name.toLowerCase()));
  const has = (prefix: string) => [...names].some((name) => name.startsWith(prefix));
  if (has('x-amz-') || names.has('awsaccesskeyid')) return s3;
  if (has('x-goog-') || names.has('googleaccessid')) return google;
  if (names.has('sv') && names.has('sig')) return azure;
  return plain;
};

/** The error code a storage's XML or JSON body names, for a person: letters only, for bodies repeat signed parts. */
export const storageCode = (body: string): string | undefined =>
  /<Code>([A-Za-z]{1,64})<\/Code>|"(?:code|Code)"\s*:\s*"([A-Za-z]{1,64})"/.exec(body)?.slice(1).find(Boolean);
