// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { createTestWindow } from '../../testing/render-query.tsx';
import { sampleBatch } from '../../testing/sample-batch.ts';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { SavedFiles, SaveReceipt } from './save-receipt.tsx';

speakEnglish();
afterEach(cleanup);

const ended = { ...sampleBatch, state: 'finished', files: 2, uploaded: 0, skipped: 0, failed: 0 } as const;

it('saves the list of what failed where nothing could be sent', async () => {
  const asked: unknown[] = [];
  const { wrapper } = await createTestWindow({
    receipts: {
      save: (order) => {
        asked.push(order);
        return undefined;
      },
    },
  });
  render(<SaveReceipt batches={[{ ...ended, failed: 2 }]} />, { wrapper });
  fireEvent.click(screen.getByRole('button', { name: 'Save receipt' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: /Excel/ }));
  await waitFor(() => expect(asked).toMatchObject([{ batchIds: [ended.batchId], format: 'xlsx' }]));
});

it.each(['receipt', 'report'] as const)('opens a saved %s by that name', async (of) => {
  const { wrapper } = await createTestWindow({});
  const saved = { savedId: '00000000-0000-4000-8000-000000000001', path: '/docs/November.pdf', files: 1 };
  const { rerender } = render(<SavedFiles of={of} busy saved={undefined} />, { wrapper });
  expect(screen.getByRole('status').textContent).toBe(`Saving the ${of}…`);
  rerender(<SavedFiles of={of} busy={false} saved={saved} />);
  expect(screen.getByRole('button', { name: `Open ${of}` })).toBeDefined();
  rerender(<SavedFiles of={of} busy={false} saved={{ ...saved, files: 2 }} />);
  expect(screen.getByRole('button', { name: `Open ${of}s` })).toBeDefined();
});

it('offers nothing while no file has an outcome', async () => {
  const { wrapper } = await createTestWindow({});
  render(<SaveReceipt batches={[{ ...ended, state: 'cancelled', cancelled: 2 }]} />, { wrapper });
  expect(screen.getByRole('button', { name: 'Save receipt' }).getAttribute('aria-disabled')).toBe('true');
});
