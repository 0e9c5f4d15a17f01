// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import { sampleBatch } from '../../testing/sample-batch.ts';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { FileCommands } from './upload-page.tsx';

speakEnglish();
const finished = { ...sampleBatch, state: 'finished', files: 3, uploaded: 3 } as const;

it('says what is removed where it is chosen, and asks no second time', async () => {
  const asked: unknown[] = [];
  await renderPage(<FileCommands batch={finished} />, {
    files: {
      removable: () => [
        { folder: '', files: 3, bytes: 30, names: ['a.jpg', 'b.jpg', 'c.jpg'] },
        { folder: 'roof', files: 1, bytes: 10, names: ['c.jpg'] },
      ],
      remove: (what) => {
        asked.push(what);
      },
    },
  });
  fireEvent.click(screen.getByRole('button', { name: 'Remove files' }));
  fireEvent.change(await screen.findByRole('combobox'), { target: { value: 'roof' } });
  expect(screen.getByText(/^c\.jpg\. 1 file in total/).textContent).toContain('are not deleted');
  fireEvent.click(screen.getByRole('button', { name: 'Remove 1 file' }));
  await waitFor(() => expect(asked).toEqual([{ batchId: finished.batchId, folder: 'roof' }]));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('offers nothing where all files were removed later', async () => {
  await renderPage(<FileCommands batch={{ ...finished, removed: 3 }} />);
  expect(screen.getByRole('button', { name: 'Remove files' }).getAttribute('aria-disabled')).toBe('true');
});
