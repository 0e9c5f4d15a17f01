// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react';
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
