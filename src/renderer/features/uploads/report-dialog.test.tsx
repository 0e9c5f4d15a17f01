// @vitest-environment happy-dom
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { createTestWindow } from '../../testing/render-query.tsx';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { ReportDialog } from './report-dialog.tsx';

speakEnglish();

it('shows the label of the period, as of the other choices', async () => {
  const { wrapper } = await createTestWindow({});
  render(<ReportDialog onClose={() => {}} />, { wrapper });
  for (const label of ['Started', 'One line for each', 'Format']) {
    expect(screen.getByLabelText(label).tagName).toBe('SELECT');
    expect(screen.getByText(label).tagName).toBe('LABEL');
  }
});

it('begins with the choices of the last report', async () => {
  const { wrapper } = await createTestWindow({});
  const chosen = () =>
    ['Started', 'One line for each', 'Format'].map((label) => screen.getByLabelText<HTMLSelectElement>(label).value);
  const { unmount } = render(<ReportDialog onClose={() => {}} />, { wrapper });
  const usual = chosen();
  for (const label of ['Started', 'Format']) fireEvent.change(screen.getByLabelText(label), { target: { value: '1' } });
  const changed = chosen();
  expect(changed).not.toEqual(usual);
  unmount();
  render(<ReportDialog onClose={() => {}} />, { wrapper });
  expect(chosen()).toEqual(changed);
});
