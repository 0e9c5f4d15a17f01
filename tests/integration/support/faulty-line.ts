/** A line to a storage on 127.0.0.1 that causes faults for single requests. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { portOf } from '../../../src/main/net/urls.ts';
import { errorDocument, type StorageError } from '../../../src/sandbox/storage/kind.ts';

export type LineFault =
  /**
   * Resets the connection. `last-byte`: before the last byte of the body; `stored`: once the file is stored;
   * `response`: during the response.
   */
  | { readonly type: 'cut'; readonly at: 'head' | 'body' | 'last-byte' | 'received' | 'stored' | 'response' }
  /** Never responds. `received`: keeps the body; `stored`: delivers it. */
  | { readonly type: 'silent'; readonly at: 'received' | 'stored' }
  | { readonly type: 'slow'; readonly ms: number }
  | { readonly type: 'changed' }
  /** Delivers nothing and responds with 200, as a proxy between the app and the storage might. */
  | { readonly type: 'swallowed' }
  /** Responds with this error instead of the storage: before the body, after it, or once the file is stored. */
  | { readonly type: 'error'; readonly error: StorageError; readonly at: 'head' | 'received' | 'stored' };

export type FaultyLine = {
  /**
   * Returns a dispatcher that sends the requests of `agent` over this line, whatever their host is. The storage still
   * gets the name of the host. `next` is called for each request with its path and query, and returns its fault.
   */
  readonly leadHere: (agent: Dispatcher, next: (path: string) => LineFault | undefined) => Dispatcher;
  /**
   * Resolves once the storage has responded to all delivered requests, even if the app no longer waits for a response.
   */
  readonly quiet: () => Promise<unknown>;
  readonly close: () => Promise<void>;
};

/** The header with the number of a request's fault. The storage does not get it. */
const FAULT = 'line-fault';

/** Starts a line to the storage at `port`. */
export const startFaultyLine = async (port: number): Promise<FaultyLine> => {
  const faults: (LineFault | undefined)[] = [];
  const deliveries = new Set<Promise<unknown>>();

  /** Delivers the request with `body`, or only a part of it. Resolves to the storage's response. */
  const deliver = async (incoming: IncomingMessage, body: Buffer, isWhole = true): Promise<Delivered | undefined> => {
    const { method, url, headers } = incoming;
    // Each request has its own connection. The storage closes idle connections, so a request on an idle one could fail.
    const outgoing = request({ agent: false, host: '127.0.0.1', port, method, path: url, headers, setHost: false });
    outgoing.on('error', () => {});
    if (!isWhole) {
      outgoing.write(body, () => outgoing.destroy());
      return undefined;
    }
    outgoing.end(body);
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    return { response, body: await bodyOf(response) };
  };

  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const fault = faults[Number(incoming.headers[FAULT])];
    delete incoming.headers[FAULT];
    const reset = (): void => void incoming.socket.resetAndDestroy();
    const at = fault && 'at' in fault ? fault.at : undefined;
    const end = (): void => {
      if (fault?.type === 'error') respond(outgoing, fault.error);
      else if (fault?.type === 'cut') reset();
    };
    if (at === 'head') return end();
    if (at === 'body') {
      const half = await bodyOf(incoming, Math.floor(Number(incoming.headers['content-length']) / 2));
      await deliver(incoming, half, false);
      return reset();
    }
    const sent = await bodyOf(incoming);
    if (at === 'last-byte') {
      await deliver(incoming, sent.subarray(0, -1), false);
      return reset();
    }
    if (fault?.type === 'swallowed')
      return void outgoing.writeHead(200, { server: 'proxy', 'content-length': 0 }).end();
    if (at === 'received') return end();
    const delivery = deliver(incoming, fault?.type === 'changed' ? withOtherByte(sent) : sent);
    deliveries.add(delivery);
    const delivered = await delivery.finally(() => deliveries.delete(delivery));
    if (!delivered) return;
    if (at === 'stored') return end();
    if (fault?.type === 'slow') await setTimeout(fault.ms);
    const { response, body } = delivered;
    const { 'transfer-encoding': _, ...headers } = response.headers;
    const length = body.length + Number(at === 'response');
    outgoing.writeHead(response.statusCode ?? 500, { ...headers, 'content-length': length });
    if (at !== 'response') return void outgoing.end(body);
    outgoing.write(body, () => incoming.socket.end());
    outgoing.flushHeaders();
    incoming.socket.end();
  };

  const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, outgoing) => {
    // Connections that the app ends are not errors.
    incoming.on('error', () => {});
    outgoing.on('error', () => {});
    serve(incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const here = `http://127.0.0.1:${portOf(server)}`;
  return {
    quiet: () => Promise.allSettled(deliveries),
    leadHere: (to, next) =>
      to.compose((dispatch) => (options, handler) => {
        const { host } = new URL(String(options.origin));
        const headers = { ...options.headers, host, [FAULT]: String(faults.push(next(String(options.path))) - 1) };
        return dispatch({ ...options, origin: here, headers: headers as never }, handler);
      }),
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
};

type Delivered = { readonly response: IncomingMessage; readonly body: Buffer };

/** Resolves to the body, or to its beginning once `count` bytes have arrived. */
const bodyOf = async (from: IncomingMessage, count = Number.POSITIVE_INFINITY): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  if (count <= 0) return Buffer.alloc(0);
  for await (const chunk of from.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= count) break;
  }
  return Buffer.concat(chunks).subarray(0, Math.min(bytes, count));
};

const withOtherByte = (body: Buffer): Buffer => {
  const other = Buffer.from(body);
  const at = Math.floor(body.length / 2);
  other[at] = (other[at] ?? 0) ^ 1;
  return other;
};

const respond = (outgoing: ServerResponse, error: StorageError): void => {
  const body = errorDocument(error);
  outgoing.writeHead(error.status, { 'content-type': 'application/xml', 'content-length': Buffer.byteLength(body) });
  outgoing.end(body);
};
