import { expect, test } from 'vitest';
import { sleep } from '../async/sleep.ts';
import { createNudge } from './nudge.ts';

test('A7: a nudge ends all current waits, but no later one', async () => {
  const nudge = createNudge(sleep);
  const waits = [nudge.sleep(3_600_000), nudge.sleep(3_600_000, new AbortController().signal)];
  nudge.now();
  await Promise.all(waits);
  const controller = new AbortController();
  const later = nudge.sleep(3_600_000, controller.signal);
  controller.abort();
  await expect(later).rejects.toMatchObject({ code: 'app/cancelled' });
});

test('A7: a cancelled wait rejects with the cancellation, not as a timeout', async () => {
  const nudge = createNudge(sleep);
  const controller = new AbortController();
  const wait = nudge.sleep(3_600_000, controller.signal);
  controller.abort();
  nudge.now();
  await expect(wait).rejects.toMatchObject({ code: 'app/cancelled' });
});
