// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { PlaceProps } from '../../state/store.tsx';
import { renderPage } from '../../testing/render-page.tsx';
import { setFormats } from '../../words/formats.ts';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { WorkPart } from './work-part.tsx';

speakEnglish();
setFormats({ language: 'system', formats: 'system', dateFormat: 'system', timeBase: 'auto', systemLocale: 'en-GB' });

const month = () => screen.getByRole('heading', { level: 2 }).textContent;

it('shows the present month until the user chooses another one', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: new Date(2026, 10, 30, 23, 59, 30) });
  onTestFinished(() => void vi.useRealTimers());
  await renderPage(<WorkPart isLoading={false} />);
  expect(month()).toBe('November 2026');
  await act(async () => vi.advanceTimersByTime(60_000));
  expect(month()).toBe('December 2026');
  fireEvent.click(screen.getByRole('button', { name: 'Next month' }));
  vi.setSystemTime(new Date(2027, 1, 1));
  await act(async () => vi.advanceTimersByTime(60_000));
  expect(month()).toBe('January 2027');
});

it('opens all assignments of its list, with the filters and the day that were chosen', async () => {
  const { store } = await renderPage(<WorkPart isLoading={false} />, {
    assignments: { values: () => ({ City: [], Performer: ['Lift AB'], AssignmentStatus: [] }) },
  });
  const openAll = () => {
    fireEvent.click(screen.getByRole('button', { name: 'Open in Assignments' }));
    return store.getState().history.place;
  };
  await screen.findByRole('option', { name: 'Lift AB' });
  const contractor = screen.getByRole('combobox', { name: 'Contractor' });
  fireEvent.change(contractor, { target: { value: '0' } });
  expect(openAll()).toEqual({ name: 'assignments', filter: { Performer: 'Lift AB', group: 'overdue' } });
  const [day] = screen.getAllByRole('button', { name: /: 0 assignments$/ });
  fireEvent.click(day ?? expect.fail('no day'));
  const { filter } = openAll() as PlaceProps<'assignments'>;
  expect(filter).toEqual({
    Performer: 'Lift AB',
    open: true,
    fromMs: expect.any(Number),
    beforeMs: expect.any(Number),
  });
});
