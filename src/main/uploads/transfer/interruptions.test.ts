import { expect, test } from 'vitest';
import { createInterruptions } from './interruptions.ts';

const origin = 'https://storage.example';
const wait = () => {
  const changes: (string | undefined)[] = [];
  const waits: number[] = [];
  const interruptions = createInterruptions({
    sleep: async (ms) => void waits.push(ms),
    probes: { attempts: 9, firstMs: 10, growth: 2, longestMs: 30, jitter: false },
    report: (seen) => changes.push(seen.type === 'unreachable' ? seen.reason.code : seen.type),
    now: () => 0,
  });
  const lose = (...ids: readonly number[]) => ids.map((id) => interruptions.lost(origin, id, origin));
  const visitor = (id: number, signal = new AbortController().signal) => ({
    id,
    waitSignal: signal,
    onWaiting: () => {},
  });
  return { ...interruptions, lose, visitor, changes, waits };
};

test('three files in a row without an answer: the host is to blame, not the files', () => {
  const { lose, changes } = wait();
  expect(lose(1, 1, 1, 2, 3, 1)).toEqual([false, false, false, false, true, true]);
  expect(new Set(changes)).toEqual(new Set(['network/interrupted']));
});

test('of many files at once, half of them: some that are lost first among those that began together are chance', async () => {
  const { lose, turn, visitor, responded } = wait();
  const leaves = await Promise.all(Array.from({ length: 12 }, (_, id) => turn(origin, visitor(id))));
  expect(lose(0, 1, 2, 3, 4)).toEqual([false, false, false, false, false]);
  responded(origin, 11);
  // Six files had no response yet, and were not lost while file 11 was being sent. Half of them are lost now.
  expect(lose(5, 6, 7)).toEqual([false, false, true]);
  for (const leave of leaves) leave(false);
});

test('files that were answered, and wait as long as the host requested, do not count as being sent', async () => {
  const { lose, turn, visitor, responded } = wait();
  const leaves = await Promise.all(Array.from({ length: 12 }, (_, id) => turn(origin, visitor(id))));
  for (let id = 0; id < 9; id += 1) responded(origin, id);
  expect(lose(9, 10, 11)).toEqual([false, false, true]);
  for (const leave of leaves) leave(false);
});

test('files that were lost while others were answered count as lost themselves, however many they are', () => {
  const { lose, responded } = wait();
  for (const id of [1, 2, 3]) {
    lose(id);
    responded(origin, 99);
  }
  expect(lose(1, 2, 3, 1, 2, 3)).toEqual([false, false, false, false, false, false]);
  expect(lose(4, 5, 6)).toEqual([false, false, true]);
});

test('one file tries at a time, after longer and longer waits, and an answer lets all continue', async () => {
  const { lose, turn, visitor, responded, waits } = wait();
  lose(1, 2, 3);
  const first = await turn(origin, visitor(1));
  const order: number[] = [];
  const others = [2, 3].map(async (id) => {
    const leave = await turn(origin, visitor(id));
    order.push(id);
    leave(false);
  });
  expect([order, waits]).toEqual([[], [10]]);
  lose(1);
  first(true);
  const again = turn(origin, visitor(1)).then((leave) => {
    order.push(1);
    responded(origin, 1);
    leave(false);
  });
  await Promise.all([...others, again]);
  expect([order, waits]).toEqual([
    [2, 3, 1],
    [10, 20, 30, 30],
  ]);
  (await turn(origin, visitor(4)))(false);
  expect(waits).toHaveLength(4);
});

test('a response to a file is reported if it ends an outage: no other part reports that the service is back', () => {
  const { lose, responded, changes } = wait();
  lose(1, 2, 3);
  responded(origin, 1);
  responded(origin, 2);
  expect(changes).toEqual(['network/interrupted', 'responded']);
});

test('is forgotten when the last file that waits is cancelled', async () => {
  const { lose, turn, visitor, changes } = wait();
  lose(1, 2, 3);
  const held = await turn(origin, visitor(1));
  const stop = new AbortController();
  const waiting = turn(origin, visitor(2, stop.signal));
  stop.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'app/cancelled' });
  expect(changes.at(-1)).toBe('network/interrupted');
  held(false);
  expect(changes.at(-1)).toBe('forgotten');
});
