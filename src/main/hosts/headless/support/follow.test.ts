import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DeskError, toErrorData } from '../../../../contract/errors.ts';
import { createHostSpeech } from '../../../../words/speech.ts';
import type { Desk } from '../../../core/desk.ts';
import { createOutageLimit, createProgressLine, followUpload } from './follow.ts';
import { createFileLines, createOutput } from './output.ts';

const english = await createHostSpeech('en');

const half = {
  batchId: 'b1',
  uploadId: 'u1',
  AssignmentId: 'a1',
  root: '/folder',
  state: 'running',
  files: 2,
  uploaded: 1,
  skipped: 0,
  failed: 0,
  cancelled: 0,
  bytes: 2_000_000,
  bytesSent: 1_000_000,
  bytesPerSecond: 500_000,
  createdAtMs: 1,
  leftOut: { hidden: 0, system: 0, links: 0, special: 0, unreadable: 0 },
} as const;

test('the line of a terminal has a speed only while bytes are sent', () => {
  const written: string[] = [];
  const terminal = { isTTY: true, columns: 200, write: (text: string) => written.push(text) };
  const show = createProgressLine(createOutput(false, terminal, terminal, english));
  show(half);
  expect(written.join('')).toContain('████████████░░░░░░░░░░░░ 1/2 files  1 MB of 2 MB  500 kB/s');
  written.length = 0;
  show({ ...half, state: 'finished', uploaded: 2, bytesSent: half.bytes, bytesPerSecond: 0 });
  expect(written.join('')).toContain('████████████████████████ 2/2 files  2 MB of 2 MB');
  expect(written.join('')).not.toContain('/s');
});

test('an upload of several batches that wait for the same time says once when it starts', async () => {
  const reason = toErrorData(new DeskError('upload/scheduled', 'later'));
  const schedule = { hours: [], notBeforeMs: new Date('2999-01-01T22:00').getTime() };
  const uploads = { ended: async (batchId: string) => ({ ...half, batchId, state: 'paused', reason, schedule }) };
  const desk = { connected: () => ({ uploads }), onEvent: () => () => {} } as unknown as Desk;
  const written: string[] = [];
  const stream = { write: (text: string) => written.push(text) };
  const output = createOutput(false, stream, stream, english);
  const stop = new AbortController();
  const left = new AbortController();
  const running = { desk, tokenStore: 'memory', interrupt: stop.signal, left: left.signal } as const;
  const followed = followUpload(desk, { output, signal: stop.signal, files: createFileLines(output), running }, [
    'b1',
    'b2',
  ]);
  await setImmediate();
  left.abort(new DeskError('app/cancelled', 'the command has gone'));
  await expect(followed).rejects.toMatchObject({ code: 'app/cancelled' });
  expect(written.join('').match(/^Scheduled for .*/gm)).toHaveLength(1);
});

const reasonOf = (code: 'service/unreachable' | 'service/busy') =>
  toErrorData(new DeskError(code, 'no', { retry: 'later' }));
const gone = reasonOf('service/unreachable');

/**
 * Calls `createOutageLimit` with fake timers. `paused`: the calls of its `pause`, each as the elapsed time in ms and
 * the reason.
 */
const setUpLimit = () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const beganMs = Date.now();
  const paused: unknown[] = [];
  return { paused, limit: createOutageLimit((reason) => paused.push([Date.now() - beganMs, reason])) };
};

test('batches are paused after five minutes of one outage, and another outage has five minutes of its own', () => {
  const { paused, limit } = setUpLimit();
  limit.see({ ...half, reason: gone });
  vi.advanceTimersByTime(299_000);
  // Neither further reports of the same outage nor those of another batch extend the limit.
  limit.see({ ...half, reason: gone });
  limit.see({ ...half, batchId: 'b2' });
  vi.advanceTimersByTime(999);
  expect(paused).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(paused).toEqual([[300_000, gone]]);
  limit.see({ ...half, state: 'paused', reason: gone });

  limit.see({ ...half, reason: gone });
  vi.advanceTimersByTime(200_000);
  limit.see(half);
  limit.see({ ...half, reason: gone });
  vi.advanceTimersByTime(299_999);
  expect(paused).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(paused).toEqual([
    [300_000, gone],
    [800_000, gone],
  ]);
});

test('a busy host, a paused batch and the end of the command exhaust no limit', () => {
  const { paused, limit } = setUpLimit();
  limit.see({ ...half, reason: reasonOf('service/busy') });
  limit.see({ ...half, batchId: 'b2', reason: gone });
  limit.see({ ...half, batchId: 'b2', state: 'paused', reason: gone });
  limit.see({ ...half, batchId: 'b3', reason: gone });
  limit.end();
  vi.advanceTimersByTime(3_600_000);
  expect(paused).toEqual([]);
});
