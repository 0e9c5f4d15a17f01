// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { ReportDialog } from './report-dialog.tsx';

speakEnglish();

it('shows the label of the period, as of the other choices', async () => {
  await renderPage(<ReportDialog onClose={() => {}} />);
  for (const label of ['Started', 'One line for each', 'Format']) {
    expect(screen.getByLabelText(label).tagName).toBe('SELECT');
    expect(screen.getByText(label).tagName).toBe('LABEL');
  }
});

it('begins with the choices of the last report', async () => {
  const chosen = () =>
    ['Started', 'One line for each', 'Format'].map((label) => screen.getByLabelText<HTMLSelectElement>(label).value);
  const { rerender } = await renderPage(<ReportDialog onClose={() => {}} />);
  const usual = chosen();
  for (const label of ['Started', 'Format']) fireEvent.change(screen.getByLabelText(label), { target: { value: '1' } });
  const changed = chosen();
  expect(changed).not.toEqual(usual);
  rerender(<ReportDialog key="next" onClose={() => {}} />);
  expect(chosen()).toEqual(changed);
});
