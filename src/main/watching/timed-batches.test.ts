import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BatchPhase, type TimedState, timedStep } from './timed-batches.ts';

const fresh: TimedState = { paused: false, overruled: false };

test('a batch that still runs when the hours end is paused, and resumed when they open', () => {
  expect(timedStep(fresh, 'active', true)).toEqual(fresh);
  const closed = timedStep(fresh, 'active', false);
  expect(closed).toEqual({ paused: true, overruled: false, act: 'pause' });
  expect(timedStep(closed, 'scheduled', false)).toMatchObject({ paused: true, overruled: false });
  expect(timedStep({ paused: true, overruled: false }, 'scheduled', true)).toEqual({ ...fresh, act: 'resume' });
});

test('a batch that a person resumes outside the hours runs on, until the next time they end', () => {
  const resumed = timedStep({ paused: true, overruled: false }, 'active', false);
  expect(resumed).toEqual({ paused: true, overruled: true });
  expect(timedStep(resumed, 'active', false)).toEqual(resumed);
  expect(timedStep(resumed, 'active', true)).toEqual(fresh);
  expect(timedStep(fresh, 'active', false)).toMatchObject({ act: 'pause' });
});

test('a batch that a person paused stays paused', () => {
  expect(timedStep(fresh, 'paused', true).act).toBeUndefined();
  expect(timedStep(fresh, 'paused', false)).toEqual({ paused: true, overruled: false });
});

test('a batch that continues after a problem is no wish of a person', () => {
  expect(timedStep(fresh, 'stopped', false)).toEqual(fresh);
  expect(timedStep(fresh, 'active', false)).toMatchObject({ act: 'pause' });
});

test('outside the hours a batch runs exactly if a person resumed it then; within them none is held back', () => {
  const moves = fc.array(fc.constantFrom('open', 'close', 'person resumes', 'person pauses'), { maxLength: 40 });
  fc.assert(
    fc.property(moves, (steps) => {
      let state = fresh;
      let phase: BatchPhase = 'active';
      let isOpen = true;
      let isWanted = false;
      for (const step of steps) {
        if (step === 'open' || step === 'close') {
          isOpen = step === 'open';
          if (isOpen) isWanted = false;
        } else if (step === 'person pauses') {
          if (phase === 'active') phase = 'paused';
          isWanted = false;
        } else if (phase !== 'active') {
          phase = 'active';
          isWanted = !isOpen;
        }
        const { act, ...next } = timedStep(state, phase, isOpen);
        if (act === 'pause') phase = 'scheduled';
        if (act === 'resume') phase = 'active';
        state = next;
        if (isOpen) expect(phase).not.toBe('scheduled');
        else expect(phase === 'active').toBe(isWanted);
      }
    }),
  );
});
