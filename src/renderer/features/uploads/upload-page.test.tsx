// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Batch } from '../../../contract/uploads.ts';
import { uploadOf } from '../../domain/uploads/batch-words.ts';
import { emptySnapshot } from '../../testing/fake-bridge.ts';
import { renderPage } from '../../testing/render-page.tsx';
import { sampleBatch } from '../../testing/sample-batch.ts';
import { setFormats } from '../../words/formats.ts';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { BatchPage, FileCommands, UploadPage } from './upload-page.tsx';

speakEnglish();
const finished = { ...sampleBatch, state: 'finished', files: 3, uploaded: 3 } as const;

it('says what is removed where it is chosen, and asks no second time', async () => {
  const asked: unknown[] = [];
  await renderPage(<FileCommands upload={uploadOf(finished)} />, {
    files: {
      removable: () => [
        { folder: '', files: 3, bytes: 30, names: ['a.jpg', 'c.jpg', 'c.jpg'] },
        { folder: 'Offer.zip//roof', files: 1, bytes: 10, names: ['c.jpg'] },
      ],
      remove: (what) => {
        asked.push(what);
      },
    },
  });
  fireEvent.click(screen.getByRole('button', { name: 'Remove files' }));
  const folder = await screen.findByRole('combobox');
  const listed = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(listed()).toEqual(['a.jpg', 'c.jpg', 'And 1 more file.']);
  fireEvent.change(folder, { target: { value: 'Offer.zip//roof' } });
  expect(screen.getByRole('option', { name: /^Offer\.zip › roof · / })).toBeDefined();
  expect(listed()).toEqual(['c.jpg']);
  expect(screen.getByText(/^1 file in total/).textContent).toContain(
    'It will be removed from the assignment. The file on your computer is not',
  );
  fireEvent.click(screen.getByRole('button', { name: 'Remove 1 file' }));
  await waitFor(() => expect(asked).toEqual([{ batchIds: [finished.batchId], folder: 'Offer.zip//roof' }]));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('offers nothing where all files were removed later', async () => {
  await renderPage(<FileCommands upload={uploadOf({ ...finished, removed: 3 })} />);
  expect(screen.getByRole('button', { name: 'Remove files' }).getAttribute('aria-disabled')).toBe('true');
});

it('removes the files of the selected folders of an upload, and says how far that is', async () => {
  // In this DOM, no element has a size, but a table renders only the rows for which it has room.
  const height = vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
  onTestFinished(() => height.mockRestore());
  const [one, two, three] = ['a', 'b', 'c'].map((name, index) => {
    const id = `00000000-0000-4000-8000-00000000000${index + 1}`;
    return { ...finished, batchId: id, AssignmentId: id, root: `/jobs/${name}` };
  });
  if (!one || !two || !three) throw new Error('three batches');
  const asked: unknown[] = [];
  const { emit } = await renderPage(<UploadPage upload={finished.uploadId} />, {
    app: { snapshot: () => ({ ...emptySnapshot, batches: [one, { ...two, removed: 3 }, three] }) },
    files: {
      removable: ({ batchIds }) => [{ folder: '', files: 3 * batchIds.length, bytes: 60, names: ['a.jpg'] }],
      remove: (what) => {
        asked.push(what);
      },
    },
  });
  const remove = screen.getByRole('button', { name: 'Remove files' });
  expect(remove.getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select b' }));
  expect(screen.getByText('1 selected')).toBeDefined();
  expect(remove.getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select all folders' }));
  await screen.findByText('3 selected');
  fireEvent.click(remove);
  await screen.findByText(/removed from their assignments/);
  // In this DOM, no element has a size or a place, so the dialog may count as one that is behind another.
  fireEvent.click(await screen.findByRole('button', { name: 'Remove 6 files', hidden: true }));
  await waitFor(() => expect(asked).toEqual([{ batchIds: [one.batchId, three.batchId], folder: '' }]));
  await waitFor(() => expect(screen.queryByRole('dialog', { hidden: true })).toBeNull());
  expect(screen.getByText('0 selected')).toBeDefined();

  const removal = { kind: 'remove-files', createdAtMs: 0, bytes: 30, files: 3, removed: 1, refused: 0 } as const;
  const value = [one, three].map(({ AssignmentId }, id) => ({ ...removal, id, AssignmentId, waiting: 2 }));
  act(() => emit({ type: 'outbox', revision: 2, value }));
  // A screen reader announces the removal, but not each step.
  expect(screen.getByText(/^2 of 6 done\./).getAttribute('aria-live')).toBe('off');
  act(() => emit({ type: 'outbox', revision: 3, value: value.map((entry) => ({ ...entry, removed: 3, waiting: 0 })) }));
  expect(screen.queryByText(/of 6 done/)).toBeNull();
  // A click on a row opens it, and does not select it.
  fireEvent.click(screen.getByText('a'));
  expect(screen.getByText('0 selected')).toBeDefined();
});

it('removes the files of the folders that were selected when it was asked, not of one that finishes meanwhile', async () => {
  // In this DOM, no element has a size, but a table renders only the rows for which it has room.
  const height = vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
  onTestFinished(() => height.mockRestore());
  const [one, two, three] = ['a', 'b', 'c'].map((name, index) => {
    const id = `00000000-0000-4000-8000-00000000000${index + 1}`;
    return { ...finished, batchId: id, root: `/jobs/${name}` };
  });
  if (!one || !two || !three) throw new Error('three batches');
  const asked: unknown[] = [];
  const { emit } = await renderPage(<UploadPage upload={finished.uploadId} />, {
    app: { snapshot: () => ({ ...emptySnapshot, batches: [one, two, { ...three, state: 'running' }] }) },
    files: {
      removable: ({ batchIds }) => [{ folder: '', files: 3 * batchIds.length, bytes: 60, names: ['a.jpg'] }],
      remove: (what) => {
        asked.push(what);
      },
    },
  });
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select all folders' }));
  await screen.findByText('3 selected');
  fireEvent.click(screen.getByRole('button', { name: 'Remove files' }));
  // Both folders go to the same assignment, so the text names only one.
  await screen.findByText(/removed from the assignment\b/);
  act(() => emit({ type: 'batches', revision: 2, batches: [three] }));
  fireEvent.click(await screen.findByRole('button', { name: 'Remove 6 files', hidden: true }));
  await waitFor(() => expect(asked).toEqual([{ batchIds: [one.batchId, two.batchId], folder: '' }]));
  await waitFor(() => expect(screen.queryByRole('dialog', { hidden: true })).toBeNull());
});

it('sorts the folders of an upload by the rules of the language of the app', async () => {
  // In this DOM, no element has a size, but a table renders only the rows for which it has room.
  const height = vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
  const usual = { language: 'system', formats: 'system', dateFormat: 'system', timeBase: 'auto' } as const;
  setFormats({ ...usual, language: 'sv', systemLocale: 'en-GB' });
  onTestFinished(() => {
    height.mockRestore();
    setFormats(usual);
  });
  const batches = ['Zinkgatan', 'Åsgatan', 'Almgatan'].map((name) => ({
    ...finished,
    batchId: name,
    root: `/jobs/${name}`,
    uploadId: 'upload',
  }));
  await renderPage(<UploadPage upload="upload" />, { app: { snapshot: () => ({ ...emptySnapshot, batches }) } });
  fireEvent.click(await screen.findByRole('button', { name: 'Folder' }));
  const folders = () =>
    screen
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.querySelector('button')?.textContent);
  expect(folders()).toEqual(['Almgatan', 'Zinkgatan', 'Åsgatan']);
});

it('counts a selected file no longer once it has left the list', async () => {
  const height = vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
  onTestFinished(() => height.mockRestore());
  const failed = { ...finished, uploaded: 0, failed: 3 };
  let listed = [1, 2];
  const { client } = await renderPage(<BatchPage batch={failed.batchId} />, {
    app: { snapshot: () => ({ ...emptySnapshot, batches: [failed] }) },
    uploads: {
      errorGroups: () => [],
      files: () => ({
        files: listed.map((id) => ({
          id,
          path: `${id}.jpg`,
          FileName: `${id}.jpg`,
          sizeBytes: 1,
          state: 'failed',
          attempts: 1,
        })),
        total: listed.length,
      }),
    },
  });
  fireEvent.click(screen.getByRole('tab', { name: 'Failed (3)' }));
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Select 1.jpg' }));
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select 2.jpg' }));
  expect(screen.getByText('2 selected')).toBeDefined();
  listed = [2, 3];
  await act(async () => client.invalidateQueries());
  expect(await screen.findByText('1 selected')).toBeDefined();
});

it('shows all files again when the last failed file has arrived, and only then', async () => {
  const failed = { ...finished, uploaded: 1, failed: 2 };
  const { emit } = await renderPage(<BatchPage batch={failed.batchId} />, {
    app: { snapshot: () => ({ ...emptySnapshot, batches: [failed] }) },
    uploads: { errorGroups: () => [], files: () => ({ files: [], total: 0 }) },
  });
  const isChosen = (name: string) => screen.getByRole('tab', { name }).getAttribute('aria-selected') === 'true';
  fireEvent.click(screen.getByRole('tab', { name: 'Failed (2)' }));
  let revision = 1;
  const become = (batch: Batch) => {
    revision += 1;
    act(() => emit({ type: 'batches', revision, batches: [batch] }));
  };
  become({ ...failed, state: 'running', failed: 0 });
  expect(isChosen('Failed (0)')).toBe(true);
  become({ ...failed, uploaded: 2, failed: 1 });
  expect(isChosen('Failed (1)')).toBe(true);
  become({ ...failed, state: 'running', failed: 0 });
  become(finished);
  expect(isChosen('All (3)')).toBe(true);
  fireEvent.click(screen.getByRole('tab', { name: 'Failed (0)' }));
  expect(isChosen('Failed (0)')).toBe(true);
});
