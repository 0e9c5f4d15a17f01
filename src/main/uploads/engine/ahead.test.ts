import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAhead } from './ahead.ts';
import { createPool } from './pool.ts';

const never = new AbortController().signal;
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A pool with `slots` fixed slots, and many files that want to be opened. */
const createFiles = (slots: number) => {
  let nowMs = 0;
  const { places, sending } = createAhead(
    createPool(slots, () => nowMs),
    () => nowMs,
  );
  const ahead: (() => void)[] = [];
  const sent: (() => void)[] = [];
  const want = (): void =>
    void places.acquire(never).then((leave) => {
      if (leave) ahead.push(leave);
      want();
    });
  want();
  return {
    ahead,
    sent,
    pass: (ms: number) => {
      nowMs += ms;
    },
    /** The oldest file ahead gets a slot, if one is free. */
    begin: async (): Promise<void> => {
      const leave = sending.taken() < slots ? ahead.shift() : undefined;
      if (!leave) return;
      const release = await sending.acquire(never);
      if (release) sent.push(release);
      leave();
    },
    end: (): void => sent.shift()?.(),
    free: () => slots - sending.taken(),
  };
};

test('a file for each free slot and a few more at first; then as many as two seconds take', async () => {
  const files = createFiles(4);
  await settled();
  expect(files.ahead).toHaveLength(6);
  for (let sent = 0; sent < 40; sent += 1) {
    files.pass(100);
    await files.begin();
    files.end();
    await settled();
  }
  expect(files.ahead).toHaveLength(4 + 20);
});

test('a slow line has two files ahead, however fast it was before, so that no signature gets old', async () => {
  const files = createFiles(1);
  for (let sent = 0; sent < 600; sent += 1) {
    await settled();
    await files.begin();
    files.end();
  }
  await settled();
  expect(files.ahead).toHaveLength(1 + 256);
  for (let sent = 0; sent < 300; sent += 1) {
    await files.begin();
    files.pass(10_000);
    files.end();
    await settled();
  }
  expect(files.ahead.length).toBeLessThanOrEqual(3);
});

test('never more places are given out than there are free slots and files begun in the last two seconds', () =>
  fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 8 }),
      fc.array(fc.oneof(fc.constantFrom('begin' as const, 'end' as const), fc.integer({ min: 1, max: 1_500 })), {
        maxLength: 60,
      }),
      async (slots, steps) => {
        const files = createFiles(slots);
        await settled();
        let nowMs = 0;
        let begunMs: number[] = [];
        for (const step of steps) {
          const [before, sent] = [files.ahead.length, files.sent.length];
          if (step === 'begin') await files.begin();
          else if (step === 'end') files.end();
          else files.pass(step);
          if (typeof step === 'number') nowMs += step;
          if (files.sent.length > sent) begunMs.push(nowMs);
          begunMs = begunMs.filter((atMs) => atMs > nowMs - 2_000);
          await settled();
          // A place that was given out stays, even if the window has become smaller.
          expect(files.ahead.length).toBeLessThanOrEqual(Math.max(before, files.free() + Math.max(2, begunMs.length)));
        }
      },
    ),
  ));
