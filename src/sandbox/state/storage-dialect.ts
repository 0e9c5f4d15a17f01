/** Whose storage the sandbox's resembles: by the query of signed URLs, and by what it answers to a PUT. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';

/** `plain` answers with the MD5 as ETag, `bare` with nothing but 200. */
export const StorageDialect = z.enum(['plain', 'bare', 's3', 'google', 'azure']);
export type StorageDialect = z.infer<typeof StorageDialect>;

/** What its signed URLs have beside the sandbox's own expiry and signature. Times are ms since 1970. */
export const dialectQuery = (dialect: StorageDialect, nowMs: number, expiresAtMs: number): Record<string, string> => {
  const date = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '');
  const seconds = String(Math.round((expiresAtMs - nowMs) / 1000));
  switch (dialect) {
    case 'plain':
    case 'bare':
      return {};
    case 's3':
      return { 'X-Amz-Algorithm': 'AWS4-HMAC-SHA256', 'X-Amz-Date': date, 'X-Amz-Expires': seconds };
    case 'google':
      return { 'X-Goog-Algorithm': 'GOOG4-RSA-SHA256', 'X-Goog-Date': date, 'X-Goog-Expires': seconds };
    case 'azure':
      return { sv: '2024-11-04', se: new Date(expiresAtMs).toISOString(), sr: 'b', sp: 'cw', sig: 'as-signature' };
  }
};

/** The status and headers of its answer to a PUT of an object with this MD5 (hex). */
export const storedAnswer = (
  dialect: StorageDialect,
  md5: string,
): { readonly status: 200 | 201; readonly headers: Record<string, string> } => {
  const base64 = Buffer.from(md5, 'hex').toString('base64');
  const etag = { ETag: `"${md5}"` };
  switch (dialect) {
    case 'plain':
      return { status: 200, headers: etag };
    case 'bare':
      return { status: 200, headers: {} };
    case 's3':
      return { status: 200, headers: { ...etag, 'x-amz-request-id': randomUUID() } };
    case 'google':
      return { status: 200, headers: { ...etag, 'x-goog-hash': `md5=${base64}`, 'x-goog-generation': '1' } };
    case 'azure': {
      const headers = { ETag: '"0x8D4BCC2E4835CD0"', 'Content-MD5': base64, 'x-ms-request-id': randomUUID() };
      return { status: 201, headers };
    }
  }
};

/** How it refuses a URL that has expired: the code, message and detail of its XML. */
export const expiredError = (dialect: StorageDialect): readonly [code: string, message: string, detail?: string] =>
  dialect === 'azure'
    ? ['AuthenticationFailed', 'Server failed to authenticate the request', 'Signature expired']
    : ['AccessDenied', 'Request has expired'];
