import { expect, onTestFinished, test } from 'vitest';
import { createProbeAgent } from '../../net/connector.ts';
import { startTestServer } from '../../net/testing/server.ts';
import { createTimeRoundTrip, type TimeRoundTrip } from '../../net/time-round-trip.ts';
import { createDelayHistory, createLineWatch, createPacer, startPace, steer } from './congestion.ts';

const open = () => {
  let nowMs = 0;
  const delay = createDelayHistory(() => nowMs);
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  /** Adds `count` requests to the host `source`, 50 ms apart. Each takes `ms`. */
  const requests = (source: string, ms: number, count = 4): void => {
    for (let index = 0; index < count; index += 1) {
      pass(50);
      delay.add(source, ms);
    }
  };
  return { delay, pass, requests };
};

test('is what requests take longer than the fastest one', () => {
  const { delay, requests } = open();
  expect(delay.queueMs('storage')).toBeUndefined();
  requests('storage', 60);
  expect(delay.queueMs('storage')).toBe(0);
  requests('storage', 140);
  expect(delay.queueMs('storage')).toBe(80);
});

test('a single slow request does not count', () => {
  const { delay, requests } = open();
  requests('storage', 60);
  requests('storage', 500, 1);
  expect(delay.queueMs('storage')).toBe(0);
});

test('a delay that only one host shows is its own', () => {
  const { delay, requests } = open();
  requests('service', 60);
  requests('storage', 20);
  requests('service', 900);
  requests('storage', 25);
  expect(delay.queueMs('storage')).toBe(5);
});

test('of ever more hosts only the last ones are known, also one that responds again', () => {
  const { delay, requests } = open();
  for (let no = 0; no < 1_000; no += 1) {
    requests(`storage-${no}`, 60);
    requests('service', 20);
  }
  expect(delay.baseMs('storage-900')).toBeUndefined();
  expect(delay.baseMs('storage-999')).toBe(60);
  expect(delay.baseMs('service')).toBe(20);
});

test('without requests it is unknown after a while, and until then the last one counts', () => {
  const { delay, pass, requests } = open();
  requests('storage', 60);
  requests('storage', 100);
  pass(1_000);
  expect(delay.queueMs('storage')).toBe(40);
  pass(1_000);
  expect(delay.queueMs('storage')).toBeUndefined();
});

test('the fastest request counts for ten minutes', () => {
  const { delay, pass, requests } = open();
  requests('storage', 20);
  for (let minute = 0; minute < 9; minute += 1) {
    pass(60_000);
    requests('storage', 60);
    expect(delay.queueMs('storage')).toBe(40);
  }
  pass(60_000);
  requests('storage', 60);
  expect(delay.queueMs('storage')).toBe(0);
});

test('forgets all when the line is another one', () => {
  const { delay, requests } = open();
  requests('storage', 20);
  delay.forget();
  expect(delay.queueMs('storage')).toBeUndefined();
  requests('storage', 200);
  expect(delay.queueMs('storage')).toBe(0);
});

/** The throughput of the line, in bytes per second. */
const LINE = 1_000_000;
const BEGUN_MS = 20_000;

const sample = (atMs: number, queueMs: number) => ({ atMs, queueMs, carried: LINE, leavesRoom: false, baseMs: 20 });
/**
 * Returns a pace with a limit, after a sample with a queue of `queueMs`. The sample at `BEGUN_MS` begins to empty the
 * queue.
 */
const limited = (queueMs: number): ReturnType<typeof startPace> => {
  const before = steer(startPace(), sample(BEGUN_MS - 10_000, 200));
  return steer(before, sample(BEGUN_MS - 250, queueMs));
};
/**
 * Returns the share of the line that is used after each sample. The first sample begins to empty the queue. `queuesMs`:
 * the length of the queue at each sample, in ms.
 */
const sharesAfter = (...queuesMs: readonly [number, ...number[]]) => {
  let pace = limited(queuesMs[0]);
  return queuesMs.map((queueMs, index) => {
    pace = steer(pace, sample(BEGUN_MS + index * 250, queueMs));
    return (pace.bytesPerSecond ?? 0) / LINE;
  });
};

test('the queue is emptied by what is in it, so that the line stays full, and once is enough', () => {
  const [emptying, after] = sharesAfter(90, 20);
  expect(emptying).toBeCloseTo(0.7);
  expect(after).toBeGreaterThan(1);
});

test('a queue that others keep long takes a second sample', () => {
  const [emptying, second, after] = sharesAfter(90, 75, 20);
  expect(emptying).toBeCloseTo(0.7);
  expect(second).toBeCloseTo(0.5);
  expect(after).toBeGreaterThan(1);
});

