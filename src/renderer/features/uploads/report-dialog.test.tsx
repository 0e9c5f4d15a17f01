// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it, onTestFinished, vi } from 'vitest';
import { DeskError } from '../../../contract/errors.ts';
import type { ReportOrder } from '../../../contract/uploads.ts';
import { periods } from '../../domain/uploads/period-choice.tsx';
import { emptySnapshot } from '../../testing/fake-bridge.ts';
import { renderPage } from '../../testing/render-page.tsx';
import { sampleBatch } from '../../testing/sample-batch.ts';
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

it('reports for any time what it counts, even uploads that were made while the clock was ahead', async () => {
  const report = vi.fn((_: ReportOrder) => undefined);
  const ahead = Date.now() + 400 * 24 * 3_600_000;
  const batches = [sampleBatch, { ...sampleBatch, uploadId: crypto.randomUUID(), createdAtMs: ahead }];
  await renderPage(<ReportDialog onClose={() => {}} />, {
    app: { snapshot: () => ({ ...emptySnapshot, batches }) },
    receipts: { report },
  });
  fireEvent.change(screen.getByLabelText('Started'), { target: { value: '-1' } });
  screen.getByText(/^2 uploads/);
  fireEvent.click(screen.getByRole('button', { name: 'Save report' }));
  await expect.poll(() => report.mock.calls).toHaveLength(1);
  const { fromMs = 0, beforeMs = 0 } = report.mock.lastCall?.[0] ?? {};
  for (const { createdAtMs } of batches) {
    expect(createdAtMs).toBeGreaterThanOrEqual(fromMs);
    expect(createdAtMs).toBeLessThan(beforeMs);
  }
});

it('counts the uploads of the period that the day belongs to, also after midnight', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: new Date(2026, 10, 30, 23, 59, 30) });
  onTestFinished(() => void vi.useRealTimers());
  const createdAtMs = new Date(2026, 9, 5).getTime();
  await renderPage(<ReportDialog onClose={() => {}} />, {
    app: { snapshot: () => ({ ...emptySnapshot, batches: [{ ...sampleBatch, createdAtMs }] }) },
  });
  screen.getByText(/^1 upload/);
  await act(async () => vi.advanceTimersByTime(60_000));
  expect(screen.queryByText(/^1 upload/)).toBeNull();
});

it('saves no report while a day that was typed is not a date, and says so', async () => {
  const report = vi.fn((_: ReportOrder) => undefined);
  const { createdAtMs: _, ...batch } = sampleBatch;
  await renderPage(<ReportDialog onClose={() => {}} />, {
    app: { snapshot: () => ({ ...emptySnapshot, batches: [{ ...batch, createdAtMs: Date.now() }] }) },
    receipts: { report },
  });
  fireEvent.change(screen.getByLabelText('Started'), { target: { value: `${periods.indexOf('days')}` } });
  const from = screen.getByLabelText('From');
  fireEvent.change(from, { target: { value: '31/31/2026' } });
  fireEvent.keyDown(from, { key: 'Enter' });
  fireEvent.submit(from.closest('form') ?? expect.unreachable());
  screen.getByText(/^Enter a date/);
  fireEvent.change(from, { target: { value: '1/1/2026' } });
  fireEvent.submit(from.closest('form') ?? expect.unreachable());
  await expect.poll(() => report.mock.calls).toHaveLength(1);
});

it('says why a saved report cannot be opened, also after another one could not be saved', async () => {
  let isFull = false;
  const { createdAtMs: _, ...batch } = sampleBatch;
  await renderPage(<ReportDialog onClose={() => {}} />, {
    app: { snapshot: () => ({ ...emptySnapshot, batches: [{ ...batch, createdAtMs: Date.now() }] }) },
    receipts: {
      report: () => {
        if (isFull) throw new DeskError('data/unwritable', 'full');
        return { savedId: 'saved', path: '/report.pdf', files: 1 };
      },
      open: () => {
        throw new DeskError('upload/folder-missing', 'gone');
      },
    },
  });
  fireEvent.change(screen.getByLabelText('Started'), { target: { value: '-1' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save report' }));
  await screen.findByRole('button', { name: 'Open report' });
  isFull = true;
  fireEvent.click(screen.getByRole('button', { name: 'Save report' }));
  await screen.findByText(/^Inspection Desk cannot write to the disk/);
  fireEvent.click(await screen.findByRole('button', { name: 'Open report' }));
  await waitFor(() => expect(screen.getByRole('alert').textContent).toMatch(/^The folder/));
});
