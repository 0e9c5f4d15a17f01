import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createAhead, createPool, createPools, startTuner, tune } from './pool.ts';

type Tuner = ReturnType<typeof startTuner>;
type Sample = Parameters<typeof tune>[1];

const bounds = { min: 1, max: 128 };
const sample = (given: Partial<Sample>): Sample => ({
  completed: 0,
  bytes: 0,
  overloaded: 0,
  busy: true,
  elapsedMs: 250,
  ...given,
});

/** Returns a sample of `limit` concurrent requests, of which only `useful` contribute to the throughput. */
const through = ({ limit }: Tuner, useful: number) => sample({ completed: 10 * Math.min(limit, useful) });

const run = (tuner: Tuner, samples: number, useful: number): Tuner => {
  let now = tuner;
  for (let index = 0; index < samples; index += 1) now = tune(now, through(now, useful), bounds);
  return now;
};

/**
 * Returns the limits after each of the last 20 of 170 samples. The tuner keeps trying slightly higher and lower limits.
 */
const settled = (tuner: Tuner, useful: number): readonly number[] => {
  const limits: number[] = [];
  let now = run(tuner, 150, useful);
  for (let index = 0; index < 20; index += 1) {
    now = run(now, 1, useful);
    limits.push(now.limit);
  }
  return limits;
};

const anySample = fc.record({
  completed: fc.nat(1000),
  bytes: fc.nat(2 ** 30),
  overloaded: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(5) }),
  busy: fc.boolean(),
  elapsedMs: fc.nat(1000),
});

describe('whatever happens', () => {
  test('it stays within its bounds, and an overload halves it', () =>
    fc.assert(
      fc.property(fc.array(anySample, { maxLength: 100 }), (samples) => {
        let tuner = startTuner(bounds);
        expect(tuner.limit).toBe(24);
        for (const one of samples) {
          const next = tune(tuner, one, bounds);
          expect(next.limit).toBeGreaterThanOrEqual(bounds.min);
          expect(next.limit).toBeLessThanOrEqual(bounds.max);
          expect(Number.isInteger(next.limit)).toBe(true);
          if (one.overloaded > one.completed / 10) expect(next.limit).toBe(Math.max(1, Math.floor(tuner.limit / 2)));
          // One sample at most doubles the limit.
          expect(next.limit).toBeLessThanOrEqual(tuner.limit * 2);
          tuner = next;
        }
      }),
    ));

  test('it increases again when more requests increase throughput', () =>
    fc.assert(
      fc.property(fc.array(anySample, { maxLength: 50 }), (samples) => {
        const after = samples.reduce((tuner, one) => tune(tuner, one, bounds), startTuner(bounds));
        expect(Math.max(...settled(after, 200))).toBe(bounds.max);
      }),
    ));
});

test('it doubles while that pays: the maximum is reached in four steps', () => {
  expect(run(startTuner(bounds), 4, 200).limit).toBe(128);
});

test.each([1, 3, 5, 9, 16, 40, 100])('when only %i at once pay, it stays near', (useful) => {
  const limits = settled(startTuner(bounds), useful);
  expect(Math.max(...limits)).toBeLessThanOrEqual(Math.max(5, Math.ceil(useful * 1.6)));
  expect(Math.min(...limits)).toBeGreaterThanOrEqual(Math.floor(useful * 0.75));
});

test('a sample with free slots changes nothing', () => {
  const tuner = startTuner(bounds);
  expect(tune(tuner, sample({ busy: false, completed: 100 }), bounds)).toBe(tuner);
});

test('bounds narrower than the first number apply from the start', () => {
  expect(startTuner({ min: 1, max: 2 }).limit).toBe(2);
  expect(startTuner({ min: 32, max: 64 }).limit).toBe(32);
});

const never = new AbortController().signal;

const openPool = (concurrency: number | 'auto') => {
  let nowMs = 0;
  const pool = createPool(concurrency, () => nowMs);
  const releases: (() => void)[] = [];
  const fill = async () => {
    while (releases.length < pool.limit()) releases.push((await pool.acquire(never)) ?? (() => {}));
  };
  /** Takes all slots, and frees them after 300 ms. */
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

test('a tuned number starts with 24 and grows while throughput does', async () => {
  const { pool, work } = openPool('auto');
  expect(pool.limit()).toBe(24);
  for (let index = 0; index < 4; index += 1) await work();
  expect(pool.limit()).toBe(128);
});

test('an overload halves the number, once for all that meet it together', () => {
  const { pool, pass } = openPool('auto');
  for (let index = 0; index < 20; index += 1) pool.overloaded();
  expect(pool.limit()).toBe(24);
  pass(300);
  pool.overloaded();
  expect(pool.limit()).toBe(12);
});

test('throughput includes bytes as well as files', async () => {
  const { pool, pass } = openPool('auto');
  for (let index = 0; index < 24; index += 1) await pool.acquire(never);
  pass(300);
  pool.moved(1_000_000);
  expect(pool.limit()).toBe(48);
});

test('a number that grows while the first files are being sent lets more files be opened at once', async () => {
  let nowMs = 0;
  const { sending, ahead } = createPools('auto', () => nowMs);
  for (let file = 0; file < 24; file += 1) {
    const leave = await ahead.acquire(never);
    await sending.acquire(never);
    leave?.();
  }
  let opened = 0;
  for (let file = 0; file < 48; file += 1) void ahead.acquire(never).then(() => (opened += 1));
  nowMs = 300;
  sending.moved(1_000_000);
  await new Promise(setImmediate);
  expect([sending.limit(), opened]).toEqual([48, 24]);
});

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Creates a pool with `slots` fixed slots, and files that take every place ahead. */
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
    /** Moves the oldest of the files ahead into a slot, if one is free. */
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
  await turn();
  expect(files.ahead).toHaveLength(4);
  for (let sent = 0; sent < 80; sent += 1) {
    while (files.free() > 0) await files.begin();
    files.pass(100);
    files.end();
    await turn();
  }
  // Ten files end in a second, and one of the four slots is free.
  expect(files.ahead.length).toBeGreaterThanOrEqual(1 + 14);
  expect(files.ahead.length).toBeLessThanOrEqual(1 + 20);
});

test.each([
  ['one after another', 1],
  ['all together', 12],
])('on a slow line, files that end %s let none be signed ahead, so that no signature gets old', async (_, together) => {
  const files = createFiles(12);
  for (let round = 0; round < 30; round += 1) {
    await turn();
    while (files.free() > 0) await files.begin();
    expect(files.ahead.length).toBeLessThanOrEqual(round === 0 ? 12 : 2);
    files.pass(150_000);
    for (let ended = 0; ended < together; ended += 1) files.end();
  }
});

test('a line that becomes slow uses up what is ahead before more is signed', async () => {
  const files = createFiles(2);
  for (let sent = 0; sent < 600; sent += 1) {
    await turn();
    while (files.free() > 0) await files.begin();
    files.pass(1);
    files.end();
  }
  await turn();
  expect(files.ahead.length).toBeGreaterThan(200);
  expect(files.ahead.length).toBeLessThanOrEqual(2 + 256);
  for (let sent = 0; sent < 300; sent += 1) {
    while (files.free() > 0) await files.begin();
    files.pass(10_000);
    files.end();
    await turn();
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
        await turn();
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
          await turn();
          // A file keeps its place, even if there are fewer places now.
          expect(files.ahead.length).toBeLessThanOrEqual(Math.max(before, files.free() + endsMs.length));
        }
      },
    ),
  ));
