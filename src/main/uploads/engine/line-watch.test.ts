import { expect, onTestFinished, test } from 'vitest';
import { createStorageAgent } from '../../net/agents.ts';
import { startTestServer } from '../../net/testing/server.ts';
import { timeRoundTrip } from '../../net/time-round-trip.ts';
import { createLineWatch } from './line-watch.ts';

const { signal } = new AbortController();

/** A watch over real connections to a server. */
const open = () => {
  const dispatcher = createStorageAgent();
  onTestFinished(() => dispatcher.destroy());
  let nowMs = 0;
  const line = createLineWatch({
    now: () => nowMs,
    leavesRoom: () => false,
    timeRoundTrip: (origin, onSent) => timeRoundTrip(dispatcher, origin, onSent),
  });
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  return { line, pass };
};

test('a storage is asked once before its first large file, without a path or a token', async () => {
  await using storage = await startTestServer((response) => response.writeHead(403).end());
  const { line } = open();
  await line.begins(storage.url, true, signal);
  await line.begins(storage.url, true, signal);
  expect(storage.requests).toMatchObject([{ method: 'HEAD', target: '/' }]);
});

test('large files begin slowly, and not after it was given up to wait for an answer', async () => {
  await using storage = await startTestServer((response) => response.writeHead(403).end());
  const { line, pass } = open();
  await line.begins(storage.url, true, signal);
  expect(line.rate()).toBe(2_000_000);
  pass(10_000);
  expect(line.rate()).toBeUndefined();
});

test('and again while large files are sent, and after a pause', async () => {
  await using storage = await startTestServer((response) => response.writeHead(403).end());
  const { line, pass } = open();
  await line.begins(storage.url, true, signal);
  pass(1_000);
  line.moved(1_000_000);
  await expect.poll(() => storage.requests.length).toBe(2);
  line.moved(1_000_000);
  expect(storage.requests).toHaveLength(2);
  pass(600_000);
  await line.begins(storage.url, true, signal);
  await expect.poll(() => storage.requests.length).toBe(3);
});

test('not while signatures say enough', async () => {
  await using storage = await startTestServer((response) => response.writeHead(403).end());
  const { line, pass } = open();
  await line.begins(storage.url, true, signal);
  pass(1_000);
  line.request('service')();
  line.moved(1_000_000);
  expect(storage.requests).toHaveLength(1);
});

test('a storage that does not answer keeps no file waiting, and is left alone', async () => {
  const { line } = open();
  await line.begins('http://127.0.0.1:1', true, signal);
  line.moved(1_000_000);
  expect(line.rate()).toBeUndefined();
});

test('a small file does not wait', async () => {
  await using storage = await startTestServer(() => {});
  const { line } = open();
  await line.begins(storage.url, false, signal);
  expect(line.rate()).toBeUndefined();
});
