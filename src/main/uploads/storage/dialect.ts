/** What is known of the storage behind a signed Url. Nothing else is: a Url is used as it was given. */
import type { Dispatcher } from 'undici';

export type Headers = Readonly<Record<string, string>>;
type AnswerHeaders = Dispatcher.ResponseData['headers'];

/** Why a storage did not take a file. The error for a person is made of it in storage/send-outcome.ts. */
export type Meaning =
  /** The Url's time is over. */
  | 'expired'
  /** The Url's time has not begun, or the storage finds the signer's clock wrong. */
  | 'not-yet'
  /** The signature or its permissions do not allow it. */
  | 'denied'
  | 'too-large'
  /** Wait, then the same again. */
  | 'busy'
  /** What arrived is not what the checksum says; nothing was stored. */
  | 'garbled'
  /** Too few bytes came in the storage's time; nothing was stored. */
  | 'too-slow'
  | 'failed'
  | 'refused';

/** An answer outside 2xx, as far as dialects look at it. `text`: the start of its body. */
export type Refusal = { readonly status: number; readonly headers: AnswerHeaders; readonly text: string };

export type Dialect = {
  readonly name: 's3' | 'google' | 'azure' | 'plain';
  /** Sent with the file beside Content-Length. No Content-Type: a signature may cover the lack of one. */
  readonly headers: Headers;
  /** Content-MD5 may, or must, come with the file where its MD5 is known before the first byte. */
  readonly takesMd5: boolean;
  /** When the Url's time is over, in ms since 1970, where its query says so. */
  readonly expiresAtMs: number | undefined;
  /** What this storage means where the common codes (error-codes.ts) do not tell. */
  readonly meaningOf: (refusal: Refusal) => Meaning | undefined;
  /**
   * Whether the answer to a PUT may tell the MD5 of what was stored: only then it is computed on the way.
   * `storedMd5`: that MD5 in hex.
   */
  readonly tellsMd5: boolean;
  readonly storedMd5: (headers: AnswerHeaders) => string | undefined;
};

/** A header of an answer; the first of several. */
export const headerOf = (headers: AnswerHeaders, name: string): string | undefined => {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
};

/** A base64 MD5 in hex; nothing where it is none. */
export const md5FromBase64 = (base64: string | undefined): string | undefined => {
  const bytes = Buffer.from(base64 ?? '', 'base64');
  return bytes.length === 16 ? bytes.toString('hex') : undefined;
};

/** Query parameters by their lower-case names: signers differ in how they write them. */
export const queryOf = (url: URL): ReadonlyMap<string, string> =>
  new Map([...url.searchParams].map(([name, value]) => [name.toLowerCase(), value]));

/** The end of a signature of version 4: a date as 20260131T235959Z and a lifetime in seconds. */
export const endOfV4 = (date = '', lifetimeS = ''): number | undefined => {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? [];
  const startMs = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return known(startMs + Number(lifetimeS || Number.NaN) * 1000);
};

/** The end of a signature of version 2: seconds since 1970. */
export const endOfV2 = (expiresS = ''): number | undefined => known(Number(expiresS || Number.NaN) * 1000);

/** The header names that a signature of version 4 covers: `host;content-md5`. */
export const signsMd5 = (signedHeaders = ''): boolean => signedHeaders.toLowerCase().split(';').includes('content-md5');

const known = (ms: number): number | undefined => (Number.isFinite(ms) ? ms : undefined);
