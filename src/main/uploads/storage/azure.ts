/** Azure Blob Storage with a shared access signature (SAS): Put Blob, and blocks for files that are too large for it. */
import { type Dialect, headerOf, md5FromBase64, queryOf } from './dialect.ts';

const MIB = 1024 * 1024;

/** The maximum sizes of requests, by the version of the service that the SAS names (`sv`, a date). */
type AzureLimits = { readonly putBlobBytes: number; readonly blockBytes: number };

/** The limits of the version that `url` is signed for; without a version, those of the oldest. */
export const azureLimits = (url: URL): AzureLimits => {
  const version = queryOf(url).get('sv') ?? '';
  if (version >= '2019-12-12') return { putBlobBytes: 5000 * MIB, blockBytes: 4000 * MIB };
  if (version >= '2016-05-31') return { putBlobBytes: 256 * MIB, blockBytes: 100 * MIB };
  return { putBlobBytes: 64 * MIB, blockBytes: 4 * MIB };
};

/**
 * Whether the SAS allows Put Block and Put Block List, which require the permission to write; for Put Blob, the permission
 * to create is enough. A SAS with a stored policy (`si`) need not list its permissions.
 */
export const allowsBlocks = (url: URL): boolean => {
  const query = queryOf(url);
  const permissions = query.get('sp');
  return permissions === undefined ? query.has('si') : permissions.includes('w');
};

/** A SAS covers no header, so Content-MD5 can always be sent; the answer contains the MD5 of the stored object. */
export const azure = (url: URL): Dialect => {
  const query = queryOf(url);
  const startMs = Date.parse(query.get('st') ?? '');
  const endMs = Date.parse(query.get('se') ?? '');
  return {
    name: 'azure',
    headers: { 'x-ms-blob-type': 'BlockBlob' },
    takesMd5: true,
    expiresAtMs: Number.isNaN(endMs) ? undefined : endMs,
    meaningOf: ({ status, headers, text }) => {
      if (status !== 403 || !/AuthenticationFailed|AuthorizationFailure/.test(text)) return undefined;
      const detail = /<AuthenticationErrorDetail>([^<]*)/.exec(text)?.[1];
      if (detail !== undefined) return meaningOfDetail(detail);
      // The time of the storage's clock.
      const atMs = Date.parse(headerOf(headers, 'date') ?? '');
      if (atMs >= endMs) return 'expired';
      if (atMs < startMs) return 'not-yet';
      // Only a new signature can show which.
      return Number.isNaN(endMs) && text.includes('AuthenticationFailed') ? 'expired' : 'denied';
    },
    proof: 'x-ms-request-id',
    tellsMd5: true,
    storedMd5: (headers) => {
      const hex = md5FromBase64(headerOf(headers, 'content-md5'));
      return hex === undefined ? undefined : { hex, isSure: true };
    },
  };
};

/**
 * Azure refuses a SAS with AuthenticationFailed for any reason; the detail explains it: "Signature not valid in the specified
 * time frame: Start [Mon, 05 Jan 2026 …] - Expiry […] - Current […]", or "Signature did not match. …".
 */
const meaningOfDetail = (detail: string): 'expired' | 'not-yet' | 'denied' => {
  if (!/time frame/i.test(detail)) return /expir(ed|y time)/i.test(detail) ? 'expired' : 'denied';
  const timeOf = (name: string): number => Date.parse(new RegExp(`${name} \\[([^\\]]*)\\]`).exec(detail)?.[1] ?? '');
  return timeOf('Current') < timeOf('Start') ? 'not-yet' : 'expired';
};
