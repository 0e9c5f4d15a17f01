/** What a signed Url reveals about its storage: how to send a file to it, and how to read its responses. */
import type { Dispatcher } from 'undici';

export type Headers = Readonly<Record<string, string>>;
type AnswerHeaders = Dispatcher.ResponseData['headers'];

/**
 * The MD5 of the stored object in hex, from the response to a PUT. `isSure`: the storage documents that it is the MD5;
 * otherwise it may be another value of the same form, unless an earlier one from this origin was the MD5 (`Md5Origins`).
 */
type StoredMd5 = { readonly hex: string; readonly isSure: boolean };

/** The parts of a response outside 2xx that dialects use. `text`: the start of its body. */
export type Refusal = { readonly status: number; readonly headers: AnswerHeaders; readonly text: string };

type Blocks = {
  /** Whether the Url permits blocks. `unknown`: a stored access policy (`si`) decides, which the Url does not show. */
  readonly permission: 'given' | 'unknown' | 'refused';
  /** The maximum size of a block. */
  readonly mostBytes: number;
  /** The maximum size of a file in one request. */
  readonly wholeBytes: number;
};

export type Dialect = {
  /** Sent with the file in addition to Content-Length. No Content-Type: a signature may cover its absence. */
  readonly headers: Headers;
  /** Whether Content-MD5 may be sent, has to be, because the signature covers it, or must not be. */
  readonly contentMd5: 'optional' | 'required' | 'refused';
  /** When the Url expires, in ms since 1970, if its query says so. */
  readonly expiresAtMs: number | undefined;
  /** The meaning of a refusal that the common codes (send-outcome.ts) do not explain. */
  readonly meaningOf: (refusal: Refusal) => 'expired' | 'not-yet' | 'denied' | undefined;
  /**
   * A header that this storage sends in every response to a successful PUT: without it, something else has responded.
   * Storages with such a header may also return the MD5 of the stored object.
   */
  readonly proof: string | undefined;
  readonly storedMd5: (headers: AnswerHeaders) => StoredMd5 | undefined;
  /** How a file may be sent in blocks; absent where it can only be sent whole. */
  readonly blocks?: Blocks;
};

/** A header of a response; the first value if there are several. */
export const headerOf = (headers: AnswerHeaders, name: string): string | undefined => {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
};

/** A base64 MD5 in hex; undefined if it is not an MD5. */
export const md5FromBase64 = (base64: string | undefined): string | undefined => {
  const bytes = Buffer.from(base64 ?? '', 'base64');
  return bytes.length === 16 ? bytes.toString('hex') : undefined;
};

/** An ETag that has the form of an MD5: strong, 32 hexadecimal digits. Some storages leave out the quotes. */
const md5FromEtag = (headers: AnswerHeaders): string | undefined =>
  /^"?([0-9a-f]{32})"?$/i.exec(headerOf(headers, 'etag') ?? '')?.[1]?.toLowerCase();

/** Query parameters by their lower-case names, because signers spell them differently. */
const queryOf = (url: URL): ReadonlyMap<string, string> =>
  new Map([...url.searchParams].map(([name, value]) => [name.toLowerCase(), value]));

/** The expiry of a version 4 signature: a date such as 20260131T235959Z and a lifetime in seconds. */
const endOfV4 = (date = '', lifetimeS = ''): number | undefined => {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? [];
  const startMs = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return known(startMs + Number(lifetimeS || Number.NaN) * 1000);
};

/** The expiry of a version 2 signature: seconds since 1970. */
const endOfV2 = (expiresS = ''): number | undefined => known(Number(expiresS || Number.NaN) * 1000);

/** Whether a version 4 signature covers Content-MD5: `host;content-md5`. */
const signsMd5 = (signedHeaders = ''): boolean => signedHeaders.toLowerCase().split(';').includes('content-md5');

/** What a signature of S3 or Google says. `prefix`: of the parameters of version 4. */
const signature = (query: ReadonlyMap<string, string>, prefix: 'x-amz' | 'x-goog') => {
  const isV4 = query.has(`${prefix}-date`);
  return {
    headers: {},
    // Both refuse a Content-MD5 that the signature does not cover.
    contentMd5: signsMd5(query.get(`${prefix}-signedheaders`)) ? ('required' as const) : ('refused' as const),
    expiresAtMs: isV4
      ? endOfV4(query.get(`${prefix}-date`), query.get(`${prefix}-expires`))
      : endOfV2(query.get('expires')),
  };
};

const md5Of = (hex: string | undefined, isSure: boolean): StoredMd5 | undefined =>
  hex === undefined ? undefined : { hex, isSure };

const known = (ms: number): number | undefined => (Number.isFinite(ms) ? ms : undefined);

// Amazon S3 and compatible storages: signatures of version 4 (`X-Amz-*`) and 2 (`AWSAccessKeyId`).

/**
 * S3 refuses a Content-MD5 that the signature does not cover: version 4 with "There were headers present in the
 * request which were not signed", version 2 because its StringToSign contains a different one.
 */
const s3 = (url: URL): Dialect => ({
  ...signature(queryOf(url), 'x-amz'),
  meaningOf: ({ text }) => {
    if (/Request has expired/i.test(text)) return 'expired';
    return /Request is not yet valid/i.test(text) ? 'not-yet' : undefined;
  },
  proof: 'etag',
  // The ETag of one PUT without encryption, or with SSE-S3, is the MD5. With KMS or customer keys it only looks like
  // one, as it does in directory buckets; compatible storages may return anything.
  storedMd5: (headers) => {
    const encryption = headerOf(headers, 'x-amz-server-side-encryption') ?? 'AES256';
    const ownKey = headerOf(headers, 'x-amz-server-side-encryption-customer-algorithm');
    if (encryption !== 'AES256' || ownKey !== undefined) return undefined;
    return md5Of(md5FromEtag(headers), isAmazon(url));
  },
});

