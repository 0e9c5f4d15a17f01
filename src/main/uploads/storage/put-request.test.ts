/** One PUT against a server that does what no good one would. Times are short here; nothing is measured. */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DeskError } from '../../../contract/errors.ts';
import { createStorageAgent } from '../../net/agents.ts';
import { type PutRequest, sendPutRequest } from './put-request.ts';

const brief = 150;
const long = 60_000;

/** A server that gives each connection to `serve`, with all that it received so far. */
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

type Options = Partial<PutRequest>;

const put = (url: URL, options: Options = {}) => {
  const { content = Buffer.from('content'), sizeBytes = 4_000_000, ...more } = options;
  const dispatcher = createStorageAgent();
  onTestFinished(() => dispatcher.destroy());
  return sendPutRequest({
    dispatcher,
    url,
    headers: {},
    content,
    sizeBytes: Buffer.isBuffer(content) ? content.length : sizeBytes,
    timeouts: { idleMs: long, answerMs: long, graceMs: long },
    signal: new AbortController().signal,
    ...more,
  });
};

/** Four parts of a million bytes; before the third, `pause` is waited for. */
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

describe('who stops', () => {
  const idle = { timeouts: { idleMs: brief, answerMs: long, graceMs: long } };
  const stalled = { code: 'upload/stalled', retry: 'later' };

  test('a storage that stops reading', async () => {
    const url = await serving((socket) => socket.pause());
    // More than any system takes for a connection whose other end does not read.
    const sizeBytes = 4_000_000_000;
    const content = endless(Buffer.alloc(1_000_000));
    const sending = put(url, { content, sizeBytes, ...idle });
    await expect(sending).rejects.toMatchObject(stalled);
    await expect(sending).rejects.not.toHaveProperty('details.lastByte');
  });

  test('a drive that stops giving', async () => {
    const url = await serving(silent);
    await expect(put(url, { content: parts(never), ...idle })).rejects.toMatchObject(stalled);
  });

  test('a storage that is silent after the last byte, which is said: it may have the file', async () => {
    const url = await serving(silent);
    const timeouts = { idleMs: long, answerMs: brief, graceMs: long };
    await expect(put(url, { timeouts })).rejects.toMatchObject({ ...stalled, details: { lastByte: true } });
  });

  test('a storage that stops in the middle of its answer', async () => {
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

  test('is none that the file could have arrived by', async () => {
    const url = await serving((socket, received) => {
      if (received.length < 2_000) return;
      socket.removeAllListeners('data');
      socket.write(ok);
    });
    const answer = await put(url, { content: parts(never) });
    expect(answer).toMatchObject({ status: 200, afterLastByte: false });
  });
});

describe('given up', () => {
  const cancelled = { code: 'app/cancelled' };

  test('before the last byte: at once', async () => {
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

  test('after it: the answer is waited for, and taken', async () => {
    const controller = new AbortController();
    const url = await serving(async (socket) => {
      controller.abort();
      await setTimeout(brief);
      socket.write(ok);
    });
    expect(await put(url, { signal: controller.signal })).toMatchObject({ status: 200, afterLastByte: true });
  });

  test('after it, without an answer: said so', async () => {
    const controller = new AbortController();
    const url = await serving(() => controller.abort());
    const sending = put(url, {
      signal: controller.signal,
      timeouts: { idleMs: long, answerMs: long, graceMs: brief },
    });
    await expect(sending).rejects.toMatchObject({ ...cancelled, details: { lastByte: true } });
  });

  test('after it, with an answer that begins and does not end: it has no more time for that', async () => {
    const controller = new AbortController();
    const url = await serving((socket) => {
      controller.abort();
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf');
    });
    const sending = put(url, {
      signal: controller.signal,
      timeouts: { idleMs: long, answerMs: long, graceMs: brief },
    });
    await expect(sending).rejects.toMatchObject({ ...cancelled, details: { lastByte: true } });
  });

  test('before it began', async () => {
    const url = await serving(silent);
    await expect(put(url, { signal: AbortSignal.abort() })).rejects.toMatchObject(cancelled);
  });
});

test('what the source throws is the error', async () => {
  const url = await serving(silent);
  const error = new DeskError('upload/file-changed', 'changed');
  const content = parts(() => Promise.reject(error));
  await expect(put(url, { content })).rejects.toBe(error);
});

test('a host that is not there is named, without the signature', async () => {
  const url = await serving(silent);
  url.port = '1';
  await expect(put(url)).rejects.toMatchObject({
    code: 'service/unreachable',
    details: { phase: 'connect', origin: 'http://127.0.0.1:1' },
  });
});
