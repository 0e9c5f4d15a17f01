/** The dialects of storages: how a file is sent to a signed URL, and how the response is read. */
import type { Dispatcher } from 'undici';

export type Headers = Readonly<Record<string, string>>;
type ResponseHeaders = Dispatcher.ResponseData['headers'];

/** The presumed MD5 of the stored object, in hex. `isSure`: the storage documents that the value is the MD5. */
type StoredMd5 = { readonly hex: string; readonly isSure: boolean };

/** The parts of a response outside 2xx that a dialect uses. `text`: the start of its body. */
type Refusal = { readonly status: number; readonly headers: ResponseHeaders; readonly text: string };

/**
 * Why a storage refused a file. `not-yet`: by the storage's clock, the URL is not valid yet. `busy`: a later request
 * may succeed. `garbled`, `too-slow`: the content did not match its checksum or came too slowly, and nothing was
 * stored.
 */
type Meaning = 'expired' | 'not-yet' | 'denied' | 'too-large' | 'busy' | 'garbled' | 'too-slow' | 'failed' | 'refused';

type Blocks = {
  /** Whether the URL permits blocks. `unknown`: the URL only names a stored access policy (`si`), which decides. */
  readonly permission: 'given' | 'unknown' | 'refused';
  /** The maximum size of a block. */
  readonly mostBytes: number;
  /** The maximum size of a file in one request. */
  readonly wholeBytes: number;
};

export type Dialect = {
  /** The headers of a PUT of the whole file. There is no Content-Type: a signature may cover its absence. */
  readonly headers: Headers;
  /** Whether a PUT can, must or must not have Content-MD5. `required`: the signature covers the header. */
  readonly contentMd5: 'optional' | 'required' | 'refused';
  /**
   * When the URL expires, in ms since 1970; undefined if the dialect does not recognise an expiry time in the query.
   */
  readonly expiresAtMs: number | undefined;
  readonly meaningOf: (refusal: Refusal) => Meaning;
  /** The name of the header that proves that a 2xx comes from this storage, not a proxy; undefined: none is known. */
  readonly proof: string | undefined;
  readonly storedMd5: (headers: ResponseHeaders) => StoredMd5 | undefined;
  /** How a file can be sent in blocks; absent: it can only be sent whole. */
  readonly blocks?: Blocks;
};

/**
 * A dialect without the meanings that all storages share. `meaningOf`: undefined if the error code (`codes`) or the
 * status decides.
 */
type Own = Omit<Dialect, 'meaningOf'> & {
  readonly meaningOf: (refusal: Refusal) => 'expired' | 'not-yet' | 'denied' | undefined;
};

/** The value of a header, the first if there are several. `name`: in lower case. */
export const headerOf = (headers: ResponseHeaders, name: string): string | undefined => {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
};

/** Converts an MD5 from base64 to hex; returns undefined if `base64` does not decode to 16 bytes. */
export const md5FromBase64 = (base64: string | undefined): string | undefined => {
  const bytes = Buffer.from(base64 ?? '', 'base64');
  return bytes.length === 16 ? bytes.toString('hex') : undefined;
};

/** The ETag, if it has the form of an MD5: strong, 32 hexadecimal digits. Some storages leave out the quotes. */
const md5FromEtag = (headers: ResponseHeaders): string | undefined =>
  /^"?([0-9a-f]{32})"?$/i.exec(headerOf(headers, 'etag') ?? '')?.[1]?.toLowerCase();

type Query = ReadonlyMap<string, string>;

/** Query parameters by their lower-case names, because signers spell them differently. */
const queryOf = (url: URL): Query => new Map([...url.searchParams].map(([name, value]) => [name.toLowerCase(), value]));

/**
 * The expiry of a version 4 signature in ms since 1970, from its date, such as 20260131T235959Z, and its lifetime;
 * undefined if they do not tell it.
 */
