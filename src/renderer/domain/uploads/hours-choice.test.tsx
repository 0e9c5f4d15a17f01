// @vitest-environment happy-dom
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Hours } from '../../../contract/hours.ts';
import { createTestWindow } from '../../testing/render-query.tsx';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { HoursField } from './hours-choice.tsx';

speakEnglish();

const times = { from: '20:00', to: '06:00' };
const days = [5, 4, 3, 2, 1];

/** Shows `hours` in a form. `choose` makes a choice and returns the hours after it. */
const show = async (hours: Hours) => {
  const { wrapper } = await createTestWindow({});
  let chosen: Hours | undefined;
  const change = (next: Hours): void => {
    chosen = next;
  };
  render(<HoursField label="Hours" hours={hours} onChange={change} />, { wrapper });
  const select = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Hours' });
  return {
    value: select.value,
    choose: (value: string) => {
      fireEvent.change(select, { target: { value } });
      return chosen;
    },
  };
};

it.each([
  { hours: [], choice: 'always' },
  { hours: [times], choice: 'between' },
  { hours: [{ ...times, days }], choice: 'workingDays' },
  { hours: [{ ...times, days: [6] }], choice: 'special' },
  { hours: [times, { from: '12:00', to: '13:00' }], choice: 'special' },
])('shows $hours as "$choice"', async ({ hours, choice }) => expect((await show(hours)).value).toBe(choice));

it.each([
  { hours: [times], choice: 'workingDays', after: [{ ...times, days: [1, 2, 3, 4, 5] }] },
  { hours: [{ ...times, days }], choice: 'between', after: [times] },
  { hours: [], choice: 'between', after: [{ from: '18:00', to: '07:00' }] },
  { hours: [times], choice: 'always', after: [] },
  { hours: [{ ...times, days: [6] }, times], choice: 'between', after: [times] },
])('$hours become $after by the choice "$choice"', async ({ hours, choice, after }) => {
  expect((await show(hours)).choose(choice)).toEqual(after);
});
