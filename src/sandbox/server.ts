/** An inspection service in one process, for development, demonstrations and tests (README.md). */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { createApp } from './app.ts';
import { resolveOptions, type SandboxOptions, type SandboxSettings } from './options.ts';
import { openDatabase } from './state/database.ts';

/** A running sandbox. */
export type Sandbox = {
  readonly port: number;
  /** `http://127.0.0.1:PORT` */
  readonly baseUrl: string;
  /** `{baseUrl}/oauth` */
  readonly authUrl: string;
  readonly clientId: string;
  /** Secret for `createSandboxControl`. */
  readonly controlToken: string;
  /** Aborts all requests, stops listening and closes the state. Resolves once all files are closed. */
  readonly close: () => Promise<void>;
};

/**
 * Starts a sandbox on 127.0.0.1. Rejects on wrong options, a port in use (`code` EADDRINUSE), and a state folder
 * that was made with another seed, protocol count or schema.
 */
export const startSandbox = async (options: SandboxOptions = {}): Promise<Sandbox> => {
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
    // Do not replace the global Request and Response of the embedding program.
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
      close: () => {
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
  // Uploads may be slow on purpose, and idle connections have to outlast a client's pauses.
  server.requestTimeout = 0;
  server.keepAliveTimeout = 65_000;
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

/** Opens the state, in memory or in its folder, and the app over it. */
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