/** Whether the bucket is one of Amazon's general purpose buckets. */
const isAmazon = ({ hostname }: URL): boolean =>
  /\.amazonaws\.com(\.cn)?$/.test(hostname) && !/\.s3express-|--x-s3\./.test(hostname);

// Google Cloud Storage, XML API: signatures of version 4 (`X-Goog-*`) and 2 (`GoogleAccessId`).

const google = (url: URL): Dialect => ({
  ...signature(queryOf(url), 'x-goog'),
  meaningOf: ({ text }) => (/has expired/i.test(text) ? 'expired' : undefined),
  proof: 'x-goog-hash',
  // x-goog-hash: crc32c=…,md5=…
  storedMd5: (headers) => {
    const hashes = [headers['x-goog-hash'] ?? []].flat().join(',');
    return md5Of(md5FromBase64(/(?:^|,)\s*md5=([^,\s]+)/.exec(hashes)?.[1]), true);
  },
});

// Azure Blob Storage with a shared access signature (SAS): Put Blob, and blocks for large files.

const MIB = 1024 * 1024;

/** The limits of the version of the service that the SAS names (`sv`, a date), and whether it permits blocks. */
const blocksOf = (query: ReadonlyMap<string, string>): Blocks => {
  const version = query.get('sv') ?? '';
  const permissions = query.get('sp');
  // Put Block and Put Block List require the permission to write; for Put Blob, the permission to create is enough.
  const isListed = permissions?.includes('w') === true;
  const permission = isListed ? 'given' : permissions === undefined && query.has('si') ? 'unknown' : 'refused';
  if (version >= '2019-12-12') return { permission, wholeBytes: 5000 * MIB, mostBytes: 4000 * MIB };
  if (version >= '2016-05-31') return { permission, wholeBytes: 256 * MIB, mostBytes: 100 * MIB };
  return { permission, wholeBytes: 64 * MIB, mostBytes: 4 * MIB };
};

/** A SAS covers no header, so Content-MD5 can always be sent; the response contains the MD5 of the stored object. */
const azure = (url: URL): Dialect => {
  const query = queryOf(url);
  const startMs = Date.parse(query.get('st') ?? '');
  const endMs = Date.parse(query.get('se') ?? '');
  return {
    headers: { 'x-ms-blob-type': 'BlockBlob' },
    contentMd5: 'optional',
    expiresAtMs: Number.isNaN(endMs) ? undefined : endMs,
    meaningOf: ({ status, headers, text }) => {
      if (status !== 403 || !/AuthenticationFailed|AuthorizationFailure/.test(text)) return undefined;
      const detail = /<AuthenticationErrorDetail>([^<]*)/.exec(text)?.[1];
      if (detail !== undefined) return meaningOfDetail(detail);
      // The time of the storage's clock.
      const atMs = Date.parse(headerOf(headers, 'date') ?? '');
      if (atMs >= endMs) return 'expired';
      if (atMs < startMs) return 'not-yet';
      // Only a new signature can show whether the Url has expired or is denied.
      return Number.isNaN(endMs) && text.includes('AuthenticationFailed') ? 'expired' : 'denied';
    },
    proof: 'x-ms-request-id',
    storedMd5: (headers) => md5Of(md5FromBase64(headerOf(headers, 'content-md5')), true),
    blocks: blocksOf(query),
  };
};

/**
 * Azure refuses a SAS with AuthenticationFailed for any reason; the detail explains it: "Signature not valid in the
 * specified time frame: Start [Mon, 05 Jan 2026 …] - Expiry […] - Current […]", or "Signature did not match. …".
 */
const meaningOfDetail = (detail: string): 'expired' | 'not-yet' | 'denied' => {
  if (!/time frame/i.test(detail)) return /expir(ed|y time)/i.test(detail) ? 'expired' : 'denied';
  const timeOf = (name: string): number => Date.parse(new RegExp(`${name} \\[([^\\]]*)\\]`).exec(detail)?.[1] ?? '');
  return timeOf('Current') < timeOf('Start') ? 'not-yet' : 'expired';
};

// The dialect of a signed URL, recognised by its query.

/** Any other storage that accepts a PUT to a signed URL. Its query is not interpreted. */
const plain: Dialect = {
  headers: {},
  contentMd5: 'refused',
  expiresAtMs: undefined,
  meaningOf: ({ status, text }) =>
    [400, 401, 403, 410].includes(status) && /expired/i.test(text) ? 'expired' : undefined,
  proof: undefined,
  storedMd5: (headers) => md5Of(md5FromBase64(headerOf(headers, 'content-md5')) ?? md5FromEtag(headers), false),
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
 * Whether `url` has expired according to its query and this computer's clock, so that a large file need not be sent to
 * find that out. To be called for a URL that was stored or has waited: if the clock is wrong, a new signature costs
 * little, and the new URL is used even if it seems to have expired.
 */
export const hasExpired = (url: string, nowMs: number): boolean => {
  const endMs = URL.canParse(url) ? dialectOf(new URL(url)).expiresAtMs : undefined;
  return endMs !== undefined && endMs <= nowMs;
};
