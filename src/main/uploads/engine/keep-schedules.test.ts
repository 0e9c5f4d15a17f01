import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { Batch } from '../../../contract/uploads.ts';
import { HELD_BACK } from '../ledger/ledger.ts';
import { createScheduleKeeper, sparingReason, stepOf } from './keep-schedules.ts';

type State = Pick<Batch, 'state' | 'reason' | 'schedule'>;

const schedule = { hours: [], overruled: false };
const running: State = { state: 'running', schedule };
const held: State = { state: 'paused', reason: HELD_BACK, schedule };

test('a batch that still runs when its hours end is held back, and resumed when they begin', () => {
  expect(stepOf(running, true)).toBeUndefined();
  expect(stepOf(running, false)).toBe('hold back');
  expect(stepOf(held, false)).toBeUndefined();
  expect(stepOf(held, true)).toBe('resume');
});

test('a batch that a person resumes outside its hours runs on, until the next time they end', () => {
  const resumed: State = { ...running, schedule: { ...schedule, overruled: true } };
  expect(stepOf(resumed, false)).toBeUndefined();
  expect(stepOf(resumed, true)).toBe('heed again');
});

test('nobody overrules the hours of the organisation, whatever the schedule of a batch is', () => {
  const resumed: State = { ...running, schedule: { ...schedule, overruled: true } };
  expect(stepOf(resumed, false, false)).toBe('hold back');
  expect(stepOf({ state: 'running' }, true, false)).toBe('hold back');
  expect(stepOf(held, true, false)).toBeUndefined();
  expect(stepOf(held, true, true)).toBe('resume');
});

test('a batch gets the hours of the organisation, and keeps its watched folder and the time before which it waits', async () => {
  const own = { hours: [], overruled: true, watchedId: 7, notBeforeMs: Date.parse('2026-01-05T10:00') };
  const batch = { batchId: 'b', state: 'running', schedule: own } as unknown as Batch;
  const set: unknown[] = [];
  const hours = [{ from: '18:00', to: '07:00' }];
  const keeper = createScheduleKeeper({
    uploads: {
      present: () => [batch],
      pause: async () => batch,
      resume: () => expect.unreachable(),
      setSchedule: async (_, to) => {
        set.push(to);
        return batch;
      },
    },
    isSignedIn: () => true,
    hours,
    keepsAll: true,
    wanted: () => ({ waitOnBattery: false, waitOnMetered: false }),
    onBug: (error) => expect.fail(String(error)),
    now: () => Date.parse('2026-01-05T12:00'),
  });
  onTestFinished(keeper.close);
  await keeper.keep();
  expect(set).toEqual([{ ...own, hours, overruled: false }]);
});

test('a batch that has ended, or is being cancelled, is left alone', () => {
  const cancelling = { code: 'upload/cancelling', message: '', retry: 'later', details: {} } as const;
  for (const state of [
    { state: 'finished', schedule },
    { ...held, reason: cancelling },
  ] as const)
    for (const isDue of [true, false]) expect(stepOf(state, isDue)).toBeUndefined();
});

test('outside the hours a batch runs exactly if a person resumed it then; within them none is held back', () => {
  const moves = fc.array(fc.constantFrom('open', 'close', 'person resumes', 'person pauses'), { maxLength: 40 });
  fc.assert(
    fc.property(moves, (steps) => {
      let batch = running;
      let isOpen = true;
      let isWanted = false;
      for (const step of steps) {
        if (step === 'open' || step === 'close') {
          isOpen = step === 'open';
          if (isOpen) isWanted = false;
        } else if (step === 'person pauses') {
          if (batch.state === 'running') batch = { state: 'paused', schedule: batch.schedule };
          isWanted = false;
        } else if (batch.state !== 'running') {
          batch = { state: 'running', schedule: { ...schedule, overruled: true } };
          isWanted = !isOpen;
        }
        const next = stepOf(batch, isOpen);
        if (next === 'hold back') batch = { ...held, schedule: batch.schedule };
        if (next === 'resume') batch = { ...running, schedule: batch.schedule };
        if (next === 'heed again') batch = { ...batch, schedule };
        if (isOpen) expect(batch.reason).toBeUndefined();
        else expect(batch.state === 'running').toBe(isWanted);
      }
    }),
  );
});

test('uploads wait below 20 % of a battery and on metered connections, if that is wanted', () => {
  const both = { waitOnBattery: true, waitOnMetered: true };
  expect(sparingReason({ isMetered: false }, both)).toBeUndefined();
  expect(sparingReason({ batteryPercent: 20, isMetered: false }, both)).toBeUndefined();
  expect(sparingReason({ batteryPercent: 19, isMetered: true }, both)).toMatchObject({
    code: 'upload/on-battery',
    details: { percent: 19 },
  });
  expect(sparingReason({ batteryPercent: 19, isMetered: true }, { ...both, waitOnBattery: false })).toMatchObject({
    code: 'upload/on-metered',
  });
  const neither = { waitOnBattery: false, waitOnMetered: false };
  expect(sparingReason({ batteryPercent: 1, isMetered: true }, neither)).toBeUndefined();
});

test('a schedule that a person changes while the battery is read is not replaced by the earlier one', async () => {
  const batch = { batchId: 'b', state: 'running' };
  let present = { ...batch, schedule: { hours: [{ from: '08:00', to: '16:00' }], overruled: true } };
  const reading = Promise.withResolvers<void>();
  const keeper = createScheduleKeeper({
    uploads: {
      present: () => [present as unknown as Batch],
      pause: () => expect.unreachable(),
      resume: () => expect.unreachable(),
      setSchedule: async (_, schedule) => {
        present = { ...batch, schedule: schedule as typeof present.schedule };
        return present as unknown as Batch;
      },
    },
    isSignedIn: () => true,
    hours: [],
    keepsAll: true,
    readMachine: async () => {
      await reading.promise;
      return { batteryPercent: 100, isMetered: false };
    },
    wanted: () => ({ waitOnBattery: true, waitOnMetered: true }),
    onBug: (error) => expect.fail(String(error)),
    now: () => Date.parse('2026-01-05T12:00'),
  });
  onTestFinished(keeper.close);
  const first = keeper.keep();
  const hours = [{ from: '10:00', to: '14:00' }];
  present = { ...batch, schedule: { hours, overruled: false } };
  const second = keeper.keep();
  reading.resolve();
  await Promise.all([first, second]);
  expect(present.schedule).toEqual({ hours, overruled: false });
});
