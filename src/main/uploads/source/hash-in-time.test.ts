/** Files on a drive that stops responding. The timeouts are short, but nothing is measured. */
import { describe, expect, test } from 'vitest';
import { hashInTime } from './local-file.ts';
import { stalledFile } from './testing/stalled-file.ts';

const expected = { sizeBytes: 2, modifiedMs: 0 };
const brief = 50;
const long = 60_000;

describe('hashing a file that stalls', () => {
  test('fails, and the file is closed', async () => {
    const closed = Promise.withResolvers<void>();
    const open = async () => stalledFile(closed.resolve);
    const hashing = hashInTime(open, '/stalled', expected, brief, new AbortController().signal);
    await expect(hashing).rejects.toMatchObject({ code: 'upload/stalled' });
    await closed.promise;
  });

  test('does not fail while a cloud drive downloads it', async () => {
    const downloaded = Promise.withResolvers<void>();
    let opened = 0;
    const open = async () => {
      opened += 1;
      // Reading the file the first time makes the system download it.
      return opened === 1 ? stalledFile(() => {}, downloaded.promise) : stalledFile(() => {}, Promise.resolve());
    };
    const { signal } = new AbortController();
    const hashing = hashInTime(open, '/away', expected, brief, signal, async () => true);
    // Meanwhile, a stalled file that is not in the cloud fails.
    await expect(hashInTime(async () => stalledFile(), '/here', expected, brief, signal)).rejects.toThrow();
    downloaded.resolve();
    await hashing;
    expect(opened).toBe(2);
  });

  test('fails when the drive does not even tell whether the file is in the cloud', async () => {
    const { signal } = new AbortController();
    const hashing = hashInTime(
      async () => stalledFile(),
      '/stalled',
      expected,
      brief,
      signal,
      () => new Promise(() => {}),
    );
    await expect(hashing).rejects.toMatchObject({ code: 'upload/stalled' });
  });

  test('ends at once when it is cancelled', async () => {
    const controller = new AbortController();
    const hashing = hashInTime(async () => stalledFile(), '/stalled', expected, long, controller.signal);
    controller.abort();
    await expect(hashing).rejects.toMatchObject({ code: 'app/cancelled' });
  });
});
