/** The sandbox: an inspection service with its storage and its sign-in, on loopback. */

import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { once as callOnce } from 'es-toolkit/function';
import { Hono } from 'hono';
import { notFound, onError, type SandboxEnv } from './http/http.ts';
import { authorizeRoutes } from './routes/authorize.ts';
import { contractorRoutes } from './routes/contractor.ts';
import { controlRoutes } from './routes/control.ts';
import {
  createService,
  resolveOptions,
  type SandboxOptions,
  type SandboxSettings,
  type Service,
} from './routes/service.ts';
import { storageRoutes } from './routes/storage.ts';
import { tokenRoutes } from './routes/token.ts';
import { openDatabase } from './state/database.ts';

export type { SandboxOptions } from './routes/service.ts';

const createApp = (service: Service): Hono<SandboxEnv> =>
  new Hono<SandboxEnv>()
    .route('/', authorizeRoutes(service))
    .route('/', tokenRoutes(service))
    .route('/', contractorRoutes(service))
    .route('/', storageRoutes(service))
    .route('/sandbox', controlRoutes(service))
    .notFound(notFound)
    .onError(onError);

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
      close: callOnce(() => stopServing().then(service.close)),
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
    const objectsDir = join(folder, 'objects');
    const { fetch } = createApp(createService(settings, { baseUrl, database, objectsDir, closing }));
    return { fetch, close };
  } catch (error) {
    close();
    throw error;
  }
};
