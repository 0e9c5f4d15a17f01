import { describe, expect, onTestFinished, test } from 'vitest';
import { unlimited } from '../../async/testing/unlimited.ts';
import { createStorageAgent } from '../../net/agents.ts';
import { startTestServer } from '../../net/testing/server.ts';
import type { LocalFile } from '../source/local-file.ts';
import { stalledFile } from '../source/testing/stalled-file.ts';
import { putFile } from './put-file.ts';
import { SEND_TIMEOUTS } from './put-request.ts';

const MIB = 1024 * 1024;
/** More than one request may contain in the oldest version of the service. */
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
    url: new URL(`${storage.url}/key?sv=2015-02-21&sig=x&sp=cw`),
    file: zeros,
    sizeBytes: FILE_MIB * MIB,
    limit: unlimited,
    md5Origins: new Map(),
    onBytes: () => {},
    onAnswered: () => {},
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

/** Short and long times; nothing is measured. */
const brief = 50;
const long = 60_000;

describe('a file that stalls while it is sent in blocks', () => {
  const put = (idleMs: number, signal: AbortSignal) => {
    const dispatcher = createStorageAgent();
    onTestFinished(() => dispatcher.destroy());
    return putFile({
      dispatcher,
      url: new URL('https://account.blob.core.windows.net/container/blob?sv=2015-04-05&sp=cw&sig=s'),
      file: stalledFile(),
      sizeBytes: 100_000_000,
      limit: unlimited,
      md5Origins: new Map(),
      onBytes: () => {},
      onAnswered: () => {},
      timeouts: { idleMs, answerMs: long, graceMs: long },
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