test('a queue that was short does not count as one that others keep long when it grows', () => {
  const [, after] = sharesAfter(10, 45);
  expect(after).toBeGreaterThan(1);
});

test('some of the line is used in any case', () => {
  expect(sharesAfter(290, 290)).toEqual([0.3, 0.3]);
});

test('the time between two uploads does not count as time in which the line carried little', () => {
  let nowMs = 0;
  const pacer = createPacer(
    () => nowMs,
    () => true,
  );
  const origin = 'https://storage.example';
  pacer.sendTo(origin);
  /** Sends for a quarter of a second, and makes a probe that takes `ms`. */
  const send = (ms: number): void => {
    const responded = pacer.request(origin);
    nowMs += ms;
    responded();
    pacer.moved(250_000);
    nowMs += 250 - ms;
  };
  send(10);
  for (let samples = 0; samples < 12; samples += 1) send(90);
  const before = pacer.rate() ?? 0;
  expect(before).toBeGreaterThan(500_000);
  nowMs += 60_000;
  for (let samples = 0; samples < 3; samples += 1) {
    send(50);
    expect(pacer.rate()).toBeGreaterThan(before / 4);
  }
});

test('the slow start tries a pace only until it asks how long the queue is, and halves what was carried if there is one', () => {
  let nowMs = 0;
  const pacer = createPacer(
    () => nowMs,
    () => false,
  );
  const origin = 'https://storage.example';
  pacer.sendTo(origin);
  const firstAnswer = pacer.request(origin);
  nowMs = 20;
  firstAnswer();
  pacer.beginSlowly();
  expect(pacer.rate()).toBe(2_000_000);
  expect(pacer.needsProbe()).toBe(false);
  nowMs += 20;
  pacer.moved(40_000);
  expect(pacer.needsProbe()).toBe(true);
  const responded = pacer.request(origin);
  expect(pacer.rate()).toBe(1_000_000);
  // The request takes 60 ms longer than without a queue, so the line needed 80 ms for the 40 kB.
  nowMs += 80;
  responded();
  expect(pacer.rate()).toBe(250_000);
  expect(pacer.needsProbe()).toBe(true);
});

const { signal } = new AbortController();

/** Creates a watch with real connections to a server. `probes`: all probes that have begun. */
const watchLine = () => {
  const dispatcher = createProbeAgent();
  const timeRoundTrip = createTimeRoundTrip(dispatcher);
  onTestFinished(() => dispatcher.destroy());
  let nowMs = 0;
  const probes: Promise<void>[] = [];
  const seen: TimeRoundTrip = (origin, onSent) => {
    const probe = timeRoundTrip(origin, onSent);
    probes.push(probe);
    return probe;
  };
  const line = createLineWatch(
    () => nowMs,
    () => false,
    seen,
  );
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  return { line, pass, probes };
};

test('a storage is asked once before its first large file, without a path or a token', async () => {
  await using storage = await startTestServer((response) => response.writeHead(403).end());
  const { line } = watchLine();
  await line.begins(storage.url, true, signal);
  await line.begins(storage.url, true, signal);
  expect(storage.requests).toMatchObject([{ method: 'HEAD', target: '/' }]);
});

test('large files begin slowly, and not after it was given up to wait for an answer', async () => {
  await using storage = await startTestServer((response) => response.writeHead(403).end());
  const { line, pass } = watchLine();
  await line.begins(storage.url, true, signal);
  expect(line.rate()).toBe(2_000_000);
  pass(10_000);
  expect(line.rate()).toBeUndefined();
});

test('and again while large files are sent, and after a pause', async () => {
  await using storage = await startTestServer((response) => response.writeHead(403).end());
  const { line, pass, probes } = watchLine();
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
  const { line, pass, probes } = watchLine();
  await line.begins(storage.url, true, signal);
  // The slow start, which needs responses of the storage itself, is over.
  pass(4_000);
  expect(line.rate()).toBeUndefined();
  line.request('service')();
  line.moved(1_000_000);
  expect(probes).toHaveLength(1);
});

test('a storage that drops connections keeps no file waiting, and is probed again only after half a minute', async () => {
  await using storage = await startTestServer((response) => void response.destroy());
  const { line, pass, probes } = watchLine();
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
  const { line } = watchLine();
  const begun: string[] = [];
  const large = line.begins(storage.url, true, signal).then(() => begun.push('large'));
  await line.begins(storage.url, false, signal).then(() => begun.push('small'));
  expect(begun).toEqual(['small']);
  await large;
  expect(line.rate()).toBeUndefined();
});
