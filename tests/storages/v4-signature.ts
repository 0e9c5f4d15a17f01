/**
 * Signatures of version 4 in the query of a URL, as Amazon S3 and Google Cloud Storage define them: one algorithm, with
 * different names and keys (`Scheme`). They are checked as strictly as documented.
 *
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
 * https://docs.cloud.google.com/storage/docs/authentication/canonical-requests
 */
import { createHash } from 'node:crypto';
import type { SignedRequest } from '../../src/sandbox/storage/kind.ts';

/** The names and the key of one service. */
export type Scheme = {
  /** How its query parameters begin: `X-Amz-` or `X-Goog-`. */
  readonly prefix: string;
  /** `AWS4-HMAC-SHA256` or `GOOG4-RSA-SHA256`. */
  readonly algorithm: string;
  /** The signer: the access key id, or the account's address. */
  readonly signer: string;
  /** The scope of a credential without its date: `eu-north-1/s3/aws4_request`. */
  readonly scope: string;
  /** Headers with one of these prefixes have to be signed if they are sent, like those in `alwaysSigned`. */
  readonly headerPrefixes: readonly string[];
  readonly sign: (stringToSign: string, date: string) => string;
  readonly verify: (stringToSign: string, date: string, signature: string) => boolean;
};

/** Why a signature is refused. Times are in ms since 1970. */
export type SignatureFault =
  | {
      readonly type: 'incomplete' | 'bad-algorithm' | 'bad-date' | 'bad-lifetime' | 'bad-credential' | 'unknown-signer';
    }
  | { readonly type: 'expired'; readonly endMs: number }
  | { readonly type: 'not-yet' }
  /** `header` was sent without a signature, or is signed and was not sent. */
  | { readonly type: 'unsigned' | 'missing'; readonly header: string }
  | { readonly type: 'mismatch'; readonly canonicalRequest: string; readonly stringToSign: string };

/** The value that replaces the payload's hash if the signature does not cover the content. */
const UNSIGNED_PAYLOAD = 'UNSIGNED-PAYLOAD';

/** The maximum lifetime of a signed URL in seconds: seven days, for both services. */
const LONGEST_S = 604_800;

/** The clocks of the signer and the storage may differ by 15 minutes. */
const SKEW_MS = 15 * 60_000;

/** The headers that have to be signed if they are sent, besides those with the service's own prefixes. */
const alwaysSigned = ['host', 'content-md5', 'content-type'];

/** A PUT that a URL is made for. Times are in ms since 1970. */
type Target = { readonly host: string; readonly path: string; readonly atMs: number; readonly endMs: number };

/** Returns the query of a URL that permits a PUT from `atMs` to `endMs`, with the host as the only signed header. */
export const signV4 = (scheme: Scheme, { host, path, atMs, endMs }: Target): string => {
  const time = timeOf(atMs);
  const date = time.slice(0, 8);
  const parameters = [
    ['Algorithm', scheme.algorithm],
    ['Credential', `${scheme.signer}/${date}/${scheme.scope}`],
    ['Date', time],
    ['Expires', String(Math.round((endMs - atMs) / 1000))],
    ['SignedHeaders', 'host'],
  ] as const;
  const query = parameters.map(([name, value]) => `${scheme.prefix}${name}=${encode(value)}`).join('&');
  const text = stringToSign(scheme, time, canonicalRequest(scheme, { method: 'PUT', path, query, headers: { host } }));
  return `${query}&${scheme.prefix}Signature=${scheme.sign(text, date)}`;
};

