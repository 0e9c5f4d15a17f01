// @vitest-environment happy-dom
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createTestWindow } from '../testing/render-query.tsx';
import { speakEnglish } from '../words/testing/speak-english.ts';
import { Failure } from './errors.tsx';

speakEnglish();

it('copies the version, the time, the code and the details for a support request', async () => {
  const { wrapper } = await createTestWindow({});
  vi.useFakeTimers({ now: 0, toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  onTestFinished(() => written.mockRestore());
  const error = { code: 'data/corrupt', message: 'no header', retry: 'never', details: { path: 'a.sqlite' } } as const;
  render(<Failure error={error} />, { wrapper });
  fireEvent.click(screen.getByRole('button', { name: 'Copy details' }));
  expect(written).toHaveBeenCalledExactlyOnceWith(
    'Inspection Desk 1.2.3, 1970-01-01T00:00:00.000Z\ndata/corrupt: no header\npath: a.sqlite',
  );
  await screen.findByText('Copied');
});
