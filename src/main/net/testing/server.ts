/** For tests: a server on 127.0.0.1 that sends the responses of a test, and records its requests. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { portOf } from '../urls.ts';

export type SeenRequest = {
  readonly method: string;
  /** The path and the query. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

export type TestServer = AsyncDisposable & {
  /** Without a slash at its end. */
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  readonly close: () => Promise<void>;
};

export type Answering = (response: ServerResponse, request: SeenRequest, index: number) => void;

/**
 * Starts a server. `answer` is called with each complete request and the index of the request, and sends the response.
 */
export const startTestServer = async (answer: Answering): Promise<TestServer> => {
  const requests: SeenRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const { method = '', url = '', headers } = incoming;
    // A client may give up before its request is complete.
    const body = await text(incoming).catch(() => undefined);
    if (body === undefined) return;
    const request = { method, target: url, headers, body };
    answer(response, request, requests.push(request) - 1);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const close = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    requests,
    close,
    [Symbol.asyncDispose]: close,
  };
};

/** Sends `body` as JSON. */
export const json = (response: ServerResponse, body: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

/** Sends a body in single bytes, and never completes it. */
export const drip = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'application/json' }).write('[');
  const timer = setInterval(() => response.write(' '), 10);
  response.once('close', () => clearInterval(timer));
};

let unused = 0;

/**
 * Returns an address on 127.0.0.1 where nothing listens, with another port than the previous call. The port is below
 * those that systems choose for servers: a port that was free a moment ago may have been given to the server of another
 * test.
 */
export const unusedAddress = (): string => {
  unused += 1;
  return `http://127.0.0.1:${810 + (unused % 16)}`;
};