/** Checks the signature in the query of `request` at `nowMs`. Returns its fault; undefined if it is valid. */
export const checkV4 = (scheme: Scheme, request: SignedRequest, nowMs: number): SignatureFault | undefined => {
  const query = new Map(parametersOf(request.query).map(([name, value]) => [name.toLowerCase(), value]));
  const of = (name: string): string | undefined => query.get(`${scheme.prefix}${name}`.toLowerCase());
  const [algorithm, credential, time] = [of('Algorithm'), of('Credential'), of('Date')];
  const [lifetime, signedHeaders, signature] = [of('Expires'), of('SignedHeaders'), of('Signature')];
  if (!algorithm || !credential || !time || !lifetime || !signedHeaders || !signature) return { type: 'incomplete' };
  if (algorithm !== scheme.algorithm) return { type: 'bad-algorithm' };
  const startMs = msOf(time);
  if (startMs === undefined) return { type: 'bad-date' };
  if (!/^\d+$/.test(lifetime) || Number(lifetime) < 1 || Number(lifetime) > LONGEST_S) return { type: 'bad-lifetime' };
  const date = time.slice(0, 8);
  if (!credential.endsWith(`/${date}/${scheme.scope}`)) return { type: 'bad-credential' };
  if (credential !== `${scheme.signer}/${date}/${scheme.scope}`) return { type: 'unknown-signer' };
  const endMs = startMs + Number(lifetime) * 1000;
  if (nowMs >= endMs) return { type: 'expired', endMs };
  if (startMs > nowMs + SKEW_MS) return { type: 'not-yet' };
  const fault = checkHeaders(scheme, request.headers, signedHeaders.split(';'));
  if (fault) return fault;
  const canonical = canonicalRequest(scheme, request);
  const text = stringToSign(scheme, time, canonical);
  if (scheme.verify(text, date, signature)) return undefined;
  return { type: 'mismatch', canonicalRequest: canonical, stringToSign: text };
};

const checkHeaders = (
  { headerPrefixes }: Scheme,
  headers: SignedRequest['headers'],
  signed: readonly string[],
): SignatureFault | undefined => {
  const matters = (name: string): boolean =>
    alwaysSigned.includes(name) || headerPrefixes.some((prefix) => name.startsWith(prefix));
  const unsigned = Object.keys(headers).find((name) => matters(name) && !signed.includes(name));
  if (unsigned !== undefined) return { type: 'unsigned', header: unsigned };
  const missing = signed.find((name) => headers[name] === undefined);
  return missing === undefined ? undefined : { type: 'missing', header: missing };
};

/** Creates a check that compares a body with the signed hash of its request, if the request has one. */
export const createPayloadCheck = (scheme: Scheme, request: SignedRequest) => {
  const expected = payloadHash(scheme, request);
  const hash = expected === UNSIGNED_PAYLOAD ? undefined : createHash('sha256');
  return {
    update: (chunk: Uint8Array): void => void hash?.update(chunk),
    /** Whether the whole body has the signed hash; true if no hash is signed. */
    isRight: (): boolean => hash === undefined || hash.digest('hex') === expected,
  };
};

const payloadHash = ({ prefix }: Scheme, { headers, query }: Pick<SignedRequest, 'headers' | 'query'>): string => {
  const name = `${prefix}Content-SHA256`.toLowerCase();
  const inQuery = parametersOf(query).find(([parameter]) => parameter.toLowerCase() === name)?.[1];
  return headers[name] ?? inQuery ?? UNSIGNED_PAYLOAD;
};

const canonicalRequest = (scheme: Scheme, { method, path, query, headers }: SignedRequest): string => {
  const parameters = parametersOf(query)
    .filter(([name]) => name.toLowerCase() !== `${scheme.prefix}Signature`.toLowerCase())
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .toSorted(([a, x], [b, y]) => compare(a, b) || compare(x, y));
  const signed = parameters.find(([name]) => name.toLowerCase() === `${scheme.prefix}SignedHeaders`.toLowerCase());
  const names = decodeURIComponent(signed?.[1] ?? '').split(';');
  return [
    method,
    path.split('/').map(decodeURIComponent).map(encode).join('/'),
    parameters.map(([name, value]) => `${name}=${value}`).join('&'),
    ...names.map((name) => `${name}:${(headers[name] ?? '').trim().replace(/\s+/g, ' ')}`),
    '',
    names.join(';'),
    payloadHash(scheme, { headers, query }),
  ].join('\n');
};

const stringToSign = ({ algorithm, scope }: Scheme, time: string, canonical: string): string =>
  [algorithm, time, `${time.slice(0, 8)}/${scope}`, createHash('sha256').update(canonical).digest('hex')].join('\n');

/** Returns the decoded parameters of a query, in which a plus sign stands for itself, not for a space. */
const parametersOf = (query: string): readonly (readonly [name: string, value: string])[] => [
  ...new URLSearchParams(query.replaceAll('+', '%2B')),
];

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Percent-encodes everything but the unreserved characters of RFC 3986. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/** Returns a time in the form `20260131T235959Z`. */
const timeOf = (ms: number): string => new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '');

const msOf = (time: string): number | undefined => {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(time) ?? [];
  const ms = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(ms) ? undefined : ms;
};
