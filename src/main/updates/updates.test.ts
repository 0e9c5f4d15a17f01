import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { NewVersion, UpdateStatus } from '../../contract/app.ts';
import { DeskError } from '../../contract/errors.ts';
import { createUpdates, type Updater } from './updates.ts';

const minuteMs = 60_000;
const found = { version: '2.0.0', notes: 'Faster.' };

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

/**
 * Starts updates that find the version `found`. `seen`: their states; `checkedAt`: the minutes in which they checked.
 */
const run = (updater: Partial<Updater> = {}) => {
  const seen: UpdateStatus[] = [];
  const checkedAt: number[] = [];
  const settings = { mode: 'automatic' as 'automatic' | 'off', channel: 'beta' as 'latest' | 'beta' };
  const updates = createUpdates({
    updater: {
      address: 'https://updates.example',
      download: async () => {},
      install: () => {},
      quit: () => {},
      ...updater,
      check: async (feed, dispatcher) => {
        checkedAt.push(Date.now() / minuteMs);
        return updater.check ? updater.check(feed, dispatcher) : found;
      },
    },
    settings: () => settings,
    // The updater of these tests makes no requests.
    dispatcher: undefined as never,
    isUploading: () => false,
    onChange: (status) => void seen.push(status),
    now: Date.now,
  });
  const turn = (mode: 'automatic' | 'off'): void => {
    settings.mode = mode;
    updates.follow();
  };
  const leaveBeta = (): void => {
    settings.channel = 'latest';
    updates.follow();
  };
  return { ...updates, seen, checkedAt, turn, leaveBeta };
};

const pass = (minutes: number) => vi.advanceTimersByTimeAsync(minutes * minuteMs);

test('goes from a check to a version that is ready', async () => {
  const { status, seen, check } = run({ download: async (onPercent) => onPercent(41.8) });
  expect(status()).toEqual({ state: 'current' });
  await check();
  expect(seen).toEqual([
    { state: 'checking' },
    { state: 'downloading', found, percent: 0 },
    { state: 'downloading', found, percent: 41 },
    { state: 'ready', found },
  ]);
});

test('looks a minute after the start, and again a day after there was nothing newer', async () => {
  const { status, checkedAt } = run({ check: async () => undefined });
  await pass(1);
  expect(status()).toEqual({ state: 'current', checkedAtMs: minuteMs });
  await pass(2 * 24 * 60);
  expect(checkedAt).toEqual([1, 1 + 24 * 60, 1 + 2 * 24 * 60]);
});

test('tries again an hour after a failure, or when asked', async () => {
  const { status, checkedAt, check } = run({
    check: () => Promise.reject(new DeskError('update/unreachable', 'no answer', { retry: 'later' })),
  });
  await pass(60);
  expect(status()).toMatchObject({ state: 'failed', error: { code: 'update/unreachable' }, failedAtMs: minuteMs });
  await pass(30);
  await check();
  await pass(60);
  expect(checkedAt).toEqual([1, 61, 90, 150]);
});

test('what is turned off stays off, whatever is still on its way', async () => {
  const response = Promise.withResolvers<NewVersion>();
  const checking = run({ check: () => response.promise });
  const checked = checking.check();
  checking.turn('off');
  response.resolve(found);
  await checked;
  await pass(2 * 24 * 60);
  expect(checking.seen).toEqual([{ state: 'checking' }, { state: 'off', reason: 'setting' }]);
  expect(checking.checkedAt).toEqual([0]);
});

test.each(['resolve', 'reject'] as const)('a download stays off that was turned off before its %s', async (end) => {
  const download = Promise.withResolvers<void>();
  let progress: (percent: number) => void = () => {};
  const { status, check, turn } = run({
    download: (onPercent) => {
      progress = onPercent;
      return download.promise;
    },
  });
  const checked = check();
  await pass(0);
  expect(status()).toMatchObject({ state: 'downloading' });
  turn('off');
  progress(9);
  download[end]();
  await checked;
  expect(status()).toEqual({ state: 'off', reason: 'setting' });
});

test('a version that is ready is neither looked for again nor lost', async () => {
  const { status, checkedAt, check, follow } = run();
  await check();
  const ready = status();
  follow();
  await check();
  await pass(2 * 24 * 60);
  expect(status()).toBe(ready);
  expect(checkedAt).toEqual([0]);
});

test('a version of a channel that the user has left is not installed, and the other channel is looked at', async () => {
  const install = vi.fn();
  const download = Promise.withResolvers<void>();
  const { status, check, checkedAt, leaveBeta, onEnd } = run({
    check: async ({ channel }) => (channel === 'beta' ? found : undefined),
    download: () => download.promise,
    install,
  });
  const checked = check();
  await pass(0);
  leaveBeta();
  expect(status()).toEqual({ state: 'current' });
  download.resolve();
  await checked;
  await pass(2);
  expect(status()).toEqual({ state: 'current', checkedAtMs: minuteMs });
  expect(checkedAt).toEqual([0, 1]);
  onEnd();
  expect(install).not.toHaveBeenCalled();

  const ready = run({ install });
  await ready.check();
  expect(ready.status()).toEqual({ state: 'ready', found });
  ready.leaveBeta();
  ready.onEnd();
  expect(install).not.toHaveBeenCalled();
});
