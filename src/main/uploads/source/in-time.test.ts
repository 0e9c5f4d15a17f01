/** Files of a drive that falls silent. Times are short here; nothing is measured. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { unlimited } from '../../async/testing/unlimited.ts';
import { createStorageAgent } from '../../net/agents.ts';
import { putFile } from '../storage/put-file.ts';
import { hashInTime } from './in-time.ts';
import type { LocalFile } from './local-file.ts';

const expected = { sizeBytes: 2, modifiedMs: 0 };
const brief = 50;
const long = 60_000;

/** Gives a part, and then nothing any more. */
const silentFile = (onClose: () => void = () => {}): LocalFile => ({
  whole: undefined,
  read: async function* () {
    yield Buffer.from('a');
    await new Promise(() => {});
  },
  digests: () => undefined,
  close: async () => onClose(),
});

describe('a file that is hashed', () => {
  test('and read no further is given up, and closed', async () => {
    const closed = Promise.withResolvers<void>();
    const open = async () => silentFile(closed.resolve);
    const hashing = hashInTime(open, '/silent', expected, brief, new AbortController().signal);
    await expect(hashing).rejects.toMatchObject({ code: 'upload/stalled' });
    await closed.promise;
  });

  test('is not waited for by a cancellation', async () => {
    const controller = new AbortController();
    const hashing = hashInTime(async () => silentFile(), '/silent', expected, long, controller.signal);
    controller.abort();
    await expect(hashing).rejects.toMatchObject({ code: 'app/cancelled' });
  });
});

describe('a file that is sent in blocks', () => {
  const put = (idleMs: number, signal: AbortSignal) => {
    const dispatcher = createStorageAgent();
    onTestFinished(() => dispatcher.destroy());
    return putFile({
      dispatcher,
      url: new URL('https://account.blob.core.windows.net/container/blob?sv=2015-04-05&sp=cw&sig=s'),
      file: silentFile(),
      sizeBytes: 100_000_000,
      limit: unlimited,
      onBytes: () => {},
      timeouts: { idleMs, answerMs: long, graceMs: long },
      waitSignal: signal,
      signal,
      now: () => 0,
    });
  };

  test('and read no further is tried again', async () => {
    const outcome = await put(brief, new AbortController().signal);
    expect(outcome).toMatchObject({ error: { code: 'upload/stalled', retry: 'later' } });
  });

  test('is not waited for by a cancellation', async () => {
    const controller = new AbortController();
    const sending = put(long, controller.signal);
    controller.abort();
    await expect(sending).rejects.toMatchObject({ code: 'app/cancelled' });
  });
});
