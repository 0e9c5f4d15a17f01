import { expect, onTestFinished, test } from 'vitest';
import { createProbeAgent } from '../../net/connector.ts';
import { startTestServer } from '../../net/testing/server.ts';
import { createTimeRoundTrip } from '../../net/time-round-trip.ts';
import { createLineWatch } from './line-watch.ts';

const { signal } = new AbortController();

/** A watch over real connections to a server. `probes`: all of them, from the moment at which each begins. */
const open = () => {
  const dispatcher = createProbeAgent();
  const timeRoundTrip = createTimeRoundTrip(dispatcher);
  onTestFinished(() => dispatcher.destroy());
  let nowMs = 0;
  const probes: Promise<void>[] = [];
  const line = createLineWatch({
    now: () => nowMs,
    leavesRoom: () => false,
    timeRoundTrip: (origin, onSent) => {
      const probe = timeRoundTrip(origin, onSent);
      probes.push(probe);
      return probe;
    },
  });
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  return { line, pass, probes };
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
  const { line, pass, probes } = open();
  await line.begins(storage.url, true, signal);
  pass(1_000);
  line.moved(1_000_000);
  await expect.poll(() => storage.requests.length).toBe(2);
  line.moved(1_000_000);
  expect(probes).toHaveLength(2);
  await Promise.all(probes);
  pass(600_000);
  await line.begins(storage.url, true, signal);
  await expect.poll(() => storage.requests.length).toBe(3);
});

test('not while signatures say enough', async () => {
  await using storage = await startTestServer((response) => response.writeHead(403).end());
  const { line, pass, probes } = open();
  await line.begins(storage.url, true, signal);
  // The slow start, which needs answers of the storage itself, is over.
  pass(4_000);
  expect(line.rate()).toBeUndefined();
  line.request('service')();
  line.moved(1_000_000);
  expect(probes).toHaveLength(1);
});

test('a storage that drops connections keeps no file waiting, and is probed again only after half a minute', async () => {
  await using storage = await startTestServer((response) => void response.destroy());
  const { line, pass, probes } = open();
  await line.begins(storage.url, true, signal);
  expect(line.rate()).toBeUndefined();
  line.moved(1_000_000);
  expect(probes).toHaveLength(1);
  pass(30_000);
  line.moved(1_000_000);
  await expect.poll(() => storage.requests.length).toBe(2);
});

test('a large file does not wait longer for a storage that does not answer, a small one not at all', async () => {
  await using storage = await startTestServer(() => {});
  const { line } = open();
  const begun: string[] = [];
  const large = line.begins(storage.url, true, signal).then(() => begun.push('large'));
  await line.begins(storage.url, false, signal).then(() => begun.push('small'));
  expect(begun).toEqual(['small']);
  await large;
  expect(line.rate()).toBeUndefined();
});
