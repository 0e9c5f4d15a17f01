import { expect, test } from 'vitest';
import { createLineDelay } from './line-delay.ts';

const open = () => {
  let nowMs = 0;
  const delay = createLineDelay(() => nowMs);
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  /** `count` requests to a host, 50 ms apart. */
  const requests = (source: string, ms: number, count = 4): void => {
    for (let index = 0; index < count; index += 1) {
      pass(50);
      delay.answered(source, ms);
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
