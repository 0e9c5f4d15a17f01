/** Runs the preview: opens a desk, serves it over HTTP on 127.0.0.1 and prints the address. */

import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import { z } from 'zod';
import manifest from '../../../../package.json' with { type: 'json' };
import { callsByName } from '../../../contract/calls.ts';
import { codeOf, DeskError, type Envelope, toErrorData } from '../../../contract/errors.ts';
import { type Batch, hasEnded } from '../../../contract/uploads.ts';
import { createHostSpeech } from '../../../words/speech.ts';
import { wallNow } from '../../async/clock.ts';
import { createKeytarKeychain, type Keychain } from '../../auth/keychain.ts';
import { createDesk, type Desk } from '../../core/desk.ts';
import { createDispatcher, toEnvelope } from '../../core/handlers/handlers.ts';
import type { Host } from '../../core/host.ts';
import { defaultHome, makeHome } from '../../data/data-directory.ts';
import { comesToRest, endByForce } from '../../data/end-by-force.ts';
import { FILE_MODE, FOLDER_MODE } from '../../data/files.ts';
import { portOf } from '../../net/urls.ts';
import { openConfSettings } from '../../settings/conf-settings.ts';
import { readPolicy } from '../../settings/policy/read-policy.ts';
import { environmentLayer } from '../../settings/resolve-connection.ts';
import { EXIT, exitCodeOf } from '../shared/exit-codes.ts';
import { type HostOptions, loopbackRedirect, parseHostOptions } from '../shared/host-options.ts';
import { pageHeaders, serveRendererFile } from '../shared/renderer-files.ts';
import { useSampleWhenUnset } from '../shared/sample-service.ts';
import { sourceParts } from '../shared/source-parts.ts';
import { reportBug, watchOutput, writeLine } from '../shared/terminal.ts';

const rendererFolder = fileURLToPath(new URL('../../../../out/renderer', import.meta.url));

export const runPreview = async (args: readonly string[]): Promise<void> => {
  watchOutput();
  try {
    const options = parseHostOptions(args, process.env);
    const home = options.home ?? defaultHome();
    makeHome(home);
    const events = createEventChannel();
    const stagingFolder = join(home, 'preview-staging');
    const downloads = createDownloads(join(home, 'preview-downloads'));
    const page = {
      openExternal: (url: string) => events.tellNewest('address', url),
      copyText: (text: string) => events.tellNewest('copy', text),
      pickSavePath: downloads.place,
      handOver: async (path: string) => {
        const name = basename(path);
        const download = { path: `${downloadPath}${downloads.offer(path)}`, name };
        await events.tellNewest('download', JSON.stringify(download));
        return name;
      },
    };
    const desk = await createDesk(await createPreviewHost(home, options, page), { hasWindow: true });
    const onBug = (error: unknown): void => {
      desk.log.write('bug', { error });
      reportBug(error);
    };
    events.follow(desk);
    if (options.sample) await useSampleWhenUnset(desk);

    const server = createServer();
    const origin = await listen(server, options.port ?? 0);
    const gate = createSessionGate(origin);
    await cleanStaging(stagingFolder, foldersToSend(desk), wallNow());
    const staging = createStaging(stagingFolder);
    const app = createPreviewApp({ desk, gate, events, staging, downloads, onBug });
    server.on('request', getRequestListener(app.fetch, { overrideGlobalObjects: false }));
    say(`Inspection Desk is at ${origin}/?secret=${gate.secret}`);
    stopOnSignal(server, desk);
  } catch (error) {
    failBecause(error);
  }
};

const foldersToSend = ({ snapshot }: Desk): readonly string[] => {
  const isOver = (batch: Batch): boolean => hasEnded(batch) && batch.failed === 0;
  return snapshot()
    .batches.filter((batch) => !isOver(batch))
    .map(({ root }) => root);
};

