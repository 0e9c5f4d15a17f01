/**
 * The storage that signed URLs lead to. It accepts only PUT, and refuses requests with an access token. Errors are XML,
 * as object stores return them: `<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>`.
 */
import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Body, SandboxEnv } from '../http/http.ts';
import {
  errorDocument,
  type SignedRequest,
  type StorageError,
  type StorageKind,
  type StoredResponse,
} from '../storage/kind.ts';
import type { Service } from './service.ts';

const prefix = '/storage/';

/** Returns the path of an object's URL. Keys contain no characters that need escaping. */
export const storagePath = (key: string): string => `${prefix}${key}`;

export const storageRoutes = ({ watch, stats, uploads, kind, now, settings }: Service): Hono<SandboxEnv> => {
  const keyOf = (c: Context): string => c.req.path.slice(prefix.length);

  const refuseLeakedToken = (c: Context): Response | undefined => {
    if (c.req.header('authorization') === undefined) return undefined;
    stats.violation('bearer-at-storage');
    return refuse(c, { status: 400, code: 'InvalidArgument', message: 'Only one authentication mechanism allowed' });
  };

  const refuseSignature = (c: Context<SandboxEnv>): Response | undefined => {
    const error = kind.check(requestOf(c), now());
    if (error) return refuse(c, error);
    return c.get('signatureExpired') ? refuse(c, kind.expired(now())) : undefined;
  };

  const refuseLength = (c: Context): Response | undefined => {
    const length = c.req.header('content-length');
    const isChunked = c.req.header('transfer-encoding') !== undefined;
    if (length === undefined || isChunked) stats.violation('upload-without-length');
    const error = kind.checkLength(
      length === undefined ? undefined : Number(length),
      isChunked,
      settings.maxObjectBytes,
    );
    return error && refuse(c, error);
  };

  const put = async (c: Context<SandboxEnv>): Promise<Response> => {
    const refusal = refuseLeakedToken(c) ?? refuseSignature(c) ?? refuseLength(c);
    if (refusal !== undefined) return refusal;
    const key = keyOf(c);
    if (uploads.fileNameOf(key) === undefined)
      return refuse(c, { status: 404, code: 'NoSuchKey', message: 'The key does not exist' });
    const { incoming } = c.env;
    const request = requestOf(c);
    const reception = kind.receive(request);
    const body = received(c.get('throughFault')?.(incoming) ?? incoming, reception);
    const store = (content: Body, sizeBytes: number): Promise<string> => uploads.store(key, content, sizeBytes);
    const ofPart = kind.putPart?.({ key, request, body, store });
    if (ofPart !== undefined) return respond(c, await ofPart);
    const sizeBytes = Number(c.req.header('content-length'));
    const half = Math.floor(sizeBytes / 2);
    try {
      const md5 = await (c.get('storesHalf') ? store(firstBytes(body, half), half) : store(body, sizeBytes));
      return respond(c, reception.stored(md5));
    } catch (error) {
      if (error instanceof Error && isRefusal(error.cause)) return refuse(c, error.cause);
      throw error;
    }
  };

  return new Hono<SandboxEnv>()
    .put(
      `${prefix}*`,
      watch('storage-put', async (c) => uploads.fileNameOf(keyOf(c)) ?? ''),
      put,
    )
    .all(`${prefix}*`, (c) => {
      c.header('Allow', 'PUT');
      return (
        refuseLeakedToken(c) ??
        refuse(c, { status: 405, code: 'MethodNotAllowed', message: 'This address takes PUT only' })
      );
    });
};

/** Passes the first `count` bytes of `body` on, but reads `body` to its end. */
async function* firstBytes(body: Body, count: number): Body {
  let left = count;
  for await (const chunk of body) {
    if (left > 0) yield chunk.subarray(0, left);
    left -= chunk.length;
  }
}

/** Passes `body` on to `update` and to the caller. Throws at the end if the storage refuses the body (`refusal`). */
async function* received(body: Body, { update, refusal }: ReturnType<StorageKind['receive']>): Body {
  for await (const chunk of body) {
    update(chunk);
    yield chunk;
  }
  const cause = refusal();
  if (cause) throw new Error('the storage refuses the body', { cause });
}

const isRefusal = (cause: unknown): cause is StorageError =>
  typeof cause === 'object' && cause !== null && 'code' in cause && 'status' in cause && 'message' in cause;

/** Returns the request as it arrived. Neither its path nor its query is decoded. */
const requestOf = (c: Context<SandboxEnv>): SignedRequest => {
  const { method = '', url = '', headers } = c.env.incoming;
  const [path = '', query = ''] = url.split(/\?(.*)/s);
  const single = Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(',')] as const);
  return { method, path, query, headers: Object.fromEntries(single) };
};

const respond = (c: Context, response: StorageError | StoredResponse): Response =>
  'code' in response ? refuse(c, response) : c.body(null, response.status, response.headers);

const refuse = (c: Context, error: StorageError): Response =>
  c.body(errorDocument(error), error.status as ContentfulStatusCode, { 'Content-Type': 'application/xml' });
