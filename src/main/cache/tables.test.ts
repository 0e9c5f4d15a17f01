import { expect, test } from 'vitest';
import { createSlicer, type Steps } from './tables.ts';

/** Creates a slicer that records its work in `done`. Its clock makes each slice a single step. */
const setUp = () => {
  const done: string[] = [];
  const slicer = createSlicer((work) => {
    done.push('begin');
    work();
    done.push('commit');
  }, stepClock());
  const steps = function* (name: string, count: number): Steps {
    for (let step = 1; step <= count; step += 1) {
      done.push(`${name}${step}`);
      yield;
    }
  };
  return { done, slicer, steps };
};

const stepClock = () => {
  let nowMs = 0;
  return () => {
    nowMs += 1000;
    return nowMs;
  };
};

test('A10: other work runs between the slices of a long write, and the next write waits for its end', async () => {
  const { done, slicer, steps } = setUp();
  setImmediate(() => done.push('another turn'));
  const first = slicer.run(steps('a', 2));
  await Promise.all([first, slicer.run(steps('b', 1))]);
  expect(done.filter((one) => !['begin', 'commit'].includes(one))).toEqual(['a1', 'another turn', 'a2', 'b1']);
  expect(done.slice(0, 3)).toEqual(['begin', 'a1', 'commit']);
});

test('once the writes are abandoned, none writes anything more, even if it is waiting', async () => {
  const { done, slicer, steps } = setUp();
  const abandoning = function* (): Steps {
    slicer.abandon();
    yield;
    done.push('after the end');
  };
  await Promise.all([slicer.run(steps('a', 1)), slicer.run(abandoning()), slicer.run(steps('b', 1))]);
  await slicer.run(steps('c', 1));
  expect(done.filter((one) => !['begin', 'commit'].includes(one))).toEqual(['a1']);
});

test('one slice of many steps is written in its turn, the others are dropped, and their end is known', async () => {
  const { done, slicer, steps } = setUp();
  const slices = [slicer.run(steps('a', 1)), slicer.slice(steps('b', 2)), slicer.slice(steps('c', 0))];
  expect(await Promise.all(slices)).toEqual([undefined, false, true]);
  expect(done.filter((one) => !['begin', 'commit'].includes(one))).toEqual(['a1', 'b1']);
  const abandoned = [slicer.run(steps('d', 1)), slicer.slice(steps('e', 2))];
  slicer.abandon();
  expect(await Promise.all(abandoned)).toEqual([undefined, true]);
  expect(done).not.toContain('e1');
});

test('a failed write does not affect the next one', async () => {
  const { done, slicer, steps } = setUp();
  // biome-ignore lint/correctness/useYield: it fails at its first step.
  const failing = function* (): Steps {
    throw new Error('full');
  };
  await expect(slicer.run(failing())).rejects.toThrow('full');
  await slicer.run(steps('b', 1));
  expect(done).toContain('b1');
});
