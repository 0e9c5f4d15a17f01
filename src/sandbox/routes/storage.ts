/**
 * The storage behind signed URLs. It accepts only PUT, and refuses requests with an access token. Errors are XML,
 * as object stores return them: `<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>`.
 */
import { hash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Watch } from '../faults/effects.ts';
import type { Body, SandboxEnv } from '../http/http.ts';
import type { StatsRecorder } from '../http/stats.ts';
import type { BlockStore } from '../state/blocks.ts';
import type { UploadStore } from '../state/uploads.ts';
import { errorDocument, errorOf, type Reception, type StorageError, type StorageKind } from '../storage/kind.ts';
import { azureBlockErrors } from '../storage/own-signature.ts';
import type { SignedRequest } from '../storage/v4-signature.ts';

const prefix = '/storage/';

/** The path of an object's URL. Keys need no escaping. */
export const storagePath = (key: string): string => `${prefix}${key}`;

/** The storage's routes, mounted at the root. */
export const storageRoutes = (dependencies: {
  readonly watch: Watch;
  readonly stats: StatsRecorder;
  readonly uploads: UploadStore;
  /** Undefined for a kind of storage without uploads in blocks. */
  readonly blocks: BlockStore | undefined;
  readonly kind: StorageKind;
  readonly now: () => number;
  readonly maxObjectBytes: number;
}): Hono<SandboxEnv> => {
  const { watch, stats, uploads, blocks, kind, now, maxObjectBytes } = dependencies;

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
    const error = kind.checkLength(length === undefined ? undefined : Number(length), isChunked, maxObjectBytes);
    return error && refuse(c, error);
  };

  const put = async (c: Context<SandboxEnv>): Promise<Response> => {
    const refusal = refuseLeakedToken(c) ?? refuseSignature(c) ?? refuseLength(c);
    if (refusal !== undefined) return refusal;
    const key = keyOf(c);
    if (uploads.fileNameOf(key) === undefined)
      return refuse(c, { status: 404, code: 'NoSuchKey', message: 'The key does not exist' });
    const { incoming } = c.env;
    const reception = kind.receive(requestOf(c));
    const body = received(c.get('throughFault')?.(incoming) ?? incoming, reception);
    const comp = c.req.query('comp');
    if (blocks && (comp === 'block' || comp === 'blocklist'))
      return putBlocks(c, blocks, key, await buffer(body), comp);
    blocks?.discard(key);
    const sizeBytes = Number(c.req.header('content-length'));
    const half = Math.floor(sizeBytes / 2);
    try {
      const md5 = await (c.get('storesHalf')
        ? uploads.store(key, firstBytes(body, half), half)
        : uploads.store(key, body, sizeBytes));
      const { status, headers } = reception.stored(md5);
      return c.body(null, status, headers);
    } catch (error) {
      if (error instanceof Error && isRefusal(error.cause)) return refuse(c, error.cause);
      throw error;
    }
  };

  /** Azure's operations Put Block and Put Block List. */
  const putBlocks = async (
    c: Context<SandboxEnv>,
    store: BlockStore,
    key: string,
    content: Buffer,
    comp: 'block' | 'blocklist',
  ): Promise<Response> => {
    const md5 = hash('md5', content, 'base64');
    if ((c.req.header('content-md5') ?? md5) !== md5) return refuse(c, errorOf(kind.errors, 'Md5Mismatch'));
    const id = c.req.query('blockid') ?? '';
    const error = comp === 'block' ? store.refusal(key, id) : await store.commit(key, content.toString());
    if (error) return refuse(c, errorOf(azureBlockErrors, error));
    if (comp === 'block') await store.put(key, id, content);
    // The MD5 of this request's body: a block, or the list of blocks.
    const { status, headers } = kind.receive(requestOf(c)).stored(Buffer.from(md5, 'base64').toString('hex'));
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
      return (
        refuseLeakedToken(c) ??
        refuse(c, { status: 405, code: 'MethodNotAllowed', message: 'This address takes PUT only' })
      );
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

/** The body, which ends with an error if the storage refuses what it received. */
async function* received(body: Body, { update, refusal }: Reception): Body {
  for await (const chunk of body) {
    update(chunk);
    yield chunk;
  }
  const cause = refusal();
  if (cause) throw new Error('the storage refuses the body', { cause });
}

const isRefusal = (cause: unknown): cause is StorageError =>
  typeof cause === 'object' && cause !== null && 'code' in cause && 'status' in cause && 'message' in cause;

/** The request as it arrived: neither its path nor its query is decoded. */
const requestOf = (c: Context<SandboxEnv>): SignedRequest => {
  const { method = '', url = '', headers } = c.env.incoming;
  const [path = '', query = ''] = url.split(/\?(.*)/s);
  const single = Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(',')] as const);
  return { method, path, query, headers: Object.fromEntries(single) };
};

const refuse = (c: Context, error: StorageError): Response =>
  c.body(errorDocument(error), error.status as ContentfulStatusCode, { 'Content-Type': 'application/xml' });
