/** The sandbox: an inspection service with its storage and its sign-in, on loopback. */

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { z } from 'zod';
import { createWatch } from './faults/effects.ts';
import { createFaultPlan, FaultRules } from './faults/fault-plan.ts';
import { notFound, onError, type SandboxEnv } from './http/http.ts';
import { createStatsRecorder } from './http/stats.ts';
import { authorizeRoutes } from './routes/authorize.ts';
import { contractorRoutes, type SignUpload } from './routes/contractor.ts';
import { controlRoutes } from './routes/control.ts';
import { storagePath, storageRoutes } from './routes/storage.ts';
import { tokenRoutes } from './routes/token.ts';
import { createRandom, createSampleData, daysSinceReference } from './sample/sample-data.ts';
import { loadIdentity, openDatabase } from './state/database.ts';
import { createSampleUsers, createTokenStore } from './state/tokens.ts';
import { createServiceState, createUploadStore } from './state/uploads.ts';
import type { StorageKind } from './storage/kind.ts';
import { createPlain } from './storage/plain.ts';

const ttlS = z.int().positive();

const SandboxOptionsSchema = z.strictObject({
  /** The TCP port on 127.0.0.1; any free one if 0 or absent. */
  port: z.int().min(0).max(65_535).default(0),
  /**
   * The folder that keeps tokens, uploads and changed assignments between runs. If absent, they are in memory and in a
   * temporary folder, which is removed when the sandbox closes.
   */
  stateDir: z.string().min(1).optional(),
  /** The number of sample protocols. If absent, the number stored in `stateDir`, or 240 for a new state. */
  protocols: z.int().positive().max(1_000_000).optional(),
  /**
   * The seed of the sample data and of faults with a probability. If absent, the seed stored in `stateDir`, or 1 for a
   * new state.
   */
  seed: z.int().nonnegative().optional(),
  /**
   * Whether the sample assignments are around a fixed day or around today. With `fixed`, a seed gives the same data on
   * any day.
   */
  dates: z.enum(['fixed', 'today']).default('fixed'),
  faults: FaultRules.default([]),
  /** `page` shows the consent page; `auto` allows every valid request immediately. */
  consent: z.enum(['page', 'auto']).default('page'),
  accessTokenTtlS: ttlS.default(3600),
  refreshTokenTtlS: ttlS.default(30 * 24 * 3600),
  signedUrlTtlS: ttlS.default(900),
  /**
   * The base URL of another storage; signed URLs point to `/storage/{Key}` below it. Absent for the sandbox's own
   * storage.
   */
  storageBaseUrl: z.url({ protocol: /^https?$/ }).optional(),
  /** The kind of storage; `createPlain` if absent. Tests use other kinds. */
  storage: z.custom<StorageKind>((value) => typeof value === 'object').optional(),
  pageSize: z.int().positive().max(1000).default(50),
  /**
   * The maximum size of an upload. The storage refuses larger uploads; the sandbox's own storage responds with status
   * 413.
   */
  maxObjectBytes: z
    .int()
    .positive()
    .default(5 * 1024 ** 3),
  /** The client ids that can sign in. The first one is reported when the sandbox starts. */
  clientIds: z.tuple([z.string().min(1)], z.string().min(1)).default(['inspection-desk']),
  /** The redirect URIs that the client may use, possibly with `/*` at the end (`isRegisteredRedirect`). */
  redirectUris: z
    .array(z.url())
    .readonly()
    .default(['com.inspectiondesk.app:/oauth/callback', 'http://127.0.0.1/*', 'http://[::1]/*']),
  /** The secret of the control endpoints; a random one if absent. */
  controlToken: z
    .string()
    .min(16)
    .default(() => randomBytes(24).toString('base64url')),
  /** Returns the current time, in ms since 1970. */
  clock: z.custom<() => number>((value) => typeof value === 'function').default(() => Date.now),
});

export type SandboxOptions = z.input<typeof SandboxOptionsSchema>;

type SandboxSettings = z.output<typeof SandboxOptionsSchema>;

/** Checks options and fills in the defaults. Throws an error with a one-line message that names the wrong option. */
export const resolveOptions = (options: unknown): SandboxSettings => {
  const parsed = SandboxOptionsSchema.safeParse(options);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`${issue?.path.join('.') || 'options'}: ${issue?.message}`);
};

/**
 * Creates the Hono app of a sandbox with an open database and a folder for objects. `baseUrl`: the URL at which it is
 * served; `closing`: aborted when the sandbox closes.
 */
