import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAhead, createPool, createPools } from './pool.ts';

const never = new AbortController().signal;

/** A pool with all slots always taken, and its clock. */
const openPool = (concurrency: number | 'auto') => {
  let nowMs = 0;
  const pool = createPool(concurrency, () => nowMs);
  const releases: (() => void)[] = [];
  const fill = async () => {
    while (releases.length < pool.limit()) releases.push((await pool.acquire(never)) ?? (() => {}));
  };
  /** Frees all slots after 300 ms. */
  const work = async () => {
    await fill();
    nowMs += 300;
    for (const release of releases.splice(0)) release();
  };
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  return { pool, work, pass };
};

test('a fixed number does not change', async () => {
  const { pool, work } = openPool(3);
  pool.overloaded();
  for (let index = 0; index < 10; index += 1) await work();
  expect(pool.limit()).toBe(3);
});

test('a tuned number starts with twelve and grows while throughput does', async () => {
  const { pool, work } = openPool('auto');
  expect(pool.limit()).toBe(12);
  for (let index = 0; index < 4; index += 1) await work();
  expect(pool.limit()).toBe(128);
});

test('an overload halves the number, once for all that meet it together', () => {
  const { pool, pass } = openPool('auto');
  for (let index = 0; index < 20; index += 1) pool.overloaded();
  expect(pool.limit()).toBe(12);
  pass(300);
  pool.overloaded();
  expect(pool.limit()).toBe(6);
});

test('throughput includes bytes as well as files', async () => {
  const { pool, pass } = openPool('auto');
  for (let index = 0; index < 12; index += 1) await pool.acquire(never);
  pass(300);
  pool.moved(1_000_000);
  expect(pool.limit()).toBe(24);
});

test('a number that grows while the first files are being sent lets more files be opened at once', async () => {
  let nowMs = 0;
  const { sending, ahead } = createPools('auto', () => nowMs);
  for (let file = 0; file < 12; file += 1) {
    const leave = await ahead.acquire(never);
    await sending.acquire(never);
    leave?.();
  }
  let opened = 0;
  for (let file = 0; file < 24; file += 1) void ahead.acquire(never).then(() => (opened += 1));
  nowMs = 300;
  sending.moved(1_000_000);
  await new Promise(setImmediate);
  expect([sending.limit(), opened]).toEqual([24, 12]);
});

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

test('a file for each free slot at first; then as many more as two seconds take', async () => {
  const files = createFiles(4);
  await settled();
  expect(files.ahead).toHaveLength(4);
  for (let sent = 0; sent < 80; sent += 1) {
    while (files.free() > 0) await files.begin();
    files.pass(100);
    files.end();
    await settled();
  }
  // Ten files a second, and one of the four slots is free.
  expect(files.ahead.length).toBeGreaterThanOrEqual(1 + 14);
  expect(files.ahead.length).toBeLessThanOrEqual(1 + 20);
});

test.each([
  ['one after another', 1],
  ['all together', 12],
])('on a slow line, files that end %s let none be signed ahead, so that no signature gets old', async (_, together) => {
  const files = createFiles(12);
  for (let round = 0; round < 30; round += 1) {
    await settled();
    while (files.free() > 0) await files.begin();
    expect(files.ahead.length).toBeLessThanOrEqual(round === 0 ? 12 : 2);
    files.pass(150_000);
    for (let ended = 0; ended < together; ended += 1) files.end();
  }
});

test('a line that becomes slow uses up what is ahead before more is signed', async () => {
  const files = createFiles(2);
  for (let sent = 0; sent < 600; sent += 1) {
    await settled();
    while (files.free() > 0) await files.begin();
    files.pass(1);
    files.end();
  }
  await settled();
  expect(files.ahead.length).toBeGreaterThan(200);
  expect(files.ahead.length).toBeLessThanOrEqual(2 + 256);
  for (let sent = 0; sent < 300; sent += 1) {
    while (files.free() > 0) await files.begin();
    files.pass(10_000);
    files.end();
    await settled();
  }
  expect(files.ahead.length).toBeLessThanOrEqual(1);
});

test('never more places are given out than there are free slots and files sent in the last two seconds', () =>
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
        let endsMs: number[] = [];
        for (const step of steps) {
          const [before, sent] = [files.ahead.length, files.sent.length];
          if (step === 'begin') await files.begin();
          else if (step === 'end') files.end();
          else files.pass(step);
          if (typeof step === 'number') nowMs += step;
          if (files.sent.length < sent) endsMs.push(nowMs);
          endsMs = endsMs.filter((atMs) => atMs > nowMs - 2_000);
          await settled();
          // A place that was given out stays, even if the window has become smaller.
          expect(files.ahead.length).toBeLessThanOrEqual(Math.max(before, files.free() + endsMs.length));
        }
      },
    ),
  ));