const endOfV4 = (date = '', lifetimeS = ''): number | undefined => {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? [];
  const startMs = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return known(startMs + Number(lifetimeS || Number.NaN) * 1000);
};

/**
 * The expiry of a version 2 signature in ms since 1970; undefined if it is missing or no number. `expiresS`: in seconds
 * since 1970.
 */
const endOfV2 = (expiresS = ''): number | undefined => known(Number(expiresS || Number.NaN) * 1000);

/** Whether a version 4 signature covers Content-MD5. `signedHeaders`: for example `host;content-md5`. */
const signsMd5 = (signedHeaders = ''): boolean => signedHeaders.toLowerCase().split(';').includes('content-md5');

/**
 * The fields of a dialect that depend on the signature of S3 or Google. `prefix`: the prefix of version 4 parameters.
 */
const signature = (query: Query, prefix: 'x-amz' | 'x-goog') => {
  const isV4 = query.has(`${prefix}-date`);
  return {
    headers: {},
    // S3 and Google can refuse a Content-MD5 that the signature does not cover.
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

const s3 = (url: URL, query: Query): Own => ({
  ...signature(query, 'x-amz'),
  meaningOf: ({ text }) => {
    if (/Request has expired/i.test(text)) return 'expired';
    return /Request is not yet valid/i.test(text) ? 'not-yet' : undefined;
  },
  proof: 'etag',
  // The ETag after one PUT is the MD5 if the object is not encrypted, or encrypted with SSE-S3. With KMS or customer
  // keys, and in directory buckets, it only looks like an MD5. Compatible storages may return anything.
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

const google = (query: Query): Own => ({
  ...signature(query, 'x-goog'),
  meaningOf: ({ text }) => (/has expired/i.test(text) ? 'expired' : undefined),
  proof: 'x-goog-hash',
  // The header has the form `crc32c=…,md5=…`.
  storedMd5: (headers) => {
    const hashes = [headers['x-goog-hash'] ?? []].flat().join(',');
    return md5Of(md5FromBase64(/(?:^|,)\s*md5=([^,\s]+)/.exec(hashes)?.[1]), true);
  },
});

// Azure Blob Storage with a shared access signature (SAS): Put Blob, and blocks for large files.

const MIB = 1024 * 1024;

/** Whether the SAS permits blocks, and the limits of the service version that it names (`sv`, a date). */
const blocksOf = (query: Query): Blocks => {
  const version = query.get('sv') ?? '';
  const permissions = query.get('sp');
  // Put Block and Put Block List require the permission to write; for Put Blob, the permission to create is enough.
  const mayWrite = permissions?.includes('w') === true;
  const permission = mayWrite ? 'given' : permissions === undefined && query.has('si') ? 'unknown' : 'refused';
  if (version >= '2019-12-12') return { permission, wholeBytes: 5000 * MIB, mostBytes: 4000 * MIB };
  if (version >= '2016-05-31') return { permission, wholeBytes: 256 * MIB, mostBytes: 100 * MIB };
  return { permission, wholeBytes: 64 * MIB, mostBytes: 4 * MIB };
};

/** The dialect of Azure. Content-MD5 can always be sent, because a SAS does not cover this header. */
const azure = (query: Query): Own => {
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
      // The time by the storage's clock.
      const atMs = Date.parse(headerOf(headers, 'date') ?? '');
      if (atMs >= endMs) return 'expired';
      if (atMs < startMs) return 'not-yet';
      // A URL without an expiry time may have expired; only a new signature can show whether access is denied.
      return Number.isNaN(endMs) && text.includes('AuthenticationFailed') ? 'expired' : 'denied';
    },
    proof: 'x-ms-request-id',
    storedMd5: (headers) => md5Of(md5FromBase64(headerOf(headers, 'content-md5')), true),
    blocks: blocksOf(query),
  };
};

/** The meaning of a detail of AuthenticationFailed, such as "Signature not valid in the specified time frame: …". */
const meaningOfDetail = (detail: string): 'expired' | 'not-yet' | 'denied' => {
  if (!/time frame/i.test(detail)) return /expir(ed|y time)/i.test(detail) ? 'expired' : 'denied';
  const timeOf = (name: string): number => Date.parse(new RegExp(`${name} \\[([^\\]]*)\\]`).exec(detail)?.[1] ?? '');
  return timeOf('Current') < timeOf('Start') ? 'not-yet' : 'expired';
};

// The error codes of S3, Google (XML API) and Azure, which do not conflict, and their meaning for an upload. Where a
// code is missing here, the status decides.

const codes: readonly (readonly [Meaning, readonly string[]])[] = [
  ['expired', ['ExpiredToken', 'RequestExpired']],
  ['not-yet', ['RequestTimeTooSkewed']],
  ['denied', ['InvalidToken']],
  ['too-large', ['EntityTooLarge', 'MaxMessageLengthExceeded', 'RequestBodyTooLarge', 'BlockCountExceedsLimit']],
  ['busy', ['SlowDown', 'ServiceUnavailable', 'Throttling', 'RequestLimitExceeded', 'ServerBusy', 'OperationAborted']],
  [
    'garbled',
    [
      ...['BadDigest', 'InvalidDigest', 'CrcMismatch', 'Md5Mismatch', 'InvalidMd5'],
      ...['XAmzContentChecksumMismatch', 'XAmzContentSHA256Mismatch'],
    ],
  ],
  ['too-slow', ['RequestTimeout', 'IncompleteBody']],
];
const meanings = new Map(codes.flatMap(([meaning, named]) => named.map((code) => [code, meaning] as const)));

/** The error code in a storage's body, if any. Errors contain only this code: the body may repeat the signature. */
export const storageCode = (text: string): string | undefined =>
  /<Code>([A-Za-z0-9]{1,64})<\/Code>|"[Cc]ode"\s*:\s*"([A-Za-z0-9]{1,64})"/.exec(text)?.slice(1).find(Boolean);

const meaningOfStatus = (status: number): Meaning => {
  if (status === 413) return 'too-large';
  if (status === 429 || status === 503) return 'busy';
  if (status === 408 || status >= 500) return 'failed';
  return status === 401 || status === 403 ? 'denied' : 'refused';
};

// The dialect of a signed URL, recognised by its query.

/** Any other storage that accepts a PUT to a signed URL. Its query is not interpreted. */
const plain: Own = {
  headers: {},
  contentMd5: 'refused',
  expiresAtMs: undefined,
  meaningOf: ({ status, text }) =>
    [400, 401, 403, 410].includes(status) && /expired/i.test(text) ? 'expired' : undefined,
  proof: undefined,
  storedMd5: (headers) => md5Of(md5FromBase64(headerOf(headers, 'content-md5')) ?? md5FromEtag(headers), false),
};

/** Recognises the dialect by the names of query parameters, whatever their case. Any other URL is `plain`. */
export const dialectOf = (url: URL): Dialect => {
  const own = ownOf(url, queryOf(url));
  const meaningOf = (refusal: Refusal): Meaning =>
    own.meaningOf(refusal) ?? meanings.get(storageCode(refusal.text) ?? '') ?? meaningOfStatus(refusal.status);
  return { ...own, meaningOf };
};

const ownOf = (url: URL, query: Query): Own => {
  const has = (prefix: string) => [...query.keys()].some((name) => name.startsWith(prefix));
  if (has('x-amz-') || query.has('awsaccesskeyid')) return s3(url, query);
  if (has('x-goog-') || query.has('googleaccessid')) return google(query);
  return query.has('sv') && query.has('sig') ? azure(query) : plain;
};

/**
 * Whether a URL has expired by this computer's clock. The clock may be wrong, so callers must try a new URL even if it
 * seems to have expired.
 */
export const hasExpired = ({ expiresAtMs }: Dialect, nowMs: number): boolean =>
  expiresAtMs !== undefined && expiresAtMs <= nowMs;
