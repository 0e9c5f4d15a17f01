/** Attacks that can be made on every route. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { type Attack, answerAs } from './start-hostile-service.ts';

const json = { 'content-type': 'application/json' };

/** Sends a byte every 20 ms, and never ends. */
export const drips: Attack = ({ response }) => {
  response.writeHead(200, json).write('[');
  const timer = setInterval(() => response.write(' '), 20);
  response.once('close', () => clearInterval(timer));
};

export const staysSilent: Attack = () => {};

export const refusesWith =
  (status: number): Attack =>
  ({ response }) =>
    void response.writeHead(status, { 'content-length': 0 }).end();

export const answers =
  (body: string, status = 200): Attack =>
  ({ response }) =>
    answerAs(response, { status, body });

/** Sends `parts` as fast as the client reads them. Never ends if they have no end. */
export const streams =
  (parts: () => Iterable<string>, status = 200): Attack =>
  async ({ response }) => {
    response.writeHead(status, json);
    for (const part of parts()) {
      if (!response.write(part)) await writable(response);
      if (response.destroyed) return;
    }
    response.end();
  };

const writable = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.once('drain', done).once('close', done);
    if (response.destroyed) done();
  });

export function* endlessly(part: string): Generator<string> {
  for (;;) yield part;
}

export function* followed(first: string, rest: Iterable<string>): Generator<string> {
  yield first;
  yield* rest;
}

/** Sends these bytes on the connection itself, and then ends it unless `ends` is false. */
export const speaks =
  (bytes: string, { ends = true } = {}): Attack =>
  ({ response: { socket } }) => {
    socket?.write(bytes, 'latin1');
    if (ends) socket?.end();
  };

export const resets: Attack = ({ response: { socket } }) => void socket?.resetAndDestroy();

/** Sends a header byte by byte, without an end. */
export const dripsHeaders: Attack = ({ response: { socket } }) => {
  socket?.write('HTTP/1.1 200 OK\r\nX-Slow: ');
  const timer = setInterval(() => socket?.write('x'), 20);
  socket?.once('close', () => clearInterval(timer));
};

export const redirects =
  (status: number, location: () => string): Attack =>
  ({ response }) =>
    void response.writeHead(status, { location: location(), 'content-length': 0 }).end();

/** Sends a small compressed body that expands to 50 MB. */
export const gzipBomb = (): Attack => {
  const body = gzipSync(Buffer.alloc(50_000_000, '[{},'));
  return ({ response }) =>
    void response.writeHead(200, { ...json, 'content-encoding': 'gzip', 'content-length': body.byteLength }).end(body);
};

/** Sends the honest response, followed by an unrequested one for the next request on this connection. */
export const poisons =
  (body: string): Attack =>
  async ({ response: { socket }, honest }) => {
    const answer = await honest();
    const head = (text: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
    socket?.write(head(answer.body) + head(body));
  };

/** Sends the honest response with a wrong length. */
export const lengthOff =
  (by: number): Attack =>
  async ({ response: { socket }, honest }) => {
    const { body } = await honest();
    socket?.write(`HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(body) + by}\r\n\r\n${body}`);
    await once(socket ?? process, 'drain', { signal: AbortSignal.timeout(20) }).catch(() => {});
    socket?.end();
  };
