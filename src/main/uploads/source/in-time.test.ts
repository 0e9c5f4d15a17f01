/** Files on a drive that stops answering. Times are short here; nothing is measured. */
import { describe, expect, test } from 'vitest';
import { hashInTime } from './in-time.ts';
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

  test('ends at once when it is cancelled', async () => {
    const controller = new AbortController();
    const hashing = hashInTime(async () => stalledFile(), '/stalled', expected, long, controller.signal);
    controller.abort();
    await expect(hashing).rejects.toMatchObject({ code: 'app/cancelled' });
  });
});
