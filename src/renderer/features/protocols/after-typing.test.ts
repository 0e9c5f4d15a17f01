import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createAfterTyping } from './after-typing.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('runs the first at once, and of what follows only the last, after the pause', () => {
  const asked: string[] = [];
  const afterTyping = createAfterTyping(300);
  afterTyping(() => asked.push(''));
  vi.advanceTimersByTime(0);
  expect(asked).toEqual(['']);
  let giveUp = () => {};
  for (const text of ['l', 'le', 'lee', 'leed', 'leeds']) {
    giveUp();
    giveUp = afterTyping(() => asked.push(text));
    vi.advanceTimersByTime(299);
  }
  expect(asked).toEqual(['']);
  vi.advanceTimersByTime(1);
  expect(asked).toEqual(['', 'leeds']);
});

it('still runs at once when the first was given up before it ran', () => {
  const asked: string[] = [];
  const afterTyping = createAfterTyping(300);
  afterTyping(() => asked.push('given up'))();
  afterTyping(() => asked.push('again'));
  vi.advanceTimersByTime(0);
  expect(asked).toEqual(['again']);
});
