import { expect, test } from 'vitest';
import { createPool, createPools } from './pool.ts';

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
