/**
 * The storage behind signed URLs: PUT only, and unlike the API without an access token. Errors are XML,
 * as object stores return them: `<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>`.
 */
import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Watch } from '../faults/effects.ts';
import type { Body, SandboxEnv } from '../http/http.ts';
import type { StatsRecorder } from '../http/stats.ts';
import type { UploadStore } from '../state/uploads.ts';
import { checkSignature, expiredError, type StorageDialect, storedAnswer } from '../state/uploads.ts';

const prefix = '/storage/';

/** The path of an object's URL. Keys need no escaping. */
export const storagePath = (key: string): string => `${prefix}${key}`;

/** The storage's routes, mounted at the root. */
export const storageRoutes = (dependencies: {
  readonly watch: Watch;
  readonly stats: StatsRecorder;
  readonly uploads: UploadStore;
  readonly secret: string;
  readonly now: () => number;
  readonly maxObjectBytes: number;
  readonly dialect: StorageDialect;
}): Hono<SandboxEnv> => {
  const { watch, stats, uploads, secret, now, maxObjectBytes, dialect } = dependencies;

  const keyOf = (c: Context): string => c.req.path.slice(prefix.length);

  const refuseLeakedToken = (c: Context): Response | undefined => {
    if (c.req.header('authorization') === undefined) return undefined;
    stats.violation('bearer-at-storage');
    return storageError(c, 400, 'InvalidArgument', 'Only one authentication mechanism allowed');
  };

  const refuseSignature = (c: Context<SandboxEnv>): Response | undefined => {
    const { method, path } = c.req;
    const fault = checkSignature(secret, { method, path, query: new URL(c.req.url).searchParams }, now());
    if (fault === 'missing') return storageError(c, 403, 'AccessDenied', 'The request is not signed');
    if (fault === 'mismatch') {
      return storageError(c, 403, 'SignatureDoesNotMatch', 'The signature is not that of this method, path and expiry');
    }
    const isExpired = fault === 'expired' || c.get('signatureExpired') === true;
    return isExpired ? storageError(c, 403, ...expiredError(dialect)) : undefined;
  };

  const refuseLength = (c: Context): Response | undefined => {
    const length = c.req.header('content-length');
    if (length === undefined || c.req.header('transfer-encoding') !== undefined) {
      stats.violation('upload-without-length');
      return storageError(c, 411, 'MissingContentLength', 'You must provide the Content-Length HTTP header');
    }
    return Number(length) > maxObjectBytes
      ? storageError(c, 413, 'EntityTooLarge', `An object may have ${maxObjectBytes} bytes at most`)
      : undefined;
  };

  const put = async (c: Context<SandboxEnv>): Promise<Response> => {
    const refusal = refuseLeakedToken(c) ?? refuseSignature(c) ?? refuseLength(c);
    if (refusal !== undefined) return refusal;
    const key = keyOf(c);
    if (uploads.fileNameOf(key) === undefined) return storageError(c, 404, 'NoSuchKey', 'The key does not exist');
    const { incoming } = c.env;
    const body = c.get('throughFault')?.(incoming) ?? incoming;
    const sizeBytes = Number(c.req.header('content-length'));
    const half = Math.floor(sizeBytes / 2);
    const md5 = await (c.get('storesHalf')
      ? uploads.store(key, firstBytes(body, half), half)
      : uploads.store(key, body, sizeBytes));
    const { status, headers } = storedAnswer(dialect, md5);
    return c.body(null, status, headers);
  };

  return new Hono<SandboxEnv>()
    .put(
      `${prefix}*`,
      watch('storage-put', async (c) => uploads.fileNameOf(keyOf(c)) ?? ''),
      put,
    )
    .all(`${prefix}*`, (c) => {
      c.header('Allow', 'PUT');
      return refuseLeakedToken(c) ?? storageError(c, 405, 'MethodNotAllowed', 'This address takes PUT only');
    });
};

/** The first bytes of `body`, which is read to its end. */
async function* firstBytes(body: Body, count: number): Body {
  let left = count;
  for await (const chunk of body) {
    if (left > 0) yield chunk.subarray(0, left);
    left -= chunk.length;
  }
}

const storageError = (
  c: Context,
  status: ContentfulStatusCode,
  code: string,
  message: string,
  detail?: string,
): Response => {
  const more = detail === undefined ? '' : `<AuthenticationErrorDetail>${detail}</AuthenticationErrorDetail>`;
  const body = `<Error><Code>${code}</Code><Message>${message}</Message>${more}</Error>`;
  return c.body(`<?xml version="1.0" encoding="UTF-8"?>\n${body}`, status, { 'Content-Type': 'application/xml' });
};
