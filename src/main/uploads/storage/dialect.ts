/** What a signed Url reveals about its storage. The Url itself is used unchanged. */
import type { Dispatcher } from 'undici';

export type Headers = Readonly<Record<string, string>>;
type AnswerHeaders = Dispatcher.ResponseData['headers'];

/** Why a storage refused a file; send-outcome.ts turns it into an error. */
export type Meaning =
  /** The Url has expired. */
  | 'expired'
  /** The Url is not valid yet, or the storage considers the signer's clock wrong. */
  | 'not-yet'
  /** The signature or its permissions do not allow it. */
  | 'denied'
  | 'too-large'
  /** Retry the same later. */
  | 'busy'
  /** The content does not match its checksum; nothing was stored. */
  | 'garbled'
  /** The storage timed out waiting for bytes; nothing was stored. */
  | 'too-slow'
  | 'failed'
  | 'refused';

/**
 * The MD5 of the stored object in hex, as a response to a PUT has it. `isSure`: the storage documents it; otherwise it may be
 * something else of that form, unless it was right before (`Md5Origins`).
 */
export type StoredMd5 = { readonly hex: string; readonly isSure: boolean };

/** The parts of an answer outside 2xx that dialects use. `text`: the start of its body. */
export type Refusal = { readonly status: number; readonly headers: AnswerHeaders; readonly text: string };

export type Dialect = {
  readonly name: 's3' | 'google' | 'azure' | 'plain';
  /** Sent with the file in addition to Content-Length. No Content-Type: a signature may cover its absence. */
  readonly headers: Headers;
  /** Whether Content-MD5 may, or must, be sent if the file's MD5 is known before the first byte. */
  readonly takesMd5: boolean;
  /** When the Url expires, in ms since 1970, if its query says so. */
  readonly expiresAtMs: number | undefined;
  /** The meaning of a refusal that the common codes (error-codes.ts) do not explain. */
  readonly meaningOf: (refusal: Refusal) => Meaning | undefined;
  /** A header of every response to a PUT that this storage has stored: without it, something else has responded. */
  readonly proof: string | undefined;
  /** Whether responses contain the MD5 of the stored object: only then it is computed while sending. */
  readonly tellsMd5: boolean;
  readonly storedMd5: (headers: AnswerHeaders) => StoredMd5 | undefined;
};

/** A header of an answer; the first value if there are several. */
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
export const md5FromEtag = (headers: AnswerHeaders): string | undefined =>
  /^"?([0-9a-f]{32})"?$/i.exec(headerOf(headers, 'etag') ?? '')?.[1]?.toLowerCase();

/** Query parameters by their lower-case names, because signers spell them differently. */
export const queryOf = (url: URL): ReadonlyMap<string, string> =>
  new Map([...url.searchParams].map(([name, value]) => [name.toLowerCase(), value]));

/** The expiry of a version 4 signature: a date such as 20260131T235959Z and a lifetime in seconds. */
export const endOfV4 = (date = '', lifetimeS = ''): number | undefined => {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? [];
  const startMs = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return known(startMs + Number(lifetimeS || Number.NaN) * 1000);
};

/** The expiry of a version 2 signature: seconds since 1970. */
export const endOfV2 = (expiresS = ''): number | undefined => known(Number(expiresS || Number.NaN) * 1000);

/** Whether a version 4 signature covers Content-MD5: `host;content-md5`. */
export const signsMd5 = (signedHeaders = ''): boolean => signedHeaders.toLowerCase().split(';').includes('content-md5');

const known = (ms: number): number | undefined => (Number.isFinite(ms) ? ms : undefined);
