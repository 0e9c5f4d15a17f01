import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPaced } from './paced.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const slowly = (ms: number) => vi.fn(() => new Promise<void>((resolve) => setTimeout(resolve, ms)));

describe('createPaced', () => {
  it('runs at once when nothing ran before, and then no sooner than asked', async () => {
    const run = slowly(10);
    const paced = createPaced(run);
    paced.ask(500);
    expect(run).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(100);
    paced.ask(500);
    await vi.advanceTimersByTimeAsync(399);
    expect(run).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(run).toHaveBeenCalledTimes(2);
  });

  it('stays within twice a second however often it is asked', async () => {
    const startedAt: number[] = [];
    const run = slowly(60);
    const paced = createPaced(() => {
      startedAt.push(Date.now());
      return run();
    });
    for (let step = 0; step < 200; step += 1) {
      paced.ask(500);
      await vi.advanceTimersByTimeAsync(20);
    }
    expect(startedAt.length).toBeGreaterThan(6);
    for (const [earlier, later] of startedAt.slice(1).map((at, index) => [startedAt[index] ?? 0, at] as const)) {
      expect(later - earlier).toBeGreaterThanOrEqual(500);
    }
  });

  it('never runs twice at once, and once more when asked meanwhile', async () => {
    const run = slowly(1000);
    const paced = createPaced(run);
    paced.ask(0);
    await vi.advanceTimersByTimeAsync(100);
    paced.ask(0);
    paced.ask(0);
    await vi.advanceTimersByTimeAsync(899);
    expect(run).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(5000);
    expect(run).toHaveBeenCalledTimes(2);
  });

  it('lets an urgent request overtake a patient one', async () => {
    const run = slowly(1);
    const paced = createPaced(run);
    paced.ask(0);
    await vi.advanceTimersByTimeAsync(10);
    paced.ask(500);
    paced.ask(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(run).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(1000);
    expect(run).toHaveBeenCalledTimes(2);
  });

  it('runs no more once stopped', async () => {
    const run = slowly(1);
    const paced = createPaced(run);
    paced.ask(0);
    await vi.advanceTimersByTimeAsync(10);
    paced.ask(500);
    paced.stop();
    paced.ask(0);
    await vi.advanceTimersByTimeAsync(1000);
    expect(run).toHaveBeenCalledTimes(1);
  });
});