const listen = async (server: Server, port: number): Promise<string> => {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${portOf(server)}`;
};

const stopOnSignal = (server: Server, desk: Desk): void => {
  const stop = () => {
    server.close();
    server.closeAllConnections();
    void desk
      .close()
      .catch(reportBug)
      .then(async () => {
        if (desk.hangs() || !(await comesToRest())) endByForce(EXIT.interrupted);
      });
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
};

const failBecause = async (error: unknown): Promise<void> => {
  const data = toErrorData(error);
  if (data.code === 'app/bug') reportBug(error);
  const { title, todo } = (await createHostSpeech('en')).errorText(data);
  writeLine(process.stderr, `${title} ${todo} (${data.code})`);
  process.exitCode = exitCodeOf(data.code);
};

const say = (line: string): void => writeLine(process.stdout, line);

/** Creates a host whose data is in `home`. `page`: the functions that need the page in the browser. */
const createPreviewHost = async (
  home: string,
  options: HostOptions,
  page: Pick<Host, 'openExternal' | 'copyText' | 'pickSavePath' | 'handOver'>,
): Promise<Host> => {
  const keychain = options.tokenStore === 'keychain' ? await usableKeychain() : undefined;
  const speech = await createHostSpeech('en');
  return {
    home,
    version: manifest.version,
    ...(keychain === undefined ? {} : { keychain }),
    openSettings: openConfSettings,
    policy: await readPolicy(),
    environment: process.env,
    connectionLayers: [options.connection, environmentLayer(process.env)],
    redirect: loopbackRedirect(() => speech),
    // There is no `pickFolder`: the page has its own folder picker and sends files, not a path.
    ...page,
    ...sourceParts,
  };
};

const usableKeychain = async (): Promise<Keychain | undefined> => {
  const keychain = createKeytarKeychain();
  try {
    await keychain.get('is there one');
    return keychain;
  } catch {
    say('No keychain available: your sign-in ends with the preview.');
    return undefined;
  }
};

/** The maximum size of a call's input, far more than the page sends. */
const MAX_INPUT_BYTES = 256 * 1024 ** 2;

const Body = z.object({ input: z.unknown().optional(), id: z.string().optional() });

const notRead: Envelope<never> = {
  ok: false,
  error: toErrorData(new DeskError('input/invalid', 'the input is not JSON, or too large')),
};

const bridgeScript = new URL('./browser-bridge.js', import.meta.url);

const downloadPath = '/desk/downloads/';

const createPreviewApp = (parts: {
  readonly desk: Desk;
  readonly gate: SessionGate;
  readonly events: EventChannel;
  readonly staging: Staging;
  readonly downloads: Downloads;
  readonly onBug: (error: unknown) => void;
}): Hono => {
  const { desk, gate, events, staging, downloads, onBug } = parts;
  const { dispatch, cancel } = createDispatcher(desk.handlers, onBug);

  return (
    new Hono()
      .use(async (c, next) => {
        await next();
        for (const [name, value] of Object.entries(pageHeaders)) c.header(name, value);
      })
      .use(gate.door)
      .use('/desk/*', gate.guard)
      .post('/desk/call/:name', bodyLimit({ maxSize: MAX_INPUT_BYTES, onError: (c) => c.json(notRead) }), async (c) => {
        const body = await c.req.json().then(Body.safeParse, () => undefined);
        if (!body?.success) return c.json(notRead);
        return c.json(await dispatch(c.req.param('name'), body.data.input, body.data.id));
      })
      .post('/desk/cancel/:id', (c) => c.json({ ok: true, value: cancel(c.req.param('id')) }))
      .get('/desk/events', events.connect)
      .post('/desk/staging', async (c) => c.json(await toEnvelope(staging.open, onBug)))
      .post('/desk/staging/:id/files', async (c) => {
        const add = () => staging.add(c.req.param('id'), c.req.query('path') ?? '', c.req.raw.body);
        return c.json(await toEnvelope(add, onBug));
      })
      .post('/desk/staging/:id/adopt', async (c) => {
        const adopt = async () => (await staging.folders(c.req.param('id'))).map((root) => desk.adopt({ root }));
        return c.json(await toEnvelope(adopt, onBug));
      })
      .get(`${downloadPath}:id`, async (c) => {
        const file = await downloads.take(c.req.param('id'));
        if (file === undefined) return c.notFound();
        return c.body(file.bytes, 200, {
          'Content-Type': 'application/octet-stream',
          'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
        });
      })
      .get('/preview-bridge.js', async (c) =>
        c.body(await readFile(bridgeScript), 200, { 'Content-Type': 'text/javascript' }),
      )
      .get('/', async (c) => c.html(withBridge(await (await serveRendererFile(rendererFolder, '/')).text())))
      // Browsers request an icon automatically.
      .get('/favicon.ico', (c) => c.body(null, 204))
      .get('/*', (c) => serveRendererFile(rendererFolder, c.req.path))
      .onError((error, c) => {
        onBug(error);
        return c.text('unexpected error', 500);
      })
  );
};

const withBridge = (html: string): string => {
  const names = [...callsByName.keys()].join(' ');
  return html.replace('<head>', `<head><script src="/preview-bridge.js" data-calls="${names}"></script>`);
};

type EventChannel = ReturnType<typeof createEventChannel>;

/**
 * Creates the channel to the pages. Events go to all pages. Messages go to the newest page; without a page, the call
 * rejects with `auth/browser`.
 */
const createEventChannel = () => {
  const pages = new Set<SSEStreamingApi>();

  const connect = (c: Context): Response =>
    streamSSE(c, async (page) => {
      pages.add(page);
      await new Promise<void>((resolve) => page.onAbort(resolve));
      pages.delete(page);
    });

  const follow = (desk: Desk): void => {
    desk.onEvent((event) => {
      const data = JSON.stringify(event);
      for (const page of pages) void page.writeSSE({ event: 'desk', data });
    });
  };

  const tellNewest = async (event: string, data: string): Promise<void> => {
    const newest = [...pages].at(-1);
    if (newest === undefined) throw new DeskError('auth/browser', 'no page of the preview is open');
    await newest.writeSSE({ event, data });
  };

  return { connect, follow, tellNewest };
};

// The gate admits only the browser that first opens the printed address.

type SessionGate = ReturnType<typeof createSessionGate>;

/** The header with the key. Another origin cannot send it, because this server accepts no preflight. */
const keyHeader = 'X-Inspection-Desk-Key';

const refusal = 'Open the address that Inspection Desk printed. It works only once: restart the preview for a new one.';

/**
 * Creates the gate of a server at `origin` (`http://127.0.0.1:PORT`). The gate exchanges `/?secret=…` once for a key.
 * The redirect puts the key in the fragment of the address, which browsers never send; the page keeps the key for its
 * own origin. There is no cookie, because browsers send cookies to every port of a machine. The gate checks Host
 * because of DNS rebinding, and Origin and Sec-Fetch-Site because of other sites.
 */
export const createSessionGate = (origin: string) => {
  const { host } = new URL(origin);
  const secret = randomBytes(32).toString('base64url');
  const key = randomBytes(32).toString('base64url');
  let isUsed = false;

  const isOwnSite = (c: Context): boolean => {
    const sentFrom = c.req.header('origin');
    const isRead = c.req.method === 'GET';
    const site = c.req.header('sec-fetch-site') ?? 'none';
    return (
      c.req.header('host') === host &&
      (sentFrom === origin || (isRead && sentFrom === undefined)) &&
      ['same-origin', 'none'].includes(site)
    );
  };
  const fromElsewhere = (c: Context): Response => c.text('This request comes from another site.', 403);

  return {
    secret,
    /** Refuses requests from other sites, and exchanges the secret for the key. The page's files need no key. */
    door: (async (c, next) => {
      if (!isOwnSite(c)) return fromElsewhere(c);
      const given = c.req.query('secret');
      if (given === undefined) return next();
      if (c.req.path !== '/' || isUsed || !isEqual(given, secret)) return c.text(refusal, 403);
      isUsed = true;
      return c.redirect(`/#${key}`);
    }) satisfies MiddlewareHandler,
    guard: (async (c, next) =>
      isEqual(c.req.header(keyHeader), key) ? next() : c.text(refusal, 403)) satisfies MiddlewareHandler,
  };
};

const isEqual = (given: string | undefined, secret: string): boolean => {
  const [a, b] = [Buffer.from(given ?? ''), Buffer.from(secret)];
  return a.length === b.length && timingSafeEqual(a, b);
};

type Downloads = ReturnType<typeof createDownloads>;

/** Creates a store for files that the browser will download. Each file has its own folder below `root`. */
export const createDownloads = (root: string) => {
  const offered = new Map<string, string>();
  return {
    place: async (name: string): Promise<string> => {
      const folder = join(root, randomUUID());
      await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
      return join(folder, basename(name));
    },
    offer: (path: string): string => {
      const id = randomUUID();
      offered.set(id, path);
      return id;
    },
    /**
     * Returns the file with this id, and deletes it; undefined if there is none. A file that cannot be read is not
     * deleted.
     */
    take: async (id: string) => {
      const path = offered.get(id);
      if (path === undefined) return undefined;
      const bytes = new Uint8Array(await readFile(path));
      offered.delete(id);
      await rm(dirname(path), { recursive: true, force: true });
      return { name: basename(path), bytes };
    },
  };
};

// The files of a browser are copied into the data directory, because an upload may have to continue after a restart.

type Staging = ReturnType<typeof createStaging>;

type StagingLimits = { readonly fileBytes: number; readonly totalBytes: number; readonly files: number };

const GIB = 1024 ** 3;
/** The limits of the preview. Larger folders need the desktop app, which makes no copies. */
const LIMITS: StagingLimits = { fileBytes: 2 * GIB, totalBytes: 8 * GIB, files: 50_000 };

/**
 * Creates a store for copies of files under `root`. `limits`: for each file, and for all files stored since the start
 * of the preview. Ids and paths come from a page; those that could lead out of `root` are rejected with
 * `input/invalid`.
 */
export const createStaging = (root: string, limits: StagingLimits = LIMITS) => {
  const opened = new Set<string>();
  const staged = { bytes: 0, files: 0 };

  const place = (id: string): string => {
    if (!opened.has(id)) throw new DeskError('input/invalid', 'there is no such staging', { details: { field: 'id' } });
    return join(root, id);
  };

  return {
    open: async (): Promise<string> => {
      const id = randomUUID();
      await mkdir(join(root, id), { recursive: true, mode: FOLDER_MODE }).catch(refuse);
      opened.add(id);
      return id;
    },
    /**
     * Stores one file. `path` is relative, with `/` between names, and starts with the name of the picked folder.
     * Errors: `input/invalid`, `preview/too-large`, `data/unwritable`. No copy of a rejected file remains.
     */
    add: async (id: string, path: string, body: ReadableStream<Uint8Array> | null): Promise<void> => {
      const target = join(place(id), ...safeSegments(path));
      if (staged.files >= limits.files) throw tooLarge('fileCount');
      await mkdir(dirname(target), { recursive: true, mode: FOLDER_MODE }).catch(refuse);
      const file = await open(target, 'wx', FILE_MODE).catch(refuse);
      let bytes = 0;
      const bounded = async function* () {
        for await (const chunk of body ?? []) {
          bytes += chunk.byteLength;
          staged.bytes += chunk.byteLength;
          if (bytes > limits.fileBytes) throw tooLarge('fileSize');
          if (staged.bytes > limits.totalBytes) throw tooLarge('totalSize');
          yield chunk;
        }
      };
      try {
        staged.files += 1;
        await pipeline(bounded, file.createWriteStream());
      } catch (error) {
        staged.files -= 1;
        staged.bytes -= bytes;
        await rm(target, { force: true });
        refuse(error);
      }
    },
    /** Returns the absolute paths of the top folders of the files stored with `add`. */
    folders: async (id: string): Promise<readonly string[]> => {
      const entries = await readdir(place(id), { withFileTypes: true });
      return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(place(id), name));
    },
  };
};

