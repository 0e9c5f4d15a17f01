/** Large files: what arrives at a slow storage equals the file on disk. Also their MD5, blocks and slices. */
import { createHash, hash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sleep } from '../../async/clock.ts';
import { createRateLimit } from '../../async/rate-limit.ts';
import { unlimited } from '../../async/testing/unlimited.ts';
import { createStorageAgent } from '../../net/connector.ts';
import { startTestServer } from '../../net/testing/server.ts';
import { portOf } from '../../net/urls.ts';
import { PART_BYTES } from '../source/hasher.ts';
import { type LocalFile, openLocalFile } from '../source/local-file.ts';
import { createCountingHasher } from '../source/testing/hasher.ts';
import { stalledFile } from '../source/testing/stalled-file.ts';
import { type FilePut, limited, putFile, SEND_TIMEOUTS } from './put-file.ts';
import { blockPlan, putTo } from './testing/put.ts';

const FILE_BYTES = 24 * PART_BYTES + 12_345;

/**
 * Starts a storage that awaits `breath` after each piece that it reads. `stored`: the sha256 of each stored object, by
 * path.
 */
const startStorage = async (breath: () => Promise<unknown>) => {
  const stored = new Map<string, string>();
  const server = createServer(async (incoming, outgoing) => {
    const sha256 = createHash('sha256');
    try {
      for await (const piece of incoming) {
        sha256.update(piece);
        await breath();
      }
    } catch {
      return;
    }
    stored.set(incoming.url ?? '', sha256.digest('hex'));
    outgoing.writeHead(200).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const dispatcher = createStorageAgent();
  onTestFinished(async () => {
    await dispatcher.destroy();
    server.close();
    server.closeAllConnections();
  });
  return { stored, dispatcher, baseUrl: `http://127.0.0.1:${portOf(server)}` };
};

const dir = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'put-file-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
};

/**
 * Returns `send`, which sends a file of random bytes, and `hasher`, which all these files share. `more`: overrides of
 * the options of `putFile`.
 */
const createSender = ({ dispatcher, baseUrl }: Awaited<ReturnType<typeof startStorage>>) => {
  const hasher = createCountingHasher();
  const folder = dir();
  const send = async (name: string, more: Partial<FilePut> = {}) => {
    const content = randomBytes(FILE_BYTES);
    const path = join(folder, name);
    writeFileSync(path, content);
    const expected = { sizeBytes: content.length, modifiedMs: statSync(path).mtimeMs };
    const file = await openLocalFile(path, expected, hasher);
    const outcome = putFile({
      dispatcher,
      ...putTo(`${baseUrl}/${name}`),
      file,
      sizeBytes: content.length,
      limit: unlimited,
      md5Origins: new Map(),
      blocks: blockPlan(),
      onBytes: () => {},
      onResponse: () => {},
      timeouts: SEND_TIMEOUTS,
      waitSignal: new AbortController().signal,
      signal: new AbortController().signal,
      now: Date.now,
      ...more,
    }).finally(file.close);
    // If a test awaits the outcome only after another one, a rejection must not count as unhandled meanwhile.
    outcome.catch(() => {});
    return { outcome, sha256: hash('sha256', content), md5: hash('md5', content, 'base64') };
  };
  return { send, hasher };
};

const NAMES = ['a', 'b', 'c', 'd'];

const inTurn = (...values: readonly number[]): (() => number) => {
  let turn = 0;
  return () => values[turn++ % values.length] ?? 0;
};

describe('files that share their read buffers', () => {
  const limits = [
    ['no limit', unlimited],
    ['a limit', createRateLimit(() => 40_000_000, sleep)],
    [
      'one that is another at each slice',
      { partBytes: inTurn(Infinity, 5_000, 100_000, 300_000), take: async () => {} },
    ],
  ] as const;

  test.each(limits)('arrive unchanged at a storage that reads slowly, with %s', async (_, limit) => {
    const storage = await startStorage(() => setTimeout(1));
    const { send, hasher } = createSender(storage);
    const sent = await Promise.all(NAMES.map((name) => send(name, { limit })));
    for (const [index, { outcome, sha256 }] of sent.entries()) {
      expect(await outcome).toMatchObject({ type: 'stored', proof: { sha256 } });
      expect(storage.stored.get(`/${NAMES[index]}`)).toBe(sha256);
    }
    expect(hasher.mostInUse()).toBeLessThanOrEqual(3 * NAMES.length);
  });

  test('arrive unchanged beside others that are aborted in the middle', async () => {
    const storage = await startStorage(() => setTimeout(1));
    const { send } = createSender(storage);
    for (const round of ['1', '2']) {
      const cancel = new AbortController();
      const onBytes = (bytes: number): void => {
        if (bytes > FILE_BYTES / 2) cancel.abort();
      };
      const [kept, ...givenUp] = await Promise.all([
        send(`kept-${round}`),
        ...NAMES.map((name) => send(`${name}-${round}`, { signal: cancel.signal, onBytes })),
      ]);
      for (const { outcome } of givenUp) await expect(outcome).rejects.toMatchObject({ code: 'app/cancelled' });
      expect(await kept.outcome).toMatchObject({ type: 'stored', proof: { sha256: kept.sha256 } });
      expect(storage.stored.get(`/kept-${round}`)).toBe(kept.sha256);
    }
    expect(storage.stored.size).toBe(2);
  });

  test('are not read further once they are aborted', async () => {
    const { send, hasher } = createSender(await startStorage(() => setTimeout(1)));
    const cancel = new AbortController();
    const { outcome } = await send('a', { signal: cancel.signal, onBytes: () => cancel.abort() });
    await expect(outcome).rejects.toMatchObject({ code: 'app/cancelled' });
    // `createSender` has closed the file. Closing it waited for reads in progress, so the count is final.
    expect(hasher.taken()).toBeLessThanOrEqual(3);
  });
});

test.each(['X-Amz', 'X-Goog'])(
  'a large file is read ahead for its MD5 where a signature covers it: %s',
  async (prefix) => {
    await using storage = await startTestServer((response) => {
      response.writeHead(200, { etag: '"e"', 'x-goog-hash': 'crc32c=n03x6A==' }).end();
    });
    const dispatcher = createStorageAgent();
    onTestFinished(() => dispatcher.destroy());
    const { send } = createSender({ stored: new Map(), dispatcher, baseUrl: storage.url });
    const signed = putTo(`${storage.url}/a?${prefix}-SignedHeaders=content-md5%3Bhost`);
    const { outcome, sha256, md5 } = await send('a', signed);
    expect(await outcome).toMatchObject({ type: 'stored', proof: { sha256 } });
    const headers = { 'content-md5': md5, 'content-length': `${FILE_BYTES}`, 'user-agent': 'InspectionDesk' };
    expect(storage.requests).toMatchObject([{ headers }]);
  },
);

const MIB = 1024 * 1024;
/** The size of a file, in MiB, above the limit of one request in the oldest version of Azure's service. */
const FILE_MIB = 65;

const zeros: LocalFile = {
  whole: undefined,
  read: async function* () {
    for (let part = 0; part < FILE_MIB; part += 1) yield Buffer.alloc(MIB);
  },
  digests: () => undefined,
  close: async () => {},
};

test('a block that the storage postponed is not retried once nothing may wait', async () => {
  const noMore = new AbortController();
  await using storage = await startTestServer((response) => {
    response.writeHead(503, { 'retry-after': '60' }).end();
  });
  const dispatcher = createStorageAgent();
  onTestFinished(() => dispatcher.destroy());
  const outcome = putFile({
    dispatcher,
    ...putTo(`${storage.url}/key?sv=2015-02-21&sig=x&sp=cw`),
    file: zeros,
    sizeBytes: FILE_MIB * MIB,
    limit: unlimited,
    md5Origins: new Map(),
    blocks: blockPlan(),
    onBytes: () => {},
    onResponse: () => {},
    timeouts: SEND_TIMEOUTS,
    waitSignal: noMore.signal,
    signal: new AbortController().signal,
    now: Date.now,
  });
  await expect.poll(() => storage.requests.length).toBe(1);
  noMore.abort();
  await expect(outcome).rejects.toMatchObject({ code: 'app/cancelled' });
  expect(storage.requests).toHaveLength(1);
});

/** Short and long timeouts; nothing is measured. */
const brief = 50;
const long = 60_000;

describe('a file that stalls while it is sent in blocks', () => {
  const put = (idleMs: number, signal: AbortSignal) => {
    const dispatcher = createStorageAgent();
    onTestFinished(() => dispatcher.destroy());
    return putFile({
      dispatcher,
      ...putTo('https://account.blob.core.windows.net/container/blob?sv=2015-04-05&sp=cw&sig=s'),
      file: stalledFile(),
      sizeBytes: 100_000_000,
      limit: unlimited,
      md5Origins: new Map(),
      blocks: blockPlan(),
      onBytes: () => {},
      onResponse: () => {},
      timeouts: { idleMs, responseMs: long, graceMs: long },
      waitSignal: signal,
      signal,
      now: () => 0,
    });
  };

  test('may be tried again', async () => {
    const outcome = await put(brief, new AbortController().signal);
    expect(outcome).toMatchObject({ error: { code: 'upload/stalled', retry: 'later' } });
  });

  test('ends at once when it is cancelled', async () => {
    const controller = new AbortController();
    const sending = put(long, controller.signal);
    controller.abort();
    await expect(sending).rejects.toMatchObject({ code: 'app/cancelled' });
  });
});

/** The bytes that a socket may still buffer when it requests more: Node's largest `writableHighWaterMark`. */
const KEPT_BYTES = 64 * 1024;

const partsOf = async function* (content: Buffer, partBytes: number): AsyncGenerator<Buffer, void> {
  const buffer = Buffer.alloc(partBytes);
  for (let from = 0; from < content.length; from += partBytes) {
    const part = buffer.subarray(0, content.copy(buffer, 0, from, from + partBytes));
    yield part;
    buffer.fill(0);
  }
};

const collect = async (content: Buffer, limits: readonly number[]) => {
  let turn = 0;
  const slices: Buffer[] = [];
  const progress: number[] = [];
  const outflow = {
    limit: { partBytes: () => limits[turn++ % limits.length] ?? 1, take: async () => {} },
    onBytes: (bytes: number) => void progress.push(bytes),
    signal: new AbortController().signal,
  };
  for await (const slice of limited(partsOf(content, MIB), outflow)) {
    slices.push(slice.length < KEPT_BYTES ? slice : Buffer.from(slice));
  }
  return { slices, progress };
};

test.each([
  ['no limit', [Number.POSITIVE_INFINITY]],
  ['a low limit', [10_000]],
  ['a limit that changes', [Number.POSITIVE_INFINITY, 1, 400_000, 65_535, 262_143]],
])('parts that are overwritten later arrive whole at a consumer with a small buffer, with %s', async (_, limits) => {
  const content = randomBytes(3 * MIB + 70_000);
  const { slices, progress } = await collect(content, limits);
  expect(Buffer.concat(slices).equals(content)).toBe(true);
  expect(progress.at(-1)).toBe(content.length);
  expect(progress).toEqual(progress.toSorted((a, b) => a - b));
});

test('progress is reported several times per part', async () => {
  const { progress } = await collect(randomBytes(MIB), [Number.POSITIVE_INFINITY]);
  expect(progress.length).toBeGreaterThan(1);
});
