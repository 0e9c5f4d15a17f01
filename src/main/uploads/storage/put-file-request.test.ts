/** One PUT to a misbehaving server. The timeouts are short, but nothing is measured. */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DeskError } from '../../../contract/errors.ts';
import { createStorageAgent } from '../../net/connector.ts';
import { type FilePut, sendPut } from './put-file.ts';

const brief = 150;
const long = 60_000;

/** Starts a server that passes each connection to `serve`, with everything received on it so far. */
const serving = async (serve: (socket: Socket, received: string) => void): Promise<URL> => {
  const server = createServer((socket) => {
    let received = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      serve(socket, received);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return new URL(`http://127.0.0.1:${address.port}/key?sig=secret`);
};

type Options = Partial<Pick<FilePut, 'timeouts' | 'signal' | 'sizeBytes'>> & {
  readonly content?: Buffer | AsyncIterable<Buffer>;
};

const put = (url: URL, options: Options = {}) => {
  const { content = Buffer.from('content'), sizeBytes = 4_000_000, ...more } = options;
  const dispatcher = createStorageAgent();
  onTestFinished(() => dispatcher.destroy());
  const usual = { timeouts: { idleMs: long, responseMs: long, graceMs: long }, signal: new AbortController().signal };
  const size = Buffer.isBuffer(content) ? content.length : sizeBytes;
  return sendPut({ dispatcher, ...usual, ...more }, url, {}, content, size);
};

/** Yields four parts of a million bytes; `pause` is awaited before the third. */
async function* parts(pause: () => Promise<unknown> = async () => {}): AsyncGenerator<Buffer, void> {
  for (let part = 0; part < 4; part += 1) {
    if (part === 2) await pause();
    yield Buffer.alloc(1_000_000, 'x');
  }
}

const never = () => new Promise<never>(() => {});

async function* endless(part: Buffer): AsyncGenerator<Buffer, void> {
  for (;;) yield part;
}

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\nETag: "e"\r\n\r\n';
const isWhole = (received: string, sizeBytes: number) =>
  received.length - (received.indexOf('\r\n\r\n') + 4) === sizeBytes;
const silent = () => {};

test('the body arrives with its exact length, and the answer is read', async () => {
  let request = '';
  const url = await serving((socket, received) => {
    request = received;
    if (isWhole(received, 4_000_000)) socket.write(ok);
  });
  expect(await put(url, { content: parts() })).toMatchObject({ status: 200, afterLastByte: true, text: '' });
  expect(request).toMatch(/^PUT \/key\?sig=secret HTTP\/1\.1\r\n/);
  expect(request).toContain('\r\ncontent-length: 4000000\r\n');
  expect(request).not.toMatch(/transfer-encoding/i);
});

describe('a stall is detected', () => {
  const idle = { timeouts: { idleMs: brief, responseMs: long, graceMs: long } };
  const stalled = { code: 'upload/stalled', retry: 'later' };

  test('of a storage that stops reading', async () => {
    const url = await serving((socket) => socket.pause());
    // More than any system buffers for a connection whose other end does not read.
    const sizeBytes = 4_000_000_000;
    const content = endless(Buffer.alloc(1_000_000));
    const sending = put(url, { content, sizeBytes, ...idle });
    await expect(sending).rejects.toMatchObject(stalled);
    await expect(sending).rejects.not.toHaveProperty('details.lastByte');
  });

  test('of a drive that stops supplying bytes', async () => {
    const url = await serving(silent);
    await expect(put(url, { content: parts(never), ...idle })).rejects.toMatchObject(stalled);
  });

  test('of a storage after the last byte, with the detail that it may have the file', async () => {
    const url = await serving(silent);
    const timeouts = { idleMs: long, responseMs: brief, graceMs: long };
    await expect(put(url, { timeouts })).rejects.toMatchObject({ ...stalled, details: { lastByte: true } });
  });

  test('of a storage in the middle of its answer', async () => {
    const url = await serving((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'));
    await expect(put(url, idle)).rejects.toMatchObject(stalled);
  });
});

describe('an answer before the last byte', () => {
  test('is read, and sending stops', async () => {
    const url = await serving((socket) => {
      socket.removeAllListeners('data');
      socket.end('HTTP/1.1 413 Too Large\r\nContent-Length: 5\r\nConnection: close\r\n\r\nlarge');
    });
    const answer = await put(url, { content: parts(never) });
    expect(answer).toMatchObject({ status: 413, text: 'large', afterLastByte: false });
  });

  test('does not count as an answer to the whole file', async () => {
    const url = await serving((socket, received) => {
      if (received.length < 2_000) return;
      socket.removeAllListeners('data');
      socket.write(ok);
    });
    const answer = await put(url, { content: parts(never) });
    expect(answer).toMatchObject({ status: 200, afterLastByte: false });
  });
});

describe('cancelling', () => {
  const cancelled = { code: 'app/cancelled' };

  test('before the last byte ends at once', async () => {
    const url = await serving(silent);
    const controller = new AbortController();
    const content = parts(() => {
      controller.abort();
      return never();
    });
    const sending = put(url, { content, signal: controller.signal });
    await expect(sending).rejects.toMatchObject(cancelled);
    await expect(sending).rejects.not.toHaveProperty('details.lastByte');
  });

  test('after the last byte waits for the answer and uses it', async () => {
    const controller = new AbortController();
    const url = await serving(async (socket) => {
      controller.abort();
      await setTimeout(brief);
      socket.write(ok);
    });
    expect(await put(url, { signal: controller.signal })).toMatchObject({ status: 200, afterLastByte: true });
  });

  test('after the last byte without an answer says so', async () => {
    const controller = new AbortController();
    const url = await serving(() => controller.abort());
    const sending = put(url, {
      signal: controller.signal,
      timeouts: { idleMs: long, responseMs: long, graceMs: brief },
    });
    await expect(sending).rejects.toMatchObject({ ...cancelled, details: { lastByte: true } });
  });

  test('after the last byte does not extend the wait for an answer that does not end', async () => {
    const controller = new AbortController();
    const url = await serving((socket) => {
      controller.abort();
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf');
    });
    const sending = put(url, {
      signal: controller.signal,
      timeouts: { idleMs: long, responseMs: long, graceMs: brief },
    });
    await expect(sending).rejects.toMatchObject({ ...cancelled, details: { lastByte: true } });
  });

  test('before the start sends nothing', async () => {
    const url = await serving(silent);
    await expect(put(url, { signal: AbortSignal.abort() })).rejects.toMatchObject(cancelled);
  });
});

test('an error of the content is the error of the request', async () => {
  const url = await serving(silent);
  const error = new DeskError('upload/file-changed', 'changed');
  const content = parts(() => Promise.reject(error));
  await expect(put(url, { content })).rejects.toBe(error);
});

test('an unreachable host is named, without the signature', async () => {
  const url = await serving(silent);
  url.port = '1';
  await expect(put(url)).rejects.toMatchObject({
    code: 'service/unreachable',
    details: { phase: 'connect', origin: 'http://127.0.0.1:1' },
  });
});