const tooLarge = (limit: 'fileSize' | 'totalSize' | 'fileCount'): DeskError =>
  new DeskError('preview/too-large', 'more than the preview accepts', { details: { limit } });

/** Codes of the system's errors for a name that is taken, is too long, is invalid, or is that of a folder. */
const NOT_A_NAME: ReadonlySet<unknown> = new Set(['EEXIST', 'EISDIR', 'ENOTDIR', 'ENAMETOOLONG', 'EINVAL', 'EILSEQ']);

const refuse = (error: unknown): never => {
  if (error instanceof DeskError) throw error;
  if (NOT_A_NAME.has(codeOf(error))) throw invalidPath(error);
  throw new DeskError('data/unwritable', 'the copy cannot be written', {
    details: { path: 'preview-staging' },
    cause: error,
  });
};

const invalidPath = (cause?: unknown): DeskError =>
  new DeskError('input/invalid', 'not a path inside the folder', { details: { field: 'path' }, cause });

/** The minimum time that copies are kept, so that their upload can be resumed. */
const KEEP_MS = 24 * 60 * 60 * 1000;

/** Removes copies that are older than a day at `nowMs`, except those in `folders`. */
export const cleanStaging = async (root: string, folders: readonly string[], nowMs: number): Promise<void> => {
  const needed = new Set(folders.map(dirname));
  for (const id of await readdir(root).catch(() => [])) {
    const place = join(root, id);
    if (needed.has(place) || nowMs - (await stat(place)).mtimeMs < KEEP_MS) continue;
    await rm(place, { recursive: true });
  }
};

/** Invalid characters in names. On Windows, a backslash or a colon can lead to another folder. */
const notInNames = process.platform === 'win32' ? /[\\:\0]/ : /\0/;

/** Splits `path`. Throws `input/invalid` unless it has a folder and a file, and each segment is a plain name. */
const safeSegments = (path: string): readonly string[] => {
  const segments = path.split('/');
  const isSafe = (segment: string) => !['', '.', '..'].includes(segment) && !notInNames.test(segment);
  if (segments.length > 1 && segments.every(isSafe)) return segments;
  throw invalidPath();
};