const createApp = (
  settings: SandboxSettings,
  place: {
    readonly baseUrl: string;
    readonly database: DatabaseSync;
    readonly objectsDir: string;
    readonly closing: AbortSignal;
  },
): Hono<SandboxEnv> => {
  const { clientIds, redirectUris, consent, pageSize, maxObjectBytes, signedUrlTtlS, storageBaseUrl } = settings;
  const { controlToken } = settings;
  const { baseUrl, database, objectsDir, closing } = place;
  let advancedMs = 0;
  const now = (): number => settings.clock() + advancedMs;

  const { secret, storageSecret, seed, protocols } = loadIdentity(database, settings);
  const sample = createSampleData(seed, protocols, settings.dates === 'today' ? daysSinceReference(now()) : 0);
  const uploads = createUploadStore(database, objectsDir, now);
  const state = createServiceState(database, sample, uploads);
  const users = createSampleUsers();
  const tokens = createTokenStore(database, { ...settings, secret, now, subject: () => users.present().sub });

  const stats = createStatsRecorder();
  const faults = createFaultPlan(createRandom(seed, 'faults'));
  faults.add(settings.faults);
  const watch = createWatch(stats, faults, { now, revokeAccess: tokens.revokeAccess, closing });

  const storage = (storageBaseUrl ?? baseUrl).replace(/\/+$/, '');
  const { host } = new URL(storage);
  const kind = settings.storage ?? createPlain(storageSecret);
  const signUpload: SignUpload = (assignmentId, fileName) => {
    const key = uploads.sign(assignmentId, fileName);
    const path = storagePath(key);
    const atMs = now();
    const query = kind.sign({ host, path, atMs, endMs: atMs + signedUrlTtlS * 1000 });
    return { AssignmentId: assignmentId, Key: key, Url: `${storage}${path}?${query}` };
  };
  const advanceClock = (byMs: number): void => {
    advancedMs += byMs;
  };

  return new Hono<SandboxEnv>()
    .route('/', authorizeRoutes({ watch, tokens, users, now, consent, clientIds, redirectUris }))
    .route('/', tokenRoutes({ watch, stats, tokens, clientIds }))
    .route('/', contractorRoutes({ watch, tokens, sample, state, signUpload, pageSize }))
    .route('/', storageRoutes({ watch, stats, uploads, kind, now, maxObjectBytes }))
    .route('/sandbox', controlRoutes({ controlToken, faults, stats, tokens, users, uploads, state, advanceClock }))
    .notFound(notFound)
    .onError(onError);
};

export type Sandbox = Readonly<Awaited<ReturnType<typeof startSandbox>>>;

/**
 * Starts a sandbox on 127.0.0.1. Rejects if an option is wrong, if the port is in use (`code` EADDRINUSE), and if the
 * state folder was created with another seed, number of protocols or schema.
 */
export const startSandbox = async (options: SandboxOptions = {}) => {
  const settings = resolveOptions(options);
  const server = createServer();
  const port = await listen(server, settings.port);
  const baseUrl = `http://127.0.0.1:${port}`;
  const closing = new AbortController();
  const requests = new Set<Promise<void>>();
  let closed: Promise<void> | undefined;

  const stopServing = async (): Promise<void> => {
    closing.abort();
    const stopped = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await stopped;
    await Promise.allSettled(requests);
  };

  try {
    const service = openService(settings, baseUrl, closing.signal);
    // The global Request and Response of the embedding program must not be replaced.
    const listener = getRequestListener(service.fetch, { overrideGlobalObjects: false });
    server.on('request', (incoming, outgoing) => {
      const request = listener(incoming, outgoing).finally(() => requests.delete(request));
      requests.add(request);
    });
    return {
      port,
      baseUrl,
      authUrl: `${baseUrl}/oauth`,
      clientId: settings.clientIds[0],
      controlToken: settings.controlToken,
      /** Aborts all requests, stops listening and closes the state. Resolves once all files are closed. */
      close: (): Promise<void> => {
        closed ??= stopServing().then(service.close);
        return closed;
      },
    };
  } catch (error) {
    await stopServing();
    throw error;
  }
};

const listen = async (server: Server, port: number): Promise<number> => {
  // A fault can slow an upload down for longer than Node's limit for a request. Idle connections have to outlast a
  // client's pauses.
  server.requestTimeout = 0;
  server.keepAliveTimeout = 65_000;
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

/** Opens the state, in memory or in its folder, and creates the app that serves it. */
const openService = (settings: SandboxSettings, baseUrl: string, closing: AbortSignal) => {
  const { stateDir } = settings;
  const folder = stateDir ?? mkdtempSync(join(tmpdir(), 'inspection-sandbox-'));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const database = openDatabase(stateDir === undefined ? ':memory:' : join(folder, 'sandbox.sqlite'));
  const close = (): void => {
    database.close();
    if (stateDir === undefined) rmSync(folder, { recursive: true, force: true });
  };
  try {
    const app = createApp(settings, { baseUrl, database, objectsDir: join(folder, 'objects'), closing });
    return { fetch: app.fetch, close };
  } catch (error) {
    close();
    throw error;
  }
};
