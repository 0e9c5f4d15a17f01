// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Hours } from '../../../contract/hours.ts';
import { emptySnapshot } from '../../testing/fake-bridge.ts';
import { renderPage } from '../../testing/render-page.tsx';
import { sampleBatch } from '../../testing/sample-batch.ts';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { uploadOf } from './batch-words.ts';
import { UploadActions } from './batches.tsx';
import { proposedTimes, wantedSchedule } from './start-time.tsx';

speakEnglish();

const noon = new Date(2026, 2, 10, 12).getTime();
const night = [
  { from: '20:00', to: '06:00', days: [1, 2, 3, 4, 5] },
  { from: '00:00', to: '00:00', days: [6] },
] as const;

it('offers this evening, or tomorrow evening where that has passed', () => {
  const at = (hour: number) => {
    const nowMs = new Date(2026, 2, 10, hour).getTime();
    return wantedSchedule({ kind: 'at', ...proposedTimes(undefined, nowMs) }, nowMs);
  };
  expect(at(12)).toEqual({ notBeforeMs: new Date(2026, 2, 10, 18).getTime(), hours: [] });
  expect(at(18)).toEqual({ notBeforeMs: new Date(2026, 2, 11, 18).getTime(), hours: [] });
});

it('offers the hours of the settings, and overrules them with "now"', () => {
  const schedule = (kind: 'hours' | 'now', usual?: Hours) =>
    wantedSchedule({ kind, ...proposedTimes(usual, noon) }, noon);
  expect(schedule('hours', night)).toEqual({ hours: night });
  expect(schedule('hours')).toEqual({ hours: [{ from: '18:00', to: '07:00' }] });
  expect(schedule('hours', [])).toEqual({ hours: [{ from: '18:00', to: '07:00' }] });
  expect(schedule('now', night)).toEqual({ hours: [] });
});

it('asks for nothing before the date is filled in, nor for a time that has passed', () => {
  const schedule = (at: string, nowMs = noon) => wantedSchedule({ kind: 'at', at, hours: [] }, nowMs);
  expect(schedule('')).toBeUndefined();
  expect(schedule('2026-03-09T18:00')).toBeUndefined();
  // The current minute does not count as passed.
  expect(schedule('2026-03-10T12:00', noon + 59_000)).toEqual({ notBeforeMs: noon, hours: [] });
});

it('changes the start of a scheduled upload, beginning with the time that it has', async () => {
  const asked: unknown[] = [];
  const evening = new Date(2099, 2, 1, 18).getTime();
  const reason = { code: 'upload/scheduled', message: '', retry: 'later', details: {} } as const;
  const schedule = { notBeforeMs: evening, hours: [], overruled: false };
  const scheduled = { ...sampleBatch, state: 'paused', reason, schedule } as const;
  const { rerender } = await renderPage(<UploadActions upload={uploadOf(scheduled)} />, {
    app: { snapshot: () => ({ ...emptySnapshot, batches: [scheduled] }) },
    uploads: {
      reschedule: (change) => {
        asked.push(change);
      },
    },
  });
  // Finds hidden buttons, too: a dialog hides the page from assistive technology, even while it is closing.
  const button = (name: string) => screen.getByRole('button', { name, hidden: true });
  const open = async () => {
    fireEvent.click(button('Change start…'));
    await screen.findByRole('dialog', { name: 'Change when this upload starts', hidden: true });
  };
  await open();
  const time = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Start date and time', hidden: true });
  const choose = (kind: 'at' | 'hours') =>
    fireEvent.change(screen.getByRole('combobox', { name: 'Start', hidden: true }), { target: { value: kind } });
  expect(time().value).toMatch(/2099.6:00/);
  fireEvent.change(time(), { target: { value: '3/1/2099 9:30 PM' } });
  choose('hours');
  choose('at');
  fireEvent.click(button('Change start'));
  const of = { batchId: sampleBatch.batchId };
  const later = { notBeforeMs: new Date(2099, 2, 1, 21, 30).getTime(), hours: [] };
  await waitFor(() => expect(asked).toEqual([{ of, schedule: later }]));
  await waitFor(() => expect(screen.queryByRole('dialog', { hidden: true })).toBeNull());

  await open();
  choose('hours');
  fireEvent.click(button('Change start'));
  await waitFor(() => expect(asked[1]).toEqual({ of, schedule: { hours: [{ from: '18:00', to: '07:00' }] } }));
  button('Change start…');

  rerender(<UploadActions upload={uploadOf({ ...scheduled, schedule: { ...schedule, watchedId: 1 } })} />);
  expect(screen.queryByRole('button', { name: 'Change start…', hidden: true })).toBeNull();
});
